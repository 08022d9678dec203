//! The steps of a program, naively, from the head of `rely_lts::Program`. Programs of message components have no ticks.

use rely_base::{ActionId, Id};
use rely_lts::{
    Assignment, Binary, Command, Expression, ExpressionId, Fault, Outcome, Program, Target, Trigger, Unary,
};

/// How a step ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum End {
    /// In a state.
    At(Vec<i32>),
    /// Some unit fails.
    Fail,
    /// The run is cut.
    Cut,
}

/// All steps of a state.
pub(super) fn steps(program: &Program, state: &[i32]) -> Vec<(Option<ActionId>, End)> {
    assert!(program.ticks().is_empty(), "message components do not tick");
    let mut found = Vec::new();
    for unit in program.units() {
        for command in unit.commands.iter().filter(|command| command.trigger == Trigger::Silent) {
            match evaluate(program, state, command.guard) {
                Err(_) => found.push((None, End::Fail)),
                Ok(0) => {}
                Ok(_) => found.push((None, apply(program, state, &[command]))),
            }
        }
    }
    for number in 0..program.alphabet().len() {
        let action = ActionId::from_index(number);
        let mut chosen: Vec<Vec<&Command>> = vec![Vec::new()];
        let mut fails = false;
        for &unit in program.participants(action) {
            let mut enabled = Vec::new();
            for command in &program.units()[unit.index()].commands {
                if command.trigger == Trigger::Action(action) {
                    match evaluate(program, state, command.guard) {
                        Err(_) => fails = true,
                        Ok(0) => {}
                        Ok(_) => enabled.push(command),
                    }
                }
            }
            chosen = chosen
                .iter()
                .flat_map(|before| enabled.iter().map(|&it| before.iter().copied().chain([it]).collect()))
                .collect();
        }
        if fails {
            found.push((Some(action), End::Fail));
        }
        found.extend(chosen.iter().map(|commands| (Some(action), apply(program, state, commands))));
    }
    found
}

fn apply(program: &Program, state: &[i32], commands: &[&Command]) -> End {
    let mut after = state.to_vec();
    let mut assigned = vec![false; state.len()];
    for command in commands {
        for assignment in &command.assignments {
            let Ok((slot, value)) = assign(program, state, assignment) else { return End::Fail };
            if !program.slots()[slot].values.contains(value) {
                return End::Fail;
            }
            let value = i32::try_from(value).expect("it is a value of the slot");
            if assigned[slot] && after[slot] != value {
                return End::Fail;
            }
            (after[slot], assigned[slot]) = (value, true);
        }
    }
    let has = |outcome| commands.iter().any(|command| command.outcome == outcome);
    if has(Outcome::Fail) {
        End::Fail
    } else if has(Outcome::Cut) {
        End::Cut
    } else {
        End::At(after)
    }
}

fn assign(program: &Program, state: &[i32], assignment: &Assignment) -> Result<(usize, i64), Fault> {
    let value = evaluate(program, state, assignment.value)?;
    let slot = match assignment.target {
        Target::Slot(slot) => slot,
        Target::Element(array, index) => {
            array.element(evaluate(program, state, index)?).ok_or(Fault::Index)?
        }
    };
    Ok((slot.index(), value))
}

/// The value of an expression in a state.
pub(super) fn evaluate(program: &Program, state: &[i32], id: ExpressionId) -> Result<i64, Fault> {
    let value = |id| evaluate(program, state, id);
    Ok(match program.expression(id) {
        Expression::Constant(value) => value,
        Expression::Slot(slot) => i64::from(state[slot.index()]),
        Expression::Element(array, index) => {
            i64::from(state[array.element(value(index)?).ok_or(Fault::Index)?.index()])
        }
        Expression::Unary(Unary::Not, operand) => i64::from(value(operand)? == 0),
        Expression::Unary(Unary::Negate, operand) => value(operand)?.checked_neg().ok_or(Fault::Overflow)?,
        Expression::If(condition, then, otherwise) => {
            value(if value(condition)? != 0 { then } else { otherwise })?
        }
        Expression::Binary(Binary::And, first, second) => {
            i64::from(value(first)? != 0 && value(second)? != 0)
        }
        Expression::Binary(Binary::Or, first, second) => i64::from(value(first)? != 0 || value(second)? != 0),
        Expression::Binary(operator, first, second) => {
            let (a, b) = (value(first)?, value(second)?);
            let divided = |result: Option<i64>| match b {
                0 => Err(Fault::DivisionByZero),
                _ => result.ok_or(Fault::Overflow),
            };
            match operator {
                Binary::Equal => i64::from(a == b),
                Binary::NotEqual => i64::from(a != b),
                Binary::Less => i64::from(a < b),
                Binary::LessOrEqual => i64::from(a <= b),
                Binary::Add => a.checked_add(b).ok_or(Fault::Overflow)?,
                Binary::Subtract => a.checked_sub(b).ok_or(Fault::Overflow)?,
                Binary::Multiply => a.checked_mul(b).ok_or(Fault::Overflow)?,
                Binary::Divide => divided(a.checked_div(b))?,
                Binary::Remainder => divided(a.checked_rem(b))?,
                Binary::Modulo => divided(a.checked_rem(b))?.checked_add(b).ok_or(Fault::Overflow)? % b,
                Binary::And | Binary::Or => unreachable!("above"),
            }
        }
    })
}
