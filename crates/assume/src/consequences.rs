//! What an assumption means for the components that make it.
//!
//! **Problem.** An assumption may be met and be of no use: it may keep the components from ever doing something again,
//! as where somebody has to hold a lock for ever, or leave them with nothing to do at all. This is a hint that something
//! is wrong with the components, and worth knowing before an environment is written.
//!
//! **Source.** [Giannakopoulou, Păsăreanu, Barringer 2003] propose such an analysis in section 5.
//!
//! **Definitions.** Let M be the components, A the assumption over the interface Σ, and (m, a) a state of M ‖ A, which is
//! M in the most generous environment that is allowed. An action x of Σ is *withheld* in (m, a) if no path of M ‖ A from
//! there has x on it, although M alone could come to do it from m, or M does not have it. M is *stuck* in (m, a) if no
//! path from there has an action of M in Σ on it, or leads to the end of M, although one of M alone has. After words that
//! lead A to a, x is the *only way on* if M ‖ A can do x in some (m, a) and nothing else of Σ in any, although without A
//! there would be more.
//!
//! **Idea.** Everything outside of Σ is hidden, and M is reduced modulo branching bisimilarity, which keeps what can come
//! next in every state. Then it is reachability, backwards, for each action.
//!
//! **Invariants.** Only what the assumption brings about is reported: what M alone would never do again is not its
//! fault. Each action is reported once, after a shortest run.
//!
//! **Complexity.** O(|Σ| · m) for m transitions of M ‖ A, after M has been built and reduced.
//!
//! **Callers.** `rely assume`.

use std::sync::Arc;

use rely_base::{ActionId, Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Graph, Product, Search, generate};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, Lts, Network};

use crate::backwards::{reaching, sources};
use crate::{Assumption, Effort};

/// Something about actions that is so after a sequence of actions of the interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequel {
    /// The sequence, one of the shortest.
    pub after: Vec<String>,
    /// The actions.
    pub actions: Vec<String>,
}

/// What an assumption means for the components that make it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Consequences {
    /// What never occurs, from the start.
    pub never: Vec<String>,
    /// What can occur, and after some sequence never again; each action once.
    pub never_again: Vec<Sequel>,
    /// A sequence after which the components may be stuck.
    pub stuck: Option<Vec<String>>,
    /// Sequences after which a single action is left to go on with; nearest first.
    pub only: Vec<Sequel>,
}

