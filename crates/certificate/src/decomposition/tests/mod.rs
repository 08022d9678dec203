//! Proofs by decomposition and their judge.
//!
//! Here: how to make proofs, and small ones made by hand. `mutations.rs` changes proofs in every way, `random.rs`
//! compares the judge with searches of whole networks, and `reductions.rs` shows premises by reductions.

mod mutations;
mod random;
mod reductions;

use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network, operators};
use rely_testkit::naive::assumption::weakest;
use rely_testkit::naive::product::breaks;
use rely_testkit::networks::from_transitions;

use crate::tests::{ids, judge_unbroken};
use crate::{
    Assumption, Certificate, Claim, Decomposition, Evidence, Guarantee, Premise, Property, Rejection, check,
};

/// All rules with assumptions.
const RULES: [&str; 6] = ["simple", "chain", "alternating", "conjunction", "symmetric", "circular"];

/// A property process over the actions of its transitions.
fn property(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    operators::complete(&from_transitions(states, transitions))
}

/// The judgement of a decomposition as evidence for a claim about the network.
fn judge(network: &Network, goal: &[usize], decomposition: &Decomposition) -> Result<(), Rejection> {
    judge_unbroken(network, goal, Evidence::Composition(decomposition.clone()))
}

/// What each premise of a rule is, written down by hand for two and three groups.
fn premises_in_words(by: &str, groups: usize) -> &'static [&'static str] {
    match (by, groups) {
        ("monolithic", 1) => &["⟨true⟩ M1 ⟨P⟩"],
        ("simple" | "chain", 2) => &["⟨A1⟩ M1 ⟨P⟩", "⟨true⟩ M2 ⟨A1⟩"],
        ("chain", 3) => &["⟨A1⟩ M1 ⟨P⟩", "⟨A2⟩ M2 ⟨A1⟩", "⟨true⟩ M3 ⟨A2⟩"],
        ("alternating" | "circular", 2) => &["⟨A1⟩ M1 ⟨P⟩", "⟨A2⟩ M2 ⟨A1⟩", "⟨true⟩ M1 ⟨A2⟩"],
        ("circular", 3) => &["⟨A1⟩ M1 ⟨P⟩", "⟨A2⟩ M2 ⟨A1⟩", "⟨A3⟩ M3 ⟨A2⟩", "⟨true⟩ M1 ⟨A3⟩"],
        ("conjunction", 2) => &["⟨A1⟩ M1 ⟨P1⟩", "⟨true⟩ M2 ⟨A1⟩", "⟨A2⟩ M2 ⟨P2⟩", "⟨true⟩ M1 ⟨A2⟩"],
        ("symmetric", 2) => &["⟨A1⟩ M1 ⟨P⟩", "⟨A2⟩ M2 ⟨P⟩", "what breaks P is within some assumption"],
        ("symmetric", 3) => {
            &["⟨A1⟩ M1 ⟨P⟩", "⟨A2⟩ M2 ⟨P⟩", "⟨A3⟩ M3 ⟨P⟩", "what breaks P is within some assumption"]
        }
        _ => panic!("{by} with {groups} groups is not in the table"),
    }
}

/// The premise with these words.
fn premise(words: &str, groups: &[Vec<usize>], assumptions: &[Assumption]) -> Premise {
    let number = |text: &str| text[1..].parse::<usize>().unwrap() - 1;
    let reference = |text: &str| Decomposition::reference(assumptions, number(text));
    let parts: Vec<&str> = words.split([' ', '⟨', '⟩']).filter(|part| !part.is_empty()).collect();
    let [assumes, group, guarantees] = parts[..] else {
        return Premise::Outside(
            (0..assumptions.len()).map(|i| Decomposition::reference(assumptions, i)).collect(),
        );
    };
    Premise::Triple {
        assumes: (assumes != "true").then(|| reference(assumes)),
        group: number(group),
        components: groups[number(group)].clone(),
        guarantees: match guarantees {
            "P" => Guarantee::Goal,
            half if half.starts_with('P') => Guarantee::Half(number(half)),
            within => Guarantee::Within(reference(within)),
        },
    }
}

