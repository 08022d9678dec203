//! Random open systems, and assumptions as the naive twin writes them.

use std::sync::Arc;

use rely_assume::{Assumption, Goal};
use rely_base::{Alphabet, Id, Label};
use rely_lts::Component;
use rely_testkit::naive::assumption::NaiveAssumption;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::Rng;

pub(crate) const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

pub(crate) const PART: Shape = Shape { components: 3, states: 3, errors: false, ..Shape::FULL };

/// An open system: its components, its goal, and what its environment may share with it.
pub(crate) struct Open {
    pub(crate) components: Vec<Component>,
    pub(crate) goal: Goal,
}

impl Open {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(3);
        let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &PART)) };
        let components = (0..count).map(part).collect();
        let property = networks::property(rng, 3, ACTIONS);
        Self { components, goal: Goal::property(Component { name: "P".into(), lts: Arc::new(property) }) }
    }

    pub(crate) fn all(&self) -> Vec<Component> {
        self.components.iter().chain(&self.goal.components).cloned().collect()
    }
}

pub(crate) fn random_alphabet(rng: &mut Rng) -> Alphabet {
    ACTIONS.iter().filter(|_| rng.chance(1, 2)).collect()
}

pub(crate) fn rows(assumption: &Assumption) -> NaiveAssumption {
    let lts = assumption.lts();
    let row = |state| {
        let next = |(action, _)| {
            lts.edges_with(state, Label::visible(action)).first().map(|edge| edge.target.index())
        };
        lts.alphabet().iter().map(next).collect()
    };
    NaiveAssumption { rows: lts.states().map(row).collect() }
}
