//! The cost of elaboration.
//!
//! A short text can stand for a great deal: `a[0..9999].b[0..9999]` is a hundred million labels, and thirty
//! composites each of which contains the preceding one twice have a billion parts. So everything that elaboration
//! multiplies is paid for here. Steps are counted, and the budget is checked now and then, so that time limits and
//! interrupts work before there is anything to explore. For everything that is kept, an upper bound of its memory is
//! counted. Numbers of labels, states, parts and operators of a single definition have limits of their own, which are
//! errors with a place.
//!
//! Invariant: once a limit of the budget has been met, every further payment fails, so elaboration ends soon.

use std::sync::Arc;

use rely_base::{Exhausted, Id, Progress, Resource};
use rely_lts::Lts;
use rely_lts::operators::Relabelling;

use super::scope::{Scope, Value};
use super::{Elaborator, Fallible, Reported};

/// Maximum number of bytes that elaboration may hold, if the budget has as many. Of a larger budget it may hold an
/// eighth, since most of the memory is needed for products.
const MAX_HELD: usize = 1 << 30;

/// Maximum number of names that undefined names are compared with, in total: about a second's work.
const COMPARISONS: usize = 1 << 20;

/// The number of steps between two checks of the budget.
const INTERVAL: usize = 1 << 14;

/// What has been paid so far.
pub(super) struct Effort {
    /// The number of comparisons left for undefined names.
    pub(super) comparisons: usize,
    /// An estimate of the bytes that are held.
    held: usize,
    /// The steps since the last check of the budget.
    steps: usize,
    /// The limit that was met.
    exhausted: Option<Exhausted>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { comparisons: COMPARISONS, held: 0, steps: 0, exhausted: None }
    }
}

impl Effort {
    /// The limit that was met, if one was.
    pub(super) fn exhausted(&self) -> Option<&Exhausted> {
        self.exhausted.as_ref()
    }
}

impl Elaborator<'_> {
    /// Pays for steps, each of which takes about as long as making a label.
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

    /// Takes back a payment for bytes that are no longer kept.
    pub(super) fn release(&mut self, bytes: usize) {
        self.effort.held = self.effort.held.saturating_sub(bytes);
    }

    /// Pays for the result of a relabelling: one action may become many.
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
            bytes => bytes.min(MAX_HELD.max(bytes / 8)),
        }
    }

    fn ask(&mut self) -> Fallible<()> {
        if self.effort.exhausted.is_none() {
            let progress = Progress { bytes: self.effort.held, ..Progress::default() };
            let exhausted = match self.budget.check(&progress) {
                Err(exhausted) => Some(exhausted),
                Ok(()) if self.effort.held > self.max_held() => {
                    Some(Exhausted { resource: Resource::Memory, states: 0, transitions: 0 })
                }
                Ok(()) => None,
            };
            self.effort.exhausted = exhausted;
        }
        self.effort.exhausted.clone().map_or(Ok(()), |exhausted| Err(Reported::from(exhausted)))
    }
}

/// The bytes of a name, including its entry in a table.
pub(super) fn name_bytes(name: &str) -> usize {
    name.len() + 128
}

/// The bytes of a transition system whose actions are multiplied and become longer.
pub(super) fn lts_bytes(lts: &Lts, copies: usize, longer: usize) -> usize {
    let names: usize = lts.alphabet().names().map(|name| name_bytes(name) + longer).sum();
    let edges = 8 * lts.transition_count();
    (names.saturating_add(edges)).saturating_mul(copies.max(1)).saturating_add(8 * lts.state_count())
}

/// The bytes of the variables of a scope.
pub(super) fn scope_bytes(scope: &Scope) -> usize {
    scope.variable_count() * size_of::<(Arc<str>, Value)>()
}

#[cfg(test)]
mod tests {
    use rely_base::{Budget, Limits, Observer, Progress, Resource};

    use rely_model::Failure;

    use crate::Elaborator;

    struct Impatient;

    impl Observer for Impatient {
        fn observe(&self, _: &Progress) -> Option<Resource> {
            Some(Resource::Time)
        }
    }

    /// Elaborates every target and property of a text.
    fn elaborate(text: &str, budget: Budget<'_>) -> (Vec<Result<(), Failure>>, Vec<&'static str>) {
        let parse = crate::parse(text);
        assert!(parse.diagnostics().is_empty(), "{:?}", parse.diagnostics());
        let mut elaborator = Elaborator::new(parse.file(), &|_| Err("no imports".to_owned()), budget);
        let targets = elaborator.target_names();
        let mut results: Vec<_> = targets.iter().map(|name| elaborator.target(name).map(|_| ())).collect();
        results.push(elaborator.progress_properties().map(|_| ()));
        results.push(elaborator.assertions().map(|_| ()));
        (results, elaborator.diagnostics().iter().map(|diagnostic| diagnostic.code.0).collect())
    }

