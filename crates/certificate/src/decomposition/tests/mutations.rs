//! Proofs that were changed after they had been written.
//!
//! As it stands, a changed proof is rejected. Where the change is sealed again, with new digests and everything that
//! premises repeat, it is judged on its merits: accepted exactly if it is still a proof, and never where the claim is
//! false.

use std::collections::BTreeSet;

use rely_base::Label;
use rely_lts::{Component, Lts, Network, operators};
use rely_testkit::naive::assumption::fails;
use rely_testkit::naive::product::breaks;
use rely_testkit::networks::from_transitions;
use serde_json::Value;

use super::{Case, RULES, cases, channel, half, judge, names, premise, premises_in_words};
use crate::{Assumption, Decomposition, Digest, Guarantee, Premise, Reference, Rejection};

/// Changes of an assumption: every transition left out, led elsewhere or added, and the alphabet.
fn changed_assumptions(assumption: &Assumption) -> Vec<Assumption> {
    let mut changed = Vec::new();
    let mut push = |change: &dyn Fn(&mut Assumption)| {
        let mut other = assumption.clone();
        change(&mut other);
        changed.push(other);
    };
    let step = |source: usize, name: &str| format!("{source} {name} ");
    for (i, transition) in assumption.transitions.iter().enumerate() {
        push(&|other| drop(other.transitions.remove(i)));
        let (start, target) = transition.rsplit_once(' ').unwrap();
        for other_target in (0..assumption.states).filter(|state| state.to_string() != target) {
            push(&|other| other.transitions[i] = format!("{start} {other_target}"));
        }
    }
    for source in 0..assumption.states {
        for name in &assumption.alphabet {
            let start = step(source, name);
            if !assumption.transitions.iter().any(|transition| transition.starts_with(&start)) {
                for target in 0..assumption.states {
                    push(&|other| other.transitions.push(format!("{start}{target}")));
                }
            }
        }
    }
    for (i, name) in assumption.alphabet.iter().enumerate() {
        push(&|other| {
            other.alphabet.remove(i);
            other.transitions.retain(|transition| !transition.contains(&format!(" {name} ")));
        });
        push(&|other| {
            other.alphabet[i] = "other".to_owned();
            for transition in &mut other.transitions {
                *transition = transition.replace(&format!(" {name} "), " other ");
            }
        });
    }
    for name in ["in", "out", "send", "ack", "a", "b", "done", "nobody"] {
        if !assumption.alphabet.iter().any(|known| known == name) {
            push(&|other| other.alphabet.push(name.to_owned()));
            push(&|other| {
                other.alphabet.push(name.to_owned());
                let everywhere = (0..other.states).map(|state| format!("{state} {name} {state}"));
                other.transitions.extend(everywhere);
            });
        }
    }
    push(&|other| other.states += 1);
    push(&|other| other.states -= 1);
    push(&|other| other.digest = Digest::none());
    changed
}

/// Changes of what is put together: each once.
fn changes(proof: &Decomposition, components: usize) -> Vec<Decomposition> {
    let mut changed = Vec::new();
    let mut push = |change: &dyn Fn(&mut Decomposition)| {
        let mut other = proof.clone();
        change(&mut other);
        changed.push(other);
    };
    for (i, assumption) in proof.assumptions.iter().enumerate() {
        for other_assumption in changed_assumptions(assumption) {
            push(&|other| other.assumptions[i] = other_assumption.clone());
        }
        push(&|other| drop(other.assumptions.remove(i)));
        push(&|other| other.assumptions.push(assumption.clone()));
        for j in 0..i {
            push(&|other| other.assumptions.swap(i, j));
        }
    }
    for (i, group) in proof.groups.iter().enumerate() {
        push(&|other| drop(other.groups.remove(i)));
        push(&|other| other.groups.push(group.clone()));
        push(&|other| other.groups[i].clear());
        for j in 0..i {
            push(&|other| other.groups.swap(i, j));
        }
        for member in 0..=components {
            push(&|other| other.groups[i].push(member));
            push(&|other| other.groups[i][0] = member);
            push(&|other| other.groups.push(vec![member]));
        }
    }
    for member in 0..=components {
        push(&|other| other.goal = vec![member]);
        push(&|other| other.goal.push(member));
    }
    push(&|other| other.goal.clear());
    for by in RULES.into_iter().chain(["monolithic", "", "Simple"]) {
        push(&|other| other.by = by.to_owned());
    }
    changed.extend(changed_premises(proof));
    changed.retain(|other| other != proof);
    changed
}

