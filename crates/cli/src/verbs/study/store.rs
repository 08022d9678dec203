//! The folder of a study: results that are there, and documents made of them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use rely_session::report::StudyResult;
use rely_session::study::{Collection, documents};

use crate::context::Context;
use crate::files;

/// The file that results are appended to, one on each line.
pub(crate) const RESULTS: &str = "results.jsonl";

/// The results of a study, in memory and in a file that belongs to this process as long as it is open.
pub(crate) struct Store {
    path: PathBuf,
    file: File,
    pub(crate) results: Collection,
    /// How many lines could not be read.
    pub(crate) damaged: usize,
}

impl Store {
    /// Opens the file of a folder, or makes both. What was written in part when a process died is cut off.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join(RESULTS);
        let failed = || format!("cannot use {}", path.display());
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(&path).with_context(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(anyhow!("another study is writing to {}", path.display()));
            }
            // A file system without locks is good enough for one process.
            Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(failed)?;
        let (whole, only_lacks_its_end) = Collection::whole_lines(&bytes);
        if only_lacks_its_end {
            file.write_all(b"\n").with_context(failed)?;
        } else if whole < bytes.len() {
            bytes.truncate(whole);
            file.set_len(whole as u64).with_context(failed)?;
        }
        file.seek(std::io::SeekFrom::End(0)).with_context(failed)?;
        let (results, damaged) = Collection::read(&String::from_utf8_lossy(&bytes));
        Ok(Self { path, file, results, damaged })
    }

    /// Adds a result, and sees to it that it is in the file.
    pub(crate) fn add(&mut self, result: StudyResult) -> anyhow::Result<()> {
        let line = Collection::line(&result);
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.results.insert(result);
        Ok(())
    }
}

/// The results in a file, and how many lines are none.
pub(crate) fn read(path: &Path) -> anyhow::Result<(Collection, usize)> {
    let bytes = files::read(path)?;
    Ok(Collection::read(&String::from_utf8_lossy(&bytes)))
}

/// Writes tables and figures into a folder.
pub(crate) fn write_documents(
    context: &Context,
    folder: &Path,
    results: &[StudyResult],
) -> anyhow::Result<()> {
    for (name, text) in documents(results) {
        context.write(&folder.join(name), |out| out.write_all(text.as_bytes()).map_err(|e| e.to_string()))?;
    }
    Ok(())
}
