//! What mining costs: beside one pass that only collects distinct valuations, with a past, and with the short cut of the
//! literature.

use std::path::Path;

use anyhow::{Context, Result};
use rely_base::{Budget, Limits, StateId};
use rely_explore::{Machine, Search, Visitor};
use rely_reactive::configurations::{Configurations, Observer, Past, Valuation};
use rely_reactive::environment;
use rely_reactive::mine::mine;
use rely_reactive::program::COUNTED;
use rely_reactive::short_circuit::mine_with_short_cut;
use rely_reactive::system::{ComponentId, System};
use rustc_hash::FxHashSet;

use super::{apriori, elaborated, text};
use crate::bench::measure::cpu_milliseconds;
use crate::bench::random::Random;

/// How many states an environment may have here.
const MOST: usize = 4_000_000;

/// How many events the configurations of [`lists`] have.
const EVENTS: usize = 12;
/// Lists that are longer are too long for a general miner.
const FOR_APRIORI: usize = 10_000;

pub(super) fn run(root: &Path, folder: &Path) -> Result<()> {
    lists(folder)?;
    let models =
        [("door", "lift.srs", "Door"), ("cabin", "lift.srs", "Cabin"), ("calls", "lift.srs", "Calls")];
    let boiler = [("water", "Water"), ("steam", "Steam")];
    println!("\nenvironment of  configurations  states   pass only  with rules  ratio");
    for (name, file, component) in
        models.into_iter().chain(boiler.map(|(name, component)| (name, "steam-boiler.srs", component)))
    {
        let (_, system) = elaborated(&text(root, file)?)?;
        let component = system.component_called(component).context("a component")?;
        environment_of(name, &system, component);
    }
    Ok(())
}

/// Mining lists of configurations with twelve events, beside one pass over each that collects distinct valuations, and beside
/// Apriori.
fn lists(folder: &Path) -> Result<()> {
    println!("configurations  distinct   rules  pass ms  mining ms  ratio");
    for count in [10_000, 100_000, 1_000_000] {
        let list = random_list(count);
        let (pass, distinct) = timed(|| list.iter().copied().collect::<FxHashSet<(i32, Valuation)>>());
        let (mining, mined) = timed(|| {
            let events = (0..EVENTS).map(rely_base::Id::from_index).collect();
            let mut configurations = Configurations { events, counted: COUNTED, ..Configurations::default() };
            configurations.record(list.iter().copied());
            mine(configurations)
        });
        println!(
            "{count:>14} {:>9} {:>7} {pass:>8.1} {mining:>10.1} {:>6.1}",
            distinct.len(),
            mined.rules.len(),
            mining / pass
        );
        if count <= FOR_APRIORI {
            apriori::line(&list, EVENTS, folder)?;
        }
    }
    Ok(())
}

/// How long something takes in milliseconds, from several runs, since the clock is coarse; and its result.
fn timed<T>(work: impl Fn() -> T) -> (f64, T) {
    const RUNS: usize = 20;
    let start = cpu_milliseconds();
    let mut result = work();
    for _ in 1..RUNS {
        result = work();
    }
    ((cpu_milliseconds() - start) / RUNS as f64, result)
}

/// Configurations as environments have them: groups of four events exclude each other, and each group has microsteps of its own.
fn random_list(count: usize) -> Vec<(i32, Valuation)> {
    let mut random = Random::new(1);
    let list = (0..count).map(|_| {
        let microstep = 1 + i32::try_from(random.below(8)).unwrap_or(0);
        let mut valuation = 0;
        for group in 0..3 {
            let is_here = (microstep + group) % 3 != 0;
            let event = random.below(6);
            if is_here && event < 4 {
                valuation |= 1 << (4 * group + i32::try_from(event).unwrap_or(0));
            }
        }
        (microstep, valuation)
    });
    list.collect()
}

/// Collects distinct valuations only.
struct Distinct<'a, 'p> {
    machine: &'a Machine<'p>,
    observer: &'a Observer,
    met: FxHashSet<(i32, Valuation)>,
}

impl Visitor for Distinct<'_, '_> {
    fn discovered(&mut self, _state: StateId, words: &[u64]) {
        self.met.extend(self.observer.met(|slot| self.machine.value(words, slot)));
    }
}

/// A line about the environment of a component.
fn environment_of(name: &str, system: &System, component: ComponentId) {
    let budget = Budget::new(Limits { states: Some(MOST), bytes: None }, None);
    let Ok((lowered, observer)) = Observer::new(system, component, Past::None, COUNTED) else { return };
    let start = cpu_milliseconds();
    let machine = Machine::transparent(&lowered.program);
    let mut search = Search::new(&machine);
    let mut distinct = Distinct { machine: &machine, observer: &observer, met: FxHashSet::default() };
    if search.run(&budget, &mut distinct).is_err() {
        println!("{name:14} more than {MOST} states");
        return;
    }
    let pass = (cpu_milliseconds() - start) / 1e3;
    let states = search.states().len();
    drop(search);
    let timed = |past| {
        let start = cpu_milliseconds();
        let mined = environment::mine(system, component, past, &budget);
        ((cpu_milliseconds() - start) / 1e3, mined)
    };
    let (seconds, mined) = timed(Past::None);
    let Ok(mined) = mined else { return };
    println!(
        "{name:14} {:>15} {states:>8} {pass:>9.2} s {seconds:>9.2} s {:>6.2}   {} rules",
        mined.configurations.total(),
        seconds / pass,
        mined.rules.len()
    );
    for past in [Past::Microstep, Past::Macrostep] {
        match timed(past) {
            (seconds, Ok(mined)) => println!(
                "    with the {:9} before: {seconds:.2} s, {} rules more",
                format!("{past:?}").to_lowercase(),
                mined.rules.len()
            ),
            (seconds, Err(_)) => println!("    with {past:?}: more than {MOST} states after {seconds:.2} s"),
        }
    }
    let start = cpu_milliseconds();
    if let Ok((short, states)) = mine_with_short_cut(system, component, &budget) {
        let is_met = |(microstep, valuation): &(i32, Valuation)| {
            short.configurations.counts.contains_key(&(*microstep, *valuation))
        };
        let lost = mined.configurations.counts.keys().filter(|met| !is_met(met)).count();
        println!(
            "    with the short cut: {states} states, {:.2} s, {lost} of {} valuations lost, {} rules",
            (cpu_milliseconds() - start) / 1e3,
            mined.configurations.counts.len(),
            short.rules.len()
        );
    }
}
