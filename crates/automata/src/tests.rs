//! The functions against the definition: all words up to a length, all small automata, many random ones.

use rely_base::{ActionId, Id, StateId};
use rely_testkit::automata::{Table, all_tables};
use rely_testkit::rng::{Rng, seeds};

use crate::Dfa;

type Word = Vec<ActionId>;

/// All words of at most this number of letters, shorter ones first, then in the order of letters.
fn words(letters: usize, length: usize) -> Vec<Word> {
    let mut all = vec![Word::new()];
    let mut longest = 0..1;
    for _ in 0..length {
        let begin = all.len();
        for i in longest {
            for letter in (0..letters).map(ActionId::from_index) {
                let word = [&all[i][..], &[letter]].concat();
                all.push(word);
            }
        }
        longest = begin..all.len();
    }
    all
}

/// A random automaton; some states cannot be reached.
fn random(rng: &mut Rng, max_states: usize, letters: usize) -> Dfa {
    let states = 1 + rng.below(max_states);
    let accepting = (0..states).map(|_| rng.chance(1, 2)).collect();
    let successors = (0..states * letters).map(|_| StateId::from_index(rng.below(states))).collect();
    Dfa::new(letters, StateId::from_index(rng.below(states)), accepting, successors)
}

/// All automata with these numbers of states and letters that begin in state 0.
fn all_automata(states: usize, letters: usize) -> impl Iterator<Item = Dfa> {
    let automaton = move |Table { accepting, successors }| {
        Dfa::new(letters, StateId::from_index(0), accepting, successors)
    };
    all_tables(states, letters).map(automaton)
}

/// The number of different languages that states reach: those that two of the states differ on by a word shorter than
/// the number of states, as the theorem of Myhill and Nerode has it.
fn naive_size(dfa: &Dfa) -> usize {
    let words = words(dfa.letter_count(), dfa.state_count());
    let reachable = dfa.access_words();
    let mut rows: Vec<Vec<bool>> = dfa
        .states()
        .filter(|state| reachable[state.index()].is_some())
        .map(|state| words.iter().map(|word| dfa.is_accepting(dfa.run(state, word))).collect())
        .collect();
    rows.sort();
    rows.dedup();
    rows.len()
}

/// The first word of a list for which something holds.
fn first(words: &[Word], holds: impl Fn(&[ActionId]) -> bool) -> Option<Word> {
    words.iter().find(|word| holds(word)).cloned()
}

fn check_minimal(dfa: &Dfa, context: &str) {
    let minimal = dfa.minimise();
    assert_eq!(minimal.state_count(), naive_size(dfa), "{context}: {dfa:?}");
    for word in words(dfa.letter_count(), dfa.state_count() + 1) {
        assert_eq!(dfa.accepts(&word), minimal.accepts(&word), "{context}: {dfa:?} on {word:?}");
    }
    assert_eq!(minimal, minimal.trim(), "{context}: numbered breadth first");
}

#[test]
fn all_small_automata_are_minimised() {
    let mut count = 0;
    for (states, letters) in [(1, 0), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        for dfa in all_automata(states, letters) {
            check_minimal(&dfa, "exhaustive");
            count += 1;
        }
    }
    assert_eq!(count, 2 + 2 + 16 + 64 + 216 + 5832);
}

#[test]
fn random_automata_are_minimised() {
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let letters = 1 + rng.below(2);
        check_minimal(&random(&mut rng, 7, letters), &format!("seed {seed}"));
    }
}

#[test]
fn equal_languages_have_equal_minimal_automata() {
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let dfa = random(&mut rng, 30, 3);
        // The same automaton with another numbering and every state twice.
        let n = dfa.state_count();
        let shift = rng.below(n);
        let place = |state: StateId, copy: usize| StateId::from_index((state.index() + shift) % n * 2 + copy);
        let mut accepting = vec![false; 2 * n];
        let mut successors = vec![StateId::from_index(0); 2 * n * 3];
        for state in dfa.states() {
            for copy in 0..2 {
                let here = place(state, copy).index();
                accepting[here] = dfa.is_accepting(state);
                for letter in dfa.letters() {
                    successors[here * 3 + letter.index()] = place(dfa.step(state, letter), rng.below(2));
                }
            }
        }
        let other = Dfa::new(3, place(dfa.initial(), rng.below(2)), accepting, successors);
        assert_eq!(dfa.minimise(), other.minimise(), "seed {seed}");
        assert_eq!(dfa.shortest_difference(&other), None, "seed {seed}");
    }
}

