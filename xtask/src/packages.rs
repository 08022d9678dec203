//! Programs that are not part of the toolchain: whether they run, and how they are installed.

use std::process::Command;

/// Whether a program runs. If it does not, the package of the system that has it is installed first, where we may do so.
pub(crate) fn is_installed(program: &str, version: &str, package: &str) -> bool {
    if !runs(program, &[version]) {
        println!("installing {package}");
        runs("apt-get", &["install", "--yes", package]);
    }
    runs(program, &[version])
}

/// Whether a command can be run and succeeds. What it prints is of no interest.
pub(crate) fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
