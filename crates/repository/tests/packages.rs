//! A repository of packages: damage, forgery, several writers, and processes that are killed.
//!
//! The other processes are this program itself, told by the environment to write.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use rely_repository::{PACKAGES, Packages, Trouble};

const FOLDER: &str = "PACKAGES_WRITER_FOLDER";
const NAME: &str = "PACKAGES_WRITER_NAME";
const COUNT: &str = "PACKAGES_WRITER_COUNT";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("packages-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Version `number` of a package. It is larger than a page of the file.
fn content(name: &str, number: u64) -> Vec<u8> {
    let mut content = number.to_be_bytes().to_vec();
    content.extend(format!("{name} {number} ").repeat(2_000).into_bytes());
    content
}

fn version(content: &[u8]) -> u64 {
    u64::from_be_bytes(content[..8].try_into().expect("eight bytes"))
}

fn start(folder: &Path, name: &str, count: u64) -> Child {
    Command::new(std::env::current_exe().expect("this program has a file"))
        .args(["--exact", "writer", "--quiet"])
        .env(FOLDER, folder)
        .env(NAME, name)
        .env(COUNT, count.to_string())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("this program can be started")
}

/// What the other processes do; nothing in this one. Each replaces what is there by the next version, until it has done so `COUNT` times.
#[test]
fn writer() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let name = std::env::var(NAME).unwrap();
    let count = std::env::var(COUNT).unwrap().parse::<u64>().unwrap();
    let packages = Packages::create(Path::new(&folder)).unwrap();
    let mut written = 0;
    while written < count {
        let former = packages.get(&name).unwrap();
        let next = former.as_deref().map_or(1, |former| version(former) + 1);
        match packages.put(&name, &content(&name, next), former.as_deref()) {
            Ok(()) => written += 1,
            Err(Trouble::Changed(_)) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn what_was_put_is_found_until_it_is_removed() {
    let folder = folder("plain");
    assert!(Packages::open(&folder).unwrap().is_none(), "nothing is made by looking");
    assert!(!folder.exists());
    let packages = Packages::create(&folder).unwrap();
    assert_eq!(packages.names().unwrap(), Vec::<String>::new());
    packages.put("b", b"second", None).unwrap();
    packages.put("a", b"first", None).unwrap();
    assert_eq!(packages.names().unwrap(), ["a", "b"]);
    let packages = Packages::open(&folder).unwrap().unwrap();
    assert_eq!(packages.get("a").unwrap().unwrap(), b"first");
    assert_eq!(packages.get("c").unwrap(), None);
    assert!(packages.remove("a").unwrap());
    assert!(!packages.remove("a").unwrap());
    assert_eq!(packages.names().unwrap(), ["b"]);
}

#[test]
fn nobody_writes_over_what_they_have_not_read() {
    let folder = folder("changed");
    let (one, other) = (Packages::create(&folder).unwrap(), Packages::create(&folder).unwrap());
    one.put("a", b"1", None).unwrap();
    assert_eq!(other.put("a", b"2", None), Err(Trouble::Changed("a".to_owned())));
    other.put("a", b"2", Some(b"1")).unwrap();
    assert_eq!(one.put("a", b"3", Some(b"1")), Err(Trouble::Changed("a".to_owned())));
    other.remove("a").unwrap();
    assert_eq!(one.put("a", b"3", Some(b"2")), Err(Trouble::Changed("a".to_owned())));
    assert_eq!(one.get("a").unwrap(), None);
}

#[test]
fn of_several_writers_each_writes_all_it_has_to() {
    let folder = folder("at-once");
    let mut writers: Vec<Child> = (0..3).map(|_| start(&folder, "shared", 12)).collect();
    for writer in &mut writers {
        assert!(writer.wait().unwrap().success());
    }
    // No version was lost: each was written over by the next.
    let packages = Packages::open(&folder).unwrap().unwrap();
    assert_eq!(packages.get("shared").unwrap().unwrap(), content("shared", 36));
}

#[test]
fn a_kill_leaves_each_package_as_it_was_before_or_after_a_writing() {
    let folder = folder("killed");
    Packages::create(&folder).unwrap().put("other", b"untouched", None).unwrap();
    let mut last = 0;
    for round in 0..12 {
        let mut killed = start(&folder, "p", 1_000_000);
        std::thread::sleep(Duration::from_millis(40 + 9 * round));
        killed.kill().unwrap();
        killed.wait().unwrap();
        let packages = Packages::open(&folder).unwrap().unwrap();
        assert_eq!(packages.get("other").unwrap().unwrap(), b"untouched");
        let Some(found) = packages.get("p").unwrap() else { continue };
        assert_eq!(found, content("p", version(&found)), "a whole version");
        assert!(version(&found) >= last, "no version is taken back");
        last = version(&found);
    }
    assert!(last > 0, "no process came to write before it was killed");
}

#[test]
fn garbage_is_told_and_left_as_it_is() {
    for (name, bytes) in
        [("text", b"no database at all, but long enough to be one".repeat(40)), ("short", b"x".to_vec())]
    {
        let folder = folder(&format!("garbage-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(PACKAGES), &bytes).unwrap();
        assert!(matches!(Packages::open(&folder), Err(Trouble::Garbled(_))), "{name}");
        assert!(matches!(Packages::create(&folder), Err(Trouble::Garbled(_))), "{name}");
        assert_eq!(std::fs::read(folder.join(PACKAGES)).unwrap(), bytes, "{name}: nothing was written over");
    }
    let folder = folder("foreign");
    std::fs::create_dir_all(&folder).unwrap();
    let foreign = rusqlite::Connection::open(folder.join(PACKAGES)).unwrap();
    foreign
        .execute_batch("CREATE TABLE packages (name TEXT, content BLOB, checksum BLOB, more TEXT)")
        .unwrap();
    assert!(matches!(Packages::open(&folder), Err(Trouble::Garbled(_))), "a table of others");
    let folder = self::folder("no-file");
    std::fs::create_dir_all(folder.join(PACKAGES)).unwrap();
    assert!(matches!(Packages::open(&folder), Err(Trouble::Unusable(_))), "a folder");
}

#[test]
fn a_damaged_package_is_told_and_does_not_hide_the_others() {
    let folder = folder("damaged");
    let packages = Packages::create(&folder).unwrap();
    packages.put("a", b"first", None).unwrap();
    packages.put("b", b"second", None).unwrap();
    let other = rusqlite::Connection::open(folder.join(PACKAGES)).unwrap();
    // The content of one package under the name of another is damage, too.
    let swap = "UPDATE packages SET (content, checksum) = (SELECT content, checksum FROM packages WHERE name = 'a') \
                WHERE name = 'b'";
    other.execute_batch(swap).unwrap();
    assert_eq!(packages.get("b"), Err(Trouble::Damaged("b".to_owned())));
    assert_eq!(packages.get("a").unwrap().unwrap(), b"first");
    assert!(packages.remove("b").unwrap());
    other.execute_batch("UPDATE packages SET content = 'text in the place of bytes'").unwrap();
    assert!(matches!(packages.get("a"), Err(Trouble::Garbled(_) | Trouble::Damaged(_))));
    assert!(packages.remove("a").unwrap());
}

/// Every byte of the file, one after the other, has another value: what is found is what was put, or trouble is told.
#[test]
fn no_flipped_byte_gives_another_content() {
    let folder = folder("flipped");
    let packages = Packages::create(&folder).unwrap();
    let whole = content("a", 7);
    packages.put("a", &whole[..600], None).unwrap();
    drop(packages);
    let path = folder.join(PACKAGES);
    let bytes = std::fs::read(&path).unwrap();
    let mut told = 0;
    // Damage anywhere may matter; a sample of all places is enough.
    for place in (0..bytes.len()).step_by(13) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 0x41;
        std::fs::write(&path, &flipped).unwrap();
        match Packages::open(&folder).and_then(|found| found.map_or(Ok(None), |found| found.get("a"))) {
            Ok(Some(found)) => assert_eq!(found, &whole[..600], "byte {place}"),
            Ok(None) | Err(_) => told += 1,
        }
    }
    assert!(told > 20, "{told}");
}