#[test]
fn boolean_operations_are_those_of_languages() {
    for seed in seeds(200) {
        let mut rng = Rng::new(seed);
        let (a, b) = (random(&mut rng, 5, 2), random(&mut rng, 5, 2));
        for word in words(2, 7) {
            let (in_a, in_b) = (a.accepts(&word), b.accepts(&word));
            assert_eq!(a.complement().accepts(&word), !in_a, "seed {seed}: {word:?}");
            assert_eq!(a.intersection(&b).accepts(&word), in_a && in_b, "seed {seed}: {word:?}");
            assert_eq!(a.union(&b).accepts(&word), in_a || in_b, "seed {seed}: {word:?}");
            assert_eq!(a.difference(&b).accepts(&word), in_a && !in_b, "seed {seed}: {word:?}");
        }
    }
}

fn check_witnesses(a: &Dfa, b: &Dfa, words: &[Word], context: &str) {
    assert_eq!(a.shortest_accepted(), first(words, |word| a.accepts(word)), "{context}: {a:?}");
    assert_eq!(a.shortest_rejected(), first(words, |word| !a.accepts(word)), "{context}: {a:?}");
    assert_eq!(a.is_empty(), words.iter().all(|word| !a.accepts(word)), "{context}: {a:?}");
    assert_eq!(
        a.shortest_not_in(b),
        first(words, |word| a.accepts(word) && !b.accepts(word)),
        "{context}: {a:?} in {b:?}"
    );
    assert_eq!(a.is_included_in(b), a.shortest_not_in(b).is_none(), "{context}");
    let difference = a.shortest_difference(b);
    let naive = first(words, |word| a.accepts(word) != b.accepts(word));
    assert_eq!(difference.as_ref().map(Vec::len), naive.as_ref().map(Vec::len), "{context}: {a:?} and {b:?}");
    assert!(difference.is_none_or(|word| a.accepts(&word) != b.accepts(&word)), "{context}: {a:?} and {b:?}");
}

#[test]
fn witnesses_of_all_small_automata_are_shortest() {
    // Two automata with m and n states differ on a word of at most m + n − 2 letters, and are included or not by one
    // of at most mn − 1.
    let words = words(2, 3);
    let automata: Vec<Dfa> = all_automata(1, 2).chain(all_automata(2, 2)).collect();
    for a in &automata {
        for b in &automata {
            check_witnesses(a, b, &words, "exhaustive");
        }
    }
}

#[test]
fn witnesses_of_random_automata_are_shortest() {
    let words = words(2, 11);
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let (a, b) = (random(&mut rng, 4, 2), random(&mut rng, 3, 2));
        check_witnesses(&a, &b, &words, &format!("seed {seed}"));
    }
}

#[test]
fn a_long_difference_is_found() {
    // The words whose length is divisible by 7, and by 11: they differ on 7 letters; with 77, on the seventh.
    let modulo = |n: usize| Dfa::reachable(1, 0, |&s| s == 0, |&s, _| (s + 1) % n);
    let letter = ActionId::from_index(0);
    assert_eq!(modulo(7).shortest_difference(&modulo(11)), Some(vec![letter; 7]));
    assert_eq!(modulo(77).shortest_not_in(&modulo(7)), None);
    assert_eq!(modulo(7).intersection(&modulo(11)).minimise(), modulo(77));
    let accepted =
        modulo(7).intersection(&modulo(11)).difference(&Dfa::from_rows(1, 0, &[(true, &[1]), (false, &[1])]));
    assert_eq!(accepted.shortest_accepted(), Some(vec![letter; 77]));
}

#[test]
fn access_words_lead_to_their_states() {
    for seed in seeds(100) {
        let mut rng = Rng::new(seed);
        let dfa = random(&mut rng, 6, 2);
        let words = words(2, 6);
        for (state, word) in dfa.states().zip(dfa.access_words()) {
            let naive = first(&words, |word| dfa.run(dfa.initial(), word) == state);
            assert_eq!(word, naive, "seed {seed}: {state:?} of {dfa:?}");
        }
    }
}

fn check_prefixes(dfa: &Dfa, words: &[Word], context: &str) {
    let prefixes = |word: &Word| (0..=word.len()).map(|end| word[..end].to_vec()).collect::<Vec<_>>();
    let closed = words.iter().all(|word| !dfa.accepts(word) || prefixes(word).iter().all(|p| dfa.accepts(p)));
    assert_eq!(dfa.is_prefix_closed(), closed, "{context}: {dfa:?}");
}

#[test]
fn prefix_closed_languages() {
    let words = words(2, 4);
    for dfa in all_automata(1, 2).chain(all_automata(2, 2)) {
        check_prefixes(&dfa, &words, "exhaustive");
    }
    for seed in seeds(100) {
        let mut rng = Rng::new(seed);
        check_prefixes(&random(&mut rng, 4, 2), &words, &format!("seed {seed}"));
    }
}

#[test]
fn automata_without_letters() {
    let all = Dfa::constant(0, true);
    assert!(all.accepts(&[]) && all.is_prefix_closed());
    assert_eq!(all.complement().minimise(), Dfa::constant(0, false));
    assert_eq!(all.shortest_difference(&all.complement()), Some(vec![]));
}
