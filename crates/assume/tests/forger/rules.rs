//! Forged proofs by rules: assumptions that make most premises true, and changes of what is put together.

use rely_assume::{Assumption, Proof, Rule};
use rely_base::{Alphabet, Id, Label, StateId};
use rely_certificate::{Decomposition, Evidence, Guarantee, Premise, PremiseReduction, Reference};
use rely_lts::{Component, ComponentId, LtsBuilder, Network, operators};
use rely_testkit::naive::assumption as naive;
use rely_testkit::rng::Rng;

use crate::changes::{CHANGES, change};
use crate::evidence::{Statement, with_reductions};
use crate::groups::random_groups;
use crate::reductions;
use crate::systems::{ACTIONS, some_of};

/// A proof by a rule in which premises are true by luck or by cunning: an assumption that allows nothing is of great help to
/// the group that assumes it, one that allows everything is easily guaranteed, and a weakest one makes the first premise
/// about its group true.
///
/// Nothing if there are too few parts for the groups.
pub(crate) fn near_proof(
    network: &Network,
    statement: &Statement,
    rule: Rule,
    rng: &mut Rng,
) -> Option<Evidence> {
    // The parts of the statement, or all components: also those that have no business in a group.
    let all: Vec<ComponentId> = (0..network.components().len()).map(ComponentId::from_index).collect();
    let parts = if rng.chance(1, 16) { all } else { statement.parts(network) };
    if parts.len() < 2 {
        return None;
    }
    let mut groups = random_groups(rng, rule, parts.len());
    let count = groups.len();
    if rng.chance(1, 10) {
        let group = rng.below(count);
        groups[group].pop();
    }
    let needed = match rule {
        Rule::Simple => 1,
        Rule::Chain => count - 1,
        Rule::Alternating | Rule::Conjunction => 2,
        Rule::Symmetric | Rule::Circular => count,
    };
    let assumptions = (0..needed)
        .map(|i| {
            let group = &groups[i.min(count - 1)];
            let members: Vec<ComponentId> = group.iter().map(|&part| parts[part]).collect();
            assumption(network, &members, statement, rng)
        })
        .collect();
    let evidence = Proof { rule, groups, assumptions }.evidence(&parts, &statement.goal);
    let Evidence::Composition(decomposition) = evidence else { panic!("a rule was used") };
    Some(Evidence::Composition(match rng.chance(1, 2) {
        true => with_reductions(network, decomposition),
        false => decomposition,
    }))
}

/// An assumption for a group: the weakest one under which the goal does not fail, or one that allows everything, or
/// nothing, or anything; over some of the actions.
fn assumption(network: &Network, group: &[ComponentId], statement: &Statement, rng: &mut Rng) -> Assumption {
    let names = if rng.chance(1, 2) { ACTIONS.to_vec() } else { some_of(rng, ACTIONS) };
    let lts = |id: &ComponentId| &network.components()[id.index()].lts;
    let allowed = match rng.below(5) {
        0 => 0,
        1 => 100,
        2 => 60,
        _ => {
            let stopped = group.iter().map(|id| Component::new("M", operators::stopped(lts(id))));
            let goal = statement.goal.iter().map(|id| Component::new("P", (**lts(id)).clone()));
            let components: Vec<Component> = stopped.chain(goal).collect();
            match naive::weakest(&components, &names) {
                Some(weakest) => return written(&names, &weakest.rows),
                None => 0,
            }
        }
    };
    let states = 1 + rng.below(3);
    let mut row = |_| (0..names.len()).map(|_| rng.chance(allowed, 100).then(|| rng.below(states))).collect();
    let rows: Vec<Vec<Option<usize>>> = (0..states).map(&mut row).collect();
    written(&names, &rows)
}

/// An assumption from its table: by state and action, where it leads, if it is allowed.
fn written(names: &[&str], rows: &[Vec<Option<usize>>]) -> Assumption {
    let alphabet: Alphabet = names.iter().copied().collect();
    let mut builder = LtsBuilder::with_states(alphabet, rows.len());
    for (source, row) in rows.iter().enumerate() {
        for (action, target) in
            row.iter().enumerate().filter_map(|(action, target)| Some((action, (*target)?)))
        {
            let label = Label::visible(rely_base::ActionId::from_index(action));
            builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
        }
    }
    Assumption::new(builder.build())
}

