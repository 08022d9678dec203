//! Searching a premise ⟨A⟩ M ⟨G⟩: can the goal fail while the components and the assumption do what they can?

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Product, Search, Visitor};
use rely_lts::{Component, ComponentId, Network};
use rustc_hash::FxHashSet;

use crate::Effort;

/// A sequence of visible actions, by name.
pub(crate) type Sequence = Vec<String>;

/// The visible actions of runs that fail, a shortest one first; none if there is no such run.
///
/// Up to `most` of them are gathered in one sweep, as long as they are about as short as the first.
///
/// # Errors
/// The limit of the budget that was met.
pub fn failures(
    components: Vec<Component>,
    most: usize,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Vec<Vec<String>>, Exhausted> {
    let network = Network::new(components);
    let product = Product::transparent(&network);
    let mut search = Search::new(&product);
    let mut harvest = Harvest { most, sources: Vec::new(), patience: 0 };
    let outcome = search.run(budget, &mut harvest);
    effort.held(search.states().len());
    if harvest.sources.is_empty() {
        outcome?;
        return Ok(Vec::new());
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for (source, label) in harvest.sources {
        let path = source.map_or(Ok(Vec::new()), |source| search.try_trace_to(source, budget))?;
        let labels = path.into_iter().map(|step| step.label).chain([label]);
        let names = labels.filter_map(Label::action).map(|action| network.alphabet().name(action).to_owned());
        let names: Sequence = names.collect();
        if seen.insert(names.clone()) {
            found.push(names);
        }
    }
    Ok(found)
}

/// Gathers transitions into the error state.
struct Harvest {
    most: usize,
    sources: Vec<(Option<StateId>, Label)>,
    /// How many more states may be expanded once there is something.
    patience: usize,
}

impl Visitor for Harvest {
    fn error(&mut self, source: Option<StateId>, label: Label, _component: ComponentId) {
        if self.sources.is_empty() {
            // As many states again as have been looked at: the search is breadth first, so what is found in them is
            // hardly longer.
            self.patience = source.map_or(0, Id::index);
        }
        if self.sources.len() < self.most {
            self.sources.push((source, label));
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.sources.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.sources.len() >= self.most || self.patience == 0 {
            return ControlFlow::Break(());
        }
        self.patience -= 1;
        ControlFlow::Continue(())
    }
}

/// What an observer of an alphabet sees of a sequence.
pub(crate) fn projected(sequence: &[String], alphabet: &Alphabet) -> Sequence {
    sequence.iter().filter(|name| alphabet.contains(name)).cloned().collect()
}
