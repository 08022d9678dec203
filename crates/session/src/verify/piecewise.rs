//! Whether nothing in a composite fails, shown for one thing that can fail after the other.
//!
//! Problem: the product of a large composite has too many states, although each of its properties can be shown on few parts.
//! Idea: if no property is broken, and no part fails, before anything else has failed, then nothing ever fails: in a run that
//! fails, something is the first. So each is asked by itself, as `verify` does, and the claims about all of them are evidence
//! for the whole (`certify/coverage.rs`).
//!
//! Called for large composites by `check`.

use rely_assume::{Answer, Hints};
use rely_base::Budget;
use rely_certificate::uncovered;
use rely_lts::Network;

use super::VerifyQuery;
use super::questions::Questions;
use crate::parts::Library;
use crate::{Internal, Project};

/// What was shown of a composite.
pub(crate) struct Piecewise {
    /// How many properties there are, parts that fail by themselves counted as one.
    pub(crate) properties: usize,
    /// The most states that a step held.
    pub(crate) states: usize,
}

/// Shows that nothing fails in a composite, as far as that takes no step with more states than the budget allows. Nothing if a
/// property is broken, or does not follow within the limits: then the others are not looked at.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub(crate) fn nothing_fails(
    project: &Project,
    target: &str,
    network: &Network,
    budget: &Budget<'_>,
) -> Result<Option<Piecewise>, Internal> {
    // Rules and reductions do not know about priority.
    if network.priority().is_some() {
        return Ok(None);
    }
    let query = VerifyQuery::about(target);
    let mut library = Library::of(std::slice::from_ref(project), *budget);
    let Ok(questions) = Questions::read(project, &mut library, &query, budget) else { return Ok(None) };
    let names = |network: &Network| -> Vec<String> {
        network.components().iter().map(|component| component.name.clone()).collect()
    };
    let goals = questions.questions.iter().map(|question| &question.goal[..]);
    if names(&questions.own) != names(network) || !uncovered(network, goals).is_empty() {
        return Ok(None);
    }
    let mut states = 0;
    for question in &questions.questions {
        let answered = questions.ask(question, &query, &Hints::default(), *budget)?;
        if !matches!(answered.answer, Answer::Proved(_)) {
            return Ok(None);
        }
        states = states.max(answered.effort.peak_states);
    }
    Ok(Some(Piecewise { properties: questions.questions.len(), states }))
}

#[cfg(test)]
mod tests {
    use rely_testkit::rng::{Rng, seeds};

    use super::*;
    use crate::report::Verdict;
    use crate::{CheckQuery, check};

    const ACTIONS: [&str; 4] = ["a", "b", "c", "d"];

    /// A process or property with a few states; a process may run into ERROR.
    fn process(rng: &mut Rng, name: &str, is_property: bool) -> String {
        let states = 1 + rng.below(3);
        let mut text = format!("{}{name} = {name}_0", if is_property { "property " } else { "" });
        for state in 0..states {
            let mut steps = Vec::new();
            for action in ACTIONS {
                if rng.chance(1, 2) {
                    continue;
                }
                let target = match !is_property && rng.chance(1, 25) {
                    true => "ERROR".to_owned(),
                    false => format!("{name}_{}", rng.below(states)),
                };
                steps.push(format!("{action} -> {target}"));
            }
            let body = if steps.is_empty() { "STOP".to_owned() } else { format!("({})", steps.join(" | ")) };
            text.push_str(&format!(",\n    {name}_{state} = {body}"));
        }
        text + ".\n"
    }

    /// What is shown piece by piece is what one search of everything says.
    #[test]
    fn pieces_say_what_the_whole_does() {
        let (mut safe, mut unsafe_ones) = (0, 0);
        for seed in seeds(400) {
            let mut rng = Rng::new(seed);
            let parts: Vec<String> = (0..1 + rng.below(3)).map(|i| format!("M{i}")).collect();
            let properties: Vec<String> = (0..1 + rng.below(2)).map(|i| format!("P{i}")).collect();
            let mut text: String = parts.iter().map(|name| process(&mut rng, name, false)).collect();
            text.extend(properties.iter().map(|name| process(&mut rng, name, true)));
            text.push_str(&format!("||S = ({}).\n", [parts, properties].concat().join(" || ")));
            let project = Project::new("s.lts", &text, Box::new(|_| Err("nothing".to_owned())));
            let only = vec!["safety".to_owned()];
            let query = CheckQuery { only, ..CheckQuery::default() };
            let report = check(&project, &query, Budget::UNLIMITED).expect("runs can be replayed");
            let is_safe = report.results[0].verdict == Verdict::Holds;
            let target = crate::target(&project, Some("S"), Budget::UNLIMITED).expect("a model");
            let network = target.behaviour.as_network().expect("a network");
            let shown =
                nothing_fails(&project, "S", network, &Budget::UNLIMITED).expect("runs can be replayed");
            // Where nothing can fail at all there may be nothing to be shown.
            let can_fail = network.components().iter().any(|component| component.lts.error().is_some());
            if can_fail {
                assert_eq!(shown.is_some(), is_safe, "seed {seed}:\n{text}");
            }
            assert!(shown.is_none() || is_safe, "seed {seed}:\n{text}");
            safe += usize::from(shown.is_some());
            unsafe_ones += usize::from(!is_safe);
        }
        assert!(safe > 20 && unsafe_ones > 20, "{safe} safe, {unsafe_ones} not");
    }
}
