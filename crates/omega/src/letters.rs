//! The letters that the actions of a run make for an assertion.
//!
//! The letter after an action holds the action propositions that name it and the fluents that are on by then. Fluents
//! need a memory, one bit each, which becomes part of a state of the product; action propositions need none. An action
//! of the assertion that the alphabet lacks is never seen.

use rely_base::{ActionId, Alphabet, Id, Label};
use rustc_hash::FxHashSet;

use crate::bits::Bits;
use crate::{Assertion, AtomId, AtomSet, Proposition};

/// Which fluents are on: a bit for each fluent of a [`Letters`], in the order of their atoms.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fluents(Bits);

impl Fluents {
    /// The fluents that are on in the words of a packed state, the lowest bits first.
    pub fn from_words(words: &[u64]) -> Self {
        Self(Bits::from_words(words))
    }

    /// Writes them into the words of a packed state, as [`Fluents::from_words`] reads them; beyond the last one there are
    /// only zeros.
    #[inline]
    pub fn write_to(&self, words: &mut [u64]) {
        for (position, word) in words.iter_mut().enumerate() {
            *word = self.0.word(position);
        }
    }

    /// Whether a fluent is on.
    #[inline]
    pub fn contains(&self, fluent: usize) -> bool {
        self.0.contains(fluent)
    }
}

/// The propositions of an assertion, compiled for the actions of an alphabet.
#[derive(Clone, Debug)]
pub struct Letters {
    /// By label, what it does.
    effects: Vec<Effect>,
    /// The atom of each fluent.
    fluents: Vec<AtomId>,
    initial: Fluents,
}

/// What a label does.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
struct Effect {
    /// The fluents that it switches on.
    on: Bits,
    /// The fluents that it switches off.
    off: Bits,
    /// The action propositions that hold just after it.
    actions: AtomSet,
}

impl Letters {
    /// The propositions of an assertion over an alphabet.
    pub fn compile(assertion: &Assertion, alphabet: &Alphabet) -> Self {
        let mut letters = Self {
            effects: vec![Effect::default(); alphabet.len() + 1],
            fluents: Vec::new(),
            initial: Fluents::default(),
        };
        for (number, proposition) in assertion.propositions.iter().enumerate() {
            let atom = AtomId::from_index(number);
            match proposition {
                Proposition::Action(names) => {
                    letters.each_effect(names, alphabet, |effect| effect.actions.insert(atom));
                }
                Proposition::Fluent(fluent) => {
                    let place = letters.fluents.len();
                    letters.fluents.push(atom);
                    letters.each_effect(&fluent.on, alphabet, |effect| effect.on.insert(place));
                    letters.each_effect(&fluent.off, alphabet, |effect| effect.off.insert(place));
                    if fluent.initially {
                        letters.initial.0.insert(place);
                    }
                }
            }
        }
        letters
    }

    fn each_effect(&mut self, names: &[String], alphabet: &Alphabet, change: impl Fn(&mut Effect)) {
        for action in names.iter().filter_map(|name| alphabet.get(name)) {
            change(&mut self.effects[Label::visible(action).index()]);
        }
    }

    /// How many fluents there are, which is the number of bits they need in a packed state.
    pub fn fluent_count(&self) -> usize {
        self.fluents.len()
    }

    /// The fluents before the first action.
    pub fn initial(&self) -> Fluents {
        self.initial.clone()
    }

    /// The fluents after an action, and the letter that it makes.
    pub fn step(&self, fluents: &Fluents, label: Label) -> (Fluents, AtomSet) {
        let effect = &self.effects[label.index()];
        let mut after = fluents.clone();
        after.0.remove_all(&effect.off);
        after.0.insert_all(&effect.on);
        let mut letter = self.stutter_letter(&after);
        letter.insert_all(&effect.actions);
        (after, letter)
    }

    /// The letter that a finite run repeats for ever at its end, and that a silent action makes: no action, and the
    /// fluents as they are.
    pub fn stutter_letter(&self, fluents: &Fluents) -> AtomSet {
        fluents.0.iter().map(|fluent| self.fluents[fluent]).collect()
    }

