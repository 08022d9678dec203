//! Some units of a program by themselves, put together again by the names of their actions.

use rely_base::Budget;
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{
    Component, Lifetime, Network, NotSeparate, Program, ProgramBuilder, Slot, Trigger, UnitId, Values,
};
use rely_testkit::programs::{Shape, program};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::{NotGenerated, generate, generate_program};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// Three units, each with two slots of its own, over shared actions and a tick that has an action.
fn separable(rng: &mut Rng) -> Program {
    let mut builder = ProgramBuilder::new();
    let actions = ["a", "b"].map(|name| builder.action(name));
    let slots: Vec<_> = (0..6)
        .map(|i| {
            let lifetime = if rng.chance(1, 4) { Lifetime::Momentary } else { Lifetime::Kept };
            builder.slot_with(Slot {
                name: format!("x{i}"),
                values: Values::Range(0, 1),
                initial: 0,
                lifetime,
            })
        })
        .collect();
    let ticked = builder.action("t");
    let guard = builder.is(slots[rng.below(6)], 0);
    let tick = builder.tick(Some(ticked), guard);
    for unit in 0..3 {
        let id = builder.unit(format!("U{unit}"));
        let own = &slots[2 * unit..2 * unit + 2];
        for _ in 0..2 + rng.below(3) {
            let trigger = match rng.below(4) {
                0 => Trigger::Silent,
                1 => Trigger::Tick(tick),
                _ => Trigger::Action(*rng.pick(&actions)),
            };
            let guard = builder.is(*rng.pick(own), i64::from(rng.chance(1, 2)));
            let value = builder.constant(i64::from(rng.chance(1, 2)));
            builder.command(id, trigger, guard).assign(*rng.pick(own), value);
        }
    }
    // A tick without members belongs to no group.
    builder.join(UnitId::from_raw(0), tick);
    builder.build().expect("it has a meaning")
}

#[test]
fn groups_do_together_what_the_program_does() {
    let mut separate = 0;
    for seed in seeds(1000) {
        let mut rng = Rng::new(seed);
        let program = separable(&mut rng);
        let first = 1 + rng.below(2);
        let units: Vec<UnitId> = (0..3).map(UnitId::from_raw).collect();
        let (one, other) = units.split_at(first);
        let groups = [one, other].map(|units| program.group(units));
        let [Ok(one), Ok(other)] = groups else {
            panic!("seed {seed}: {groups:?}");
        };
        let lts = |program: &Program| generate_program(program, &ANY).expect("there is no limit");
        let parts = [("ONE", &one), ("OTHER", &other)].map(|(name, part)| Component::new(name, lts(part)));
        let together = generate(&Network::new(parts.into()), &ANY).expect("there is no limit");
        assert_eq!(compare(&lts(&program), &together, Equivalence::Strong, &ANY), Ok(true), "seed {seed}");
        separate += usize::from(together.state_count() > 2);
    }
    assert!(separate > 500 || is_single_seed(), "{separate}");
}

#[test]
fn what_is_shared_is_named() {
    let mut builder = ProgramBuilder::new();
    let x = builder.slot("x", Values::Boolean, 0);
    let (is, one) = (builder.is(x, 0), builder.constant(1));
    let units = ["WRITER", "READER"].map(|name| builder.unit(name));
    builder.command(units[0], Trigger::Silent, one).assign(x, one);
    builder.command(units[1], Trigger::Silent, is);
    let program = builder.build().expect("it has a meaning");
    let shared = program.group(&units[..1]).expect_err("x is shared");
    assert_eq!(shared.to_string(), "x is shared with READER, so the units cannot be taken by themselves");
    let mut builder = ProgramBuilder::new();
    let units = ["A", "B"].map(|name| builder.unit(name));
    let always = builder.constant(1);
    let tick = builder.tick(None, always);
    for unit in units {
        builder.join(unit, tick);
    }
    let program = builder.build().expect("it has a meaning");
    assert_eq!(program.group(&units[..1]), Err(NotSeparate::Tick(tick)));
}

#[test]
fn programs_are_generated_unless_runs_are_cut() {
    let mut cut = 0;
    for seed in seeds(500) {
        let program = program(&mut Rng::new(seed), &Shape::FULL).with_hidden(|_| false);
        let naive = rely_testkit::naive::program::NaiveProgram::new(&program, 5_000).expect("it is small");
        match generate_program(&program, &ANY) {
            Ok(lts) => {
                assert!(!naive.is_cut(), "seed {seed}");
                let same = compare(&lts, &naive.to_lts(), Equivalence::Strong, &ANY);
                assert_eq!(
                    (same, lts.state_count()),
                    (Ok(true), naive.to_lts().state_count()),
                    "seed {seed}"
                );
            }
            Err(NotGenerated::Cut(_)) => {
                assert!(naive.is_cut(), "seed {seed}");
                cut += 1;
            }
            Err(NotGenerated::Exhausted(exhausted)) => panic!("seed {seed}: {exhausted}"),
        }
    }
    assert!(cut > 20 || is_single_seed(), "{cut}");
}