/// A decomposition with the premises of its rule.
fn decomposition(by: &str, groups: &[Vec<usize>], goal: &[usize], assumptions: &[Lts]) -> Decomposition {
    let assumptions: Vec<Assumption> = assumptions.iter().map(Assumption::of).collect();
    let words = premises_in_words(by, groups.len());
    Decomposition {
        by: by.to_owned(),
        groups: groups.to_vec(),
        goal: goal.to_vec(),
        premises: words.iter().map(|words| premise(words, groups, &assumptions)).collect(),
        assumptions,
        reductions: Vec::new(),
    }
}

/// The weakest assumptions of a rule; nothing if there are none. With these every rule is complete.
fn weakest_assumptions(
    by: &str,
    network: &Network,
    groups: &[Vec<usize>],
    goal: &[usize],
) -> Option<Vec<Lts>> {
    let component = |&i: &usize| network.components()[i].clone();
    let stopped = |&i: &usize| {
        let Component { name, lts } = &network.components()[i];
        Component::new(name, operators::stopped(lts))
    };
    let groups: Vec<Vec<Component>> =
        groups.iter().map(|group| group.iter().map(stopped).collect()).collect();
    let goal: Vec<Component> = goal.iter().map(component).collect();
    let around = |more: &[usize]| -> Vec<Vec<Component>> {
        let order = (0..groups.len()).chain(more.iter().copied());
        order.map(|group| groups[group].clone()).collect()
    };
    match by {
        "simple" | "chain" => along(&around(&[]), goal),
        "alternating" | "circular" => along(&around(&[0]), goal),
        "conjunction" => {
            let mut both = along(&groups, half(&goal, &groups[0], true))?;
            both.extend(along(&[groups[1].clone(), groups[0].clone()], half(&goal, &groups[0], false))?);
            Some(both)
        }
        _ => (0..groups.len())
            .map(|i| {
                let others: Vec<Component> =
                    (0..groups.len()).filter(|&j| j != i).flat_map(|j| groups[j].clone()).collect();
                let shared = names(&groups[i]).into_iter().filter(|name| names(&others).contains(name));
                let mut interface: Vec<String> = names(&goal).into_iter().chain(shared).collect();
                interface.sort();
                interface.dedup();
                weakest_lts(&[&groups[i][..], &goal].concat(), &interface)
            })
            .collect(),
    }
}

/// The assumptions of a chain: each is the weakest with which a group guarantees what the group before assumes.
fn along(sequence: &[Vec<Component>], goal: Vec<Component>) -> Option<Vec<Lts>> {
    let mut guaranteed = goal;
    let mut assumptions = Vec::new();
    for (i, group) in sequence.iter().enumerate().take(sequence.len() - 1) {
        let own = [&group[..], &guaranteed].concat();
        let rest = names(&sequence[i + 1..].concat());
        let mut interface: Vec<String> = names(&own).into_iter().filter(|name| rest.contains(name)).collect();
        interface.sort();
        let assumption = weakest_lts(&own, &interface)?;
        guaranteed = vec![Component::new("A", operators::complete(&assumption))];
        assumptions.push(assumption);
    }
    Some(assumptions)
}

fn weakest_lts(components: &[Component], interface: &[String]) -> Option<Lts> {
    let names: Vec<&str> = interface.iter().map(String::as_str).collect();
    let rows = weakest(components, &names)?.rows;
    let alphabet: Alphabet = names.iter().copied().collect();
    let labels: Vec<Label> = alphabet.iter().map(|(action, _)| Label::visible(action)).collect();
    let mut builder = LtsBuilder::with_states(alphabet, rows.len());
    for (source, row) in rows.iter().enumerate() {
        for (&label, target) in labels.iter().zip(row) {
            if let Some(target) = *target {
                builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
            }
        }
    }
    Some(builder.build())
}