    /// Whether a label changes no fluent and makes no action proposition hold: whatever the state, it makes the letter
    /// that stuttering makes.
    pub fn is_invisible(&self, label: Label) -> bool {
        let effect = &self.effects[label.index()];
        effect.on.is_empty() && effect.off.is_empty() && effect.actions.is_empty()
    }

    /// Labels of which no two do the same, and that do whatever a label can do; silence is the first.
    pub fn distinct_labels(&self) -> Vec<Label> {
        let mut seen = FxHashSet::default();
        let visible = (1..self.effects.len()).map(|label| Label::visible(ActionId::from_index(label - 1)));
        let mut all = std::iter::once(Label::TAU).chain(visible).collect::<Vec<Label>>();
        all.retain(|label| seen.insert(&self.effects[label.index()]));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fluent, Formula};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn assertion() -> Assertion {
        let fluent = |name: &str, on: &[&str], off: &[&str], initially| {
            Proposition::Fluent(Fluent { name: name.to_owned(), on: names(on), off: names(off), initially })
        };
        Assertion {
            name: "A".to_owned(),
            formula: Formula::True,
            propositions: vec![
                fluent("OPEN", &["open"], &["close", "lock"], true),
                Proposition::Action(names(&["open", "ring"])),
                fluent("LOCKED", &["lock"], &["unlock"], false),
            ],
            extension: names(&["walk", "ring"]),
        }
    }

    fn atoms(numbers: &[u32]) -> AtomSet {
        numbers.iter().map(|&number| AtomId::from_raw(number)).collect()
    }

    #[test]
    fn a_run_becomes_a_word() {
        let alphabet: Alphabet = ["open", "close", "lock", "ring", "walk"].into_iter().collect();
        let letters = assertion().compile(&alphabet);
        assert_eq!(letters.fluent_count(), 2);
        let mut fluents = letters.initial();
        assert_eq!(letters.stutter_letter(&fluents), atoms(&[0]));
        let run: [(&str, &[u32]); 6] = [
            ("walk", &[0]),
            ("ring", &[0, 1]),
            ("close", &[]),
            ("open", &[0, 1]),
            ("lock", &[2]),
            ("open", &[0, 1, 2]),
        ];
        for (action, expected) in run {
            let label = Label::visible(alphabet.get(action).expect("the alphabet has it"));
            let (after, letter) = letters.step(&fluents, label);
            assert_eq!(letter, atoms(expected), "after {action}");
            let mut words = [u64::MAX; 2];
            after.write_to(&mut words);
            assert_eq!((Fluents::from_words(&words), words[1]), (after.clone(), 0));
            fluents = after;
            let (silent, letter) = letters.step(&fluents, Label::TAU);
            assert_eq!(
                (silent, letter),
                (fluents.clone(), letters.stutter_letter(&fluents)),
                "a silent action"
            );
        }
        assert!(letters.is_invisible(Label::TAU));
        assert!(letters.is_invisible(Label::visible(alphabet.get("walk").expect("the alphabet has it"))));
        assert!(!letters.is_invisible(Label::visible(alphabet.get("ring").expect("the alphabet has it"))));
    }

    #[test]
    fn the_alphabet_is_in_order_of_appearance() {
        let alphabet = assertion().alphabet();
        let expected = ["open", "close", "lock", "ring", "unlock", "walk"];
        assert_eq!(alphabet.names().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn more_fluents_than_a_word_has_bits() {
        let fluent = |i: usize| Fluent {
            name: format!("F.{i}"),
            on: vec![format!("on.{i}")],
            off: vec![format!("off.{i}")],
            initially: i == 130,
        };
        let assertion = Assertion {
            propositions: (0..150).map(|i| Proposition::Fluent(fluent(i))).collect(),
            ..assertion()
        };
        let alphabet = assertion.alphabet();
        let letters = assertion.compile(&alphabet);
        let step = |fluents: &Fluents, name: &str| {
            letters.step(fluents, Label::visible(alphabet.get(name).expect("the alphabet has it")))
        };
        assert!(letters.initial().contains(130));
        let (fluents, letter) = step(&letters.initial(), "on.70");
        assert_eq!(letter, atoms(&[70, 130]));
        let (fluents, _) = step(&fluents, "off.130");
        let (fluents, letter) = step(&fluents, "off.70");
        assert_eq!((fluents, letter), (Fluents::default(), AtomSet::new()));
    }
}
