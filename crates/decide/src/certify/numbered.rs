//! The states of an automaton of the judge, numbered as they are met.
//!
//! The judge's automata have states of several numbers; products are made of automata whose states are one number.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

/// States by number, and the number of each state. An automaton reads while it is shared, so they are in a cell.
#[derive(Default)]
pub(super) struct Numbered {
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    states: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
}

impl Numbered {
    /// The initial state has the number 0.
    pub(super) fn from_initial(state: &[u32]) -> Self {
        let numbered = Self::default();
        numbered.number(state);
        numbered
    }

    /// The number of a state, which is a new one if the state has not been met.
    pub(super) fn number(&self, state: &[u32]) -> u32 {
        let Known { states, numbers } = &mut *self.known.borrow_mut();
        if let Some(&number) = numbers.get(state) {
            return number;
        }
        let number = u32::try_from(states.len()).expect("there are fewer states");
        states.push(state.to_vec());
        numbers.insert(state.to_vec(), number);
        number
    }

    /// The state with a number.
    pub(super) fn state(&self, number: u32) -> Vec<u32> {
        self.known.borrow().states[number as usize].clone()
    }
}
