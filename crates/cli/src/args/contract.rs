//! The command line of `rely contract`.

use std::path::PathBuf;

use clap::Args;

use super::Model;

/// Combine interface automata as contracts
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely contract compose messaging.lts --operands MSG,USR
  rely contract conjoin shop.lts --operands PAYS,DELIVERS -o both.fsp
  rely contract merge shop.lts --operands ORDERS,PAYMENTS
  rely contract quotient shop.lts --operands SHOP,CASHIER -o missing.fsp
  rely contract mirror messaging.lts --operands E_GOOD
  rely contract consistent shop.lts --operands PAYS,DELIVERS

Operations:
  compose     what the operands promise together, as long as the environment avoids what cannot be taken; of a single
              operand, the strongest contract without choices that it refines
  conjoin     what somebody has to do who keeps all operands: refines it exactly who refines each of them
  merge       what a part has to do that all operands describe, in an environment that keeps to all of them; a contract
              says nothing of actions that it does not have
  quotient    what is missing: refines it exactly who, beside the second operand, refines the first
  mirror      the contract of the other side: inputs and outputs are exchanged
  consistent  whether the operands stand in each other's way: one sends what another receives, or each could go on
              and all together cannot

The result is an interface automaton, printed as FSP. The exit status is 1 if there is no such contract, or if the
operands are not consistent.")]
pub(crate) struct Contract {
    /// compose, conjoin, merge, quotient, mirror or consistent
    #[arg(value_name = "OPERATION", value_parser = ["compose", "conjoin", "merge", "quotient", "mirror", "consistent"],
        hide_possible_values = true)]
    pub(crate) operation: String,

    #[command(flatten)]
    pub(crate) model: Model,

    /// Interface automata, or composites of them
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) operands: Vec<String>,

    /// Write the contract here; the ending chooses the format: .fsp, .aut, .dot, .json, .svg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
