//! The acceptors of templates against their meaning, on words of the form u·vᵚ.

use rely_base::{Budget, Id};
use rely_testkit::rng::{Rng, seeds};

use crate::naive::{self, Lasso};
use crate::{AtomId, AtomSet, Automaton, Formula, Template};

fn atom(number: usize) -> Formula {
    Formula::atom(AtomId::from_index(number))
}

/// All templates over three conditions.
fn templates(e: &Formula, d: &Formula, f: &Formula) -> Vec<Template> {
    let [e, d, f] = [e, d, f].map(Clone::clone);
    vec![
        Template::Never(d.clone()),
        Template::Always(d.clone()),
        Template::Eventually(d.clone()),
        Template::NeverUntilAfter(d.clone(), f.clone()),
        Template::AfterNeverUntilAfter(e.clone(), d.clone(), f),
        Template::AfterEventually(e.clone(), d.clone()),
        Template::Repeatedly(e.clone()),
        Template::EventuallyAlways(d.clone()),
        Template::IfRepeatedlyRepeatedly(e, d),
    ]
}

/// What a template means on a word, from the table at the head of the module.
fn means(template: &Template, lasso: &Lasso) -> bool {
    let holds = |formula: Formula| naive::satisfaction(&formula, lasso)[0];
    let weak = |d: &Formula, f: &Formula| {
        let free = d.clone().negated();
        free.clone().weak_until(free.and(f.clone()))
    };
    match template.clone() {
        Template::Never(d) => holds(d.negated().always()),
        Template::Always(p) => holds(p.always()),
        Template::Eventually(d) => holds(d.eventually()),
        Template::NeverUntilAfter(d, f) => holds(weak(&d, &f)),
        Template::AfterNeverUntilAfter(e, d, f) => holds(e.implies(weak(&d, &f).next()).always()),
        Template::AfterEventually(e, d) => is_idle_again_and_again(&e, &d, lasso),
        Template::Repeatedly(e) => holds(e.eventually().always()),
        Template::EventuallyAlways(p) => holds(p.always().eventually()),
        Template::IfRepeatedlyRepeatedly(e, d) => {
            holds(e.eventually().always().implies(d.eventually().always()))
        }
    }
}

/// The appendix in words: something is pending from an e that finds nothing pending to the next d.
fn is_idle_again_and_again(e: &Formula, d: &Formula, lasso: &Lasso) -> bool {
    let (e, d) = (naive::satisfaction(e, lasso), naive::satisfaction(d, lasso));
    let mut is_pending = false;
    let mut position = 0;
    let mut last_idle = 0;
    // In every round of the cycle the same happens after the second.
    let steps = lasso.letters.len() * 6;
    for step in 0..steps {
        if !is_pending {
            last_idle = step;
        }
        is_pending = if is_pending { !d[position] } else { e[position] };
        position = lasso.next(position);
    }
    last_idle + 2 * lasso.letters.len() >= steps
}

/// Whether a deterministic automaton accepts, by running it: the naive twin of `Automaton::accepts`.
fn accepts(automaton: &Automaton, lasso: &Lasso) -> bool {
    let mut state = automaton.initial[0];
    let mut position = 0;
    let mut seen = Vec::new();
    let mut colours = Vec::new();
    loop {
        if let Some(start) = seen.iter().position(|&it| it == (state, position)) {
            let mut again = crate::Colours::none();
            colours[start..].iter().for_each(|it| again.insert_all(it));
            return automaton.acceptance.accepts(&again);
        }
        seen.push((state, position));
        let Some(edge) = automaton.reading(state, &lasso.letters[position]).next() else { return false };
        colours.push(edge.colours.clone());
        (state, position) = (edge.target, lasso.next(position));
    }
}

/// Small conditions over three atoms.
fn condition(rng: &mut Rng) -> Formula {
    let one = atom(rng.below(3));
    match rng.below(4) {
        0 => one.negated(),
        1 => one.or(atom(rng.below(3))),
        2 => one.and(atom(rng.below(3)).negated()),
        _ => one,
    }
}

#[test]
fn acceptors_accept_what_the_templates_mean() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let [e, d, f] = [0; 3].map(|_| condition(&mut rng));
        for template in templates(&e, &d, &f) {
            let acceptor = template.acceptor();
            let complement = acceptor.complement(&Budget::UNLIMITED).expect("there is no limit");
            let complement = complement.expect("templates are deterministic");
            let lasso = Lasso::random(&mut rng, 3);
            let (prefix, cycle) = lasso.letters.split_at(lasso.start);
            let expected = means(&template, &lasso);
            assert_eq!(accepts(&acceptor, &lasso), expected, "seed {seed}: {template:?} on {lasso:?}");
            assert_eq!(acceptor.accepts(prefix, cycle), expected, "seed {seed}: {template:?} on {lasso:?}");
            assert_eq!(
                acceptor.completed(&Budget::UNLIMITED).expect("there is no limit").accepts(prefix, cycle),
                expected,
                "seed {seed}: {template:?}"
            );
            assert_eq!(
                complement.accepts(prefix, cycle),
                !expected,
                "seed {seed}: {template:?} on {lasso:?}"
            );
        }
    }
}

#[test]
fn a_later_d_discharges_even_with_another_e() {
    let letters = |words: &[&[usize]]| -> Vec<AtomSet> {
        words.iter().map(|word| word.iter().map(|&it| AtomId::from_index(it)).collect()).collect()
    };
    let acceptor = Template::AfterEventually(atom(0), atom(1)).acceptor();
    // The first e is pending although d comes with it; the second d discharges it although e comes with it.
    assert!(acceptor.accepts(&letters(&[&[0, 1], &[0, 1]]), &letters(&[&[]])));
    assert!(!acceptor.accepts(&letters(&[&[0, 1]]), &letters(&[&[]])));
    let formula = atom(0).implies(atom(1).eventually().next()).always();
    let lasso = Lasso { letters: letters(&[&[0, 1], &[0, 1], &[]]), start: 2 };
    assert!(!naive::satisfaction(&formula, &lasso)[0], "the formula wants another d");
}

#[test]
fn safety_templates_have_no_condition() {
    for template in templates(&atom(0), &atom(1), &atom(2)) {
        let is_unconditional = template.acceptor().acceptance == crate::Acceptance::True;
        assert_eq!(is_unconditional, template.is_safety(), "{template:?}");
        assert!(template.conditions().all(Formula::is_condition));
    }
}
