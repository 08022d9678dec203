//! The command line as it is written.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod contract;
mod decompose;
mod study;

pub(crate) use contract::Contract;
pub(crate) use decompose::Decompose;
pub(crate) use study::{Merge, Study};

const OVERVIEW: &str = "\
Analyse:
  check      deadlock, safety, progress and assertions, each with a shortest trace
  assume     what a component needs of its environment to meet a property
  verify     prove a system from its parts, with assumptions that are found
  decompose  which way to split a system is best
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
  retrieve   which components of some files satisfy it
Look:
  draw       a picture of the transition system (.svg, .dot)
  simulate   step through it in the terminal
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

Exit status: 0 all holds, 1 something is violated, 2 wrong usage, 3 the input has errors,
4 a limit was reached, 5 internal failure.";

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
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,

    /// Give up when an analysis holds more memory than this: 500M, 4G, or a number of bytes
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<usize>,

    /// Give up when a single step has reached more states than this
    #[arg(long, global = true, value_name = "N")]
    pub(crate) max_states: Option<usize>,

    /// How many threads may work (results do not depend on it)
    #[arg(short, long, global = true, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Seed of everything that is random (results of the verbs so far do not depend on it)
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) seed: u64,

    /// Give a constant of the model another value, for example `--define N=5`
    #[arg(long, global = true, value_name = "NAME=VALUE", value_parser = parse_definition)]
    pub(crate) define: Vec<(String, i32)>,

    /// Print verdicts only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print sizes and times as well
    #[arg(short, long, global = true)]
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
    Retrieve(Retrieve),
    Certify(Certify),
    Study(Study),
    Merge(Merge),
    Explain(Explain),
    Schema,
    Completions(Completions),
    Man(Man),
}

/// The file, and which of its processes.
#[derive(Args, Debug)]
pub(crate) struct Model {
    /// An FSP file, or a transition system in .aut or .json format; `-` is FSP from standard input
    pub(crate) file: PathBuf,
}

/// Deadlock, safety, progress and assertions, each with a shortest trace
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely check philosophers.lts
  rely check philosophers.lts --target DINERS --only deadlock --lanes
  rely check lift.lts --only progress,ltl --json
  rely check ring.lts --certificate ring.cert && rely certify ring.cert ring.lts

Without --target, every composite is checked; where the file has none, all its processes together (DEFAULT).")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; may be given several times
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Vec<String>,

    /// Only these: deadlock, safety, progress, ltl, divergence, or names of properties
    #[arg(long, value_name = "KIND|NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Draw a lane for each component beside a trace
    #[arg(long)]
    pub(crate) lanes: bool,

    /// Look at all states for deadlock and safety, even where some would do
    #[arg(long)]
    pub(crate) no_reduction: bool,

    /// Write a certificate of everything that holds
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

/// What a component needs of its environment to meet a property
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely assume mutex-writer.lts --component WRITER,MUTEX --property EXCLUSION
  rely assume system.lts --component SERVER --property SAFE --environment CLIENT --discharge
  rely assume sys.lts env.lts p.lts --component SYS --property P --environment ENV -o need.fsp
  rely assume lock.lts --component LOCK --property P --alphabet acquire,release -o need.svg

