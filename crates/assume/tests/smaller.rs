//! Ways to smaller assumptions: alphabets that grow, separation, abstraction. All of them give the verdict of the whole
//! system and proofs that the judge accepts; and the assumptions are as small as promised.

mod groups;

use std::sync::Arc;

use rely_assume::{
    Algorithm, Alphabets, Answer, Assumption, Effort, Inapplicable, Method, Plan, Problem, Proof, Rule,
    Variant, interface, verify, weakest,
};
use rely_base::{Alphabet, Budget, Id, Label, Limits, StateId};
use rely_certificate::{Claim, Property, check as judge};
use rely_decide::{Ending, replay};
use rely_explore::generate;
use rely_lts::equivalence::determinise;
use rely_lts::{Component, ComponentId, LtsBuilder, Network};
use rely_testkit::naive::assumption as naive;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::groups::random_groups;

const PART: Shape = Shape { components: 3, states: 3, errors: false, ..Shape::FULL };

const CHAINS: [Rule; 5] = [Rule::Simple, Rule::Chain, Rule::Alternating, Rule::Conjunction, Rule::Circular];

/// A system and the components of it that must not fail.
struct Question {
    network: Network,
    goal: Vec<ComponentId>,
    problem: Problem,
}

impl Question {
    fn new(parts: Vec<Component>, goal: Vec<Component>) -> Self {
        let ids = (parts.len()..parts.len() + goal.len()).map(ComponentId::from_index).collect::<Vec<_>>();
        let network = Network::new([parts, goal].concat());
        let problem = Problem::new("P", &network, &ids, &[]);
        Self { network, goal: ids, problem }
    }

    /// The components of a group of a plan or proof.
    fn group(&self, group: &[usize]) -> Vec<Component> {
        group.iter().map(|&part| self.problem.parts[part].clone()).collect()
    }

    /// The weakest assumption of the first of two groups, if there is one.
    fn weakest(&self, groups: &[Vec<usize>]) -> Option<Assumption> {
        let (first, second) = (self.group(&groups[0]), self.group(&groups[1]));
        let interface = interface(&first, &self.problem.goal, &second);
        let (budget, effort) = (&Budget::UNLIMITED, &mut Effort::default());
        let (requirement, _) =
            weakest(&first, &self.problem.goal, &interface, Variant::Weakest, budget, effort)
                .expect("no limit");
        requirement.assumption(&interface)
    }

    /// The proof, if there is one; whatever is answered has been checked with other code.
    fn proof(&self, plan: &Plan, what: &str) -> Option<Proof> {
        let fails = naive::fails(&self.problem.components());
        let (answer, effort) = verify(&self.problem, plan, &Budget::UNLIMITED).expect(what);
        assert!(effort.peak_states > 0, "{what}");
        match answer {
            Answer::Proved(proof) => {
                assert!(!fails, "{what}: proved what is false");
                let parts: Vec<ComponentId> =
                    (0..self.problem.parts.len()).map(ComponentId::from_index).collect();
                let property = Property::Unbroken { name: "P", components: &self.goal, observers: &[] };
                let evidence = proof.evidence(&parts, &self.goal);
                let claim = Claim::new("S", &self.network, &property, evidence);
                assert_eq!(judge(&claim, &self.network, &property, &Budget::UNLIMITED), Ok(()), "{what}");
                Some(proof)
            }
            Answer::Refuted(run) => {
                assert!(fails, "{what}: refuted what is true");
                replay(&Network::new(self.problem.components()), &run).expect(what);
                let Ending::Error(component) = run.ending else { panic!("{what}: {:?}", run.ending) };
                assert!(component.index() >= self.problem.parts.len(), "{what}: another component fails");
                None
            }
            Answer::Unknown(exhausted) => panic!("{what}: {exhausted}"),
        }
    }
}

fn component(name: &str, lts: rely_lts::Lts) -> Component {
    Component { name: name.to_owned(), lts: Arc::new(lts) }
}

/// Parts with a property, sometimes two of them, sometimes a goal that takes part in the system.
fn random_question(rng: &mut Rng, part: &Shape) -> Question {
    let parts = (0..2 + rng.below(3)).map(|_| component("M", networks::component(rng, part))).collect();
    let goal = match rng.below(4) {
        0 => vec![component("G", networks::component(rng, &Shape { errors: true, ..*part }))],
        count => {
            (0..1 + count / 3).map(|_| component("P", networks::property(rng, 3, part.actions))).collect()
        }
    };
    Question::new(parts, goal)
}

