//! Actions that do the same.
//!
//! **Problem.** A goal that counts how many are registered does the same whoever registers, and until all of them are
//! composed with it, it has a transition for each of them in every state. A product with such a piece has many times as
//! many transitions as it needs.
//!
//! **Idea.** Two actions are *twins* for two pieces if, in each of these, either none has them or they lead from the same
//! states to the same states, and if both are hidden afterwards or none is. They stay twins in the product, and in what it
//! is reduced to. So one of them is enough on the way, and the others are put back into the result.
//!
//! **Complexity.** Linear in the transitions of the two pieces and of the result.

use rely_base::{Alphabet, Label, StateId};
use rely_lts::operators::{restrict, substitute};
use rely_lts::{Component, Lts};
use rustc_hash::FxHashMap;

/// The twins that stand for others.
pub(super) struct Twins {
    /// By action that has twins and stands for them, those.
    others: FxHashMap<String, Vec<String>>,
    /// What is left of the alphabets.
    kept: Alphabet,
}

impl Twins {
    /// The twins for some pieces.
    pub(super) fn of(pieces: &[Component], is_hidden: impl Fn(&str) -> bool) -> Self {
        let effects: Vec<Vec<usize>> = pieces.iter().map(|piece| effects(&piece.lts)).collect();
        let mut kept = Alphabet::new();
        let mut others: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let mut first: FxHashMap<(Vec<Option<usize>>, bool), String> = FxHashMap::default();
        for (i, piece) in pieces.iter().enumerate() {
            let is_new = |name: &&str| !pieces[..i].iter().any(|before| before.lts.alphabet().contains(name));
            for name in piece.lts.alphabet().names().filter(is_new) {
                let effect = |(piece, effects): (&Component, &Vec<usize>)| {
                    piece.lts.alphabet().get(name).map(|action| effects[Label::visible(action).index()])
                };
                let key = (pieces.iter().zip(&effects).map(effect).collect(), is_hidden(name));
                match first.get(&key) {
                    Some(twin) => others.entry(twin.clone()).or_default().push(name.to_owned()),
                    None => {
                        kept.intern(name);
                        first.insert(key, name.to_owned());
                    }
                }
            }
        }
        Self { others, kept }
    }

    /// A piece without the actions that others stand for.
    pub(super) fn taken_out_of(&self, piece: &Component) -> Component {
        let is_kept = |name: &str| self.kept.contains(name);
        if self.others.is_empty() || piece.lts.alphabet().names().all(is_kept) {
            return piece.clone();
        }
        let lts = restrict(&piece.lts, |name| !is_kept(name));
        Component { name: piece.name.clone(), lts: lts.into() }
    }

    /// A system with the actions that others stand for.
    pub(super) fn put_back_into(&self, lts: Lts) -> Lts {
        if self.others.is_empty() {
            return lts;
        }
        let mut alphabet = Alphabet::new();
        let mut images = vec![vec![Label::TAU]];
        for name in lts.alphabet().names() {
            let twins = self.others.get(name).into_iter().flatten().map(String::as_str);
            images.push(
                [name].into_iter().chain(twins).map(|name| Label::visible(alphabet.intern(name))).collect(),
            );
        }
        substitute(&lts, alphabet, &images)
    }
}

/// By label, a number that labels have in common if they lead from the same states to the same states.
fn effects(lts: &Lts) -> Vec<usize> {
    let mut pairs: Vec<Vec<(StateId, StateId)>> = vec![Vec::new(); lts.alphabet().len() + 1];
    for transition in lts.transitions() {
        pairs[transition.label.index()].push((transition.source, transition.target));
    }
    let mut numbers: FxHashMap<&[(StateId, StateId)], usize> = FxHashMap::default();
    let number = |pairs| {
        let next = numbers.len();
        *numbers.entry(pairs).or_insert(next)
    };
    pairs.iter().map(Vec::as_slice).map(number).collect()
}
