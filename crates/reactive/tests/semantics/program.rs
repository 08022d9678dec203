//! A naive interpreter of programs, written from their definition: all steps of a state, one after the other.

use std::collections::{BTreeSet, VecDeque};

use rely_base::Id;
use rely_lts::{
    Binary, Command, Expression, ExpressionId, Lifetime, Outcome, Program, SlotId, Target, Trigger, Unary,
    UnitId,
};

/// A step of a program.
pub(crate) struct Step {
    /// The action, unless the step is silent.
    pub(crate) action: Option<String>,
    /// The state after it, or the unit that fails.
    pub(crate) next: Result<Vec<i32>, UnitId>,
}

/// The value of an expression. The programs under test have no undefined ones.
pub(crate) fn value(program: &Program, id: ExpressionId, state: &[i32]) -> i64 {
    let of = |id| value(program, id, state);
    match program.expression(id) {
        Expression::Constant(value) => value,
        Expression::Slot(slot) => i64::from(state[slot.index()]),
        Expression::Element(array, index) => {
            i64::from(state[array.element(of(index)).expect("an element").index()])
        }
        Expression::Unary(Unary::Not, operand) => i64::from(of(operand) == 0),
        Expression::Unary(Unary::Negate, operand) => -of(operand),
        Expression::If(condition, then, otherwise) => of(if of(condition) != 0 { then } else { otherwise }),
        Expression::Binary(operator, left, right) => match operator {
            Binary::And => i64::from(of(left) != 0 && of(right) != 0),
            Binary::Or => i64::from(of(left) != 0 || of(right) != 0),
            Binary::Equal => i64::from(of(left) == of(right)),
            Binary::NotEqual => i64::from(of(left) != of(right)),
            Binary::Less => i64::from(of(left) < of(right)),
            Binary::LessOrEqual => i64::from(of(left) <= of(right)),
            Binary::Add => of(left) + of(right),
            Binary::Subtract => of(left) - of(right),
            Binary::Multiply => of(left) * of(right),
            Binary::Divide => of(left) / of(right),
            Binary::Remainder => of(left) % of(right),
            Binary::Modulo => of(left).rem_euclid(of(right)),
        },
    }
}

/// All steps of a state.
pub(crate) fn steps(program: &Program, state: &[i32]) -> Vec<Step> {
    let mut steps = Vec::new();
    let units = || (0..program.units().len()).map(UnitId::from_index);
    let enabled = |unit: UnitId, trigger: Trigger| -> Vec<&Command> {
        let commands = program.units()[unit.index()].commands.iter();
        commands.filter(|it| it.trigger == trigger && value(program, it.guard, state) != 0).collect()
    };
    for unit in units() {
        for command in enabled(unit, Trigger::Silent) {
            steps.push(Step { action: None, next: apply(program, state, &[(unit, command)], false) });
        }
    }
    for (number, name) in program.alphabet().names().enumerate() {
        let action = rely_base::ActionId::from_index(number);
        let members = program.participants(action);
        if program.ticks().iter().any(|tick| tick.action == Some(action)) || members.is_empty() {
            continue;
        }
        let choices = members.iter().map(|&unit| (unit, enabled(unit, Trigger::Action(action)))).collect();
        for chosen in combinations(choices) {
            steps.push(Step { action: Some(name.to_owned()), next: apply(program, state, &chosen, false) });
        }
    }
    for (number, tick) in program.ticks().iter().enumerate() {
        if value(program, tick.guard, state) == 0 {
            continue;
        }
        let id = rely_lts::TickId::from_index(number);
        let mut choices: Vec<(UnitId, Vec<&Command>)> = Vec::new();
        for unit in units() {
            let is_member = tick.members.contains(&unit);
            let takes_part = tick.action.is_some_and(|action| program.participants(action).contains(&unit));
            if is_member {
                let commands = enabled(unit, Trigger::Tick(id));
                // A member without an enabled command stutters.
                if !commands.is_empty() {
                    choices.push((unit, commands));
                }
            } else if takes_part {
                choices.push((unit, enabled(unit, Trigger::Action(tick.action.expect("it was there")))));
            }
        }
        let action = tick.action.map(|action| program.alphabet().name(action).to_owned());
        for chosen in combinations(choices) {
            steps.push(Step { action: action.clone(), next: apply(program, state, &chosen, true) });
        }
    }
    steps
}

/// All ways to choose one command of each unit.
fn combinations(choices: Vec<(UnitId, Vec<&Command>)>) -> Vec<Vec<(UnitId, &Command)>> {
    let mut all = vec![Vec::new()];
    for (unit, commands) in choices {
        let longer = all.iter().flat_map(|chosen: &Vec<(UnitId, &Command)>| {
            commands.iter().map(move |&command| [&chosen[..], &[(unit, command)]].concat())
        });
        all = longer.collect();
    }
    all
}

fn apply(
    program: &Program,
    state: &[i32],
    chosen: &[(UnitId, &Command)],
    is_tick: bool,
) -> Result<Vec<i32>, UnitId> {
    if let Some(&(unit, _)) = chosen.iter().find(|(_, command)| command.outcome == Outcome::Fail) {
        return Err(unit);
    }
    let mut next = state.to_vec();
    if is_tick {
        for (slot, value) in program.slots().iter().zip(&mut next) {
            if slot.lifetime == Lifetime::Momentary {
                *value = slot.initial;
            }
        }
    }
    let mut assigned: Vec<(SlotId, i64)> = Vec::new();
    for (unit, command) in chosen {
        for assignment in &command.assignments {
            let Target::Slot(slot) = assignment.target else { panic!("no arrays here") };
            let new = value(program, assignment.value, state);
            let clash = assigned.iter().any(|&(other, value)| other == slot && value != new);
            let is_known = program.slots()[slot.index()].values.contains(new);
            assert!(
                !clash && is_known,
                "unit {unit:?} gives {} the value {new}",
                program.slots()[slot.index()].name
            );
            assigned.push((slot, new));
            next[slot.index()] = i32::try_from(new).expect("it is a value of the slot");
        }
    }
    Ok(next)
}

/// What can be reached in a program.
pub(crate) struct Reached {
    pub(crate) states: BTreeSet<Vec<i32>>,
    /// The names of the units that can fail.
    pub(crate) failing: BTreeSet<String>,
}

/// Explores a program, and calls `visit` for each step that does not fail. Nothing if there are too many states.
pub(crate) fn explore(
    program: &Program,
    limit: usize,
    mut visit: impl FnMut(&[i32], Option<&str>, &[i32]),
) -> Option<Reached> {
    let mut reached = Reached { states: BTreeSet::from([program.initial()]), failing: BTreeSet::new() };
    let mut open = VecDeque::from([program.initial()]);
    while let Some(state) = open.pop_front() {
        for step in steps(program, &state) {
            match step.next {
                Err(unit) => _ = reached.failing.insert(program.units()[unit.index()].name.clone()),
                Ok(next) => {
                    visit(&state, step.action.as_deref(), &next);
                    if reached.states.insert(next.clone()) {
                        open.push_back(next);
                    }
                }
            }
        }
        if reached.states.len() > limit {
            return None;
        }
    }
    Some(reached)
}