/// A question whose answer is *holds* because the second part keeps to the weakest assumption of the first. The property
/// has few actions, so that others matter only because of what the parts do with them.
fn tame_question(rng: &mut Rng, part: &Shape) -> Question {
    let part = Shape { ends: false, silent: rng.chance(1, 4), ..*part };
    let seen = &part.actions[..part.actions.len().min(1 + rng.below(3))];
    let property = component("P", networks::property(rng, 4, seen));
    let wild: Vec<Component> = (0..2).map(|_| component("M", networks::component(rng, &part))).collect();
    let [first, second] = <[Component; 2]>::try_from(wild).expect("two of them");
    let wild = Question::new(vec![first.clone(), second.clone()], vec![property.clone()]);
    let second = match wild.weakest(&[vec![0], vec![1]]) {
        None => second,
        Some(assumption) => {
            let tame = Network::new(vec![second, assumption.component("A")]);
            component("N", generate(&tame, &Budget::UNLIMITED).expect("no limit"))
        }
    };
    Question::new(vec![first, second], vec![property])
}

fn either_question(rng: &mut Rng, part: &Shape) -> Question {
    if rng.chance(1, 4) { random_question(rng, part) } else { tame_question(rng, part) }
}

/// Every method and choice of alphabets but those that `rules.rs` looks at.
fn smaller() -> Vec<(Method, Alphabets)> {
    let learned = Algorithm::ALL.map(|algorithm| (Method::Learn(algorithm), Alphabets::Refined));
    let others = [
        (Method::Direct, Alphabets::Refined),
        (Method::Separate, Alphabets::Whole),
        (Method::Separate, Alphabets::Refined),
        (Method::Abstract, Alphabets::Whole),
        (Method::Abstract, Alphabets::Refined),
    ];
    learned.into_iter().chain(others).collect()
}

#[test]
fn every_way_gives_the_verdict_of_the_whole() {
    let mut proved = 0;
    for seed in seeds(250) {
        let rng = &mut Rng::new(seed);
        let question = either_question(rng, &PART);
        for rule in CHAINS {
            let groups = random_groups(rng, rule, question.problem.parts.len());
            for (method, alphabets) in smaller() {
                let plan = Plan { rule, method, alphabets, groups: groups.clone(), most_words: None };
                if plan.applies_to(&question.problem).is_ok() {
                    proved += usize::from(question.proof(&plan, &format!("seed {seed}, {plan:?}")).is_some());
                }
            }
        }
    }
    assert!(proved > 1000 || is_single_seed(), "{proved}");
}

/// The sizes of the first assumptions: how often one way gives fewer states than the weakest assumption has.
#[test]
fn assumptions_are_never_larger_than_the_weakest() {
    let mut fewer = [0; 3];
    let mut narrower = 0;
    for seed in seeds(600) {
        let rng = &mut Rng::new(seed);
        let question = either_question(rng, &PART);
        let rule = Rule::Simple;
        let groups = random_groups(rng, rule, question.problem.parts.len());
        let first = |method, alphabets| -> Option<Assumption> {
            let plan = Plan { rule, method, alphabets, groups: groups.clone(), most_words: None };
            let proof = question.proof(&plan, &format!("seed {seed}, {plan:?}"))?;
            proof.assumptions.into_iter().next()
        };
        let learn = Method::Learn(Algorithm::default());
        let Some(smallest) = first(Method::Separate, Alphabets::Whole) else { continue };
        let weakest = question.weakest(&groups).expect("the problem is proved").state_count();
        let ways = [
            (Method::Separate, Alphabets::Refined),
            (learn, Alphabets::Refined),
            (Method::Direct, Alphabets::Refined),
            (learn, Alphabets::Whole),
        ];
        for (method, alphabets) in ways {
            let found = first(method, alphabets).expect("the verdict is the same");
            let what = format!("seed {seed}, {method:?}, {alphabets:?}, {groups:?}");
            assert!(found.state_count() <= weakest, "{what}: {} > {weakest}", found.state_count());
            assert!(smallest.state_count() <= found.state_count(), "{what}");
            if method == learn && alphabets == Alphabets::Refined {
                fewer[1] += usize::from(found.state_count() < weakest);
                narrower += usize::from(found.alphabet().len() < smallest.alphabet().len());
            }
            fewer[2] += usize::from(smallest.state_count() < found.state_count());
        }
        fewer[0] += usize::from(smallest.state_count() < weakest);
    }
    let enough = fewer.iter().all(|&count| count >= 10) && narrower >= 10;
    assert!(enough || is_single_seed(), "too few to mean anything: {fewer:?}, {narrower}");
}

