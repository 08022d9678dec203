//! The steps of a program, straight from the definition in `rely_lts::Program`'s module. States are lists of values.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{
    Binary, Command, Component, Expression, ExpressionId, Fault, Lifetime, Lts, LtsBuilder, Network, Outcome,
    Program, SlotId, Target, TickId, Trigger, Unary,
};

/// A value of each slot.
pub type Values = Vec<i32>;

/// How a step ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// In a state.
    State(Values),
    /// A unit fails; the fault as text, if there is one; and the state after the step, or before it if there is a
    /// fault.
    Failure(usize, Option<String>, Values),
    /// A unit cuts the run.
    Cut(usize),
}

/// A step: its action, the units that take part, and how it ends.
pub type Step = (Option<ActionId>, Vec<usize>, End);

/// The reachable states of a program and their steps.
#[derive(Clone, Debug)]
pub struct NaiveProgram<'p> {
    /// The program.
    pub program: &'p Program,
    /// The steps of each reachable state.
    pub steps: BTreeMap<Values, BTreeSet<Step>>,
    /// The length of a shortest run to each reachable state.
    pub distance: BTreeMap<Values, usize>,
}

impl<'p> NaiveProgram<'p> {
    /// All reachable states; `None` if there are more than `most`.
    pub fn new(program: &'p Program, most: usize) -> Option<Self> {
        let mut steps = BTreeMap::new();
        let mut distance = BTreeMap::from([(program.initial(), 0)]);
        let mut level = BTreeSet::from([program.initial()]);
        let mut depth = 0;
        while !level.is_empty() && distance.len() <= most {
            depth += 1;
            let mut next = BTreeSet::new();
            for state in level {
                let possible = steps_of(program, &state);
                for (_, _, end) in &possible {
                    if let End::State(target) = end
                        && !distance.contains_key(target)
                    {
                        distance.insert(target.clone(), depth);
                        next.insert(target.clone());
                    }
                }
                steps.insert(state, possible);
            }
            level = next;
        }
        (distance.len() <= most).then_some(Self { program, steps, distance })
    }

    /// Whether a run is cut somewhere.
    pub fn is_cut(&self) -> bool {
        self.steps.values().flatten().any(|(_, _, end)| matches!(end, End::Cut(_)))
    }

    /// The length of a shortest run to a deadlock.
    pub fn deadlock(&self) -> Option<usize> {
        let stuck = |(state, steps): &(&Values, &BTreeSet<Step>)| steps.is_empty() && !self.is_end(state);
        self.steps.iter().filter(stuck).map(|(state, _)| self.distance[state]).min()
    }

    /// The length of a shortest run to a failure.
    pub fn error(&self) -> Option<usize> {
        let fails = |steps: &BTreeSet<Step>| steps.iter().any(|(_, _, end)| matches!(end, End::Failure(..)));
        self.steps.iter().filter(|(_, steps)| fails(steps)).map(|(state, _)| self.distance[state] + 1).min()
    }

    fn is_end(&self, state: &Values) -> bool {
        self.program.end().is_some_and(|end| value(self.program, end, state).is_ok_and(|it| it != 0))
    }

    /// The program as a network of one component, with the same hiding.
    pub fn to_network(&self) -> Network {
        let hidden = |name: &str| {
            self.program.alphabet().get(name).is_some_and(|action| self.program.is_hidden(action))
        };
        Network::new(vec![Component::new("PROGRAM", self.to_lts())]).with_hidden(hidden)
    }

    /// The program as one transition system over its actions, before hiding. Cuts lead to the error state. End states
    /// become one.
    pub fn to_lts(&self) -> Lts {
        let ends = |state: &&Values| self.steps[*state].is_empty() && self.is_end(state);
        let end = self.steps.keys().find(ends);
        let mut numbers: BTreeMap<&Values, StateId> = BTreeMap::new();
        for state in self.steps.keys() {
            let number = match end {
                Some(first) if first != state && ends(&state) => numbers[first],
                _ => StateId::from_index(numbers.values().collect::<BTreeSet<_>>().len()),
            };
            numbers.insert(state, number);
        }
        let count = numbers.values().collect::<BTreeSet<_>>().len();
        let mut lts = LtsBuilder::with_states(self.program.alphabet().clone(), count);
        lts.set_initial(numbers[&self.program.initial()]);
        lts.set_end(end.map(|end| numbers[end]));
        let fails =
            self.steps.values().flatten().any(|(_, _, end)| matches!(end, End::Failure(..) | End::Cut(_)));
        let error = fails.then(|| lts.error_state());
        for (state, steps) in &self.steps {
            for (action, _, end) in steps {
                let target = match end {
                    End::State(target) => numbers[target],
                    End::Failure(..) | End::Cut(_) => error.expect("something fails"),
                };
                lts.add_transition(numbers[state], action.map_or(Label::TAU, Label::visible), target);
            }
        }
        lts.build()
    }
}

