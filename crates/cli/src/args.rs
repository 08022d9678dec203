//! The command line as it is written.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

const OVERVIEW: &str = "\
Analyse:
  check      deadlock, safety, progress and assertions, each with a shortest trace
  certify    re-check the certificate of a verdict with independent code
Transform:
  compose    build the product of a composite and count or store it
  minimise   reduce it modulo an equivalence
  convert    write it in another format
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
    pub(crate) jobs: Option<usize>,

    /// Seed of everything that is random (results of the verbs so far do not depend on it)
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) seed: u64,

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
    Compose(Compose),
    Minimise(Minimise),
    Convert(Convert),
    Draw(Draw),
    Simulate(Simulate),
    Certify(Certify),
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

    /// Write a certificate of everything that holds
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
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

    /// Write the product here; the ending chooses the format: .aut, .dot, .json
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

    /// Write the result here; the ending chooses the format: .aut, .dot, .json
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

    /// Where to write; the ending chooses the format: .aut, .dot, .json
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
