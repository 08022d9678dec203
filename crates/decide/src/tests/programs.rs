//! Programs: every question against the naive twin, or against a network of one component that does the same.

use std::num::NonZeroUsize;

use rely_base::{Budget, Id, Label, StateId};
use rely_lts::{ComponentId, Fault, LtsBuilder, Program, ProgramBuilder, SlotId, TickId, Trigger};
use rely_omega::Fairness;
use rely_testkit::naive::program::{End, NaiveProgram, value};
use rely_testkit::programs::{Shape, program};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::random_property;
use crate::ltl::tests::random_assertion;
use crate::{
    Counterexample, Decision, Ending, Inquiry, LtlDecision, Unknown, Vacuity, Verdict,
    check_default_progress, check_divergence, check_ltl, check_progress, check_reachability, check_units,
    program_coverage, replay,
};

const ANY: Budget<'static> = Budget::UNLIMITED;

fn naive(program: &Program) -> NaiveProgram<'_> {
    NaiveProgram::new(program, 5_000).expect("random programs are small")
}

/// The length of the run of a decision that is violated; otherwise it holds, or is unknown just where a run is cut.
fn length(decision: &Decision, is_cut: bool, seed: u64) -> Option<usize> {
    match &decision.verdict {
        Verdict::Violated(run) => return Some(run.trace.len()),
        Verdict::Holds(_) => assert!(!is_cut, "seed {seed}"),
        Verdict::Unknown(Unknown::Cut(_)) => assert!(is_cut, "seed {seed}"),
        Verdict::Unknown(other) => panic!("seed {seed}: {other}"),
    }
    None
}

#[test]
fn deadlock_and_safety_are_as_defined() {
    let (mut violated, mut cut, mut faults) = ([0, 0], 0, 0);
    for seed in seeds(4000) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        let naive = naive(&program);
        let found = check_reachability(&program, &ANY).unwrap();
        let is_cut = naive.is_cut();
        assert_eq!(length(&found.deadlock, is_cut, seed), naive.deadlock(), "seed {seed}");
        assert_eq!(length(&found.safety, is_cut, seed), naive.error(), "seed {seed}");
        assert_eq!(found.can_fail, naive.error().is_some(), "seed {seed}");
        violated[0] += usize::from(naive.deadlock().is_some());
        violated[1] += usize::from(naive.error().is_some());
        cut += usize::from(is_cut);
        faults += usize::from(found.safety.verdict.counterexample().is_some_and(|run| run.fault.is_some()));
        // A sweep, with several threads, says the same.
        let budget = ANY.with_threads(NonZeroUsize::new(2).unwrap());
        let swept = Inquiry::sweeping().check(&program, &budget).unwrap();
        assert_eq!(length(&swept.deadlock, is_cut, seed), naive.deadlock(), "seed {seed}");
        assert_eq!(length(&swept.safety, is_cut, seed), naive.error(), "seed {seed}");
    }
    let enough = violated[0] > 100 && violated[1] > 100 && cut > 100 && faults > 100;
    assert!(enough || is_single_seed(), "{violated:?} {cut} {faults}");
}

/// Whether two decisions say the same, where cuts are errors in the second.
fn agree(program: &Decision, network: &Decision, naive: &NaiveProgram<'_>, seed: u64) {
    match (&program.verdict, &network.verdict) {
        (Verdict::Violated(one), Verdict::Violated(other)) => {
            let is_shortest = one.is_shortest && other.is_shortest;
            assert!(!is_shortest || one.trace.len() == other.trace.len(), "seed {seed}");
            assert_eq!(one.ending == Ending::Cycle, other.ending == Ending::Cycle, "seed {seed}");
        }
        (Verdict::Holds(_), Verdict::Holds(_)) => {}
        (Verdict::Unknown(Unknown::ErrorReachable), Verdict::Unknown(Unknown::ErrorReachable)) => {
            assert!(naive.error().is_some(), "seed {seed}");
        }
        (Verdict::Unknown(Unknown::Cut(_)), _) => assert!(naive.is_cut(), "seed {seed}"),
        (one, other) => panic!("seed {seed}: {one:?} but {other:?}"),
    }
}

