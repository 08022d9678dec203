//! A forger of invariants, ranks and automata: it attacks what is false with evidence of what is similar and true.
//!
//! For a question whose answer is *no*, evidence is taken from a *false friend*: the same question about a network that
//! differs in a transition or two, so that the answer may be *yes* there; another question of the same network, also of
//! another kind, whose table is given the shape that is asked for; or the best that can be said about the question itself,
//! which is what the engine writes down if it is asked for evidence of what does not hold. Then rows and numbers are changed.
//! None of it is accepted.

use rely_certificate::{Evidence, Rejection, StateTable, Table};
use rely_lts::Network;
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::naive::product::NaiveProduct;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{
    ACTIONS, ANY, KINDS, Question, certify, each_question, forge, judge, kind_of, mutated, tables,
    with_tables,
};

/// How many forgeries are tried for each question.
const TRIES: usize = 10;

/// A network that differs in some transitions, and of which the question is true; nothing if none was found.
fn friend(network: &Network, question: &Question, rng: &mut Rng) -> Option<Network> {
    let mut other = network.clone();
    for _ in 0..4 {
        other = mutated(rng, &other);
        if NaiveProduct::new(&other).moves.len() > 24 {
            return None;
        }
        if question.is_true(&other, &NaiveDecisions::new(&other)) {
            return Some(other);
        }
    }
    None
}

/// Evidence that something similar is true, in the shape that the question asks for.
fn stolen(network: &Network, question: &Question, rng: &mut Rng) -> Evidence {
    let honest = |network: &Network, question: &Question| {
        certify(network, &question.property(), &ANY).expect("there is no limit")
    };
    match rng.below(3) {
        0 => honest(network, question),
        1 => match friend(network, question, rng) {
            Some(other) => honest(&other, question),
            None => honest(network, question),
        },
        _ => {
            let others = Question::random(rng, ACTIONS);
            let other = rng.pick(&others);
            reshaped(&honest(network, question), honest(network, other), network, other, rng)
        }
    }
}

/// The evidence for another question as evidence of the same kind as a given one: an invariant loses its ranks or gets
/// some, and assertions have as many tables as they need.
fn reshaped(
    wanted: &Evidence,
    other: Evidence,
    network: &Network,
    question: &Question,
    rng: &mut Rng,
) -> Evidence {
    if rng.chance(1, 10) {
        return other;
    }
    let with_notes = |table: &StateTable, notes: usize| {
        let mut result = StateTable::new(table.row_width().0, notes);
        for row in 0..table.len() {
            let rank = table.notes(row).first().copied().unwrap_or_else(|| u32::try_from(row).unwrap_or(0));
            result.push(table.key(row).iter().copied().chain(vec![rank; notes]));
        }
        result.encode()
    };
    let table = || tables(network, question, &other).swap_remove(0);
    match (wanted, &other) {
        (Evidence::Invariant { .. }, Evidence::Ranks { .. } | Evidence::Invariant { .. }) => {
            Evidence::Invariant { states: with_notes(&table(), 0) }
        }
        (Evidence::Ranks { .. }, Evidence::Ranks { .. } | Evidence::Invariant { .. }) => {
            Evidence::Ranks { states: with_notes(&table(), 1) }
        }
        (Evidence::Automata { conjuncts: needed, .. }, Evidence::Automata { .. }) => {
            let mut forged = other.clone();
            if let Evidence::Automata { conjuncts, .. } = &mut forged {
                conjuncts.resize(needed.len(), needed.first().cloned().unwrap_or_default());
            }
            forged
        }
        _ => wanted.clone(),
    }
}

