//! `cargo xtask web`: the page, as a folder that any server of files can serve. `--test` uses it in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::wasm::TARGET;

/// The picture of the README, as the tests make it.
const PICTURE: &str = "docs/book/src/page.png";

/// How many bytes the page may have in all, packed as servers send it.
const MOST_BYTES: usize = 2_500_000;

/// Builds the page, says how large it is, and uses it in a browser if that is wanted.
pub(crate) fn run(root: &Path, is_tested: bool, is_picture_kept: bool) -> Result<()> {
    let folder = build(root)?;
    let mut packed = 0;
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let size = packed_size(&path)?;
        packed += size;
        println!("web: {:>9} bytes packed  {}", size, path.display());
    }
    println!("web: {packed} bytes packed in all, of at most {MOST_BYTES}");
    ensure!(packed <= MOST_BYTES, "the page is too large");
    if is_tested {
        test(root, &folder)?;
    }
    if is_picture_kept {
        let picture = crate::wasm::target_folder(root).join("web-pictures").join("readme.png");
        fs::copy(&picture, root.join(PICTURE)).with_context(|| picture.display().to_string())?;
    }
    Ok(())
}

/// Builds the engine and puts it beside the files of the page.
fn build(root: &Path) -> Result<PathBuf> {
    // Where rustup is not used, the target has to be there.
    let _ = Command::new("rustup").args(["target", "add", TARGET]).stderr(Stdio::null()).status();
    let arguments = ["build", "--package", "rely-wasm", "--target", TARGET, "--profile", "web", "--quiet"];
    let status = Command::new(env!("CARGO")).args(arguments).current_dir(root).status()?;
    ensure!(status.success(), "the engine cannot be built for {TARGET}");
    let target = crate::wasm::target_folder(root);
    let folder = target.join("web-page");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let module = target.join(TARGET).join("web").join("rely_wasm.wasm");
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .omit_default_module_path(false)
        .generate(&folder)?;
    for entry in fs::read_dir(root.join("web"))? {
        let path = entry?.path();
        if path.is_file() {
            fs::copy(&path, folder.join(path.file_name().context("a file has a name")?))?;
        }
    }
    Ok(folder)
}

/// How many bytes a file has when it is packed with gzip.
fn packed_size(path: &Path) -> Result<usize> {
    let output =
        Command::new("gzip").args(["-9", "--stdout"]).arg(path).output().context("gzip is needed")?;
    ensure!(output.status.success(), "{} cannot be packed", path.display());
    Ok(output.stdout.len())
}

/// Uses the page in Chromium, with the engine in the browser and with that of `rely serve`.
fn test(root: &Path, folder: &Path) -> Result<()> {
    let is_there = crate::packages::is_installed("node", "--version", "nodejs")
        && crate::packages::is_installed("chromium", "--version", "chromium");
    if !is_there {
        println!("web: 1 test is skipped, since Node or Chromium is missing: the page in a browser");
        return Ok(());
    }
    let build = ["build", "--package", "rely-cli", "--quiet"];
    ensure!(
        Command::new(env!("CARGO")).args(build).current_dir(root).status()?.success(),
        "rely cannot be built"
    );
    let rely = crate::wasm::target_folder(root).join("debug").join("rely");
    let mut server = Command::new(&rely)
        .args(["serve", "models/philosophers.lts"])
        .current_dir(root)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let tested = test_with(root, folder, &mut server, &rely);
    let _ = server.kill();
    let _ = server.wait();
    tested
}

fn test_with(root: &Path, folder: &Path, server: &mut std::process::Child, rely: &Path) -> Result<()> {
    use std::io::{BufRead, BufReader};

    let mut link = String::new();
    BufReader::new(server.stdout.take().context("piped")?).read_line(&mut link)?;
    let pictures = crate::wasm::target_folder(root).join("web-pictures");
    fs::create_dir_all(&pictures)?;
    let status = Command::new("node")
        .arg(root.join("web/tests/page.mjs"))
        .arg("chromium")
        .args([folder, &pictures])
        .arg(link.trim())
        .arg(rely)
        .status()?;
    ensure!(status.success(), "the page does not do what it should");
    println!("web: pictures are in {}", pictures.display());
    Ok(())
}