#[test]
fn progress_and_divergence_are_those_of_a_network_that_does_the_same() {
    let mut violated = [0; 3];
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let shape = if seed % 2 == 0 { Shape::FULL } else { Shape::FAULTLESS };
        let program = program(&mut rng, &shape);
        let naive = naive(&program);
        let network = naive.to_network();
        let pair = (check_divergence(&program, &ANY).unwrap(), check_divergence(&network, &ANY).unwrap());
        violated[0] += usize::from(pair.0.verdict.counterexample().is_some());
        agree(&pair.0, &pair.1, &naive, seed);
        let properties = [random_property(&mut rng), random_property(&mut rng)];
        let found = check_progress(&program, &properties, &ANY).unwrap();
        for (one, other) in found.iter().zip(check_progress(&network, &properties, &ANY).unwrap()) {
            agree(one, &other, &naive, seed);
            violated[1] += usize::from(one.verdict.counterexample().is_some());
        }
        let one = check_default_progress(&program, &ANY).unwrap();
        agree(&one, &check_default_progress(&network, &ANY).unwrap(), &naive, seed);
        violated[2] += usize::from(one.verdict.counterexample().is_some());
    }
    assert!(violated.iter().all(|&count| count > 50) || is_single_seed(), "{violated:?}");
}

#[test]
fn formulas_are_decided_as_for_a_network_that_does_the_same() {
    let (mut holds, mut violated, mut fair) = (0, 0, 0);
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let shape = if seed % 3 == 0 { Shape::FULL } else { Shape::FAULTLESS };
        let program = program(&mut rng, &shape);
        let naive = naive(&program);
        // There is one action that the program does not have.
        let assertion = random_assertion(&mut rng, &["a", "b", "c", "t", "free"]);
        for fairness in [Fairness::None, Fairness::Choice, Fairness::Random] {
            let one = check_ltl(&program, &assertion, fairness, &ANY).unwrap();
            if naive.is_cut() {
                assert!(!one.decision.verdict.holds(), "seed {seed}");
                continue;
            }
            let other = check_ltl(&naive.to_network(), &assertion, fairness, &ANY).unwrap();
            agree(&one.decision, &other.decision, &naive, seed);
            assert_eq!(one.free, other.free, "seed {seed}");
            let open = |found: &LtlDecision| found.open.as_ref().map(|run| run.0.len());
            assert_eq!(open(&one), open(&other), "seed {seed}");
            assert_eq!(one.holds_at_random, other.holds_at_random, "seed {seed}");
            holds += usize::from(one.decision.verdict.holds());
            let run = one.decision.verdict.counterexample();
            violated += usize::from(run.is_some());
            fair += usize::from(run.is_some_and(|run| run.fair.is_some()));
        }
    }
    assert!(holds > 100 && violated > 100 && fair > 20 || is_single_seed(), "{holds} {violated} {fair}");
}

