//! What elaboration may cost.
//!
//! A short text can stand for a great deal: `a[0..9999].b[0..9999]` is a hundred million labels, and thirty composites
//! of which each contains the one before it twice have a billion parts. So whatever elaboration multiplies is paid for
//! here. Steps are counted, and the budget is asked now and then, so that time limits and interrupts work before there
//! is anything to explore. Memory is estimated, from above, for everything that is kept. Numbers of labels, states,
//! parts and operators of a single definition have limits of their own, which are errors with a place.
//!
//! Invariant: once a limit of the budget has been met, every further payment fails, so elaboration ends soon.

use std::sync::Arc;

use rely_base::{Exhausted, Id, Progress, Resource};
use rely_lts::Lts;
use rely_lts::operators::Relabelling;

use super::scope::{Scope, Value};
use super::{Elaborator, Fallible, Reported};

/// How many bytes elaboration may hold when the budget does not say.
const MAX_HELD: usize = 2 << 30;

/// The budget is asked each time that so many steps have been made.
const INTERVAL: usize = 1 << 14;

/// What has been paid so far.
#[derive(Default)]
pub(super) struct Effort {
    /// An estimate of the bytes that are held.
    held: usize,
    /// The steps since the budget was asked last.
    steps: usize,
    /// The limit that was met.
    exhausted: Option<Exhausted>,
}

impl Effort {
    /// The limit that was met, if one was.
    pub(super) fn exhausted(&self) -> Option<&Exhausted> {
        self.exhausted.as_ref()
    }
}

impl Elaborator<'_> {
    /// Pays for steps that take about as long as making a label.
    pub(super) fn spend(&mut self, steps: usize) -> Fallible<()> {
        self.effort.steps = self.effort.steps.saturating_add(steps);
        if self.effort.steps < INTERVAL {
            return self.effort.exhausted.clone().map_or(Ok(()), |exhausted| Err(exhausted.into()));
        }
        self.effort.steps = 0;
        self.ask()
    }

    /// Pays for bytes that are kept.
    pub(super) fn hold(&mut self, bytes: usize) -> Fallible<()> {
        self.effort.held = self.effort.held.saturating_add(bytes);
        if self.effort.held > self.max_held() {
            return self.ask();
        }
        Ok(())
    }

    /// Takes back a payment for bytes that are not kept any longer.
    pub(super) fn release(&mut self, bytes: usize) {
        self.effort.held = self.effort.held.saturating_sub(bytes);
    }

    /// Pays for what a relabelling makes of a system: one action may become many.
    pub(super) fn pay_for_relabelling(&mut self, lts: &Lts, relabelling: &Relabelling) -> Fallible<()> {
        self.spend(lts.alphabet().len())?;
        let images: Vec<(usize, usize)> = lts
            .alphabet()
            .names()
            .map(|name| relabelling.apply(name))
            .map(|images| (images.len(), images.iter().map(|image| 2 * name_bytes(image)).sum()))
            .collect();
        let names = images.iter().map(|&(_, bytes)| bytes).sum();
        let copies = lts.transitions().filter_map(|transition| transition.label.action());
        let edges = copies.map(|action| images[action.index()].0).fold(0, usize::saturating_add);
        self.hold(edges.saturating_mul(8).saturating_add(names))
    }

    fn max_held(&self) -> usize {
        match self.budget.max_bytes() {
            usize::MAX => MAX_HELD,
            bytes => bytes,
        }
    }

    fn ask(&mut self) -> Fallible<()> {
        if self.effort.exhausted.is_none() {
            let progress = Progress { bytes: self.effort.held, ..Progress::default() };
            let exhausted = match self.budget.check(&progress) {
                Err(exhausted) => Some(exhausted),
                Ok(()) if self.effort.held > self.max_held() => {
                    Some(Exhausted { resource: Resource::Memory, states: 0 })
                }
                Ok(()) => None,
            };
            self.effort.exhausted = exhausted;
        }
        self.effort.exhausted.clone().map_or(Ok(()), |exhausted| Err(Reported::from(exhausted)))
    }
}

/// How many bytes a name takes, with what surrounds it in a table.
pub(super) fn name_bytes(name: &str) -> usize {
    name.len() + 128
}

/// How many bytes a transition system takes whose actions are multiplied and get longer.
pub(super) fn lts_bytes(lts: &Lts, copies: usize, longer: usize) -> usize {
    let names: usize = lts.alphabet().names().map(|name| name_bytes(name) + longer).sum();
    let edges = 8 * lts.transition_count();
    (names.saturating_add(edges)).saturating_mul(copies.max(1)).saturating_add(8 * lts.state_count())
}

/// How many bytes the variables of a scope take.
pub(super) fn scope_bytes(scope: &Scope) -> usize {
    scope.variable_count() * size_of::<(Arc<str>, Value)>()
}
