//! Atoms of an assertion that never change.
//!
//! **Problem.** `[]!(BUSY && OPEN)` holds where BUSY never holds, and then says nothing about OPEN. An assertion that
//! holds may hold only because a fluent never changes, or because an action never occurs. When does this make it
//! vacuous?
//!
//! **Idea.** An atom that is always false can be replaced with `false`, and one that is always true with `true`. If
//! other atoms then vanish from the formula, it says nothing about them: it holds vacuously [Beer et al. 2001]. And
//! if a fluent always has the value that makes the formula hardest to satisfy, the formula holds without it
//! [Kupferman & Vardi 2003]. Neither is the case if the absence is what the formula requires, as in `[]!crash`.
//!
//! The formula alone determines for which atoms this would make it vacuous. Only these are watched in a search of the
//! network with the fluents, which ends as soon as all of them have changed.
//!
//! **Complexity.** That of a search within its budget. Formulas longer than [`LONG`] are not examined.
//!
//! **Callers.** `rely check`, about assertions that hold.

use rely_base::{Budget, Id};
use rely_certificate::closed_program;
use rely_explore::{Composite, Graph, Machine, Product};
use rely_lts::BehaviourRef;
use rely_omega::{Assertion, AtomId, AtomSet, Fairness, Formula, Letters, Proposition};

use super::premises::{Observer, observe};
use super::{Question, free_actions, with_free_actions};

/// Maximum number of operators and atoms of a formula that is examined; it also bounds the recursion.
const LONG: usize = 200;

/// An atom that has the same value at all positions of all runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// The atom.
    pub atom: AtomId,
    /// Its value.
    pub value: bool,
    /// The atoms that do not matter because of it. If the list is empty, the atom itself does not matter.
    pub irrelevant: Vec<AtomId>,
}

/// The atoms that never change and make an assertion vacuous. `None` if the budget is used up, if the behaviour can
/// fail, or if it is not explored completely.
pub fn constants<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    assertion: &Assertion,
    budget: &Budget<'_>,
) -> Option<Vec<Constant>> {
    match behaviour.into() {
        BehaviourRef::Network(network) => {
            let closed = with_free_actions(network, &free_actions(network.alphabet(), assertion));
            constants_of(&Product::transparent(&closed), assertion, budget)
        }
        BehaviourRef::Program(program) => {
            let closed = closed_program(program, assertion);
            constants_of(&Machine::transparent(&closed), assertion, budget)
        }
    }
}

fn constants_of<C: Composite>(
    system: &C,
    assertion: &Assertion,
    budget: &Budget<'_>,
) -> Option<Vec<Constant>> {
    let mut open = Open { candidates: candidates(assertion) };
    if open.is_done() {
        return Some(Vec::new());
    }
    let letters = Letters::compile(assertion, system.alphabet());
    let (graph, _) = Graph::explore(system, budget).ok()?;
    if graph.error().is_some() || graph.cut().is_some() || graph.state_count() == 0 {
        return None;
    }
    // The letters of runs do not depend on fairness.
    let question = Question { system, letters: &letters, assertion, fairness: Fairness::Choice, budget };
    observe(&question, &graph, &mut open).ok()?;
    Some(open.candidates)
}

/// The atoms that have not changed yet.
struct Open {
    candidates: Vec<Constant>,
}

impl Observer for Open {
    fn is_done(&self) -> bool {
        self.candidates.is_empty()
    }

    fn observe(&mut self, letter: &AtomSet) {
        self.candidates.retain(|constant| letter.contains(constant.atom) == constant.value);
    }
}

/// The atoms and values that would make the assertion vacuous if they were constant.
fn candidates(assertion: &Assertion) -> Vec<Constant> {
    let formula = &assertion.formula;
    if formula.size() > LONG {
        return Vec::new();
    }
    let plain = formula.simplified().atoms();
    let candidate = |atom: AtomId, value: bool| {
        let left = substituted(formula, atom, value).simplified().atoms();
        let is_lost = |other: &AtomId| *other != atom && !left.contains(*other);
        let irrelevant: Vec<AtomId> = plain.iter().filter(is_lost).collect();
        let is_fluent = matches!(assertion.propositions[atom.index()], Proposition::Fluent(_));
        // In a negative position `true` is the harder value.
        let is_hardest = polarity(formula, atom, true) == Some(!value);
        let is_poor = !irrelevant.is_empty() || (is_fluent && is_hardest && plain.len() > 1);
        is_poor.then_some(Constant { atom, value, irrelevant })
    };
    plain.iter().flat_map(|atom| [false, true].into_iter().filter_map(move |v| candidate(atom, v))).collect()
}

