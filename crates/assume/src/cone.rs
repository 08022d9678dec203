//! The cone of influence: the parts that the goal can feel.
//!
//! A part that shares no action with the goal, not even through other parts, can neither bring a failure about nor keep
//! it from happening: it may as well stand still. Every search for failures leaves it out.

use std::hash::Hash;

use rely_base::Id;
use rely_decide::{Counterexample, Ending, ReplayError, replay};
use rely_lts::{Component, ComponentId, Network};
use rustc_hash::FxHashMap;

use crate::Problem;

/// A problem without the parts that its goal cannot feel.
#[derive(Clone, Debug)]
pub struct Cone {
    /// What is left.
    pub problem: Problem,
    /// All components, and which of them are left.
    whole: Vec<Component>,
    is_inside: Vec<bool>,
}

impl Problem {
    /// The parts that the goal can feel, and the goal.
    pub fn cone(&self) -> Cone {
        let whole = self.components();
        let names = |i: usize| whole[i].lts.alphabet().names();
        let is_inside = connected(whole.len(), names, self.parts.len()..whole.len());
        let kept: Vec<usize> = (0..self.parts.len()).filter(|&part| is_inside[part]).collect();
        Cone { problem: self.about(&kept), whole, is_inside }
    }
}

impl Cone {
    /// The parts of the whole problem that are left, by number, in order.
    pub fn parts(&self) -> impl Iterator<Item = usize> + '_ {
        let parts = self.whole.len() - self.problem.goal.components.len();
        (0..parts).filter(|&part| self.is_inside[part])
    }

    /// The components that are left out.
    pub fn outside(&self) -> impl Iterator<Item = &Component> + '_ {
        self.whole.iter().zip(&self.is_inside).filter(|(_, inside)| !**inside).map(|(part, _)| part)
    }

    /// A run of what is left as a run of everything: the others stand still.
    ///
    /// # Errors
    /// The run cannot be replayed: a mistake in the program.
    pub fn widened(&self, mut run: Counterexample) -> Result<Counterexample, ReplayError> {
        if self.is_inside.iter().all(|&inside| inside) {
            return Ok(run);
        }
        let ids: Vec<ComponentId> =
            (0..self.whole.len()).filter(|&i| self.is_inside[i]).map(ComponentId::from_index).collect();
        let widen = |states: &mut Vec<u32>| {
            let mut inside = std::mem::take(states).into_iter();
            let state = |(component, is_inside): (&Component, &bool)| match is_inside {
                true => inside.next().expect("a run has a state for each component"),
                false => component.lts.initial().raw(),
            };
            *states = self.whole.iter().zip(&self.is_inside).map(state).collect();
        };
        widen(&mut run.initial);
        for step in &mut run.trace {
            widen(&mut step.before);
            widen(&mut step.after);
            step.movers.iter_mut().for_each(|mover| *mover = ids[mover.index()]);
        }
        if let Ending::Error(component) = &mut run.ending {
            *component = ids[component.index()];
        }
        replay(&Network::new(self.whole.clone()), &run)?;
        Ok(run)
    }
}

/// Which of several, each given by its actions, share actions with some of them, themselves or through others.
pub(crate) fn connected<A: Eq + Hash, I: Iterator<Item = A>>(
    count: usize,
    actions: impl Fn(usize) -> I,
    with: impl IntoIterator<Item = usize>,
) -> Vec<bool> {
    let mut owners: FxHashMap<A, Vec<usize>> = FxHashMap::default();
    for i in 0..count {
        actions(i).for_each(|action| owners.entry(action).or_default().push(i));
    }
    let mut connected = vec![false; count];
    let mut open: Vec<usize> = with.into_iter().collect();
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut connected[i], true) {
            open.extend(actions(i).filter_map(|action| owners.remove(&action)).flatten());
        }
    }
    connected
}
