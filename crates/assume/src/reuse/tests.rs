//! Random systems, random changes: what is found with the help of the past is what is found without it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::{Budget, Id};
use rely_decide::Verdict;
use rely_lts::{Component, ComponentId, Lts, LtsBuilder, Network};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::{
    Algorithm, Alphabets, Answer, Method, Plan, Reduction, Rule, failures, monolithic, verify, verify_from,
};

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e", "f"];
const SHAPE: Shape = Shape { components: 2, states: 3, actions: ACTIONS, ..Shape::FULL };

/// A memory that counts what it recalls.
#[derive(Default)]
struct Notes {
    entries: RefCell<BTreeMap<Key, Vec<u8>>>,
    recalled: RefCell<usize>,
}

impl Memory for Notes {
    fn is_trusted(&self) -> bool {
        true
    }

    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        let found = self.entries.borrow().get(key).cloned();
        *self.recalled.borrow_mut() += usize::from(found.is_some());
        found
    }

    fn remember(&self, entries: &[(Key, Vec<u8>)]) {
        self.entries.borrow_mut().extend(entries.iter().cloned());
    }
}

fn component(name: &str, lts: Lts) -> Component {
    Component { name: name.to_owned(), lts: Arc::new(lts) }
}

/// A property and two to four parts.
fn random(rng: &mut Rng) -> Problem {
    let count = 2 + rng.below(3);
    of_parts(rng, count)
}

fn of_parts(rng: &mut Rng, count: usize) -> Problem {
    let mut components = vec![component("P", networks::property(rng, 3, &ACTIONS[..4]))];
    components.extend((0..count).map(|i| component(&format!("M{i}"), networks::component(rng, &SHAPE))));
    let network = Network::new(components);
    Problem::new("P", &network, &[ComponentId::from_index(0)], &[])
}

/// The problem with a part that is another one, or that has a transition less, or one more.
fn changed(rng: &mut Rng, problem: &Problem) -> (Problem, usize) {
    let mut new = problem.clone();
    let part = rng.below(new.parts.len());
    let old = &problem.parts[part].lts;
    let lts = match rng.below(4) {
        0 => {
            let other = component("", networks::component(rng, &SHAPE));
            let network = Network::new(vec![other]);
            let cut = Problem::new("", &network, &[], &[]).parts.remove(0);
            Lts::clone(&cut.lts)
        }
        1 => edited(rng, old, true),
        _ => edited(rng, old, false),
    };
    new.parts[part].lts = Arc::new(lts);
    (new, part)
}

/// A system with a transition more, or with one less.
fn edited(rng: &mut Rng, lts: &Lts, more: bool) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    let without = (!more).then(|| rng.below(lts.transition_count().max(1)));
    for (i, transition) in lts.transitions().enumerate() {
        if Some(i) != without {
            builder.add_transition(transition.source, transition.label, transition.target);
        }
    }
    let sources: Vec<_> = lts.states().filter(|&state| Some(state) != lts.end()).collect();
    if more && !sources.is_empty() && !lts.alphabet().is_empty() {
        let label =
            rely_base::Label::visible(rely_base::ActionId::from_index(rng.below(lts.alphabet().len())));
        let target = rely_base::StateId::from_index(rng.below(lts.state_count()));
        builder.add_transition(sources[rng.below(sources.len())], label, target);
    }
    builder.build()
}

fn holds(problem: &Problem) -> bool {
    let (verdict, _) = monolithic(problem, &Budget::UNLIMITED).expect("no mistake");
    matches!(verdict, Verdict::Holds(_))
}

