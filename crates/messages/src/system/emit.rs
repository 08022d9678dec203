//! Writing the program of a component.

use std::sync::Arc;

use rely_base::{ActionId, Budget, Id, Progress};
use rely_lts::{Command, ExpressionId, Outcome, ProgramBuilder, SlotId, Target, Trigger, UnitId, Values};
use rustc_hash::FxHashMap;

use super::naming::{ENVIRONMENT, Naming};
use super::term;
use super::values::{all_values, cell_values, small};
use super::ways::{Walker, Way};
use super::{Environment, Layout, Options, Reason, Refused, Sent, Step, System};
use crate::component::{Component, Process};

/// The most commands and assignments of a program together.
const MAX_SIZE: usize = 5_000_000;

/// The program of a component.
pub(super) fn system(
    component: &Arc<Component>,
    options: &Options,
    budget: &Budget<'_>,
) -> Result<System, Refused> {
    let mut writer = Writer {
        component,
        options,
        budget,
        program: ProgramBuilder::new(),
        layouts: Vec::new(),
        units: Vec::new(),
        environment: None,
        steps: Vec::new(),
        events: Vec::new(),
        numbers: FxHashMap::default(),
        reasons: Vec::new(),
        commands: 0,
        size: 0,
    };
    writer.lay_out();
    writer.behave()?;
    let lost: Vec<_> = (0..component.processes.len()).map(|process| writer.lost(process)).collect();
    let (any_lost, stuck) = writer.stuck(&lost);
    let properties = writer.properties();
    writer.ending();
    let Writer { program, layouts, steps, events, reasons, .. } = writer;
    let program = program.build().expect("slots, units and actions are those that were made above");
    let component = Arc::clone(component);
    let mut system =
        System { component, program, steps, events, reasons, layouts, lost, any_lost, stuck, properties };
    system.resolve_events();
    Ok(system)
}

/// A program that is being written.
pub(super) struct Writer<'w> {
    pub(super) component: &'w Component,
    pub(super) options: &'w Options,
    budget: &'w Budget<'w>,
    pub(super) program: ProgramBuilder,
    pub(super) layouts: Vec<Layout>,
    /// The unit of each process.
    pub(super) units: Vec<UnitId>,
    environment: Option<UnitId>,
    /// What each action means, by number.
    steps: Vec<Step>,
    events: Vec<Vec<String>>,
    numbers: FxHashMap<Step, ActionId>,
    reasons: Vec<Vec<Option<Reason>>>,
    /// How many commands there are so far.
    commands: usize,
    /// How many commands and assignments there are so far.
    size: usize,
}

/// A command before it is added.
pub(super) struct Draft {
    pub(super) trigger: Trigger,
    pub(super) guard: ExpressionId,
    pub(super) assignments: Vec<(Target, ExpressionId)>,
    pub(super) end: Option<(Outcome, Reason)>,
    pub(super) place: Option<rely_base::Span>,
}