/// The goal whose failing counts only if the last action is one of the group, or only if it is not.
fn half(goal: &[Component], group: &[Component], own: bool) -> Vec<Component> {
    let own_names = names(group);
    let excuse = |component: &Component| {
        let lts = &component.lts;
        let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
        builder.set_initial(lts.initial());
        builder.set_error(lts.error());
        let anything = builder.add_state();
        for (action, _) in lts.alphabet().iter() {
            builder.add_transition(anything, Label::visible(action), anything);
        }
        for transition in lts.transitions() {
            let name = lts.alphabet().label_name(transition.label);
            let excused = own_names.iter().any(|own| own == name) != own;
            let fails = Some(transition.target) == lts.error();
            let target = if fails && excused { anything } else { transition.target };
            builder.add_transition(transition.source, transition.label, target);
        }
        Component::new(&component.name, builder.build())
    };
    goal.iter().map(excuse).collect()
}

fn names(components: &[Component]) -> Vec<String> {
    let all: Alphabet = components.iter().flat_map(|component| component.lts.alphabet().names()).collect();
    all.names().map(str::to_owned).collect()
}

/// A proof made by hand; only the components that take part in it are listed.
struct Case {
    network: Network,
    goal: Vec<usize>,
    decomposition: Decomposition,
}

/// A sender and a receiver: what is put in comes out before the next is put in. The property is in the middle.
fn channel(by: &str) -> Case {
    let input = from_transitions(3, &[(0, "in", 1), (1, "send", 2), (2, "ack", 0)]);
    let output = from_transitions(3, &[(0, "send", 1), (1, "out", 2), (2, "ack", 0)]);
    let order = property(2, &[(0, "in", 1), (1, "out", 0)]);
    let network = Network::new(vec![
        Component::new("INPUT", input),
        Component::new("ORDER", order),
        Component::new("OUTPUT", output),
    ]);
    let delivers = || from_transitions(3, &[(0, "send", 1), (1, "out", 2), (2, "ack", 0)]);
    let sends = || from_transitions(3, &[(0, "in", 1), (1, "send", 2), (2, "ack", 0)]);
    // In the symmetric rule, assumptions speak about all of `in`, `out`, `send` and `ack`.
    let cycle = || from_transitions(4, &[(0, "in", 1), (1, "send", 2), (2, "out", 3), (3, "ack", 0)]);
    let assumptions = match by {
        "simple" | "chain" => vec![delivers()],
        "alternating" | "circular" => vec![delivers(), from_transitions(2, &[(0, "send", 1), (1, "ack", 0)])],
        "conjunction" => vec![delivers(), sends()],
        _ => vec![cycle(), cycle()],
    };
    let mut decomposition = decomposition(by, &[vec![0], vec![2]], &[1], &assumptions);
    if by == "symmetric" {
        let groups = decomposition.groups.clone();
        let weakest = weakest_assumptions(by, &network, &groups, &[1]).unwrap();
        decomposition = self::decomposition(by, &groups, &[1], &weakest);
    }
    Case { network, goal: vec![1], decomposition }
}

/// Three components in a row.
fn relay(by: &str) -> Case {
    let first = from_transitions(3, &[(0, "in", 1), (1, "a", 2), (2, "done", 0)]);
    let second = from_transitions(3, &[(0, "a", 1), (1, "b", 2), (2, "done", 0)]);
    let third = from_transitions(3, &[(0, "b", 1), (1, "out", 2), (2, "done", 0)]);
    let order = property(2, &[(0, "in", 1), (1, "out", 0)]);
    let network = Network::new(vec![
        Component::new("ORDER", order),
        Component::new("FIRST", first),
        Component::new("SECOND", second),
        Component::new("THIRD", third),
    ]);
    let groups = [vec![1], vec![2], vec![3]];
    let assumptions = match by {
        "chain" => vec![
            from_transitions(3, &[(0, "a", 1), (1, "out", 2), (2, "done", 0)]),
            from_transitions(3, &[(0, "b", 1), (1, "out", 2), (2, "done", 0)]),
        ],
        _ => weakest_assumptions(by, &network, &groups, &[0]).unwrap(),
    };
    Case { goal: vec![0], decomposition: decomposition(by, &groups, &[0], &assumptions), network }
}

/// Proofs by all rules.
fn cases() -> Vec<Case> {
    let two = RULES.into_iter().map(channel);
    two.chain(["chain", "circular", "symmetric"].map(relay)).collect()
}

