//! Changes of proofs by reduction, one at a time: what somebody may do to a proof who hopes that nobody looks.

use rely_base::Budget;
use rely_certificate::{Abstraction, ReductionProof, ReductionStep, StateTable, Table};
use rely_testkit::rng::Rng;

/// A table of rows in any order.
pub(crate) fn table(width: usize, mut rows: Vec<Vec<u32>>) -> Table {
    rows.sort();
    rows.dedup();
    let mut table = StateTable::new(width, 0);
    rows.into_iter().for_each(|row| table.push(row));
    table.encode()
}

/// The transitions of an abstraction.
pub(crate) fn rows(by: &Abstraction) -> Option<Vec<[u32; 3]>> {
    let table = StateTable::decode(&by.transitions, 3, 0, &Budget::UNLIMITED).ok()?.ok()?;
    let row = |row: usize| <[u32; 3]>::try_from(table.key(row)).expect("the width of a row");
    Some((0..table.len()).map(row).collect())
}

/// A number below a limit, as it stands in tables.
fn below(rng: &mut Rng, limit: usize) -> u32 {
    u32::try_from(rng.below(limit.max(1))).expect("a small number")
}

/// What is done to a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    DropStep,
    SwapSteps,
    DropPart,
    OtherPiece,
    DropPiece,
    DropTransition,
    Retarget,
    OtherAction,
    SeeMore,
    SeeLess,
    OtherError,
    DropPair,
    OtherPair,
}

pub(crate) const CHANGES: [Change; 13] = [
    Change::DropStep,
    Change::SwapSteps,
    Change::DropPart,
    Change::OtherPiece,
    Change::DropPiece,
    Change::DropTransition,
    Change::Retarget,
    Change::OtherAction,
    Change::SeeMore,
    Change::SeeLess,
    Change::OtherError,
    Change::DropPair,
    Change::OtherPair,
];

/// Makes one change to a proof about `components` components with these actions; the proof may stay as it was.
pub(crate) fn change(
    proof: &mut ReductionProof,
    change: Change,
    (components, actions): (usize, &[&str]),
    rng: &mut Rng,
) {
    let count = proof.steps.len();
    if count == 0 {
        return;
    }
    let place = rng.below(count);
    match change {
        Change::DropStep => _ = proof.steps.remove(place),
        Change::DropPart => _ = proof.parts.pop(),
        Change::SwapSteps => proof.steps.swap(place, rng.below(count)),
        _ => change_step(&mut proof.steps[place], change, (components + count, actions), rng),
    }
}

fn change_step(
    step: &mut ReductionStep,
    change: Change,
    (numbers, actions): (usize, &[&str]),
    rng: &mut Rng,
) {
    let (pieces, by, relation) = match step {
        ReductionStep::Replace { pieces, by, relation } => (pieces, by, relation),
        ReductionStep::Never { action, piece } => {
            match change {
                Change::OtherAction => (*rng.pick(actions)).clone_into(action),
                _ => *piece = rng.below(numbers),
            }
            return;
        }
        ReductionStep::Idle { action } => {
            (*rng.pick(actions)).clone_into(action);
            return;
        }
    };
    match change {
        Change::OtherPiece => {
            let place = rng.below(pieces.len().max(1));
            if let Some(piece) = pieces.get_mut(place) {
                *piece = rng.below(numbers);
            }
        }
        Change::DropPiece => _ = pieces.pop(),
        Change::DropPair | Change::OtherPair => {
            let width = pieces.len() + 1;
            let Ok(Ok(pairs)) = StateTable::decode(relation, width, 0, &Budget::UNLIMITED) else { return };
            let mut pairs: Vec<Vec<u32>> = (0..pairs.len()).map(|row| pairs.key(row).to_vec()).collect();
            if pairs.is_empty() {
                return;
            }
            let place = rng.below(pairs.len());
            match change {
                Change::DropPair => _ = pairs.remove(place),
                _ => pairs[place][width - 1] = below(rng, by.states + 1),
            }
            *relation = table(width, pairs);
        }
        _ => change_result(by, change, actions, rng),
    }
}

fn change_result(by: &mut Abstraction, change: Change, actions: &[&str], rng: &mut Rng) {
    let Some(mut rows) = rows(by) else { return };
    let row = (!rows.is_empty()).then(|| rng.below(rows.len()));
    match (change, row) {
        (Change::DropTransition, Some(row)) => _ = rows.remove(row),
        (Change::Retarget, Some(row)) => rows[row][2] = below(rng, by.states),
        (Change::OtherAction, Some(row)) => rows[row][1] = below(rng, by.alphabet.len() + 1),
        (Change::SeeMore, _) => by.alphabet.push((*rng.pick(actions)).to_owned()),
        // What was seen last becomes silent.
        (Change::SeeLess, _) => {
            let silent = u32::try_from(by.alphabet.len()).expect("a small number");
            by.alphabet.pop();
            rows.iter_mut().filter(|row| row[1] == silent).for_each(|row| row[1] = 0);
        }
        (Change::OtherError, _) => by.error = rng.chance(1, 2).then(|| rng.below(by.states)),
        _ => {}
    }
    by.transitions = table(3, rows.into_iter().map(Vec::from).collect());
}
