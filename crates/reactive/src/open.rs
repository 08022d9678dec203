//! Components on their own, for those who ask about any language.

use rely_base::{Budget, Id, Span};
use rely_lts::{Behaviour, ComponentId};
use rely_model::{Assumption, Failure, Mined, OpenComponents, Origin, Target, WatchedTarget};

use crate::Elaborator;
use crate::assumed;
use crate::elaborate::formulas;
use crate::formula::Formula;
use crate::front_end::target;
use crate::program::{Check, Lowered, Options, View, lower};
use crate::system::{self, Instant};

impl Elaborator {
    /// A target while one of its properties watches it, under assumptions if it is a component.
    pub(crate) fn watched(
        &mut self,
        name: &str,
        property: &str,
        assumed: &[Assumption],
    ) -> Result<WatchedTarget, Failure> {
        let (view, lowered) = self.lowered(name, |check| check == property, assumed)?;
        watched(name, view, lowered)
    }
}

/// A target, and the only unit of it that watches the others.
fn watched(name: &str, view: View, lowered: Lowered) -> Result<WatchedTarget, Failure> {
    let watcher = lowered.parts.iter().position(|part| part.origin == Origin::Property);
    let watcher = ComponentId::from_index(watcher.ok_or(Failure::Errors)?);
    Ok((target(name, view, lowered), watcher))
}

impl OpenComponents for Elaborator {
    fn system_of(&mut self, target: &str) -> Option<String> {
        if !self.names_target(target) {
            return None;
        }
        let (system, view) = self.find(target).ok()?;
        matches!(view, View::Component(_)).then(|| system.name.clone())
    }

    fn mine(&mut self, component: &str, budget: &Budget<'_>) -> Result<Mined, Failure> {
        Self::mine(self, component, budget)
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
        let (view, lowered) = self.lowered(component, |_| false, assumed)?;
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

    fn environment(&mut self, component: &str, watching: &[Assumption]) -> Result<WatchedTarget, Failure> {
        let (system, id) = self.component(component)?;
        let view = View::Environment(id);
        let formula = Formula::all(formulas(system, id, watching)?);
        let written = |it: &&system::Assumption| watching.contains(&Assumption::Written(it.name.clone()));
        let place = system.assumptions.iter().find(written).map_or(Span::new(0, 0), |written| written.place);
        let name = watching.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let instant = Instant::Microstep(None);
        let check = Check { name, instant, formula, place, is_about_border: true };
        let lowered = lower(system, view, &Options { checks: vec![check], ..Options::without_properties() });
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