/// A decomposition in which something is changed, and everything that repeats it.
pub(crate) fn resealed(mut decomposition: Decomposition, components: usize, rng: &mut Rng) -> Decomposition {
    let any = |rng: &mut Rng| rng.below(components);
    let groups = decomposition.groups.len();
    match rng.below(6) {
        // A component changes sides, or is in a group where it has no business: the goal, or an observer.
        0 => {
            let group = rng.below(groups);
            decomposition.groups[group].push(any(rng));
        }
        1 => {
            let member = any(rng);
            decomposition.groups.iter_mut().for_each(|group| group.retain(|&other| other != member));
            let group = rng.below(groups);
            decomposition.groups[group].push(member);
        }
        2 => {
            let group = rng.below(groups);
            decomposition.groups[group].pop();
        }
        // There is no such component.
        3 => {
            let group = rng.below(groups);
            decomposition.groups[group].push(*rng.pick(&[components, usize::MAX]));
        }
        // Assumptions change places.
        _ if !decomposition.assumptions.is_empty() => {
            let count = decomposition.assumptions.len();
            let (one, other) = (rng.below(count), rng.below(count));
            match rng.chance(1, 2) {
                true => decomposition.assumptions.swap(one, other),
                false => decomposition.assumptions[one] = decomposition.assumptions[other].clone(),
            }
        }
        _ => {}
    }
    seal(&mut decomposition);
    decomposition
}

/// Takes components out of the groups of a decomposition.
pub(crate) fn leave_out(decomposition: &mut Decomposition, components: &[usize]) {
    decomposition.groups.iter_mut().for_each(|group| group.retain(|member| !components.contains(member)));
    seal(decomposition);
}

/// Makes premises say what the groups and assumptions are, as far as these are there.
fn seal(decomposition: &mut Decomposition) {
    let Decomposition { groups, assumptions, premises, .. } = decomposition;
    let reference = |known: &mut Reference| {
        if known.assumption < assumptions.len() {
            *known = Decomposition::reference(assumptions, known.assumption);
        }
    };
    for premise in premises {
        match premise {
            Premise::Triple { assumes, group, components, guarantees } => {
                components.clone_from(groups.get(*group).unwrap_or(&Vec::new()));
                assumes.iter_mut().for_each(reference);
                if let Guarantee::Within(within) = guarantees {
                    reference(within);
                }
            }
            Premise::Outside(all) => all.iter_mut().for_each(reference),
        }
    }
}

/// A decomposition that is changed in one place, and nowhere else.
pub(crate) fn damaged(mut decomposition: Decomposition, components: usize, rng: &mut Rng) -> Decomposition {
    let number = |rng: &mut Rng| *rng.pick(&[0, 1, components, usize::MAX]);
    let premises = decomposition.premises.len();
    if premises == 0 {
        return decomposition;
    }
    match rng.below(8) {
        0 => decomposition.by = (*rng.pick(&["", "monolithic", "chain", "circular", "symmetric"])).to_owned(),
        1 => _ = decomposition.premises.pop(),
        2 => decomposition.premises.swap(0, premises - 1),
        3 => {
            let place = rng.below(premises);
            match &mut decomposition.premises[place] {
                Premise::Triple { group, .. } => *group = number(rng),
                Premise::Outside(all) => all.clear(),
            }
        }
        4 => {
            let place = rng.below(premises);
            if let Premise::Triple { assumes, .. } = &mut decomposition.premises[place] {
                *assumes = None;
            }
        }
        5 => _ = decomposition.assumptions.pop(),
        6 => {
            if let Some(assumption) = decomposition.assumptions.first_mut() {
                match rng.below(3) {
                    0 => assumption.states = number(rng),
                    1 => _ = assumption.transitions.pop(),
                    _ => _ = assumption.alphabet.pop(),
                }
            }
        }
        _ => decomposition.goal = vec![number(rng); rng.below(3)],
    }
    decomposition
}

/// Reductions of premises that are those of other premises, or are changed, or are about something else.
pub(crate) fn with_wrong_reductions(mut decomposition: Decomposition, rng: &mut Rng) -> Decomposition {
    let Some(last) = decomposition.reductions.len().checked_sub(1) else { return decomposition };
    let place = rng.below(last + 1);
    let other = decomposition.reductions[rng.below(last + 1)].clone();
    let size = decomposition.groups.iter().map(Vec::len).max().unwrap_or(0) + 2;
    match rng.below(5) {
        // A premise that has no reduction, as a rule because it is not true, gets that of another.
        0 => {
            let is_there = |premise: &usize| decomposition.reductions.iter().any(|it| it.premise == *premise);
            let missing = (0..decomposition.premises.len()).find(|premise| !is_there(premise));
            let premise = missing.unwrap_or(usize::MAX);
            decomposition.reductions.push(PremiseReduction { premise, ..other });
        }
        1 => decomposition.reductions[place].proof = other.proof,
        2 => {
            let kind = *rng.pick(&CHANGES);
            change(&mut decomposition.reductions[place].proof, kind, (size, ACTIONS), rng);
        }
        3 => reductions::lie(&mut decomposition.reductions[place].proof, &[], size, rng),
        _ => decomposition.reductions[place].premise = *rng.pick(&[0, 1, usize::MAX]),
    }
    decomposition
}
