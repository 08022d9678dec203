//! A process under construction: states, transitions, and aliases of states.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use rely_model::{Signature, StateNames};
use rustc_hash::FxHashMap;

use super::process::display;

/// Where a transition can lead while the process is under construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    State(usize),
    Error,
}

/// A process under construction.
#[derive(Default)]
pub(super) struct Machine {
    pub(super) alphabet: Alphabet,
    /// The label that accepting states repeat: `@` and the name of the process with its actual parameters.
    pub(super) acceptance: String,
    /// The places of the local processes by name and index, of `STOP`, `END` and of what is not defined.
    pub(super) places: FxHashMap<String, Place>,
    /// For each state, the place that it is an alias of.
    pub(super) aliases: Vec<Option<Place>>,
    pub(super) transitions: Vec<(usize, Label, Place)>,
    /// The names of states that are copies of those of another process.
    pub(super) copied: Vec<(usize, String)>,
    /// The roles of the actions, if it is an interface automaton.
    pub(super) signature: Option<Signature>,
    /// The bytes that have been paid for, to be taken back when the process is finished.
    pub(super) held: usize,
}

impl Machine {
    pub(super) fn add_state(&mut self) -> usize {
        self.aliases.push(None);
        self.aliases.len() - 1
    }

    /// Inserts a copy of a process, given with the names of its states; its end is replaced by a place. Returns the
    /// place where the copy starts.
    pub(super) fn insert(
        &mut self,
        (lts, states): (&Lts, Option<&StateNames>),
        name: &str,
        end: Place,
    ) -> Place {
        let labels: Vec<Label> = std::iter::once(Label::TAU)
            .chain(lts.alphabet().names().map(|name| Label::visible(self.alphabet.intern(name))))
            .collect();
        let places: Vec<Place> = lts
            .states()
            .map(|state| match Some(state) {
                state if state == lts.end() => end,
                state if state == lts.error() => Place::Error,
                _ => Place::State(self.add_state()),
            })
            .collect();
        for (state, &place) in lts.states().zip(&places) {
            if let (Place::State(copy), true) = (place, Some(state) != lts.end()) {
                let name = states.and_then(|states| states.of(state)).unwrap_or_else(|| name.to_owned());
                self.copied.push((copy, name));
            }
        }
        for transition in lts.transitions() {
            if let Place::State(source) = places[transition.source.index()] {
                let target = places[transition.target.index()];
                self.transitions.push((source, labels[transition.label.index()], target));
            }
        }
        places[lts.initial().index()]
    }

    /// For each state, where its aliases lead; `None` if they are circular. Each is followed once.
    pub(super) fn resolve(&self) -> Vec<Option<Place>> {
        let mut resolved: Vec<Option<Place>> = vec![None; self.aliases.len()];
        let mut is_met = vec![false; self.aliases.len()];
        for start in 0..self.aliases.len() {
            let mut chain = Vec::new();
            let mut place = Place::State(start);
            let end = loop {
                match place {
                    Place::Error => break Some(place),
                    Place::State(state) if is_met[state] => break resolved[state],
                    Place::State(state) => {
                        is_met[state] = true;
                        chain.push(state);
                        match self.aliases[state] {
                            Some(next) => place = next,
                            None => break Some(place),
                        }
                    }
                }
            };
            // If the chain returned to itself, its last state is not resolved, and so all of it is unresolved.
            chain.iter().for_each(|&state| resolved[state] = end);
        }
        resolved
    }

    /// Which states can be reached from a place, aliases included.
    pub(super) fn reachable(&self, initial: Place) -> Vec<bool> {
        let mut targets: Vec<Vec<Place>> = self.aliases.iter().map(|alias| Vec::from_iter(*alias)).collect();
        self.transitions.iter().for_each(|&(source, _, target)| targets[source].push(target));
        let mut is_reached = vec![false; self.aliases.len()];
        let mut open = vec![initial];
        while let Some(place) = open.pop() {
            if let Place::State(state) = place
                && !std::mem::replace(&mut is_reached[state], true)
            {
                open.extend(&targets[state]);
            }
        }
        is_reached
    }

    /// The transition system with all states. All aliases that are reached have to be resolved.
    pub(super) fn finish(&self, initial: Place, resolved: &[Option<Place>]) -> Lts {
        let resolve = |place: Place| match place {
            Place::State(state) => resolved[state],
            Place::Error => Some(place),
        };
        let end = self.places.get("END").and_then(|&place| resolve(place));
        let mut builder = LtsBuilder::with_states(self.alphabet.clone(), self.aliases.len());
        let error = builder.error_state();
        let state = |place: Place| match resolve(place) {
            Some(Place::State(state)) => StateId::from_index(state),
            _ => error,
        };
        for &(source, label, target) in &self.transitions {
            // The only alias with transitions of its own is an accepting local process; they become transitions of
            // the place that it names.
            if let Some(Place::State(source)) = resolved[source] {
                builder.add_transition(StateId::from_index(source), label, state(target));
            }
        }
        let mut start = state(initial);
        if start == error {
            // The process is `ERROR` itself: then the error is one silent step away.
            start = builder.add_state();
            builder.add_transition(start, Label::TAU, error);
        }
        builder.set_initial(start);
        if let Some(Place::State(end)) = end {
            builder.set_end(Some(StateId::from_index(end)));
        }
        builder.build()
    }

    /// The names of the states of the transition system: the local process, or the actions since one.
    pub(super) fn state_names(&self, lts: &Lts) -> StateNames {
        let mut names = StateNames::new(self.alphabet.clone(), lts.state_count());
        let copied = self.copied.iter().map(|(state, name)| (*state, name.clone()));
        let places = self.places.iter().filter_map(|(key, place)| match place {
            Place::State(state) => Some((*state, display(key))),
            Place::Error => None,
        });
        for (state, name) in places.chain(copied).filter(|(state, _)| self.aliases[*state].is_none()) {
            names.name(StateId::from_index(state), &name);
        }
        for &(source, label, target) in &self.transitions {
            if let (Some(action), Place::State(state)) = (label.action(), target)
                && source < state
            {
                names.derive(StateId::from_index(state), StateId::from_index(source), action);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use rely_testkit::rng::Rng;

    use super::*;

    /// Follows aliases one by one.
    fn naive(machine: &Machine, start: usize) -> Option<Place> {
        let mut place = Place::State(start);
        for _ in 0..=machine.aliases.len() {
            match place {
                Place::State(state) => match machine.aliases[state] {
                    Some(next) => place = next,
                    None => return Some(place),
                },
                Place::Error => return Some(place),
            }
        }
        None
    }

    #[test]
    fn aliases_lead_where_following_them_leads() {
        for seed in 0..2000 {
            let mut rng = Rng::new(seed);
            let states = 1 + rng.below(8);
            let mut machine = Machine::default();
            for _ in 0..states {
                let alias = match rng.below(8) {
                    0 => Some(Place::Error),
                    1 | 2 => None,
                    _ => Some(Place::State(rng.below(states))),
                };
                machine.aliases.push(alias);
            }
            let expected: Vec<_> = (0..states).map(|state| naive(&machine, state)).collect();
            assert_eq!(machine.resolve(), expected, "seed {seed}: {:?}", machine.aliases);
        }
    }
}