/// The weakest assumption over a part of the interface can be larger than over all of it. Here the component fails after
/// `a c`, two letters, and `b`: whoever does not see `c` has to remember the last three letters.
#[test]
fn an_assumption_with_fewer_actions_may_need_more_states() {
    let mut steps = vec![(0, "b", 0), (0, "a", 1), (0, "c", 0), (1, "a", 1), (1, "b", 0), (1, "c", 2)];
    steps.extend([(2, "a", 3), (2, "b", 3), (3, "a", 4), (3, "b", 4), (4, "b", 5), (4, "a", 6), (5, "x", 6)]);
    steps.extend(["a", "b", "c"].map(|action| (6, action, 6)));
    let first = component("M", networks::from_transitions(7, &steps));
    let second = {
        let mut builder = LtsBuilder::with_states(["a", "b", "c"].into_iter().collect(), 1);
        let only = StateId::from_index(0);
        let b = builder.alphabet().get("b").expect("it is there");
        builder.add_transition(only, Label::visible(b), only);
        component("N", builder.build())
    };
    let property = {
        let mut builder = LtsBuilder::with_states(["a", "b", "x"].into_iter().collect(), 1);
        let error = builder.error_state();
        let only = StateId::from_index(0);
        for (name, target) in [("a", only), ("b", only), ("x", error)] {
            let action = builder.alphabet().get(name).expect("it is there");
            builder.add_transition(only, Label::visible(action), target);
        }
        component("P", builder.build())
    };
    let question = Question::new(vec![first.clone(), second], vec![property]);
    let groups = vec![vec![0], vec![1]];
    let whole = question.weakest(&groups).expect("there is one").state_count();
    let seen: Alphabet = ["a", "b"].into_iter().collect();
    let (requirement, _) = weakest(
        &[first],
        &question.problem.goal,
        &seen,
        Variant::Weakest,
        &Budget::UNLIMITED,
        &mut Effort::default(),
    )
    .expect("no limit");
    assert_eq!(
        (whole, requirement.assumption(&seen).map(|assumption| assumption.state_count())),
        (6, Some(8))
    );
    for method in [Method::Direct, Method::Learn(Algorithm::default()), Method::Separate] {
        let plan = Plan {
            rule: Rule::Simple,
            method,
            alphabets: Alphabets::Refined,
            groups: groups.clone(),
            most_words: None,
        };
        let proof = question.proof(&plan, &format!("{method:?}")).expect("it holds");
        assert!(proof.assumptions[0].state_count() <= whole, "{method:?}");
    }
}

/// All assumptions with so many states over an alphabet, as partial transition tables.
fn all_assumptions(alphabet: &Alphabet, states: usize) -> impl Iterator<Item = Assumption> + '_ {
    let tables = (states + 1).pow(u32::try_from(states * alphabet.len()).expect("small"));
    (0..tables).map(move |mut code| {
        let mut builder = LtsBuilder::with_states(alphabet.clone(), states);
        for state in (0..states).map(StateId::from_index) {
            for (action, _) in alphabet.iter() {
                let target = code % (states + 1);
                code /= states + 1;
                if target < states {
                    builder.add_transition(state, Label::visible(action), StateId::from_index(target));
                }
            }
        }
        Assumption::new(builder.build())
    })
}

/// Separating assumptions against the definition: every assumption with fewer states makes a premise false.
#[test]
fn no_assumption_is_smaller_than_a_separating_one() {
    let mut sizes = [0; 4];
    let part = Shape { states: 6, actions: &["a", "b"], errors: false, ..Shape::FULL };
    for seed in seeds(5000) {
        let rng = &mut Rng::new(seed);
        let question = either_question(rng, &part);
        let (rule, method, alphabets) = (Rule::Simple, Method::Separate, Alphabets::Whole);
        let groups = random_groups(rng, rule, question.problem.parts.len());
        let plan = Plan { rule, method, alphabets, groups: groups.clone(), most_words: None };
        let Some(proof) = question.proof(&plan, &format!("seed {seed}")) else { continue };
        let (first, second) = (question.group(&groups[0]), question.group(&groups[1]));
        let goal = &question.problem.goal.components;
        let proves = |assumption: &Assumption| {
            let relying = [first.clone(), goal.clone(), vec![assumption.component("A")]].concat();
            let guaranteeing = [second.clone(), vec![assumption.property("A")]].concat();
            !naive::fails(&relying) && !naive::fails(&guaranteeing)
        };
        let interface = interface(&first, &question.problem.goal, &second);
        let states = proof.assumptions[0].state_count();
        let least = (1..=3).find(|&states| all_assumptions(&interface, states).any(|a| proves(&a)));
        assert_eq!(least.unwrap_or(states.max(4)), states, "seed {seed}, {groups:?}");
        sizes[states.min(3)] += 1;
    }
    assert!(sizes[1..].iter().all(|&count| count >= 5) || is_single_seed(), "{sizes:?}");
}

