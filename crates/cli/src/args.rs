//! The command line as it is written.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod assume;
mod contract;
mod decompose;
mod editor;
mod gate;
mod interface;
mod kept;
mod look;
mod mine;
mod repository;
mod study;
mod transform;
mod values;
mod verify;

pub(crate) use assume::{Assume, Harness, Monitor, Retrieve};
pub(crate) use contract::Contract;
pub(crate) use decompose::Decompose;
pub(crate) use editor::{Format, Serve};
pub(crate) use gate::Reports;
pub(crate) use interface::{Compatible, Refines};
pub(crate) use kept::Kept;
pub(crate) use look::{Draw, Simulate};
pub(crate) use mine::Mine;
pub(crate) use repository::{Repository, RepositoryVerb, Shelf};
pub(crate) use study::{Merge, Study};
pub(crate) use transform::{Compose, Convert, Minimise};
pub(crate) use values::whole_names;
pub(crate) use verify::Verify;

use values::{parse_definition, parse_duration, parse_name, parse_size};

const OVERVIEW: &str = "\
Analyse:
  check      deadlock, safety, progress and assertions, each with a shortest trace
  assume     what a component needs of its environment to meet a property
  verify     prove a system from its parts, with assumptions that are found
  decompose  which way to split a system is best
  mine       what is true of the interface of a reactive component, whatever its environment does
  compatible whether interface automata take what they send to each other
  refines    whether an interface automaton can take the place of another
  contract   compose, conjoin, divide and mirror interface automata as contracts
  certify    re-check the certificate of a verdict with independent code
Compare:
  study      many runs of verify over sizes, properties and strategies, with tables and figures
  merge      put together what a study on several machines has found
Transform:
  compose    build the product of a composite and count or store it
  minimise   reduce it modulo an equivalence
  convert    write it in another format
Use an assumption:
  monitor    a program that watches whether the environment keeps it (Rust, C, Java, Python)
  harness    a test crate that checks the premises of a design on its Rust program
  retrieve   which components of some files satisfy it
Keep what was verified:
  repository components with their verified properties: add, list, show, search, verify, remove, export, import
Look:
  draw       a picture of the transition system (.svg, .dot)
  simulate   step through it in the terminal
  serve      a page in the browser: edit, check, step through traces
Write:
  format     the usual layout of a text
  lsp        a server for editors
Learn:
  explain    what a diagnostic code means
  schema     the JSON Schema of the output of --json
Set up:
  completions, man";

const START: &str = "\
Start here:
  rely check model.lts             is anything wrong?
  rely check model.lts --lanes     the same, with a lane for each component
  rely draw model.lts -o model.svg
  rely simulate model.lts
  rely assume model.lts --component SERVER --property SAFE
  rely verify model.lts --system SYSTEM

The ending of a file says what it is:
  .lts, .fsp          processes (FSP)
  .adb, .ads, .ada    Ada tasks
  .srs                reactive machines
  .aim                message components
  .aut, .fsm, .json   transition systems

Exit status: 0 all holds, 1 something is violated, 2 wrong usage, 3 the input has errors,
4 a limit was reached, 5 internal failure.";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  rely schema > rely-1.json
  rely check model.lts --json | jq '.results[] | select(.verdict == \"violated\") | .property'";

const LSP_EXAMPLES: &str = "\
Examples:
  rely lsp                    what an editor starts
  rely lsp --timeout 10s      verdicts that take longer are unknown";

/// rely verifies systems that are built from components.
#[derive(Parser, Debug)]
#[command(name = "rely", version, about = "Verifies systems that are built from components.", long_about = None, after_help = START, disable_help_subcommand = true,
    help_template = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{options}\n{after-help}",
    before_help = OVERVIEW, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,

    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Options that mean the same everywhere.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every verb")]
pub(crate) struct Global {
    /// Print one JSON object instead of text (see `rely schema`)
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Give up after this time: 10s, 2m, 500ms, or a number of seconds
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,

    /// Give up when an analysis holds more memory than this: 500M, 4G, or a number of bytes [default: three quarters of
    /// what is free]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<usize>,