The property holds in every environment, in none, or exactly in those that satisfy the assumption that is printed:
the weakest one. Its interface is what the environment shares with the component and the property, or --alphabet, or
everything. With --alphabet it is also the most general component X with COMPONENT || X satisfying the property.")]
pub(crate) struct Assume {
    /// FSP files; each has its own names, and the first that has a name is meant
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The component: processes or composites, side by side
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) component: Vec<String>,

    /// The property process
    #[arg(short, long, value_name = "NAME")]
    pub(crate) property: String,

    /// The environment: the interface is what it shares with the component and the property
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', conflicts_with = "alphabet")]
    pub(crate) environment: Vec<String>,

    /// The interface itself: actions, each with everything below it
    #[arg(short, long, value_name = "ACTION", value_delimiter = ',')]
    pub(crate) alphabet: Option<Vec<String>>,

    /// Whether the assumption is constructed or learned; it is the same
    #[arg(long, value_name = "NAME", default_value = "direct", value_parser = ["direct", "learn"], hide_default_value = true)]
    pub(crate) method: String,

    /// How to learn
    #[arg(long, value_name = "NAME", default_value = "adaptive", value_parser = LEARNERS, hide_default_value = true)]
    pub(crate) learner: String,

    /// The assumption must not leave the component without anything to do
    #[arg(long)]
    pub(crate) deadlock_free: bool,

    /// Ask whether the environment satisfies the assumption as well; if not, the exit status is 1
    #[arg(long, requires = "environment")]
    pub(crate) discharge: bool,

    /// Write the assumption here; the ending chooses the format: .fsp, .aut, .dot, .json, .svg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Prove a system from its parts
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely verify ring.lts --system RING
  rely verify ring.lts --system RING --rule simple --left node.1:NODE,node.2:NODE
  rely verify abp.lts --system ABP --property ORDER --strategy direct --certificate abp.cert
  rely certify abp.cert abp.lts
  rely verify docking.lts --system ARD --rule ia-compat --left ARD_MODES

Rules (M1 is --left, or chosen; P the property; <A> M <P> says that M meets P where A holds):
  simple       <A> M1 <P>, <true> M2 <A>
  chain        <A1> M1 <P>, <A2> M2 <A1>, ..., <true> Mn <A(n-1)>
  alternating  <A1> M1 <P>, <A2> M2 <A1>, <true> M1 <A2>
  conjunction  P in two halves, each by the simple rule, with the sides exchanged
  symmetric    <Ai> Mi <P> for every i, and what breaks P is within some Ai
  circular     the chain that comes back to M1

Rules for interface automata (M1 is --left, or the first operand of the system; the strategy is direct, learn or
monolithic, and direct if none is given):
  ia-compat    M1 ~ A, M2 refines A                  the parts take what they send to each other
  ia-prop      the same, then M1 || A meets P        and then a property holds, with an assumption of its own
  ia-hybrid    M1 ~ A, M1 || A meets P, M2 refines A  both at once
  ia-altref    M1 ~ A, M1 || A refines S, M2 refines A  the system refines --specification

Strategies: auto tries the product within limits, then reduction, then learning; monolithic takes the product;
reduce composes and reduces one part after the other; direct constructs weakest assumptions; learn learns them and
stops as soon as they are good enough; chain, symmetric and circular learn with that rule.")]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The system: a composite
    #[arg(short, long, value_name = "NAME")]
    pub(crate) system: String,

    /// A property process; every one among the parts of the system if none is given
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) property: Vec<String>,

    /// The parts of the first group, M1
    #[arg(short, long, value_name = "PART", value_delimiter = ',')]
    pub(crate) left: Vec<String>,

    /// The rule; simple if none is given
    #[arg(short, long, value_name = "NAME",
        value_parser = ["simple", "chain", "alternating", "conjunction", "symmetric", "circular",
            "ia-compat", "ia-prop", "ia-hybrid", "ia-altref"])]
    pub(crate) rule: Option<String>,

    /// The interface automaton that the system has to refine, for ia-altref
    #[arg(long, value_name = "NAME")]
    pub(crate) specification: Option<String>,

    /// Ask about every environment that sends only what is accepted, for open systems of interface automata
    #[arg(long)]
    pub(crate) every_environment: bool,

    /// How assumptions are found, or done without; with a rule and no strategy they are learned
    #[arg(long, value_name = "NAME",
        value_parser = ["auto", "monolithic", "localise", "reduce", "direct", "learn", "separate", "abstract", "symmetric",
            "circular", "chain"])]
    pub(crate) strategy: Option<String>,

    /// Look for assumptions over few actions of the interface first, and over more where these do not suffice
    #[arg(long)]
    pub(crate) refine_alphabet: bool,

    /// How to learn
    #[arg(long, value_name = "NAME", default_value = "adaptive", value_parser = LEARNERS, hide_default_value = true)]
    pub(crate) learner: String,

    /// Keep results in this folder, and use those that are there; the user's cache folder if none is given
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub(crate) cache: Option<PathBuf>,

    /// Neither keep results nor use those of earlier runs
    #[arg(long)]
    pub(crate) no_cache: bool,

    /// Draw a lane for each component beside a trace
    #[arg(long)]
    pub(crate) lanes: bool,

    /// Write a certificate of everything that holds
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