#[test]
fn proofs_by_hand_are_accepted() {
    for Case { network, goal, decomposition } in cases() {
        assert_eq!(judge(&network, &goal, &decomposition), Ok(()), "{decomposition:?}");
        let whole = Decomposition::monolithic(network.components().len(), &ids(&goal), &[]);
        assert_eq!(judge(&network, &goal, &whole), Ok(()));
    }
}

#[test]
fn a_strong_assumption_is_not_guaranteed() {
    let Case { network, goal, decomposition: proof } = channel("simple");
    let once = from_transitions(4, &[(0, "send", 1), (1, "out", 2), (2, "ack", 3)]);
    let too_strong = decomposition("simple", &proof.groups, &goal, &[once]);
    let rejection = judge(&network, &goal, &too_strong).unwrap_err();
    let trace = ["send", "out", "ack", "send"].map(str::to_owned).to_vec();
    assert_eq!(rejection, Rejection::FalsePremise { premise: "⟨true⟩ M2 ⟨A1⟩".to_owned(), trace });
    let weak = from_transitions(1, &[(0, "send", 0), (0, "out", 0), (0, "ack", 0)]);
    let too_weak = decomposition("simple", &proof.groups, &goal, &[weak]);
    let rejection = judge(&network, &goal, &too_weak).unwrap_err();
    assert_eq!(
        rejection.to_string(),
        "the premise ⟨A1⟩ M1 ⟨P⟩ is not true: it fails after out",
        "an assumption that allows everything helps nobody"
    );
}

#[test]
fn a_goal_that_takes_part() {
    // The goal refuses `out` in its first state, and fails when `in` comes twice.
    let mut builder = LtsBuilder::with_states(["in", "out"].into_iter().collect(), 2);
    let error = builder.error_state();
    let (input, output) = (Label::from_raw(1), Label::from_raw(2));
    for (source, label, target) in [(0, input, 1), (1, output, 0)] {
        builder.add_transition(StateId::from_raw(source), label, StateId::from_raw(target));
    }
    builder.add_transition(StateId::from_raw(1), input, error);
    for by in RULES {
        let Case { network, goal, decomposition } = channel(by);
        let mut components = network.components().to_vec();
        components[1] = Component::new("ORDER", builder.clone().build());
        let expected = match by {
            "conjunction" | "symmetric" => Err(Rejection::GoalTakesPart),
            _ => Ok(()),
        };
        assert_eq!(judge(&Network::new(components), &goal, &decomposition), expected, "{by}");
    }
}

#[test]
fn a_goal_that_has_failed_at_once() {
    let mut builder = LtsBuilder::with_states(["in", "out"].into_iter().collect(), 0);
    let error = builder.error_state();
    builder.set_initial(error);
    for by in RULES {
        let Case { network, goal, decomposition } = channel(by);
        let mut components = network.components().to_vec();
        components[1] = Component::new("ORDER", builder.clone().build());
        let judgement = judge(&Network::new(components), &goal, &decomposition);
        assert!(
            matches!(judgement, Err(Rejection::FalsePremise { ref trace, .. }) if trace.is_empty()),
            "{by}"
        );
    }
}

#[test]
fn what_fails_together_is_no_excuse() {
    // Both fail by `a`, so each of them does.
    let failing = || {
        let mut builder = LtsBuilder::with_states(["a"].into_iter().collect(), 1);
        let error = builder.error_state();
        builder.add_transition(StateId::from_raw(0), Label::from_raw(1), error);
        Component::new("M", builder.build())
    };
    let network = Network::new(vec![failing(), failing()]);
    for goal in [vec![0], vec![1], vec![0, 1]] {
        let judgement = judge(&network, &goal, &Decomposition::monolithic(2, &ids(&goal), &[]));
        assert!(matches!(judgement, Err(Rejection::FalsePremise { .. })), "{judgement:?}");
        assert!(breaks(&network, &goal));
    }
}

