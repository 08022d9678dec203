//! Commitments of random programs: what holds is certified and no short lasso breaks it, what is violated is replayed, and
//! nothing forged is accepted.

mod networks;

use rely_base::{ActionId, Budget, Id};
use rely_certificate::{
    Claim, Evidence, Interpreter, Measure, ProgramEnd, Property, Rejection, StateTable, check,
};
use rely_lts::{BehaviourRef, ExpressionId, Observation, Program};
use rely_omega::{AtomId, AtomSet, Commitment, Formula, Justice, Scheduling, Statement, Template, conjuncts};
use rely_testkit::naive::program::NaiveProgram;
use rely_testkit::programs::{Shape, program};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{check_commitment, word};
use crate::{Counterexample, Ending, Step, Unknown, Verdict, certify};

const ANY: Budget<'static> = Budget::UNLIMITED;

fn condition(rng: &mut Rng, atoms: usize) -> Formula {
    let atom = |rng: &mut Rng| Formula::atom(AtomId::from_index(rng.below(atoms)));
    let one = atom(rng);
    match rng.below(5) {
        0 => one.negated(),
        1 => one.or(atom(rng)),
        2 => one.and(atom(rng).negated()),
        _ => one,
    }
}

fn statement(rng: &mut Rng, atoms: usize) -> Statement {
    let [e, d, f] = [0; 3].map(|_| condition(rng, atoms));
    Statement::Template(match rng.below(12) {
        0 => Template::Never(d),
        1 => Template::Always(d),
        2 => Template::Eventually(d),
        3 => Template::NeverUntilAfter(d, f),
        4 => Template::AfterNeverUntilAfter(e, d, f),
        5 => Template::AfterEventually(e, d),
        6 => Template::Repeatedly(e),
        7 => Template::EventuallyAlways(d),
        8 | 9 => Template::IfRepeatedlyRepeatedly(e, d),
        10 => return Statement::Formula(e.implies(d.eventually()).always()),
        _ => return Statement::Formula(e.eventually().always().or(d.until(f.next()))),
    })
}

struct Case {
    program: Program,
    commitment: Commitment<Observation>,
    scheduling: Scheduling,
}

/// A random program with a random commitment and random processes; nothing if it has too many states.
fn case(rng: &mut Rng, shape: &Shape, most: usize) -> Option<Case> {
    let program = program(rng, shape);
    NaiveProgram::new(&program, most)?;
    let actions = program.alphabet().len();
    let mut propositions = Vec::new();
    for _ in 0..3 {
        let some: Vec<ActionId> =
            (0..actions).filter(|_| rng.chance(1, 2)).map(ActionId::from_index).collect();
        propositions.push(match rng.chance(2, 3) {
            true => Observation::Actions(some),
            false => Observation::Condition(ExpressionId::from_index(rng.below(program.expressions().len()))),
        });
    }
    let mut processes = vec![Vec::new(); 1 + rng.below(3)];
    for action in (0..actions).map(ActionId::from_index) {
        if rng.chance(1, 5) {
            continue;
        }
        let process = rng.below(processes.len());
        processes[process].push(action);
    }
    let scheduling = Scheduling { justice: *rng.pick(&Justice::ALL), processes };
    let assuming = (0..rng.below(3)).map(|_| statement(rng, 3)).collect();
    let names = ["p", "q", "r"].map(str::to_owned).to_vec();
    let commitment =
        Commitment { name: "P".to_owned(), claim: statement(rng, 3), assuming, propositions, names };
    Some(Case { program, commitment, scheduling })
}

impl Case {
    fn verdict(&self, seed: u64) -> Verdict {
        let decision = check_commitment(&self.program, &self.commitment, &self.scheduling, &ANY);
        decision.unwrap_or_else(|error| panic!("seed {seed}: {error}")).verdict
    }

