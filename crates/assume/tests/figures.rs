//! Figures 1 to 9 of [Giannakopoulou, Păsăreanu, Barringer 2003], one after the other. Figures 7 to 9 are reconstructed
//! from the text of the paper.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_assume::{Assumption, Consequences, Effort, Goal, Requirement, Variant, consequences, weakest};
use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::operators::{complete, propagate_error};
use rely_lts::{Component, Lts, LtsBuilder, Network};

/// A transition system from its transitions; state 0 is initial.
fn component(name: &str, transitions: &[(usize, &str, usize)]) -> Component {
    let alphabet: Alphabet = transitions.iter().map(|(_, action, _)| *action).collect();
    let states = transitions.iter().map(|&(source, _, target)| source.max(target) + 1).max().unwrap_or(1);
    let mut builder = LtsBuilder::with_states(alphabet.clone(), states);
    for &(source, action, target) in transitions {
        let action = alphabet.get(action).expect("the action is in the alphabet");
        builder.add_transition(
            StateId::from_index(source),
            Label::visible(action),
            StateId::from_index(target),
        );
    }
    Component { name: name.to_owned(), lts: Arc::new(builder.build()) }
}

fn property(name: &str, transitions: &[(usize, &str, usize)]) -> Goal {
    let Component { name, lts } = component(name, transitions);
    Goal::property(Component { name, lts: Arc::new(complete(&lts)) })
}

fn assumption(components: &[Component], goal: &Goal, interface: &[&str], variant: Variant) -> Assumption {
    let interface = interface.iter().copied().collect();
    let effort = &mut Effort::default();
    match weakest(components, goal, &interface, variant, &Budget::UNLIMITED, effort) {
        Ok((Requirement::Assumption(assumption), _)) => assumption,
        other => panic!("not an assumption: {other:?}"),
    }
}

/// The transitions of an assumption, with θ for the sink.
fn transitions(assumption: &Assumption) -> BTreeSet<(String, String, String)> {
    let lts = assumption.lts();
    let name = |state: StateId| match assumption.sink() == Some(state) {
        true => "θ".to_owned(),
        false => state.index().to_string(),
    };
    let row = |transition: rely_lts::Transition| {
        let action = lts.alphabet().label_name(transition.label).to_owned();
        (name(transition.source), action, name(transition.target))
    };
    let own = lts.transitions().filter(|transition| assumption.sink() != Some(transition.source));
    own.map(row).collect()
}

fn rows(rows: &[(&str, &str, &str)]) -> BTreeSet<(String, String, String)> {
    rows.iter().map(|&(from, action, to)| (from.to_owned(), action.to_owned(), to.to_owned())).collect()
}

fn meaning(components: &[Component], assumption: &Assumption) -> Consequences {
    consequences(components, assumption, &Budget::UNLIMITED, &mut Effort::default())
        .expect("there is no limit")
}

/// Figure 1.
fn writer_and_mutex() -> Vec<Component> {
    vec![
        component(
            "Writer",
            &[(0, "W.acquire", 1), (1, "W.enterCS", 2), (2, "W.exitCS", 3), (3, "W.release", 0)],
        ),
        component(
            "Mutex",
            &[(0, "W.acquire", 1), (1, "W.release", 0), (0, "E.acquire", 2), (2, "E.release", 0)],
        ),
    ]
}

/// Figure 2.
fn mutual_exclusion() -> Goal {
    property(
        "MutualExclusion",
        &[(0, "W.enterCS", 1), (1, "W.exitCS", 0), (0, "E.enterCS", 2), (2, "E.exitCS", 0)],
    )
}

const ENVIRONMENT: [&str; 4] = ["E.acquire", "E.release", "E.enterCS", "E.exitCS"];

