//! What was found, in the user's words.

use rely_base::Id;
use rely_decide::{self as decide, Counterexample, Decision, Ending, Vacuity};
use rely_lts::{Behaviour, BehaviourRef, ComponentId, Fault, SlotId};
use rely_omega::{Assertion, AtomId, Proposition};

use crate::cause::cause;
use crate::report::{CheckResult, Fairness, Kind, TraceStep};
use crate::states::StateNaming;

/// Shows a counterexample. A run can be long: its steps are given back as they are written down.
pub(super) fn show(
    behaviour: &Behaviour,
    counterexample: Counterexample,
    naming: &StateNaming,
    result: &mut CheckResult,
) {
    result.cause = cause(behaviour, &counterexample, naming);
    result.trace = counterexample.trace_names().into_iter().map(str::to_owned).collect();
    result.shortest = counterexample.is_shortest;
    result.cycle = counterexample.cycle_names().into_iter().map(str::to_owned).collect();
    result.fair = counterexample.fair.is_some()
        || result.kind != Kind::Ltl
        || result.cycle.is_empty()
        || result.fairness == Some(Fairness::None);
    let step = |step| TraceStep::new(step, behaviour, naming);
    result.steps = counterexample.trace.into_iter().map(step).collect();
    result.cycle_steps = counterexample.cycle.into_iter().map(step).collect();
    result.components = behaviour.part_names().into_iter().map(str::to_owned).collect();
    result.components.extend((!counterexample.free.is_empty()).then(|| "environment".to_owned()));
    if let Ending::Error(component) = counterexample.ending {
        result.violates = Some(name(behaviour.view(), component));
    }
    result.reason = match counterexample.ending {
        Ending::Error(_) => counterexample.fault.map(|fault| fault_in_words(behaviour, fault)),
        Ending::Terminated => Some("the target has ended".to_owned()),
        Ending::Deadlock if result.kind != Kind::Deadlock => Some("the target is stuck".to_owned()),
        Ending::Cycle if result.kind == Kind::Ltl && counterexample.wanted.is_empty() => None,
        Ending::Cycle if matches!(result.kind, Kind::Progress | Kind::Ltl) => {
            Some(match counterexample.recurring.is_empty() {
                true => "only silent steps can occur any more".to_owned(),
                false => format!("only these can occur any more: {}", list(&counterexample.recurring)),
            })
        }
        _ => None,
    };
}

fn name(behaviour: BehaviourRef<'_>, part: ComponentId) -> String {
    behaviour.part_names()[part.index()].to_owned()
}

/// What a unit has done wrong, with the name of the variable.
fn fault_in_words(behaviour: &Behaviour, fault: Fault) -> String {
    let slot = |slot: SlotId| {
        let slots = behaviour.as_program().map_or(&[][..], |program| program.slots());
        slots.get(slot.index()).map_or(String::new(), |slot| format!(": {}", slot.name))
    };
    match fault {
        Fault::Range(variable) | Fault::Clash(variable) => format!("{fault}{}", slot(variable)),
        Fault::DivisionByZero | Fault::Overflow | Fault::Index => fault.to_string(),
    }
}

/// Some names, and how many more there are.
pub(crate) fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// What a way of holding vacuously means to the user; nothing where it has nothing to do with the question.
pub(crate) fn warning(behaviour: BehaviourRef<'_>, kind: Kind, vacuity: &Vacuity) -> Option<String> {
    match vacuity {
        Vacuity::PropertyNeverActive(component) if kind == Kind::Safety => Some(format!(
            "property {} holds vacuously: none of its actions ever occurs",
            name(behaviour, *component)
        )),
        Vacuity::ComponentNeverMoves(component) if kind == Kind::Deadlock => {
            Some(format!("component {} never does anything", name(behaviour, *component)))
        }
        Vacuity::PropertyNeverActive(_) | Vacuity::ComponentNeverMoves(_) => None,
        Vacuity::ProgressWithoutActions => {
            Some("it holds vacuously: none of the actions exists, nor does the condition recur".to_owned())
        }
        Vacuity::ConditionWithoutActions => {
            Some("it holds vacuously: none of the actions of its condition exists".to_owned())
        }
        Vacuity::ConditionNeverRecurs => Some("it holds vacuously: its condition never recurs".to_owned()),
        Vacuity::PremiseNeverHolds(_) => None,
        Vacuity::AssumptionsUnmet => Some("it holds vacuously: no run meets all its assumptions".to_owned()),
    }
}

/// An atom of an assertion in the user's words.
pub(crate) fn named(assertion: &Assertion, atom: AtomId) -> String {
    match &assertion.propositions[atom.index()] {
        Proposition::Fluent(fluent) => fluent.name.clone(),
        Proposition::Action(actions) if actions.len() == 1 => actions[0].clone(),
        Proposition::Action(actions) => format!("{{{}}}", list(actions)),
    }
}

/// The formula of an assertion, and what its fluents are.
pub(super) fn formula(assertion: &Assertion) -> String {
    /// How many fluents are explained.
    const SHOWN: usize = 6;
    let shown = assertion.formula.display(|atom| named(assertion, atom)).to_string();
    let fluents = assertion.propositions.iter().filter_map(|proposition| match proposition {
        Proposition::Fluent(fluent) => Some(fluent),
        Proposition::Action(_) => None,
    });
    let explained: Vec<String> = fluents
        .take(SHOWN)
        .map(|fluent| {
            let initially = if fluent.initially { " initially True" } else { "" };
            format!("{} = <{}, {}>{initially}", fluent.name, set(&fluent.on), set(&fluent.off))
        })
        .collect();
    match explained.is_empty() {
        true => shown,
        false => format!("{shown} where {}", explained.join(", ")),
    }
}

/// Actions as they are written in a fluent.
fn set(actions: &[String]) -> String {
    match actions {
        [action] => action.clone(),
        _ => format!("{{{}}}", list(actions)),
    }
}

/// The premises of an assertion that never hold, in the user's words.
pub(super) fn vacuous_premises(assertion: &Assertion, decision: &Decision) -> Vec<String> {
    let decide::Verdict::Holds(evidence) = &decision.verdict else { return Vec::new() };
    let name = |atom: AtomId| named(assertion, atom);
    let premises = evidence.vacuity.iter().filter_map(|vacuity| match vacuity {
        Vacuity::PremiseNeverHolds(premise) => Some(premise.display(name).to_string()),
        _ => None,
    });
    premises.map(|premise| format!("it holds vacuously: its premise {premise} never holds")).collect()
}
