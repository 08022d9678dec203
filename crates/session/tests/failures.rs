//! `verify` and `check` of systems with priority, and of systems in which parts fail, against brute force.
//!
//! The naive twin knows nothing of networks: it composes processes that are lists of transitions, action by action, lets
//! the priority of the system drop what has to wait, and only then lets a property that is not among the parts look
//! on. That property may have actions that the system does not know: they happen at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rely_base::Budget;
use rely_session::report::Verdict;
use rely_session::{CheckQuery, Details, Project, Strategy, VerifyQuery, certify, check, verify};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const ANY: Budget<'static> = Budget::UNLIMITED;
const ACTIONS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A process: state 0 is initial, and a transition without a target leads to the error.
#[derive(Debug)]
struct Process {
    name: String,
    is_property: bool,
    alphabet: BTreeSet<&'static str>,
    states: usize,
    transitions: BTreeSet<(usize, &'static str, Option<usize>)>,
}

impl Process {
    fn random(rng: &mut Rng, name: &str, is_property: bool) -> Self {
        let mut alphabet: BTreeSet<&str> = ACTIONS.into_iter().filter(|_| rng.chance(1, 2)).collect();
        alphabet.insert(*rng.pick(&ACTIONS));
        let names: Vec<&'static str> = alphabet.iter().copied().collect();
        let states = 1 + rng.below(3);
        let can_fail = !is_property && rng.chance(1, 3);
        let mut transitions = BTreeSet::new();
        for _ in 0..1 + rng.below(3 * states) {
            let (source, action, target) = (rng.below(states), *rng.pick(&names), rng.below(states));
            let target = if can_fail && rng.chance(1, 5) { None } else { Some(target) };
            let taken = transitions.iter().any(|&(s, a, _)| (s, a) == (source, action));
            if !(is_property && taken) {
                transitions.insert((source, action, target));
            }
        }
        Self { name: name.to_owned(), is_property, alphabet, states, transitions }
    }

    /// The text of its definition.
    fn text(&self) -> String {
        let Self { name, .. } = self;
        let keyword = if self.is_property { "property " } else { "" };
        let mut text = format!("{keyword}{name} = {name}_0");
        for state in 0..self.states {
            let step = |&(_, action, target): &(usize, &str, Option<usize>)| match target {
                Some(target) => format!("{action} -> {name}_{target}"),
                None => format!("{action} -> ERROR"),
            };
            let steps: Vec<String> = self.transitions.iter().filter(|t| t.0 == state).map(step).collect();
            let body = if steps.is_empty() { "STOP".to_owned() } else { format!("({})", steps.join(" | ")) };
            write!(text, ",\n    {name}_{state} = {body}").expect("a string takes everything");
        }
        let alphabet: Vec<&str> = self.alphabet.iter().copied().collect();
        text + &format!(" + {{{}}}.\n", alphabet.join(", "))
    }

    /// Where an action leads; a property goes to the error where it does not allow it.
    fn after(&self, state: usize, action: &str) -> Vec<Option<usize>> {
        if state == GONE {
            return vec![Some(GONE)];
        }
        let steps = self.transitions.iter().filter(|t| t.0 == state && t.1 == action);
        let targets: Vec<Option<usize>> = steps.map(|t| t.2).collect();
        if targets.is_empty() && self.is_property { vec![None] } else { targets }
    }

    /// Whether it is a part that can fail by itself.
    fn is_faulty(&self) -> bool {
        // What cannot be reached has been dropped.
        let mut reached = BTreeSet::from([0]);
        for _ in 0..self.states {
            let steps = self.transitions.iter().filter(|t| reached.contains(&t.0));
            reached = steps.filter_map(|t| t.2).chain(reached.iter().copied()).collect();
        }
        !self.is_property && self.transitions.iter().any(|t| t.2.is_none() && reached.contains(&t.0))
    }
}

/// A system with priority, and a property that observes it.
#[derive(Debug)]
struct Scene {
    parts: Vec<Process>,
    onlooker: Process,
    is_high: bool,
    named: BTreeSet<&'static str>,
    hidden: BTreeSet<&'static str>,
}

/// The state of a property that has been broken when that does not matter: it only observes, and allows everything.
const GONE: usize = usize::MAX;

/// The state of each part, the onlooker last; nothing in the error.
type Tuple = Vec<Option<usize>>;

impl Scene {
    fn random(rng: &mut Rng) -> Self {
        let mut parts: Vec<Process> =
            (0..1 + rng.below(2)).map(|i| Process::random(rng, &format!("M{i}"), false)).collect();
        parts.extend((0..1 + rng.below(2)).map(|i| Process::random(rng, &format!("Q{i}"), true)));
        let onlooker = Process::random(rng, "P", true);
        let mut subset = || ACTIONS.into_iter().filter(|_| rng.chance(2, 5)).collect();
        let (named, hidden) = (subset(), subset());
        Self { parts, onlooker, is_high: rng.chance(1, 2), named, hidden }
    }