#[test]
fn what_has_nothing_to_do_with_failing_is_left_out() {
    // Twenty lamps that do not matter: a million tuples, none of which is visited.
    let lamp = |i: usize| {
        let names = [format!("x{i}"), format!("y{i}")];
        Component::new("LAMP", from_transitions(2, &[(0, &names[0], 1), (1, &names[1], 0)]))
    };
    let budget = Budget::new(rely_base::Limits { states: Some(1000), bytes: Some(100_000) }, None);
    for Case { network, goal, mut decomposition } in cases() {
        let first = network.components().len();
        let network = network.with_components((0..20).map(lamp));
        decomposition.groups[1].extend(first..first + 20);
        for premise in &mut decomposition.premises {
            if let Premise::Triple { group: 1, components, .. } = premise {
                components.extend(first..first + 20);
            }
        }
        let components = ids(&goal);
        let property = Property::Unbroken { name: "P", components: &components, observers: &[] };
        let whole = Decomposition::monolithic(network.components().len(), &components, &[]);
        for proof in [decomposition, whole] {
            let claim = Claim::new("S", &network, &property, Evidence::Composition(proof));
            assert_eq!(check(&claim, &network, &property, &budget), Ok(()));
        }
    }
}

#[test]
fn a_guarantee_that_cannot_fail_needs_no_search() {
    // An assumption that forbids nothing, over actions of lamps that would have a million tuples.
    let lamp = |i: usize| {
        let names = [format!("x{i}"), format!("y{i}")];
        Component::new("LAMP", from_transitions(2, &[(0, &names[0], 1), (1, &names[1], 0), (1, "in", 1)]))
    };
    let Case { network, goal, .. } = channel("simple");
    let network = network.with_components((0..20).map(lamp));
    let all: Vec<usize> = (3..23).collect();
    let anything = from_transitions(1, &[(0, "in", 0), (0, "x0", 0)]);
    let proof = decomposition("simple", &[vec![0, 2], all.clone()], &goal, &[anything]);
    let components = ids(&goal);
    let property = Property::Unbroken { name: "P", components: &components, observers: &[] };
    let budget = Budget::new(rely_base::Limits { states: Some(1000), bytes: Some(100_000) }, None);
    let judged = |proof| {
        let claim = Claim::new("S", &network, &property, Evidence::Composition(proof));
        check(&claim, &network, &property, &budget)
    };
    assert_eq!(judged(proof), Ok(()));
    // Where it forbids something, that has to be looked for.
    let something = from_transitions(2, &[(0, "in", 0), (0, "x0", 1), (1, "in", 1), (1, "y0", 0)]);
    let proof = decomposition("simple", &[vec![0, 2], all], &goal, &[something]);
    assert!(matches!(judged(proof), Err(Rejection::Exhausted(_))));
}

#[test]
fn limits_are_kept() {
    let Case { network, goal, .. } = relay("chain");
    // Twenty lamps, each with actions of its own, that observe when something is put in: too many tuples.
    let lamps = (0..20).map(|i| {
        let names = [format!("x{i}"), format!("y{i}")];
        let steps = [(0, &*names[0], 1), (1, &*names[1], 0), (0, "in", 0), (1, "in", 1)];
        Component::new("LAMP", from_transitions(2, &steps))
    });
    let network = network.with_components(lamps);
    let components = ids(&goal);
    let whole = Decomposition::monolithic(network.components().len(), &components, &[]);
    let property = Property::Unbroken { name: "P", components: &components, observers: &[] };
    let claim = Claim::new("S", &network, &property, Evidence::Composition(whole));
    let budget = Budget::new(rely_base::Limits { states: Some(1000), bytes: None }, None);
    assert!(matches!(check(&claim, &network, &property, &budget), Err(Rejection::Exhausted(_))));
    let budget = Budget::new(rely_base::Limits { states: None, bytes: Some(100_000) }, None);
    assert!(matches!(check(&claim, &network, &property, &budget), Err(Rejection::Exhausted(_))));
}

#[test]
fn certificates_come_back() {
    for Case { network, goal, decomposition } in cases() {
        let components = ids(&goal);
        let property = Property::Unbroken { name: "P", components: &components, observers: &[] };
        let claim = Claim::new("S", &network, &property, Evidence::Composition(decomposition));
        let certificate = Certificate::new(vec![claim]);
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        assert_eq!(Certificate::from_json(&text), Ok(certificate));
    }
}
