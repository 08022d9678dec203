//! The command line of `rely decompose`.

use std::path::PathBuf;

use clap::Args;

use super::Model;
use super::verify::LEARNERS;

use super::values::parse_name;

/// Which way to split a system is best
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely decompose gas-station.lts --system SYSTEM --property A2_1_ONE_AT_PUMP1
  rely decompose gas-station.lts --system SYSTEM --property A2_1_ONE_AT_PUMP1 --all -o splits.csv
  rely decompose ring.lts --system RING --property P --rule chain --groups 3
  rely decompose gas-station.lts --system SYSTEM --property A2_1_ONE_AT_PUMP1 --define N=2 --generalise N=3..6 --verify

Every way to give the operands of the system to M1 and to M2 is tried, with more and more states, until one is decided;
those that need more than the best one are abandoned. Where there are more than --most splits, only those are tried
that have small interfaces and groups. --all tries every split to its end.

The peak is the most states that a step held when the groups were composed and reduced first, each once for all splits,
or without that if it was fewer. `rely verify --left` does not reduce groups first, so it may hold more for the same split.

--generalise takes the best split to larger sizes: operands that are repeated go where the one with the same index is,
or the last one that the property treats like the others.")]
pub(crate) struct Decompose {
    #[command(flatten)]
    pub(crate) model: Model,

    /// The system: a composite
    #[arg(short, long, value_name = "NAME")]
    pub(crate) system: String,

    /// The property process
    #[arg(short, long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) property: String,

    /// The rule (see `rely verify --help`)
    #[arg(short, long, value_name = "NAME", default_value = "simple", hide_default_value = true,
        value_parser = ["simple", "chain", "alternating", "conjunction", "symmetric", "circular"])]
    pub(crate) rule: String,

    /// Where assumptions come from: learn, direct, separate or abstract
    #[arg(long, value_name = "NAME", default_value = "learn", hide_default_value = true, hide_possible_values = true,
        value_parser = ["learn", "direct", "separate", "abstract"])]
    pub(crate) method: String,

    /// Learn assumptions in this way
    #[arg(long, value_name = "NAME", value_parser = LEARNERS)]
    pub(crate) learner: Option<String>,

    /// How many groups; rules that are not about two take any number
    #[arg(long, value_name = "N", default_value_t = 2, hide_default_value = true)]
    pub(crate) groups: usize,

    /// Split operands that are composites, too
    #[arg(long)]
    pub(crate) flat: bool,

    /// Try every split to its end
    #[arg(long)]
    pub(crate) all: bool,

    /// Try all splits if there are at most N, and otherwise the N most promising ones (1024 and 64)
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub(crate) most: Option<usize>,

    /// Give up a split when a learner has asked about N words; with --all, 20000
    #[arg(long, value_name = "N")]
    pub(crate) max_words: Option<usize>,

    /// What the best split is at other sizes, for example N=3..6
    #[arg(long, value_name = "NAME=FROM..TO", value_parser = parse_sizes)]
    pub(crate) generalise: Option<Sizes>,

    /// Try the generalised splits, and the whole product beside
    #[arg(long, requires = "generalise")]
    pub(crate) verify: bool,

    /// Write all splits to a file; the ending chooses the format: .csv, .md or .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Values of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    pub(crate) name: String,
    pub(crate) values: std::ops::RangeInclusive<i32>,
}

fn parse_sizes(text: &str) -> Result<Sizes, String> {
    let wrong = || "expected NAME=FROM..TO, such as N=3..6, or NAME=VALUE".to_owned();
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let (from, to) = values.split_once("..").unwrap_or((values, values));
    let number = |text: &str| text.trim().parse::<i32>().map_err(|_| wrong());
    let values = number(from)?..=number(to)?;
    if name.is_empty() || values.is_empty() {
        return Err(wrong());
    }
    Ok(Sizes { name: name.to_owned(), values })
}