    fn text(&self) -> String {
        let list = |set: &BTreeSet<&str>| set.iter().copied().collect::<Vec<_>>().join(", ");
        let mut text: String = self.parts.iter().chain([&self.onlooker]).map(Process::text).collect();
        let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
        write!(text, "||S = ({})", names.join(" || ")).expect("a string takes everything");
        if !self.named.is_empty() {
            write!(text, " {} {{{}}}", if self.is_high { "<<" } else { ">>" }, list(&self.named))
                .expect("a string takes everything");
        }
        if !self.hidden.is_empty() {
            write!(text, " \\{{{}}}", list(&self.hidden)).expect("a string takes everything");
        }
        text + ".\n"
    }

    /// The steps of the system by itself, after its priority.
    fn own_steps(&self, tuple: &Tuple) -> Vec<(&'static str, Tuple)> {
        let mut steps = Vec::new();
        for action in ACTIONS {
            if !self.parts.iter().any(|part| part.alphabet.contains(action)) {
                continue;
            }
            let mut targets: Vec<Tuple> = vec![Vec::new()];
            for (part, state) in self.parts.iter().zip(tuple) {
                let choices = match part.alphabet.contains(action) {
                    true => part.after(state.expect("nothing happens after an error"), action),
                    false => vec![*state],
                };
                let extended = targets.iter().flat_map(|t| choices.iter().map(|c| [&t[..], &[*c]].concat()));
                targets = extended.collect();
            }
            steps.extend(targets.into_iter().map(|target| (action, target)));
        }
        let goes_first = |action: &str| self.named.contains(action) == self.is_high;
        if !self.named.is_empty() && steps.iter().any(|(action, _)| goes_first(action)) {
            steps.retain(|(action, _)| goes_first(action));
        }
        steps
    }

    /// The steps of the system with the onlooker.
    fn steps(&self, tuple: &Tuple) -> Vec<Tuple> {
        let watching = tuple[self.parts.len()].expect("nothing happens after an error");
        let onlooker = &self.onlooker;
        let mut found = Vec::new();
        for (action, target) in self.own_steps(tuple) {
            let sees = onlooker.alphabet.contains(action);
            let choices = if sees { onlooker.after(watching, action) } else { vec![Some(watching)] };
            found.extend(choices.into_iter().map(|choice| [&target[..], &[choice]].concat()));
        }
        for &action in &onlooker.alphabet {
            if !self.parts.iter().any(|part| part.alphabet.contains(action)) {
                let choices = onlooker.after(watching, action).into_iter();
                found.extend(choices.map(|choice| [&tuple[..self.parts.len()], &[choice]].concat()));
            }
        }
        found
    }

    /// All properties among the parts but one.
    fn properties_but(&self, one: usize) -> Vec<usize> {
        (0..self.parts.len()).filter(|&i| self.parts[i].is_property && i != one).collect()
    }

