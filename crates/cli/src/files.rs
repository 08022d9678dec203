//! Reading models and writing results. A file that could not be written in full is not left behind.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use rely_session::{Loader, Project};

/// Larger files are refused: reading them would only fill the memory.
const MAX_INPUT: u64 = 8 << 30;

/// What is read of a text in FSP: enough to see that it is too long, if it is.
const MAX_FSP: u64 = rely_session::MAX_TEXT as u64 + 1;

/// Files that are not longer are read without a look at the clock.
const USUAL: u64 = 16 << 20;

/// The limits that hold while a file is read, before there is anything to analyse.
#[derive(Clone, Default)]
pub(crate) struct Patience {
    /// When the time is over.
    pub(crate) deadline: Option<Instant>,
    /// The memory that may be used.
    pub(crate) bytes: Option<usize>,
    /// Whether somebody has asked to stop.
    pub(crate) interrupted: Arc<AtomicBool>,
}

impl Patience {
    /// The most bytes of one file.
    fn most(&self) -> u64 {
        self.bytes.map_or(MAX_INPUT, |bytes| MAX_INPUT.min(bytes as u64))
    }

    /// A reader that fails when a limit is met.
    fn limit<R: Read>(&self, input: R) -> Limited<'_, R> {
        Limited { patience: self, input, left: self.most() }
    }
}

/// A limit was met while a file was read.
#[derive(Debug)]
struct Stopped(String);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// Whether a limit was met while a file was read.
pub(crate) fn is_stopped(error: &anyhow::Error) -> bool {
    let inner = |error: &(dyn std::error::Error + 'static)| {
        error.downcast_ref::<std::io::Error>()?.get_ref().map(|inner| inner.is::<Stopped>())
    };
    error.chain().any(|error| inner(error) == Some(true))
}

/// A reader under limits.
struct Limited<'p, R> {
    patience: &'p Patience,
    input: R,
    /// The bytes that may still be read.
    left: u64,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let stopped = |reason: String| std::io::Error::other(Stopped(reason));
        if self.patience.interrupted.load(Ordering::Relaxed) {
            return Err(stopped("stopped on request".to_owned()));
        }
        // A model of usual size is read in any case: what is to be said about a limit is said about its targets.
        let is_long = self.patience.most() - self.left > USUAL;
        if is_long && self.patience.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(stopped("time ran out".to_owned()));
        }
        let count = self.input.read(buffer)?;
        let most = self.patience.most();
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| stopped(format!("it has more than {most} bytes")))?;
        Ok(count)
    }
}

/// Reads a model; `-` is FSP from standard input. Imports are relative to its folder.
pub(crate) fn open(path: &Path, patience: &Patience) -> anyhow::Result<Project> {
    let loader = || loader(path, patience.clone());
    if let Some(project) = open_aut(path, patience, loader())? {
        return Ok(project);
    }
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let input = patience.limit(std::io::stdin().take(MAX_FSP));
        { input }.read_to_end(&mut bytes).context("standard input cannot be read")?;
        ("standard input".to_owned(), bytes)
    } else if matches!(&*ending_of(path), "aut" | "json") {
        (path.display().to_string(), read_within(path, patience)?)
    } else {
        (path.display().to_string(), read_beginning(path, MAX_FSP, patience)?)
    };
    Ok(Project::from_bytes(name, &bytes, loader()))
}

/// The ending of the name of a file, in small letters.
pub(crate) fn ending_of(path: &Path) -> String {
    path.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default().to_ascii_lowercase()
}

