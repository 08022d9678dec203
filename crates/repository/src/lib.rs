//! The only durable state: what was found out before, kept in a file and found by content; and packages of components, kept until
//! somebody removes them (`packages.rs`).
//!
//! **Problem.** Remember results from one run of the program to the next. Several processes may use the store at once, a
//! process may be killed at any moment, a disk may garble what was written; none of this may lead to a wrong answer, or
//! to no answer.
//!
//! **Idea.** A table of entries in SQLite, whose transactions and locks are made for this. A key is a digest of
//! everything that the value depends on, so an entry never becomes wrong; it only ceases to be asked for. Each entry
//! has a checksum over key and value. If anything looks damaged, the whole store is emptied: it is only a cache, and
//! nothing is lost but time.
//!
//! **Invariants.** What [`Repository::get`] returns has been put with that key, byte for byte, unless another program
//! has written to the file: the checksum has no secret, so it detects damage, but not forgery. The caller decides
//! whether to believe a value. No method fails: a store that cannot be read behaves as an empty one, and one that
//! cannot be written drops what is put. [`Repository::rebuilt`] says whether the store had to be emptied. No more of
//! the file is read than was allowed: a file with other tables, views or triggers than expected is emptied.
//!
//! **Size.** Above a limit, the least recently used entries are removed. Time is counted in uses; no clock is read.
//!
//! **Callers.** The command line, which hands it to the session.

mod packages;

pub use packages::{PACKAGES, Packages, Trouble};

use std::cell::{Cell, RefCell};
use std::fmt;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};
use sha2::{Digest, Sha256};

/// What an entry is found by: a digest of everything that it depends on.
pub type Key = [u8; 32];

/// The name of the file in the folder of a store. If the layout of the table changes, so does the number.
pub const FILE: &str = "results-1.sqlite";

/// The limit on the total size of the values, in bytes, unless another one is chosen.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(2);

/// The bytes that a row takes in addition to its value.
const ROW: u64 = 128;

/// A store of results of earlier runs.
pub struct Repository {
    connection: RefCell<Connection>,
    /// The limit on the total size of the values, in bytes.
    limit: u64,
    /// Longer values are not read.
    longest: u64,
    /// The entries that were read since the last write; the next write marks them as used.
    touched: RefCell<Vec<Key>>,
    /// Whether the file was damaged and has been emptied.
    rebuilt: Cell<bool>,
}

/// Why there is no store: the folder cannot be created, or the file cannot be opened.
#[derive(Debug)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