/// What an assumption means for components that cannot fail by themselves.
///
/// # Errors
/// The limit of the budget that was met.
pub fn consequences(
    components: &[Component],
    assumption: &Assumption,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Consequences, Exhausted> {
    let interface = assumption.alphabet();
    let network = Network::new(components.to_vec()).with_hidden(|name| !interface.contains(name));
    let alone = generate(&network, budget)?;
    effort.held(alone.state_count());
    let alone = Arc::new(minimise(&alone, Equivalence::Branching, budget)?);
    let part = Component { name: "M".to_owned(), lts: Arc::clone(&alone) };
    let network = Network::new(vec![part, assumption.component("A")]);
    let product = Product::transparent(&network);
    let (graph, search) = Graph::explore(&product, budget)?;
    effort.held(graph.state_count());
    let place = |state| {
        let states = product.unpack(search.states().get(state));
        (states[0], states[1])
    };
    let places = graph.states().map(place).collect();
    let edges =
        graph.states().flat_map(|state| graph.edges(state).iter().map(move |edge| (state, edge.target)));
    let into = sources(graph.state_count(), edges);
    let edges = alone.transitions().map(|transition| (transition.source, transition.target));
    let into_alone = sources(alone.state_count(), edges);
    let alphabet = network.alphabet();
    Ok(Analysis { interface, alone: &alone, into_alone, alphabet, graph, into, search, places }.run())
}

struct Analysis<'a, 's> {
    interface: &'a Alphabet,
    /// M alone, over those actions of the interface that it has.
    alone: &'a Lts,
    /// For each of its states, where transitions into it come from.
    into_alone: Vec<Vec<StateId>>,
    /// The actions of M ‖ A.
    alphabet: &'a Alphabet,
    /// M ‖ A.
    graph: Graph,
    /// For each of its states, where transitions into it come from.
    into: Vec<Vec<StateId>>,
    search: Search<'s, Product<'s>>,
    /// For each state of M ‖ A the states of M and A.
    places: Vec<(StateId, StateId)>,
}

impl Analysis<'_, '_> {
    fn run(mut self) -> Consequences {
        let mut found = Consequences::default();
        self.look_for_withheld(&mut found);
        self.look_for_stuck(&mut found);
        self.look_for_only_ways(&mut found);
        found
    }

    /// The action of M by an action of the interface.
    fn own(&self, action: ActionId) -> Option<ActionId> {
        self.alone.alphabet().get(self.interface.name(action))
    }

    fn look_for_withheld(&mut self, found: &mut Consequences) {
        // For each state, what is withheld there for the first time.
        let mut first: Vec<(StateId, &str)> = Vec::new();
        for (action, name) in self.interface.iter() {
            let own = self.own(action);
            let together = Label::visible(self.alphabet.get(name).expect("the assumption has the action"));
            let has = |state: StateId| self.graph.edges(state).iter().any(|edge| edge.label == together);
            let possible = reaching(&self.into, self.graph.states().filter(|&state| has(state)));
            let possible_alone = own.map(|own| {
                let does = |&state: &StateId| !self.alone.edges_with(state, Label::visible(own)).is_empty();
                reaching(&self.into_alone, self.alone.states().filter(does))
            });
            let is_withheld = |state: &StateId| {
                let (m, _) = self.places[state.index()];
                !possible[state.index()] && possible_alone.as_ref().is_none_or(|alone| alone[m.index()])
            };
            first.extend(self.graph.states().find(is_withheld).map(|state| (state, name)));
        }
        first.sort_unstable();
        for group in first.chunk_by(|one, other| one.0 == other.0) {
            let actions: Vec<String> = group.iter().map(|(_, name)| (*name).to_owned()).collect();
            if group[0].0.index() == 0 {
                found.never = actions;
            } else {
                found.never_again.push(Sequel { after: self.word_to(group[0].0), actions });
            }
        }
    }

    fn look_for_stuck(&mut self, found: &mut Consequences) {
        let is_own = |label: Label| {
            label.action().is_some_and(|action| self.alone.alphabet().contains(self.alphabet.name(action)))
        };
        let is_end = |m: StateId| Some(m) == self.alone.end();
        let does = |&state: &StateId| {
            is_end(self.places[state.index()].0)
                || self.graph.edges(state).iter().any(|edge| is_own(edge.label))
        };
        let alive = reaching(&self.into, self.graph.states().filter(does));
        let does_alone =
            |&m: &StateId| is_end(m) || self.alone.edges(m).iter().any(|edge| edge.label.action().is_some());
        let alive_alone = reaching(&self.into_alone, self.alone.states().filter(does_alone));
        let is_stuck =
            |state: &StateId| !alive[state.index()] && alive_alone[self.places[state.index()].0.index()];
        let stuck = self.graph.states().find(is_stuck);
        found.stuck = stuck.map(|state| self.word_to(state));
    }

    fn look_for_only_ways(&mut self, found: &mut Consequences) {
        let mut known: Vec<Option<Ways>> = Vec::new();
        for state in self.graph.states() {
            let (m, a) = self.places[state.index()];
            if known.len() <= a.index() {
                known.resize_with(a.index() + 1, || None);
            }
            let none = vec![false; self.interface.len()];
            let nothing = || Ways { first: state, does: none.clone(), could: none };
            let Ways { does, could, .. } = known[a.index()].get_or_insert_with(nothing);
            for edge in self.graph.edges(state) {
                let name = edge.label.action().map(|action| self.alphabet.name(action));
                if let Some(action) = name.and_then(|name| self.interface.get(name)) {
                    does[action.index()] = true;
                }
            }
            for (action, _) in self.interface.iter() {
                let can = |own| !self.alone.edges_with(m, Label::visible(own)).is_empty();
                could[action.index()] |= self.own(action).is_none_or(can);
            }
        }
        let mut known: Vec<Ways> = known.into_iter().flatten().collect();
        known.sort_by_key(|ways| ways.first);
        for Ways { first, does, could } in known {
            let mut done = (0..does.len()).filter(|&i| does[i]);
            if let (Some(only), None) = (done.next(), done.next())
                && could.iter().filter(|&&could| could).count() > 1
            {
                let name = self.interface.name(ActionId::from_index(only)).to_owned();
                found.only.push(Sequel { after: self.word_to(first), actions: vec![name] });
            }
        }
    }

    /// What a shortest run to a state shows.
    fn word_to(&mut self, state: StateId) -> Vec<String> {
        let actions = self.search.trace_to(state).into_iter().filter_map(|step| step.label.action());
        actions.map(|action| self.alphabet.name(action).to_owned()).collect()
    }
}

/// The ways on from a state of A.
struct Ways {
    /// The first state of M ‖ A in which A is there.
    first: StateId,
    /// By action of the interface, whether M ‖ A can do it next.
    does: Vec<bool>,
    /// By action of the interface, whether M without A can do it next.
    could: Vec<bool>,
}
