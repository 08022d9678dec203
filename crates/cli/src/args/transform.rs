//! The arguments of the verbs that make a transition system: `compose`, `minimise` and `convert`.

use std::path::PathBuf;

use clap::Args;

use super::Model;

/// Build the product of a composite and count or store it
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely compose philosophers.lts
  rely compose philosophers.lts --target DINERS -o diners.aut")]
pub(crate) struct Compose {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) target: Vec<String>,

    /// Take every composite, also those that others use
    #[arg(long, conflicts_with_all = ["target", "output"])]
    pub(crate) all_targets: bool,

    /// Write the product here; the ending chooses the format: .aut, .dot, .json, .fsp
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Count by a decision diagram, for products that are too large to be visited state by state
    #[arg(long, conflicts_with = "output")]
    pub(crate) diagram: bool,
}

/// Reduce a composite modulo an equivalence
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely minimise philosophers.lts
  rely minimise big.aut --equivalence branching -o small.aut

Equivalences, from fine to coarse: strong; divergence-branching and branching, which abstract from silent steps
and keep the branching structure; weak, which is observational equivalence, as in LTSA; trace and weak-trace, which
keep sequences of actions only; safety, which keeps the sequences that lead to an error.

Without --equivalence it is weak. An interface automaton is reduced less: it keeps where it takes its inputs, so that it
is compatible with the same partners and refines the same specifications. Of the equivalences only strong does, too;
the others are warned of (W0002).")]
pub(crate) struct Minimise {
    #[command(flatten)]
    pub(crate) model: Model,

    /// A process or composite of the file
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) target: Vec<String>,

    /// Take every composite, also those that others use
    #[arg(long, conflicts_with_all = ["target", "output"])]
    pub(crate) all_targets: bool,

    /// What the result has to be equivalent to the product in
    #[arg(short, long, value_name = "NAME",
        value_parser = ["weak", "branching", "divergence-branching", "strong", "trace", "weak-trace", "safety"])]
    pub(crate) equivalence: Option<String>,

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

    /// How the silent action is written in .aut: `i` as CADP does, which is the default, `tau` as mCRL2 and LTSA do
    #[arg(long, value_name = "NAME", value_parser = ["i", "tau"])]
    pub(crate) tau: Option<String>,
}