impl Writer<'_> {
    /// Makes the slots and units of all processes.
    fn lay_out(&mut self) {
        for process in &self.component.processes {
            let layout = self.layout(process);
            self.layouts.push(layout);
            self.units.push(self.program.unit(process.name.clone()));
            self.reasons.push(Vec::new());
        }
        if self.options.environment == Environment::Universal && !self.component.inputs.is_empty() {
            self.environment = Some(self.program.unit(ENVIRONMENT));
            self.reasons.push(Vec::new());
        }
    }

    fn layout(&mut self, process: &Process) -> Layout {
        let (mut names, mut waiting, mut entering) = (Vec::new(), Vec::new(), Vec::new());
        for state in &process.states {
            waiting.push(small(names.len()));
            names.push(state.name.to_string());
            entering.push((!state.action.is_empty()).then(|| small(names.len())));
            if !state.action.is_empty() {
                names.push(format!("entering {}", state.name));
            }
        }
        let initial = entering.first().copied().flatten().unwrap_or(0);
        let control = self.program.slot(format!("{}.state", process.name), Values::Named(names), initial);
        let variables = process.variables.iter().map(|variable| {
            let (name, values) = (format!("{}.{}", process.name, variable.name), variable.ty.to_values());
            match variable.array {
                None => self.program.slot(name, values, variable.initial),
                Some((low, length)) => {
                    let elements = (0..length).map(|offset| {
                        let name = format!("{name}[{}]", i64::from(low) + i64::from(offset));
                        self.program.slot(name, values.clone(), variable.initial)
                    });
                    elements.min().unwrap_or(SlotId::from_raw(0))
                }
            }
        });
        let variables = variables.collect();
        let bound = self.options.queue.unwrap_or(process.queue).max(1);
        let greatest = i32::try_from(bound).unwrap_or(i32::MAX);
        let length =
            self.program.slot(format!("{}.queue.length", process.name), Values::Range(0, greatest), 0);
        let (codes, messages) = cell_values(process);
        let cells =
            self.program.array(&format!("{}.queue", process.name), bound, &Values::Named(messages), 0);
        Layout { control, waiting, entering, variables, length, cells, codes }
    }

    /// Writes what all units do.
    fn behave(&mut self) -> Result<(), Refused> {
        let mut all = Vec::new();
        for number in 0..self.component.processes.len() {
            for state in 0..self.component.processes[number].states.len() {
                if self.layouts[number].entering[state].is_some() {
                    all.push((number, state, self.ways(number, state)?));
                }
            }
        }
        let inputs = self.inputs();
        let mut sends: Vec<Step> = Vec::new();
        for (number, state, ways) in &all {
            sends.extend(ways.iter().map(|way| step_of(*number, *state, way)));
        }
        let mut sends: Vec<Step> = sends.into_iter().chain(inputs.iter().cloned()).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        sends.retain(|step| seen.insert(step.clone()));
        let component = self.component;
        let mut naming = Naming::new(component, sends.iter());
        for (number, state, ways) in &all {
            for way in ways {
                self.act(*number, *state, way, &mut naming)?;
            }
        }
        for input in inputs {
            self.arrive(&input, &mut naming)?;
        }
        for number in 0..self.component.processes.len() {
            self.receive(number, &mut naming)?;
            self.wait(number, &mut naming)?;
        }
        for number in 0..self.steps.len() {
            self.enqueue(ActionId::from_index(number))?;
        }
        if let Some(environment) = self.environment {
            let always = self.program.constant(1);
            let idle = Draft {
                trigger: Trigger::Silent,
                guard: always,
                assignments: Vec::new(),
                end: None,
                place: None,
            };
            self.add(environment, idle)?;
        }
        Ok(())
    }

    fn ways(&mut self, process: usize, state: usize) -> Result<Vec<Way>, Refused> {
        let component = self.component;
        let state = &component.processes[process].states[state];
        let layout = &self.layouts[process];
        let budget = self.budget;
        Walker { program: &mut self.program, component, process, layout, budget, looked_at: 0 }
            .ways(&state.action, state.place)
    }

    /// The inputs that the environment sends, with all values of their parameters.
    fn inputs(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.environment.is_none() {
            return steps;
        }
        for input in &self.component.inputs {
            let to = input.receiver;
            let params = &self.component.processes[to.process].messages[to.message].params;
            for values in all_values(params) {
                let messages = vec![Sent { port: None, deliveries: vec![to], values }];
                steps.push(Step::Sent { sender: None, messages });
            }
        }
        steps
    }

    /// The action of a step; steps that are equal have one.
    pub(super) fn action(&mut self, step: &Step, naming: &mut Naming<'_>) -> ActionId {
        if let Some(&known) = self.numbers.get(step) {
            return known;
        }
        let name = naming.name(step);
        let action = self.program.action(&name);
        self.events.push(naming.events(step, &name));
        self.numbers.insert(step.clone(), action);
        self.steps.push(step.clone());
        action
    }

    /// Adds a command.
    pub(super) fn add(&mut self, unit: UnitId, draft: Draft) -> Result<(), Refused> {
        self.commands += 1;
        self.size += 1 + draft.assignments.len();
        if self.size > MAX_SIZE {
            return Err(Refused::TooManyCommands);
        }
        if self.commands.is_multiple_of(Budget::INTERVAL) {
            let bytes = self.size * size_of::<Command>();
            self.budget.check(&Progress { bytes, ..Progress::default() }).map_err(Refused::Exhausted)?;
        }
        let mut command = self.program.command(unit, draft.trigger, draft.guard);
        for (target, value) in draft.assignments {
            command = command.set(target, value);
        }
        if let Some((outcome, _)) = draft.end {
            command = command.outcome(outcome);
        }
        if let Some(place) = draft.place {
            command.place(place);
        }
        self.reasons[unit.index()].push(draft.end.map(|(_, reason)| reason));
        Ok(())
    }

    /// A command for a way through the action of a state.
    fn act(
        &mut self,
        number: usize,
        state: usize,
        way: &Way,
        naming: &mut Naming<'_>,
    ) -> Result<(), Refused> {
        let layout = self.layouts[number].clone();
        let step = step_of(number, state, way);
        let action = self.action(&step, naming);
        let entering = layout.entering[state].unwrap_or(layout.waiting[state]);
        let here = self.program.is(layout.control, i64::from(entering));
        let conditions: Vec<ExpressionId> = way.conditions.iter().map(|term| term.id).collect();
        let guard = self.program.all([here].into_iter().chain(conditions));
        let (unit, place) = (self.units[number], Some(self.component.processes[number].states[state].place));
        let trigger = Trigger::Action(action);
        if let Some(reason) = way.failure {
            let end = Some((Outcome::Fail, reason));
            return self.add(unit, Draft { trigger, guard, assignments: Vec::new(), end, place });
        }
        let waiting = self.program.constant(i64::from(layout.waiting[state]));
        let mut assignments = vec![(Target::Slot(layout.control), waiting)];
        for (variable, elements) in way.values.iter().enumerate().filter(|(it, _)| way.assigned[*it]) {
            for (offset, element) in elements.iter().enumerate() {
                let slot = SlotId::from_index(layout.variables[variable].index() + offset);
                if *element != term::opaque(self.program.value(slot)) {
                    assignments.push((Target::Slot(slot), element.id));
                }
            }
        }
        self.with_room(number, &step, unit, Draft { trigger, guard, assignments, end: None, place })
    }

    /// A command of the environment.
    fn arrive(&mut self, step: &Step, naming: &mut Naming<'_>) -> Result<(), Refused> {
        let Some(environment) = self.environment else { return Ok(()) };
        let action = self.action(step, naming);
        let guard = self.program.constant(1);
        let trigger = Trigger::Action(action);
        self.add(environment, Draft { trigger, guard, assignments: Vec::new(), end: None, place: None })
    }

    /// The commands of the processes that a step delivers messages to, but for the sender, whose command does it.
    fn enqueue(&mut self, action: ActionId) -> Result<(), Refused> {
        let Step::Sent { sender, messages } = self.steps[action.index()].clone() else { return Ok(()) };
        let receivers = messages.iter().flat_map(|message| &message.deliveries).map(|to| to.process);
        let mut receivers: Vec<usize> = receivers.filter(|process| Some(*process) != sender).collect();
        receivers.sort_unstable();
        receivers.dedup();
        for number in receivers {
            let guard = self.program.constant(1);
            let place = Some(self.component.processes[number].place);
            let trigger = Trigger::Action(action);
            let draft = Draft { trigger, guard, assignments: Vec::new(), end: None, place };
            let step = self.steps[action.index()].clone();
            self.with_room(number, &step, self.units[number], draft)?;
        }
        Ok(())
    }

    /// Where nothing more has to happen: all processes rest in final states, with nothing in their queues.
    fn ending(&mut self) {
        let processes = &self.component.processes;
        if !processes.iter().any(|process| process.states.iter().any(|state| state.is_final)) {
            return;
        }
        let mut all = Vec::new();
        for (process, layout) in processes.iter().zip(self.layouts.clone()) {
            let states = process.states.iter().zip(&layout.waiting).filter(|(state, _)| state.is_final);
            let rests: Vec<ExpressionId> =
                states.map(|(_, waiting)| self.program.is(layout.control, i64::from(*waiting))).collect();
            all.push(self.program.any(rests));
            all.push(self.program.is(layout.length, 0));
        }
        let end = self.program.all(all);
        self.program.end(end);
    }
}

/// The step of a way through the action of a state.
fn step_of(process: usize, state: usize, way: &Way) -> Step {
    match way.sent.is_empty() || way.failure.is_some() {
        true => Step::Done { process, state },
        false => Step::Sent { sender: Some(process), messages: way.sent.clone() },
    }
}
