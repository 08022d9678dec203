//! What is written is read back as the same system: random systems with awkward names, and a few by hand.

use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_fsp::{Elaborator, Unwritable, parse, write, write_interface, write_property};
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Role, operators};
use rely_model::{Target, compose};
use rely_testkit::rng::{Rng, seeds};

/// Names that FSP can spell, some of which it can hardly be expected to.
const NAMES: &[&str] = &[
    "a",
    "b",
    "_",
    "_x",
    "a1",
    "a.b",
    "a.b.c",
    "p.1.enter",
    "p.2.enter",
    "p.10.enter",
    "p.1.2",
    "3",
    "3.4",
    "-1",
    "x.-7",
    "7.up",
    "8.up",
    "x.-8",
    "x.-6",
    "x.0",
    "x.1",
    "x.2",
    "q.2.enter",
    "q.1.enter",
    "p.1.exit",
    "p.2.exit",
    "0",
    "1",
    "2",
    "y.0.0",
    "y.0.1",
    "y.1.0",
    "y.1.1",
    "silent",
    "silent1.x",
    "silent2",
    "tau_",
    "stop",
    "end",
    "whenever",
    "x.2147483647",
    "x.-2147483647",
    "a_very_long_name_indeed.with.parts.4.that_go_on_and_on.and_on",
    "camelCaseName",
    "x.y.0.0.0.z",
    "error",
];

/// Names that it cannot.
const UNSPELLABLE: &[&str] = &[
    "",
    "A",
    "a.B",
    "tau",
    "a.tau",
    "when",
    "a.if",
    "a b",
    "a-b",
    "a..b",
    ".a",
    "a.",
    "01",
    "a.007",
    "+1",
    "--1",
    "a!",
    "@P",
    "é",
    "aé",
    "a\nb",
    "a\"",
    "a.2147483648",
    "a.-2147483648",
    "1a",
    "{a}",
    "a[1]",
    "0x1",
    "a//b",
    "const",
    "-0",
];

/// What a text means.
fn read(text: &str, name: &str) -> Lts {
    operators::trim(&compose(&target(text, name), &Budget::UNLIMITED).expect("there is no limit"))
}

/// The interface automaton that a text means.
fn read_interface(text: &str, name: &str) -> InterfaceAutomaton {
    let signature = target(text, name).signature().unwrap_or_else(|| panic!("{text}"));
    signature.automaton(read(text, name))
}

/// What a name stands for in a text.
fn target(text: &str, name: &str) -> Target {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), [], "{text}");
    let loader = |_: &str| Err("there are no imports here".to_owned());
    let mut elaborator = Elaborator::new(parse.file(), &loader, Budget::UNLIMITED);
    let target = elaborator.target(name).unwrap_or_else(|_| panic!("{text}\n{:?}", elaborator.diagnostics()));
    assert_eq!(elaborator.diagnostics(), [], "{text}");
    target
}

/// How many states and transitions there are when the states without transitions are one.
fn size(lts: &Lts) -> (usize, usize) {
    let lts = operators::trim(lts);
    let is_stop = |state: StateId| {
        lts.edges(state).is_empty() && Some(state) != lts.end() && Some(state) != lts.error()
    };
    let stop = lts.states().find(|&state| is_stop(state));
    let representative = |state| if is_stop(state) { stop.expect("this one stops") } else { state };
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_error(lts.error());
    builder.set_end(lts.end());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, representative(transition.target));
    }
    let merged = operators::trim(&builder.build());
    (merged.state_count(), merged.transition_count())
}

#[track_caller]
fn assert_same(seed: u64, lts: &Lts, again: &Lts, text: &str) {
    let trimmed = operators::trim(lts);
    assert_eq!(again.alphabet().sorted_names(), lts.alphabet().sorted_names(), "seed {seed}:\n{text}");
    let same = compare(&trimmed, again, Equivalence::Strong, &Budget::UNLIMITED).expect("there is no limit");
    assert!(same, "seed {seed}:\n{text}");
}

fn alphabet(rng: &mut Rng, most: usize) -> Alphabet {
    (0..rng.below(most + 1)).map(|_| *rng.pick(NAMES)).collect()
}

