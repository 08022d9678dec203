//! Making a run to a failure shorter.
//!
//! Problem: a run that was found in depth has steps that have nothing to do with the failure, and detours.
//!
//! Idea: three ways, none of which looks at many states.
//!
//! 1. A step stays only if a component that makes it also makes a later step that stays, or the failure. The others come
//!    neither before nor with anything that stays, so without them it is still a run: the past of the failure in the
//!    partial order of the run [Mazurkiewicz 1987].
//! 2. What lies between two visits of a state goes.
//! 3. From each state of the run a few states are looked at, breadth first. If one of them comes later in the run than it
//!    need, the way to it is taken instead; or that to a failure, if there is one.
//!
//! Invariants: what is left is a run to a failure, no longer than before. It need not be shortest.
//!
//! Cost: (1) and (2) are linear in the run, (3) looks at [`EFFORT`] states at most.

use std::ops::ControlFlow;

use rely_base::{Id, Label, StateId};
use rely_lts::ComponentId;
use rustc_hash::FxHashMap;

use crate::{Product, ProductCursor, StateSet, Successor, System};

/// How many states are looked at in all.
pub(super) const EFFORT: usize = 1 << 15;

/// How many states are looked at from one state of the run, at least and at most.
const AROUND: (usize, usize) = (1 << 4, 1 << 9);

/// A run to a failure.
pub(super) struct Run {
    pub(super) initial: Vec<u64>,
    /// The label of each step but the last, and the state that it leads to.
    pub(super) steps: Vec<(Label, Vec<u64>)>,
    /// The label of the last step, and the component that fails.
    pub(super) failure: (Label, ComponentId),
}

impl Run {
    pub(super) fn shortened(self, product: &Product<'_>, cursor: &mut ProductCursor) -> Self {
        let run = self.past_of_failure(product).without_cycles();
        let length = run.steps.len();
        let run = run.without_detours(product, cursor);
        match run.steps.len() < length {
            true => run.past_of_failure(product).without_cycles(),
            false => run,
        }
    }

    /// The steps that the failure depends on.
    fn past_of_failure(mut self, product: &Product<'_>) -> Self {
        let movers = |label: Label, before: &[u64], after: &[u64]| -> Vec<usize> {
            match label.action() {
                Some(action) => {
                    product.network().participants(action).iter().map(|who| who.index()).collect()
                }
                None => {
                    let changed: Vec<u64> =
                        before.iter().zip(after).map(|(one, other)| one ^ other).collect();
                    product.components_in(&changed).map(Id::index).collect()
                }
            }
        };
        let mut is_needed = vec![false; product.network().components().len()];
        let (label, failing) = self.failure;
        let last = label.action().map(|action| product.network().participants(action));
        last.unwrap_or(&[failing]).iter().for_each(|who| is_needed[who.index()] = true);
        let mut kept: Vec<(Label, Vec<usize>, Vec<u64>)> = Vec::new();
        while let Some((label, after)) = self.steps.pop() {
            let before = self.steps.last().map_or(&self.initial, |(_, words)| words);
            let movers = movers(label, before, &after);
            if movers.iter().any(|&mover| is_needed[mover]) {
                movers.iter().for_each(|&mover| is_needed[mover] = true);
                kept.push((label, movers, after));
            }
        }
        let mut present = product.unpack(&self.initial);
        for (label, movers, after) in kept.into_iter().rev() {
            let after = product.unpack(&after);
            movers.iter().for_each(|&mover| present[mover] = after[mover]);
            self.steps.push((label, product.pack(&present)));
        }
        self
    }

    /// The run without what lies between two visits of a state.
    fn without_cycles(self) -> Self {
        let Self { initial, steps, failure } = self;
        let mut kept: Vec<(Label, Vec<u64>)> = Vec::with_capacity(steps.len());
        // By state, how many steps lead to it.
        let mut places = FxHashMap::from_iter([(initial.clone(), 0)]);
        for (label, words) in steps {
            match places.get(&words) {
                // The last step that is left leads to the state, too.
                Some(&place) => kept.drain(place..).for_each(|(_, words)| {
                    places.remove(&words);
                }),
                None => {
                    kept.push((label, words.clone()));
                    places.insert(words, kept.len());
                }
            }
        }
        Self { initial, steps: kept, failure }
    }