    /// Give up when a single step has reached more states than this
    #[arg(long, global = true, value_name = "N")]
    pub(crate) max_states: Option<usize>,

    /// How many threads may work, at most four for each core (results do not depend on it)
    #[arg(short, long, global = true, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Seed of everything that is random: the walks of `simulate` (results do not depend on it)
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) seed: u64,

    /// Give a constant of the model another value, for example `--define N=5`
    #[arg(long, global = true, value_name = "NAME=VALUE", value_parser = parse_definition)]
    pub(crate) define: Vec<(String, i32)>,

    /// Say nothing of warnings with these codes, such as W0303
    #[arg(long, global = true, value_name = "CODES", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,

    /// Exit with 1 where there are warnings with these codes, even if everything holds
    #[arg(long, global = true, value_name = "CODES", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,

    /// Print verdicts only, and what questions them
    #[arg(short, long, global = true, overrides_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print sizes as well, and times where there are any; of `-q` and `-v`, the last one counts
    #[arg(short, long, global = true, overrides_with = "quiet")]
    pub(crate) verbose: bool,

    /// When to use colour: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(crate) color: When,
}

/// When to use colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Check(Check),
    Assume(Assume),
    Verify(Verify),
    Decompose(Decompose),
    Compatible(Compatible),
    Refines(Refines),
    Contract(Contract),
    Compose(Compose),
    Minimise(Minimise),
    Convert(Convert),
    Draw(Draw),
    Simulate(Simulate),
    Monitor(Monitor),
    Harness(Harness),
    Retrieve(Retrieve),
    Mine(Mine),
    Repository(Repository),
    Certify(Certify),
    Study(Study),
    Merge(Merge),
    Explain(Explain),
    /// Prints the JSON Schema of what `--json` prints.
    ///
    /// Every verb prints one object: `schema` is its version (`rely/1`), `command` the verb, `results` has one element for each thing
    /// that was asked for, and `diagnostics` what was found in the input. Fields are added, and never change their meaning.
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    Format(Format),
    Serve(Serve),
    /// Serves an editor that speaks the language server protocol, over standard input and output.
    ///
    /// What is wrong with a text is told after each edit; verdicts when a file is saved, or when somebody clicks the line above
    /// a composite. They are given up after a minute, or what --timeout says.
    #[command(after_help = LSP_EXAMPLES)]
    Lsp,
    Completions(Completions),
    Man(Man),
}

impl Verb {
    /// Its name, as in reports.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Check(_) => "check",
            Self::Assume(_) => "assume",
            Self::Verify(_) => "verify",
            Self::Decompose(_) => "decompose",
            Self::Compatible(_) => "compatible",
            Self::Refines(_) => "refines",
            Self::Contract(_) => "contract",
            Self::Compose(_) => "compose",
            Self::Minimise(_) => "minimise",
            Self::Convert(_) => "convert",
            Self::Draw(_) => "draw",
            Self::Simulate(_) => "simulate",
            Self::Monitor(_) => "monitor",
            Self::Harness(_) => "harness",
            Self::Retrieve(_) => "retrieve",
            Self::Mine(_) => "mine",
            Self::Repository(_) => "repository",
            Self::Certify(_) => "certify",
            Self::Study(_) => "study",
            Self::Merge(_) => "merge",
            Self::Explain(_) => "explain",
            Self::Schema => "schema",
            Self::Format(_) => "format",
            Self::Serve(_) => "serve",
            Self::Lsp => "lsp",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}

/// The file, and which of its processes.
#[derive(Args, Debug)]
pub(crate) struct Model {
    /// A model; its ending says in which language: .lts or .fsp for FSP, .aut or .json for a transition system, .adb for
    /// Ada tasks, .srs for reactive machines, .aim for message components; `-` is FSP from standard input
    pub(crate) file: PathBuf,
}

/// Properties that are written in another file.
#[derive(Args, Debug)]
pub(crate) struct Properties {
    /// A file of properties about the model, which may be in another language: property processes, each with a result of
    /// its own, progress properties and assertions
    #[arg(long, value_name = "FILE")]
    pub(crate) properties: Option<PathBuf>,
}