/// The evidence with rows or numbers changed, or tables in other places.
fn changed(network: &Network, question: &Question, evidence: Evidence, rng: &mut Rng) -> Evidence {
    if let (Evidence::Automata { .. }, true) = (&evidence, rng.chance(1, 4)) {
        return with_other_tables(evidence, rng);
    }
    // What was stolen from elsewhere may have another width.
    let Some(known) = readable(network, question, &evidence) else { return evidence };
    let forged: Vec<StateTable> = known
        .iter()
        .map(|table| match rng.chance(1, 5) {
            true => with_any_number(table, rng),
            false => forge(rng, table),
        })
        .collect();
    match forged.is_empty() {
        true => evidence,
        false => with_tables(&evidence, &forged),
    }
}

/// The tables of evidence if they have the shape that the question asks for.
fn readable(network: &Network, question: &Question, evidence: &Evidence) -> Option<Vec<StateTable>> {
    let needs_ranks = !matches!(question, Question::Deadlock | Question::Safety);
    match (question, evidence) {
        (Question::Assertion(..), _) => {
            let own = certify(network, &question.property(), &ANY).expect("there is no limit");
            (own == *evidence).then(|| tables(network, question, evidence))
        }
        (_, Evidence::Ranks { .. }) if needs_ranks => Some(tables(network, question, evidence)),
        (_, Evidence::Invariant { .. }) if !needs_ranks => Some(tables(network, question, evidence)),
        _ => None,
    }
}

/// A table with one number that may be anything.
fn with_any_number(table: &StateTable, rng: &mut Rng) -> StateTable {
    let (key, notes) = table.row_width();
    let mut rows: Vec<Vec<u32>> =
        (0..table.len()).map(|row| [table.key(row), table.notes(row)].concat()).collect();
    if let (false, true) = (rows.is_empty(), key + notes > 0) {
        let (row, cell) = (rng.below(rows.len()), rng.below(key + notes));
        rows[row][cell] = *rng.pick(&[0, 1, 7, u32::MAX]);
    }
    rows.sort();
    rows.dedup_by(|one, other| one[..key] == other[..key]);
    let mut result = StateTable::new(key, notes);
    rows.into_iter().for_each(|row| result.push(row));
    result
}

/// Tables left out, written twice, emptied or exchanged.
fn with_other_tables(mut evidence: Evidence, rng: &mut Rng) -> Evidence {
    if let Evidence::Automata { conjuncts, .. } = &mut evidence {
        match rng.below(4) {
            0 => _ = conjuncts.pop(),
            1 => conjuncts.push(conjuncts.first().cloned().unwrap_or_default()),
            2 => conjuncts.iter_mut().take(1).for_each(|table| *table = Table::default()),
            _ => conjuncts.reverse(),
        }
    }
    evidence
}

#[test]
fn no_forgery_proves_what_is_false() {
    let names = [
        "deadlock",
        "safety",
        "divergence",
        "progress",
        "every action",
        "assertion without fairness",
        "assertion under fair choice",
        "assertion at random",
    ];
    // By kind: false questions, forgeries, and those that were rejected because of what they say about states.
    let mut tried = [[0; 3]; KINDS];
    each_question(seeds(1600), |seed, rng, network, question, truth| {
        if truth {
            return;
        }
        let counts = &mut tried[kind_of(question)];
        counts[0] += 1;
        for number in 0..TRIES {
            let mut evidence = stolen(network, question, rng);
            for _ in 0..rng.below(3) {
                evidence = changed(network, question, evidence, rng);
            }
            let Err(rejection) = judge(network, question, evidence.clone()) else {
                panic!("seed {seed}, forgery {number}: {question:?} {evidence:?}")
            };
            counts[1] += 1;
            let is_shallow = matches!(rejection, Rejection::WrongEvidence | Rejection::Malformed(_));
            counts[2] += usize::from(!is_shallow);
        }
    });
    for (name, counts) in names.iter().zip(tried) {
        println!(
            "{name}: {} false questions, {} forgeries, {} of them deep",
            counts[0], counts[1], counts[2]
        );
    }
    let is_enough = tried.iter().all(|counts| counts[0] > 40 && counts[2] > 300);
    assert!(is_enough || is_single_seed(), "too few to mean anything: {tried:?}");
}
