//! The arguments of `mine`.

use clap::Args;

use super::Model;

/// What is true of the interface of a component, whatever its environment does
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely mine boiler.srs --component Control
  rely check boiler.srs --component Control --environment mined
  rely mine boiler.srs --component Control --window 2

All configurations of the environment are explored, so what is printed is true and can be relied on without a proof.
Events are counted in the microstep that produces them; the support of a rule is the number of configurations in which
it says something. With `--window 2` there are also rules about a microstep and the one before it (`never a after b`),
and about a microstep and the macrostep before (`never a after a macrostep with b`).")]
pub(crate) struct Mine {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The component; may be given several times
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) component: Vec<String>,

    /// How many consecutive microsteps or macrosteps a rule may speak of: 1 or 2
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) window: u8,
}
