//! Reading models and writing results. A file that could not be written in full is not left behind.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use rely_session::{Loader, Project};

/// Larger files are refused: reading them would only fill the memory.
const MAX_INPUT: u64 = 8 << 30;

/// What is read of a text in FSP: enough to see that it is too long, if it is.
const MAX_FSP: u64 = rely_session::MAX_TEXT as u64 + 1;

/// Reads a model; `-` is FSP from standard input. Imports are relative to its folder.
pub(crate) fn open(path: &Path) -> anyhow::Result<Project> {
    if let Some(project) = open_aut(path) {
        return Ok(project);
    }
    let other_format = path.extension().is_some_and(|ending| ending == "aut" || ending == "json");
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().take(MAX_FSP).read_to_end(&mut bytes).context("standard input cannot be read")?;
        ("standard input".to_owned(), bytes)
    } else if other_format {
        (path.display().to_string(), read(path)?)
    } else {
        (path.display().to_string(), read_beginning(path, MAX_FSP)?)
    };
    Ok(Project::from_bytes(name, &bytes, loader(path)))
}

/// Reads a file in .aut format without having all of its text in memory. Nothing if that fails: then the text is needed
/// to say why.
fn open_aut(path: &Path) -> Option<Project> {
    if path.extension()? != "aut" {
        return None;
    }
    let file = File::open(path).ok()?;
    let length = file.metadata().ok().filter(|data| data.is_file() && data.len() <= MAX_INPUT)?.len();
    Project::from_aut(path.display().to_string(), file, usize::try_from(length).ok()?, loader(path))
}

/// Reads the imports of a file.
fn loader(path: &Path) -> Box<Loader<'static>> {
    let folder: PathBuf = path.parent().unwrap_or(Path::new("")).to_owned();
    Box::new(move |import: &str| read(&folder.join(import)).map_err(|error| format!("{error:#}")))
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let size = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    if size > MAX_INPUT {
        return Err(anyhow!("{} has {} bytes, more than can be analysed", path.display(), size));
    }
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The first bytes of a file, at most so many.
fn read_beginning(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("cannot read {}", path.display());
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).with_context(failed)?;
    Ok(bytes)
}

/// Writes a file: first under another name beside it, so that nothing half-written is ever seen.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), String>,
) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    let mut name = path.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let file = File::create(&partial).with_context(failed)?;
    let mut out = BufWriter::new(file);
    let written = content(&mut out).map_err(|reason| anyhow!(reason)).and_then(|()| Ok(out.flush()?));
    drop(out);
    let finished = written.and_then(|()| Ok(std::fs::rename(&partial, path)?));
    if finished.is_err() {
        // The error that is reported is the first one.
        let _ = std::fs::remove_file(&partial);
    }
    finished.with_context(failed)
}
