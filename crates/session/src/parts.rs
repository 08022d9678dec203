//! The parts of a question about assumptions: components, environments and properties, by name.

use std::sync::Arc;

use rely_assume::{Goal, Problem};
use rely_base::{Budget, Exhausted, Id};
use rely_fsp::{Failure, Reduction, Target};
use rely_lts::{Component, ComponentId, Network, operators};

use crate::meaning::Meaning;

/// The components that names stand for, side by side.
///
/// A composite that is only a parallel composition gives its parts; any other is built and becomes one component.
pub(crate) fn components(
    meaning: &mut Meaning<'_>,
    names: &[String],
    budget: &Budget<'_>,
) -> Result<Vec<Component>, Failure> {
    let mut components = Vec::new();
    let mut failure = None;
    for name in names {
        // An error in one name does not keep the others from being looked at.
        match meaning.target(name) {
            Ok(target) => components.extend(parts_of(&target, budget).map_err(Failure::Exhausted)?),
            Err(Failure::Errors) => failure = Some(Failure::Errors),
            Err(exhausted) => return Err(exhausted),
        }
    }
    failure.map_or(Ok(components), Err)
}

fn parts_of(target: &Target, budget: &Budget<'_>) -> Result<Vec<Component>, Exhausted> {
    let network = &target.network;
    let is_plain = network.priority().is_none() && !network.has_hidden();
    if is_plain && target.reduction == Reduction::default() {
        return Ok(network.components().to_vec());
    }
    let lts = rely_fsp::compose(target, budget)?;
    Ok(vec![Component { name: target.name.clone(), lts: Arc::new(lts) }])
}

/// A property process, or a process that is taken for one: then everything that it does not allow is an error.
pub(crate) fn property(
    meaning: &mut Meaning<'_>,
    name: &str,
    budget: &Budget<'_>,
    warnings: &mut Vec<String>,
) -> Result<Goal, Failure> {
    let mut parts = components(meaning, &[name.to_owned()], budget)?;
    for part in parts.iter_mut().filter(|part| part.lts.error().is_none()) {
        if !meaning.is_property(&part.name) {
            warnings.push(format!("{} is not declared as a property, and is taken as one", part.name));
        }
        part.lts = Arc::new(operators::trim(&operators::complete(&part.lts)));
    }
    Ok(Goal { name: name.to_owned(), components: parts })
}

/// Components without what could fail in them: property processes are left out, error states cut off.
pub(crate) fn faultless(
    meaning: &Meaning<'_>,
    components: &[Component],
    warnings: &mut Vec<String>,
) -> Vec<Component> {
    let network = Network::new(components.to_vec());
    let is_observer = |id: &ComponentId| meaning.is_property(&components[id.index()].name);
    let ids = (0..components.len()).map(ComponentId::from_index);
    let observers: Vec<ComponentId> = ids.filter(is_observer).collect();
    for (i, component) in components.iter().enumerate() {
        if component.lts.error().is_some() && !observers.contains(&ComponentId::from_index(i)) {
            warnings.push(format!("{} can fail by itself; only runs before that are considered", component.name));
        }
    }
    Problem::new("", &network, &[], &observers).parts
}
