//! One process, and a store that may be damaged.

use std::path::{Path, PathBuf};

use rely_repository::{DEFAULT_LIMIT, FILE, Key, Repository};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// A folder of its own for each test, empty at first.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("repository-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn open(folder: &Path) -> Repository {
    Repository::open(folder, DEFAULT_LIMIT).expect("the folder is ours")
}

fn key(number: u64) -> Key {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number.to_be_bytes());
    key
}

fn value(number: u64) -> Vec<u8> {
    let mut rng = Rng::new(number);
    (0..=rng.below(3_000)).map(|_| u8::try_from(rng.below(256)).expect("a byte")).collect()
}

fn fill(repository: &Repository, count: u64) {
    let entries: Vec<(Key, Vec<u8>)> = (0..count).map(|i| (key(i), value(i))).collect();
    repository.put(&entries);
}

#[test]
fn what_was_put_is_found_again() {
    let folder = folder("again");
    assert_eq!(open(&folder).get(&key(1)), None);
    fill(&open(&folder), 20);
    let repository = open(&folder);
    for i in 0..20 {
        assert_eq!(repository.get(&key(i)), Some(value(i)));
    }
    assert_eq!(repository.get(&key(20)), None);
    repository.put(&[(key(3), b"another".to_vec())]);
    assert_eq!(repository.get(&key(3)).as_deref(), Some(&b"another"[..]));
    assert_eq!(repository.len(), 20);
    assert!(!repository.rebuilt());
}

#[test]
fn what_was_not_used_for_longest_is_forgotten() {
    let folder = folder("forgotten");
    let repository = Repository::open(&folder, 20_000).unwrap();
    for i in 0..10 {
        repository.put(&[(key(i), vec![7; 1_000])]);
    }
    assert!(repository.get(&key(0)).is_some());
    for i in 10..20 {
        repository.put(&[(key(i), vec![7; 1_000])]);
    }
    assert!(repository.len() < 18, "{}", repository.len());
    assert!(repository.get(&key(19)).is_some());
    assert!(repository.get(&key(0)).is_some(), "it was used");
    assert!(repository.get(&key(1)).is_none(), "it was not");
    repository.put(&[(key(99), vec![7; 10_000])]);
    assert_eq!(repository.get(&key(99)), None, "it would take half of the store");
}

/// Whatever happens to the file: nothing wrong is found, and what is put afterwards is kept.
fn survives(folder: &Path, count: u64, what: &str) -> bool {
    let repository = open(folder);
    for i in 0..count {
        let found = repository.get(&key(i));
        assert!(found.is_none() || found == Some(value(i)), "{what}: {i} is wrong");
    }
    // Writing may be what notices the damage, and then the entries are lost once.
    fill(&repository, count);
    fill(&repository, count);
    let rebuilt = repository.rebuilt();
    drop(repository);
    let repository = open(folder);
    for i in 0..count {
        assert_eq!(repository.get(&key(i)), Some(value(i)), "{what}: {i} is missing");
    }
    rebuilt
}

#[test]
fn a_file_that_is_cut_off_is_begun_anew() {
    let folder = folder("cut");
    let path = folder.join(FILE);
    fill(&open(&folder), 30);
    let whole = std::fs::read(&path).unwrap();
    let mut rebuilt = 0;
    for length in (0..whole.len()).step_by(whole.len() / 40).chain([1, 15, 100, 512, 4096, whole.len() - 1]) {
        std::fs::write(&path, &whole[..length]).unwrap();
        rebuilt += usize::from(survives(&folder, 30, &format!("cut at {length}")));
    }
    assert!(rebuilt > 20, "only {rebuilt} were noticed");
}

