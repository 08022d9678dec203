//! The command line of rely: a thin layer over `rely_session`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command-line tool")]

mod args;
mod cache;
mod context;
mod files;
mod render;
mod verbs;
mod watch;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use rely_session::report::{Finding, Report};

use crate::args::{Cli, Verb};
use crate::context::{Context, Exit};

/// Definitions may be nested a few hundred levels deep, and each level takes some stack.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&with_advice(error)),
    };
    let worker =
        std::thread::Builder::new().name("rely".to_owned()).stack_size(STACK).spawn(move || run(cli));
    let exit = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // A panic has been printed already.
        Ok(Err(_)) | Err(_) => Exit::Internal,
    };
    ExitCode::from(exit as u8)
}

/// Shows what is wrong with the command line, or the help that was asked for. With `--json` there is an object as well.
fn refuse(error: &clap::Error) -> ExitCode {
    // There is nowhere else to say that this cannot be shown.
    let _ = error.print();
    let words: Vec<String> = std::env::args().skip(1).collect();
    if error.use_stderr() && words.iter().any(|word| word == "--json") {
        let verbs = Cli::command();
        let verb =
            words.iter().find_map(|word| verbs.find_subcommand(word)).map_or("rely", |verb| verb.get_name());
        let text = error.render().to_string();
        let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let message = first.join(" ").trim_start_matches("error: ").to_owned();
        let finding = Finding::without_place(rely_session::WRONG_USAGE, &message);
        let report = Report::<()>::new(verb, Vec::new(), vec![finding]);
        let printed = serde_json::to_string_pretty(&report).map(|text| context::print_text(&(text + "\n")));
        if !matches!(printed, Ok(Ok(()))) {
            return ExitCode::from(Exit::Internal as u8);
        }
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::Internal as u8))
}

/// A file where a verb is expected is most often meant to be checked.
fn with_advice(mut error: clap::Error) -> clap::Error {
    let found = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(found))) => found.clone(),
        _ => return error,
    };
    if std::path::Path::new(&found).is_file() {
        let advice = format!("a verb comes before the file: rely check {found}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

fn run(cli: Cli) -> Exit {
    let Cli { global, verb } = cli;
    let context = Context::new(global, verb.name());
    let result = match verb {
        Verb::Check(verb) => verbs::check::run(&context, &verb),
        Verb::Assume(verb) => verbs::assume::run(&context, &verb),
        Verb::Verify(verb) => verbs::verify::run(&context, &verb),
        Verb::Decompose(verb) => verbs::decompose::run(&context, &verb),
        Verb::Compatible(verb) => verbs::compatible::run(&context, &verb),
        Verb::Refines(verb) => verbs::refines::run(&context, &verb),
        Verb::Contract(verb) => verbs::contract::run(&context, &verb),
        Verb::Monitor(verb) => verbs::monitor::run(&context, &verb),
        Verb::Retrieve(verb) => verbs::retrieve::run(&context, &verb),
        Verb::Compose(verb) => verbs::size::compose(&context, &verb),
        Verb::Minimise(verb) => verbs::size::minimise(&context, &verb),
        Verb::Convert(verb) => verbs::convert::run(&context, &verb),
        Verb::Draw(verb) => verbs::draw::run(&context, &verb),
        Verb::Simulate(verb) => verbs::simulate::run(&context, &verb),
        Verb::Certify(verb) => verbs::certify::run(&context, &verb),
        Verb::Study(verb) => verbs::study::run(&context, &verb),
        Verb::Merge(verb) => verbs::merge::run(&context, &verb),
        Verb::Explain(verb) => verbs::explain::run(&context, &verb),
        Verb::Schema => verbs::schema::run(&context),
        Verb::Completions(verb) => verbs::install::completions(&context, &verb),
        Verb::Man(verb) => verbs::install::man(&verb),
    };
    context.finish(result)
}
