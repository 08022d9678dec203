//! All small deterministic automata, as tables. Tests of a type of automata build its values from them.

use rely_base::{Id, StateId};

/// A complete deterministic automaton that begins in state 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Whether each state accepts.
    pub accepting: Vec<bool>,
    /// Where state `s` leads by letter `a` is at `s · letters + a`.
    pub successors: Vec<StateId>,
}

/// All tables with these numbers of states and letters.
///
/// # Panics
/// When there are more of them than can be numbered.
pub fn all_tables(states: usize, letters: usize) -> impl Iterator<Item = Table> {
    let digits = states * letters;
    let tables = u32::try_from(digits).ok().and_then(|digits| states.checked_pow(digits));
    let codes = tables.and_then(|tables| tables.checked_mul(1 << states)).expect("few states and letters");
    (0..codes).map(move |code| {
        let accepting = (0..states).map(|state| code >> state & 1 == 1).collect();
        let mut rest = code >> states;
        let successors = (0..digits).map(|_| {
            let digit = rest % states;
            rest /= states;
            StateId::from_index(digit)
        });
        Table { accepting, successors: successors.collect() }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_table_is_there_once() {
        for (states, letters, count) in
            [(1, 0, 2), (1, 3, 2), (2, 1, 16), (2, 2, 64), (3, 1, 216), (3, 2, 5832)]
        {
            let key = |table: Table| (table.accepting, table.successors);
            let distinct: BTreeSet<_> = all_tables(states, letters).map(key).collect();
            assert_eq!((distinct.len(), all_tables(states, letters).count()), (count, count));
        }
    }
}