/// The steps of a state.
pub fn steps_of(program: &Program, state: &[i32]) -> BTreeSet<Step> {
    let mut steps = BTreeSet::new();
    let guard = |command: &Command| value(program, command.guard, state).map(|it| it != 0);
    for (unit, it) in program.units().iter().enumerate() {
        for command in it.commands.iter().filter(|command| command.trigger == Trigger::Silent) {
            match guard(command) {
                Ok(false) => {}
                Ok(true) => {
                    let end = end(program, state, &[(unit, command)], false);
                    steps.insert((None, vec![unit], end));
                }
                Err(fault) => {
                    let end = End::Failure(unit, Some(format!("{fault:?}")), state.to_vec());
                    steps.insert((None, vec![unit], end));
                }
            }
        }
    }
    for (action, _) in program.alphabet().iter() {
        let units: Vec<usize> = (0..program.units().len())
            .filter(|&unit| program.units()[unit].alphabet.contains(&action))
            .collect();
        if units.is_empty() || program.ticks().iter().any(|tick| tick.action == Some(action)) {
            continue;
        }
        let menus = units.iter().map(|&unit| (unit, Trigger::Action(action), true)).collect::<Vec<_>>();
        steps.extend(joint(program, state, Some(action), &menus, false));
    }
    for (number, tick) in program.ticks().iter().enumerate() {
        let is_member = |unit: usize| tick.members.iter().any(|member| member.index() == unit);
        let has_action =
            |unit: usize| tick.action.is_some_and(|action| program.units()[unit].alphabet.contains(&action));
        let mut menus = Vec::new();
        for unit in 0..program.units().len() {
            if is_member(unit) {
                menus.push((unit, Trigger::Tick(TickId::from_index(number)), false));
            } else if has_action(unit) {
                menus.push((unit, Trigger::Action(tick.action.expect("there is one")), true));
            }
        }
        match value(program, tick.guard, state) {
            Ok(0) => {}
            Ok(_) => steps.extend(joint(program, state, tick.action, &menus, true)),
            Err(fault) => {
                let first = tick.members.first().map_or(0, |member| member.index());
                let end = End::Failure(first, Some(format!("{fault:?}")), state.to_vec());
                steps.insert((tick.action, menus.iter().map(|it| it.0).collect(), end));
            }
        }
    }
    steps
}

