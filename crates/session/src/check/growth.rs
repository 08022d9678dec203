//! Where the states are, for somebody whose model is too large.
//!
//! A product has at most as many states as its parts have together. So a large part, or many parts of one kind, is what
//! makes it grow, and what to look at first. Nothing is explored for this.

use rely_base::Id;
use rely_lts::{Behaviour, Network, Program};
use rely_model::{PartTable, Target};

use super::CheckQuery;
use crate::report::{CheckResult, Growth, Kind, PartSize};

/// How many parts are told.
const TOLD: usize = 6;

/// What makes a target large, and what to try.
pub(super) fn growth(target: &Target<Behaviour>, query: &CheckQuery, answers: &[CheckResult]) -> Growth {
    let behaviour = &target.behaviour;
    let mut table = PartTable::default();
    table.add(&target.parts);
    let parts = match behaviour {
        Behaviour::Network(network) => components(network, &table),
        Behaviour::Program(program) => slots(program),
    };
    let digits = parts.iter().map(|part| (part.states as f64).log10() * part.count as f64).sum::<f64>();
    let advice = advice(&parts, behaviour, query, answers);
    let left_out = parts.len().saturating_sub(TOLD);
    Growth { at_most: power_of_ten(digits), parts: parts.into_iter().take(TOLD).collect(), left_out, advice }
}

/// The number with this logarithm, as it is read: exact numbers do not matter where they are large.
fn power_of_ten(digits: f64) -> String {
    match digits < 6.0 {
        true => format!("{:.0}", 10f64.powf(digits)),
        false => format!("10^{digits:.0}"),
    }
}

/// The components, those of one definition and size together; the ones that contribute most come first.
fn components(network: &Network, table: &PartTable) -> Vec<PartSize> {
    let mut parts: Vec<PartSize> = Vec::new();
    for component in network.components() {
        let states = component.lts.proper_state_count();
        let definition = table.definition(&component.name);
        let is_alike = |part: &PartSize| part.states == states && table.definition(&part.name) == definition;
        match parts.iter_mut().find(|part| is_alike(part)) {
            Some(part) => part.count += 1,
            None => parts.push(PartSize { name: component.name.clone(), states, count: 1 }),
        }
    }
    ordered(parts)
}

/// The variables of a program.
fn slots(program: &Program) -> Vec<PartSize> {
    let size = |slot: &rely_lts::Slot| PartSize {
        name: slot.name.clone(),
        states: usize::try_from(slot.values.count()).unwrap_or(usize::MAX),
        count: 1,
    };
    ordered(program.slots().iter().map(size).collect())
}

fn ordered(mut parts: Vec<PartSize>) -> Vec<PartSize> {
    parts.retain(|part| part.states > 1);
    let weight = |part: &PartSize| (part.states as f64).ln() * part.count as f64;
    parts.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    parts
}

fn advice(
    parts: &[PartSize],
    behaviour: &Behaviour,
    query: &CheckQuery,
    answers: &[CheckResult],
) -> Vec<String> {
    let mut advice = Vec::new();
    if let Some(many) = parts.iter().find(|part| part.count > 2) {
        advice.push(format!(
            "fewer of a kind: most mistakes show with two or three; there are {} like {}",
            many.count, many.name
        ));
    }
    if let Some(large) = parts.first().filter(|part| part.states > 20) {
        advice.push(format!(
            "smaller ranges: {} has {} states by itself (`--define NAME=VALUE` changes a constant)",
            large.name, large.states
        ));
    }
    let is_network = behaviour.as_network().is_some();
    let properties = behaviour.as_network().map_or(0, |network| {
        let can_fail = |id: &usize| network.components()[*id].lts.error().is_some();
        (0..network.components().len()).filter(can_fail).map(rely_lts::ComponentId::from_index).count()
    });
    if is_network && properties > 0 {
        advice.push(
            "`rely verify` proves safety properties from the parts, without the whole product".to_owned(),
        );
    }
    let asks_for_all = answers.iter().any(|it| matches!(it.kind, Kind::Progress | Kind::Ltl));
    if asks_for_all && query.only.is_empty() {
        advice.push(
            "`--only deadlock,safety` looks at some of the states; progress and assertions need all"
                .to_owned(),
        );
    }
    if query.no_reduction {
        advice.push("leave out `--no-reduction`".to_owned());
    }
    advice.push("more room: `--max-states`, `--max-memory`, `--timeout`".to_owned());
    advice
}