/// Changes of the list of premises.
fn changed_premises(proof: &Decomposition) -> Vec<Decomposition> {
    let mut changed = Vec::new();
    let mut push = |change: &dyn Fn(&mut Vec<Premise>)| {
        let mut other = proof.clone();
        change(&mut other.premises);
        changed.push(other);
    };
    let references: Vec<Reference> =
        (0..proof.assumptions.len()).map(|i| Decomposition::reference(&proof.assumptions, i)).collect();
    push(&Vec::clear);
    push(&|premises| premises.reverse());
    for (i, premise) in proof.premises.iter().enumerate() {
        push(&|premises| drop(premises.remove(i)));
        push(&|premises| premises.insert(i, premise.clone()));
        for j in 0..i {
            push(&|premises| premises.swap(i, j));
            push(&|premises| premises[j] = premise.clone());
        }
        push(&|premises| premises[i] = Premise::Outside(references.clone()));
        push(&|premises| premises[i] = Premise::Outside(Vec::new()));
        let Premise::Triple { assumes, group, components, guarantees } = premise else { continue };
        let edit = |assumes: Option<Reference>, group: usize, guarantees: Guarantee| {
            let components = components.clone();
            Premise::Triple { assumes, group, components, guarantees }
        };
        for assumes in references.iter().cloned().map(Some).chain([None]) {
            push(&|premises| premises[i] = edit(assumes.clone(), *group, guarantees.clone()));
        }
        for group in 0..=proof.groups.len() {
            push(&|premises| premises[i] = edit(assumes.clone(), group, guarantees.clone()));
        }
        let within = references.iter().cloned().map(Guarantee::Within);
        for guarantees in within.chain([Guarantee::Goal, Guarantee::Half(0), Guarantee::Half(1)]) {
            push(&|premises| premises[i] = edit(assumes.clone(), *group, guarantees.clone()));
        }
    }
    changed.retain(|other| other != proof);
    changed
}

/// Two rules may be the same for two groups.
fn says_the_same(one: &Decomposition, other: &Decomposition) -> bool {
    let renamed = Decomposition { by: one.by.clone(), ..other.clone() };
    let known = RULES.contains(&&*other.by);
    renamed == *one && known && premises_fit(&other.by, one.groups.len()) && {
        premises_in_words(&one.by, one.groups.len()) == premises_in_words(&other.by, one.groups.len())
    }
}

fn premises_fit(by: &str, groups: usize) -> bool {
    match by {
        "simple" | "alternating" | "conjunction" => groups == 2,
        "monolithic" => groups == 1,
        _ => (2..=3).contains(&groups) && RULES.contains(&by),
    }
}

#[test]
fn whoever_changes_a_proof_is_found_out() {
    let mut count = 0;
    for Case { network, goal, decomposition: proof } in cases() {
        for other in changes(&proof, network.components().len()) {
            let judgement = judge(&network, &goal, &other);
            let same = says_the_same(&proof, &other);
            assert_eq!(judgement.is_ok(), same, "{judgement:?}: {other:#?}");
            count += 1;
        }
    }
    assert!(count > 2000, "too few to mean anything: {count}");
}

/// The change with new digests, and with premises that fit it.
fn resealed(other: &Decomposition) -> Option<Decomposition> {
    let seal = |assumption: &Assumption| {
        let Assumption { alphabet, states, transitions, .. } = assumption.clone();
        Assumption::sealed(alphabet, states, transitions)
    };
    let assumptions: Vec<Assumption> = other.assumptions.iter().map(seal).collect();
    let needed = match &*other.by {
        "simple" => 1,
        "chain" => other.groups.len().checked_sub(1)?,
        "alternating" | "conjunction" => 2,
        "monolithic" => 0,
        _ => other.groups.len(),
    };
    if !premises_fit(&other.by, other.groups.len()) || assumptions.len() != needed {
        return None;
    }
    let words = premises_in_words(&other.by, other.groups.len());
    let premises = words.iter().map(|words| premise(words, &other.groups, &assumptions)).collect();
    Some(Decomposition { assumptions, premises, ..other.clone() })
}

