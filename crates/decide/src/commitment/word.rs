//! What a run says of a commitment, from the definitions: for the replay of counterexamples.
//!
//! Nothing of the automata and the search is used. The letters are those that the interpreter of the judge gives for the
//! states of the run; templates are evaluated as their words say, formulas by the meaning of their operators; and who could
//! have moved is asked again in every state of the cycle.

use rely_base::{ActionId, Id};
use rely_certificate::Interpreter;
use rely_lts::{Observation, Program};
use rely_omega::{AtomId, AtomSet, Commitment, Formula, Justice, Scheduling, Statement, Template};

use crate::ltl::holds_on;
use crate::{Counterexample, Ending, Step};

/// Why a run does not show that a commitment is broken; nothing if it does.
pub(super) fn objection(
    program: &Program,
    (commitment, scheduling): (&Commitment<Observation>, &Scheduling),
    run: &Counterexample,
) -> Option<&'static str> {
    let interpreter = Interpreter::new(program);
    let letter = |step: &Step| letter(&interpreter, commitment, &step.action, &step.after);
    let prefix: Vec<AtomSet> = run.trace.iter().map(letter).collect();
    let cycle: Vec<AtomSet> = match run.ending {
        Ending::Cycle => run.cycle.iter().map(letter).collect(),
        // Nothing is possible: nothing happens any more.
        _ => {
            let last = run.trace.last().map_or(&run.initial, |step| &step.after);
            vec![self::letter(&interpreter, commitment, "", last)]
        }
    };
    if !commitment.assuming.iter().all(|assumption| is_true(assumption, &prefix, &cycle)) {
        return Some("the run does not meet an assumption");
    }
    if is_true(&commitment.claim, &prefix, &cycle) {
        return Some("the run satisfies the claim");
    }
    (!is_fair(&interpreter, scheduling, run)).then_some("the run is not fair to a process")
}

fn letter(
    interpreter: &Interpreter<'_>,
    commitment: &Commitment<Observation>,
    action: &str,
    after: &[u32],
) -> AtomSet {
    let action = interpreter.program().alphabet().get(action);
    let holds = |it: &Observation| match it {
        Observation::Actions(actions) => action.is_some_and(|action| actions.contains(&action)),
        Observation::Condition(condition) => interpreter.holds(after, *condition),
    };
    let atoms = commitment.propositions.iter().enumerate().filter(|(_, it)| holds(it));
    atoms.map(|(number, _)| AtomId::from_index(number)).collect()
}

/// Whether a statement is true of the word `prefix` · `cycle` · `cycle` · …
fn is_true(statement: &Statement, prefix: &[AtomSet], cycle: &[AtomSet]) -> bool {
    let template = match statement {
        Statement::Template(template) => template,
        Statement::Formula(formula) => return holds_on(formula, [prefix, cycle].concat(), prefix.len()),
    };
    // What is to be seen of safety and of what is pending is seen in two rounds.
    let word: Vec<&AtomSet> = prefix.iter().chain(cycle).chain(cycle).collect();
    let somewhere = |it: &Formula| word.iter().any(|letter| it.holds(letter));
    let again = |it: &Formula| cycle.iter().any(|letter| it.holds(letter));
    // Whether d comes from a position on, up to and with the first f.
    let comes = |from: usize, d: &Formula, f: &Formula| {
        let end = (from..word.len()).find(|&at| f.holds(word[at])).unwrap_or(word.len() - 1);
        from < word.len() && (from..=end).any(|at| d.holds(word[at]))
    };
    match template {
        Template::Never(d) => !somewhere(d),
        Template::Always(p) => word.iter().all(|letter| p.holds(letter)),
        Template::Eventually(d) => somewhere(d),
        Template::NeverUntilAfter(d, f) => !comes(0, d, f),
        Template::AfterNeverUntilAfter(e, d, f) => {
            (0..word.len()).all(|at| !e.holds(word[at]) || !comes(at + 1, d, f))
        }
        Template::AfterEventually(e, d) => {
            let after = |pending: bool, letter: &&AtomSet| {
                if pending { !d.holds(letter) } else { e.holds(letter) }
            };
            again(d) || !word.iter().fold(false, after)
        }
        Template::Repeatedly(e) => again(e),
        Template::EventuallyAlways(p) => cycle.iter().all(|letter| p.holds(letter)),
        Template::IfRepeatedlyRepeatedly(e, d) => !again(e) || again(d),
    }
}

/// Whether a run is fair to all processes: each moves in the cycle, or could not (weak: somewhere, strong: anywhere).
fn is_fair(interpreter: &Interpreter<'_>, scheduling: &Scheduling, run: &Counterexample) -> bool {
    if run.ending != Ending::Cycle || scheduling.justice == Justice::None {
        return true;
    }
    let alphabet = interpreter.program().alphabet();
    let possible: Vec<Vec<ActionId>> =
        run.cycle.iter().map(|step| actions(interpreter, &step.before)).collect();
    scheduling.processes.iter().all(|process| {
        let moves = |step: &Step| alphabet.get(&step.action).is_some_and(|action| process.contains(&action));
        let rests = |possible: &Vec<ActionId>| !possible.iter().any(|action| process.contains(action));
        run.cycle.iter().any(moves)
            || match scheduling.justice {
                Justice::Strong => possible.iter().all(rests),
                Justice::Weak | Justice::None => possible.iter().any(rests),
            }
    })
}

/// The actions that are possible in a state.
fn actions(interpreter: &Interpreter<'_>, state: &[u32]) -> Vec<ActionId> {
    let mut actions = Vec::new();
    let all: Result<(), ()> = interpreter.steps(state, &mut |step| {
        actions.extend(step.action);
        Ok(())
    });
    debug_assert!(all.is_ok(), "nothing stops it");
    actions
}
