//! False friends: networks that differ a little from a given one, so that a false statement about it may be true of them.
//!
//! Components and states keep their numbers. So the proof of a friend fits the network in every respect but one: it is the
//! proof of something else.

use std::sync::Arc;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network, Transition};
use rely_testkit::rng::Rng;

use crate::evidence::{Statement, with_cut};
use crate::systems::{ACTIONS, System};

/// How a friend differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Difference {
    /// It does not.
    Nothing,
    /// What is not the goal leaves out the steps by which it would fail.
    CutOthers,
    /// The goal does.
    CutGoal,
    /// A component that would fail stays where it is.
    Stays,
    /// Another state is the error state of a component, or none is.
    OtherError,
    /// A component starts elsewhere.
    OtherStart,
    /// A component lacks some of its transitions.
    LessToDo,
    /// A component does not know one of its actions.
    Deaf,
    /// A component knows an action that it never takes, so that nobody can.
    Refuses,
    /// A component is another one.
    Stranger,
}

impl Difference {
    pub(crate) const ALL: [Self; 10] = [
        Self::Nothing,
        Self::CutOthers,
        Self::CutGoal,
        Self::Stays,
        Self::OtherError,
        Self::OtherStart,
        Self::LessToDo,
        Self::Deaf,
        Self::Refuses,
        Self::Stranger,
    ];
}

/// The friend of a network with a difference. Priority and hiding are left out, as proofs leave them out.
pub(crate) fn friend(
    network: &Network,
    statement: &Statement,
    difference: Difference,
    rng: &mut Rng,
) -> Network {
    let is_goal = |i: usize| statement.goal.iter().any(|id| id.index() == i);
    let plain = Network::new(network.components().to_vec());
    match difference {
        Difference::Nothing => plain,
        Difference::CutOthers => with_cut(&plain, |i| !is_goal(i)),
        Difference::CutGoal => with_cut(&plain, is_goal),
        _ => {
            let mut components = plain.components().to_vec();
            let place = rng.below(components.len());
            let lts = changed(&components[place].lts, difference, rng);
            components[place] = Component::new(&components[place].name, lts);
            Network::new(components)
        }
    }
}

fn changed(lts: &Arc<Lts>, difference: Difference, rng: &mut Rng) -> Arc<Lts> {
    let mut sketch = Sketch::of(lts);
    let any_state = |rng: &mut Rng| StateId::from_index(rng.below(lts.state_count()));
    match difference {
        Difference::Stays => {
            let failing = sketch.steps.iter_mut().filter(|step| Some(step.target) == lts.error());
            failing.for_each(|step| step.target = step.source);
        }
        Difference::OtherError => {
            sketch.error = rng.chance(1, 2).then(|| any_state(rng)).filter(|&state| Some(state) != lts.end());
        }
        Difference::OtherStart => sketch.initial = any_state(rng),
        Difference::LessToDo => sketch.steps.retain(|_| rng.chance(2, 3)),
        Difference::Deaf | Difference::Refuses => {
            let name = *rng.pick(ACTIONS);
            return Arc::new(sketch.build(lts, name, difference == Difference::Refuses));
        }
        Difference::Stranger => {
            let stranger = System::random(rng, 2).network;
            return Arc::clone(&rng.pick(stranger.components()).lts);
        }
        Difference::Nothing | Difference::CutOthers | Difference::CutGoal => {}
    }
    Arc::new(sketch.build(lts, "", false))
}

/// What a component is made of, to be changed.
struct Sketch {
    initial: StateId,
    error: Option<StateId>,
    steps: Vec<Transition>,
}

impl Sketch {
    fn of(lts: &Lts) -> Self {
        Self { initial: lts.initial(), error: lts.error(), steps: lts.transitions().collect() }
    }

    /// The component; an action is left out with all steps, or is known and has none.
    fn build(self, lts: &Lts, changed: &str, is_known: bool) -> Lts {
        let kept = lts.alphabet().names().filter(|&name| name != changed);
        let alphabet: Alphabet = kept.chain(is_known.then_some(changed)).collect();
        let mut builder = LtsBuilder::with_states(alphabet, lts.state_count());
        builder.set_initial(self.initial);
        builder.set_error(self.error);
        builder.set_end(lts.end());
        for step in self.steps.iter().filter(|step| Some(step.source) != self.error) {
            let name = step.label.action().map(|action| lts.alphabet().name(action));
            let label = match name {
                None => Label::TAU,
                Some(name) if name == changed => continue,
                Some(name) => Label::visible(builder.alphabet().get(name).expect("it is kept")),
            };
            builder.add_transition(step.source, label, step.target);
        }
        builder.build()
    }
}
