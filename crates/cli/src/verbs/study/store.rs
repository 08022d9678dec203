//! The folder of a study: results that are there, and documents made of them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use rely_session::report::StudyResult;
use rely_session::study::{Collection, documents};

use crate::context::{Context, say};
use crate::files;

/// The file that results are appended to, one on each line.
pub(crate) const RESULTS: &str = "results.jsonl";

/// The results of a study, in memory and in a file that belongs to this process as long as it is open.
pub(crate) struct Store {
    path: PathBuf,
    file: File,
    pub(crate) results: Collection,
    /// The lines that could not be read, counted from 1.
    damaged: Vec<usize>,
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
            file.set_len(whole as u64).with_context(failed)?;
        }
        file.seek(std::io::SeekFrom::End(0)).with_context(failed)?;
        let (results, damaged) = Collection::read(&String::from_utf8_lossy(&bytes));
        Ok(Self { path, file, results, damaged })
    }

    /// Says which lines could not be read.
    pub(crate) fn tell_damage(&self, context: &Context) {
        tell_damage(context, &self.path, &self.damaged, "done again if it is asked for");
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

/// The results in a file. Says which lines are none.
pub(crate) fn read(context: &Context, path: &Path) -> anyhow::Result<Collection> {
    let bytes = files::read(path)?;
    let (results, damaged) = Collection::read(&String::from_utf8_lossy(&bytes));
    tell_damage(context, path, &damaged, "missing here");
    Ok(results)
}

/// Warns of lines that are no results, however little is to be said: what they stood for is lost.
fn tell_damage(context: &Context, path: &Path, lines: &[usize], fate: &str) {
    context.watch.finish();
    for line in lines {
        say(format_args!(
            "rely: warning: {}, line {line} is damaged: the run that it was about is {fate}",
            path.display()
        ));
    }
}

/// Removes the figures of the report that is there which the new one does not have: they are about other results.
fn remove_outdated(folder: &Path, documents: &[(String, String)]) {
    let Ok(report) = std::fs::read_to_string(folder.join("report.md")) else { return };
    for name in figures_of(&report).filter(|name| documents.iter().all(|(new, _)| new != name)) {
        // A figure that somebody else has removed is not missed.
        let _ = std::fs::remove_file(folder.join(name));
    }
}

/// The names of figures that a report shows.
fn figures_of(report: &str) -> impl Iterator<Item = &str> {
    let is_own = |name: &&str| {
        let has_kind =
            ["states-", "scatter-", "ratio-", "learning"].iter().any(|kind| name.starts_with(kind));
        has_kind && name.ends_with(".svg") && !name.contains(['/', '\\'])
    };
    let images = report.lines().filter(|line| line.starts_with("!["));
    images.filter_map(|line| line.rsplit_once("](")?.1.strip_suffix(')')).filter(is_own)
}

/// Writes tables and figures into a folder.
pub(crate) fn write_documents(
    context: &Context,
    folder: &Path,
    results: &[StudyResult],
) -> anyhow::Result<()> {
    let documents = documents(results);
    remove_outdated(folder, &documents);
    for (name, text) in documents {
        context.write(&folder.join(name), |out| out.write_all(text.as_bytes()).map_err(|e| e.to_string()))?;
    }
    Ok(())
}
