//! The arguments of the verbs about interface automata: `compatible` and `refines`.

use std::path::PathBuf;

use clap::Args;

use super::Model;

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
  rely refines messaging.lts -i ENV -s E_GOOD --certificate env.cert && rely certify env.cert messaging.lts

The implementation has to accept every input that the specification accepts, and may send only what the specification
sends, now and after every such action (alternating simulation). It may have more inputs and fewer outputs, but no
input that is an output of the specification.")]
pub(crate) struct Refines {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The automaton that is to take the place of the other
    #[arg(short, long, value_name = "NAME")]
    pub(crate) implementation: String,

    /// The other
    #[arg(short, long, value_name = "NAME")]
    pub(crate) specification: String,

    /// Write a certificate if it can: pairs of states, an alternating simulation
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}