/// The joint steps of some units: each takes a command with its trigger; those that are not required may stutter.
fn joint(
    program: &Program,
    state: &[i32],
    action: Option<ActionId>,
    menus: &[(usize, Trigger, bool)],
    is_tick: bool,
) -> Vec<Step> {
    let movers: Vec<usize> = menus.iter().map(|&(unit, _, _)| unit).collect();
    let mut combinations: Vec<Vec<(usize, &Command)>> = vec![Vec::new()];
    for &(unit, trigger, is_required) in menus {
        let mut enabled = Vec::new();
        for command in program.units()[unit].commands.iter().filter(|it| it.trigger == trigger) {
            match value(program, command.guard, state) {
                Ok(0) => {}
                Ok(_) => enabled.push(command),
                Err(fault) => {
                    let end = End::Failure(unit, Some(format!("{fault:?}")), state.to_vec());
                    return vec![(action, movers, end)];
                }
            }
        }
        if enabled.is_empty() && !is_required {
            continue;
        }
        let with = |so_far: &Vec<(usize, _)>| {
            let so_far = so_far.clone();
            enabled.iter().map(move |&it| [so_far.clone(), vec![(unit, it)]].concat()).collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    combinations.iter().map(|taken| (action, movers.clone(), end(program, state, taken, is_tick))).collect()
}

/// How the step ends in which these units take these commands.
fn end(program: &Program, state: &[i32], taken: &[(usize, &Command)], is_tick: bool) -> End {
    let mut assigned: BTreeMap<SlotId, i64> = BTreeMap::new();
    let (mut failures, mut cuts, mut has_fault) = (Vec::new(), Vec::new(), false);
    for &(unit, command) in taken {
        let fault = assign(program, state, command, &mut assigned).err();
        has_fault |= fault.is_some();
        if fault.is_some() || command.outcome == Outcome::Fail {
            failures.push((unit, fault.map(|fault| format!("{fault:?}"))));
        }
        if command.outcome == Outcome::Cut {
            cuts.push(unit);
        }
    }
    let mut after = state.to_vec();
    for (slot, value) in after.iter_mut().enumerate() {
        let it = &program.slots()[slot];
        match assigned.get(&SlotId::from_index(slot)) {
            Some(&new) => *value = i32::try_from(new).expect("the slot has it"),
            None if is_tick && it.lifetime == Lifetime::Momentary => *value = it.initial,
            None => {}
        }
    }
    match (failures.first(), cuts.first()) {
        (Some((unit, fault)), _) => {
            End::Failure(*unit, fault.clone(), if has_fault { state.to_vec() } else { after })
        }
        (None, Some(&unit)) => End::Cut(unit),
        (None, None) => End::State(after),
    }
}

/// Makes the assignments of a command.
fn assign(
    program: &Program,
    state: &[i32],
    command: &Command,
    assigned: &mut BTreeMap<SlotId, i64>,
) -> Result<(), Fault> {
    for it in &command.assignments {
        let slot = match it.target {
            Target::Slot(slot) => slot,
            Target::Element(array, index) => {
                array.element(value(program, index, state)?).ok_or(Fault::Index)?
            }
        };
        let new = value(program, it.value, state)?;
        if !program.slots()[slot.index()].values.contains(new) {
            return Err(Fault::Range(slot));
        }
        if *assigned.entry(slot).or_insert(new) != new {
            return Err(Fault::Clash(slot));
        }
    }
    Ok(())
}

/// The value of an expression in a state.
///
/// # Errors
/// Why it has none.
pub fn value(program: &Program, id: ExpressionId, state: &[i32]) -> Result<i64, Fault> {
    let of = |id| value(program, id, state);
    let fits = |number: i128| i64::try_from(number).map_err(|_| Fault::Overflow);
    match program.expression(id) {
        Expression::Constant(it) => Ok(it),
        Expression::Slot(slot) => Ok(state[slot.index()].into()),
        Expression::Element(array, index) => {
            array.element(of(index)?).map(|slot| state[slot.index()].into()).ok_or(Fault::Index)
        }
        Expression::Unary(Unary::Not, it) => Ok(i64::from(of(it)? == 0)),
        Expression::Unary(Unary::Negate, it) => fits(-i128::from(of(it)?)),
        Expression::If(condition, then, otherwise) => of(if of(condition)? != 0 { then } else { otherwise }),
        Expression::Binary(Binary::And, one, other) => Ok(i64::from(of(one)? != 0 && of(other)? != 0)),
        Expression::Binary(Binary::Or, one, other) => Ok(i64::from(of(one)? != 0 || of(other)? != 0)),
        Expression::Binary(operator, one, other) => {
            let (one, other) = (i128::from(of(one)?), i128::from(of(other)?));
            let by = if other == 0 { Err(Fault::DivisionByZero) } else { Ok(other) };
            fits(match operator {
                Binary::And | Binary::Or => unreachable!("they come before"),
                Binary::Equal => (one == other).into(),
                Binary::NotEqual => (one != other).into(),
                Binary::Less => (one < other).into(),
                Binary::LessOrEqual => (one <= other).into(),
                Binary::Add => one + other,
                Binary::Subtract => one - other,
                Binary::Multiply => one * other,
                Binary::Divide => one / by?,
                Binary::Remainder => one - one / by? * other,
                Binary::Modulo => {
                    let by = by?;
                    (one % by + by) % by
                }
            })
        }
    }
}