/// A random system: with τ or not, deterministic or not, with the error, the end, and a sink or not.
fn random(rng: &mut Rng) -> Lts {
    let most = *rng.pick(&[2, 4, 25]);
    let alphabet = alphabet(rng, most);
    let states = 1 + rng.below(6);
    let mut builder = LtsBuilder::with_states(alphabet, states);
    if rng.chance(1, 2) {
        builder.error_state();
    }
    if rng.chance(1, 2) {
        let end = builder.add_state();
        builder.set_end(Some(end));
    }
    let all = builder.state_count();
    let labels: Vec<Label> = builder.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
    if !labels.is_empty() {
        for _ in 0..rng.below(2 * states * labels.len().min(6) + 1) {
            let (source, target) = (rng.below(states), rng.below(all));
            let label = *rng.pick(&labels);
            builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
        }
    }
    if rng.chance(1, 3) {
        for _ in 0..=rng.below(3) {
            let (source, target) = (rng.below(states), rng.below(all));
            builder.add_transition(StateId::from_index(source), Label::TAU, StateId::from_index(target));
        }
    }
    if rng.chance(1, 2) {
        let sink = builder.add_state();
        for &label in &labels {
            builder.add_transition(StateId::from_index(rng.below(states)), label, sink);
            builder.add_transition(sink, label, sink);
        }
    }
    // Now and then the system begins somewhere else, in the end state, too.
    if rng.chance(1, 4) {
        let state = StateId::from_index(rng.below(all));
        builder.set_initial(state);
    }
    builder.build()
}

/// A random deterministic system in which every action leads somewhere: a property.
fn random_property(rng: &mut Rng) -> Lts {
    let alphabet = alphabet(rng, 6);
    let states = 1 + rng.below(6);
    let mut builder = LtsBuilder::with_states(alphabet, states);
    let error = builder.error_state();
    let actions: Vec<Label> = builder.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
    for source in 0..states {
        for &label in &actions {
            let target = if rng.chance(1, 3) { error } else { StateId::from_index(rng.below(states)) };
            builder.add_transition(StateId::from_index(source), label, target);
        }
    }
    builder.build()
}

#[test]
fn what_is_written_is_read_back() {
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let lts = random(&mut rng);
        let name =
            *rng.pick(&["P", "Q", "Q1", "SINK", "SINK2", "S1", "A_process_with_a_name_that_needs_a_line"]);
        match write(name, &lts) {
            Ok(text) => {
                let wide = |line: &&str| line.len() > 100 && line.contains(", ");
                assert_eq!(text.lines().find(wide), None, "seed {seed}: a line is too long");
                let again = read(&text, name);
                assert_same(seed, &lts, &again, &text);
                assert_eq!(size(&again), size(&lts), "seed {seed}:\n{text}");
            }
            Err(error) => {
                assert_eq!(error, Unwritable::BeginsInError, "seed {seed}");
                assert_eq!(lts.error(), Some(lts.initial()), "seed {seed}");
            }
        }
    }
}

#[test]
fn interface_automata_are_read_back() {
    for seed in seeds(2000) {
        let mut rng = Rng::new(seed);
        let lts = random(&mut rng);
        let roles: Vec<Role> =
            lts.alphabet().names().map(|_| *rng.pick(&[Role::Input, Role::Output, Role::Internal])).collect();
        let automaton = InterfaceAutomaton::new(lts, roles);
        let Ok(text) = write_interface("P", &automaton) else {
            assert_eq!(automaton.lts().error(), Some(automaton.lts().initial()), "seed {seed}");
            continue;
        };
        let again = read_interface(&text, "P");
        assert_same(seed, automaton.lts(), again.lts(), &text);
        for role in [Role::Input, Role::Output, Role::Internal] {
            let (one, other) = (automaton.names(role), again.names(role));
            assert_eq!(one.sorted_names(), other.sorted_names(), "seed {seed}: {role:?}\n{text}");
        }
    }
}

#[test]
fn properties_are_read_back() {
    for seed in seeds(2000) {
        let lts = random_property(&mut Rng::new(seed));
        let text = write_property("P", &lts).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(text.starts_with("property P = ") && !text.contains("ERROR"), "seed {seed}:\n{text}");
        let again = read(&text, "P");
        assert_same(seed, &lts, &again, &text);
        let allowed = |lts: &Lts| size(&operators::without_error(lts));
        assert_eq!(allowed(&again), allowed(&lts), "seed {seed}:\n{text}");
    }
}