/// Whether all premises are true, from their definitions; nothing if that cannot be said.
fn is_proof(network: &Network, proof: &Decomposition) -> Option<bool> {
    let assumptions: Option<Vec<Lts>> =
        proof.assumptions.iter().map(|assumption| assumption.read().ok()).collect();
    let assumptions = assumptions?;
    let components = |numbers: &[usize]| -> Option<Vec<Component>> {
        numbers.iter().map(|&i| network.components().get(i).cloned()).collect()
    };
    let goal = components(&proof.goal)?;
    for premise in &proof.premises {
        let holds = match premise {
            Premise::Outside(_) => !some_word_is_outside(&goal, &assumptions),
            Premise::Triple { assumes, group, guarantees, .. } => {
                let mut all = components(&proof.groups[*group])?;
                for member in &mut all {
                    *member = Component::new(&member.name, operators::stopped(&member.lts));
                }
                all.extend(assumes.iter().map(|it| Component::new("A", assumptions[it.assumption].clone())));
                all.extend(match guarantees {
                    Guarantee::Goal => goal.clone(),
                    Guarantee::Half(number) => half(&goal, &components(&proof.groups[0])?, *number == 0),
                    Guarantee::Within(it) => {
                        vec![Component::new("A", operators::complete(&assumptions[it.assumption]))]
                    }
                });
                !fails(&all)
            }
        };
        if !holds {
            return Some(false);
        }
    }
    Some(true)
}

/// The longest words that are tried.
const LENGTH: usize = 5;

fn some_word_is_outside(goal: &[Component], assumptions: &[Lts]) -> bool {
    let assumed = assumptions.iter().map(|lts| Component::new("A", operators::complete(lts)));
    let automata: Vec<Component> = goal.iter().cloned().chain(assumed).collect();
    let letters = names(&automata);
    let mut words: Vec<Vec<&str>> = vec![Vec::new()];
    for _ in 0..=LENGTH {
        let rejected = |word: &Vec<&str>| {
            let rejects = |automaton: &Component| is_rejected(&automaton.lts, word);
            automata[..goal.len()].iter().any(rejects) && automata[goal.len()..].iter().all(rejects)
        };
        if words.iter().any(rejected) {
            return true;
        }
        words = words
            .iter()
            .flat_map(|word| letters.iter().map(move |name| [&word[..], &[name.as_str()]].concat()))
            .collect();
    }
    false
}

fn is_rejected(lts: &Lts, word: &[&str]) -> bool {
    let mut state = lts.initial();
    for action in word.iter().filter_map(|name| lts.alphabet().get(name)) {
        if Some(state) != lts.error() {
            state = lts.edges_with(state, Label::visible(action))[0].target;
        }
    }
    Some(state) == lts.error()
}

