//! The command line of studies.

use std::num::{IntErrorKind, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use super::values::parse_name;

/// Many runs of verify, over sizes, properties and strategies
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely study relay.lts --system SYSTEM --size N=2..8 --strategy monolithic,auto,learn -o relay
  rely study *.lts --system SYSTEM --size N=2..40 --until-states 1000000 --timeout 10m --isolated -o out
  rely study gas.lts --system SYSTEM --size N=2 --strategy learn --split all -o splits
  rely study *.lts --system SYSTEM --size N=2..10 --shard 3/8 -o part3 && rely merge part* -o whole

Each result is a line of DIR/results.jsonl, written when the run has ended. What is there is not computed again, so the
same command goes on where it was stopped. At the end the folder has report.md, results.csv and figures (.svg).
--timeout, --max-memory and --max-states are limits of each run.")]
pub(crate) struct Study {
    /// FSP files, each with the system
    #[arg(required_unless_present = "single", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The system: a composite; where several are given, each file has at least one of them
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', required_unless_present = "single")]
    pub(crate) system: Vec<String>,

    /// A property process, in the files that have it; every one if none is given
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', value_parser = parse_name)]
    pub(crate) property: Vec<String>,

    /// Not these properties
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) except: Vec<String>,

    /// The values of constants: N=2..10 or N=2,4,8. The first constant is the size of the system
    #[arg(long, value_name = "NAME=VALUES", value_parser = parse_values)]
    pub(crate) size: Vec<Values>,

    /// The strategies of `verify`, or the names of rules, which learn assumptions for that rule
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "monolithic,auto")]
    pub(crate) strategy: Vec<String>,

    /// For strategies with a rule: the first group, or `all` ways to divide the system in two, or `chosen`; and
    /// `generalised`, which is the best one at the smallest size, taken to the others
    #[arg(long, value_name = "PART|all|chosen|generalised", value_delimiter = ',', default_value = "chosen")]
    pub(crate) split: Vec<String>,

    /// How often each run is done
    #[arg(long, value_name = "N", default_value = "1", hide_default_value = true)]
    pub(crate) repeat: NonZeroUsize,

    /// Raise the size until the strategy monolithic passes STATES states, and use that size for the others
    #[arg(long, value_name = "STATES")]
    pub(crate) until_states: Option<usize>,

    /// Do not try a strategy on larger systems once it has met a limit
    #[arg(long, conflicts_with = "until_states")]
    pub(crate) stop_at_limit: bool,

    /// Only part I of N
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub(crate) shard: Option<(usize, usize)>,

    /// Each run in a process of its own, whose memory is measured and whose end is not that of the study
    #[arg(long)]
    pub(crate) isolated: bool,

    /// Measure, too, what each proof costs when its assumptions are given
    #[arg(long)]
    pub(crate) reuse: bool,

    /// The folder for results, tables and figures
    #[arg(short, long, value_name = "DIR", required_unless_present = "single")]
    pub(crate) output: Option<PathBuf>,

    /// One run, as JSON; for processes that a study starts
    #[arg(long, value_name = "RUN", hide = true)]
    pub(crate) single: Option<String>,
}

/// Put together what a study on several machines has found
#[derive(Args, Debug)]
#[command(after_help = "Example:
  rely merge part1 part2 part3 -o whole

Results that contradict each other are an error.")]
pub(crate) struct Merge {
    /// Folders of `rely study`
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// The folder for all results, tables and figures
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

/// Constants with their values, as in `N=2..4,8,M=1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Values(pub(crate) Vec<(String, Vec<i32>)>);

fn parse_values(text: &str) -> Result<Values, String> {
    let mut sizes: Vec<(String, Vec<i32>)> = Vec::new();
    for part in text.split(',') {
        let values = match part.split_once('=') {
            Some((name, values)) => {
                sizes.push((name.trim().to_owned(), Vec::new()));
                values
            }
            None => part,
        };
        let (_, all) = sizes.last_mut().ok_or("write NAME=VALUES, such as N=2..10 or N=2,4,8")?;
        all.extend(parse_range(values)?);
    }
    for (_, values) in &mut sizes {
        values.sort_unstable();
        values.dedup();
    }
    Ok(Values(sizes))
}

/// One value, or those from one to another.
fn parse_range(text: &str) -> Result<std::ops::RangeInclusive<i32>, String> {
    const MOST: i64 = 10_000;
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (parse_value(low)?, parse_value(high)?);
    match i64::from(high) - i64::from(low) {
        length if length < 0 => Err(format!("{low}..{high} is empty")),
        length if length >= MOST => Err(format!("{low}..{high} has more than {MOST} values")),
        _ => Ok(low..=high),
    }
}

fn parse_value(text: &str) -> Result<i32, String> {
    let text = text.trim();
    text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("`{text}` is too large: the largest value is {}", i32::MAX),
        IntErrorKind::NegOverflow => format!("`{text}` is too small: the smallest value is {}", i32::MIN),
        _ => format!("`{text}` is not a whole number"),
    })
}

fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let parts = text.split_once('/').and_then(|(part, of)| Some((number(part)?, number(of)?)));
    let (part, of) = parts.ok_or("write I/N, such as 1/4 for the first of four parts")?;
    match (1..=of).contains(&part) {
        true => Ok((part, of)),
        false => Err(format!("there is no part {part} of {of}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_constants() {
        let sizes = |text: &str| parse_values(text).map(|sizes| sizes.0);
        let named = |name: &str, values: &[i32]| (name.to_owned(), values.to_vec());
        assert_eq!(sizes("N=2..4"), Ok(vec![named("N", &[2, 3, 4])]));
        assert_eq!(sizes("N=8,2..3,3,M=-1"), Ok(vec![named("N", &[2, 3, 8]), named("M", &[-1])]));
        assert_eq!(sizes("N=5..2"), Err("5..2 is empty".to_owned()));
        let message = |text: &str| sizes(text).expect_err("it is wrong");
        assert_eq!(message("N=x"), "`x` is not a whole number");
        assert_eq!(
            message("N=1000000000000"),
            "`1000000000000` is too large: the largest value is 2147483647"
        );
        assert_eq!(message("N=-3000000000"), "`-3000000000` is too small: the smallest value is -2147483648");
        for wrong in ["", "N", "3", "N=", "N=a", "N=1..", "N=-2000000000..2000000000"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_shard("2/3"), Ok((2, 3)));
        for wrong in ["3/2", "0/2", "1", "a/b", "1/0", ""] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