    /// For each process, the number of steps after which it can first fail, where nothing has failed before. It does not
    /// matter whether the processes that are set aside fail.
    fn failures(&self, set_aside: &[usize], steps: impl Fn(&Tuple) -> Vec<Tuple>) -> BTreeMap<usize, usize> {
        let mut failures = BTreeMap::new();
        let mut level = BTreeSet::from([vec![Some(0); self.parts.len() + 1]]);
        let mut seen: BTreeSet<Tuple> = BTreeSet::new();
        for length in 0.. {
            let mut next = BTreeSet::new();
            for tuple in level {
                if !seen.insert(tuple.clone()) {
                    continue;
                }
                let failed: Vec<usize> = (0..tuple.len()).filter(|&i| tuple[i].is_none()).collect();
                for &i in &failed {
                    failures.entry(i).or_insert(length);
                }
                if failed.is_empty() {
                    next.extend(steps(&tuple).into_iter().map(|mut target| {
                        set_aside.iter().for_each(|&i| target[i] = target[i].or(Some(GONE)));
                        target
                    }));
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        failures
    }
}

fn project(text: &str) -> Project {
    Project::new("s.lts", text, Box::new(|_| Err("there are no imports".to_owned())))
}

/// The verdict of each property with the length of the run, where there is one; certificates have been judged, and every
/// step names components that exist.
fn answers(text: &str, query: &VerifyQuery<'_>) -> BTreeMap<String, Option<usize>> {
    let project = project(text);
    let verified = verify(&project, query, ANY).expect("no mistake");
    let mut found = BTreeMap::new();
    for result in &verified.report.results {
        let violated = match result.verdict {
            Verdict::Holds => false,
            Verdict::Violated => true,
            Verdict::Unknown => panic!("{:?}", result.reason),
        };
        let movers = result.steps.iter().flat_map(|step| &step.components);
        assert!(movers.into_iter().all(|&mover| mover < result.components.len()), "{result:?}");
        assert!(result.shortest || query.strategy != Strategy::Auto, "{result:?}");
        found.insert(result.property.clone(), violated.then_some(result.trace.len()));
    }
    let mut written = Vec::new();
    verified.certificate.write(&mut written).expect("a vector can be written to");
    let proved: Vec<&String> = found.iter().filter(|(_, run)| run.is_none()).map(|(name, _)| name).collect();
    if !proved.is_empty() {
        let judged = certify(&project, "certificate", &written, &[], ANY).expect("it can be judged");
        let claimed = judged.results.iter().filter(|result| !result.derived);
        assert_eq!(
            claimed.map(|result| &result.property).collect::<BTreeSet<_>>(),
            proved.into_iter().collect()
        );
        // Safety follows from the claims only where nothing fails; and then it does, or nothing could fail at all.
        let is_safe = query.properties.is_empty() && found.values().all(Option::is_none);
        assert!(is_safe || !judged.results.iter().any(|result| result.derived));
        assert!(!is_safe || judged.diagnostics.iter().all(|finding| finding.code != "W0007"));
        assert!(judged.results.iter().all(|result| result.accepted), "{:?}", judged.results);
    }
    found
}

#[test]
fn verdicts_are_those_of_the_definition() {
    let (mut holds, mut violated, mut onlookers, mut matters, mut private) = (0, 0, 0, 0, 0);
    for seed in seeds(800) {
        let mut rng = Rng::new(seed);
        let scene = Scene::random(&mut rng);
        if scene.named.is_empty() {
            continue;
        }
        let text = scene.text();
        let details = Details { coverage: seed % 4 == 0, explanation: seed % 4 == 0 };
        let query = VerifyQuery { details, ..VerifyQuery::about("S") };
        // The onlooker sees everything and changes nothing: without it the runs of the system are the same.
        let alone = |tuple: &Tuple| {
            let unseen = |(_, target): (&str, Tuple)| [&target[..], &[Some(0)]].concat();
            scene.own_steps(tuple).into_iter().map(unseen).collect()
        };
        let mut expected = BTreeMap::new();
        for (i, part) in scene.parts.iter().enumerate() {
            if part.is_property {
                let failures = scene.failures(&scene.properties_but(i), alone);
                expected.insert(part.name.clone(), failures.get(&i).copied());
            }
        }
        let properties = scene.properties_but(usize::MAX);
        let failures = scene.failures(&properties, alone);
        let faulty: Vec<usize> = (0..scene.parts.len()).filter(|&i| scene.parts[i].is_faulty()).collect();
        if !faulty.is_empty() {
            let first = faulty.iter().filter_map(|i| failures.get(i)).min();
            expected.insert("ERROR".to_owned(), first.copied());
        }
        let found = answers(&text, &query);
        assert_eq!(found, expected, "seed {seed}\n{text}");
        violated += expected.values().flatten().count();
        holds += expected.values().filter(|failure| failure.is_none()).count();

        let looked = scene.failures(&properties, |tuple| scene.steps(tuple));
        let expected = looked.get(&scene.parts.len()).copied();
        let query = VerifyQuery { properties: vec!["P".to_owned()], ..query };
        assert_eq!(
            answers(&text, &query),
            BTreeMap::from([("P".to_owned(), expected)]),
            "seed {seed}\n{text}"
        );
        onlookers += usize::from(expected.is_some());
        let free = |action: &&&str| !scene.parts.iter().any(|part| part.alphabet.contains(**action));
        private += usize::from(scene.onlooker.alphabet.iter().any(|action| free(&action)));

        let careless = Scene { named: BTreeSet::new(), ..scene };
        matters += usize::from(careless.failures(&properties, |tuple| careless.steps(tuple)) != looked);
    }
    let counts = (holds, violated, onlookers, matters, private);
    let enough = holds > 150 && violated > 150 && onlookers > 80 && matters > 80 && private > 40;
    assert!(enough, "too lopsided: {counts:?}");
}

/// Without priority there are rules and reductions, in which parts that can fail are stopped. Whatever decides, the answer
/// is that of the definition: several processes may fail in one step, and nothing happens after a failure.
#[test]
fn every_strategy_knows_where_a_run_ends() {
    let (mut holds, mut violated, mut together) = (0, 0, 0);
    for seed in seeds(600) {
        let scene = Scene { named: BTreeSet::new(), ..Scene::random(&mut Rng::new(seed)) };
        let text = scene.text();
        let alone = |tuple: &Tuple| {
            let unseen = |(_, target): (&str, Tuple)| [&target[..], &[Some(0)]].concat();
            scene.own_steps(tuple).into_iter().map(unseen).collect()
        };
        let mut expected: BTreeMap<String, bool> = BTreeMap::new();
        for i in scene.properties_but(usize::MAX) {
            let failures = scene.failures(&scene.properties_but(i), alone);
            expected.insert(scene.parts[i].name.clone(), failures.contains_key(&i));
            together += usize::from(failures.contains_key(&i) && failures.len() > 1);
        }
        let faulty: Vec<usize> = (0..scene.parts.len()).filter(|&i| scene.parts[i].is_faulty()).collect();
        if !faulty.is_empty() {
            let failures = scene.failures(&scene.properties_but(usize::MAX), alone);
            expected.insert("ERROR".to_owned(), faulty.iter().any(|i| failures.contains_key(i)));
        }
        let strategy = Strategy::ALL[usize::try_from(seed).expect("a small number") % Strategy::ALL.len()];
        let query = VerifyQuery { strategy, certify: true, ..VerifyQuery::about("S") };
        let found = answers(&text, &query);
        let broken: BTreeMap<String, bool> =
            found.into_iter().map(|(name, length)| (name, length.is_some())).collect();
        assert_eq!(broken, expected, "seed {seed}, {strategy:?}\n{text}");
        violated += expected.values().filter(|&&broken| broken).count();
        holds += expected.values().filter(|&&broken| !broken).count();
    }
    let enough = holds > 200 && violated > 200 && together > 60;
    assert!(enough || is_single_seed(), "too lopsided: {holds}, {violated}, {together}");
}

#[test]
fn check_finds_the_first_failure() {
    let mut violated = 0;
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let scene = Scene::random(&mut rng);
        let text = scene.text();
        let alone = |tuple: &Tuple| {
            let unseen = |(_, target): (&str, Tuple)| [&target[..], &[Some(0)]].concat();
            scene.own_steps(tuple).into_iter().map(unseen).collect()
        };
        let expected = scene.failures(&[], alone).into_values().min();
        let query = CheckQuery {
            only: vec!["safety".to_owned()],
            targets: vec!["S".to_owned()],
            ..CheckQuery::default()
        };
        let report = check(&project(&text), &query, ANY).expect("no mistake");
        let result = &report.results[0];
        let found = (result.verdict == Verdict::Violated).then_some(result.trace.len());
        assert_eq!(found, expected, "seed {seed}\n{text}");
        violated += usize::from(found.is_some());
    }
    assert!(violated > 100, "too lopsided: {violated}");
}
