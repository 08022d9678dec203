//! Doubts: why a verdict may not mean what was intended.
//!
//! A verdict may be right and worthless: because of a misspelt name, because nothing exercises a property, or because
//! a property is not checked at all. Doubts about a verdict are part of its result (`warnings`); a doubt about no
//! verdict in particular is a finding with a code that [`questions_verdicts`] knows. Both are always shown, and count
//! as failures with `--strict`.
//!
//! - Names that no process has: `names.rs`.
//! - Assumptions with actions that no component has: `assumed.rs`.
//! - Properties that are not checked at all, and fluents that nothing uses: `unchecked.rs`.
//! - Properties that are not exercised: [`rely_decide::Vacuity`].

mod assumed;
mod names;
mod unchecked;
mod untested;

use rely_base::{Budget, Code, Id};
use rely_lts::{Behaviour, Component, ComponentId, Network};
use rely_model::{Origin, Target, Watched};
use rely_omega::Assertion;
use rely_omega::ProgressProperty;

use crate::explain;
use crate::parts::ids;
use crate::report::{CheckResult, Kind, Verdict};

pub(crate) use assumed::{of_its_file, of_library};
pub(crate) use names::{Fate, Names, near_misses};
pub(crate) use unchecked::{unchecked, unused_fluents};
use untested::of_constants;
pub(crate) use untested::of_untested;

/// Whether findings with a code question verdicts.
pub(crate) fn questions_verdicts(code: &str) -> bool {
    /// Relabelling, hiding or removal of a label that no action has, and divergence that a reduction has lost.
    const OF_THE_MODEL: [&str; 4] = ["W0302", "W0303", "W0306", "W0310"];
    const OF_THE_ANSWER: [Code; 5] = [
        explain::UNCHECKED,
        explain::FAILS_BESIDE,
        explain::NOT_ALL_CLAIMED,
        explain::FOREIGN_ACTIONS,
        explain::NO_SUCH_EVENT,
    ];
    OF_THE_ANSWER.iter().any(|known| known.0 == code) || OF_THE_MODEL.contains(&code)
}

/// Warnings of properties inside components that were built first, if they have actions that no process has.
/// Properties that are components themselves are checked by name, and are warned of then.
pub(crate) fn of_properties_inside(target: &Target) -> Vec<String> {
    let mut unowned = target.unowned_actions();
    let components = target.behaviour.components();
    unowned.retain(|watched| components.iter().all(|component| component.name != watched.property));
    if unowned.is_empty() {
        return Vec::new();
    }
    Names::new(target.owned_actions()).warnings_of_properties(&unowned)
}

/// Adds doubts to the answers about a target.
pub(crate) struct Doubts<'a> {
    pub(crate) target: &'a Target<Behaviour>,
    /// The property processes that observe it from outside.
    pub(crate) properties: &'a [Component],
    pub(crate) progress: &'a [ProgressProperty],
    pub(crate) assertions: &'a [Assertion],
    pub(crate) budget: Budget<'a>,
}

impl Doubts<'_> {
    pub(crate) fn add(&self, results: &mut [CheckResult]) {
        let names = Names::new(self.target.owned_actions());
        let of_properties = names.warnings_of_properties(&self.target.unowned_actions());
        for result in results {
            let absent = match result.kind {
                Kind::Safety if result.property != "safety" => self.of_property(&names, &result.property),
                // An action that is free to occur also keeps the target from being stuck.
                Kind::Deadlock | Kind::Safety => of_properties.clone(),
                Kind::Progress => self.of_progress(&names, &result.property),
                Kind::Ltl => self.of_assertion(&names, &result.property),
                Kind::Divergence => Vec::new(),
            };
            result.warnings.splice(0..0, absent);
            if result.verdict == Verdict::Holds {
                let untested = self.untested(result);
                result.warnings.extend(untested);
            }
        }
    }

    /// Warnings of properties and assertions that are not exercised.
    ///
    /// They are searched for with equivalent states merged if the answer was found in this way, since there would be
    /// too many states otherwise: the same actions occur, and components get to equivalent states.
    fn untested(&self, result: &CheckResult) -> Vec<String> {
        let merge = || self.target.behaviour.as_network()?.condensed(&self.budget).ok().map(Behaviour::from);
        let merged = if result.equivalent_states_merged { merge() } else { None };
        let behaviour = merged.as_ref().unwrap_or(&self.target.behaviour);
        match (result.kind, behaviour.as_network()) {
            (Kind::Safety, Some(network)) if result.property == "safety" => {
                self.untested_properties(network, result.states)
            }
            // A premise that never holds is more informative than an atom that never changes.
            (Kind::Ltl, _) if !result.warnings.iter().any(|warning| warning.contains("vacuously")) => {
                let assertion = self.assertions.iter().find(|other| other.name == result.property);
                let doubt = |assertion| of_constants(behaviour, assertion, result.states, &self.budget);
                assertion.and_then(doubt).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn untested_properties(&self, network: &Network, explored: usize) -> Vec<String> {
        let is_property = |id: &ComponentId| self.target.parts[id.index()].origin == Origin::Property;
        let can_fail = |id: &ComponentId| !network.components()[id.index()].lts.has_tau();
        let properties: Vec<ComponentId> = ids(network).filter(is_property).filter(can_fail).collect();
        of_untested(network, &properties, explored, &self.budget)
    }

    /// Warnings of actions that only a property has that observes the target from outside.
    fn of_property(&self, names: &Names<'_>, property: &str) -> Vec<String> {
        let Some(property) = self.properties.iter().find(|other| other.name == property) else {
            return Vec::new();
        };
        let unowned = property.lts.alphabet().sorted_names().into_iter().filter(|name| !names.contains(name));
        let actions: Vec<String> = unowned.map(str::to_owned).collect();
        let (property, definition) = (property.name.clone(), property.name.as_str().into());
        names.warnings_of_properties(&[Watched { property, definition, actions }])
    }

    fn of_progress(&self, names: &Names<'_>, property: &str) -> Vec<String> {
        let Some(property) = self.progress.iter().find(|other| other.name == property) else {
            return Vec::new();
        };
        let named = property.condition.iter().flatten().chain(&property.actions);
        self.absent(names, named.map(String::as_str), Fate::Never)
    }

    fn of_assertion(&self, names: &Names<'_>, assertion: &str) -> Vec<String> {
        let Some(assertion) = self.assertions.iter().find(|other| other.name == assertion) else {
            return Vec::new();
        };
        self.absent(names, assertion.alphabet().names(), Fate::Free)
    }

    /// Warnings of those of some actions that no process has; `fate` is the consequence if no property has them
    /// either.
    fn absent<'n>(&self, names: &Names<'_>, named: impl Iterator<Item = &'n str>, fate: Fate) -> Vec<String> {
        let mut absent: Vec<&str> = named.filter(|name| !names.contains(name)).collect();
        absent.sort_unstable();
        absent.dedup();
        let alphabet = self.target.behaviour.alphabet();
        let (watched, unknown): (Vec<&str>, Vec<&str>) =
            absent.into_iter().partition(|name| alphabet.contains(name));
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let unknown = names.warning(&owned(unknown), fate);
        unknown.into_iter().chain(names.warning_of_watched(&owned(watched), Fate::Free)).collect()
    }
}

#[cfg(test)]
mod tests;
