//! The arguments of `mine`.

use clap::Args;

use super::{Kept, Model};

/// What is true of the interface of a component, whatever its environment does
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely mine boiler.srs --component Control
  rely check boiler.srs --component Control --environment mined
  rely mine boiler.srs --component Control --window 2
  rely mine boiler.srs --cache kept

All configurations of the environment are explored, so what is printed is true and can be relied on without a proof.
Events are counted in the microstep that produces them; the support of a rule is the number of configurations in which
it says something. With `--window 2` there are also rules about a microstep and the one before it (`never a after b`),
and about a microstep and the macrostep before (`never a after a macrostep with b`). Rules are kept: after a
change, those that have gone are named, with the proofs that rested on them; with `--trust-cache` an environment that has not
changed is not explored again.")]
pub(crate) struct Mine {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The component; may be given several times; all of them if none is given
    #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) component: Vec<String>,

    /// How many consecutive microsteps or macrosteps a rule may speak of: 1 or 2
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) window: u8,

    #[command(flatten)]
    pub(crate) kept: Kept,
}