/// A premise from its definition, on the parts as they are.
fn is_true(problem: &Problem, proof: &Proof, premise: Premise) -> bool {
    let Premise::Triple { assumes, group, guarantees } = premise else { return true };
    let pick = |group: usize| proof.groups[group].iter().map(|&part| problem.parts[part].clone());
    let mut all: Vec<Component> = pick(group).collect();
    all.extend(assumes.map(|assumption| proof.assumptions[assumption].component("A")));
    all.extend(match guarantees {
        Guarantee::Goal => problem.goal.components.clone(),
        Guarantee::Conjunct(half) => conjunct(&problem.goal, &pick(0).collect::<Vec<_>>(), half).components,
        Guarantee::Assumption(assumption) => vec![proof.assumptions[assumption].property("G")],
    });
    failures(all, 1, &Budget::UNLIMITED, &mut Effort::default()).expect("no limit").is_empty()
}

fn plan(rng: &mut Rng, problem: &Problem, rule: Rule) -> Plan {
    let mut groups: Vec<Vec<usize>> = (0..problem.parts.len()).map(|part| vec![part]).collect();
    while groups.len() > 2 && (rule.is_binary() || rng.below(2) == 0) {
        let last = groups.pop().expect("there are more than two");
        groups[1].extend(last);
    }
    let method = if rng.below(2) == 0 { Method::Direct } else { Method::Learn(Algorithm::default()) };
    Plan { rule, method, groups, alphabets: Alphabets::Whole, most_words: None }
}

/// After each of a few changes, the proof of old is looked at again, and replaced if it does not stand.
#[test]
fn a_proof_that_stands_proves_and_one_that_is_broken_has_a_false_premise() {
    let (mut stood, mut recalled, mut broken, mut lost) = (0, 0, 0, 0);
    for seed in seeds(1_500) {
        let mut rng = Rng::new(seed);
        let mut problem = random(&mut rng);
        let rule = Rule::ALL[rng.below(Rule::ALL.len())];
        let plan = plan(&mut rng, &problem, rule);
        let notes = Notes::default();
        let mut proof: Option<Proof> = None;
        // The problem that the proof was found for.
        let mut earlier: Option<Problem> = None;
        for _ in 0..4 {
            let budget = &Budget::UNLIMITED;
            let expected = holds(&problem);
            let again = proof.as_ref().map(|proof| {
                check_after(&problem, earlier.as_ref(), proof, &notes, budget, &mut Effort::default())
                    .expect("no limit")
            });
            match again {
                Some(Again::Stands(known)) => {
                    assert!(expected, "seed {seed}: a proof of what is not so");
                    let proof = proof.as_ref().expect("it was looked at");
                    for premise in rule.premises(proof.groups.len()) {
                        assert!(is_true(&problem, proof, premise), "seed {seed}: {premise}");
                    }
                    stood += 1;
                    recalled += known;
                }
                Some(Again::Broken(found)) => {
                    let proof = proof.as_ref().expect("it was looked at");
                    assert!(!is_true(&problem, proof, found.premise), "seed {seed}: {}", found.premise);
                    broken += 1;
                }
                Some(Again::Unusable) | None => lost += 1,
            }
            let start = proof.as_ref().map_or(&[][..], |proof| &proof.assumptions);
            let (answer, _) = verify_from(&problem, &plan, start, budget).expect("no mistake");
            match answer {
                Answer::Proved(found) => {
                    assert!(expected, "seed {seed}");
                    notes.remember(&premises_to_remember(&problem, &found));
                    proof = Some(found);
                    earlier = Some(problem.clone()).filter(|_| rng.below(2) == 0);
                }
                Answer::Refuted(_) => assert!(!expected, "seed {seed}"),
                Answer::Unknown(exhausted) => panic!("seed {seed}: {exhausted}"),
            }
            problem = changed(&mut rng, &problem).0;
        }
    }
    let enough = stood >= 300 && recalled >= 300 && broken >= 100;
    assert!(enough || is_single_seed(), "{stood} stood, {recalled} recalled, {broken} broken, {lost} lost");
}

