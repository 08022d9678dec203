//! Developer commands. `cargo xtask ci` is the one command: everything that has to be green.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command-line tool")]

mod bench;
mod book;
mod ci;
mod corpus;
mod dist;
mod editors;
mod guard;
mod long;
mod misspell;
mod packages;
mod reports;
mod studies;
mod tidy;
mod wasm;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci [CORPUS]      format, clippy, tests, documentation, tidy; and the corpus, if its folder is given
  tidy             the rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can check, and the links of the book
  corpus FOLDER    compare with the answers of LTSA on a folder of FSP files with ltsa-answers.json, and strategies with
                   each other
  misspell [--all] FOLDER...
                   misspell the names in the properties of the models of some folders, a sample or all of them: what stays
                   green needs a warning
  long CORPUS      what takes too long for ci: all misspelt names, and a million systems for the judge
  wasm             build the engine for WebAssembly, and compare its answers with the native ones on all models
  web [--test|--picture]
                   build the page, and say how large it is; with --test, use it in Chromium; with --picture, keep the picture
                   of it that the README shows as well
  reports          what `--junit` and `--sarif` write is what the schemas of others allow
  editors [PROGRAM]
                   the language server in Neovim and under pytest-lsp; the extension activated and packed, with a program
  dist [PROGRAM]   an archive of the program, or of one that is built, with manual pages, completions and licences
  studies [--all]  check programs against their designs: a sample with shuttle, or everything, with loom as well
  guard [--update] count instructions on fixed inputs, and compare with what is written down
  bench            measure against peers on the same networks, and how time and memory grow
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    let root = root();
    match arguments {
        ["ci"] => ci::run(&root, None),
        ["ci", corpus] => ci::run(&root, Some(Path::new(corpus))),
        ["tidy"] => tidy::run(&root),
        ["corpus", rest @ ..] if !rest.is_empty() => corpus::run(rest),
        ["misspell", rest @ ..] => misspell::command(rest),
        ["long", corpus] => long::run(&root, Path::new(corpus)),
        ["wasm"] => wasm::run(&root),
        ["dist"] => dist::run(&root, None),
        ["dist", program] => dist::run(&root, Some(program)),
        ["reports"] => reports::run(&root),
        ["editors"] => editors::run(&root, None),
        ["editors", program] => editors::run(&root, Some(program)),
        ["web"] => web::run(&root, false, false),
        ["web", "--test"] => web::run(&root, true, false),
        ["web", "--picture"] => web::run(&root, true, true),
        ["studies"] => studies::run(&root, false),
        ["studies", "--all"] => studies::run(&root, true),
        ["guard"] => guard::run(&root, false),
        ["guard", "--update"] => guard::run(&root, true),
        ["bench", rest @ ..] => bench::run(&root, rest),
        _ => bail!("{USAGE}"),
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace").to_owned()
}