/// An abstraction is no larger than what it is an abstraction of, or than its deterministic form.
#[test]
fn abstractions_are_never_larger_than_what_they_abstract_from() {
    let mut fewer = 0;
    for seed in seeds(400) {
        let rng = &mut Rng::new(seed);
        let question = either_question(rng, &PART);
        let (rule, method, alphabets) = (Rule::Simple, Method::Abstract, Alphabets::Whole);
        let groups = random_groups(rng, rule, question.problem.parts.len());
        let plan = Plan { rule, method, alphabets, groups: groups.clone(), most_words: None };
        let Some(proof) = question.proof(&plan, &format!("seed {seed}")) else { continue };
        let second = question.group(&groups[1]);
        let interface = interface(&question.group(&groups[0]), &question.problem.goal, &second);
        let projection = Network::new(second).with_hidden(|name| !interface.contains(name));
        let projection = generate(&projection, &Budget::UNLIMITED).expect("no limit");
        let traces = determinise(&projection, &Budget::UNLIMITED).expect("no limit");
        let traces = Assumption::new(traces).minimised();
        let states = proof.assumptions[0].state_count();
        assert!(states <= projection.state_count().max(traces.state_count()), "seed {seed}, {groups:?}");
        fewer += usize::from(states < traces.state_count());
    }
    assert!(fewer >= 10 || is_single_seed(), "{fewer}");
}

#[test]
fn limits_give_no_wrong_answer() {
    let mut unknown = 0;
    for seed in seeds(400) {
        let rng = &mut Rng::new(seed);
        let question = either_question(rng, &PART);
        let rule = *rng.pick(&CHAINS);
        let (method, alphabets) = *rng.pick(&smaller());
        let groups = random_groups(rng, rule, question.problem.parts.len());
        let most_words = rng.chance(1, 2).then(|| rng.below(10));
        let plan = Plan { rule, method, alphabets, groups, most_words };
        if plan.applies_to(&question.problem).is_err() {
            continue;
        }
        let limits = Limits { states: rng.chance(2, 3).then(|| 1 + rng.below(8)), bytes: None };
        let fails = naive::fails(&question.problem.components());
        let answer =
            verify(&question.problem, &plan, &Budget::new(limits, None)).expect("a run can be replayed");
        match answer.0 {
            Answer::Proved(_) => assert!(!fails, "seed {seed}"),
            Answer::Refuted(_) => assert!(fails, "seed {seed}"),
            Answer::Unknown(_) => unknown += 1,
        }
    }
    assert!(unknown > 20 || is_single_seed(), "{unknown}");
}

#[test]
fn answers_are_always_the_same() {
    for seed in seeds(60) {
        let rng = &mut Rng::new(seed);
        let question = either_question(rng, &PART);
        let groups = random_groups(rng, Rule::Simple, question.problem.parts.len());
        for (method, alphabets) in smaller() {
            let plan =
                Plan { rule: Rule::Simple, method, alphabets, groups: groups.clone(), most_words: None };
            let answer = || {
                let (answer, effort) =
                    verify(&question.problem, &plan, &Budget::UNLIMITED).expect("no mistake");
                format!("{answer:?} {effort:?}")
            };
            assert_eq!(answer(), answer(), "seed {seed}, {plan:?}");
        }
    }
}

#[test]
fn the_symmetric_rule_is_no_chain() {
    let question = random_question(&mut Rng::new(3), &PART);
    let groups = random_groups(&mut Rng::new(3), Rule::Simple, question.problem.parts.len());
    let mut refused = 0;
    for (method, alphabets) in smaller() {
        let plan =
            Plan { rule: Rule::Symmetric, method, alphabets, groups: groups.clone(), most_words: None };
        refused += usize::from(plan.applies_to(&question.problem) == Err(Inapplicable::NoChain));
    }
    assert_eq!(refused, smaller().len());
}
