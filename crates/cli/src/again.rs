//! `--watch`: the same command again whenever one of its files changes.
//!
//! The command runs as a process of its own, without `--watch`. A change ends it and starts another one, so that an answer is
//! always about the newest text, and a search about an old one takes no time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use anyhow::Context as _;

use crate::context::{Context, Exit, say};
use crate::files;

/// How often the files are looked at.
const PAUSE: Duration = Duration::from_millis(150);

/// What a file is known by: when it was changed, and how long it is. Nothing while it does not exist.
type Seen = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs the command with which this program was started, without `--watch`, until somebody presses Ctrl-C.
pub(crate) fn and_again(context: &Context, named: &[&Path]) -> anyhow::Result<Exit> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let arguments: Vec<_> = std::env::args_os().skip(1).filter(|argument| argument != "--watch").collect();
    loop {
        let seen = seen(named);
        let mut child =
            Command::new(&program).args(&arguments).spawn().context("the command does not start")?;
        let is_over = wait(context, &mut child, named, &seen);
        // Where it has ended by itself there is nothing to end.
        let _ = child.kill();
        child.wait().context("the command cannot be waited for")?;
        if is_over {
            return Ok(Exit::Success);
        }
        say("rely: a file has changed");
    }
}

/// Waits until a file has changed, and has been still for a moment; or, with `true`, until somebody presses Ctrl-C.
fn wait(context: &Context, child: &mut Child, named: &[&Path], seen: &Seen) -> bool {
    let mut is_told = false;
    loop {
        std::thread::sleep(PAUSE);
        if context.watch.is_interrupted() {
            return true;
        }
        let now = self::seen(named);
        if now != *seen {
            // Editors may write a file in several steps.
            std::thread::sleep(PAUSE);
            if self::seen(named) == now {
                return false;
            }
        }
        if !is_told && matches!(child.try_wait(), Ok(Some(_))) {
            is_told = true;
            say("rely: waiting for a change; Ctrl-C ends");
        }
    }
}

/// The files as they are now: those that are named, and those that they import.
fn seen(named: &[&Path]) -> Seen {
    let mut files: Vec<PathBuf> = named.iter().map(|path| path.to_path_buf()).collect();
    for path in named {
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Ok(project) = files::open(path, &crate::patience::Patience::default()) {
            files.extend(project.imports().into_iter().map(|import| folder.join(import)));
        }
    }
    let known = |path: PathBuf| {
        let about = std::fs::metadata(&path).ok();
        let about = about.and_then(|about| Some((about.modified().ok()?, about.len())));
        (path, about)
    };
    files.into_iter().map(known).collect()
}
