//! The arguments of `rely verify`.

use std::path::PathBuf;

use clap::Args;

use super::{Kept, Model, Properties, Reports, Shelf};

use super::values::parse_name;

/// The learners by name.
pub(super) const LEARNERS: [&str; 4] = ["lstar", "tree", "lsharp", "adaptive"];

/// Prove a system from its parts
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely verify ring.lts --system RING
  rely verify ring.lts --system RING --rule simple --left node.1:NODE,node.2:NODE
  rely verify abp.lts --system ABP --property ORDER --strategy direct --certificate abp.cert
  rely certify abp.cert abp.lts
  rely verify abp.lts --system ABP --explanation abp.html
  rely verify abp.lts --system ABP --strategy learn -o assumption.fsp
  rely verify docking.lts --system ARD --rule ia-compat --left ARD_MODES
  rely verify elevator.adb --properties doors.lts --system elevator --property DOORS --left car --engine flow

Rules (M1 is --left, or chosen; P the property; <A> M <P> says that M meets P where A holds):
  simple       <A> M1 <P>, <true> M2 <A>
  chain        <A1> M1 <P>, <A2> M2 <A1>, ..., <true> Mn <A(n-1)>
  alternating  <A1> M1 <P>, <A2> M2 <A1>, <true> M1 <A2>
  conjunction  P in two halves, each by the simple rule, with the sides exchanged
  symmetric    <Ai> Mi <P> for every i, and what breaks P is within some Ai
  circular     the chain that comes back to M1

Rules for interface automata (M1 is --left, or the first operand of the system; the strategy is
direct, learn or monolithic, and direct if none is given):
  ia-compat  M1 ~ A, M2 refines A: the parts take what they send to each other
  ia-prop    the same, and then M1 || A meets P, with an assumption of its own
  ia-hybrid  M1 ~ A, M1 || A meets P, M2 refines A: both at once
  ia-altref  M1 ~ A, M1 || A refines S, M2 refines A: the system refines --specification

Strategies without a rule: auto lets monolithic, localise and reduce take turns, and tries rules
when none of them fits into the limits; monolithic takes the product; localise takes in a part only
where it matters; reduce composes and reduces one part after the other. Strategies with a rule: direct constructs weakest assumptions; learn learns them
and stops as soon as they are good enough; separate looks for small ones; abstract begins with
rough ones; chain, symmetric and circular learn with that rule.")]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) model: Model,

    #[command(flatten)]
    pub(crate) properties: Properties,

    /// The system: a composite
    #[arg(short, long, value_name = "NAME")]
    pub(crate) system: String,

    /// A property process; every one among the parts of the system if none is given
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', value_parser = parse_name)]
    pub(crate) property: Vec<String>,

    /// The parts of the first group, M1
    #[arg(short, long, value_name = "PART", value_delimiter = ',')]
    pub(crate) left: Vec<String>,

    /// The rule; simple if a strategy, --left, --learner or --refine-alphabet needs one and none is given
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

    /// A receiver may take internal steps before it takes what is sent, for ia-compat and ia-altref
    #[arg(long)]
    pub(crate) weak: bool,

    /// How assumptions are found, or done without; with a rule and no strategy they are learned, for ia-* rules constructed
    #[arg(long, value_name = "NAME",
        value_parser = ["auto", "monolithic", "localise", "reduce", "direct", "learn", "separate", "abstract", "symmetric",
            "circular", "chain"])]
    pub(crate) strategy: Option<String>,

    /// How Ada tasks are looked at: state by state (exact), or as flow graphs of two groups of tasks, --left and the others (flow)
    #[arg(long, value_name = "WHICH", default_value = "exact", value_parser = ["exact", "flow"], hide_possible_values = true)]
    pub(crate) engine: String,

    /// With `--engine flow`: what is known beside the graphs: the variables that M1 touches (auto), nothing (none), or these
    /// variables and tasks
    #[arg(long, value_name = "auto|none|NAMES", default_value = "auto", value_delimiter = ',')]
    pub(crate) constraints: Vec<String>,

    /// Look for assumptions over few actions of the interface first, and over more where these do not suffice
    #[arg(long)]
    pub(crate) refine_alphabet: bool,

    /// Learn assumptions in this way
    #[arg(long, value_name = "NAME", value_parser = LEARNERS)]
    pub(crate) learner: Option<String>,

    #[command(flatten)]
    pub(crate) kept: Kept,

    #[command(flatten)]
    pub(crate) shelf: Shelf,

    /// Draw a lane for each component beside a trace
    #[arg(long)]
    pub(crate) lanes: bool,

    /// Write a certificate of everything that holds
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Write the assumptions of the proofs: .fsp, .aut, .json, .dot or .svg; several are numbered
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write a page that explains the answers: .html, .md or .txt
    #[arg(long, value_name = "FILE")]
    pub(crate) explanation: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reports: Reports,

    /// Say which states and transitions of each component, and of the property, occur in some run
    #[arg(long)]
    pub(crate) coverage: bool,

    /// Exit with 1 if a warning questions a verdict: a name that nobody has, a property that is vacuous or not checked
    #[arg(long)]
    pub(crate) strict: bool,
}
