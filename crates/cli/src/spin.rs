//! Running SPIN, for `--engine spin`.
//!
//! The verifier that SPIN generates is compiled without partial-order reduction, of which a text with one process has no use.
//! It searches in depth, because its search in breadth does not know variables that are no part of a state; a search that is
//! deeper than its stack is begun again with a larger one. Whatever it prints goes to files in a folder of its own, which is
//! removed unless it is to be kept.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rely_base::{Budget, Progress};
use rely_session::{Spin, SpinAnswer};

/// How long to wait before looking again whether a program has ended.
const INTERVAL: Duration = Duration::from_millis(10);

/// What SPIN may take where no limit on memory is given, in megabytes.
const USUAL_MEMORY: usize = 4096;

/// How deep the search may be, in statements, at first and at most.
const DEPTHS: [&str; 2] = ["-m1000000", "-m20000000"];

/// What is said of a search that is deeper than its stack.
const TOO_DEEP: &str = "max search depth too small";

/// What to do where something is missing.
const ADVICE: &str =
    "install SPIN and a C compiler (on Debian: apt install spin gcc), or leave out `--engine spin`";

/// SPIN, as it is installed.
pub(crate) struct Installed {
    folder: PathBuf,
    is_kept: bool,
    /// How many texts have been looked at.
    count: Cell<usize>,
}

impl Installed {
    /// SPIN and a C compiler, working in a folder that is kept, or in one of their own.
    ///
    /// # Errors
    /// What is missing, as a sentence for the user.
    pub(crate) fn find(kept: Option<&Path>) -> Result<Self, String> {
        for (program, argument) in [("spin", "-V"), ("cc", "--version")] {
            let mut command = Command::new(program);
            command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            if !command.status().is_ok_and(|status| status.success()) {
                return Err(format!("`{program}` cannot be run: {ADVICE}"));
            }
        }
        let own = || std::env::temp_dir().join(format!("rely-spin-{}", std::process::id()));
        Ok(Self {
            folder: kept.map_or_else(own, Path::to_owned),
            is_kept: kept.is_some(),
            count: Cell::new(0),
        })
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nothing can be done about what cannot be removed.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Spin for Installed {
    fn run(&self, name: &str, promela: &str, budget: &Budget<'_>) -> Result<SpinAnswer, String> {
        self.count.set(self.count.get() + 1);
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let folder = self.folder.join(format!("{}-{plain}", self.count.get()));
        let unwritten = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(unwritten)?;
        fs::write(folder.join("model.pml"), promela).map_err(unwritten)?;
        let job = Job { folder: &folder, budget };
        job.succeed("spin", &["-o3", "-a", "model.pml"])?;
        let megabytes = match budget.max_bytes() {
            usize::MAX => USUAL_MEMORY,
            bytes => (bytes >> 20).max(1),
        };
        let memory = format!("-DMEMLIM={megabytes}");
        let options = ["-O2", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=16384", &memory];
        job.succeed("cc", &[&options[..], &["-o", "pan", "pan.c"]].concat())?;
        let mut output = String::new();
        for depth in DEPTHS {
            job.run(&folder.join("pan"), &["-E", "-n", depth])?;
            output = job.output();
            if !output.contains(TOO_DEEP) {
                break;
            }
        }
        let number = |what: &str| {
            let line = output.lines().find(|line| line.contains(what));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        };
        let states = number("states, stored").unwrap_or(0);
        let transitions = number("transitions").unwrap_or(0);
        let errors =
            output.lines().find_map(|line| line.split("errors: ").nth(1)?.trim().parse::<usize>().ok());
        match errors {
            Some(0) if is_complete(&output) => Ok(SpinAnswer { trail: None, states, transitions }),
            Some(1..) if output.contains("assertion violated") => {
                job.succeed("spin", &["-o3", "-B", "-t", "model.pml"])?;
                let printed = job.output();
                let trail = printed.lines().filter_map(|line| line.trim().strip_prefix("does "));
                let trail = Some(trail.map(str::to_owned).collect());
                Ok(SpinAnswer { trail, states, transitions })
            }
            _ => Err(format!("SPIN has not finished, after {states} states: {}", last_words(&output))),
        }
    }
}

/// Whether SPIN has looked at everything.
fn is_complete(output: &str) -> bool {
    let marks = ["Search not completed", TOO_DEEP, "out of memory", "reached -DMEMLIM"];
    !marks.iter().any(|mark| output.contains(mark))
}

/// What SPIN says in the end, in one line.
fn last_words(output: &str) -> String {
    let complaint = output.lines().find(|line| line.trim().starts_with("pan:") || line.contains("rror"));
    complaint.or_else(|| output.lines().next()).unwrap_or("it says nothing").trim().to_owned()
}

/// Programs that run in a folder, as long as the budget allows.
struct Job<'a> {
    folder: &'a Path,
    budget: &'a Budget<'a>,
}

impl Job<'_> {
    /// What the last program has printed.
    fn output(&self) -> String {
        let bytes = fs::read(self.folder.join("output")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn succeed(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        match self.run(Path::new(program), arguments)?.success() {
            true => Ok(()),
            false => {
                Err(format!("`{program}` does not understand the model: {}", last_words(&self.output())))
            }
        }
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Result<ExitStatus, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", program.display());
        let output = File::create(self.folder.join("output")).map_err(failed)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder).stdin(Stdio::null());
        command.stderr(output.try_clone().map_err(failed)?).stdout(output);
        let mut child = command.spawn().map_err(failed)?;
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(status);
            }
            if let Err(exhausted) = self.budget.check(&Progress::default()) {
                // It may have ended by itself just now.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("SPIN was stopped: {exhausted}"));
            }
            std::thread::sleep(INTERVAL);
        }
    }
}