#[test]
fn what_is_sealed_again_is_judged_on_its_merits() {
    let (mut accepted, mut rejected) = (0, 0);
    for Case { network, goal, decomposition: proof } in cases() {
        let all = changes(&proof, network.components().len());
        for other in all.iter().filter_map(resealed).filter(|other| other.goal == goal) {
            let judgement = judge(&network, &goal, &other);
            match &judgement {
                Ok(()) => assert_eq!(is_proof(&network, &other), Some(true), "{other:#?}"),
                Err(Rejection::FalsePremise { trace, .. }) if trace.len() <= LENGTH => {
                    assert_eq!(is_proof(&network, &other), Some(false), "{judgement:?}: {other:#?}");
                }
                Err(Rejection::FalsePremise { .. } | Rejection::BadAssumption { .. }) => {}
                Err(Rejection::BadGroups(_) | Rejection::GoalTakesPart) => {}
                Err(_) => panic!("{judgement:?}: {other:#?}"),
            }
            if judgement.is_ok() { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(accepted > 50 && rejected > 500, "too few to mean anything: {accepted}, {rejected}");
}

#[test]
fn no_change_proves_what_is_false() {
    // The receiver acknowledges what it has not delivered; the sender takes two; `out` happens by itself.
    let eager = from_transitions(3, &[(0, "send", 1), (1, "out", 2), (2, "ack", 0), (1, "ack", 0)]);
    let greedy =
        from_transitions(4, &[(0, "in", 1), (1, "send", 2), (2, "ack", 0), (1, "in", 3), (3, "send", 2)]);
    let noisy = from_transitions(3, &[(0, "send", 1), (1, "out", 2), (2, "ack", 0), (0, "out", 0)]);
    for (place, lts) in [(2, eager), (0, greedy), (2, noisy)] {
        for by in RULES {
            let Case { network, goal, decomposition: proof } = channel(by);
            let mut components = network.components().to_vec();
            components[place] = Component::new("BROKEN", lts.clone());
            let network = Network::new(components);
            assert!(breaks(&network, &goal));
            let all = changes(&proof, network.components().len());
            for other in all.iter().filter_map(resealed).chain([proof]).chain(all.iter().cloned()) {
                assert!(judge(&network, &goal, &other).is_err(), "{other:#?}");
                for once_more in changed_premises(&other).into_iter().take(3) {
                    assert!(judge(&network, &goal, &once_more).is_err(), "{once_more:#?}");
                }
            }
        }
    }
}

/// Every change of a single value somewhere in a document, and every element left out of a list or written twice.
pub(super) fn changed_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            [number + 1, number.wrapping_sub(1), 1_000_000_000_000].map(Value::from).to_vec()
        }
        Value::String(text) => {
            let cut: String = text.chars().skip(1).collect();
            let flipped: String = text.chars().map(|c| if c == '0' { '1' } else { '0' }).collect();
            [format!("{text}1"), cut, flipped, String::new()].map(Value::from).to_vec()
        }
        Value::Array(items) => {
            let mut changed = vec![Value::Array(Vec::new())];
            for (i, item) in items.iter().enumerate() {
                let with = |change: &dyn Fn(&mut Vec<Value>)| {
                    let mut items = items.clone();
                    change(&mut items);
                    Value::Array(items)
                };
                changed.push(with(&|items| drop(items.remove(i))));
                changed.push(with(&|items| items.push(item.clone())));
                changed.extend(
                    changed_values(item).into_iter().map(|other| with(&|items| items[i] = other.clone())),
                );
            }
            changed
        }
        Value::Object(fields) => {
            let mut changed = Vec::new();
            for (name, field) in fields {
                let with = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
                    let mut fields = fields.clone();
                    change(&mut fields);
                    Value::Object(fields)
                };
                changed.push(with(&|fields| drop(fields.remove(name))));
                changed.push(with(&|fields| drop(fields.insert(name.clone(), Value::Null))));
                for other in changed_values(field) {
                    changed.push(with(&|fields| drop(fields.insert(name.clone(), other.clone()))));
                }
            }
            changed
        }
        Value::Null | Value::Bool(_) => vec![Value::from(0), Value::from("0")],
    }
}

#[test]
fn whoever_changes_the_text_is_found_out() {
    let (mut unread, mut rejected) = (0, 0);
    for Case { network, goal, decomposition: proof } in cases() {
        let document = serde_json::to_value(&proof).unwrap();
        for changed in changed_values(&document) {
            match serde_json::from_value::<Decomposition>(changed) {
                Err(_) => unread += 1,
                // What is not there is not assumed, either way of writing it.
                Ok(other) if other == proof => {}
                Ok(other) => {
                    assert!(judge(&network, &goal, &other).is_err(), "{other:#?}");
                    rejected += 1;
                }
            }
        }
    }
    assert!(unread > 500 && rejected > 1000, "too few to mean anything: {unread}, {rejected}");
}

