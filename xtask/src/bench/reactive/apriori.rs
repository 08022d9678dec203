//! A general miner of association rules as a peer: Apriori as in mlxtend (PyPI), on the same configurations.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use rely_reactive::configurations::Valuation;

/// The items are what rules may speak of: each event, its absence, and the number of the microstep. Rules have confidence 1. All
/// subsets of a configuration are frequent, since one that occurs once counts; so their size is limited.
const SCRIPT: &str = "
import sys, time
import pandas as pd
from mlxtend.frequent_patterns import apriori, association_rules
rows = [line.split() for line in open(sys.argv[1])]
events = len(rows[0]) - 1
frame = {}
for event in range(events):
    there = [row[1 + event] == '1' for row in rows]
    frame['e%d' % event] = there
    frame['!e%d' % event] = [not it for it in there]
for ms in sorted({row[0] for row in rows}):
    frame['ms=' + ms] = [row[0] == ms for row in rows]
frame = pd.DataFrame(frame)
start = time.process_time()
sets = apriori(frame, min_support=0.5 / len(rows), use_colnames=True, max_len=3)
rules = association_rules(sets, metric='confidence', min_threshold=1.0)
print(time.process_time() - start, len(sets), len(rules))
";

/// Prints a line about mining a list of configurations, whose valuations have `events` events, if mlxtend is installed.
pub(super) fn line(list: &[(i32, Valuation)], events: usize, folder: &Path) -> Result<()> {
    let mut text = String::new();
    for (microstep, valuation) in list {
        write!(text, "{microstep}")?;
        for event in 0..events {
            write!(text, " {}", valuation >> event & 1)?;
        }
        text.push('\n');
    }
    let path = folder.join("configurations");
    std::fs::write(&path, text).context("a list of configurations")?;
    let output = Command::new("python3").args(["-c", SCRIPT]).arg(&path).output();
    match output {
        Ok(output) if output.status.success() => {
            let found = String::from_utf8_lossy(&output.stdout).into_owned();
            let [seconds, sets, rules] = found.split_whitespace().collect::<Vec<_>>()[..] else {
                anyhow::bail!("mlxtend says: {found}");
            };
            println!("{:>14} Apriori, up to 3 items: {seconds} s, {sets} sets, {rules} rules", list.len());
        }
        _ => println!("               Apriori: skipped, mlxtend is not installed (pip install mlxtend)"),
    }
    Ok(())
}
