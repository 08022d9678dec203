//! The arguments of the verbs about assumptions: `assume`, and what is done with its result.

use std::path::PathBuf;

use clap::Args;

use super::verify::LEARNERS;
use super::{Model, Properties};

use super::values::parse_name;

/// What a component needs of its environment to meet a property
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely assume mutex-writer.lts --component WRITER,MUTEX --property EXCLUSION
  rely assume system.lts --component SERVER --property SAFE --environment CLIENT --discharge
  rely assume sys.lts env.lts p.lts --component SYS --property P --environment ENV -o need.fsp
  rely assume lock.lts --component LOCK --property P --alphabet acquire,release -o need.svg
  rely assume relay.lts --component RELAY --property SERVICE --alphabet x,y --equal

The property holds in every environment, in none, or exactly in those that satisfy the
assumption that is printed: the weakest one. Its interface is what the environment shares with
the component and the property, or --alphabet, or everything. With --alphabet it is also the
most general component X with COMPONENT || X satisfying the property; --equal asks whether there
is an X for which COMPONENT || X does all that the property allows, too.")]
pub(crate) struct Assume {
    /// FSP files; each has its own names, and the first that has a name is meant
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) properties: Properties,

    /// The component: processes or composites, side by side
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) component: Vec<String>,

    /// The property process
    #[arg(short, long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) property: String,

    /// The environment: the interface is what it shares with the component and the property
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', conflicts_with = "alphabet")]
    pub(crate) environment: Vec<String>,

    /// The interface itself: actions, each with everything below it
    #[arg(short, long, value_name = "ACTION", value_delimiter = ',')]
    pub(crate) alphabet: Option<Vec<String>>,

    /// Whether the assumption is constructed, which it is if nothing is said, or learned; it is the same
    #[arg(long, value_name = "NAME", value_parser = ["direct", "learn"])]
    pub(crate) method: Option<String>,

    /// Learn the assumption in this way
    #[arg(long, value_name = "NAME", value_parser = LEARNERS)]
    pub(crate) learner: Option<String>,

    /// The assumption must not leave the component without anything to do
    #[arg(long)]
    pub(crate) deadlock_free: bool,

    /// Ask whether the environment satisfies the assumption as well; if not, the exit status is 1
    #[arg(long, requires = "environment")]
    pub(crate) discharge: bool,

    /// Ask as well whether the component does all that the property allows, in the most general environment, so that it
    /// can be made to do exactly that; if not, the exit status is 1
    #[arg(long, conflicts_with = "deadlock_free")]
    pub(crate) equal: bool,

    /// Write the assumption here; the ending chooses the format: .fsp, .aut, .dot, .json, .svg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Write a program that watches whether an assumption is kept
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely assume lock.lts --component LOCK --property P --environment USER -o need.fsp
  rely monitor need.fsp --language rust -o need_monitor.rs
  rely monitor rover.lts --target P --assumption need.fsp --mapping rover.toml --language java
  rely monitor rover.lts --target ROVER --check events.jsonl --mapping rover.toml

The program has a function that is told each action and answers ok, violated or left the model
(an action is unknown, or nothing is forbidden after it), and one that starts again. It has no dependencies. The model is an assumption, or any deterministic
process without silent steps.

With a mapping it is a watch of assumptions and a property, which see each event in one atomic
step, the assumptions first. It is told events by method, object, thread and values; says whether
a violation ends the execution, is an error, or is logged; and refuses a program that was written
for another version of the design.")]
pub(crate) struct Monitor {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// The language: rust, c, java or python
    #[arg(short, long, value_name = "NAME", value_parser = ["rust", "c", "java", "python"], required_unless_present = "check")]
    pub(crate) language: Option<String>,

    /// Write nothing, and say where a recorded execution leaves the target: events as lines of JSON, or OpenTelemetry spans
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["language", "output"])]
    pub(crate) check: Option<PathBuf>,

    /// Which event of the program is which action of the target, as for `rely harness`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,

    /// A file with an assumption, which sees every event before the target; several hold together
    #[arg(short, long, value_name = "FILE", requires = "mapping", conflicts_with = "check")]
    pub(crate) assumption: Vec<PathBuf>,

    /// Where to write; standard output if it is not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Write a test crate that checks the premises of a design on its program
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely harness rover.lts --component CHECKER --environment EXECUTIVE --property P \\
    --assumption learned --mapping rover.toml --for shuttle -o harness
  rely harness rover.lts --component CHECKER --property P --assumption need.fsp \\
    --assumption more.fsp --mapping rover.toml --for loom -o harness

The mapping says, in TOML, which event of the design is which call of the program, and how the
program is made. The crate runs the component in a universal environment, the environment with
stubs, and both together, under an explorer of schedules; the automata of the design watch. Its
tests are the premises: cargo test runs them.")]
pub(crate) struct Harness {
    /// Files of the design; each has its own names, and the first that has a name is meant
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The component: processes or composites, side by side
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) component: Vec<String>,

    /// The property process
    #[arg(short, long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) property: String,

    /// The environment in the design: the component of premise 2
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) environment: Vec<String>,

    /// A file with an assumption, or `learned`, the weakest one of the design; several hold together
    #[arg(short, long, value_name = "FILE")]
    pub(crate) assumption: Vec<PathBuf>,

    /// The mapping from the design to the program
    #[arg(short, long, value_name = "FILE")]
    pub(crate) mapping: PathBuf,

    /// The explorer: shuttle or loom
    #[arg(long = "for", value_name = "NAME", value_parser = ["shuttle", "loom"])]
    pub(crate) explorer: String,

    /// The folder of the crate; an earlier harness there is replaced
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

/// Find the components that satisfy an assumption
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely assume lock.lts --component LOCK --property P --alphabet acquire,release -o need.fsp
  rely retrieve need.fsp clients.lts more-clients.lts
  rely retrieve need.fsp clients.lts --target CAREFUL,HASTY
  rely retrieve need.fsp models

Every process and composite of the files is looked at unless some are named. The exit status is
0 if at least one satisfies the assumption.")]
pub(crate) struct Retrieve {
    /// The assumption, as `rely assume -o` writes it
    pub(crate) assumption: PathBuf,

    /// The files to look in; of a folder, all models in it
    #[arg(required = true, value_name = "FILE|FOLDER")]
    pub(crate) files: Vec<PathBuf>,

    /// Only these processes or composites
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) target: Vec<String>,
}