/// By unit and command, whether some reachable state has a step that takes it, straight from the definition.
fn taken(program: &Program, naive: &NaiveProgram<'_>) -> Vec<Vec<bool>> {
    let mut taken: Vec<Vec<bool>> =
        program.units().iter().map(|unit| vec![false; unit.commands.len()]).collect();
    for state in naive.steps.keys() {
        let value = |id| value(program, id, state);
        // The commands of a unit with a trigger that are enabled; nothing if a guard is undefined.
        let enabled = |unit: usize, trigger: Trigger| -> Option<Vec<usize>> {
            let mut enabled = Vec::new();
            for (number, command) in program.units()[unit].commands.iter().enumerate() {
                if command.trigger == trigger && value(command.guard).ok()? != 0 {
                    enabled.push(number);
                }
            }
            Some(enabled)
        };
        let mut joint = |menus: &[(usize, Trigger, bool)]| {
            let all: Option<Vec<Vec<usize>>> =
                menus.iter().map(|&(unit, trigger, _)| enabled(unit, trigger)).collect();
            let Some(all) = all else { return };
            if menus.iter().zip(&all).all(|((_, _, required), own)| !required || !own.is_empty()) {
                for ((unit, ..), own) in menus.iter().zip(all) {
                    own.into_iter().for_each(|number| taken[*unit][number] = true);
                }
            }
        };
        let units = 0..program.units().len();
        let has = |unit: &usize, action| program.units()[*unit].alphabet.contains(&action);
        for (action, _) in program.alphabet().iter().filter(|(action, _)| !program.is_ticked(*action)) {
            let sharing = units.clone().filter(|unit| has(unit, action));
            joint(&sharing.map(|unit| (unit, Trigger::Action(action), true)).collect::<Vec<_>>());
        }
        for (number, tick) in program.ticks().iter().enumerate() {
            let trigger = Trigger::Tick(TickId::from_index(number));
            let is_member = |unit: &usize| tick.members.iter().any(|member| member.index() == *unit);
            let members = units.clone().filter(is_member).map(|unit| (unit, trigger, false));
            let others = tick.action.into_iter().flat_map(|action| {
                let others = units.clone().filter(move |unit| has(unit, action) && !is_member(unit));
                others.map(move |unit| (unit, Trigger::Action(action), true))
            });
            if value(tick.guard).is_ok_and(|it| it != 0) {
                joint(&members.chain(others).collect::<Vec<_>>());
            }
        }
        for (unit, it) in program.units().iter().enumerate() {
            for (number, command) in it.commands.iter().enumerate() {
                let is_silent = command.trigger == Trigger::Silent;
                taken[unit][number] |= is_silent && value(command.guard).is_ok_and(|it| it != 0);
            }
        }
    }
    taken
}

#[test]
fn commands_that_are_never_taken_are_known() {
    let (mut dead, mut witnesses) = (0, 0);
    for seed in seeds(1500) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        let naive = naive(&program);
        let last = ComponentId::from_index(program.units().len() - 1);
        let found = program_coverage(&program, &[last], &ANY).unwrap();
        assert_eq!(found.commands, taken(&program, &naive), "seed {seed}");
        assert_eq!(found.is_exhaustive, !naive.is_cut(), "seed {seed}");
        let occurs = |action| naive.steps.values().flatten().any(|(it, _, _)| *it == Some(action));
        let actions: Vec<bool> = program.alphabet().iter().map(|(action, _)| occurs(action)).collect();
        assert_eq!(found.actions, actions, "seed {seed}");
        dead += found.commands.iter().flatten().filter(|taken| !**taken).count();
        let moves = |(_, movers, end): &(_, Vec<usize>, End)| {
            movers.contains(&last.index()) && matches!(end, End::State(_))
        };
        let nearest = naive.steps.iter().filter(|(_, steps)| steps.iter().any(moves));
        let nearest = nearest.map(|(state, _)| naive.distance[state] + 1).min();
        assert_eq!(found.witness.as_ref().map(|witness| witness.steps.len()), nearest, "seed {seed}");
        witnesses += usize::from(nearest.is_some_and(|length| length > 1));
    }
    assert!(dead > 100 && witnesses > 20 || is_single_seed(), "{dead} {witnesses}");
}

#[test]
fn failures_of_some_units_are_found_where_they_come_first() {
    let (mut violated, mut held) = (0, 0);
    for seed in seeds(1500) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        let naive = naive(&program);
        for unit in 0..program.units().len() {
            let decision = check_units(&program, &[ComponentId::from_index(unit)], &ANY).unwrap();
            let fails = |(_, _, end): &_| matches!(end, End::Failure(failed, ..) if *failed == unit);
            let nearest = naive.steps.iter().filter(|(_, steps)| steps.iter().any(fails));
            let nearest = nearest.map(|(state, _)| naive.distance[state] + 1).min();
            assert_eq!(length(&decision, naive.is_cut(), seed), nearest, "seed {seed}");
            violated += usize::from(nearest.is_some());
            held += usize::from(decision.verdict.holds());
        }
    }
    assert!(violated > 100 && held > 100 || is_single_seed(), "{violated} {held}");
}

