//! Failures that lie deep.
//!
//! A hunt looks for some run that fails, however long, where a search level by level would have to visit too many states
//! ([`rely_explore::Hunt`]). What it finds is told and replayed like any other counterexample. It is not said to be shortest
//! unless somebody else knows how many steps a failure takes at least.

use rely_base::{Budget, Exhausted, Resource};
use rely_explore::{Hunt, Product};

use crate::reachability::tell_prey;
use crate::{Decision, Explored, Limit, ReplayError, Verdict};

/// A hunt for a failure that can be put off.
pub struct FailureHunt<'p, 'n> {
    product: &'p Product<'n>,
    seed: u64,
    /// Nothing before it has begun, and after it has come to its end.
    hunt: Option<Hunt<'p, 'n>>,
    is_over: bool,
    /// The most states that were held.
    states: usize,
}

impl<'p, 'n> FailureHunt<'p, 'n> {
    /// A hunt that has not begun, in a product seen through its hiding. The seed decides which of many ways it goes.
    pub fn new(product: &'p Product<'n>, seed: u64) -> Self {
        Self { product, seed, hunt: None, is_over: false, states: 0 }
    }

    /// Goes on with `work` more work, in transitions of the product; the counterexample if there is one. A failure is known to
    /// take at least `least` steps.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn run_for(
        &mut self,
        work: usize,
        least: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<Decision<Limit>>, ReplayError> {
        if self.is_over {
            return Ok(None);
        }
        let hunt = self.hunt.get_or_insert_with(|| Hunt::new(self.product, self.seed));
        let found = hunt.run_for(work, budget);
        self.states = self.states.max(hunt.states());
        let explored = Explored { states: self.states, transitions: 0 };
        let prey = match found {
            // With more states allowed it can go on.
            Err(Exhausted { resource: Resource::States, .. }) => return Ok(None),
            // Another limit that is met here is met by the other searches as well, which say so.
            Err(_) => {
                self.end();
                return Ok(None);
            }
            Ok(None) => {
                if hunt.is_over() {
                    self.end();
                }
                return Ok(None);
            }
            Ok(Some(prey)) => prey,
        };
        self.end();
        let told = tell_prey(self.product, prey, least, budget, 0);
        let decision = Decision::violated(self.product.network().into(), told, explored, budget)?;
        // A run that is too long to be told is as good as none.
        Ok(Some(decision).filter(|decision| matches!(decision.verdict, Verdict::Violated(_))))
    }

    /// Gives back what the hunt holds.
    fn end(&mut self) {
        self.hunt = None;
        self.is_over = true;
    }

    /// The most states that were held.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Bytes that the hunt holds.
    pub fn bytes(&self) -> usize {
        self.hunt.as_ref().map_or(0, Hunt::bytes)
    }
}