/// The formula with a constant in place of an atom.
fn substituted(formula: &Formula, atom: AtomId, value: bool) -> Formula {
    let of = |operand: &Formula| substituted(operand, atom, value);
    match formula {
        Formula::Atom(other) if *other == atom => {
            if value {
                Formula::True
            } else {
                Formula::False
            }
        }
        Formula::True | Formula::False | Formula::Atom(_) => formula.clone(),
        Formula::Not(operand) => of(operand).negated(),
        Formula::Next(operand) => of(operand).next(),
        Formula::Eventually(operand) => of(operand).eventually(),
        Formula::Always(operand) => of(operand).always(),
        Formula::And(left, right) => of(left).and(of(right)),
        Formula::Or(left, right) => of(left).or(of(right)),
        Formula::Implies(left, right) => of(left).implies(of(right)),
        Formula::Iff(left, right) => of(left).iff(of(right)),
        Formula::Until(left, right) => of(left).until(of(right)),
        Formula::WeakUntil(left, right) => of(left).weak_until(of(right)),
        Formula::Release(left, right) => of(left).release(of(right)),
    }
}

/// Whether an atom occurs in positive positions only (`true`), or in negative ones only. A formula with a larger value in a
/// positive position is easier to satisfy.
fn polarity(formula: &Formula, atom: AtomId, sign: bool) -> Option<bool> {
    let (mut positive, mut negative) = (false, false);
    let mut agenda = vec![(formula, sign)];
    while let Some((formula, sign)) = agenda.pop() {
        match formula {
            Formula::Atom(other) if *other == atom && sign => positive = true,
            Formula::Atom(other) if *other == atom => negative = true,
            Formula::Not(operand) => agenda.push((operand, !sign)),
            Formula::Implies(left, right) => agenda.extend([(&**left, !sign), (&**right, sign)]),
            Formula::Iff(left, right) => {
                let both = [(&**left, sign), (&**left, !sign), (&**right, sign), (&**right, !sign)];
                agenda.extend(both);
            }
            _ => agenda.extend(formula.operands().map(|operand| (operand, sign))),
        }
    }
    (positive != negative).then_some(positive)
}

#[cfg(test)]
mod tests {
    use rely_base::StateId;
    use rely_lts::{Component, Network};
    use rely_omega::Fluent;
    use rely_testkit::networks::from_transitions;

    use super::*;

    fn atom(i: u32) -> Formula {
        Formula::Atom(AtomId::from_raw(i))
    }

    /// The constants of a formula over the fluents F = <a, b>, G = <b, a> and N = <c, a>, and the action c, where c never
    /// occurs: atoms 0, 1, 2 and 3.
    fn found(formula: Formula) -> Vec<(u32, bool, Vec<u32>)> {
        let lts = from_transitions(3, &[(0, "a", 1), (1, "b", 0), (2, "c", 2)]);
        assert_eq!(lts.initial(), StateId::from_raw(0));
        let network = Network::new(vec![Component::new("M".to_owned(), lts)]);
        let fluent = |name: &str, on: &str, off: &str| {
            let (on, off) = (vec![on.to_owned()], vec![off.to_owned()]);
            Proposition::Fluent(Fluent { name: name.into(), on, off, initially: false })
        };
        let propositions = vec![
            fluent("F", "a", "b"),
            fluent("G", "b", "a"),
            fluent("N", "c", "a"),
            Proposition::Action(vec!["c".to_owned()]),
        ];
        let assertion = Assertion { name: "A".into(), formula, propositions, extension: Vec::new() };
        let found = constants(&network, &assertion, &Budget::UNLIMITED).expect("there is no limit");
        let told = |constant: Constant| {
            let irrelevant = constant.irrelevant.iter().map(|atom| atom.raw()).collect();
            (constant.atom.raw(), constant.value, irrelevant)
        };
        found.into_iter().map(told).collect()
    }

    #[test]
    fn an_atom_that_never_changes_makes_others_irrelevant() {
        let (f, g, never, c) = (atom(0), atom(1), atom(2), atom(3));
        assert_eq!(found(f.clone().and(g.clone()).negated().always()), []);
        assert_eq!(found(f.clone().and(never.clone()).negated().always()), [(2, false, vec![0])]);
        assert_eq!(found(f.clone().implies(c.clone().negated()).always()), [(3, false, vec![0])]);
        // The absence is what the formula requires.
        assert_eq!(found(never.clone().negated().always()), []);
        assert_eq!(found(never.clone().or(c.clone()).negated().always()), []);
        // A fluent that does not help to satisfy the formula.
        assert_eq!(found(f.clone().or(never.clone()).or(g.clone()).always()), [(2, false, vec![])]);
        // An action that does not help is not reported: one of several alternatives suffices.
        assert_eq!(found(f.or(c).eventually().always()), []);
        assert_eq!(found(never.iff(g).always()), []);
    }

    #[test]
    fn a_limit_makes_nothing_up() {
        let lts = from_transitions(3, &[(0, "x", 1), (1, "a", 0)]);
        let network = Network::new(vec![Component::new("M".to_owned(), lts)]);
        let propositions = ["a", "x"].map(|name| Proposition::Action(vec![name.to_owned()])).to_vec();
        let formula = atom(0).implies(atom(1).eventually()).always();
        let assertion = Assertion { name: "A".into(), formula, propositions, extension: Vec::new() };
        let few = Budget::new(rely_base::Limits { states: Some(1), bytes: None }, None);
        assert_eq!(constants(&network, &assertion, &few), None);
        assert_eq!(constants(&network, &assertion, &Budget::UNLIMITED), Some(Vec::new()));
    }
}
