//! SPIN as a peer: an exhaustive search of the same program, without partial-order reduction, that does not stop at errors.

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use rely_lts::Program;
use rely_lts::format::promela;

use crate::bench::measure::measured;
use crate::packages::{is_installed, runs};

/// SPIN and a C compiler are installed.
pub(super) struct Pan {
    folder: PathBuf,
    /// How many programs have been written.
    count: Cell<usize>,
}

/// What a search of SPIN took.
pub(super) struct Searched {
    pub(super) states: usize,
    pub(super) seconds: f64,
    pub(super) megabytes: f64,
    is_complete: bool,
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = format!("{}{}", if self.is_complete { "" } else { ">" }, self.states);
        write!(f, "{:>8.1} {states:>11} {:>6.0}", self.seconds, self.megabytes)
    }
}

impl Pan {
    pub(super) fn find(folder: &Path) -> Option<Self> {
        let is_there = is_installed("spin", "-V", "spin") && runs("cc", &["--version"]);
        is_there.then(|| Self { folder: folder.to_owned(), count: Cell::new(0) })
    }

    /// Searches all states of a program, as far as they fit into some megabytes.
    pub(super) fn search(&self, program: &Program, megabytes: usize) -> Result<Searched> {
        self.count.set(self.count.get() + 1);
        let folder = self.folder.join(self.count.get().to_string());
        std::fs::create_dir_all(&folder)?;
        let mut text = Vec::new();
        promela::write(program, "bench", &mut text)?;
        std::fs::write(folder.join("model.pml"), text)?;
        let run = |program: &str, arguments: &[&str]| -> Result<()> {
            let mut command = Command::new(program);
            command.args(arguments).current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
            let status = command.status().with_context(|| program.to_owned())?;
            ensure!(status.success(), "{program} failed");
            Ok(())
        };
        run("spin", &["-o3", "-a", "model.pml"])?;
        let memory = format!("-DMEMLIM={megabytes}");
        let options = ["-O2", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=16384", &memory, "-o", "pan", "pan.c"];
        run("cc", &options)?;
        let mut command = Command::new(folder.join("pan"));
        command.args(["-E", "-n", "-c0", "-w22", "-m1000000"]).current_dir(&folder);
        let (sample, output) = measured(&command, &folder)?;
        let states = output.lines().find(|line| line.contains("states, stored"));
        let states = states.and_then(|line| line.split_whitespace().next()?.parse().ok());
        let marks =
            ["Search not completed", "max search depth too small", "out of memory", "reached -DMEMLIM"];
        Ok(Searched {
            states: states.with_context(|| format!("SPIN says: {output}"))?,
            seconds: sample.seconds,
            megabytes: sample.megabytes,
            is_complete: !marks.iter().any(|mark| output.contains(mark)),
        })
    }
}
