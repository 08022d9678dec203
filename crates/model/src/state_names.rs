//! The names of the states of a component, from the text that it comes from.
//!
//! A state has a name of its own, such as `TAKEN` or `COUNT[3]`, or the name of an earlier state with the actions
//! since: `PHIL` after `right.get`. Actions are named as in the definition, before prefixes and relabellings of the
//! component.
//!
//! For most states only the last step is kept, and a name is built when it is shown: there can be millions of states,
//! of which few are ever shown.

use rely_base::{ActionId, Alphabet, Id, StateId};

/// The number of actions of a name that are shown; these are the last ones.
const SHOWN: usize = 2;

/// The name of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// A name of its own, given by its number.
    Name(u32),
    /// The name of another state, and an action that leads from there.
    After(StateId, ActionId),
    /// No name.
    Nothing,
}

/// The names of the states of a component.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateNames {
    /// The actions that occur in names.
    actions: Alphabet,
    names: Vec<Box<str>>,
    /// By state.
    states: Vec<Known>,
}

impl StateNames {
    /// No names yet, for this number of states. `actions` are those that may occur in names.
    pub fn new(actions: Alphabet, states: usize) -> Self {
        Self { actions, names: Vec::new(), states: vec![Known::Nothing; states] }
    }

    /// Gives a state a name.
    ///
    /// # Panics
    /// If there is no such state, or there are more than 2³² names.
    pub fn name(&mut self, state: StateId, name: &str) {
        let number = u32::try_from(self.names.len()).expect("no text has so many names");
        self.states[state.index()] = Known::Name(number);
        self.names.push(name.into());
    }

    /// Names a state after one with a lower number, from which an action leads to it, unless it has a name already.
    ///
    /// # Panics If there is no such state, or the other one has no lower number: names would be circular.
    pub fn derive(&mut self, state: StateId, from: StateId, action: ActionId) {
        assert!(from < state, "a state is called after one that was there before it");
        let known = &mut self.states[state.index()];
        if *known == Known::Nothing {
            *known = Known::After(from, action);
        }
    }

    /// The name of a state, if it has one.
    pub fn of(&self, state: StateId) -> Option<String> {
        let mut actions = Vec::new();
        let mut at = state;
        let name = loop {
            match *self.states.get(at.index())? {
                Known::Name(number) => break &self.names[number as usize],
                Known::Nothing => return None,
                Known::After(before, action) => {
                    actions.push(self.actions.name(action));
                    at = before;
                }
            }
        };
        if actions.is_empty() {
            return Some(name.to_string());
        }
        let skipped = if actions.len() > SHOWN { "…, " } else { "" };
        actions.truncate(SHOWN);
        actions.reverse();
        Some(format!("{name} after {skipped}{}", actions.join(", ")))
    }

    /// The names of some of the states, which are renumbered: the first one becomes 0. States that their names refer
    /// to are added after them.
    #[must_use]
    pub fn renumbered(&self, order: &[StateId]) -> Self {
        const ABSENT: u32 = u32::MAX;
        let mut order = order.to_vec();
        let mut number = vec![ABSENT; self.states.len()];
        for (new, old) in order.iter().enumerate() {
            if let Some(number) = number.get_mut(old.index()) {
                *number = StateId::from_index(new).raw();
            }
        }
        let mut renumbered = Self { actions: self.actions.clone(), names: Vec::new(), states: Vec::new() };
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            let known = self.states.get(old.index()).copied().unwrap_or(Known::Nothing);
            renumbered.states.push(match known {
                Known::Name(name) => {
                    renumbered.names.push(self.names[name as usize].clone());
                    Known::Name(u32::try_from(renumbered.names.len() - 1).expect("no more than before"))
                }
                Known::After(before, action) => {
                    let place = &mut number[before.index()];
                    if *place == ABSENT {
                        *place = StateId::from_index(order.len()).raw();
                        order.push(before);
                    }
                    Known::After(StateId::from_raw(*place), action)
                }
                Known::Nothing => Known::Nothing,
            });
        }
        renumbered
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|name| size_of::<Box<str>>() + name.len()).sum();
        self.states.capacity() * size_of::<Known>() + names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(number: usize) -> StateId {
        StateId::from_index(number)
    }

    /// `P = (a -> b -> c -> Q)`, and a state without a name.
    fn names() -> StateNames {
        let actions: Alphabet = ["a", "b", "c"].into_iter().collect();
        let mut names = StateNames::new(actions, 6);
        names.name(state(0), "P");
        names.name(state(1), "Q[1]");
        (0..3).for_each(|i| {
            names.derive(state(i + 2), state(if i == 0 { 0 } else { i + 1 }), Id::from_index(i));
        });
        names
    }

    fn all(names: &StateNames, states: usize) -> Vec<String> {
        (0..states).map(|i| names.of(state(i)).unwrap_or_default()).collect()
    }

    #[test]
    fn a_state_is_called_after_the_last_one_with_a_name() {
        let expected = ["P", "Q[1]", "P after a", "P after a, b", "P after …, b, c", ""];
        assert_eq!(all(&names(), 6), expected);
        assert_eq!(names().of(state(6)), None);
    }

    #[test]
    fn a_name_is_not_lost_with_what_it_comes_from() {
        let renumbered = names().renumbered(&[4, 5, 1].map(state));
        assert_eq!(all(&renumbered, 3), ["P after …, b, c", "", "Q[1]"]);
        let again = renumbered.renumbered(&[1, 0].map(state));
        assert_eq!(all(&again, 2), ["", "P after …, b, c"]);
        assert_eq!(all(&renumbered.renumbered(&[2, 9].map(state)), 2), ["Q[1]", ""]);
    }
}
