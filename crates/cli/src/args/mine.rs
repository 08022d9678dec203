//! The arguments of `mine`.

use clap::Args;

use super::Model;

/// What is true of the interface of a component, whatever its environment does
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely mine boiler.srs --component Control
  rely check boiler.srs --component Control --environment mined

All configurations of the environment are explored, so what is printed is true and can be relied on without a proof.
Events are counted in the microstep that produces them; the support of a rule is the number of configurations in which
it says something.")]
pub(crate) struct Mine {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The component; may be given several times
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) component: Vec<String>,
}
