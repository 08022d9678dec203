//! Reading models and writing results. A file that could not be written in full is not left behind.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use rely_session::{Loader, Project};

use crate::context::Usage;
use crate::patience::{Awaited, CHUNK, MAX_INPUT, Patience, stopped};

/// What is read of a text in FSP: enough to see that it is too long, if it is.
const MAX_FSP: u64 = rely_session::MAX_TEXT as u64 + 1;

/// A file that cannot be used.
#[derive(Debug)]
pub(crate) struct Unusable {
    /// What cannot be done with it.
    verb: &'static str,
    /// Its path.
    pub(crate) path: PathBuf,
}

impl Unusable {
    fn read(path: &Path) -> Self {
        Self { verb: "read", path: path.to_owned() }
    }

    fn written(path: &Path) -> Self {
        Self { verb: "write", path: path.to_owned() }
    }

    /// A folder for results.
    pub(crate) fn kept(path: &Path) -> Self {
        Self { verb: "keep results in", path: path.to_owned() }
    }
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot {} {}", self.verb, self.path.display())
    }
}

/// The name of standard input in messages.
const STANDARD_INPUT: &str = "standard input";

/// The name of a model in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { STANDARD_INPUT.to_owned() } else { path.display().to_string() }
}

/// Reads a model; `-` is FSP from standard input. Imports are relative to its folder.
pub(crate) fn open(path: &Path, patience: &Patience) -> anyhow::Result<Project> {
    let loader = || loader(path, patience.clone());
    if let Some(project) = open_aut(path, patience, loader())? {
        return Ok(project);
    }
    let name = name_of(path);
    let bytes = if path == Path::new("-") {
        let read = || -> std::io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            patience.limit(standard_input(patience)?.take(MAX_FSP)).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().context("standard input cannot be read")?
    } else if ending_of(path) == "json" {
        read_json(path, patience)?
    } else if matches!(&*ending_of(path), "aut" | "fsm") {
        read_within(path, patience)?
    } else {
        read_beginning(path, MAX_FSP, patience)?
    };
    Ok(Project::from_bytes(name, &bytes, loader()))
}

/// Files as they are named, and in the place of a folder the models in it, in the order of their names. What is in folders
/// below is not looked at.
pub(crate) fn models(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let languages = rely_session::Languages::all();
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let cannot_read = || Unusable::read(path);
        let entries = std::fs::read_dir(path).with_context(cannot_read)?;
        let mut found = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<std::io::Result<Vec<PathBuf>>>()
            .with_context(cannot_read)?;
        found.retain(|file| file.is_file() && languages.has_ending(&ending_of(file)));
        found.sort();
        if found.is_empty() {
            return Err(Usage(format!("{}: there is no model in this folder", path.display())).into());
        }
        files.append(&mut found);
    }
    Ok(files)
}

/// Standard input, which may come from somebody who thinks for a while.
pub(crate) fn standard_input(patience: &Patience) -> std::io::Result<Awaited<'_>> {
    patience.read_apart(|| Ok(std::io::stdin()))
}

/// Opens a file to read it. What is no plain file may keep one waiting.
fn input<'p>(path: &Path, patience: &'p Patience) -> std::io::Result<Box<dyn Read + 'p>> {
    if !may_wait(path) {
        return Ok(Box::new(File::open(path)?));
    }
    let path = path.to_owned();
    Ok(Box::new(patience.read_apart(|| File::open(path))?))
}

/// Whether somebody may have to wait for a file, because it is a pipe or a device.
fn may_wait(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
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
    if ending_of(path) != "aut" || may_wait(path) {
        return Ok(None);
    }
    let Ok(file) = File::open(path) else { return Ok(None) };
    let plain = file.metadata().ok().filter(|data| data.is_file() && data.len() <= MAX_INPUT);
    let Some(length) = plain.and_then(|data| usize::try_from(data.len()).ok()) else { return Ok(None) };
    if patience.bytes.is_some_and(|bytes| announced(path, length).is_some_and(|held| held > bytes)) {
        let reason = stopped("the system does not fit into the memory that may be used".to_owned());
        return Err(reason).with_context(|| Unusable::read(path));
    }
    let unlimited = patience.with_all_memory();
    Ok(Project::from_aut(path.display().to_string(), unlimited.limit(file), length, loader))
}

/// The bytes that a system takes according to the first line of its file, `des (initial, transitions, states)`. Nothing
/// if a file of that length has no room for them: then the line lies, and the reader reports that.
fn announced(path: &Path, length: usize) -> Option<usize> {
    /// A label and a target, or where the transitions of a state begin.
    const EACH: usize = 8;
    let mut line = String::new();
    BufReader::new(File::open(path).ok()?.take(1 << 10)).read_line(&mut line).ok()?;
    let mut counts =
        line.trim_end().strip_suffix(')')?.rsplit(',').map(|count| count.trim().parse::<usize>().ok());
    let (states, transitions) = (counts.next()??, counts.next()??);
    (states.max(transitions) <= length).then(|| states.saturating_add(transitions).saturating_mul(EACH))
}

/// Reads the imports of a file. Whatever is no plain file may have no end.
pub(crate) fn loader(path: &Path, patience: Patience) -> Box<Loader<'static>> {
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

