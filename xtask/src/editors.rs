//! `cargo xtask editors`: the language server in clients that others have written, and the extension as a package.
//!
//! What is missing and cannot be installed is skipped, and counted: Neovim and Node from the system, pytest-lsp and the packages
//! of the extension from their registries.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::packages::{is_installed, runs};

/// The version of pytest-lsp that the tests are written for.
const PYTEST_LSP: &str = "pytest-lsp==1.0.1";

/// The program that packs extensions.
const VSCE: &str = "@vscode/vsce@4.1.0";

/// Tests the server and the extension; `program` goes into the package, if one is given.
pub(crate) fn run(root: &Path, program: Option<&str>) -> Result<()> {
    let build = ["build", "--package", "rely-cli", "--quiet"];
    let status = Command::new(env!("CARGO")).args(build).current_dir(root).status()?;
    ensure!(status.success(), "rely cannot be built");
    let rely = crate::wasm::target_folder(root).join("debug").join("rely");
    let done = [neovim(root, &rely)?, python(root, &rely)?, code(root, program)?];
    let skipped = done.iter().filter(|is_done| !**is_done).count();
    println!("editors: {} clients tested, {skipped} skipped", done.len() - skipped);
    Ok(())
}

/// Runs a command that tests something.
fn test(what: &str, command: &mut Command) -> Result<bool> {
    let status = command.status().with_context(|| format!("{what} does not start"))?;
    ensure!(status.success(), "{what}: a test fails");
    Ok(true)
}

fn skip(what: &str, missing: &str) -> bool {
    println!("editors: {what} is skipped, since {missing} is missing and cannot be installed");
    false
}

fn neovim(root: &Path, rely: &Path) -> Result<bool> {
    if !is_installed("nvim", "--version", "neovim") {
        return Ok(skip("the server in Neovim", "Neovim"));
    }
    let mut command = Command::new("nvim");
    command.args(["--headless", "--clean", "-c", "luafile editors/tests/neovim.lua"]);
    let is_done = test("Neovim", command.env("RELY", rely).current_dir(root))?;
    println!();
    Ok(is_done)
}

fn python(root: &Path, rely: &Path) -> Result<bool> {
    let folder = crate::wasm::target_folder(root).join("editors-python");
    let python = folder.join("bin").join("python");
    let program = python.to_str().context("the path of the target folder is not UTF-8")?;
    let is_there = || runs(program, &["-c", "import pytest_lsp"]);
    if !is_there() {
        let folder = folder.to_str().context("the path of the target folder is not UTF-8")?;
        let _ = runs("python3", &["-m", "venv", folder])
            && runs(program, &["-m", "pip", "install", "--quiet", PYTEST_LSP]);
    }
    if !is_there() {
        return Ok(skip("the server under pytest-lsp", "pytest-lsp"));
    }
    let mut command = Command::new(&python);
    command.args([
        "-m",
        "pytest",
        "--quiet",
        "-p",
        "no:cacheprovider",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
    ]);
    command.args(["-W", "error::pytest_lsp.LspSpecificationWarning", "editors/tests/test_lsp.py"]);
    test("pytest-lsp", command.env("RELY", rely).env("PYTHONDONTWRITEBYTECODE", "1").current_dir(root))
}

/// Builds the extension, activates it in a host that stands for the editor, and packs it.
fn code(root: &Path, program: Option<&str>) -> Result<bool> {
    if !is_installed("node", "--version", "nodejs") || !is_installed("npm", "--version", "npm") {
        return Ok(skip("the extension", "Node"));
    }
    let folder = root.join("editors/code");
    let npm = |arguments: &[&str]| Command::new("npm").args(arguments).current_dir(&folder).status();
    if !folder.join("node_modules").is_dir() && !npm(&["ci", "--silent"])?.success() {
        return Ok(skip("the extension", "what it is built from"));
    }
    for script in ["build", "test"] {
        ensure!(npm(&["run", "--silent", script])?.success(), "npm run {script} fails in editors/code");
    }
    let bundled = folder.join("bin");
    let _ = std::fs::remove_dir_all(&bundled);
    let licence = folder.join("LICENSE.txt");
    std::fs::copy(root.join("LICENSE-MIT"), &licence).context("LICENSE-MIT")?;
    let mut arguments = vec!["--yes", VSCE, "package", "--no-dependencies", "--allow-missing-repository"];
    if let Some(program) = program {
        std::fs::create_dir_all(&bundled)?;
        std::fs::copy(program, bundled.join("rely")).with_context(|| program.to_owned())?;
        arguments.extend(["--target", "linux-x64"]);
    }
    let package: PathBuf = crate::wasm::target_folder(root).join("rely.vsix");
    let status = Command::new("npx").args(arguments).arg("--out").arg(&package).current_dir(&folder).output();
    let is_packed = status.is_ok_and(|output| output.status.success());
    let _ = std::fs::remove_dir_all(&bundled);
    let _ = std::fs::remove_file(&licence);
    if !is_packed {
        return Ok(skip("the package of the extension", VSCE));
    }
    println!("editors: {} has {} bytes", package.display(), std::fs::metadata(&package)?.len());
    Ok(true)
}