#[test]
fn what_is_not_a_property_is_not_written_as_one() {
    let refusal = |text: &str| match write_property("P", &read(text, "P")) {
        Err(Unwritable::NotAProperty { because }) => because,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(refusal("P = (a -> P | a -> STOP)."), "it is not deterministic");
    assert_eq!(refusal("P = (a -> P | b -> P)\\{b}."), "it is not deterministic");
    assert_eq!(refusal("P = (a -> END)."), "it ends");
    assert_eq!(refusal("P = (a -> b -> P)."), "some action is neither allowed nor an error");
    assert_eq!(write_property("P", &read("P = (a -> P).", "P")).as_deref(), Ok("property P = (a -> P).\n"));
}

#[test]
fn names_without_a_spelling_are_named() {
    for &name in UNSPELLABLE {
        let lts = LtsBuilder::new([name].into_iter().collect()).build();
        assert_eq!(write("P", &lts), Err(Unwritable::Action { name: name.to_owned() }));
    }
    let lts = LtsBuilder::new(Alphabet::new()).build();
    for name in ["", "p", "STOP", "END", "ERROR", "P Q", "P.Q", "É", "P[1]", "1"] {
        assert_eq!(write(name, &lts), Err(Unwritable::Process { name: name.to_owned() }));
    }
}

/// Checks the text of what a text means.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(write("P", &read(text, "P")).as_deref(), Ok(expected), "{text}");
}

#[test]
fn the_text_is_what_a_person_would_write() {
    check("P = STOP.", "P = STOP.\n");
    check("P = END+{a}.", "P = END + {a}.\n");
    check("P = (a -> P), Q = (x[1] -> x[3] -> x[4] -> Q).", "P = (a -> P) + {x[1], x[3..4]}.\n");
    check("P = (a -> b -> P).", "P = (a -> Q1),\nQ1 = (b -> P).\n");
    check("P = (a -> STOP | b -> END | c -> ERROR).", "P = (a -> STOP | b -> END | c -> ERROR).\n");
    check("P = (a -> Q | a -> P), Q = (b[2] -> P).", "P = (a -> P | a -> Q1),\nQ1 = (b[2] -> P).\n");
    check(
        "P = (a -> P | h -> Q), Q = (a -> STOP)\\{h}.",
        "P = (a -> P | silent -> Q1),\nQ1 = (a -> STOP) \\ {silent}.\n",
    );
    check(
        "P = (p[1].enter -> Q | p[2..11].{enter,exit} -> S | p[-1] -> P), Q = (p[1].exit -> P),
         S = ({p[1..11].{enter,exit}} -> S)+{q, r}.",
        "\
P = (p[-1] -> P | p[1].enter -> Q1 | p[2..11].{enter, exit} -> Q2),
Q1 = (p[1].exit -> P),
Q2 = (p[1..11].{enter, exit} -> Q2) + {q, r}.
",
    );
    check(
        "P = ({a,b}.x[0..1][0..1] -> Q), Q = (a.x[0][0..1] -> P | {a.x[1][1], b.x[0..1][0]} -> Q | a.x[1][0] -> STOP).",
        "\
P = ({a, b}.x[0..1][0..1] -> Q1),
Q1 = (a.x[0][0..1] -> P | {a.x[1][1], b.x[0..1][0]} -> Q1 | a.x[1][0] -> STOP).
",
    );
    check(
        "P = (p.{alpha,beta,gamma,delta,epsilon,zeta,eta,theta,iota,kappa,lambda,mu,nu,xi,omicron,pi,rho,sigma} -> P).",
        "\
P = ({p.{alpha, beta, delta, epsilon, eta, gamma, iota, kappa, lambda, mu, nu, omicron, pi, rho},
      p.{sigma, theta, xi, zeta}} -> P).
",
    );
    check(
        "P = (go -> S | a -> Q), Q = (b -> P), S = ({go,a,b} -> S).",
        "P = (a -> Q1 | go -> SINK),\nQ1 = (b -> P),\nSINK = ({a, b, go} -> SINK).\n",
    );
    check(
        "P = (go -> Q | stop -> P), Q = ({go,stop} -> Q).",
        "P = (stop -> P | go -> SINK),\nSINK = ({go, stop} -> SINK).\n",
    );
}

#[test]
fn interface_automata_are_written_with_their_marks() {
    let text = "interface P = (a? -> M | h! -> P), M = ({b!, x[1..2]?} -> N), N = (c -> Q), Q = ({d, e}.x! -> P) + {f?, g!} \\ {h}.";
    assert_eq!(
        write_interface("P", &read_interface(text, "P")).as_deref(),
        Ok("\
interface P = (silent -> P | a? -> Q1),
Q1 = ({x[1..2]?, b!} -> Q2),
Q2 = (c -> Q3),
Q3 = ({d, e}.x! -> P) + {f?, g!} \\ {silent}.
")
    );
}
