//! Whether statements of safety are broken, and when: for proofs by induction over time.
//!
//! **Problem.** Two components whose properties rest on each other go round in a circle. For safety the circle is sound if each
//! property holds *one step longer than* what it assumes [McMillan 1999]: no run breaks the property in a step before which no
//! assumption was broken. Then nothing can be broken first.
//!
//! **Idea.** An assumption that reads the letter by which it is broken, and no other after it, still allows the step that breaks the
//! claim. So the product with these automata is searched for a situation in which the claim is broken.

use rely_base::{Budget, Exhausted};
use rely_explore::{Graph, Machine};
use rely_lts::{Observation, Program};
use rely_omega::{Commitment, Scheduling, Statement, Template};

use super::AutomatonReader;
use super::product::{Reader, Situations};

/// Whether the claim of a commitment, a template for safety, holds one step longer than the assumptions that are such templates, too;
/// the others are not assumed. Where a run fails or is cut it is not said to. With the number of states that were explored.
///
/// # Errors
/// The limit of the budget that was met.
pub fn holds_one_step_longer(
    program: &Program,
    commitment: &Commitment<Observation>,
    budget: &Budget<'_>,
) -> Result<(bool, usize), Exhausted> {
    let Some(claim) = safety(&commitment.claim) else { return Ok((false, 0)) };
    let mut readers = Vec::new();
    for assumption in commitment.assuming.iter().filter_map(safety) {
        readers.push(one_letter_later(assumption, budget)?);
    }
    never_broken(program, &commitment.propositions, readers, claim, budget)
}

/// A reader of a template for safety that also reads the letter by which it is broken, and nothing after it.
pub(crate) fn one_letter_later(
    template: &Template,
    budget: &Budget<'_>,
) -> Result<AutomatonReader, Exhausted> {
    let acceptor = template.acceptor();
    let mut delayed = acceptor.completed(budget)?;
    delayed.edges[acceptor.edges.len()..].iter_mut().for_each(Vec::clear);
    Ok(AutomatonReader::new(delayed, 0))
}

/// The template of a statement, if that is one for safety.
pub(crate) fn safety(statement: &Statement) -> Option<&Template> {
    match statement {
        Statement::Template(template) if template.is_safety() => Some(template),
        _ => None,
    }
}

/// Whether no run that some automata read breaks a template for safety, fails, or is cut; and how many states were explored.
pub(crate) fn never_broken(
    program: &Program,
    propositions: &[Observation],
    mut readers: Vec<AutomatonReader>,
    claim: &Template,
    budget: &Budget<'_>,
) -> Result<(bool, usize), Exhausted> {
    let acceptor = claim.acceptor();
    let broken = u32::try_from(acceptor.edges.len()).expect("templates have few states");
    readers.push(AutomatonReader::new(acceptor.completed(budget)?, 0));
    let machine = Machine::transparent(program);
    let (scheduling, last) = (Scheduling::default(), readers.len() - 1);
    let product = Situations::new(&machine, propositions, &scheduling, &readers, 0);
    let (graph, search) = Graph::explore(&product, budget)?;
    let is_broken = |state| product.automaton(search.states().get(state), last) == broken;
    debug_assert!(readers[last].bits() > 0, "the state of the claim is part of a situation");
    let holds = graph.error().is_none() && graph.cut().is_none() && !graph.states().any(is_broken);
    Ok((holds, search.states().len()))
}
