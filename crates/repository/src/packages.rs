//! Packages: what people have put into a repository, kept until they take it out again.
//!
//! **Problem.** Keep components with their proofs for years. Several processes may write at once, a process may be killed at any
//! moment, a disk may garble what was written. Unlike the results of earlier runs (`lib.rs`), a package cannot be computed
//! anew from nothing, so that nothing here is ever thrown away, and all trouble is told.
//!
//! **Idea.** A table in SQLite, a row for each package, with a checksum over its name and content. A transaction is in the file
//! or not in it, whenever its process was killed. Whoever replaces a package says which content it takes the place of: of two writers who both
//! read the same version, the second is told that it came too late ([`Trouble::Changed`]).
//!
//! **Invariants.** What [`Packages::get`] returns was put under that name, byte for byte, unless somebody else has written to the file: the
//! checksum has no secret, so that it tells of damage, and not of malice. A damaged package does not hide the others. Opening a file that is
//! no repository changes nothing in it.
//!
//! **Callers.** The command line, which lets the session judge a package before anybody believes it.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use sha2::{Digest, Sha256};

use crate::{PATIENCE, is_damage, schema_of};

/// The name of the file in the folder of a repository. Another layout of the table gets another number.
pub const PACKAGES: &str = "packages-1.sqlite";

/// Packages by name.
pub struct Packages {
    connection: RefCell<Connection>,
    path: PathBuf,
}

/// Why a repository cannot do what it is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The file cannot be opened, read or written; with the reason.
    Unusable(String),
    /// The file is damaged, or it is no repository; with the reason. It has been left as it is.
    Garbled(String),
    /// The package with this name is not what was put there.
    Damaged(String),
    /// The package with this name is not the one to be replaced: somebody else has written meanwhile.
    Changed(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(reason) => f.write_str(reason),
            Self::Garbled(reason) => {
                write!(
                    f,
                    "{reason}; it was left as it is: restore the file, or move it away and import the packages"
                )
            }
            Self::Damaged(name) => {
                write!(f, "the package {name} is damaged: remove it, and add or import it again")
            }
            Self::Changed(name) => {
                write!(f, "somebody else has changed the package {name} meanwhile: look at it, and try again")
            }
        }
    }
}

impl std::error::Error for Trouble {}

type Outcome<T> = Result<T, Trouble>;

impl Packages {
    /// Opens the repository in a folder, and makes both if they do not exist.
    ///
    /// # Errors
    /// The folder cannot be made, or the file cannot be opened or is no repository.
    pub fn create(folder: &Path) -> Outcome<Self> {
        std::fs::create_dir_all(folder)
            .map_err(|error| Trouble::Unusable(format!("{}: {error}", folder.display())))?;
        Self::open_file(folder.join(PACKAGES), OpenFlags::default())
    }

    /// Opens the repository in a folder; nothing if there is none.
    ///
    /// # Errors
    /// The file cannot be opened or is no repository.
    pub fn open(folder: &Path) -> Outcome<Option<Self>> {
        let path = folder.join(PACKAGES);
        match path.try_exists() {
            Ok(true) => Self::open_file(path, OpenFlags::default()).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(Trouble::Unusable(format!("{}: {error}", path.display()))),
        }
    }