#[test]
fn only_premises_about_the_changed_part_are_searched() {
    let mut seen = 0;
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let problem = random(&mut rng);
        let plan = Plan {
            groups: (0..problem.parts.len()).map(|part| vec![part]).collect(),
            ..plan(&mut rng, &problem, Rule::Chain)
        };
        let (Answer::Proved(proof), _) = verify(&problem, &plan, &Budget::UNLIMITED).expect("no mistake")
        else {
            continue;
        };
        let notes = Notes::default();
        notes.remember(&premises_to_remember(&problem, &proof));
        let (new, part) = changed(&mut rng, &problem);
        if new.parts[part].lts == problem.parts[part].lts {
            continue;
        }
        let again = check_again(&new, &proof, &notes, &Budget::UNLIMITED, &mut Effort::default());
        if let Again::Stands(known) = again.expect("no limit") {
            // Parts may be alike, and then even the premise of the changed one may be known.
            assert!(known + 1 >= proof.groups.len(), "seed {seed}: {known} of {}", proof.groups.len());
            seen += 1;
        }
    }
    assert!(seen >= 40 || is_single_seed(), "only {seen} proofs stood");
}

#[test]
fn what_is_inherited_is_so_and_a_surprise_is_new() {
    let (mut stood, mut surprises) = (0, 0);
    for seed in seeds(3_000) {
        let mut rng = Rng::new(seed);
        let old = random(&mut rng);
        if !holds(&old) {
            continue;
        }
        let (mut new, _) = changed(&mut rng, &old);
        if rng.below(3) == 0 {
            new = changed(&mut rng, &new).0;
        }
        match inherit(&old, &new, &Budget::UNLIMITED, &mut Effort::default()).expect("no limit") {
            Inherited::Stands(proof) => {
                assert!(holds(&new), "seed {seed}");
                for premise in proof.rule.premises(proof.groups.len()) {
                    assert!(is_true(&new, &proof, premise), "seed {seed}: {premise}");
                }
                stood += 1;
            }
            Inherited::Surprise(surprise) => {
                assert!(can(&new, surprise.part, &surprise.trace, &old), "seed {seed}");
                assert!(!can(&old, surprise.part, &surprise.trace, &old), "seed {seed}");
                surprises += 1;
            }
            Inherited::Unusable => {}
        }
    }
    assert!(stood >= 100 && surprises >= 100 || is_single_seed(), "{stood} stood, {surprises} surprises");
}

/// Whether a part can do what the others of a system see as a sequence.
fn can(problem: &Problem, part: usize, trace: &[String], system: &Problem) -> bool {
    let lts = &problem.parts[part].lts;
    let mut others = system.components();
    others.remove(part);
    let others = alphabet_of(&others);
    let old = &system.parts[part].lts;
    let seen = |label: rely_base::Label| {
        label
            .action()
            .map(|action| lts.alphabet().name(action))
            .filter(|&name| others.contains(name) && old.alphabet().contains(name))
    };
    let closure = |mut states: Vec<rely_base::StateId>| {
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            next += 1;
            for edge in lts.edges(state) {
                if seen(edge.label).is_none() && !states.contains(&edge.target) {
                    states.push(edge.target);
                }
            }
        }
        states
    };
    let mut states = closure(vec![lts.initial()]);
    for name in trace {
        // An action that the part does not have is free to occur.
        if !lts.alphabet().contains(name) {
            continue;
        }
        let edges = states.iter().flat_map(|&state| lts.edges(state));
        states =
            closure(edges.filter(|edge| seen(edge.label) == Some(name)).map(|edge| edge.target).collect());
    }
    !states.is_empty()
}

/// A component that takes some actions in turn, for ever.
fn cycle(name: &str, actions: &[&str]) -> Component {
    let mut builder = LtsBuilder::with_states(actions.iter().copied().collect(), actions.len());
    for i in 0..actions.len() {
        let label = rely_base::Label::visible(rely_base::ActionId::from_index(i));
        let target = rely_base::StateId::from_index((i + 1) % actions.len());
        builder.add_transition(rely_base::StateId::from_index(i), label, target);
    }
    component(name, builder.build())
}

