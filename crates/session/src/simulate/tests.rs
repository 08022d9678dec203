//! Simulations against runs from the definition: what is followed, what is offered, and why something is not.

use rely_base::{Limits, Resource};
use rely_testkit::rng::{Rng, seeds};

use super::*;

/// A machine that makes choices: names lead to several states.
fn text(rng: &mut Rng) -> String {
    let states = 2 + rng.below(3);
    let step = |rng: &mut Rng| format!("{} -> Q{}", ["a", "b"][rng.below(2)], rng.below(states));
    let state = |rng: &mut Rng, i: usize| {
        let steps: Vec<String> = (0..1 + rng.below(3)).map(|_| step(rng)).collect();
        format!("Q{i} = ({})", steps.join(" | "))
    };
    let all: Vec<String> = (0..states).map(|i| state(rng, i)).collect();
    format!("M = Q0, {}.\n||S = (x:M || M).\n", all.join(", "))
}

fn target_of(text: &str) -> Target<Behaviour> {
    let project = Project::new("m.lts", text, Box::new(|_| Err("nothing".to_owned())));
    target(&project, Some("S"), Budget::UNLIMITED).unwrap_or_else(|_| panic!("{text}"))
}

/// How many of the actions a run can have, from the definition: all states that the actions so far lead to.
fn longest(target: &Target<Behaviour>, actions: &[String]) -> usize {
    let Ok(mut simulation) = Simulation::new(target) else { return 0 };
    let mut runs: Vec<Vec<Choice>> = vec![Vec::new()];
    for (done, action) in actions.iter().enumerate() {
        let mut next: Vec<Vec<Choice>> = Vec::new();
        for run in &runs {
            simulation.steps.clone_from(run);
            let fitting = simulation.choices().into_iter().filter(|choice| choice.action == *action);
            next.extend(fitting.map(|choice| run.iter().cloned().chain([choice]).collect()));
        }
        if next.is_empty() {
            return done;
        }
        runs = next;
    }
    actions.len()
}

#[test]
fn a_trace_is_followed_if_it_is_one() {
    let (mut possible, mut impossible) = (0, 0);
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let text = text(&mut rng);
        let target = target_of(&text);
        let names = ["a", "b", "x.a", "x.b"];
        let actions: Vec<String> = (0..rng.below(6)).map(|_| names[rng.below(4)].to_owned()).collect();
        let mut simulation = Simulation::new(&target).expect("nothing fails at once");
        let found = simulation.follow(&actions, &Budget::UNLIMITED).expect("there is no limit");
        let expected = longest(&target, &actions);
        assert_eq!(found, expected == actions.len(), "seed {seed}: {text} {actions:?}");
        let taken: Vec<&String> = simulation.steps().iter().map(|step| &step.action).collect();
        assert_eq!(taken, actions[..expected].iter().collect::<Vec<_>>(), "seed {seed}: {text}");
        if found { possible += 1 } else { impossible += 1 }
    }
    assert!(possible > 5 && impossible > 5 || rely_testkit::rng::is_single_seed());
}

#[test]
fn no_choice_is_offered_twice() {
    let fails = |component| Choice {
        action: "x".to_owned(),
        components: vec![0, 1],
        error: Some(component),
        fault: None,
        cut: None,
        target: None,
    };
    let choices = distinct(vec![fails(1), fails(0), fails(1)]);
    assert_eq!(choices.iter().map(|choice| choice.error).collect::<Vec<_>>(), [Some(0), Some(1)]);
    let target = target_of("A = (x -> ERROR | x -> A).\n||S = (a:A || b:A)/{x/{a,b}.x}.\n");
    let simulation = Simulation::new(&target).expect("nothing fails at once");
    let errors: Vec<Option<usize>> = simulation.choices().iter().map(|choice| choice.error).collect();
    assert_eq!(errors, [Some(0), Some(1), None]);
}

#[test]
fn following_has_a_budget() {
    let target = target_of("A = (x -> A | x -> B), B = (x -> A | x -> B).\n||S = A.\n");
    let actions = vec!["x".to_owned(); 50];
    let mut simulation = Simulation::new(&target).expect("nothing fails at once");
    let limited = |states, bytes| Budget::new(Limits { states, bytes }, None);
    let met = simulation.follow(&actions, &limited(Some(10), None)).expect_err("it needs more states");
    assert_eq!((met.resource, simulation.steps().len()), (Resource::States, 11));
    let met = simulation.follow(&actions, &limited(None, Some(1000))).expect_err("it needs more memory");
    assert_eq!(met.resource, Resource::Memory);
    assert_eq!(simulation.follow(&actions, &limited(Some(60), None)), Ok(true));
}

/// Two users of a lock, one of which goes first.
const LOCK: &str = "\
LOCK = (get -> TAKEN), TAKEN = (put -> LOCK).
USER = (think -> get -> put -> USER).
||S = (a:USER || b:USER || {a,b}::LOCK) >> {a.think}.
";

#[test]
fn who_refuses_is_told_by_the_name_of_the_state() {
    let target = target_of(LOCK);
    let mut simulation = Simulation::new(&target).expect("nothing fails at once");
    let take = |simulation: &mut Simulation<'_>, action: &str| {
        let choice = simulation.choices().into_iter().find(|choice| choice.action == action);
        simulation.take(choice.unwrap_or_else(|| panic!("{action} is possible")));
    };
    assert_eq!(simulation.why_not("b.think"), WhyNot::Possible);
    assert_eq!(simulation.why_not("a.think"), WhyNot::Outranked(vec!["b.think".to_owned()]));
    assert_eq!(simulation.why_not("b.thnik"), WhyNot::Unknown(Some("b.think".to_owned())));
    take(&mut simulation, "b.think");
    take(&mut simulation, "b.get");
    let WhyNot::Refused(refusing) = simulation.why_not("a.get") else { panic!("it is refused") };
    let told: Vec<String> =
        refusing.iter().map(|it| format!("{} {} {:?}", it.component, it.state, it.ready)).collect();
    assert_eq!(told, ["a:USER USER [\"a.think\"]", "{a,b}::LOCK TAKEN [\"a.put\", \"b.put\"]"]);
    assert_eq!(simulation.states().expect("it goes on")[1].1, "USER after think, get");
}

#[test]
fn nobody_wanders_into_an_error_that_can_be_avoided() {
    let target = target_of("P = (a -> P | b -> ERROR | c -> Q), Q = (d -> ERROR).\n||S = (P).\n");
    let mut rng = Rng::new(1);
    let mut simulation = Simulation::new(&target).expect("nothing fails at once");
    while simulation.wander(rng.below(1000) as u64) {}
    let actions: Vec<&str> = simulation.steps().iter().map(|step| &*step.action).collect();
    assert!(actions.ends_with(&["c", "d"]) && !actions.contains(&"b"), "{actions:?}");
    assert_eq!(simulation.why_not("a"), WhyNot::AtTheEnd);
}