#[test]
fn assumptions_that_are_none() {
    let assumption = |alphabet: &[&str], states: usize, transitions: &[&str]| {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Assumption::sealed(owned(alphabet), states, owned(transitions))
            .read()
            .map(|lts| lts.transition_count())
    };
    let complaint = |alphabet: &[&str], states: usize, transitions: &[&str]| {
        assumption(alphabet, states, transitions).unwrap_err()
    };
    assert_eq!(assumption(&["a", "b c"], 2, &["0 a 1", "1 b c 0"]), Ok(2));
    assert_eq!(assumption(&[], 1, &[]), Ok(0));
    assert_eq!(assumption(&["a", ""], 1, &["0  0"]), Ok(1), "even an action without a name can be written");
    assert_eq!(complaint(&["a", "a"], 1, &[]), "an action is twice in its alphabet");
    assert_eq!(complaint(&["a"], 0, &[]), "it has no states");
    assert_eq!(complaint(&["a"], usize::MAX, &["0 a 0"]), "it has states that no transition leads to");
    assert_eq!(complaint(&["a"], 2, &["0 a 1", "0 a 0"]), "a state has two transitions with one action");
    assert_eq!(complaint(&["a"], 2, &["0 a 1", "0 a 1"]), "a state has two transitions with one action");
    let texts =
        ["0 a 2", "2 a 0", "0 b 0", "00 a 0", "+0 a 0", "0 a -1", "0 a", "0", "", " ", "0 tau 0", "0 a 0 "];
    let complaints: BTreeSet<String> =
        texts.iter().map(|text| complaint(&["a"], 2, &["0 a 1", text])).collect();
    let expected = texts.iter().map(|text| format!("`{text}` is no transition of it")).collect();
    assert_eq!(complaints, expected);
}

#[test]
fn what_is_wrong_is_said() {
    let Case { network, goal, decomposition: proof } = channel("simple");
    let complaint = |change: &dyn Fn(&mut Decomposition), seal: bool| {
        let mut other = proof.clone();
        change(&mut other);
        let other = if seal { resealed(&other).expect("it has the right numbers") } else { other };
        judge(&network, &goal, &other).unwrap_err().to_string()
    };
    let groups = |groups: &[&[usize]]| {
        complaint(&|other| other.groups = groups.iter().map(|group| group.to_vec()).collect(), true)
    };
    assert_eq!(groups(&[&[0], &[]]), "its groups do not fit: one is empty");
    assert_eq!(groups(&[&[0], &[3]]), "its groups do not fit: the target has no component 3");
    assert_eq!(groups(&[&[0], &[1, 2]]), "its groups do not fit: ORDER is what must not fail");
    assert_eq!(groups(&[&[0, 2], &[2]]), "its groups do not fit: OUTPUT is there twice");
    let plain = |change: &dyn Fn(&mut Decomposition)| complaint(change, false);
    assert_eq!(
        plain(&|other| other.groups.push(vec![1])),
        "its groups do not fit: ORDER is what must not fail"
    );
    assert_eq!(
        plain(&|other| drop(other.groups.pop())),
        "its groups do not fit: the rule simple is not for 1"
    );
    assert_eq!(plain(&|other| other.by = "magic".to_owned()), "there is no rule `magic`");
    assert_eq!(plain(&|other| other.goal = vec![0]), "its evidence is about other components");
    assert_eq!(plain(&|other| other.assumptions.clear()), "it has 0 assumptions, and its rule 1");
    assert_eq!(
        plain(&|other| other.assumptions[0].transitions[0] = "0 send 2".to_owned()),
        "assumption A1: it is not the one that its digest was made for"
    );
    assert_eq!(
        plain(&|other| {
            let Assumption { alphabet, states, .. } = other.assumptions[0].clone();
            other.assumptions[0] =
                Assumption::sealed(alphabet, states, vec!["0 ack 1".into(), "1 out 2".into()]);
        }),
        "premise 1, ⟨A1⟩ M1 ⟨P⟩, is about another group or assumption than the one that is there"
    );
    assert_eq!(plain(&|other| drop(other.premises.pop())), "it lacks premise 2, ⟨true⟩ M2 ⟨A1⟩");
    assert_eq!(
        plain(&|other| other.premises.swap(0, 1)),
        "premise 1 of its rule is ⟨A1⟩ M1 ⟨P⟩, and it has ⟨true⟩ M2 ⟨A1⟩"
    );
    assert_eq!(
        plain(&|other| other.premises.push(other.premises[0].clone())),
        "premise 3, ⟨A1⟩ M1 ⟨P⟩, is none of its rule"
    );
}
