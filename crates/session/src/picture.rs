//! Pictures: of a system, possibly with a highlighted run, and of a trace as a sequence chart.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Id, Label, StateId};
use rely_draw::{Lane, LaneRow, Lanes};
use rely_lts::{Lts, LtsBuilder};

use crate::build::Built;
use crate::report::{CheckResult, TraceStep, Verdict};

/// A picture of a system, as SVG.
///
/// # Errors
/// When it is too large to be drawn; the text says what to do.
pub fn draw(built: &Built) -> Result<String, String> {
    picture(built, Vec::new(), None)
}

/// A picture of the states that are at most this number of steps away from the start, in either direction.
///
/// # Errors
/// When it is too large to be drawn; the text says what to do.
pub fn draw_around(built: &Built, steps: usize) -> Result<String, String> {
    picture(built, Vec::new(), Some(steps))
}

fn picture(built: &Built, run: Vec<(StateId, StateId)>, around: Option<usize>) -> Result<String, String> {
    let name = |state: StateId| built.states.as_ref()?.of(state);
    let mut title = built.target.clone();
    let (lts, names, run) = match around {
        None => (built.marked().into_owned(), built.lts.states().map(name).collect(), run),
        Some(steps) => {
            let centres = match run.last() {
                Some((_, last)) => vec![*last],
                None => vec![built.lts.initial()],
            };
            let kept = neighbourhood(&built.lts, &centres, steps);
            title.push_str(&format!(", {} of {} states", kept.len(), built.lts.state_count()));
            let place = |state: StateId| kept.binary_search(&state).ok().map(StateId::from_index);
            let run = run.iter().filter_map(|&(from, to)| Some((place(from)?, place(to)?))).collect();
            let shown = |&state: &StateId| Some(name(state).unwrap_or_else(|| state.index().to_string()));
            (restricted(&built.marked(), &kept, centres[0]), kept.iter().map(shown).collect(), run)
        }
    };
    let options = rely_draw::Options { title, names, run, ..rely_draw::Options::default() };
    rely_draw::svg(&lts, &options).map_err(|error| error.to_string())
}

/// The states that are at most this number of steps away from some states, in either direction; in order.
fn neighbourhood(lts: &Lts, centres: &[StateId], steps: usize) -> Vec<StateId> {
    let mut near: BTreeSet<StateId> = centres.iter().copied().collect();
    for _ in 0..steps {
        let more: Vec<StateId> = lts
            .transitions()
            .filter(|step| near.contains(&step.source) != near.contains(&step.target))
            .flat_map(|step| [step.source, step.target])
            .collect();
        if more.is_empty() {
            break;
        }
        near.extend(more);
    }
    near.into_iter().collect()
}

/// The part of a system with only the given states. It starts in the original initial state, or in `otherwise` if
/// that is dropped.
fn restricted(lts: &Lts, kept: &[StateId], otherwise: StateId) -> Lts {
    let place = |state: StateId| kept.binary_search(&state).ok().map(StateId::from_index);
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), kept.len());
    if let Some(initial) = place(lts.initial()).or_else(|| place(otherwise)) {
        builder.set_initial(initial);
    }
    builder.set_end(lts.end().and_then(place));
    builder.set_error(lts.error().and_then(place));
    for step in lts.transitions() {
        if let (Some(source), Some(target)) = (place(step.source), place(step.target)) {
            builder.add_transition(source, step.label, target);
        }
    }
    builder.build()
}

/// A picture in which a run with the given actions is highlighted; if `around` is given, of the states near its end.
///
/// # Errors
/// The system is too large to be drawn, or has no such run; then the number of the first action that is not possible.
pub fn draw_run(
    built: &Built,
    actions: &[String],
    around: Option<usize>,
) -> Result<Result<String, String>, usize> {
    let run = run_of(&built.lts, actions)?;
    Ok(picture(built, run, around))
}

