//! Names of states that are probably misspelt.
//!
//! A state need not be declared: being named in a transition is enough. So a misspelt name is no error but one more state,
//! which the machine enters and never leaves. It gives itself away: it stands at a single place of the text, behind an
//! arrow, and is like another name of the same machine.

use rely_base::Diagnostic;
use rely_syntax::nearest;
use rustc_hash::FxHashSet;

use super::Resolver;
use crate::ast::{MachinePart, Name};
use crate::codes;

/// A name with fewer letters is like every other one.
const SHORTEST: usize = 3;

/// The states that the text of a machine names.
#[derive(Default)]
struct Named<'a> {
    /// Behind arrows.
    targets: Vec<&'a Name>,
    /// Elsewhere: declared, or in front of arrows.
    others: FxHashSet<&'a str>,
}

impl<'a> Named<'a> {
    fn read(&mut self, body: &'a [MachinePart]) {
        for part in body {
            match part {
                MachinePart::State(state) => {
                    self.others.insert(&state.name.text);
                    self.read(&state.body);
                }
                MachinePart::Transition(transition) => {
                    self.others.insert(&transition.from.name.text);
                    self.targets.push(&transition.to.name);
                }
            }
        }
    }

    /// The names that stand behind a single arrow and nowhere else in the machine.
    fn only_entered(&self) -> impl Iterator<Item = &'a Name> {
        let is_single = |name: &Name| self.targets.iter().filter(|it| it.text == name.text).count() == 1;
        self.targets.iter().copied().filter(move |name| !self.others.contains(&*name.text) && is_single(name))
    }
}

impl Resolver<'_> {
    /// Names that are entered, never left, and like another one.
    pub(super) fn misspelt_states(&mut self) {
        let mut found = Vec::new();
        let mut known = FxHashSet::default();
        for instance in &self.machine_defs {
            let def = instance.def;
            if !known.insert(def.name.span) {
                continue;
            }
            let mut named = Named::default();
            named.read(&def.body);
            for name in named.only_entered() {
                let is_mentioned = self.states_asked_about.contains(&(def.name.span, name.text.clone()));
                if is_mentioned || name.text.chars().count() < SHORTEST {
                    continue;
                }
                let targets = named.targets.iter().map(|target| &*target.text);
                let like = named
                    .others
                    .iter()
                    .copied()
                    .chain(targets)
                    .filter(|other| *other != &*name.text && other.chars().count() + 1 >= SHORTEST);
                if let Some(near) = nearest(&name.text, like) {
                    let message = format!(
                        "machine `{}` enters state `{}` here and never leaves it; nothing else names it",
                        def.name.text, name.text
                    );
                    found.push(Diagnostic::warning(codes::MISSPELT, name.span, message).did_you_mean(near));
                }
            }
        }
        for diagnostic in found {
            self.report::<()>(diagnostic);
        }
    }
}