#[test]
fn a_file_that_is_garbled_is_begun_anew() {
    let folder = folder("garbled");
    let path = folder.join(FILE);
    fill(&open(&folder), 30);
    let whole = std::fs::read(&path).unwrap();
    let mut rebuilt = 0;
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let mut garbled = whole.clone();
        let (start, length) = (rng.below(whole.len()), 1 + rng.below(9_000));
        for byte in garbled.iter_mut().skip(start).take(length) {
            *byte = u8::try_from(rng.below(256)).unwrap();
        }
        std::fs::write(&path, &garbled).unwrap();
        rebuilt += usize::from(survives(&folder, 30, &format!("seed {seed}")));
    }
    assert!(rebuilt > 20 || is_single_seed(), "only {rebuilt} were noticed");
}

#[test]
fn something_else_entirely_is_begun_anew() {
    let folder = folder("else");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(FILE), "This is no store at all.\n".repeat(1_000)).unwrap();
    assert!(survives(&folder, 5, "text"));
    std::fs::write(folder.join(FILE), vec![0; 10_000]).unwrap();
    assert!(survives(&folder, 5, "zeros"));
}

/// A database can have a view in the place of a table that never ends, and a trigger that writes on its own.
#[test]
fn a_store_with_other_definitions_is_begun_anew() {
    let long = "x".repeat(5_000);
    for (name, change) in [
        (
            "view",
            "DROP TABLE entries; CREATE VIEW entries AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)
             SELECT i AS id, i AS key, i AS value, i AS checksum, i AS used FROM n;"
                .to_owned(),
        ),
        (
            "trigger",
            format!(
                "CREATE TRIGGER t AFTER INSERT ON entries BEGIN UPDATE entries SET value = '{long}'; END;"
            ),
        ),
        ("column", "ALTER TABLE entries ADD COLUMN more BLOB;".to_owned()),
        ("table", "CREATE TABLE another (a BLOB);".to_owned()),
    ] {
        let folder = folder(&format!("definitions-{name}"));
        fill(&open(&folder), 5);
        let connection = rusqlite::Connection::open(folder.join(FILE)).unwrap();
        connection.execute_batch(&change).unwrap();
        drop(connection);
        assert!(survives(&folder, 5, name));
    }
}

#[test]
fn no_more_is_read_than_is_allowed() {
    let folder = folder("allowed");
    open(&folder).put(&[(key(1), vec![7; 100_000]), (key(2), vec![7; 10])]);
    let careful = open(&folder).reading_at_most(1_000);
    assert_eq!((careful.get(&key(1)), careful.get(&key(2))), (None, Some(vec![7; 10])));
    assert!(!careful.rebuilt(), "nothing is wrong with it");
    assert_eq!(open(&folder).get(&key(1)), Some(vec![7; 100_000]));
    // Longer than anything that we would write.
    let connection = rusqlite::Connection::open(folder.join(FILE)).unwrap();
    connection.execute("UPDATE entries SET value = zeroblob(100000000)", []).unwrap();
    assert_eq!(open(&folder).get(&key(1)), None);
    let mut keys = open(&folder).keys();
    keys.sort_unstable();
    assert_eq!(keys, [key(1), key(2)]);
}

#[test]
fn a_single_wrong_bit_in_a_value_is_noticed() {
    let folder = folder("bit");
    let path = folder.join(FILE);
    repository_with(&folder, b"a value that is easy to find in the file");
    let mut file = std::fs::read(&path).unwrap();
    let at = file.windows(7).position(|window| window == b"a value").unwrap();
    file[at] ^= 1;
    std::fs::write(&path, &file).unwrap();
    let repository = open(&folder);
    assert_eq!(repository.get(&key(7)), None);
    assert!(repository.rebuilt());
}

fn repository_with(folder: &Path, value: &[u8]) {
    open(folder).put(&[(key(7), value.to_vec())]);
}

#[test]
fn no_folder_is_no_store() {
    let folder = folder("none");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    let Err(error) = Repository::open(&file, DEFAULT_LIMIT) else { panic!("a file is no folder") };
    assert!(error.to_string().contains("file"), "{error}");
    std::fs::create_dir_all(folder.join(FILE)).unwrap();
    assert!(Repository::open(&folder, DEFAULT_LIMIT).is_err(), "a folder is no file");
}
