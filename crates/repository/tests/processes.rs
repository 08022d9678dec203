//! Several processes with one store, some of which are killed.
//!
//! The other processes run this program itself; an environment variable makes them write.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use rely_repository::{DEFAULT_LIMIT, Key, Repository};

/// Tells a process where to write, and which entries.
const FOLDER: &str = "REPOSITORY_WRITER_FOLDER";
const FIRST: &str = "REPOSITORY_WRITER_FIRST";
const COUNT: &str = "REPOSITORY_WRITER_COUNT";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("processes-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn key(number: u64) -> Key {
    let mut key = [1; 32];
    key[..8].copy_from_slice(&number.to_be_bytes());
    key
}

fn value(number: u64) -> Vec<u8> {
    number.to_be_bytes().repeat(2_000)
}

fn start(folder: &Path, first: u64, count: u64) -> Child {
    Command::new(std::env::current_exe().expect("this program has a file"))
        .args(["--exact", "writer", "--quiet"])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .env(COUNT, count.to_string())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("this program can be started")
}

/// What the other processes do; nothing in this one.
#[test]
fn writer() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let number = |name| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let repository = Repository::open(Path::new(&folder), DEFAULT_LIMIT).unwrap();
    let first = number(FIRST);
    for i in first..first + number(COUNT) {
        repository.put(&[(key(i), value(i))]);
        assert_eq!(repository.get(&key(i)), Some(value(i)));
    }
    assert!(!repository.rebuilt());
}

#[test]
fn several_write_at_once() {
    let folder = folder("at-once");
    let mut writers: Vec<Child> = (0..4).map(|i| start(&folder, 1_000 * i, 25)).collect();
    for writer in &mut writers {
        assert!(writer.wait().unwrap().success());
    }
    let repository = Repository::open(&folder, DEFAULT_LIMIT).unwrap();
    for i in (0..4).flat_map(|writer| 1_000 * writer..1_000 * writer + 25) {
        assert_eq!(repository.get(&key(i)), Some(value(i)), "{i}");
    }
    assert_eq!(repository.len(), 100);
    assert!(!repository.rebuilt());
}

#[test]
fn a_kill_leaves_the_store_as_it_was_before_or_after_a_writing() {
    let folder = folder("killed");
    let mut most = 0;
    for round in 0..15 {
        let first = 100_000 * (round + 1);
        let mut killed = start(&folder, first, 90_000);
        let mut other = start(&folder, 1_000 * round, 5);
        std::thread::sleep(Duration::from_millis(30 + 7 * round));
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(other.wait().unwrap().success());
        let repository = Repository::open(&folder, DEFAULT_LIMIT).unwrap();
        // All entries up to some moment are there, and none after it.
        let written = (first..).take_while(|&i| repository.get(&key(i)) == Some(value(i))).count() as u64;
        assert!((first + written..first + written + 20).all(|i| repository.get(&key(i)).is_none()));
        most = most.max(written);
        assert!(!repository.rebuilt(), "nothing was damaged");
    }
    assert!(most > 0, "no process came to write before it was killed");
}
