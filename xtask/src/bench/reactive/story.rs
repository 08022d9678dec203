//! The components of the steam boiler under different assumptions, and the boiler as a whole.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use rely_base::{Budget, Label, Limits, StateId};
use rely_explore::{Machine, Search, Visitor};
use rely_lts::{ComponentId as Unit, Program};
use rely_model::{Assumption, Environment, Failure, OpenComponents, Window};
use rely_reactive::program::{Check, Options, View, lower};
use rely_reactive::system::{ComponentId, System};
use rely_reactive::{Elaborator, assumed};

use super::pan::Pan;
use super::{elaborated, text};
use crate::bench::measure::cpu_milliseconds;

/// How many states are looked at where not all of them can be.
const MOST: usize = 1_000_000;
/// The components of the boiler with one pump.
pub(super) const COMPONENTS: [&str; 4] = ["Water", "Steam", "Pump[1]", "Control"];
/// The memory that SPIN may use.
const MEGABYTES: usize = 400;

/// The property of the whole system.
const WHOLE: &str = "no_needless_stop";

/// What a search took.
struct Effort {
    states: usize,
    seconds: f64,
    megabytes: f64,
    is_complete: bool,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = format!("{}{}", if self.is_complete { "" } else { ">" }, self.states);
        write!(f, "{:>8.1} {states:>11} {:>6.0}", self.seconds, self.megabytes)
    }
}

/// Notes whether some unit fails, and may end the search there.
struct Failing {
    some: bool,
    ends: bool,
}

impl Visitor for Failing {
    fn error(&mut self, _source: Option<StateId>, _label: Label, _unit: Unit) {
        self.some = true;
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.some && self.ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Searches a program, up to the first failure if that is enough; and whether something fails.
fn search(program: &Program, to_failure: bool, most: usize) -> (bool, Effort) {
    let machine = Machine::transparent(program);
    let start = cpu_milliseconds();
    let mut search = Search::new(&machine);
    let mut failing = Failing { some: false, ends: to_failure };
    let budget = Budget::new(Limits { states: Some(most), bytes: None }, None);
    let is_complete = search.run(&budget, &mut failing).is_ok();
    let effort = Effort {
        states: search.states().len(),
        seconds: (cpu_milliseconds() - start) / 1e3,
        megabytes: search.bytes() as f64 / 1e6,
        is_complete,
    };
    (failing.some, effort)
}

/// A component, and what it may assume.
struct Question<'a> {
    system: &'a System,
    name: &'a str,
    component: ComponentId,
    assumed: Vec<Assumption>,
}

impl Question<'_> {
    fn view(&self) -> View {
        View::Component(self.component)
    }

    /// What the program has, with all properties of the component.
    fn options(&self) -> Result<Options> {
        let formula = |it| assumed::formula(self.system, self.component, it);
        let assumptions = self.assumed.iter().map(formula).collect::<Option<Vec<_>>>();
        let assumptions = assumptions.context("an assumption that has a meaning")?;
        let options = Options::with_properties(self.system, self.view());
        Ok(Options { assumptions, all_choices: false, ..options })
    }

    /// The program that one property watches.
    fn watched(&self, options: &Options, check: &Check) -> Program {
        let options = Options { checks: vec![check.clone()], ..options.clone() };
        lower(self.system, self.view(), &options).program
    }
}

fn known<T>(answer: Result<T, Failure>) -> Result<T> {
    answer.map_err(|failure| anyhow!("{failure:?}"))
}

/// The table of the components, each property asked alone; and what all of them together take.
pub(super) fn components(root: &Path, names: &[&str], pan: Option<&Pan>) -> Result<()> {
    let text = text(root, "steam-boiler.srs")?;
    println!("times in seconds; checking: of all properties, states and MB: of the largest search");
    println!(
        "component environment  holds false  open rules | mining discharge | checking      states     MB | alarms"
    );
    let (mut elaborator, system) = elaborated(&text)?;
    for &name in names {
        let component = system.component_called(name).context("a component")?;
        let start = cpu_milliseconds();
        let mined = known(elaborator.mine(name, Window::One, &Budget::UNLIMITED))?.assumptions;
        let mining = (cpu_milliseconds() - start) / 1e3;
        let (written, discharge) = discharged(&mut elaborator, name)?;
        for environment in
            [Environment::Mined, Environment::Mixed, Environment::Written, Environment::Universal]
        {
            let rules = if environment.has_rules() { &mined[..] } else { &[] };
            let own = if environment.has_written() { &written[..] } else { &[] };
            let assumed = [rules, own].concat();
            let question = Question { system: &system, name, component, assumed };
            line(&question, &mut elaborator, environment, [mining, discharge])?;
        }
    }
    println!("\nall properties in one search, with mined rules: seconds, states, MB; ours, and SPIN's");
    for &name in names {
        let component = system.component_called(name).context("a component")?;
        let assumed = known(elaborator.mine(name, Window::One, &Budget::UNLIMITED))?.assumptions;
        let question = Question { system: &system, name, component, assumed };
        together(name, &lower(&system, question.view(), &question.options()?).program, pan)?;
    }
    Ok(())
}

