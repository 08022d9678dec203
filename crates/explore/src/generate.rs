//! Building the explicit transition system of a behaviour.
//!
//! States are numbered breadth first. All states where it has terminated become the one end state, under the
//! number of the first; the error state, if it is reachable, comes last.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rely_lts::{ComponentId, Lts, LtsBuilder, Network, Program, Transition};

use crate::count::Merger;
use crate::{Machine, Product, Search, System, Visitor};

/// The explicit product of a network, as it is seen from outside: hidden actions are silent and not in the alphabet.
///
/// # Errors
/// The limit of the budget that was met.
pub fn generate(network: &Network, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    budget.check(&Progress { bytes: Product::bytes_needed(network), ..Progress::default() })?;
    generate_system(&Product::new(network), budget)
}

/// Why a program has no explicit transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotGenerated {
    /// A limit was met.
    Exhausted(Exhausted),
    /// Runs leave the bounds within which the program is explored, because of this unit.
    Cut(ComponentId),
}

impl From<Exhausted> for NotGenerated {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// The explicit transition system of a program, as it is seen from outside. Some of its units alone are generated from their
/// [`Program::group`].
///
/// # Errors
/// The limit of the budget that was met, or a unit that makes runs leave the bounds of what is explored.
pub fn generate_program(program: &Program, budget: &Budget<'_>) -> Result<Lts, NotGenerated> {
    let machine = Machine::new(program);
    let mut search = Search::new(&machine);
    let mut generator = Generator::new(&machine);
    search.run(budget, &mut generator)?;
    let states = search.states().len();
    drop(search);
    match generator.cut {
        Some(unit) => Err(NotGenerated::Cut(unit)),
        None => Ok(generator.build(&machine, states)),
    }
}

/// The explicit transition system of a system that never leaves the bounds of what is explored.
///
/// # Errors
/// The limit of the budget that was met.
pub fn generate_system<S: System>(system: &S, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    let mut search = Search::new(system);
    let mut generator = Generator::new(system);
    search.run(budget, &mut generator)?;
    let states = search.states().len();
    drop(search);
    Ok(generator.build(system, states))
}

/// Stands for the error state until its number is known.
const ERROR: StateId = StateId::from_raw(u32::MAX);

struct Generator<'s, S: System> {
    merger: Merger<'s, S>,
    /// The transitions found, with [`ERROR`] for the error state; states have their number in the search.
    transitions: Vec<Transition>,
    /// Whether the error state was reached.
    error: bool,
    /// The first unit that makes a run leave the bounds.
    cut: Option<ComponentId>,
}

impl<'s, S: System> Generator<'s, S> {
    fn new(system: &'s S) -> Self {
        Self { merger: Merger::new(system), transitions: Vec::new(), error: false, cut: None }
    }

    /// The transition system, when all `found` states have been expanded.
    fn build(self, system: &S, found: usize) -> Lts {
        let numbers = self.numbers(found);
        let mut builder = LtsBuilder::with_states(system.alphabet().clone(), found - self.merger.merged());
        builder.set_end(self.merger.end().map(|end| numbers[end.index()]));
        let error = if self.error { builder.error_state() } else { ERROR };
        if found == 0 {
            builder.set_initial(error);
        }
        builder.reserve(self.transitions.len());
        for Transition { source, label, target } in self.transitions {
            let target = if target == ERROR { error } else { numbers[target.index()] };
            builder.add_transition(numbers[source.index()], label, target);
        }
        builder.build()
    }

    /// For each state of the search its number in the result: what is merged into the end state leaves no gap.
    fn numbers(&self, found: usize) -> Vec<StateId> {
        let mut next = 0;
        let mut numbers: Vec<StateId> = Vec::with_capacity(found);
        for state in (0..found).map(StateId::from_index) {
            let representative = self.merger.representative(state);
            if representative == state {
                numbers.push(StateId::from_index(next));
                next += 1;
            } else {
                numbers.push(numbers[representative.index()]);
            }
        }
        numbers
    }
}

impl<S: System> Visitor for Generator<'_, S> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        self.merger.discovered(state, words);
    }

    fn transition(&mut self, _source: StateId, label: Label, target: StateId) {
        self.merger.transition(label, Some(target));
    }

    fn error(&mut self, source: Option<StateId>, label: Label, _component: ComponentId) {
        self.error = true;
        if source.is_some() {
            self.merger.transition(label, None);
        }
    }

    fn cut(&mut self, _source: StateId, _label: Label, component: ComponentId) {
        self.cut.get_or_insert(component);
    }

    fn expanded(&mut self, source: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        let edges = self.merger.take_edges();
        self.transitions.extend(edges.map(|(label, target)| Transition {
            source,
            label,
            target: target.unwrap_or(ERROR),
        }));
        ControlFlow::Continue(())
    }

    /// The bytes held, twice for the transitions: their list may be about to grow, or the result is being built
    /// beside it.
    fn bytes(&self) -> usize {
        self.merger.bytes() + 2 * self.transitions.capacity() * size_of::<Transition>()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rely_base::{Limits, Observer, Progress, Resource};
    use rely_testkit::networks::philosophers;

    use super::*;

    /// The largest number of bytes that was ever reported to the budget.
    struct Most(AtomicUsize);

    impl Observer for Most {
        fn observe(&self, progress: &Progress) -> Option<Resource> {
            self.0.fetch_max(progress.bytes, Ordering::Relaxed);
            None
        }
    }

    #[test]
    fn what_is_generated_is_counted_with_room_for_the_result() {
        let network = philosophers(6);
        let most = Most(AtomicUsize::new(0));
        let lts = generate(&network, &Budget::new(Limits::default(), Some(&most))).expect("nobody stops it");
        let listed = lts.transition_count() * size_of::<Transition>();
        let told = most.0.into_inner();
        assert!(told > lts.bytes() + listed, "{told} bytes; the result takes {}", lts.bytes());
    }
}
