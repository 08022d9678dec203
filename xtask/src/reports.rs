//! `cargo xtask reports`: what `--junit` and `--sarif` write, compared with what others say that these formats are.
//!
//! For JUnit that is the schema of Jenkins, which the sources of pytest have; for SARIF the types that TypeScript programs use. Both
//! come from their registries; what cannot be had is skipped, and counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::packages::{is_installed, runs};

/// Validates files by a schema.
const VALIDATE: &str = "
import sys, xmlschema
schema = xmlschema.XMLSchema(sys.argv[1])
wrong = [f'{path}: {error.reason}' for path in sys.argv[2:] for error in schema.iter_errors(path)]
print('\\n'.join(wrong))
sys.exit(bool(wrong))
";

/// Writes reports about the models, and compares them.
pub(crate) fn run(root: &Path) -> Result<()> {
    let build = ["build", "--package", "rely-cli", "--quiet"];
    let status = Command::new(env!("CARGO")).args(build).current_dir(root).status()?;
    ensure!(status.success(), "rely cannot be built");
    let target = crate::wasm::target_folder(root);
    let folder = target.join("reports");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let stems = write(root, &target.join("debug").join("rely"), &folder)?;
    let named = |ending: &str| stems.iter().map(|stem| stem.with_extension(ending)).collect::<Vec<PathBuf>>();
    let done = [junit(&target, &named("xml"))?, sarif(&target, &named("sarif"))?];
    let skipped = done.iter().filter(|is_done| !**is_done).count();
    println!("reports: {} models, {} formats compared, {skipped} skipped", stems.len(), done.len() - skipped);
    Ok(())
}

/// Writes both reports of each model, and of a text with errors. Where they are, without their endings.
fn write(root: &Path, rely: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let broken = folder.join("broken.lts");
    fs::write(&broken, "P = (a -> Q")?;
    let mut models = vec![broken];
    for entry in fs::read_dir(root.join("models"))? {
        models.push(entry?.path());
    }
    models.retain(|path| path.is_file());
    models.sort();
    let mut stems = Vec::new();
    for model in models {
        let name = model.file_name().context("a file has a name")?.to_string_lossy().replace('.', "-");
        let stem = folder.join(name);
        let mut command = Command::new(rely);
        command.arg("check").arg(&model).args(["--quiet", "--max-states", "3000", "--junit"]);
        command.arg(stem.with_extension("xml")).arg("--sarif").arg(stem.with_extension("sarif"));
        let output = command.output()?;
        ensure!(output.status.code().is_some_and(|code| code < 5), "{}: {}", model.display(), output.status);
        stems.push(stem);
    }
    Ok(stems)
}

fn skip(what: &str, missing: &str) -> bool {
    println!("reports: {what} is not compared, since {missing} is missing and cannot be installed");
    false
}

fn junit(target: &Path, reports: &[PathBuf]) -> Result<bool> {
    let folder = target.join("reports-python");
    let path = folder.to_str().context("the path of the target folder is not UTF-8")?;
    let python = format!("{path}/bin/python");
    let schema = folder.join("pytest-9.2.0/testing/example_scripts/junit-10.xsd");
    let archive = format!("{path}/pytest-9.2.0.tar.gz");
    let is_there = || schema.is_file() && runs(&python, &["-c", "import xmlschema"]);
    if !is_there() {
        let download = [
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            "pytest",
            "--dest",
            path,
            "pytest==9.2.0",
        ];
        let _ = runs("python3", &["-m", "venv", path])
            && runs(&python, &["-m", "pip", "install", "--quiet", "xmlschema"])
            && runs(&python, &download)
            && runs("tar", &["-C", path, "-xzf", &archive]);
    }
    if !is_there() {
        return Ok(skip("JUnit", "its schema"));
    }
    let status = Command::new(&python).args(["-c", VALIDATE]).arg(&schema).args(reports).status()?;
    ensure!(status.success(), "a report is not what the schema of JUnit allows");
    Ok(true)
}

fn sarif(target: &Path, reports: &[PathBuf]) -> Result<bool> {
    let folder = target.join("reports-node");
    fs::create_dir_all(&folder)?;
    let path = folder.to_str().context("the path of the target folder is not UTF-8")?;
    let compiler = folder.join("node_modules/typescript/bin/tsc");
    if !compiler.is_file() && is_installed("npm", "--version", "npm") {
        runs("npm", &["install", "--silent", "--prefix", path, "typescript@5", "@types/sarif@2"]);
    }
    if !compiler.is_file() {
        return Ok(skip("SARIF", "its type"));
    }
    let mut sources = Vec::new();
    for report in reports {
        let source = folder.join(report.file_name().context("a report has a name")?).with_extension("ts");
        let text = fs::read_to_string(report).with_context(|| report.display().to_string())?;
        fs::write(
            &source,
            format!("import type {{ Log }} from \"sarif\";\nexport const log: Log =\n{text};\n"),
        )?;
        sources.push(source);
    }
    let mut command = Command::new("node");
    command.arg(&compiler).args(["--noEmit", "--strict", "--skipLibCheck"]).args(&sources);
    ensure!(command.status()?.success(), "a report is not what SARIF allows");
    Ok(true)
}
