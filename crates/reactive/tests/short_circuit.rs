//! What the short cut of the literature loses: a key of the microstep and the enabled transitions alone.

#[path = "semantics/random.rs"]
mod random;

use std::collections::BTreeSet;

use rely_base::{Budget, Id, Limits};
use rely_reactive::Elaborator;
use rely_reactive::configurations::{Past, Valuation};
use rely_reactive::environment::mine;
use rely_reactive::mine::Mined;
use rely_reactive::short_circuit::mine_with_short_cut;
use rely_reactive::system::{ComponentId, System};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

fn system(text: &str) -> System {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    assert!(!parse.has_errors() && !elaborator.has_errors(), "{text}\n{:?}", elaborator.diagnostics());
    elaborator.systems().next().expect("there is one").clone()
}

fn met(mined: &Mined) -> BTreeSet<(i32, Valuation)> {
    mined.configurations.counts.keys().copied().collect()
}

/// Whether everything that was met keeps to the rules.
fn are_true(rules: &Mined, met: &Mined) -> bool {
    met.configurations.counts.keys().all(|&(microstep, valuation)| {
        rules.rules.iter().all(|rule| !(rule.microsteps.contains(&microstep) && rule.never.has(valuation)))
    })
}

#[test]
fn the_short_cut_loses_configurations_and_finds_false_rules() {
    let (mut all, mut smaller, mut lost, mut with_false_rules) = (0, 0, 0, 0);
    for seed in seeds(120) {
        let text = random::system(&mut Rng::new(seed));
        let system = system(&text);
        for component in (0..system.components.len()).map(ComponentId::from_index) {
            let limits = Limits { states: Some(20_000), bytes: None };
            let budget = Budget::UNLIMITED.narrowed(limits);
            let Ok(whole) = mine(&system, component, Past::None, &budget) else { continue };
            let (short, _) = mine_with_short_cut(&system, component, &budget).expect("it has fewer states");
            assert!(met(&short).is_subset(&met(&whole)), "seed {seed}\n{text}");
            assert_eq!(are_true(&short, &whole), met(&short) == met(&whole), "seed {seed}\n{text}");
            all += 1;
            smaller += usize::from(short.configurations.total() < whole.configurations.total());
            lost += usize::from(met(&short) != met(&whole));
            with_false_rules += usize::from(!are_true(&short, &whole));
        }
    }
    let found = (smaller, lost, with_false_rules);
    assert!((smaller > 0 && with_false_rules > 0) || is_single_seed(), "of {all}: {found:?}");
}

#[test]
fn a_machine_that_stands_still_matters_later() {
    let system = system(
        "system Lamp {
            input one of press, power
            component Switch {
                gives light
                machine Fuse  { out -> in on power }
                machine Key   { k -> k on press / pressed }
                machine Relay { r -> r on pressed & Fuse.in / light }
            }
            component Room { takes light  machine Room { dark -> lit on light } }
        }",
    );
    let room = system.component_called("Room").expect("it is there");
    let lines = |mined: &Mined| mined.lines(&system).into_iter().map(|line| line.text).collect::<Vec<_>>();
    let whole = mine(&system, room, Past::None, &Budget::UNLIMITED).expect("it is small");
    let (short, _) = mine_with_short_cut(&system, room, &Budget::UNLIMITED).expect("it is small");
    // The key is pressed first while the fuse is out: in the second microstep nothing is enabled. That the fuse is in later
    // makes no difference to what is enabled in the first microstep.
    assert_eq!(lines(&whole), ["light: only in microstep 2"]);
    assert_eq!(lines(&short), ["light: never"]);
}