/// Deadlock, safety, progress and assertions, each with a shortest trace
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely check philosophers.lts
  rely check philosophers.lts --target DINERS --only deadlock --lanes
  rely check lift.lts --only progress,ltl --json
  rely check lift.lts --only ltl --fairness random
  rely check ring.lts --certificate ring.cert && rely certify ring.cert ring.lts

Without --target, every composite is checked that no other composite uses; where the file has none, all its
processes together (DEFAULT).

A comment `//! expect TARGET PROPERTY violated` in the model (or `holds`, `unknown`) says which verdict is expected.
A verdict as expected is not a failure, another one is: the exit status is 1.")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) model: Model,

    #[command(flatten)]
    pub(crate) properties: Properties,

    /// A process or composite of the file, or a component on its own; may be given several times
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', visible_alias = "component")]
    pub(crate) target: Vec<String>,

    /// What a reactive component on its own may rely on
    #[arg(long, value_enum, value_name = "WHAT", default_value = "universal")]
    pub(crate) environment: Environment,

    /// How many consecutive microsteps or macrosteps a mined rule may speak of: 1 or 2
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) window: u8,

    #[command(flatten)]
    pub(crate) kept: Kept,

    /// How Ada tasks are looked at: state by state (exact), by flow analysis (flow), or exactly as long as the limits allow
    /// it (auto); and reactive machines: by rely itself (own), or by SPIN, which has to be installed (spin)
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = ["auto", "exact", "flow", "own", "spin"], hide_possible_values = true)]
    pub(crate) engine: String,

    /// With `--engine spin`: keep the texts in Promela, and what SPIN makes of them, in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) promela: Option<PathBuf>,

    /// What flow analysis knows: as little as will do (auto), nothing (none), or these variables and tasks
    #[arg(long, value_name = "auto|none|NAMES", default_value = "auto", value_delimiter = ',')]
    pub(crate) constraints: Vec<String>,

    /// Check every composite, also those that others use
    #[arg(long, conflicts_with = "target")]
    pub(crate) all_targets: bool,

    /// Only these: deadlock, safety, progress, ltl, divergence, or names of properties
    #[arg(long, value_name = "KIND|NAME", value_delimiter = ',', value_parser = parse_name)]
    pub(crate) only: Vec<String>,

    /// Draw a lane for each component beside a trace
    #[arg(long)]
    pub(crate) lanes: bool,

    /// Leave these actions out of the traces that are shown, and those that begin with them; `tau` is silent ones
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',')]
    pub(crate) hide: Vec<String>,

    /// Write a page about the answers, with the traces and what there is to see where they end, as .html, .md or .txt
    #[arg(long, value_name = "FILE")]
    pub(crate) explanation: Option<PathBuf>,

    /// Show up to N counterexamples of each violated property that end differently: who waits for what in a deadlock, who
    /// fails and how, the terminal set of states, or the actions that recur
    #[arg(long, value_name = "N", default_value = "1", hide_default_value = true)]
    pub(crate) traces: NonZeroUsize,

    /// Draw the first trace that shows a violation as a sequence chart, an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) chart: Option<PathBuf>,

    /// Look at all states for deadlock, safety and progress, even where some would do
    #[arg(long)]
    pub(crate) no_reduction: bool,

    /// Which runs assertions speak of: choice if nothing is said, and weak for message components
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) fairness: Option<Fairness>,

    /// Write a certificate of everything that holds
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reports: Reports,

    /// Check again whenever the file, or one that it imports, changes; Ctrl-C ends
    #[arg(long)]
    pub(crate) watch: bool,

    /// Say which states and transitions of each component occur in some run
    #[arg(long)]
    pub(crate) coverage: bool,

    /// Exit with 1 if a warning questions a verdict: a name that nobody has, a property that is vacuous or not checked
    #[arg(long)]
    pub(crate) strict: bool,
}

/// What a component on its own may rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Environment {
    /// Nothing
    Universal,
    /// What `rely mine` finds in the rest of the system
    Mined,
    /// What the text assumes, once it is discharged on the rest of the system
    Written,
    /// Both
    Mixed,
}