    fn property(&self) -> Property<'_> {
        Property::Commitment { commitment: &self.commitment, scheduling: &self.scheduling }
    }

    fn evidence(&self) -> Evidence {
        certify(&self.program, &self.property(), &ANY).expect("there is no limit")
    }

    fn judge(&self, evidence: Evidence) -> Result<(), Rejection> {
        let claim = Claim::new("T", &self.program, &self.property(), evidence);
        check(&claim, &self.program, &self.property(), &ANY)
    }

    /// Looks at all lassos of few steps: whether one breaks the commitment, by the automata of its statements.
    fn is_broken_soon(&self, depth: usize, seed: u64) -> bool {
        let interpreter = Interpreter::new(&self.program);
        let mut pending: Vec<Vec<Step>> = vec![Vec::new()];
        let mut broken = false;
        while let Some(path) = pending.pop() {
            let here = path.last().map_or_else(|| interpreter.initial(), |step| step.after.clone());
            let mut stops = true;
            let all: Result<(), ()> = interpreter.steps(&here, &mut |step| {
                stops = false;
                let ProgramEnd::State(after) = &step.end else { return Ok(()) };
                let name = step.action.map_or("tau", |action| self.program.alphabet().name(action));
                let mut longer = path.clone();
                longer.push(Step {
                    action: name.to_owned(),
                    movers: Vec::new(),
                    before: here.clone(),
                    after: after.clone(),
                    fluents: Vec::new(),
                });
                if let Some(turn) = longer.iter().position(|it| it.before == *after) {
                    broken |= self.breaks(&longer[..turn], &longer[turn..], seed);
                }
                if longer.len() < depth {
                    pending.push(longer);
                }
                Ok(())
            });
            assert_eq!(all, Ok(()));
            broken |= stops && self.breaks(&path, &[], seed);
        }
        broken
    }

    /// Whether a lasso breaks the commitment. Its word is judged by automata, and the replay has to say the same.
    fn breaks(&self, trace: &[Step], cycle: &[Step], seed: u64) -> bool {
        let interpreter = Interpreter::new(&self.program);
        let letter = |action: &str, after: &[u32]| -> AtomSet {
            let action = self.program.alphabet().get(action);
            let holds = |it: &Observation| match it {
                Observation::Actions(actions) => action.is_some_and(|action| actions.contains(&action)),
                Observation::Condition(condition) => interpreter.holds(after, *condition),
            };
            let numbers = (0..3).filter(|&number| holds(&self.commitment.propositions[number]));
            numbers.map(AtomId::from_index).collect()
        };
        let prefix: Vec<AtomSet> = trace.iter().map(|step| letter(&step.action, &step.after)).collect();
        let mut round: Vec<AtomSet> = cycle.iter().map(|step| letter(&step.action, &step.after)).collect();
        if round.is_empty() {
            let last = trace.last().map_or_else(|| interpreter.initial(), |step| step.after.clone());
            round.push(letter("", &last));
        }
        let is_true = |statement: &Statement| {
            statement.automaton(&ANY).expect("there is no limit").accepts(&prefix, &round)
        };
        let meets = self.commitment.assuming.iter().all(is_true);
        let word_breaks = meets && !is_true(&self.commitment.claim);
        let ending = if cycle.is_empty() { Ending::Deadlock } else { Ending::Cycle };
        let run = Counterexample::new(BehaviourRef::Program(&self.program), trace.to_vec(), ending);
        let run = Counterexample { cycle: cycle.to_vec(), ..run };
        let objection = word::objection(&self.program, (&self.commitment, &self.scheduling), &run);
        let is_unfair = objection == Some("the run is not fair to a process");
        assert_eq!(objection.is_none() || is_unfair, word_breaks, "seed {seed}: {objection:?}");
        objection.is_none()
    }
}