    fn all_exhausted(text: &str, budget: Budget<'_>, resource: Resource) {
        let (results, codes) = elaborate(text, budget);
        assert!(codes.is_empty(), "{codes:?}");
        for result in results {
            assert!(
                matches!(&result, Err(Failure::Exhausted(limit)) if limit.resource == resource),
                "{result:?}"
            );
        }
    }

    /// Definitions, each of which uses the preceding one twice.
    fn doubling(first: &str, next: fn(usize) -> String) -> String {
        (0..100).fold(first.to_owned(), |text, i| format!("{text}\n{}", next(i)))
    }

    #[test]
    fn time_ends_elaboration() {
        let budget = Budget::new(Limits::default(), Some(&Impatient));
        all_exhausted(
            "set S = {a[0..99999]}\nP = (S -> P).\nassert A = []a\nprogress G = {a}",
            budget,
            Resource::Time,
        );
        all_exhausted("P = L[0], L[i:0..99999] = (a[i] -> P).", budget, Resource::Time);
    }

    #[test]
    fn memory_ends_elaboration() {
        let budget = Budget::new(Limits { states: None, bytes: Some(1 << 20) }, None);
        for text in [
            "set S = {a[0..99999]}\nP = (b -> P).",
            "P = L[0], L[i:0..9999] = (a[i] -> P).",
            "interface P = ({a[0..9999]?, {b[0..9999]}!} -> P).",
            "interface P = (a? -> P).\n||S = ({x[0..9999]}::P).",
            "P = (a -> b -> P).\n||S = ({x[0..9999]}::P).",
            "P = (a -> b -> P).\n||S = (forall[i:0..9999] x[i]:P).",
            "P = (a -> P).\n||S = P/{x[0..9999]/a}.",
            "property P = L[0], L[i:0..999] = (a[i] -> L[(i+1)%1000]).",
            "P = (a -> P).\nprogress G[i:0..999] = {a[0..999]}",
            &nested_next(16),
        ] {
            let (results, codes) = elaborate(text, budget);
            let is_exhausted = |result: &Result<(), Failure>| matches!(result, Err(Failure::Exhausted(limit)) if limit.resource == Resource::Memory);
            assert!(results.iter().any(is_exhausted) && codes.is_empty(), "{text}: {results:?} {codes:?}");
        }
    }

    /// A constraint whose automaton doubles with each `X`.
    fn nested_next(depth: usize) -> String {
        format!("P = (a -> b -> P).\nconstraint C = []({}a -> b)\n||S = (P || C).", "X ".repeat(depth))
    }

    #[test]
    fn an_automaton_that_is_too_large_is_a_mistake() {
        let (results, codes) = elaborate(&nested_next(40), Budget::UNLIMITED);
        assert!(results.contains(&Err(Failure::Errors)) && codes.contains(&"E0306"), "{codes:?}");
        let (results, codes) = elaborate(&nested_next(4), Budget::UNLIMITED);
        assert!(results.iter().all(Result::is_ok) && codes.is_empty(), "{codes:?}");
    }

    #[test]
    fn what_is_used_twice_is_not_elaborated_again_and_again() {
        let parts = |i| format!("||A{} = (x:A{i} || y:A{i}).", i + 1);
        let processes = |i| format!("P{} = (x -> P{i};END | y -> P{i};END).", i + 1);
        let formulas = |i| format!("assert A{} = (A{i} && X A{i})", i + 1);
        for (text, code) in [
            (doubling("||A0 = (NOPE).", parts), "E0315"),
            (doubling("P0 = (a -> NOPE;END).", processes), "E0315"),
            (doubling("P = (a -> P).\nassert A0 = NOPE", formulas), "E0320"),
            (doubling("P = (a -> P).\nassert A0 = a", formulas), "E0306"),
        ] {
            let (results, codes) = elaborate(&text, Budget::UNLIMITED);
            assert!(results.contains(&Err(Failure::Errors)) && codes.contains(&code), "{codes:?}");
        }
    }

    #[test]
    fn nothing_large_is_built_for_a_text_with_errors() {
        let text = "C = (x -> y -> C).\nminimal ||D = forall[i:0..14] c[i]:C.\n||T = (D || C).\nZ = (a -> .";
        for (text, is_wrong) in [(text, true), (&text[..text.len() - "Z = (a -> .".len()], false)] {
            let parse = crate::parse(text);
            assert_eq!(parse.has_errors(), is_wrong);
            let loader = |_: &str| Err("no imports".to_owned());
            let mut elaborator = Elaborator::new(parse.file(), &loader, Budget::UNLIMITED);
            let built = elaborator.target("T").map(|_| ());
            assert_eq!(matches!(built, Err(Failure::Exhausted(_))), is_wrong, "{built:?}");
        }
    }

    #[test]
    fn findings_are_counted() {
        let text: String = (0..2000).map(|i| format!("P{i} = (a[x] -> P{i}).\n")).collect();
        let (results, codes) = elaborate(&text, Budget::UNLIMITED);
        assert_eq!(codes.len(), super::super::MAX_FINDINGS);
        assert_eq!(results.iter().filter(|result| **result == Err(Failure::Errors)).count(), 2000);
    }
}
