//! `cargo xtask dist`: an archive of the program as users get it, with manual pages, completions and licences.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The program as one file that needs no other: linked with musl. Its target has to be installed, with a C compiler for it.
const STATIC: &str = "x86_64-unknown-linux-musl";

/// The shells that completions are written for, and what their files are called.
const SHELLS: [(&str, &str); 3] = [("bash", "rely.bash"), ("fish", "rely.fish"), ("zsh", "_rely")];

/// What else stands in the archive.
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Builds the program, or takes one that is built, and packs it.
pub(crate) fn run(root: &Path, built: Option<&str>) -> Result<()> {
    let (program, kind) = match built {
        Some(program) => (PathBuf::from(program), "given"),
        None => build(root)?,
    };
    let target = crate::wasm::target_folder(root);
    let name = format!("rely-{}-{}-{kind}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let folder = target.join("dist-archive").join(&name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("completions"))?;
    fs::copy(&program, folder.join("rely")).with_context(|| program.display().to_string())?;
    for text in TEXTS {
        fs::copy(root.join(text), folder.join(text)).context(text)?;
    }
    let manual = folder.join("man");
    let manual = manual.to_str().context("the path of the folder is not UTF-8")?;
    output(&program, &["man", manual])?;
    for (shell, file) in SHELLS {
        fs::write(folder.join("completions").join(file), output(&program, &["completions", shell])?)?;
    }
    let archive = folder.with_extension("tar.gz");
    let parent = folder.parent().context("the folder is in another one")?;
    let packed = Command::new("tar").arg("-C").arg(parent).arg("-czf").arg(&archive).arg(&name).status()?;
    ensure!(packed.success(), "the archive cannot be packed");
    let size = |path: &Path| fs::metadata(path).map(|about| about.len());
    println!("dist: the program has {} bytes, the archive {}", size(&program)?, size(&archive)?);
    println!("dist: {}", archive.display());
    Ok(())
}

/// Builds the program: without any library of the system if that is possible here, else for this system.
fn build(root: &Path) -> Result<(PathBuf, &'static str)> {
    let target = crate::wasm::target_folder(root);
    let build = |more: &[&str]| {
        let arguments = ["build", "--package", "rely-cli", "--profile", "dist", "--locked"];
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).args(more).current_dir(root);
        command.status().is_ok_and(|status| status.success())
    };
    if crate::packages::runs("musl-gcc", &["--version"]) && build(&["--target", STATIC]) {
        return Ok((target.join(STATIC).join("dist").join("rely"), "linux-static"));
    }
    println!(
        "dist: there is no C compiler for musl (Debian: musl-tools), so the program needs the libraries of this system"
    );
    ensure!(build(&[]), "the program cannot be built");
    Ok((target.join("dist").join("rely"), std::env::consts::OS))
}

/// What the program prints.
fn output(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output =
        Command::new(program).args(arguments).output().with_context(|| program.display().to_string())?;
    ensure!(output.status.success(), "rely {} fails", arguments.join(" "));
    Ok(output.stdout)
}