#[test]
fn the_sketch_of_a_reduction_is_a_proof() {
    // What comes in goes out before the next comes in, because each waits for the next.
    let mut property = cycle("P", &["in", "out"]);
    property.lts = Arc::new(operators::complete(&property.lts));
    let parts = vec![
        cycle("M1", &["in", "one", "one_done"]),
        cycle("M2", &["one", "two", "two_done", "one_done"]),
        cycle("M3", &["two", "out", "two_done"]),
    ];
    let problem = Problem { composites: Vec::new(), parts, goal: Goal::property(property) };
    let (budget, mut effort) = (&Budget::UNLIMITED, Effort::default());
    let mut reduction = Reduction::new(&problem);
    assert_eq!(reduction.run(budget, &mut effort), Ok(false));
    let sketch = reduction.sketch(budget).expect("the goal needs all three");
    assert!(sketch.groups.len() > 1 && sketch.groups.len() == sketch.assumptions.len() + 1);
    let again = check_again(&problem, &sketch, &Notes::default(), budget, &mut effort);
    assert!(matches!(again, Ok(Again::Stands(0))), "{again:?}");
}

#[test]
fn a_cone_knows_which_parts_it_has() {
    let mut problem = random(&mut Rng::new(1));
    // A part that the goal cannot feel.
    let builder = LtsBuilder::with_states(["elsewhere"].into_iter().collect(), 1);
    problem.parts.insert(0, component("ALONE", builder.build()));
    let cone = problem.cone();
    let names: Vec<&str> = cone.parts().map(|part| problem.parts[part].name.as_str()).collect();
    let inside: Vec<&str> = cone.problem.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, inside);
    assert!(!names.contains(&"ALONE") && !names.is_empty());
}

/// A problem of components that take their actions in turn.
fn of_cycles(parts: &[(&str, &[&str])]) -> Problem {
    let parts = parts.iter().map(|(name, actions)| cycle(name, actions)).collect();
    Problem { composites: Vec::new(), parts, goal: Goal::property(cycle("P", &["in", "out"])) }
}

/// For each later part, the number of the earlier one.
fn matched(old: &[(&str, &[&str])], new: &[(&str, &[&str])]) -> Vec<Option<usize>> {
    let matching = Matching::new(&of_cycles(old), &of_cycles(new));
    let before: Vec<Option<usize>> = (0..new.len()).map(|part| matching.before(part)).collect();
    for (part, was) in before.iter().enumerate() {
        assert!(was.is_none_or(|was| matching.now(was) == Some(part)));
    }
    before
}

#[test]
fn parts_are_matched_by_what_is_most_alike() {
    let (take, give, log): (&[&str], &[&str], &[&str]) = (&["in", "x"], &["x", "out"], &["out", "log"]);
    let old = [("IN", take), ("OUT", give), ("LOG", log)];
    // Names first, in whatever order, and however changed.
    assert_eq!(matched(&old, &[("LOG", take), ("IN", take), ("OUT", log)]), [Some(2), Some(0), Some(1)]);
    // Two that were renamed.
    assert_eq!(matched(&old, &[("A", log), ("IN", take), ("B", give)]), [Some(2), Some(0), Some(1)]);
    // Others in their places, although the order says otherwise.
    let nodes = [("n.1:NODE", take), ("n.2:NODE", give)];
    assert_eq!(matched(&nodes, &[("n.2:LAZY", log), ("n.1:LAZY", log)]), [Some(1), Some(0)]);
    // Another one with the same interface: what nobody else has does not matter.
    let careful: &[&str] = &["x", "check", "out"];
    assert_eq!(
        matched(&old, &[("NEW", &["out", "twice"]), ("IN", take), ("OUT2", careful)]),
        [Some(2), Some(0), Some(1)]
    );
    // One of another kind in the place of the only one that is gone.
    assert_eq!(matched(&old, &[("IN", take), ("HALF", &["x"]), ("LOG", log)]), [Some(0), Some(1), Some(2)]);
    // One more: nobody was there.
    assert_eq!(
        matched(&old, &[("IN", take), ("OUT", give), ("MORE", &["in"]), ("LOG", log)]),
        [Some(0), Some(1), None, Some(2)]
    );
}

