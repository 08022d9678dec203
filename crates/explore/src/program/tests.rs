//! Compiled programs against the naive twin.

mod groups;

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Id, Label, StateId};
use rely_lts::{Binary, Expression, ProgramBuilder, Trigger, Values};
use rely_testkit::naive::program::{End as NaiveEnd, NaiveProgram, Step, steps_of, value};
use rely_testkit::programs::{Shape, program};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::{Composite, Move, MoveEnd, Search, count, moves};

/// A move as the twin writes it.
fn as_naive(program: &Program, it: Move) -> Step {
    let movers = it.movers.into_iter().map(Id::index).collect();
    let end = match it.end {
        MoveEnd::State(after) => NaiveEnd::State(program.values(&after)),
        MoveEnd::Cut(unit) => NaiveEnd::Cut(unit.index()),
        MoveEnd::Error { part, fault, after } => {
            NaiveEnd::Failure(part.index(), fault.map(|it| format!("{it:?}")), program.values(&after))
        }
    };
    (it.label.action(), movers, end)
}

#[test]
fn states_steps_and_distances_are_those_of_the_naive_twin() {
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds(4_000) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        let naive = NaiveProgram::new(&program, 5_000).expect("random programs are small");
        let machine = Machine::transparent(&program);
        let mut search = Search::new(&machine);
        search.run(&Budget::UNLIMITED, &mut ()).expect("there is no limit");
        let mut found = BTreeSet::new();
        for state in (0..search.states().len()).map(StateId::from_index) {
            let positions = machine.numbers(search.states().get(state));
            let values = program.values(&positions);
            assert_eq!(search.distance(state), naive.distance[&values], "seed {seed}");
            assert_eq!(program.positions(&values), positions, "seed {seed}");
            let steps = moves(&program, &positions, &Budget::UNLIMITED).expect("there is no limit");
            let steps: BTreeSet<Step> =
                steps.expect("it is a state").into_iter().map(|it| as_naive(&program, it)).collect();
            assert_eq!(steps, naive.steps[&values], "seed {seed}: {}", program.show(&values, true));
            for (_, movers, end) in &steps {
                let kind = match end {
                    NaiveEnd::State(_) if movers.len() > 1 => "together",
                    NaiveEnd::State(_) => "one",
                    NaiveEnd::Cut(_) => "cut",
                    NaiveEnd::Failure(_, Some(fault), _) => match &fault[..4] {
                        "Divi" => "division",
                        "Inde" => "index",
                        "Rang" => "range",
                        "Clas" => "clash",
                        other => panic!("{other}"),
                    },
                    NaiveEnd::Failure(_, None, _) => "failure",
                };
                *met.entry(kind).or_default() += 1;
            }
            found.insert(values);
        }
        assert_eq!(found, naive.steps.keys().cloned().collect(), "seed {seed}");
    }
    let kinds = ["together", "one", "cut", "failure", "division", "index", "range", "clash"];
    assert!(kinds.iter().all(|kind| met.contains_key(kind)) || is_single_seed(), "{met:?}");
}

#[test]
fn counts_are_those_of_the_naive_twin() {
    for seed in seeds(1_500) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        let naive = NaiveProgram::new(&program, 5_000).expect("random programs are small");
        let size = count(&Machine::transparent(&program), &Budget::UNLIMITED).expect("there is no limit");
        let lts = naive.to_lts();
        assert_eq!(size.states, lts.proper_state_count(), "seed {seed}");
        assert_eq!(
            (size.error_reachable, size.cut.is_some()),
            (naive.error().is_some(), naive.is_cut()),
            "seed {seed}"
        );
        if !naive.is_cut() {
            assert_eq!(size.transitions, lts.transition_count(), "seed {seed}");
        }
    }
}

