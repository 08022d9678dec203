//! Random formulas and systems: rely says what follows from the never claims that SPIN makes of the formulas [Holzmann 2003].
//!
//! SPIN translates the violations of a formula to an automaton. A system violates the formula if and only if the product of both has a cycle through an
//! accepting state, which is searched here from the definition. The formulas have no `X`, which SPIN does not translate.
//! Where SPIN is not installed, it is said how many cases are skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use rely_base::{Budget, Id};
use rely_lts::{Network, Observation, Program};
use rely_omega::{AtomId, Commitment, Formula, Justice, Scheduling, Statement};
use rely_testkit::naive::product::{NaiveProduct, Tuple};
use rely_testkit::networks::{Shape, network};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// How many propositions there are.
const ATOMS: usize = 3;

/// A random formula, and how SPIN writes it.
fn formula(rng: &mut Rng, depth: usize) -> (Formula, String) {
    if depth == 0 || rng.chance(1, 6) {
        let number = rng.below(ATOMS);
        return (Formula::atom(AtomId::from_index(number)), format!("p{number}"));
    }
    let (one, first) = formula(rng, depth - 1);
    match rng.below(8) {
        0 => (one.negated(), format!("!({first})")),
        1 => (one.always(), format!("[]({first})")),
        2 => (one.eventually(), format!("<>({first})")),
        kind => {
            let (other, second) = formula(rng, depth - 1);
            match kind {
                3 => (one.and(other), format!("(({first}) && ({second}))")),
                4 => (one.or(other), format!("(({first}) || ({second}))")),
                5 => (one.implies(other), format!("(({first}) -> ({second}))")),
                _ => (one.until(other), format!("(({first}) U ({second}))")),
            }
        }
    }
}

/// A never claim: where it starts, and for each state its transitions. States whose names begin with `accept` accept.
struct Claim {
    initial: String,
    states: BTreeMap<String, Vec<(Guard, String)>>,
}

/// A condition of a never claim.
enum Guard {
    Constant(bool),
    Atom(usize),
    Not(Box<Guard>),
    And(Box<Guard>, Box<Guard>),
    Or(Box<Guard>, Box<Guard>),
}

impl Guard {
    fn holds(&self, letter: &BTreeSet<usize>) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Atom(atom) => letter.contains(atom),
            Self::Not(guard) => !guard.holds(letter),
            Self::And(one, other) => one.holds(letter) && other.holds(letter),
            Self::Or(one, other) => one.holds(letter) || other.holds(letter),
        }
    }

    /// Reads `a || b`, where `&&` binds tighter, from the front of a text.
    fn read(text: &mut &str) -> Self {
        let mut guard = Self::conjunction(text);
        while let Some(rest) = text.trim_start().strip_prefix("||") {
            *text = rest;
            guard = Self::Or(Box::new(guard), Box::new(Self::conjunction(text)));
        }
        guard
    }

    fn conjunction(text: &mut &str) -> Self {
        let mut guard = Self::literal(text);
        while let Some(rest) = text.trim_start().strip_prefix("&&") {
            *text = rest;
            guard = Self::And(Box::new(guard), Box::new(Self::literal(text)));
        }
        guard
    }

    fn literal(text: &mut &str) -> Self {
        *text = text.trim_start();
        if let Some(rest) = text.strip_prefix('!') {
            *text = rest;
            return Self::Not(Box::new(Self::literal(text)));
        }
        if let Some(rest) = text.strip_prefix('(') {
            *text = rest;
            let guard = Self::read(text);
            *text = text.trim_start().strip_prefix(')').expect("brackets are closed");
            return guard;
        }
        let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        *text = rest;
        match word {
            "1" | "true" => Self::Constant(true),
            "0" | "false" => Self::Constant(false),
            _ => Self::Atom(word.strip_prefix('p').and_then(|number| number.parse().ok()).expect("an atom")),
        }
    }
}

impl Claim {
    /// What SPIN makes of a formula.
    fn of(formula: &str) -> Self {
        let output = Command::new("spin").args(["-f", formula]).output().expect("SPIN runs");
        let text = String::from_utf8(output.stdout).expect("it is a text");
        let mut states: BTreeMap<String, Vec<(Guard, String)>> = BTreeMap::new();
        let mut initial = None;
        // Of several labels of a state the first is its name: it is the one that accepts.
        let (mut here, mut is_new, mut names) = (String::new(), true, BTreeMap::new());
        for line in text.lines().skip(1).map(str::trim) {
            if let Some(label) = line.strip_suffix(':') {
                if is_new {
                    label.clone_into(&mut here);
                    states.entry(here.clone()).or_default();
                    initial.get_or_insert_with(|| here.clone());
                }
                names.insert(label.to_owned(), here.clone());
                is_new = false;
                continue;
            }
            is_new = true;
            let edges = states.entry(here.clone()).or_default();
            if let Some(option) = line.strip_prefix("::") {
                let option = option.trim();
                if option.trim_end_matches(';') == "false" {
                    // A state from which no run is accepted.
                    continue;
                }
                let (guard, to) = match option.strip_prefix("atomic {") {
                    Some(last) => (last.split("->").next().unwrap_or_default(), "accept_all"),
                    None => option
                        .split_once("-> goto")
                        .unwrap_or_else(|| panic!("neither a condition nor a state: {option} of {text}")),
                };
                edges.push((Guard::read(&mut { guard }), to.trim().to_owned()));
            } else if line == "skip" {
                edges.push((Guard::Constant(true), here.clone()));
            }
        }
        for (_, to) in states.values_mut().flatten() {
            if let Some(name) = names.get(to) {
                to.clone_from(name);
            }
        }
        Self { initial: initial.unwrap_or_else(|| panic!("SPIN says of {formula}: {text}")), states }
    }