#[test]
fn new_parts_join_the_group_of_their_neighbour() {
    let old = of_cycles(&[("A", &["in"]), ("B", &["x"]), ("C", &["out"])]);
    let new = of_cycles(&[("NEW", &["n"]), ("A", &["in"]), ("C", &["out"]), ("LAST", &["l"])]);
    let matching = Matching::new(&old, &new);
    // B is gone, two are new, and their interfaces are empty: which of them stands for B is not said by the order.
    assert!(!matching.covers_all() && matching.keeps(&[0]) && !matching.keeps(&[0, 1]));
    let proof = Proof { rule: Rule::Simple, groups: vec![vec![2], vec![0, 1]], assumptions: Vec::new() };
    let now = matching.proof_now(&proof);
    assert_eq!(now.groups, [vec![2], vec![1]]);
    assert_eq!(matching.completed(&now).groups, [vec![2, 0, 3], vec![1]]);
    assert!(matching.earlier_as_now(&old, &new).is_none());
}

/// The second group is far too large to be searched for the sake of one part that does less.
#[test]
fn a_part_that_does_less_keeps_what_was_shown() {
    let property = Goal::property(component("P", operators::complete(&cycle("P", &["in", "out"]).lts)));
    let mut parts = vec![cycle("IN", &["in", "send", "ack"])];
    parts.push(cycle("OUT", &["send", "out", "ack"]));
    let pairs: Vec<[String; 2]> = (0..20).map(|i| [format!("a{i}"), "send".to_owned()]).collect();
    parts.extend(pairs.iter().enumerate().map(|(i, [a, b])| cycle(&format!("N{i}"), &[a, b])));
    let old = Problem { composites: Vec::new(), parts, goal: property };
    let all: Vec<usize> = (1..old.parts.len()).collect();
    let assumption = crate::Assumption::new(Lts::clone(&cycle("A", &["send", "out", "ack"]).lts));
    let proof = Proof { rule: Rule::Simple, groups: vec![vec![0], all], assumptions: vec![assumption] };
    let notes = Notes::default();
    notes.remember(&premises_to_remember(&old, &proof));
    let mut new = old.clone();
    new.parts[1] = cycle("OUT", &["send", "check", "out", "ack"]);
    let narrow = Budget::UNLIMITED.narrowed(rely_base::Limits { states: Some(64), bytes: None });
    let again = check_after(&new, Some(&old), &proof, &notes, &narrow, &mut Effort::default());
    assert!(matches!(again, Ok(Again::Stands(1))), "{again:?}");
    // One that does something else does not.
    new.parts[1] = cycle("OUT", &["send", "ack", "out"]);
    let again = check_after(&new, Some(&old), &proof, &notes, &Budget::UNLIMITED, &mut Effort::default());
    assert!(matches!(again, Ok(Again::Broken(_))), "{again:?}");
    // What nobody else shares is shown as well.
    let pair = Problem { composites: Vec::new(), parts: new.parts[..2].to_vec(), goal: new.goal.clone() };
    let mut new = pair.clone();
    new.parts[1] = cycle("OUT", &["send", "check", "ack", "out"]);
    let proof = Proof { groups: vec![vec![0], vec![1]], ..proof };
    let again = check_after(&new, Some(&pair), &proof, &notes, &Budget::UNLIMITED, &mut Effort::default());
    let Ok(Again::Broken(broken)) = again else { panic!("{again:?}") };
    assert_eq!(broken.trace, ["send", "check", "ack"]);
}