/// The steps of a run with some actions; or the length of the longest prefix that has a run.
fn run_of(lts: &Lts, actions: &[String]) -> Result<Vec<(StateId, StateId)>, usize> {
    let named = |label: Label| label.action().map_or("tau", |action| lts.alphabet().name(action));
    // For each number of steps, the states that are reached, each with its predecessor.
    let mut levels: Vec<BTreeMap<StateId, StateId>> = vec![BTreeMap::from([(lts.initial(), lts.initial())])];
    for (done, action) in actions.iter().enumerate() {
        let mut next = BTreeMap::new();
        for &state in levels[done].keys() {
            for edge in lts.edges(state).iter().filter(|edge| named(edge.label) == action) {
                next.entry(edge.target).or_insert(state);
            }
        }
        if next.is_empty() {
            return Err(done);
        }
        levels.push(next);
    }
    let mut run = Vec::new();
    let mut at = levels.last().and_then(|last| last.keys().next().copied()).unwrap_or(lts.initial());
    for level in levels[1..].iter().rev() {
        let before = level[&at];
        run.push((before, at));
        at = before;
    }
    run.reverse();
    Ok(run)
}

/// The trace of a result as a sequence chart, in SVG: a lane for each component, and a row for each step.
pub fn chart(result: &CheckResult) -> String {
    let fails = result.cause.as_ref().and_then(|cause| cause.failure.as_ref()).map(|it| it.component);
    let lane = |(i, name): (usize, &String)| Lane {
        name: name.clone(),
        tone: if fails == Some(i) { 5 } else { 0 },
        looks_on: false,
    };
    let last = result.steps.len().wrapping_sub(1);
    let ends_badly = result.verdict == Verdict::Violated && result.cycle_steps.is_empty();
    let row = |(i, step): (usize, &TraceStep)| LaneRow {
        number: (i + 1).to_string(),
        names: vec![match i >= result.steps.len() {
            true => format!("{} (for ever)", step.action),
            false => step.action.clone(),
        }],
        marks: step.components.clone(),
        fails: ends_badly && i == last,
    };
    rely_draw::lanes(&Lanes {
        title: format!("{}: {}", result.target, result.property),
        columns: result.components.iter().enumerate().map(lane).collect(),
        rows: result.steps.iter().chain(&result.cycle_steps).enumerate().map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use rely_base::Id;

    use super::*;

    #[test]
    fn a_run_is_found_where_names_lead_to_several_states() {
        let lts = rely_lts::format::aut::read(b"des (0,4,4)\n(0,a,1)\n(0,a,2)\n(2,b,3)\n(1,c,1)\n")
            .expect("well-formed");
        let run = |actions: &str| {
            let actions: Vec<String> = actions.split_whitespace().map(str::to_owned).collect();
            let numbers = |(source, target): (StateId, StateId)| (source.index(), target.index());
            run_of(&lts, &actions).map(|run| run.into_iter().map(numbers).collect::<Vec<_>>())
        };
        assert_eq!(run("a b"), Ok(vec![(0, 2), (2, 3)]));
        assert_eq!(run("a c c"), Ok(vec![(0, 1), (1, 1), (1, 1)]));
        assert_eq!(run(""), Ok(Vec::new()));
        assert_eq!(run("a b b"), Err(2));
    }

    #[test]
    fn a_neighbourhood_has_the_states_within_so_many_steps_of_either_direction() {
        // 0 → 1 → 2 → 3, and 4 → 2.
        let mut builder = LtsBuilder::with_states(["a"].into_iter().collect(), 5);
        let a = Label::visible(builder.alphabet_mut().intern("a"));
        let state = StateId::from_index;
        for (source, target) in [(0, 1), (1, 2), (2, 3), (4, 2)] {
            builder.add_transition(state(source), a, state(target));
        }
        let lts = builder.build();
        let near = |centre: usize, steps| -> Vec<usize> {
            neighbourhood(&lts, &[state(centre)], steps).iter().map(|it| it.index()).collect()
        };
        assert_eq!(near(0, 0), [0]);
        assert_eq!(near(0, 2), [0, 1, 2]);
        assert_eq!(near(2, 1), [1, 2, 3, 4]);
        assert_eq!(near(3, 9), [0, 1, 2, 3, 4]);
        let part = restricted(&lts, &neighbourhood(&lts, &[state(2)], 1), state(2));
        assert_eq!((part.state_count(), part.transitions().count()), (4, 3));
    }
}
