//! Interface automata, straight from the definitions of [Emmi, Giannakopoulou, Păsăreanu 2008].

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Role};

/// A state of each automaton.
pub type Tuple = Vec<StateId>;

/// Whether an action is possible in a state.
pub fn is_enabled(automaton: &InterfaceAutomaton, state: StateId, name: &str) -> bool {
    !targets(automaton, state, name).is_empty()
}

fn targets(automaton: &InterfaceAutomaton, state: StateId, name: &str) -> Vec<StateId> {
    let lts = automaton.lts();
    let Some(action) = lts.alphabet().get(name) else { return Vec::new() };
    lts.edges(state)
        .iter()
        .filter(|edge| edge.label == Label::visible(action))
        .map(|edge| edge.target)
        .collect()
}

/// H-Closure: the states that internal steps lead to.
pub fn closure(automaton: &InterfaceAutomaton, state: StateId) -> BTreeSet<StateId> {
    closure_alone(automaton, state, &[])
}

/// The states reached by internal steps in which none of the `others` takes part.
pub fn closure_alone(automaton: &InterfaceAutomaton, state: StateId, others: &[Lts]) -> BTreeSet<StateId> {
    let is_alone = |label: Label| {
        let name = automaton.lts().alphabet().label_name(label);
        label.is_tau() || !others.iter().any(|other| other.alphabet().contains(name))
    };
    let mut reached = BTreeSet::from([state]);
    loop {
        let before = reached.len();
        for state in reached.clone() {
            for edge in automaton.lts().edges(state) {
                if automaton.role_of(edge.label) == Role::Internal && is_alone(edge.label) {
                    reached.insert(edge.target);
                }
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// I-ExtEn: the inputs that are possible in all states of the closure.
pub fn sure_inputs(automaton: &InterfaceAutomaton, state: StateId) -> BTreeSet<String> {
    let closure = closure(automaton, state);
    let names = automaton.names(Role::Input);
    let all = |name: &&str| closure.iter().all(|&state| is_enabled(automaton, state, name));
    names.names().filter(all).map(str::to_owned).collect()
}

/// O-ExtEn: the outputs that are possible in some state of the closure.
pub fn possible_outputs(automaton: &InterfaceAutomaton, state: StateId) -> BTreeSet<String> {
    let closure = closure(automaton, state);
    let names = automaton.names(Role::Output);
    let some = |name: &&str| closure.iter().any(|&state| is_enabled(automaton, state, name));
    names.names().filter(some).map(str::to_owned).collect()
}

/// The external destinations of an action; internal steps after it count if `after` says so.
pub fn destinations(
    automaton: &InterfaceAutomaton,
    state: StateId,
    name: &str,
    after: bool,
) -> BTreeSet<StateId> {
    let before = closure(automaton, state);
    let direct = before.iter().flat_map(|&state| targets(automaton, state, name));
    match after {
        false => direct.collect(),
        true => direct.flat_map(|state| closure(automaton, state)).collect(),
    }
}

/// Definition 7: whether there is an alternating simulation with the initial states in it, and the signatures fit. An
/// output must not be an input of the other.
pub fn refines(implementation: &InterfaceAutomaton, specification: &InterfaceAutomaton, after: bool) -> bool {
    let set = |automaton: &InterfaceAutomaton, role| {
        automaton.names(role).names().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let (a, b) = (implementation, specification);
    if !set(a, Role::Input).is_superset(&set(b, Role::Input))
        || !set(a, Role::Output).is_subset(&set(b, Role::Output))
        || !set(a, Role::Input).is_disjoint(&set(b, Role::Output))
    {
        return false;
    }
    let mut relation: BTreeSet<(StateId, StateId)> =
        a.lts().states().flat_map(|p| b.lts().states().map(move |q| (p, q))).collect();
    loop {
        let holds = |&(p, q): &(StateId, StateId)| {
            let (inputs, outputs) = (sure_inputs(b, q), possible_outputs(a, p));
            sure_inputs(a, p).is_superset(&inputs)
                && outputs.is_subset(&possible_outputs(b, q))
                && inputs.union(&outputs).all(|name| {
                    let answers = destinations(b, q, name, after);
                    destinations(a, p, name, after)
                        .iter()
                        .all(|&to| answers.iter().any(|&answer| relation.contains(&(to, answer))))
                })
        };
        let kept: BTreeSet<(StateId, StateId)> = relation.iter().copied().filter(holds).collect();
        if kept.len() == relation.len() {
            return relation.contains(&(a.lts().initial(), b.lts().initial()));
        }
        relation = kept;
    }
}

/// Definition 3 for any number of automata: their joint behaviour, from the initial states.
///
/// Actions that no part sends, and that are internal to no part, happen only if `inputs` is true.
pub fn reachable(parts: &[InterfaceAutomaton], inputs: bool) -> BTreeMap<Tuple, usize> {
    let initial: Tuple = parts.iter().map(|part| part.lts().initial()).collect();
    let mut distance = BTreeMap::from([(initial.clone(), 0)]);
    let mut level = vec![initial];
    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for tuple in level {
            for (name, target) in steps(parts, &tuple) {
                let external = name.is_some_and(|name| !is_own(parts, &name));
                if (inputs || !external) && !distance.contains_key(&target) {
                    distance.insert(target.clone(), depth);
                    next.push(target);
                }
            }
        }
        level = next;
    }
    distance
}

/// Whether some part sends an action, or it is internal to one.
fn is_own(parts: &[InterfaceAutomaton], name: &str) -> bool {
    parts.iter().any(|part| matches!(part.role_named(name), Some(Role::Output | Role::Internal)))
}

/// The steps of a tuple: the name, or nothing for a silent step, and the target.
pub fn steps(parts: &[InterfaceAutomaton], tuple: &[StateId]) -> BTreeSet<(Option<String>, Tuple)> {
    let mut found = BTreeSet::new();
    let names: Alphabet = parts.iter().flat_map(|part| part.lts().alphabet().names()).collect();
    for name in names.names() {
        let mut after: Vec<Tuple> = vec![tuple.to_vec()];
        for (i, part) in parts.iter().enumerate().filter(|(_, part)| part.lts().alphabet().contains(name)) {
            let to = targets(part, tuple[i], name);
            let moved = |tuple: &Tuple, target: &StateId| {
                let mut tuple = tuple.clone();
                tuple[i] = *target;
                tuple
            };
            after =
                after.iter().flat_map(|tuple| to.iter().map(move |target| moved(tuple, target))).collect();
        }
        found.extend(after.into_iter().map(|target| (Some(name.to_owned()), target)));
    }
    for (i, part) in parts.iter().enumerate() {
        for edge in part.lts().edges(tuple[i]).iter().filter(|edge| edge.label.is_tau()) {
            let mut target = tuple.to_vec();
            target[i] = edge.target;
            found.insert((None, target));
        }
    }
    found
}

/// Definition 4: the actions that one automaton may send in a tuple and another receives, but not there. If
/// `eventually` is true, it suffices to receive it after some internal steps.
pub fn illegal_actions(parts: &[InterfaceAutomaton], tuple: &[StateId], eventually: bool) -> Vec<String> {
    illegal_actions_beside(parts, &[], tuple, eventually)
}

/// The illegal actions in the presence of systems without roles. Internal steps in which one of these takes part do
/// not belong to the receiver alone, so they do not count.
fn illegal_actions_beside(
    parts: &[InterfaceAutomaton],
    constraints: &[Lts],
    tuple: &[StateId],
    eventually: bool,
) -> Vec<String> {
    let mut found = Vec::new();
    for (i, sender) in parts.iter().enumerate() {
        for name in sender.names(Role::Output).names().filter(|name| is_enabled(sender, tuple[i], name)) {
            for (j, receiver) in parts.iter().enumerate() {
                if receiver.role_named(name) != Some(Role::Input) {
                    continue;
                }
                let states = match eventually {
                    true => closure_alone(receiver, tuple[j], constraints),
                    false => BTreeSet::from([tuple[j]]),
                };
                if !states.iter().any(|&state| is_enabled(receiver, state, name)) {
                    found.push(name.to_owned());
                }
            }
        }
    }
    found
}

/// The length of a shortest run to an illegal tuple.
pub fn distance_to_illegal(parts: &[InterfaceAutomaton], inputs: bool, eventually: bool) -> Option<usize> {
    distance_to_illegal_under(parts, &[], inputs, eventually)
}

/// The length of a shortest run to a tuple in which something is sent that cannot be taken, and that the systems
/// without roles do not prevent.
pub fn distance_to_illegal_under(
    parts: &[InterfaceAutomaton],
    constraints: &[Lts],
    inputs: bool,
    eventually: bool,
) -> Option<usize> {
    let all = constrained(parts, constraints);
    let is_allowed = |tuple: &Tuple, name: &str| {
        let mut having = (parts.len()..all.len()).filter(|&i| all[i].lts().alphabet().contains(name));
        having.all(|i| is_enabled(&all[i], tuple[i], name))
    };
    let is_illegal = |tuple: &Tuple| {
        let refused = illegal_actions_beside(parts, constraints, &tuple[..parts.len()], eventually);
        refused.iter().any(|name| is_allowed(tuple, name))
    };
    let distances = reachable(&all, inputs).into_iter().filter(|(tuple, _)| is_illegal(tuple));
    distances.map(|(_, distance)| distance).min()
}

/// Automata, and systems without roles that take part in their actions. An action that no automaton has is internal
/// to a system; otherwise the system receives it, except that it is no error if it refuses it.
pub fn constrained(parts: &[InterfaceAutomaton], constraints: &[Lts]) -> Vec<InterfaceAutomaton> {
    let known = |name: &str| parts.iter().any(|part| part.role_named(name).is_some());
    let role = |name: &str| if known(name) { Role::Input } else { Role::Internal };
    let constraints = constraints.iter().map(|lts| InterfaceAutomaton::with_roles(lts.clone(), role));
    parts.iter().cloned().chain(constraints).collect()
}

/// Definition 3: the composition of automata, all reachable tuples, numbered in their order.
///
/// # Panics
/// When two of them have an action with the same role.
pub fn compose(parts: &[InterfaceAutomaton]) -> InterfaceAutomaton {
    let tuples: Vec<Tuple> = reachable(parts, true).into_keys().collect();
    let number = |tuple: &Tuple| StateId::from_index(tuples.binary_search(tuple).expect("it is reachable"));
    let alphabet: Alphabet = parts.iter().flat_map(|part| part.lts().alphabet().names()).collect();
    let mut builder = LtsBuilder::with_states(alphabet.clone(), tuples.len());
    builder.set_initial(number(&parts.iter().map(|part| part.lts().initial()).collect()));
    for tuple in &tuples {
        for (name, target) in steps(parts, tuple) {
            let label = name.map_or(Label::TAU, |name| {
                Label::visible(alphabet.get(&name).expect("the alphabet is the union of all"))
            });
            builder.add_transition(number(tuple), label, number(&target));
        }
    }
    let role = |name: &str| {
        let roles: Vec<Role> = parts.iter().filter_map(|part| part.role_named(name)).collect();
        match roles[..] {
            [role] => role,
            [Role::Input, Role::Output] | [Role::Output, Role::Input] => Role::Internal,
            _ => panic!("{name} cannot be composed"),
        }
    };
    InterfaceAutomaton::with_roles(builder.build(), role)
}

/// Whether automata together break a property: a deterministic, complete system with an error state. Actions that
/// only the property has are free to occur.
pub fn breaks(parts: &[InterfaceAutomaton], property: &Lts, inputs: bool) -> bool {
    let start: Tuple = parts.iter().map(|part| part.lts().initial()).collect();
    let mut reached = BTreeSet::from([(start.clone(), property.initial())]);
    let mut stack = vec![(start, property.initial())];
    let known = |name: &str| parts.iter().any(|part| part.lts().alphabet().contains(name));
    let after = |state: StateId, name: &str| match property.alphabet().get(name) {
        None => state,
        Some(action) => property.edges_with(state, Label::visible(action))[0].target,
    };
    while let Some((tuple, state)) = stack.pop() {
        if Some(state) == property.error() {
            return true;
        }
        let mut next: Vec<(Tuple, StateId)> = property
            .alphabet()
            .names()
            .filter(|name| !known(name))
            .map(|name| (tuple.clone(), after(state, name)))
            .collect();
        for (name, target) in steps(parts, &tuple) {
            if name.as_ref().is_some_and(|name| !inputs && !is_own(parts, name)) {
                continue;
            }
            next.push((target, name.map_or(state, |name| after(state, &name))));
        }
        for place in next {
            if reached.insert(place.clone()) {
                stack.push(place);
            }
        }
    }
    false
}

/// What a group of automata needs of another at an interface, word by word.
///
/// `takes` are the actions that the other group has to take when the first sends them, `decides` those that the other
/// controls. A word is good if in every state of the first group that it may lead to the following holds: the first
/// group cannot get to an illegal state by itself and by what the other has to take; every action that the other
/// controls is accepted; and what the other has to take is something that the first may send.
pub fn is_assumed(
    parts: &[InterfaceAutomaton],
    takes: &BTreeSet<String>,
    decides: &BTreeSet<String>,
    word: &[String],
) -> bool {
    let is_silent = |name: &Option<String>| {
        name.as_ref().is_none_or(|name| !takes.contains(name) && !decides.contains(name))
    };
    let close = |set: &BTreeSet<Tuple>, more: &dyn Fn(&Option<String>) -> bool| {
        let mut closed = set.clone();
        let mut stack: Vec<Tuple> = set.iter().cloned().collect();
        while let Some(tuple) = stack.pop() {
            for (name, target) in steps(parts, &tuple) {
                if (is_silent(&name) || more(&name)) && closed.insert(target.clone()) {
                    stack.push(target);
                }
            }
        }
        closed
    };
    let is_doomed = |set: &BTreeSet<Tuple>| {
        let sent = |name: &Option<String>| name.as_ref().is_some_and(|name| takes.contains(name));
        close(set, &sent).iter().any(|tuple| !illegal_actions(parts, tuple, false).is_empty())
    };
    let start: Tuple = parts.iter().map(|part| part.lts().initial()).collect();
    let mut set = close(&BTreeSet::from([start]), &|_| false);
    for letter in word {
        let refuses =
            |tuple: &Tuple| !steps(parts, tuple).iter().any(|(name, _)| name.as_ref() == Some(letter));
        if is_doomed(&set) || (decides.contains(letter) && set.iter().any(refuses)) {
            return false;
        }
        let next = set
            .iter()
            .flat_map(|tuple| steps(parts, tuple))
            .filter(|(name, _)| name.as_ref() == Some(letter))
            .map(|(_, target)| target)
            .collect();
        set = close(&next, &|_| false);
    }
    !set.is_empty() && !is_doomed(&set)
}

/// All words up to a length over some letters.
pub fn words(letters: &[String], length: usize) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..length {
        longest = longest
            .iter()
            .flat_map(|word: &Vec<String>| {
                letters.iter().map(move |letter| [word.clone(), vec![letter.clone()]].concat())
            })
            .collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// Whether a word is a trace of an automaton without internal steps.
pub fn is_trace(automaton: &InterfaceAutomaton, word: &[String]) -> bool {
    let mut set = BTreeSet::from([automaton.lts().initial()]);
    for letter in word {
        set = set.iter().flat_map(|&state| targets(automaton, state, letter)).collect();
    }
    !set.is_empty()
}
