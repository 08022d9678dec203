//! The best split at the smallest size, generalised to the others.
//!
//! It is looked for as `rely decompose --generalise` does, with the rule and the method of the strategy, before the first
//! run. The time that this takes is not part of any run.

use std::time::Instant;

use rely_session::report::{DecomposeResult, Finding};
use rely_session::study::strategy_named;
use rely_session::{Algorithm, DecomposeQuery, Extent, Larger, Method, Project, Strategy};

use crate::verbs::decompose::{MOST_OF_ALL, MOST_PROMISING};
use crate::watch::Watch;

/// A question about a system at several sizes: the projects, the smallest first, with what the size is in words.
pub(super) struct Question<'a> {
    pub(super) system: &'a str,
    pub(super) property: &'a str,
    pub(super) strategy: &'a str,
    pub(super) smallest: &'a Project,
    pub(super) larger: &'a [(String, Project)],
}

/// For the smallest size and each larger one, the first group of the split, or why there is none.
pub(super) type Found = Vec<Result<Vec<String>, String>>;

impl Question<'_> {
    /// Looks for the best split, and says what it is at every size. The error is what is wrong with the model.
    pub(super) fn answer(&self, watch: &Watch) -> anyhow::Result<Result<Found, Vec<Finding>>> {
        let Some((strategy, rule)) = strategy_named(self.strategy) else { return Ok(Ok(Vec::new())) };
        let start = Instant::now();
        let clock = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let query = DecomposeQuery {
            system: self.system.to_owned(),
            property: self.property.to_owned(),
            rule,
            method: match strategy {
                Strategy::Direct => Method::Direct,
                Strategy::Separate => Method::Separate,
                Strategy::Abstract => Method::Abstract,
                _ => Method::Learn(Algorithm::default()),
            },
            groups: 2,
            extent: Extent::Ranking { all: MOST_OF_ALL, promising: MOST_PROMISING },
            most_words: None,
            is_flat: false,
            larger: Larger { projects: self.larger, is_tried: false },
            clock: &clock,
        };
        let report = rely_session::decompose(self.smallest, &query, watch.budget())?;
        match report.results.as_slice() {
            [result] if !report.has_errors() => Ok(Ok(self.found(result))),
            _ => Ok(Err(report.diagnostics)),
        }
    }

    fn found(&self, result: &DecomposeResult) -> Found {
        let Some(best) = result.splits.first().filter(|split| split.best) else {
            let reason = result.reason.clone().or_else(|| result.limit.clone());
            let reason = reason.unwrap_or_else(|| "no split was decided at the smallest size".to_owned());
            return vec![Err(reason); 1 + self.larger.len()];
        };
        let left = |larger: &rely_session::report::LargerResult| match (&larger.reason, larger.groups.first())
        {
            (None, Some(left)) => Ok(left.clone()),
            (reason, _) => Err(reason.clone().unwrap_or_default()),
        };
        std::iter::once(Ok(best.left.clone())).chain(result.larger.iter().map(left)).collect()
    }
}