impl From<Environment> for rely_session::Environment {
    fn from(environment: Environment) -> Self {
        match environment {
            Environment::Universal => Self::Universal,
            Environment::Mined => Self::Mined,
            Environment::Written => Self::Written,
            Environment::Mixed => Self::Mixed,
        }
    }
}

/// Which runs assertions speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Fairness {
    /// All runs, also those that pass an alternative by for ever
    None,
    /// Runs that take each alternative of a choice infinitely often if they make the choice infinitely often
    Choice,
    /// Runs that make every choice at random: what holds has probability 1
    Random,
    /// Runs of message components in which a process that is ready for ever takes a step
    Weak,
    /// Runs of message components in which a process that is ready again and again takes a step again and again
    Strong,
}

impl From<Fairness> for rely_session::report::Fairness {
    fn from(fairness: Fairness) -> Self {
        match fairness {
            Fairness::None => Self::None,
            Fairness::Choice => Self::Choice,
            Fairness::Random => Self::Random,
            Fairness::Weak => Self::Weak,
            Fairness::Strong => Self::Strong,
        }
    }
}

/// Re-check a certificate with independent code
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely check model.lts --certificate model.cert
  rely certify model.cert model.lts
  rely certify model.cert model.lts --expect 'S: safety' --expect 'S: progress EATS'")]
pub(crate) struct Certify {
    /// What `rely check` or `rely verify` wrote with `--certificate`
    pub(crate) certificate: PathBuf,

    #[command(flatten)]
    pub(crate) model: Model,

    #[command(flatten)]
    pub(crate) properties: Properties,

    /// What has to be certified, in the words in which it is printed, such as `S: safety`; the exit status is 1 if it is not
    #[arg(long, value_name = "CLAIM")]
    pub(crate) expect: Vec<String>,

    /// Exit status 1 if a warning questions what is certified, as where something that can fail is not claimed
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Say more about a diagnostic code
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely explain E0301
  rely explain          lists all codes")]
pub(crate) struct Explain {
    /// The code, such as E0301; all codes are listed if it is missing
    pub(crate) code: Option<String>,
}

/// Write completions for a shell
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely completions bash > ~/.local/share/bash-completion/completions/rely")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write manual pages
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder to write them to
    pub(crate) folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_overview_names_every_verb() {
        let first_word = |line: &'static str| line.trim_start().split([' ', ',']).next().unwrap_or_default();
        let mut named: Vec<&str> =
            OVERVIEW.lines().filter(|line| line.starts_with(' ')).map(first_word).collect();
        named.push("man");
        let command = Cli::command();
        let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
        let absent: Vec<&str> =
            shown.map(|verb| verb.get_name()).filter(|name| !named.contains(name)).collect();
        assert!(absent.is_empty(), "`rely --help` says nothing about {absent:?}");
    }

    /// The section of a verb in the command reference, with the parts below it.
    fn section(verb: &str) -> &'static str {
        let reference = include_str!("../../../docs/book/src/commands.md");
        let about_it =
            |text: &&str| text.split('\n').next().unwrap_or_default().contains(&format!("rely {verb}"));
        reference.split("\n## ").find(about_it).unwrap_or_else(|| panic!("no section about rely {verb}"))
    }

    #[test]
    fn the_command_reference_has_every_verb_and_option() {
        let mut missing = Vec::new();
        for verb in Cli::command().get_subcommands() {
            let text = section(verb.get_name());
            let shown = verb.get_arguments().filter(|argument| !argument.is_hide_set());
            let options = shown.filter_map(|argument| argument.get_long());
            let absent = options.filter(|option| !text.contains(&format!("`--{option}")));
            missing.extend(absent.map(|option| format!("rely {} --{option}", verb.get_name())));
        }
        assert!(missing.is_empty(), "docs/book/src/commands.md has nothing about {missing:?}");
    }

    #[test]
    fn the_command_reference_has_the_options_of_every_verb() {
        let reference = include_str!("../../../docs/book/src/commands.md");
        let conventions =
            reference.split("\n## ").find(|text| text.starts_with("Conventions")).expect("it is there");
        for option in Cli::command().get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(conventions.contains(&format!("`--{option}")), "`--{option}` is not in commands.md");
        }
    }
}
