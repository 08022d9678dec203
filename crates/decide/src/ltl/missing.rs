//! The actions that a formula waits for in vain: they would help it, and none of them occurs any more.
//!
//! **Problem.** A cycle breaks `[](send -> <>deliver)`. The run shows what happens in place of `deliver`; the question is
//! why `deliver` does not happen.
//!
//! **Idea.** An action helps a formula if the formula has it as an atom under an even number of negations, or if it makes
//! such a fluent true, or a fluent under an odd number of negations false. Only fluents count that have the wrong value
//! somewhere in the cycle. A fair run stays in a terminal component of the graph for ever, so an action that does not
//! occur in it never occurs again. These actions are for the reader; no verdict depends on them.

use std::collections::BTreeSet;

use rely_base::Id;
use rely_omega::{Assertion, AtomId, Formula, Proposition};

use crate::Counterexample;

/// The actions that would help an assertion and are not among those that recur, in dictionary order; nothing for a run
/// without a cycle. The fluents that hold after each step have to be known.
pub(super) fn missing(assertion: &Assertion, run: &Counterexample) -> Vec<String> {
    if run.cycle.is_empty() {
        return Vec::new();
    }
    let mut helpful: BTreeSet<&str> = BTreeSet::new();
    for (atom, is_positive) in signed_atoms(&assertion.formula) {
        match &assertion.propositions[atom.index()] {
            Proposition::Action(names) if is_positive => helpful.extend(names.iter().map(String::as_str)),
            Proposition::Action(_) => {}
            Proposition::Fluent(fluent) => {
                let holds = |fluents: &Vec<String>| fluents.contains(&fluent.name);
                if run.cycle.iter().any(|step| holds(&step.fluents) != is_positive) {
                    let switches = if is_positive { &fluent.on } else { &fluent.off };
                    helpful.extend(switches.iter().map(String::as_str));
                }
            }
        }
    }
    let recurs = |name: &&str| run.recurring.iter().any(|recurring| recurring == name);
    helpful.into_iter().filter(|name| !recurs(name)).map(str::to_owned).collect()
}

/// The atoms of a formula, each with whether it occurs under an even number of negations.
fn signed_atoms(formula: &Formula) -> Vec<(AtomId, bool)> {
    let (mut atoms, mut open) = (Vec::new(), vec![(formula, true)]);
    while let Some((formula, is_positive)) = open.pop() {
        match formula {
            Formula::Atom(atom) => atoms.push((*atom, is_positive)),
            Formula::Not(operand) => open.push((operand, !is_positive)),
            Formula::Implies(premise, conclusion) => {
                open.extend([(&**premise, !is_positive), (&**conclusion, is_positive)]);
            }
            Formula::Iff(one, other) => {
                open.extend([(&**one, true), (&**one, false), (&**other, true), (&**other, false)]);
            }
            other => open.extend(other.operands().map(|operand| (operand, is_positive))),
        }
    }
    atoms
}

#[cfg(test)]
mod tests {
    use rely_omega::Fluent;

    use super::*;
    use crate::{Ending, Step};

    fn fluent(name: &str, on: &str, off: &str) -> Proposition {
        let names = |name: &str| vec![name.to_owned()];
        Proposition::Fluent(Fluent {
            name: name.to_owned(),
            on: names(on),
            off: names(off),
            initially: false,
        })
    }

    fn action(name: &str) -> Proposition {
        Proposition::Action(vec![name.to_owned()])
    }

    /// A run that repeats steps for ever, with the fluents that hold after each.
    fn cycle(steps: &[(&str, &[&str])]) -> Counterexample {
        let step = |(action, fluents): &(&str, &[&str])| Step {
            action: (*action).to_owned(),
            movers: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            fluents: fluents.iter().map(|&fluent| fluent.to_owned()).collect(),
        };
        let network = rely_lts::Network::new(Vec::new());
        let run = Counterexample::new((&network).into(), Vec::new(), Ending::Cycle);
        let recurring = steps.iter().map(|(action, _)| (*action).to_owned()).collect();
        Counterexample { cycle: steps.iter().map(step).collect(), recurring, ..run }
    }

    fn missing_in(run: &Counterexample, formula: Formula, propositions: Vec<Proposition>) -> Vec<String> {
        let name = "A".to_owned();
        missing(&Assertion { name, formula, propositions, extension: Vec::new() }, run)
    }

    fn atom(number: u32) -> Formula {
        Formula::atom(AtomId::from_raw(number))
    }

    #[test]
    fn what_recurs_and_what_does_harm_is_not_missing() {
        let run = cycle(&[("send", &[]), ("lose", &[])]);
        // send || other -> <>(deliver || send)
        let formula = Formula::Implies(
            Box::new(Formula::Or(Box::new(atom(0)), Box::new(atom(1)))),
            Box::new(Formula::Eventually(Box::new(Formula::Or(Box::new(atom(2)), Box::new(atom(0)))))),
        );
        let propositions = || vec![action("send"), action("other"), action("deliver")];
        assert_eq!(missing_in(&run, formula.clone(), propositions()), ["deliver"]);
        assert_eq!(missing_in(&run, formula.negated(), propositions()), ["other"]);
        assert!(missing_in(&cycle(&[]), atom(0), vec![action("deliver")]).is_empty());
    }

    #[test]
    fn fluents_count_where_they_have_the_wrong_value() {
        let run = cycle(&[("tick", &["ON"]), ("tock", &["ON", "HALF"])]);
        let of = |formula| missing_in(&run, formula, vec![fluent("ON", "start", "stop")]);
        assert!(of(atom(0)).is_empty());
        assert_eq!(of(Formula::Not(Box::new(atom(0)))), ["stop"]);
        let of = |formula| missing_in(&run, formula, vec![fluent("HALF", "half", "whole")]);
        assert_eq!(of(atom(0)), ["half"]);
        assert_eq!(of(Formula::Iff(Box::new(atom(0)), Box::new(Formula::True))), ["half", "whole"]);
    }
}
