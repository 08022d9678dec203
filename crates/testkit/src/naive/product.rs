//! The product of a network, straight from the definition: states are tuples of component states.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder, Network, Rank};

/// A state of each component.
pub type Tuple = Vec<StateId>;

/// A transition of a tuple: an action before hiding, or nothing for τ, and where it leads.
pub type Move = (Option<ActionId>, Tuple);

/// The reachable tuples, those with a component in its error state included.
#[derive(Clone, Debug)]
pub struct NaiveProduct {
    /// Where the network starts.
    pub initial: Tuple,
    /// The transitions of each reachable tuple.
    pub moves: BTreeMap<Tuple, BTreeSet<Move>>,
    /// The length of a shortest run to each reachable tuple.
    pub distance: BTreeMap<Tuple, usize>,
}

impl NaiveProduct {
    /// The product of a network.
    pub fn new(network: &Network) -> Self {
        let initial = initial(network);
        let mut moves = BTreeMap::new();
        let mut distance = BTreeMap::from([(initial.clone(), 0)]);
        let mut level = BTreeSet::from([initial.clone()]);
        let mut depth = 0;
        while !level.is_empty() {
            depth += 1;
            let mut next = BTreeSet::new();
            for tuple in level {
                let possible = moves_of(network, &tuple);
                for (_, target) in &possible {
                    if !distance.contains_key(target) {
                        distance.insert(target.clone(), depth);
                        next.insert(target.clone());
                    }
                }
                moves.insert(tuple, possible);
            }
            level = next;
        }
        Self { initial, moves, distance }
    }
}

/// The tuple of states with some numbers.
pub fn tuple(numbers: &[u32]) -> Tuple {
    numbers.iter().copied().map(StateId::from_raw).collect()
}

/// Where the network starts.
pub fn initial(network: &Network) -> Tuple {
    network.components().iter().map(|component| component.lts.initial()).collect()
}

/// Whether some component is in its error state; and the first that is.
pub fn error_in(network: &Network, tuple: &[StateId]) -> Option<usize> {
    (0..tuple.len()).find(|&i| network.components()[i].lts.error() == Some(tuple[i]))
}

/// Whether some run leads some of these components to their error states, where nothing has failed before its last step.
pub fn breaks(network: &Network, components: &[usize]) -> bool {
    breaks_beside(network, components, &[])
}

/// Whether some run leads some of these components to their error states, where observers never count as failed: they
/// go on, and refuse nothing.
pub fn breaks_beside(network: &Network, components: &[usize], observers: &[usize]) -> bool {
    let network = network.clone().with_behaviours(|id, lts| match observers.contains(&id.index()) {
        true => Arc::new(going_on(lts, lts.alphabet())),
        false => Arc::clone(lts),
    });
    let failed = |tuple: &Tuple, i: usize| network.components()[i].lts.error() == Some(tuple[i]);
    let product = NaiveProduct::new(&network);
    product.moves.keys().any(|tuple| components.iter().any(|&i| failed(tuple, i)))
}

/// Whether some run leads some of these components to their error states, where other components halt if they fail,
/// and the rest goes on.
pub fn breaks_with_halting(network: &Network, components: &[usize], observers: &[usize]) -> bool {
    let network = network.clone().with_behaviours(|id, lts| {
        let is_kept = components.contains(&id.index()) || observers.contains(&id.index());
        if is_kept { Arc::clone(lts) } else { Arc::new(going_on(lts, &Alphabet::new())) }
    });
    breaks_beside(&network, components, observers)
}

/// A system whose error state is an ordinary one that it never leaves, and in which it takes these actions.
fn going_on(lts: &Lts, actions: &Alphabet) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    for (error, name) in
        lts.error().into_iter().flat_map(|error| actions.names().map(move |name| (error, name)))
    {
        let action = lts.alphabet().get(name).expect("it takes actions of its own");
        builder.add_transition(error, Label::visible(action), error);
    }
    builder.build()
}

/// Whether the network has terminated: nothing is possible, some component has an end state, all that have one are in
/// it, and the others have no action of their own.
pub fn is_terminated(network: &Network, tuple: &[StateId]) -> bool {
    let lts = |i: usize| &network.components()[i].lts;
    let all = 0..tuple.len();
    let (ending, running): (Vec<usize>, Vec<usize>) = all.partition(|&i| lts(i).end().is_some());
    let ending_alphabet: BTreeSet<&str> = ending.iter().flat_map(|&i| lts(i).alphabet().names()).collect();
    !ending.is_empty()
        && running.iter().flat_map(|&i| lts(i).alphabet().names()).all(|name| ending_alphabet.contains(name))
        && ending.iter().all(|&i| lts(i).end() == Some(tuple[i]))
        && error_in(network, tuple).is_none()
        && moves_of(network, tuple).is_empty()
}

/// Whether the network is stuck: nothing is possible, and it has neither failed nor terminated.
pub fn is_deadlocked(network: &Network, tuple: &[StateId]) -> bool {
    error_in(network, tuple).is_none()
        && moves_of(network, tuple).is_empty()
        && !is_terminated(network, tuple)
}

/// The transitions of a tuple.
pub fn moves_of(network: &Network, tuple: &[StateId]) -> BTreeSet<Move> {
    if error_in(network, tuple).is_some() {
        return BTreeSet::new();
    }
    let mut possible = BTreeSet::new();
    for (i, component) in network.components().iter().enumerate() {
        for transition in component.lts.transitions() {
            if transition.source == tuple[i] && transition.label == Label::TAU {
                let mut next = tuple.to_vec();
                next[i] = transition.target;
                possible.insert((None, next));
            }
        }
    }
    for (action, name) in network.alphabet().iter() {
        for next in joint(network, tuple, name) {
            possible.insert((Some(action), next));
        }
    }
    prefer(network, possible)
}

/// The tuples that the components with an action in their alphabet can reach together, while the others stay.
fn joint(network: &Network, tuple: &[StateId], name: &str) -> Vec<Tuple> {
    let mut partial: Vec<Tuple> = vec![Vec::new()];
    for (i, component) in network.components().iter().enumerate() {
        let choices: Vec<StateId> = match component.lts.alphabet().get(name) {
            None => vec![tuple[i]],
            Some(action) => component
                .lts
                .transitions()
                .filter(|t| t.source == tuple[i] && t.label == Label::visible(action))
                .map(|t| t.target)
                .collect(),
        };
        partial = partial
            .iter()
            .flat_map(|prefix| {
                choices.iter().map(move |&state| prefix.iter().copied().chain([state]).collect::<Tuple>())
            })
            .collect();
    }
    partial
}

/// The possible transitions that remain under the priority of the network.
fn prefer(network: &Network, possible: BTreeSet<Move>) -> BTreeSet<Move> {
    let Some(priority) = network.priority() else { return possible };
    let ordered = |action: &Option<ActionId>| action.is_none_or(|a| a.index() < priority.actions.len());
    let named = |action: &Option<ActionId>| action.is_some_and(|action| priority.actions[action.index()]);
    let first = |(action, _): &Move| match priority.rank {
        Rank::High => named(action),
        Rank::Low => !named(action),
    };
    match possible.iter().any(|step| ordered(&step.0) && first(step)) {
        true => possible.into_iter().filter(|step| !ordered(&step.0) || first(step)).collect(),
        false => possible,
    }
}