#[test]
fn a_property_that_watches_nothing_is_noticed() {
    // property P = (b -> P), over {b, c}, beside a unit that does a only.
    let mut lts = LtsBuilder::with_states(["b", "c"].into_iter().collect(), 1);
    let [b, c] = ["b", "c"].map(|name| Label::visible(lts.alphabet_mut().intern(name)));
    let error = lts.error_state();
    lts.add_transition(StateId::from_raw(0), b, StateId::from_raw(0));
    lts.add_transition(StateId::from_raw(0), c, error);
    let property = lts.build();
    for (name, is_inactive) in [("a", true), ("b", false)] {
        let mut builder = ProgramBuilder::new();
        let unit = builder.unit("UNIT");
        let (action, always, never) = (builder.action(name), builder.constant(1), builder.constant(0));
        builder.command(unit, Trigger::Action(action), always);
        for other in ["b", "c"].map(|other| builder.action(other)) {
            if other != action {
                builder.command(unit, Trigger::Action(other), never);
            }
        }
        builder.component("P", &property);
        let program = builder.build().unwrap();
        let found = check_reachability(&program, &ANY).unwrap();
        let Verdict::Holds(evidence) = found.safety.verdict else { panic!("nothing fails") };
        let expected = is_inactive.then_some(Vacuity::PropertyNeverActive(ComponentId::from_index(1)));
        assert_eq!(evidence.vacuity, expected.into_iter().collect::<Vec<_>>());
    }
}

/// A run with one thing changed.
fn forged(rng: &mut Rng, program: &Program, run: &Counterexample) -> Counterexample {
    let mut run = run.clone();
    let widths: Vec<u64> = program.slots().iter().map(|slot| slot.values.count()).collect();
    let slot = rng.below(widths.len());
    let length = run.trace.len();
    match (rng.below(5), length) {
        (0, _) => run.ending = Ending::Terminated,
        (1, 1..) => {
            run.trace.remove(rng.below(length));
        }
        (2, 1..) => {
            let step = &mut run.trace[rng.below(length)];
            step.after[slot] = (step.after[slot] + 1) % u32::try_from(widths[slot] + 1).unwrap();
        }
        (3, 1..) => {
            let step = &mut run.trace[rng.below(length)];
            match step.movers.is_empty() || rng.chance(1, 2) {
                true => step.action.push('x'),
                false => drop(step.movers.pop()),
            }
        }
        _ => run.initial[slot] += 1,
    }
    run
}

#[test]
fn forged_runs_are_not_replayed() {
    let mut refused = 0;
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let program = program(&mut rng, &Shape::FULL);
        let found = check_reachability(&program, &ANY).unwrap();
        for decision in [&found.deadlock, &found.safety] {
            let Some(run) = decision.verdict.counterexample() else { continue };
            let forged = forged(&mut rng, &program, run);
            // A step that changes nothing can be left out.
            let is_loop = |run: &Counterexample| run.trace.iter().any(|step| step.before == step.after);
            if replay(&program, &forged).is_ok() {
                assert!(is_loop(run) && forged.trace.len() < run.trace.len(), "seed {seed}: {forged:?}");
            } else {
                refused += 1;
            }
            let mut innocent = run.clone();
            innocent.fault = Some(Fault::Clash(SlotId::from_raw(u32::MAX)));
            let is_error = matches!(run.ending, Ending::Error(_));
            assert_eq!(replay(&program, &innocent).is_err(), is_error, "seed {seed}");
        }
    }
    assert!(refused > 100 || is_single_seed(), "{refused}");
}