/// Whether interface automata take what they send to each other
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely compatible messaging.lts --components MSG,USR,ENV
  rely compatible messaging.lts --components MSG,USR --environment channel.fsp
  rely compatible docking.lts --components CARELESS_ARD --lanes

Interface automata are written `interface A = (in? -> out! -> A).`; a composite stands for its parts. Components are
incompatible if one sends what another, at that moment, cannot take. If they are open, with inputs or outputs left,
they are compatible if some environment avoids that: the best one takes every output and sends nothing.")]
pub(crate) struct Compatible {
    #[command(flatten)]
    pub(crate) model: Model,

    /// Interface automata, or composites of them
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) components: Vec<String>,

    /// A receiver may take internal steps before it takes what is sent
    #[arg(long)]
    pub(crate) weak: bool,

    /// Write the most permissive environment of an open system: to a file whose ending chooses the format (.fsp, .aut,
    /// .dot, .json, .svg), or as FSP below the verdict
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) environment: Option<PathBuf>,

    /// Ask about every environment that sends only what is accepted, not about the best one
    #[arg(long)]
    pub(crate) every_environment: bool,

    /// Draw a lane for each component beside a trace
    #[arg(long)]
    pub(crate) lanes: bool,

    /// Write a certificate if they are compatible
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

/// Whether an interface automaton can take the place of another
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely refines messaging.lts --implementation ENV --specification E_GOOD
  rely refines messaging.lts --implementation ENV --specification C_1 --json

The implementation has to accept every input that the specification accepts, and may send only what the specification
sends, now and after every such action (alternating simulation). It may have more inputs and fewer outputs.")]
pub(crate) struct Refines {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The automaton that is to take the place of the other
    #[arg(short, long, value_name = "NAME")]
    pub(crate) implementation: String,

    /// The other
    #[arg(short, long, value_name = "NAME")]
    pub(crate) specification: String,

    /// Which internal steps belong to an action: those before it, or those on both sides of it
    #[arg(long, value_name = "SIDE", default_value = "both", value_parser = ["before", "both"])]
    pub(crate) closure: String,
}

/// The learners by name.
const LEARNERS: [&str; 4] = ["lstar", "tree", "lsharp", "adaptive"];

/// Write a program that watches whether an assumption is kept
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely assume lock.lts --component LOCK --property P --environment USER -o need.fsp
  rely monitor need.fsp --language rust -o need_monitor.rs

The program has a function that is told each action and answers ok, violated or not mine, and one that starts
again. It has no dependencies. The model is an assumption, or any deterministic process without silent steps.")]
pub(crate) struct Monitor {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// The language: rust, c, java or python
    #[arg(short, long, value_name = "NAME", value_parser = ["rust", "c", "java", "python"])]
    pub(crate) language: String,

    /// Where to write; standard output if it is not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Find the components that satisfy an assumption
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely assume lock.lts --component LOCK --property P --alphabet acquire,release -o need.fsp
  rely retrieve need.fsp clients.lts more-clients.lts
  rely retrieve need.fsp clients.lts --target CAREFUL,HASTY

Every process and composite of the files is looked at unless some are named. The exit status is 0 if at least one
satisfies the assumption.")]
pub(crate) struct Retrieve {
    /// The assumption, as `rely assume -o` writes it
    pub(crate) assumption: PathBuf,