/// Expressions of all kinds over numbers at the limits.
#[test]
fn expressions_have_the_values_of_the_naive_twin() {
    let operators = [
        Binary::And,
        Binary::Or,
        Binary::Equal,
        Binary::NotEqual,
        Binary::Less,
        Binary::LessOrEqual,
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Remainder,
        Binary::Modulo,
    ];
    let numbers = [i64::MIN, i64::MIN + 1, -7, -2, -1, 0, 1, 2, 3, 8, i64::MAX];
    let mut builder = ProgramBuilder::new();
    let x = builder.slot("x", Values::Range(-1, 1), 0);
    let x = builder.value(x);
    let mut all = Vec::new();
    for one in numbers {
        let one = builder.constant(one);
        all.push(builder.expression(Expression::Unary(rely_lts::Unary::Negate, one)));
        for (operator, other) in operators.iter().flat_map(|op| numbers.map(|other| (*op, other))) {
            let other = builder.constant(other);
            let made = builder.binary(operator, one, other);
            let shared = builder.binary(Binary::Or, x, made);
            all.extend([made, shared, builder.expression(Expression::If(x, made, shared))]);
        }
    }
    let unit = builder.unit("U");
    for &it in &all {
        builder.command(unit, Trigger::Silent, it);
    }
    let program = builder.build().expect("it has a meaning");
    let machine = Machine::transparent(&program);
    let mut cursor = machine.cursor();
    for position in 0..3 {
        let state = machine.pack(&[position]).expect("it is a state");
        cursor.memory.begin_state();
        for (number, &it) in all.iter().enumerate() {
            let candidates = machine.plan.alone[0].candidates(&machine.layout, &state);
            let candidate = candidates[number];
            // Of a constant that is not 0, only that is known.
            if candidate.guard.is_none() {
                continue;
            }
            let expected = value(&program, it, &program.values(&[position]));
            // Twice, since the second time a value may have been kept.
            for _ in 0..2 {
                assert_eq!(
                    machine.guard(candidate, &state, &mut cursor),
                    expected,
                    "{:?}",
                    program.expression(it)
                );
            }
        }
    }
}

#[test]
fn shared_expressions_do_not_multiply() {
    let mut builder = ProgramBuilder::new();
    let x = builder.slot("x", Values::Range(0, 1), 1);
    let (mut sum, zero) = (builder.value(x), builder.constant(0));
    // A tree of 2^60 leaves that is a chain of 60 sums.
    for _ in 0..60 {
        sum = builder.add(sum, sum);
    }
    let guard = builder.less(zero, sum);
    let unit = builder.unit("U");
    builder.command(unit, Trigger::Silent, guard).assign(x, zero);
    let program = builder.build().expect("it has a meaning");
    let size = count(&Machine::transparent(&program), &Budget::UNLIMITED).expect("there is no limit");
    assert_eq!((size.states, size.transitions), (2, 1));
}

#[test]
fn many_steps_of_one_state_can_be_interrupted() {
    let mut builder = ProgramBuilder::new();
    let always = builder.constant(1);
    let tick = builder.tick(None, always);
    for i in 0..64 {
        let x = builder.slot(format!("x{i}"), Values::Boolean, 0);
        let unit = builder.unit(format!("U{i}"));
        for value in 0..2 {
            let value = builder.constant(value);
            builder.command(unit, Trigger::Tick(tick), always).assign(x, value);
        }
    }
    let program = builder.build().expect("it has a meaning");
    let limits = rely_base::Limits { states: Some(1000), bytes: None };
    let exhausted =
        count(&Machine::new(&program), &Budget::new(limits, None)).expect_err("there are 2^64 states");
    assert_eq!(exhausted.resource, rely_base::Resource::States);
    let machine = Machine::new(&program);
    let mut search = Search::new(&machine);
    search.run(&Budget::new(limits, None), &mut ()).expect_err("there are 2^64 steps");
}

#[test]
fn hidden_actions_are_silent_from_outside() {
    for seed in seeds(200) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        let (inside, outside) = (Machine::transparent(&program), Machine::new(&program));
        let state = inside.initial.clone();
        let name = |machine: &Machine<'_>, label: Label| machine.alphabet.label_name(label).to_owned();
        let (mut seen, mut expected) = (Vec::new(), Vec::new());
        outside.successors(&state, &mut outside.cursor(), &mut |label, _| seen.push(name(&outside, label)));
        inside.successors(&state, &mut inside.cursor(), &mut |label, _| {
            let is_hidden = label.action().is_some_and(|action| program.is_hidden(action));
            expected.push(if is_hidden { "tau".to_owned() } else { name(&inside, label) });
        });
        assert_eq!(seen, expected, "seed {seed}");
        let steps = steps_of(&program, &program.initial());
        assert_eq!(steps.is_empty(), seen.is_empty(), "seed {seed}");
    }
}