impl Repository {
    /// Opens the store in a folder; creates both if they do not exist.
    ///
    /// # Errors
    /// The folder cannot be created, or the file cannot be opened, not even after emptying it.
    pub fn open(folder: &Path, limit: u64) -> Result<Self, Unavailable> {
        let unavailable = |reason: &dyn fmt::Display| Unavailable(format!("{}: {reason}", folder.display()));
        std::fs::create_dir_all(folder).map_err(|error| unavailable(&error))?;
        let path = folder.join(FILE);
        // A pipe or a device may have no end.
        if std::fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(unavailable(&format!("{FILE} is no plain file")));
        }
        let connection = Connection::open(path).map_err(|error| unavailable(&error))?;
        let repository = Self {
            connection: RefCell::new(connection),
            limit,
            longest: longest_of(limit),
            touched: RefCell::new(Vec::new()),
            rebuilt: Cell::new(false),
        };
        repository.begin().map_err(|error| unavailable(&error))?;
        Ok(repository)
    }

    /// The store with a limit on the size of the values that are read from it.
    #[must_use]
    pub fn reading_at_most(mut self, bytes: u64) -> Self {
        self.longest = self.longest.min(bytes);
        self
    }

    /// The value of a key, if the store has it.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let row = self.guarded(|connection| {
            let mut query = connection.prepare(
                "SELECT value, checksum FROM entries WHERE key = ? AND length(value) <= ? AND length(checksum) = 16",
            )?;
            let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?));
            query.query_row(params![key, self.longest.cast_signed()], row).optional()
        });
        let (value, sum) = row??;
        if sum != checksum(key, &value) {
            self.rebuild();
            return None;
        }
        self.touched.borrow_mut().push(*key);
        Some(value)
    }

    /// Stores values: all of them or, if that is not possible now, none.
    pub fn put(&self, entries: &[(Key, Vec<u8>)]) {
        let touched = self.touched.take();
        if entries.is_empty() && touched.is_empty() {
            return;
        }
        self.guarded(|connection| {
            let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
            self.write(&transaction, entries, &touched)?;
            transaction.commit()
        });
    }

    /// Whether the store was damaged and has been emptied.
    pub fn rebuilt(&self) -> bool {
        self.rebuilt.get()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        let count = |connection: &mut Connection| {
            connection.query_row("SELECT count(*) FROM entries", [], |row| row.get::<_, i64>(0))
        };
        self.guarded(count).map_or(0, |count| usize::try_from(count).unwrap_or(0))
    }

    /// The keys of all entries, in no particular order.
    pub fn keys(&self) -> Vec<Key> {
        let keys = self.guarded(|connection| {
            let mut query = connection.prepare("SELECT key FROM entries WHERE length(key) = 32")?;
            query.query_map([], |row| row.get::<_, Key>(0))?.collect::<rusqlite::Result<_>>()
        });
        keys.unwrap_or_default()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn write(
        &self,
        transaction: &Transaction<'_>,
        entries: &[(Key, Vec<u8>)],
        touched: &[Key],
    ) -> rusqlite::Result<()> {
        let moment: i64 =
            transaction.query_row("SELECT coalesce(max(used), 0) + 1 FROM entries", [], |row| row.get(0))?;
        for key in touched {
            transaction
                .prepare("UPDATE entries SET used = ? WHERE key = ?")?
                .execute(params![moment, key])?;
        }
        let fits = |value: &[u8]| value.len() as u64 <= longest_of(self.limit);
        for (key, value) in entries.iter().filter(|(_, value)| fits(value)) {
            transaction
                .prepare("INSERT OR REPLACE INTO entries (key, value, checksum, used) VALUES (?, ?, ?, ?)")?
                .execute(params![key, value, checksum(key, value), moment])?;
        }
        let size = "SELECT coalesce(sum(length(value) + ?), 0) FROM entries";
        let row = ROW.cast_signed();
        let size: i64 = transaction.query_row(size, [row], |row| row.get(0))?;
        if size.cast_unsigned() > self.limit {
            // A quarter more is removed than necessary, so that it does not happen at each write.
            let keep = (self.limit / 4 * 3).cast_signed();
            transaction.execute(FORGET, params![row, keep])?;
        }
        Ok(())
    }

    /// Makes the table.
    fn begin(&self) -> rusqlite::Result<()> {
        let result = set_up(&mut self.connection.borrow_mut());
        match result {
            Ok(true) => Ok(()),
            Ok(false) => self.begin_anew(),
            Err(error) if is_damage(&error) => self.begin_anew(),
            Err(error) => Err(error),
        }
    }

    /// Does something with the store; `None` if that is not possible. If the store turns out to be damaged, it is
    /// emptied.
    fn guarded<T>(&self, operation: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Option<T> {
        let result = operation(&mut self.connection.borrow_mut());
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                if is_damage(&error) {
                    self.rebuild();
                }
                None
            }
        }
    }

    fn rebuild(&self) {
        self.touched.borrow_mut().clear();
        // If this fails as well, the store stays as it is, and nothing is found in it.
        let _ = self.begin_anew();
    }

    /// Empties the file, whatever is in it, holding the locks that other processes respect.
    fn begin_anew(&self) -> rusqlite::Result<()> {
        let mut connection = self.connection.borrow_mut();
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
        let emptied = connection.execute_batch("VACUUM");
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
        emptied?;
        self.rebuilt.set(true);
        set_up(&mut connection).map(drop)
    }
}

impl Drop for Repository {
    /// Writes down which entries were used.
    fn drop(&mut self) {
        self.put(&[]);
    }
}

/// Removes the least recently used entries until the others take at most the given number of bytes.
const FORGET: &str = "DELETE FROM entries WHERE id IN (SELECT id FROM (
    SELECT id, sum(length(value) + ?1) OVER (ORDER BY used DESC, id DESC) AS size FROM entries) WHERE size > ?2)";

/// The maximum size of a value: a larger one would displace nearly everything else.
fn longest_of(limit: u64) -> u64 {
    limit / 4
}

/// Creates the table if the file is empty. Returns whether the file has this table now, and nothing else.
fn set_up(connection: &mut Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(PATIENCE)?;
    // After a loss of power the file may be damaged, which is noticed; killing the process does not damage it. So no
    // write waits for the disk, which would take longer than many answers.
    connection.pragma_update(None, "synchronous", "OFF")?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // Views and triggers in the file are not trusted.
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

/// The table of a store.
const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS entries (
            id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL, checksum BLOB NOT NULL,
            used INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS entries_used ON entries (used);";

/// The definitions in a file: kind, name and text. The query stops after a few more than expected.
fn schema_of(connection: &Connection) -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
    let mut query = connection
        .prepare("SELECT type, name, substr(sql, 1, 1000) FROM sqlite_schema ORDER BY name LIMIT 9")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// Whether an error means that the file is damaged, or is not a store.
fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => matches!(
            failure.code,
            ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::Unknown
                | ErrorCode::TypeMismatch
        ),
        // The table has other columns than expected, or another type in them.
        rusqlite::Error::SqlInputError { .. }
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnIndex(_) => true,
        _ => false,
    }
}

/// The checksum over a key and its value.
fn checksum(key: &Key, value: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(key);
    hash.update(value);
    hash.finalize()[..16].to_vec()
}