#[test]
fn verdicts_are_certified_or_replayed() {
    let (mut holding, mut violated, mut open) = (0, 0, 0);
    for seed in seeds(700) {
        let mut rng = Rng::new(seed);
        let shape = if seed % 4 == 0 { Shape::FULL } else { Shape::FAULTLESS };
        let Some(case) = case(&mut rng, &shape, 30) else { continue };
        let broken = case.is_broken_soon(4, seed);
        match case.verdict(seed) {
            Verdict::Holds(_) => {
                assert!(!broken, "seed {seed}: a short run breaks {}", case.commitment.text());
                let judged = case.judge(case.evidence());
                assert_eq!(judged, Ok(()), "seed {seed}: {}", case.commitment.text());
                holding += 1;
            }
            // It has been replayed.
            Verdict::Violated(_) => violated += 1,
            Verdict::Unknown(Unknown::Cut(_) | Unknown::FailureReachable) => {
                assert!(!broken, "seed {seed}: a short run breaks {}", case.commitment.text());
                open += 1;
            }
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    let enough = holding > 50 && violated > 50 && open > 10;
    assert!(enough || is_single_seed(), "too few: {holding}, {violated}, {open}");
}

/// Changes numbers and rows of a measure.
fn mutated(rng: &mut Rng, measure: &Measure, width: usize) -> Measure {
    let mut levels = measure.levels.max(1);
    let notes = 2 * usize::try_from(measure.levels).expect("few levels");
    let table = StateTable::decode(&measure.states, width, notes, &ANY).expect("there is no limit");
    let table = table.expect("it is well formed");
    if rng.chance(1, 4) {
        levels += 1;
    }
    let wide = 2 * usize::try_from(levels).expect("few levels");
    let mut other = StateTable::new(width, wide);
    for row in 0..table.len() {
        if rng.chance(1, 30) {
            continue;
        }
        let mut numbers: Vec<u32> = table.key(row).to_vec();
        numbers.extend(table.notes(row));
        numbers.resize(width + wide, 0);
        for number in &mut numbers[width..] {
            if rng.chance(1, 6) {
                *number = u32::try_from(rng.below(7)).expect("small");
            }
        }
        other.push(numbers);
    }
    other.sort();
    Measure { levels, states: other.encode() }
}

#[test]
fn nothing_forged_is_accepted() {
    let mut forged = 0;
    for seed in seeds(700) {
        let mut rng = Rng::new(seed);
        let Some(case) = case(&mut rng, &Shape::FAULTLESS, 30) else { continue };
        let Verdict::Violated(_) = case.verdict(seed) else { continue };
        // The best that can be said; and evidence for a similar commitment that holds.
        let mut friends = vec![case.evidence()];
        for _ in 0..6 {
            let mut commitment = case.commitment.clone();
            match rng.below(3) {
                0 => commitment.claim = statement(&mut rng, 3),
                1 => commitment.assuming.push(statement(&mut rng, 3)),
                _ => commitment.assuming = vec![commitment.claim.clone()],
            }
            let mut scheduling = case.scheduling.clone();
            scheduling.justice = *rng.pick(&Justice::ALL);
            let friend = Case { program: case.program.clone(), commitment, scheduling };
            if friend.verdict(seed).holds() {
                friends.push(friend.evidence());
            }
        }
        let width = |commitment: &Commitment<Observation>| -> usize {
            let acceptors = commitment.assuming.iter().map(|it| rely_certificate::Acceptor::of(it).width());
            acceptors.sum::<usize>() + case.program.slots().len()
        };
        for friend in friends {
            let Evidence::Measures { measures } = &friend else { panic!("commitments have measures") };
            let rejected = case.judge(friend.clone());
            assert!(rejected.is_err(), "seed {seed}: {} is false", case.commitment.text());
            let violations = rely_certificate::Acceptor::of_violations(&case.commitment.claim);
            for _ in 0..4 {
                let rewritten = measures.iter().zip(&violations).map(|(measure, violation)| {
                    let width = width(&case.commitment) + violation.width();
                    let notes = 2 * usize::try_from(measure.levels).expect("few levels");
                    match StateTable::decode(&measure.states, width, notes, &ANY) {
                        Ok(Ok(_)) => mutated(&mut rng, measure, width),
                        _ => measure.clone(),
                    }
                });
                let evidence = Evidence::Measures { measures: rewritten.collect() };
                assert!(case.judge(evidence).is_err(), "seed {seed}: {} is false", case.commitment.text());
                forged += 1;
            }
        }
        assert!(case.judge(Evidence::Measures { measures: Vec::new() }).is_err() || is_trivial(&case));
    }
    assert!(forged > 200 || is_single_seed(), "too few: {forged}");
}

/// Whether the claim has no conjunct that could be broken.
fn is_trivial(case: &Case) -> bool {
    matches!(&case.commitment.claim, Statement::Formula(formula) if conjuncts(formula).is_empty())
}