    /// The run with shorter ways where a look around shows them.
    fn without_detours(mut self, product: &Product<'_>, cursor: &mut ProductCursor) -> Self {
        let around = (EFFORT / (self.steps.len() + 1)).clamp(AROUND.0, AROUND.1);
        let mut left = EFFORT;
        let mut place = 0;
        while place < self.steps.len() && left > 0 {
            let Shortcut { path, until, failure, looked_at } =
                self.shortcut(place, around.min(left), product, cursor);
            left -= looked_at.min(left);
            if let Some(failure) = failure {
                self.steps.truncate(place);
                self.steps.extend(path);
                self.failure = failure;
                break;
            }
            self.steps.splice(place..until, path);
            place += 1;
        }
        self
    }

    /// The best shorter way that begins in the state after `place` steps.
    fn shortcut(
        &self,
        place: usize,
        around: usize,
        product: &Product<'_>,
        cursor: &mut ProductCursor,
    ) -> Shortcut {
        let state = |number: usize| match number {
            0 => self.initial.as_slice(),
            _ => self.steps[number - 1].1.as_slice(),
        };
        let later: FxHashMap<&[u64], usize> =
            (place + 1..=self.steps.len()).map(|number| (state(number), number)).collect();
        let mut near = Nearby::new(product, state(place));
        let (mut best, mut failure) = ((0, 0, place), None);
        while failure.is_none() && near.expanded < near.states.len() && near.states.len() < around {
            let source = near.expanded;
            // What is further away cannot be a shorter way.
            if place + near.depths[source] >= self.steps.len() {
                break;
            }
            failure = near.expand(product, cursor).map(|failure| (source, failure));
            for (number, words) in near.states.iter().enumerate().skip(near.shown) {
                if let Some(&until) = later.get(words) {
                    let saved = (until - place).saturating_sub(near.depths[number]);
                    best = best.max((saved, number, until));
                }
            }
            near.shown = near.states.len();
        }
        let looked_at = near.states.len();
        match failure {
            Some((source, failure)) => Shortcut {
                path: near.path_to(source),
                until: self.steps.len(),
                failure: Some(failure),
                looked_at,
            },
            None if best.0 > 0 => {
                Shortcut { path: near.path_to(best.1), until: best.2, failure: None, looked_at }
            }
            None => Shortcut { path: Vec::new(), until: place, failure: None, looked_at },
        }
    }
}

/// A way that replaces the steps of a run up to some number of them, or all that follow if it leads to a failure.
struct Shortcut {
    path: Vec<(Label, Vec<u64>)>,
    until: usize,
    failure: Option<(Label, ComponentId)>,
    looked_at: usize,
}

/// The states around one state.
struct Nearby {
    states: StateSet,
    depths: Vec<usize>,
    origins: Vec<(usize, Label)>,
    expanded: usize,
    /// How many were compared with the run.
    shown: usize,
}

impl Nearby {
    fn new(product: &Product<'_>, state: &[u64]) -> Self {
        let mut states = StateSet::new(product.words());
        states.insert(state);
        Self { states, depths: vec![0], origins: vec![(0, Label::TAU)], expanded: 0, shown: 1 }
    }

    /// Expands the next state; the failure that it leads to, if it does.
    fn expand(&mut self, product: &Product<'_>, cursor: &mut ProductCursor) -> Option<(Label, ComponentId)> {
        let source = self.expanded;
        self.expanded += 1;
        let words = self.states.get(StateId::from_index(source)).to_vec();
        let mut failure = None;
        let Self { states, depths, origins, .. } = self;
        let _ = product.try_successors(&words, cursor, &mut |label, successor| {
            match successor {
                Successor::Error(component) => {
                    failure = Some((label, component));
                    return ControlFlow::Break(());
                }
                Successor::State(target) => {
                    if states.insert(target).1 {
                        depths.push(depths[source] + 1);
                        origins.push((source, label));
                    }
                }
                Successor::Cut(_) => {}
            }
            ControlFlow::Continue(())
        });
        failure
    }

    fn path_to(&self, mut place: usize) -> Vec<(Label, Vec<u64>)> {
        let mut path = Vec::new();
        while place != 0 {
            let (source, label) = self.origins[place];
            path.push((label, self.states.get(StateId::from_index(place)).to_vec()));
            place = source;
        }
        path.reverse();
        path
    }
}
