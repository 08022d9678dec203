//! In which order pairs of pieces are tried.
//!
//! A composition is good when much of it can be hidden afterwards, and bad when its operands move independently of each
//! other: that is what the smart reduction of [Crouzen, Lang 2011] measures. Here it only says which pairs are looked at
//! first; which one is taken is decided by what becomes of them.

use std::collections::VecDeque;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::Lts;
use rustc_hash::FxHashMap;

use super::piece::{Owners, Piece};
use super::{Trial, Trials};

/// The pairs of pieces that share actions, the most promising first.
pub(super) fn pairs(pieces: &[Piece], owners: &Owners, trials: &Trials) -> Vec<(usize, usize)> {
    // How many actions two pieces share, and how many of these nobody else has.
    let mut common: FxHashMap<(usize, usize), (usize, usize)> = FxHashMap::default();
    for places in owners.all() {
        for (i, &second) in places.iter().enumerate() {
            for &first in &places[..i] {
                let (shared, hidden) = common.entry((first, second)).or_default();
                *shared += 1;
                *hidden += usize::from(places.len() == 2);
            }
        }
    }
    let promise = |((first, second), (shared, hidden)): ((usize, usize), (usize, usize))| {
        let (a, b) = (&pieces[first].lts, &pieces[second].lts);
        let product = a.state_count().saturating_mul(b.state_count());
        let visible = a.alphabet().len() + b.alphabet().len() - shared - hidden;
        let estimate = product.saturating_mul(1 + visible) / (1 + shared);
        // Experience is worth more than an estimate.
        let promise = match trials.get(&(pieces[first].id, pieces[second].id)) {
            Some(Trial::Made(product, _)) => product.state_count(),
            Some(Trial::Beyond(exhausted)) => estimate.max(exhausted.states.saturating_mul(2)),
            None => estimate,
        };
        (promise, first, second)
    };
    let mut pairs: Vec<(usize, usize, usize)> = common.into_iter().map(promise).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, first, second)| (first, second)).collect()
}

/// What copies of each other have in common: their numbers of states, transitions and actions. As far as it is used here,
/// what has these in common is a copy.
pub(crate) fn kind(lts: &Lts) -> (usize, usize, usize) {
    (lts.state_count(), lts.transition_count(), lts.alphabet().len())
}

/// Which pieces refuse the shortest run by which the goal fails as far as it is known; all of them if none does so by
/// itself. Those that accept it are no help against it.
pub(super) fn refusing(pieces: &[Piece]) -> Vec<bool> {
    let run = shortest_failure(&pieces[0].lts).unwrap_or_default();
    let mut refuses: Vec<bool> = pieces.iter().map(|piece| !accepts(&piece.lts, &run, None)).collect();
    refuses[0] = false;
    if !refuses.contains(&true) {
        refuses.fill(true);
    }
    refuses
}

/// How many steps lead to the error at least.
pub(super) fn distance(lts: &Lts) -> usize {
    path_to_error(lts).map_or(usize::MAX, |path| path.len())
}

/// The visible actions of a shortest run to the error, if it can be reached.
pub(crate) fn shortest_failure(lts: &Lts) -> Option<Vec<String>> {
    let labels = path_to_error(lts)?.into_iter().filter(|label| !label.is_tau());
    Some(labels.map(|label| lts.alphabet().label_name(label).to_owned()).collect())
}

/// The labels of a shortest run to the error, if it can be reached.
fn path_to_error(lts: &Lts) -> Option<Vec<Label>> {
    let mut from: Vec<Option<(StateId, Label)>> = vec![None; lts.state_count()];
    let mut queue = VecDeque::from([lts.initial()]);
    while let Some(state) = queue.pop_front() {
        for edge in lts.edges(state) {
            if edge.target != lts.initial() && from[edge.target.index()].is_none() {
                from[edge.target.index()] = Some((state, edge.label));
                queue.push_back(edge.target);
            }
        }
    }
    let mut path = Vec::new();
    let mut place = lts.error()?;
    while place != lts.initial() {
        let (source, label) = from[place.index()]?;
        path.push(label);
        place = source;
    }
    path.reverse();
    Some(path)
}

/// Whether a system can do what its alphabet shows of a run. If it is said which actions the run knows of, others may
/// occur in between.
pub(crate) fn accepts(lts: &Lts, run: &[String], known: Option<&Alphabet>) -> bool {
    let shown: Vec<Label> =
        run.iter().filter_map(|name| lts.alphabet().get(name)).map(Label::visible).collect();
    if shown.is_empty() {
        return true;
    }
    let names = lts.alphabet().names();
    let is_free: Vec<bool> = names.map(|name| known.is_some_and(|known| !known.contains(name))).collect();
    let is_silent = |label: Label| label.action().is_none_or(|action| is_free[action.index()]);
    let mut states = silently(lts, vec![lts.initial()], is_silent);
    for label in shown {
        let after = states.iter().flat_map(|&state| lts.edges_with(state, label)).map(|edge| edge.target);
        states = silently(lts, after.collect(), is_silent);
    }
    !states.is_empty()
}

/// The states that can be reached by silent steps.
fn silently(lts: &Lts, mut states: Vec<StateId>, is_silent: impl Fn(Label) -> bool) -> Vec<StateId> {
    states.sort_unstable();
    states.dedup();
    let mut is_in = vec![false; lts.state_count()];
    states.iter().for_each(|state| is_in[state.index()] = true);
    let mut next = 0;
    while let Some(&state) = states.get(next) {
        next += 1;
        for edge in lts.edges(state).iter().filter(|edge| is_silent(edge.label)) {
            if !std::mem::replace(&mut is_in[edge.target.index()], true) {
                states.push(edge.target);
            }
        }
    }
    states
}