/// A line of the second table.
fn together(name: &str, program: &Program, pan: Option<&Pan>) -> Result<()> {
    let (_, ours) = search(program, false, MOST);
    print!("{name:9} {ours}");
    match pan {
        None => println!(),
        Some(pan) => {
            let theirs = pan.search(program, MEGABYTES)?;
            let rate = |states: usize, seconds: f64| states as f64 / seconds.max(0.001);
            let ratio = rate(ours.states, ours.seconds) / rate(theirs.states, theirs.seconds);
            println!(" | {theirs} | states a second, ours : SPIN {ratio:.1}");
        }
    }
    Ok(())
}

/// One line of the first table; and how long mining and discharging took.
fn line(
    question: &Question<'_>,
    elaborator: &mut Elaborator,
    environment: Environment,
    [mining, discharge]: [f64; 2],
) -> Result<()> {
    let (alarms, open, effort) = answers(question, elaborator)?;
    let options = question.options()?;
    println!(
        "{:9} {:11} {:>6} {:>5} {open:>5} {:>5} | {:>6.1} {:>9.1} | {effort} | {}",
        question.name,
        format!("{environment:?}").to_lowercase(),
        options.checks.len() - alarms.len() - open,
        alarms.len(),
        question.assumed.len(),
        if environment.has_rules() { mining } else { 0.0 },
        if environment.has_written() { discharge } else { 0.0 },
        alarms.join(", "),
    );
    Ok(())
}

/// The alarms of a component, how many properties are open because there was too much to look at, and what it took. Where there
/// is too much, alarms are looked for among the runs in which one event comes at a time.
fn answers(question: &Question<'_>, elaborator: &mut Elaborator) -> Result<(Vec<String>, usize, Effort)> {
    let (options, pairs) = (question.options()?, known(elaborator.one_at_a_time(question.name))?);
    let narrow = Question { assumed: [&pairs[..], &question.assumed[..]].concat(), ..*question }.options()?;
    let (mut alarms, mut open) = (Vec::new(), 0);
    let mut all = Effort { states: 0, seconds: 0.0, megabytes: 0.0, is_complete: true };
    for check in &options.checks {
        let (mut fails, effort) = search(&question.watched(&options, check), true, MOST);
        all.seconds += effort.seconds;
        all.is_complete &= effort.is_complete;
        if effort.states > all.states {
            (all.states, all.megabytes) = (effort.states, effort.megabytes);
        }
        if !effort.is_complete {
            let (also, effort) = search(&question.watched(&narrow, check), true, MOST);
            all.seconds += effort.seconds;
            fails |= also;
        }
        if fails {
            alarms.push(check.name.clone());
        } else if !effort.is_complete {
            open += 1;
        }
    }
    Ok((alarms, open, all))
}

/// The assumptions of the text that the environment is found to keep, and how long that took.
fn discharged(elaborator: &mut Elaborator, name: &str) -> Result<(Vec<Assumption>, f64)> {
    let (mut kept, start) = (Vec::new(), cpu_milliseconds());
    for assumption in known(elaborator.written(name))? {
        let senders = known(elaborator.senders(name, &assumption))?;
        let senders: Vec<Option<&str>> = match senders.is_empty() {
            true => vec![None],
            false => senders.iter().map(|sender| Some(sender.as_str())).collect(),
        };
        let mut is_kept = true;
        for sender in senders {
            let (target, _) = known(elaborator.environment(name, sender, std::slice::from_ref(&assumption)))?;
            let program = target.behaviour.as_program().context("a program")?;
            let (fails, effort) = search(program, true, MOST);
            is_kept &= effort.is_complete && !fails;
        }
        if is_kept {
            kept.push(assumption);
        }
    }
    Ok((kept, (cpu_milliseconds() - start) / 1e3))
}

/// The boiler as a whole, with its property.
pub(super) fn whole(root: &Path, pan: Option<&Pan>) -> Result<()> {
    let (_, system) = elaborated(&text(root, "steam-boiler.srs")?)?;
    let options = Options::with_properties(&system, View::Whole);
    let checks = options.checks.iter().filter(|check| check.name == WHOLE).cloned().collect();
    let options = Options { checks, all_choices: false, ..options };
    println!(
        "the boiler as a whole: seconds, states, MB; ours, and SPIN's as far as it gets in {MEGABYTES} MB"
    );
    together("Boiler", &lower(&system, View::Whole, &options).program, pan)
}
