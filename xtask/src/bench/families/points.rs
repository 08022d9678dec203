//! What was measured, as lines of words.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::FILE;

/// One run.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) family: String,
    pub(super) property: String,
    pub(super) size: usize,
    /// The strategy that was asked for, and the one that decided.
    pub(super) strategy: String,
    pub(super) decided_by: String,
    pub(super) verdict: String,
    pub(super) states: u64,
    pub(super) seconds: f64,
    pub(super) megabytes: f64,
    /// Millions, where they were counted.
    pub(super) instructions: Option<f64>,
    pub(super) is_set_aside: bool,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { family, property, size, strategy, decided_by, verdict, states, .. } = self;
        let aside = if self.is_set_aside { "aside" } else { "seen" };
        write!(f, "{aside} {family} {property} {size} {strategy} {decided_by} {verdict} {states} ")?;
        write!(f, "{:.3} {:.1} ", self.seconds, self.megabytes)?;
        match self.instructions {
            Some(millions) => write!(f, "{millions:.1}"),
            None => write!(f, "-"),
        }
    }
}

impl Point {
    fn read(line: &str) -> Result<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [
            aside,
            family,
            property,
            size,
            strategy,
            decided_by,
            verdict,
            states,
            seconds,
            megabytes,
            millions,
        ] = words[..]
        else {
            bail!("a line of {FILE} has eleven words: {line}");
        };
        Ok(Self {
            family: family.to_owned(),
            property: property.to_owned(),
            size: size.parse()?,
            strategy: strategy.to_owned(),
            decided_by: decided_by.to_owned(),
            verdict: verdict.to_owned(),
            states: states.parse()?,
            seconds: seconds.parse()?,
            megabytes: megabytes.parse()?,
            instructions: (millions != "-").then(|| millions.parse()).transpose()?,
            is_set_aside: aside == "aside",
        })
    }
}

/// What was measured last.
pub(super) fn known(root: &Path) -> Result<Vec<Point>> {
    let text = std::fs::read_to_string(root.join(FILE)).context(FILE)?;
    text.lines().map(|line| Point::read(line).with_context(|| line.to_owned())).collect()
}

/// The lines of a file, by family.
pub(super) fn written(points: &mut [Point]) -> String {
    points.sort_by(|one, other| one.family.cmp(&other.family));
    points.iter().map(|point| format!("{point}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in [
            "aside ring MUTEX 12 auto reduce holds 4097 0.012 8.5 -",
            "seen ring MUTEX 12 monolithic monolithic violated 7 0.010 8.0 31.5",
        ] {
            assert_eq!(Point::read(line).unwrap().to_string(), line);
        }
        assert!(Point::read("ring").is_err());
    }
}