/// Reads a file in .aut format without having all of its text in memory. Nothing if that fails: then the text is needed
/// to say why.
///
/// # Errors
/// The system that the first line announces does not fit into the memory that may be used.
fn open_aut(
    path: &Path,
    patience: &Patience,
    loader: Box<Loader<'static>>,
) -> anyhow::Result<Option<Project>> {
    if ending_of(path) != "aut" {
        return Ok(None);
    }
    let Ok(file) = File::open(path) else { return Ok(None) };
    let plain = file.metadata().ok().filter(|data| data.is_file() && data.len() <= MAX_INPUT);
    let Some(length) = plain.and_then(|data| usize::try_from(data.len()).ok()) else { return Ok(None) };
    if patience.bytes.is_some_and(|bytes| announced(path).is_some_and(|held| held > bytes)) {
        let reason = Stopped("the system does not fit into the memory that may be used".to_owned());
        return Err(std::io::Error::other(reason)).with_context(|| format!("cannot read {}", path.display()));
    }
    let unlimited = Patience { bytes: None, ..patience.clone() };
    Ok(Project::from_aut(path.display().to_string(), unlimited.limit(file), length, loader))
}

/// The bytes that a system takes according to the first line of its file, `des (initial, transitions, states)`.
fn announced(path: &Path) -> Option<usize> {
    /// A label and a target, or where the transitions of a state begin.
    const EACH: usize = 8;
    let mut line = String::new();
    BufReader::new(File::open(path).ok()?.take(1 << 10)).read_line(&mut line).ok()?;
    let mut counts =
        line.trim_end().strip_suffix(')')?.rsplit(',').map(|count| count.trim().parse::<usize>().ok());
    let (states, transitions) = (counts.next()??, counts.next()??);
    states.checked_add(transitions)?.checked_mul(EACH)
}

/// Reads the imports of a file. Whatever is no plain file may have no end.
fn loader(path: &Path, patience: Patience) -> Box<Loader<'static>> {
    let folder: PathBuf = path.parent().unwrap_or(Path::new("")).to_owned();
    Box::new(move |import: &str| {
        let path = folder.join(import);
        let is_odd = std::fs::metadata(&path).is_ok_and(|data| !data.is_file());
        match is_odd {
            true => Err(format!("{} is no plain file", path.display())),
            false => read_within(&path, &patience).map_err(|error| format!("{error:#}")),
        }
    })
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_within(path, &Patience::default())
}

fn read_within(path: &Path, patience: &Patience) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(failed)?;
    let size = file.metadata().with_context(failed)?.len();
    if size > MAX_INPUT {
        return Err(anyhow!("{} has {} bytes, more than can be analysed", path.display(), size));
    }
    if size > patience.most() {
        let reason = Stopped(format!("it has more than {} bytes", patience.most()));
        return Err(std::io::Error::other(reason)).with_context(failed);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    patience.limit(file).read_to_end(&mut bytes).with_context(failed)?;
    Ok(bytes)
}

/// The first bytes of a file, at most so many.
fn read_beginning(path: &Path, most: u64, patience: &Patience) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("cannot read {}", path.display());
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(failed)?.take(most);
    let unlimited = Patience { bytes: None, ..patience.clone() };
    unlimited.limit(file).read_to_end(&mut bytes).with_context(failed)?;
    Ok(bytes)
}

/// Writes a file: first under another name beside it, so that nothing half-written is ever seen. A link is followed, and
/// what is no plain file, such as a pipe, is written to as it is.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), String>,
) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    if std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        let file = std::fs::OpenOptions::new().write(true).open(path).with_context(failed)?;
        return fill(file, content).with_context(failed);
    }
    let path = &target_of(path);
    let mut name = path.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let file = File::create(&partial).with_context(failed)?;
    let finished = fill(file, content).and_then(|()| Ok(std::fs::rename(&partial, path)?));
    if finished.is_err() {
        // The error that is reported is the first one.
        let _ = std::fs::remove_file(&partial);
    }
    finished.with_context(failed)
}

fn fill(file: File, content: impl FnOnce(&mut BufWriter<File>) -> Result<(), String>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(file);
    content(&mut out).map_err(|reason| anyhow!(reason)).and_then(|()| Ok(out.flush()?))
}

/// The file that a path leads to through links, even if it does not exist yet.
fn target_of(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = std::fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    path
}