/// The bytes of a file that is no model; nobody waits for it, so it has to be a plain one.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    match may_wait(path) {
        true => Err(anyhow!("it is no plain file")).with_context(|| Unusable::read(path)),
        false => read_within(path, &Patience::default()),
    }
}

/// The text of a file that is no model, such as a certificate. `weigh` tells how many bytes a piece of it takes in memory,
/// as text and as what is made from it.
///
/// # Errors
/// The file cannot be read, it is no text, or a limit is met.
pub(crate) fn read_text(
    path: &Path,
    patience: &Patience,
    weigh: impl Fn(&[u8]) -> u64,
) -> anyhow::Result<Vec<u8>> {
    let failed = || Unusable::read(path);
    let unlimited = patience.with_all_memory();
    let mut file = unlimited.limit(input(path, &unlimited).with_context(failed)?);
    let (mut text, mut chunk, mut weight) = (Vec::new(), vec![0; CHUNK], 0);
    loop {
        let count = match file.read(&mut chunk) {
            Ok(0) => return Ok(text),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).with_context(failed),
        };
        // No text has such a byte, and a device may give nothing else without an end.
        if chunk[..count].contains(&0) {
            return Err(anyhow!("it is no text")).with_context(failed);
        }
        weight += weigh(&chunk[..count]);
        if weight > patience.most() {
            return Err(no_room()).with_context(failed);
        }
        text.extend_from_slice(&chunk[..count]);
    }
}

/// The bytes that a piece of a JSON text takes, and what is made from it: every value has a node of its own, and a list of
/// nodes may be twice as long as it has to be.
pub(crate) fn weight_of_json(piece: &[u8]) -> u64 {
    const NODE: u64 = 64;
    let values = piece.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    2 * piece.len() as u64 + NODE * values as u64
}

/// The error of a file that takes more memory than there is for it.
fn no_room() -> std::io::Error {
    stopped("it does not fit into the memory that may be used".to_owned())
}

/// A model in JSON, unless what it describes takes more memory than there is for it.
fn read_json(path: &Path, patience: &Patience) -> anyhow::Result<Vec<u8>> {
    let text = read_within(path, patience)?;
    match weight_of_json(&text) > patience.most() {
        true => Err(no_room()).with_context(|| Unusable::read(path)),
        false => Ok(text),
    }
}

fn read_within(path: &Path, patience: &Patience) -> anyhow::Result<Vec<u8>> {
    let failed = || Unusable::read(path);
    let size = std::fs::metadata(path).with_context(failed)?.len();
    if size > MAX_INPUT {
        return Err(anyhow!("{} has {} bytes, more than can be analysed", path.display(), size));
    }
    if size > patience.most() {
        return Err(stopped(format!("it has more than {} bytes", patience.most()))).with_context(failed);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    let file = input(path, patience).with_context(failed)?;
    patience.limit(file).read_to_end(&mut bytes).with_context(failed)?;
    Ok(bytes)
}

/// The first bytes of a file, at most `most`.
fn read_beginning(path: &Path, most: u64, patience: &Patience) -> anyhow::Result<Vec<u8>> {
    let failed = || Unusable::read(path);
    let mut bytes = Vec::new();
    let unlimited = patience.with_all_memory();
    let file = input(path, &unlimited).with_context(failed)?.take(most);
    unlimited.limit(file).read_to_end(&mut bytes).with_context(failed)?;
    Ok(bytes)
}

/// What the content of a file is written to.
pub(crate) type Output<'o> = BufWriter<&'o mut dyn Write>;

/// Writes a file: first under another name beside it, so that nothing half-written is ever seen. A link is followed, and
/// what is no plain file, such as a pipe, is written to as it is, for as long as the limits allow one to wait.
pub(crate) fn write(
    path: &Path,
    patience: &Patience,
    content: impl FnOnce(&mut Output<'_>) -> Result<(), String>,
) -> anyhow::Result<()> {
    let failed = || Unusable::written(path);
    if may_wait(path) {
        let target = path.to_owned();
        let open = move || std::fs::OpenOptions::new().write(true).open(target);
        let mut delivery = patience.write_apart(open).with_context(failed)?;
        let finished = fill(&mut delivery, content);
        return delivery.limit().map_or(finished, |limit| Err(limit.into())).with_context(failed);
    }
    let path = &target_of(path).with_context(failed)?;
    let mut name = path.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default();
    // Nobody else's file has this name, and no other run writes to it.
    name.push(format!(".{}.partial", std::process::id()));
    let partial = path.with_file_name(name);
    let mut file = File::create(&partial).with_context(failed)?;
    let finished = fill(&mut file, content).and_then(|()| Ok(std::fs::rename(&partial, path)?));
    if finished.is_err() {
        // The error that is reported is the first one.
        let _ = std::fs::remove_file(&partial);
    }
    finished.with_context(failed)
}

fn fill(
    target: &mut dyn Write,
    content: impl FnOnce(&mut Output<'_>) -> Result<(), String>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::with_capacity(CHUNK, target);
    content(&mut out).map_err(|reason| anyhow!(reason)).and_then(|()| Ok(out.flush()?))
}

/// The file that a path leads to through links, even if it does not exist yet.
pub(crate) fn target_of(path: &Path) -> anyhow::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = std::fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(anyhow!("it is a link that leads to itself, or to too many others"))
}
