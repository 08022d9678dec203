//! SPIN as a peer: an exhaustive search of the same network, without partial-order reduction.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::networks::Instance;
use crate::packages::{is_installed, runs};

/// SPIN and a C compiler are installed.
pub(crate) struct Spin;

/// The verifier that SPIN generates for one network.
pub(crate) struct Verifier {
    program: PathBuf,
}

impl Spin {
    /// SPIN, which is installed from the packages of the system if it is not there and we may do so.
    pub(crate) fn find() -> Option<Self> {
        (is_installed("spin", "-V", "spin") && runs("cc", &["--version"])).then_some(Self)
    }

    /// Generates and compiles the verifier of a network.
    pub(crate) fn verifier(&self, instance: &Instance, folder: &Path) -> Result<Verifier> {
        let folder = folder.join(format!("{instance}-spin"));
        std::fs::create_dir_all(&folder)?;
        let model = instance.promela().with_context(|| format!("{instance} has no Promela"))?;
        std::fs::write(folder.join("model.pml"), model)?;
        let run = |program: &str, arguments: &[&str]| -> Result<()> {
            let mut command = Command::new(program);
            command.args(arguments).current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
            let status = command.status().with_context(|| program.to_owned())?;
            ensure!(status.success(), "{instance}: {program} failed");
            Ok(())
        };
        run("spin", &["-a", "model.pml"])?;
        run("cc", &["-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8192", "-o", "pan", "pan.c"])?;
        Ok(Verifier { program: folder.join("pan") })
    }
}

impl Verifier {
    /// All states, not stopping at errors. A path has no state twice, and a handshake is two steps of it; 2²² entries in
    /// the hash table suit these networks.
    pub(crate) fn command(&self, instance: &Instance) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(format!("-m{}", 2 * instance.states + 2)).args(["-w22", "-E", "-c0", "-n"]);
        command
    }
}

/// Fails when SPIN has not found what is known to be there. It counts the initial state as one more transition.
pub(crate) fn check(instance: &Instance, output: &str) -> Result<()> {
    let number = |what: &str| {
        let line = output.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse::<usize>().ok()
    };
    let found = (number("states, stored"), number("transitions (= stored+matched)"));
    let expected = (Some(instance.states), Some(instance.transitions + 1));
    ensure!(found == expected, "{instance}: SPIN found {found:?} states and transitions, not {expected:?}");
    Ok(())
}
