//! What statements of another text may say of a target: its events, and the actions that each of them is.

use rely_base::ActionId;
use rely_lts::Program;

use crate::Naming;

/// The events of a target.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    /// The name of the target.
    pub target: &'a str,
    /// What it does.
    pub program: &'a Program,
    /// The names of its events, if they differ from those of actions.
    pub naming: &'a Naming,
}

impl<'a> Events<'a> {
    /// The actions that a name stands for, in increasing order; none if it names no event. Where actions are events, a name also stands
    /// for all actions that it is the beginning of: `fork` for `fork.1.get`.
    pub fn actions(&self, name: &str) -> Vec<ActionId> {
        let alphabet = self.program.alphabet();
        let mut actions: Vec<ActionId> = if self.naming.is_empty() {
            let begins = |action: &str| action.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            match self.visible().find(|action| *action == name) {
                Some(exact) => alphabet.get(exact).into_iter().collect(),
                None => self.visible().filter(|it| begins(it)).filter_map(|it| alphabet.get(it)).collect(),
            }
        } else {
            self.naming.actions(name).filter_map(|action| alphabet.get(action)).collect()
        };
        actions.sort_unstable();
        actions
    }

    /// The names of all events.
    pub fn names(&self) -> Vec<&'a str> {
        match self.naming.is_empty() {
            true => self.visible().collect(),
            false => self.naming.names().collect(),
        }
    }

    fn visible(&self) -> impl Iterator<Item = &'a str> {
        let program = self.program;
        let is_visible =
            |name: &&str| program.alphabet().get(name).is_some_and(|action| !program.is_hidden(action));
        program.alphabet().names().filter(is_visible)
    }
}
