//! Conditions on the states of a program, for searches that watch for them.

use rely_lts::ExpressionId;

use super::Machine;
use super::code::{Code, Entry, Memory, Writer};

/// Some expressions of a program, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Conditions {
    code: Code,
    entries: Vec<Entry>,
    memory: Memory,
}

impl Machine<'_> {
    /// Expressions of the program, to be evaluated in its states.
    pub fn conditions(&self, expressions: &[ExpressionId]) -> Conditions {
        let mut writer = Writer::new(self.program, expressions.iter().copied());
        let entries = expressions.iter().map(|&expression| writer.add(expression)).collect();
        let code = writer.finish();
        Conditions { entries, memory: code.memory(), code }
    }

    /// Calls `visit` with the number of each condition that is true in a state: its value is defined and not 0.
    pub fn met(&self, conditions: &mut Conditions, state: &[u64], mut visit: impl FnMut(usize)) {
        let Conditions { code, entries, memory } = conditions;
        memory.begin_state();
        for (number, &entry) in entries.iter().enumerate() {
            if code.evaluate(entry, &self.layout, state, memory).is_ok_and(|value| value != 0) {
                visit(number);
            }
        }
    }
}
