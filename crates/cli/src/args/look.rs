//! The arguments of the verbs that show a transition system: `draw` and `simulate`.

use std::path::PathBuf;

use clap::Args;

use super::Model;

/// Draw a transition system
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely draw model.lts -o model.svg
  rely draw model.lts --target PHIL -o phil.dot
  rely draw model.lts --target SYS --minimise -o sys.svg
  rely draw model.lts --target SYS --around 3 -o start.svg
  rely draw elevator.adb --flow --target car -o car.svg
  rely draw lift.srs --diagram --target Cabin.Drive -o drive.svg
  rely check model.lts --json > found.json; rely draw model.lts --target SYS --trace found.json -o sys.svg
  rely draw model.lts --view model.view.json --trace found.json -o film.html")]
pub(crate) struct Draw {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Where to write; the ending chooses the format: .svg, .dot, with --view .html. Standard output if it is not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Draw the flow graph of a program of tasks, or with --target the control flow of a task; each event with its lines
    #[arg(long, conflicts_with = "minimise")]
    pub(crate) flow: bool,

    /// Draw what a text with reactive machines says, and not its state space: the machine that --target names with conditions
    /// and outputs; or else the components of the system, or the machines of a component, with the events between them
    #[arg(long, conflicts_with_all = ["minimise", "flow", "trace"])]
    pub(crate) diagram: bool,

    /// Minimise first: modulo observational equivalence; interface automata so that no partner can tell
    #[arg(long)]
    pub(crate) minimise: bool,

    /// Draw only the states that are at most N steps away from the start, or with --trace from the end of the trace
    #[arg(long, value_name = "N")]
    pub(crate) around: Option<usize>,

    /// Let a trace stand out: the output of `check --json`, or a text file with an action on each line
    #[arg(long, value_name = "FILE", conflicts_with = "minimise")]
    pub(crate) trace: Option<PathBuf>,

    /// Animate a trace: a view binds a picture to the model, see `rely explain E0280`; written as .html
    #[arg(long, value_name = "FILE", conflicts_with_all = ["minimise", "flow", "around"])]
    pub(crate) view: Option<PathBuf>,
}

/// Step through a model in the terminal
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely simulate model.lts
  rely check model.lts --json > found.json; rely simulate model.lts --replay found.json

At the prompt: a number or the name of an action takes it; `u` undoes, `g` goes on while only one step is
possible, `t` shows the trace, `s` the states of the components, `r` starts again, `?` helps, `q` quits.")]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file; needed where there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Start by replaying a trace: the output of `check --json`, or a text file with an action on each line
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,

    /// Actions that may happen between the steps of the trace: those of the design that its program does not show
    #[arg(long, value_name = "ACTION", value_delimiter = ',', requires = "replay")]
    pub(crate) between: Vec<String>,

    /// Take this many random steps, show them, and end; errors are avoided where there is something else to do
    #[arg(long, value_name = "STEPS")]
    pub(crate) walk: Option<usize>,
}
