//! Components on their own, for those who ask about any language.

use std::collections::BTreeSet;

use rely_base::{Budget, Id, Span};
use rely_lts::{Behaviour, ComponentId};
use rely_model::{Assumption, Failure, Mined, OpenComponents, Origin, Target, WatchedTarget, Window};

use crate::Elaborator;
use crate::assumed;
use crate::elaborate::formulas;
use crate::formula::{Atom, Formula};
use crate::front_end::target;
use crate::program::{Check, Lowered, Options, View, lower};
use crate::satisfiable::witness;
use crate::system::{self, Instant, System};

impl Elaborator {
    /// A target while one of its properties watches it, under assumptions if it is a component.
    pub(crate) fn watched(
        &mut self,
        name: &str,
        property: &str,
        assumed: &[Assumption],
    ) -> Result<WatchedTarget, Failure> {
        let (view, lowered) = self.lowered(name, Some(property), assumed)?;
        watched(name, view, lowered)
    }
}

/// A target, and the only unit of it that watches the others.
fn watched(name: &str, view: View, lowered: Lowered) -> Result<WatchedTarget, Failure> {
    let watcher = lowered.parts.iter().position(|part| part.origin == Origin::Property);
    let watcher = ComponentId::from_index(watcher.ok_or(Failure::Errors)?);
    Ok((target(name, view, lowered), watcher))
}

/// The components that send the events of an assumption, if it is true as soon as each of them alone keeps to it: there is
/// only one, or it only forbids one event, which is there if one of them sends it.
fn senders(system: &System, component: system::ComponentId, formula: &Formula) -> Vec<system::ComponentId> {
    let (mut senders, mut events) = (BTreeSet::new(), BTreeSet::new());
    formula.for_each_atom(&mut |atom| {
        if let Atom::Event(event) | Atom::Before(event) | Atom::OldEvent(event) = atom {
            events.insert(*event);
            senders.extend(system.event(*event).senders.iter().map(|&id| system.machine(id).component));
        }
    });
    senders.remove(&Some(component));
    // What one of them has sent earlier says nothing about another.
    let is_free = formula.only_forbids() && !formula.has_past();
    let is_separate = senders.len() == 1 || events.len() == 1 && is_free;
    let components: Option<Vec<_>> = senders.into_iter().collect();
    components.filter(|_| is_separate).unwrap_or_default()
}

/// The target of a component.
fn target_of(system: &System, component: system::ComponentId) -> String {
    format!("{}.{}", system.name, system.component(component).name)
}

impl OpenComponents for Elaborator {
    fn system_of(&mut self, target: &str) -> Option<String> {
        if !self.names_target(target) {
            return None;
        }
        let (system, view) = self.find(target).ok()?;
        matches!(view, View::Component(_)).then(|| system.name.clone())
    }

    fn mine(&mut self, component: &str, window: Window, budget: &Budget<'_>) -> Result<Mined, Failure> {
        Self::mine(self, component, window, budget)
    }

    fn content_of_environment(&mut self, component: &str, window: Window) -> Result<String, Failure> {
        Self::content_of_environment(self, component, window)
    }

    fn follows(&mut self, component: &str, rule: &Assumption, from: &[Assumption]) -> Result<bool, Failure> {
        if from.contains(rule) {
            return Ok(true);
        }
        let (system, id) = self.component(component)?;
        let Some(rule) = assumed::formula(system, id, rule) else { return Ok(false) };
        // What was there earlier is not told apart from what is there in formulas that are decided by logic alone.
        let premises =
            from.iter().filter_map(|it| assumed::formula(system, id, it)).filter(|it| !it.has_past());
        let broken = Formula::all(premises.chain([rule.clone().negated()]));
        Ok(!rule.has_past() && matches!(witness(&broken, system), Some(None)))
    }

    fn written(&mut self, component: &str) -> Result<Vec<Assumption>, Failure> {
        let (system, component) = self.component(component)?;
        let own = system.assumptions.iter().filter(|assumption| assumption.component == component);
        Ok(own.map(|assumption| Assumption::Written(assumption.name.clone())).collect())
    }

    fn one_at_a_time(&mut self, component: &str) -> Result<Vec<Assumption>, Failure> {
        let (system, component) = self.component(component)?;
        let takes = &system.component(component).takes;
        let names: Vec<&str> = takes.iter().map(|&event| system.event(event).name.as_str()).collect();
        let pairs = names.iter().enumerate().flat_map(|(at, one)| {
            let others = names[at + 1..].iter();
            others.map(move |other| Assumption::Rule(format!("never {one} with {other}")))
        });
        Ok(pairs.collect())
    }

    fn alone(&mut self, component: &str, assumed: &[Assumption]) -> Result<Target<Behaviour>, Failure> {
        let (view, lowered) = self.lowered(component, None, assumed)?;
        Ok(target(component, view, lowered))
    }

    fn watched_alone(
        &mut self,
        component: &str,
        property: &str,
        assumed: &[Assumption],
    ) -> Result<WatchedTarget, Failure> {
        self.watched(component, property, assumed)
    }

    fn senders(&mut self, component: &str, assumption: &Assumption) -> Result<Vec<String>, Failure> {
        let (system, id) = self.component(component)?;
        let formula = assumed::formula(system, id, assumption).ok_or(Failure::Errors)?;
        Ok(senders(system, id, &formula).into_iter().map(|sender| target_of(system, sender)).collect())
    }

    fn environment(
        &mut self,
        component: &str,
        sender: Option<&str>,
        watching: &[Assumption],
    ) -> Result<WatchedTarget, Failure> {
        let (system, id) = self.component(component)?;
        let view = match sender {
            None => View::Environment(id),
            Some(name) => {
                let all = formulas(system, id, watching)?;
                let mut known = all.iter().flat_map(|formula| senders(system, id, formula));
                View::Component(known.find(|&it| target_of(system, it) == name).ok_or(Failure::Errors)?)
            }
        };
        let formula = Formula::all(formulas(system, id, watching)?);
        let written = |it: &&system::Assumption| watching.contains(&Assumption::Written(it.name.clone()));
        let place = system.assumptions.iter().find(written).map_or(Span::new(0, 0), |written| written.place);
        let name = watching.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let instant = Instant::Microstep(None);
        let check = Check { name, instant, formula, place, is_about_border: true };
        let options = Options { checks: vec![check], all_choices: false, ..Options::without_properties() };
        let lowered = lower(system, view, &options);
        watched(component, view, lowered)
    }

    fn first_broken(
        &mut self,
        component: &str,
        trace: &[String],
        assumptions: &[Assumption],
    ) -> Result<Option<usize>, Failure> {
        let (system, component) = self.component(component)?;
        let formulas = formulas(system, component, assumptions)?;
        Ok(assumed::first_broken(system, component, trace, &formulas))
    }
}
