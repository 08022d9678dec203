//! The command line of rely: a thin layer over `rely_session`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command-line tool")]

mod again;
mod args;
mod cache;
mod context;
mod files;
mod gate;
mod lsp;
mod memory;
mod packages;
mod paths;
mod patience;
mod question;
mod render;
mod serve;
mod spin;
mod terminal;
mod verbs;
mod watch;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use rely_base::Code;
use rely_session::report::{Finding, Report};
use rely_session::{INTERNAL, WRONG_USAGE};

use crate::args::{Cli, Verb};
use crate::context::{Context, Exit, print_json, say};

/// Definitions may be nested a few hundred levels deep, and each level takes some stack.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let exit = match Cli::try_parse_from(asking_for_help(std::env::args_os().collect())) {
        Ok(cli) => {
            if cli.global.max_memory.is_some() || memory::has_few_addresses() {
                memory::restart_with_frugal_allocator();
            }
            begin(cli)
        }
        Err(error) if error.use_stderr() => refuse(&with_advice(error)),
        Err(help) => show(&help),
    };
    ExitCode::from(exit as u8)
}

/// `rely help VERB` is `rely VERB --help`, as with other tools.
fn asking_for_help(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.truncate(2);
        words.push("--help".into());
    }
    words
}

/// Runs a verb on a stack that is large enough.
fn begin(cli: Cli) -> Exit {
    let (is_json, verb) = (cli.global.json, cli.verb.name());
    let stack = memory::stack(STACK);
    let worker =
        std::thread::Builder::new().name("rely".to_owned()).stack_size(stack).spawn(move || run(cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // A panic has said on standard error what it is.
        Ok(Err(_)) if is_json => answer(verb, INTERNAL, "there is a mistake in rely", Exit::Internal),
        Ok(Err(_)) | Err(_) => Exit::Internal,
    }
}

/// Shows the help or the version that was asked for.
fn show(help: &clap::Error) -> Exit {
    match help.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            say(format_args!("rely: cannot write to standard output: {error}"));
            Exit::Errors
        }
        _ => Exit::Success,
    }
}

/// Says on standard error what is wrong with the command line, in colours if somebody looks at it.
fn say_styled(text: &clap::builder::StyledStr) {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut stderr = std::io::stderr();
    // There is nowhere else to say that this cannot be shown.
    let _ = match stderr.is_terminal() && !no_color {
        true => write!(stderr, "{}", terminal::styled(&text.ansi().to_string())),
        false => write!(stderr, "{}", terminal::plain(&text.to_string())),
    };
}

/// Says what is wrong with the command line. With `--json` there is an object as well.
fn refuse(error: &clap::Error) -> Exit {
    say_styled(&error.render());
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into()).collect();
    if !words.iter().any(|word| word == "--json") {
        return Exit::Usage;
    }
    let verbs = Cli::command();
    let verb =
        words.iter().find_map(|word| verbs.find_subcommand(word)).map_or("rely", |verb| verb.get_name());
    let text = error.render().to_string();
    let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    answer(verb, WRONG_USAGE, first.join(" ").trim_start_matches("error: "), Exit::Usage)
}

/// Prints an object that has nothing but a reason.
fn answer(verb: &str, code: Code, message: &str, exit: Exit) -> Exit {
    let report = Report::<()>::new(verb, Vec::new(), vec![Finding::without_place(code, message)]);
    let text = serde_json::to_string_pretty(&report).expect("a report is plain data");
    match print_json(&(text + "\n")) {
        Ok(()) => exit,
        Err(error) => {
            say(format_args!("rely: {error:#}"));
            Exit::of(&error)
        }
    }
}

/// What the menus and options of other tools are called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("animate", "rely simulate FILE"),
    ("compile", "rely check FILE"),
    ("deadlock", "rely check FILE --only deadlock"),
    ("ltl", "rely check FILE --only ltl"),
    ("parse", "rely check FILE"),
    ("progress", "rely check FILE --only progress"),
    ("run", "rely simulate FILE"),
    ("safety", "rely check FILE --only safety"),
    ("trace", "rely simulate FILE"),
    ("--property", "rely check FILE --only NAME"),
];

/// A file where a verb is expected is most often meant to be checked, and words of other tools have other names here.
fn with_advice(mut error: clap::Error) -> clap::Error {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return error,
    };
    let Some(ContextValue::String(found)) = error.get(kind).cloned() else { return error };
    let advice = match ELSEWHERE.iter().find(|(word, _)| *word == found) {
        Some((_, here)) => format!("what you mean may be: {here}"),
        None if kind == ContextKind::InvalidSubcommand && std::path::Path::new(&found).is_file() => {
            format!("a verb comes before the file: rely check {found}")
        }
        None => return error,
    };
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    error
}

fn run(cli: Cli) -> Exit {
    let Cli { global, verb } = cli;
    let context = Context::new(global, verb.name());
    let result = paths::check(&verb).map_err(Into::into).and_then(|()| perform(&context, &verb));
    context.finish(result)
}

fn perform(context: &Context, verb: &Verb) -> anyhow::Result<Exit> {
    match verb {
        Verb::Check(verb) => verbs::check::run(context, verb),
        Verb::Assume(verb) => verbs::assume::run(context, verb),
        Verb::Verify(verb) => verbs::verify::run(context, verb),
        Verb::Decompose(verb) => verbs::decompose::run(context, verb),
        Verb::Compatible(verb) => verbs::compatible::run(context, verb),
        Verb::Refines(verb) => verbs::refines::run(context, verb),
        Verb::Contract(verb) => verbs::contract::run(context, verb),
        Verb::Monitor(verb) => verbs::monitor::run(context, verb),
        Verb::Harness(verb) => verbs::harness::run(context, verb),
        Verb::Retrieve(verb) => verbs::retrieve::run(context, verb),
        Verb::Mine(verb) => verbs::mine::run(context, verb),
        Verb::Repository(verb) => verbs::repository::run(context, verb),
        Verb::Compose(verb) => verbs::size::compose(context, verb),
        Verb::Minimise(verb) => verbs::size::minimise(context, verb),
        Verb::Convert(verb) => verbs::convert::run(context, verb),
        Verb::Draw(verb) => verbs::draw::run(context, verb),
        Verb::Simulate(verb) => verbs::simulate::run(context, verb),
        Verb::Certify(verb) => verbs::certify::run(context, verb),
        Verb::Study(verb) => verbs::study::run(context, verb),
        Verb::Merge(verb) => verbs::merge::run(context, verb),
        Verb::Explain(verb) => verbs::explain::run(context, verb),
        Verb::Schema => verbs::schema::run(context),
        Verb::Format(verb) => verbs::format::run(context, verb),
        Verb::Serve(verb) => serve::run(context, verb),
        Verb::Lsp => lsp::run(context),
        Verb::Completions(verb) => verbs::install::completions(context, verb),
        Verb::Man(verb) => verbs::install::man(verb),
    }
}