/// Figures 4 and 5: by `E.enterCS` the initial state leads to the error and to states from which it is reached by
/// silent steps. Propagation makes them the error.
#[test]
fn entering_first_is_the_error_after_propagation() {
    let mut all = writer_and_mutex();
    all.extend(mutual_exclusion().components);
    let network = Network::new(all).with_hidden(|name| name.starts_with("W."));
    let composed = generate(&network, &Budget::UNLIMITED).expect("there is no limit");
    let minimised = minimise(&composed, Equivalence::Weak, &Budget::UNLIMITED).expect("there is no limit");
    let error = minimised.error();
    let enter = |lts: &Lts| -> Vec<StateId> {
        let action = lts.alphabet().get("E.enterCS").expect("an action of the environment");
        lts.edges_with(lts.initial(), Label::visible(action)).iter().map(|edge| edge.target).collect()
    };
    assert!(error.is_some_and(|error| enter(&minimised).contains(&error)));
    let slips = |state: StateId| {
        minimised.edges(state).iter().any(|edge| edge.label.action().is_none() && Some(edge.target) == error)
    };
    let by_silence: Vec<StateId> = enter(&minimised).into_iter().filter(|&state| slips(state)).collect();
    assert_eq!(by_silence.len(), 1, "one state is identified with the error because of its silent step");
    let propagated = propagate_error(&minimised);
    assert_eq!(enter(&propagated), Vec::from_iter(propagated.error()));
    assert!(!propagated.has_tau(), "no silent step remains");
}

/// Figure 6: enter only between acquire and release; what the mutex makes impossible leads to θ.
#[test]
fn the_environment_enters_between_acquire_and_release() {
    let components = writer_and_mutex();
    let found = assumption(&components, &mutual_exclusion(), &ENVIRONMENT, Variant::Weakest);
    let expected = rows(&[
        ("0", "E.acquire", "1"),
        ("0", "E.release", "θ"),
        ("1", "E.release", "0"),
        ("1", "E.enterCS", "3"),
        ("1", "E.acquire", "θ"),
        ("3", "E.exitCS", "1"),
        ("3", "E.acquire", "θ"),
    ]);
    assert_eq!(transitions(&found), expected);
    let meaning = meaning(&components, &found);
    assert_eq!((meaning.stuck, meaning.never, meaning.never_again), (None, vec![], vec![]));
}

/// Figure 7.
fn component_of_figure_7() -> Vec<Component> {
    vec![component("Component", &[(0, "a", 1), (1, "b", 0), (0, "b", 2), (2, "a", 2)])]
}

/// Figures 7 and 8: the weakest assumption permits a first a, after which the component is stuck; the deadlock-free one
/// forbids it.
#[test]
fn the_deadlock_of_figure_8_is_removed() {
    let components = component_of_figure_7();
    let goal = property("Property", &[(0, "a", 1), (0, "b", 1), (1, "a", 1)]);
    let found = assumption(&components, &goal, &["a", "b"], Variant::Weakest);
    assert_eq!(transitions(&found), rows(&[("0", "a", "1"), ("0", "b", "θ"), ("1", "a", "θ")]));
    assert_eq!(meaning(&components, &found).stuck, Some(vec!["a".to_owned()]));
    let free = assumption(&components, &goal, &["a", "b"], Variant::DeadlockFree);
    assert_eq!(transitions(&free), rows(&[("0", "b", "θ")]));
    assert_eq!(meaning(&components, &free).stuck, None);
}

/// Figure 9: the same with a loop by c, which is none of the component's actions: the component is as stuck as before.
#[test]
fn actions_of_others_do_not_hide_the_deadlock() {
    let components = component_of_figure_7();
    let goal = property("Property", &[(0, "a", 1), (0, "b", 1), (1, "a", 1), (1, "c", 1)]);
    let interface = ["a", "b", "c"];
    let found = assumption(&components, &goal, &interface, Variant::Weakest);
    assert!(transitions(&found).contains(&("1".to_owned(), "c".to_owned(), "1".to_owned())));
    assert_eq!(meaning(&components, &found).stuck, Some(vec!["a".to_owned()]));
    let free = assumption(&components, &goal, &interface, Variant::DeadlockFree);
    assert!(transitions(&free).iter().all(|(from, action, _)| from != "0" || action != "a"));
    assert_eq!(meaning(&components, &free).stuck, None);
}