    fn open_file(path: PathBuf, flags: OpenFlags) -> Outcome<Self> {
        // A pipe or a device may have no end.
        if std::fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(Trouble::Unusable(format!("{} is no plain file", path.display())));
        }
        if !may_be_database(&path) {
            return Err(Trouble::Garbled(format!("{} is no repository of packages", path.display())));
        }
        let connection = Connection::open_with_flags(&path, flags)
            .map_err(|error| Trouble::Unusable(format!("{}: {error}", path.display())))?;
        let packages = Self { connection: RefCell::new(connection), path };
        match packages.attempt(set_up)? {
            true => Ok(packages),
            false => {
                Err(Trouble::Garbled(format!("{} is no repository of packages", packages.path.display())))
            }
        }
    }

    /// The names of all packages, sorted.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn names(&self) -> Outcome<Vec<String>> {
        self.attempt(|connection| {
            let mut query = connection.prepare("SELECT name FROM packages ORDER BY name")?;
            query.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// The content of a package, if there is one with the name.
    ///
    /// # Errors
    /// The file cannot be read, or it or the package is damaged.
    pub fn get(&self, name: &str) -> Outcome<Option<Vec<u8>>> {
        let row = self.attempt(|connection| {
            let mut query = connection.prepare("SELECT content, checksum FROM packages WHERE name = ?")?;
            let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?));
            query.query_row([name], row).optional()
        })?;
        match row {
            Some((content, sum)) if sum == checksum(name, &content) => Ok(Some(content)),
            Some(_) => Err(Trouble::Damaged(name.to_owned())),
            None => Ok(None),
        }
    }

    /// Puts a package in the place of another content, or where there is none. When this returns, it will survive a loss of power.
    ///
    /// # Errors
    /// The file cannot be written or is damaged, or there is another content now than the one that is to be replaced.
    pub fn put(&self, name: &str, content: &[u8], replacing: Option<&[u8]>) -> Outcome<()> {
        let sum = checksum(name, content);
        let expected = replacing.map(|former| checksum(name, former));
        let is_put = self.attempt(|connection| {
            let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
            let former = transaction
                .prepare("SELECT checksum FROM packages WHERE name = ?")?
                .query_row([name], |row| row.get::<_, Vec<u8>>(0))
                .optional()?;
            if former != expected {
                return Ok(false);
            }
            transaction
                .prepare("INSERT OR REPLACE INTO packages (name, content, checksum) VALUES (?, ?, ?)")?
                .execute(params![name, content, sum])?;
            transaction.commit()?;
            Ok(true)
        })?;
        if is_put { Ok(()) } else { Err(Trouble::Changed(name.to_owned())) }
    }

    /// Removes a package, damaged or not. Whether there was one.
    ///
    /// # Errors
    /// The file cannot be written or is damaged.
    pub fn remove(&self, name: &str) -> Outcome<bool> {
        self.attempt(|connection| {
            connection.execute("DELETE FROM packages WHERE name = ?", [name]).map(|count| count > 0)
        })
    }

    fn attempt<T>(&self, operation: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Outcome<T> {
        operation(&mut self.connection.borrow_mut()).map_err(|error| {
            let reason = format!("{}: {error}", self.path.display());
            match is_damage(&error) {
                true => Trouble::Garbled(reason),
                false if is_busy(&error) => {
                    Trouble::Unusable(format!("{reason}: another process writes for too long"))
                }
                false => Trouble::Unusable(reason),
            }
        })
    }
}

/// Whether a file is empty, or begins like a database. SQLite takes what is shorter than its header for empty, and would write over
/// it.
fn may_be_database(path: &Path) -> bool {
    const HEADER: &[u8] = b"SQLite format 3\0";
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEADER.len() as u64).read_to_end(&mut start));
    read.is_err() || start.is_empty() || start == HEADER
}

/// Makes the table if there is nothing yet. Whether the file has our table now, and nothing else.
fn set_up(connection: &mut Connection) -> rusqlite::Result<bool> {
    // Whoever writes holds the file for as long as one package takes.
    connection.busy_timeout(PATIENCE * 5)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    if schema_of(connection)?.is_empty() {
        let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
        transaction.execute_batch(SCHEMA)?;
        transaction.commit()?;
    }
    let ours = Connection::open_in_memory()?;
    ours.execute_batch(SCHEMA)?;
    Ok(schema_of(connection)? == schema_of(&ours)?)
}

/// The table of a repository.
const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS packages (
            name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL, checksum BLOB NOT NULL);";

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// What tells whether a content is the one that was put under a name.
fn checksum(name: &str, content: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update((name.len() as u64).to_be_bytes());
    hash.update(name);
    hash.update(content);
    hash.finalize().to_vec()
}
