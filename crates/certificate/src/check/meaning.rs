//! What the propositions of an assertion mean, from the names of actions.

use std::collections::BTreeSet;

use rely_base::{ActionId, Alphabet, Id};
use rely_omega::{Assertion, AtomId, AtomSet, Proposition};

/// The letters of a run of actions.
pub(super) struct Meaning {
    /// The fluents: their atoms, and whether they hold before the first action.
    fluents: Vec<(AtomId, bool)>,
    /// By action, the fluents that it switches on or off, by place in `fluents`.
    switches: Vec<Vec<(usize, bool)>>,
    /// By action, the action propositions that hold just after it.
    occurs: Vec<Vec<AtomId>>,
}

impl Meaning {
    pub(super) fn new(assertion: &Assertion, alphabet: &Alphabet) -> Self {
        let actions = alphabet.len();
        let mut meaning = Self {
            fluents: Vec::new(),
            switches: vec![Vec::new(); actions],
            occurs: vec![Vec::new(); actions],
        };
        for (number, proposition) in assertion.propositions.iter().enumerate() {
            let atom = AtomId::from_index(number);
            let numbers = |names: &[String]| -> BTreeSet<usize> {
                names.iter().filter_map(|n| alphabet.get(n)).map(Id::index).collect()
            };
            match proposition {
                Proposition::Action(names) => {
                    numbers(names).into_iter().for_each(|action| meaning.occurs[action].push(atom));
                }
                Proposition::Fluent(fluent) => {
                    let place = meaning.fluents.len();
                    meaning.fluents.push((atom, fluent.initially));
                    let (on, off) = (numbers(&fluent.on), numbers(&fluent.off));
                    for &action in on.union(&off) {
                        meaning.switches[action].push((place, on.contains(&action)));
                    }
                }
            }
        }
        meaning
    }

    pub(super) fn fluent_count(&self) -> usize {
        self.fluents.len()
    }

    /// The fluents before the first action.
    pub(super) fn initial(&self) -> Vec<u32> {
        self.fluents.iter().map(|&(_, initially)| u32::from(initially)).collect()
    }

    /// The fluents after an action or a silent step.
    pub(super) fn after(&self, fluents: &[u32], action: Option<ActionId>) -> Vec<u32> {
        let mut after = fluents.to_vec();
        for &(place, on) in action.iter().flat_map(|action| &self.switches[action.index()]) {
            after[place] = u32::from(on);
        }
        after
    }

    /// The letter, restricted to some atoms, just after an action or a silent step that resulted in these fluents.
    pub(super) fn letter(&self, fluents: &[u32], action: Option<ActionId>, atoms: &AtomSet) -> AtomSet {
        let holding = self.fluents.iter().zip(fluents).filter(|(_, value)| **value == 1);
        let occurring = action.iter().flat_map(|action| &self.occurs[action.index()]);
        let all = holding.map(|((atom, _), _)| *atom).chain(occurring.copied());
        all.filter(|&atom| atoms.contains(atom)).collect()
    }

    /// The fluents; those that are not among the atoms count as off.
    pub(super) fn masked(&self, fluents: &[u32], atoms: &AtomSet) -> Vec<u32> {
        let mask = |(&value, &(atom, _)): (&u32, &(AtomId, bool))| value * u32::from(atoms.contains(atom));
        fluents.iter().zip(&self.fluents).map(mask).collect()
    }

    /// One action for each effect that an action can have on some atoms, and silence.
    pub(super) fn distinct(&self, atoms: &AtomSet) -> Vec<Option<ActionId>> {
        let mut seen = BTreeSet::new();
        let mut is_new = |action: &ActionId| {
            let switches = self.switches[action.index()].iter();
            let switches = switches.filter(|(place, _)| atoms.contains(self.fluents[*place].0));
            let occurs = self.occurs[action.index()].iter().filter(|&&atom| atoms.contains(atom));
            seen.insert((switches.collect::<Vec<_>>(), occurs.collect::<Vec<_>>()))
        };
        let actions = (0..self.switches.len()).map(ActionId::from_index).filter(|action| is_new(action));
        actions.map(Some).chain([None]).collect()
    }
}