    /// Whether the automaton accepts a run of the network.
    fn accepts_some_run(&self, network: &Network, sets: &[Vec<String>]) -> bool {
        let product = NaiveProduct::new(network);
        let letter = |action: Option<&str>| -> BTreeSet<usize> {
            let is_in =
                |set: &Vec<String>| action.is_some_and(|action| set.iter().any(|name| name == action));
            (0..ATOMS).filter(|&number| is_in(&sets[number])).collect()
        };
        let next = |(tuple, state): &(Tuple, String)| -> Vec<(Tuple, String)> {
            let mut steps: Vec<(BTreeSet<usize>, Tuple)> = product.moves[tuple]
                .iter()
                .map(|(action, target)| {
                    (letter(action.map(|action| network.alphabet().name(action))), target.clone())
                })
                .collect();
            if steps.is_empty() {
                steps.push((letter(None), tuple.clone()));
            }
            let edges = &self.states[state];
            let after = |(letter, target): &(BTreeSet<usize>, Tuple)| -> Vec<(Tuple, String)> {
                let taken = edges.iter().filter(|(guard, _)| guard.holds(letter));
                taken.map(|(_, to)| (target.clone(), to.clone())).collect()
            };
            steps.iter().flat_map(after).collect()
        };
        let reached_from = |start: Vec<(Tuple, String)>| {
            let (mut seen, mut pending) = (BTreeSet::new(), start);
            while let Some(node) = pending.pop() {
                if seen.insert(node.clone()) {
                    pending.extend(next(&node));
                }
            }
            seen
        };
        let all = reached_from(vec![(product.initial.clone(), self.initial.clone())]);
        let accepting = all.iter().filter(|(_, state)| state.starts_with("accept"));
        accepting.into_iter().any(|node| reached_from(next(node)).contains(node))
    }
}

fn is_installed() -> bool {
    let mut command = Command::new("spin");
    command.arg("-V").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[test]
fn verdicts_are_those_of_spins_automata() {
    if !is_installed() {
        println!("skipped: SPIN is not installed; {} cases are not compared", seeds(400).count());
        return;
    }
    let (mut holding, mut violated) = (0, 0);
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let network = network(&mut rng, &Shape { errors: false, operators: false, ..Shape::TINY });
        let names: Vec<String> = network.alphabet().names().map(str::to_owned).collect();
        if names.is_empty() {
            continue;
        }
        let mut sets = Vec::new();
        for _ in 0..ATOMS {
            let mut set: Vec<String> = (0..2).map(|_| rng.pick(&names).clone()).collect();
            set.sort();
            set.dedup();
            sets.push(set);
        }
        let (formula, text) = formula(&mut rng, 3);
        let expected = Claim::of(&format!("!({text})")).accepts_some_run(&network, &sets);
        let program = Program::of_network(&network).expect("it has no priority");
        let observed = |set: &Vec<String>| {
            let mut actions: Vec<_> = set.iter().filter_map(|name| program.alphabet().get(name)).collect();
            actions.sort_unstable();
            Observation::Actions(actions)
        };
        let commitment = Commitment {
            name: "P".to_owned(),
            claim: Statement::Formula(formula),
            assuming: Vec::new(),
            propositions: sets.iter().map(observed).collect(),
            names: (0..ATOMS).map(|number| format!("p{number}")).collect(),
        };
        let scheduling = Scheduling { justice: Justice::None, processes: Vec::new() };
        let decision = rely_decide::check_commitment(&program, &commitment, &scheduling, &Budget::UNLIMITED);
        let verdict = decision.unwrap_or_else(|error| panic!("seed {seed}: {error}")).verdict;
        assert_eq!(verdict.holds(), !expected, "seed {seed}: {text}");
        match expected {
            true => violated += 1,
            false => holding += 1,
        }
    }
    assert!((holding > 50 && violated > 50) || is_single_seed(), "too few: {holding}, {violated}");
}
