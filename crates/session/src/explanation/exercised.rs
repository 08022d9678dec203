//! Coverage for a report.

use rely_base::{Budget, Id, Label, Limits};
use rely_decide::{Coverage, Sight, coverage};
use rely_lts::{Component, ComponentId, Network};

use crate::Internal;
use crate::report::{ComponentCoverage, CoverageResult, NearMiss, TraceStep, Untaken, WitnessResult};

/// Maximum number of states of the whole system that are explored for coverage.
const MOST_STATES: usize = 1 << 17;

/// Maximum number of transitions listed for a component that are never taken.
const LISTED: usize = 20;

/// The coverage of a network whose last components are the goal.
pub(crate) fn exercised(
    network: &Network,
    goal: &[ComponentId],
    budget: &Budget<'_>,
) -> Result<CoverageResult, Internal> {
    let narrow = budget.narrowed(Limits { states: Some(MOST_STATES), bytes: None });
    let coverage = coverage(network, goal, &narrow)?;
    let ids = (0..network.components().len()).map(ComponentId::from_index);
    let components: Vec<ComponentCoverage> =
        ids.map(|id| component(network, id, goal.contains(&id), &coverage)).collect();
    let exercised = coverage.witness.is_some()
        || components.iter().any(|one| one.property && one.transitions_taken + one.forbidden_approached > 0);
    let witness = coverage.witness.map(|witness| WitnessResult {
        steps: witness.steps.iter().map(TraceStep::of).collect(),
        near_miss: match witness.sight {
            Sight::Moved { .. } => None,
            Sight::Near { goal, action, ready, refusing } => {
                let numbers = |ids: Vec<ComponentId>| ids.into_iter().map(Id::index).collect();
                let (ready, refusing) = (numbers(ready), numbers(refusing));
                Some(NearMiss { action, property: goal.index(), ready, refusing })
            }
        },
    });
    Ok(CoverageResult {
        exhaustive: coverage.is_exhaustive,
        states: coverage.explored.states,
        components,
        exercised,
        witness,
    })
}

fn component(network: &Network, id: ComponentId, property: bool, coverage: &Coverage) -> ComponentCoverage {
    let Component { name, lts } = &network.components()[id.index()];
    let marks = &coverage.components[id.index()];
    let is_error = |state| lts.error() == Some(state);
    let visited = lts.states().filter(|&state| !is_error(state) && marks.states[state.index()]);
    let (mut transitions, mut taken, mut forbidden, mut approached) = (0, 0, 0, 0);
    let mut untaken = Vec::new();
    for (i, transition) in lts.transitions().enumerate() {
        if is_error(transition.target) {
            forbidden += 1;
            approached += usize::from(marks.approached[i]);
            continue;
        }
        transitions += 1;
        if marks.transitions[i] {
            taken += 1;
        } else {
            untaken.push(Untaken {
                source: transition.source.index(),
                action: name_of(lts, transition.label),
                target: transition.target.index(),
                source_visited: marks.states[transition.source.index()],
            });
        }
    }
    let further = untaken.len().saturating_sub(LISTED);
    // Transitions of visited states come first, because there other components refuse the action.
    untaken.sort_by_key(|one| !one.source_visited);
    untaken.truncate(LISTED);
    let own = network.actions_of(id).iter().filter(|action| !coverage.actions[action.index()]);
    let mut never: Vec<String> = own.map(|&action| network.alphabet().name(action).to_owned()).collect();
    never.sort_unstable();
    ComponentCoverage {
        name: name.clone(),
        property,
        states: lts.proper_state_count(),
        states_visited: visited.count(),
        transitions,
        transitions_taken: taken,
        forbidden,
        forbidden_approached: approached,
        never,
        untaken,
        further,
    }
}

fn name_of(lts: &rely_lts::Lts, label: Label) -> String {
    lts.alphabet().label_name(label).to_owned()
}
