//! Searching a premise ⟨A⟩ M ⟨G⟩: can the goal fail while the components and the assumption do what they can?

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Outcome, Prey, Product, Search, Step, StubbornSearch, Visitor, shortened};
use rely_lts::{Component, ComponentId, Network};
use rustc_hash::FxHashSet;

use crate::Effort;

/// A sequence of visible actions, by name.
pub(crate) type Sequence = Vec<String>;

/// The visible actions of runs that fail, a shortest one first where few states have to be looked at; none if there is no
/// such run.
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
    let mut harvest = Harvest::of(most);
    let outcome = search.run_until(FEW, budget, &mut harvest);
    effort.held(search.states().len());
    let names = |path: Vec<Step>, label: Label| -> Sequence {
        let labels = path.into_iter().map(|step| step.label).chain([label]);
        labels.filter_map(Label::action).map(|action| network.alphabet().name(action).to_owned()).collect()
    };
    let mut found = Sequences::default();
    if outcome == Ok(Outcome::Paused) && harvest.sources.is_empty() {
        drop(search);
        let mut search = StubbornSearch::new(&product);
        let mut harvest = Harvest::of(most);
        let outcome = search.run(budget, &mut harvest);
        effort.held(search.states().len());
        if harvest.sources.is_empty() {
            outcome?;
        }
        for (source, label, component) in harvest.sources {
            let path = source.map_or(Ok(Vec::new()), |source| search.try_trace_to(source, budget))?;
            // It may be much longer than need be, and whoever learns from it wants few steps.
            let Prey { path, failure, .. } = shortened(&product, search.states(), &path, (label, component));
            found.add(names(path, failure.0));
        }
        return Ok(found.all);
    }
    if harvest.sources.is_empty() {
        outcome?;
    }
    for (source, label, _) in harvest.sources {
        let path = source.map_or(Ok(Vec::new()), |source| search.try_trace_to(source, budget))?;
        found.add(names(path, label));
    }
    Ok(found.all)
}

/// How many states are searched completely, which gives shortest runs. Beyond that, only those are looked at that stubborn
/// sets lead to.
const FEW: usize = 1 << 12;

/// Sequences, each once.
#[derive(Default)]
struct Sequences {
    all: Vec<Sequence>,
    seen: FxHashSet<Sequence>,
}

impl Sequences {
    fn add(&mut self, sequence: Sequence) {
        if self.seen.insert(sequence.clone()) {
            self.all.push(sequence);
        }
    }
}

/// Gathers transitions into the error state.
struct Harvest {
    most: usize,
    sources: Vec<(Option<StateId>, Label, ComponentId)>,
    /// How many more states may be expanded once there is something.
    patience: usize,
}

impl Harvest {
    fn of(most: usize) -> Self {
        Self { most, sources: Vec::new(), patience: 0 }
    }
}

impl Visitor for Harvest {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        if self.sources.is_empty() {
            // As many states again as have been looked at: the search is breadth first, so what is found in them is
            // hardly longer.
            self.patience = source.map_or(0, Id::index);
        }
        if self.sources.len() < self.most {
            self.sources.push((source, label, component));
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