    /// The files to look in
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Only these processes or composites
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) target: Vec<String>,
}

/// Build the product of a composite and count or store it
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely compose philosophers.lts
  rely compose philosophers.lts --target DINERS -o diners.aut")]
pub(crate) struct Compose {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Vec<String>,

    /// Write the product here; the ending chooses the format: .aut, .dot, .json, .fsp
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Reduce a composite modulo an equivalence
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely minimise philosophers.lts
  rely minimise big.aut --equivalence branching -o small.aut

Equivalences, from fine to coarse: strong; divergence-branching and branching, which abstract from silent steps
and keep the branching structure; weak, which is observational equivalence, as in LTSA; trace and weak-trace, which
keep sequences of actions only; safety, which keeps the sequences that lead to an error.")]
pub(crate) struct Minimise {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Vec<String>,

    /// What the result has to be equivalent to the product in
    #[arg(short, long, value_name = "NAME", default_value = "weak",
        value_parser = ["weak", "branching", "divergence-branching", "strong", "trace", "weak-trace", "safety"])]
    pub(crate) equivalence: String,

    /// Write the result here; the ending chooses the format: .aut, .dot, .json, .fsp
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Write a transition system in another format
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely convert model.lts --target SYS -o sys.aut
  rely convert big.aut -o big.json
  rely convert model.lts --target SYS -o sys.aut --tau tau     for mCRL2")]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Where to write; the ending chooses the format: .aut, .dot, .json, .fsp
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// How the silent action is written in .aut: `i` as CADP does, `tau` as mCRL2 and LTSA do
    #[arg(long, value_name = "NAME", default_value = "i", value_parser = ["i", "tau"])]
    pub(crate) tau: String,
}

/// Draw a transition system
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely draw model.lts -o model.svg
  rely draw model.lts --target PHIL -o phil.dot
  rely draw model.lts --target SYS --minimise -o sys.svg")]
pub(crate) struct Draw {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Where to write; the ending chooses the format: .svg, .dot. Standard output, as SVG, if it is not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Minimise modulo observational equivalence first
    #[arg(long)]
    pub(crate) minimise: bool,
}

/// Step through a model in the terminal
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely simulate model.lts
  rely check model.lts --json > found.json; rely simulate model.lts --replay found.json

At the prompt: a number or the name of an action takes it; `u` undoes, `t` shows the trace, `s` the states of the
components, `r` starts again, `?` helps, `q` quits.")]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Start by replaying a trace: the output of `check --json`, or a text file with an action on each line
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
}

/// Re-check a certificate with independent code
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely check model.lts --certificate model.cert
  rely certify model.cert model.lts")]
pub(crate) struct Certify {
    /// What `rely check --certificate` wrote
    pub(crate) certificate: PathBuf,

    #[command(flatten)]
    pub(crate) model: Model,
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

fn parse_definition(text: &str) -> Result<(String, i32), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as N=5")?;
    let value = value.trim().parse().map_err(|_| format!("`{}` is not a whole number", value.trim()))?;
    Ok((name.trim().to_owned(), value))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().map_err(|_| "a time is written 10s, 2m or 500ms".to_owned())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "a time cannot be negative or endless".to_owned())
}

fn parse_size(text: &str) -> Result<usize, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().map_err(|_| "a size is written 500M or 4G".to_owned())?;
    let factor = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is no unit of size; use K, M or G")),
    };
    let bytes = number * factor;
    if !(0.0..1e18).contains(&bytes) {
        return Err("a size has to be a positive number of bytes".to_owned());
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked on the line above")]
    Ok(bytes as usize)
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
    fn times_and_sizes() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("3"), Ok(Duration::from_secs(3)));
        assert!(parse_duration("-1s").is_err() && parse_duration("soon").is_err());
        assert_eq!(parse_size("1K"), Ok(1024));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert!(parse_size("-4M").is_err() && parse_size("4X").is_err());
    }
}
