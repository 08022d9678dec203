//! The steps of a program, from the definition in the head of `rely_lts::Program`'s module.
//!
//! A state has the position of each slot's value, counted from the least value of the slot. In a state, every
//! expression is evaluated first, to a number or to the fault that makes it undefined; since operands stand before
//! the expressions that use them, one pass does it. Undefined expressions matter only where the definition needs
//! their value. Then come the steps: alone, together, all at once.

use rely_base::{ActionId, Id};
use rely_lts::{
    Binary, Command, Expression, ExpressionId, Fault, Lifetime, Outcome, Program, SlotId, Target, TickId,
    Trigger, Unary, UnitId,
};

/// An interpreter of programs that shares nothing with the searches.
pub struct Interpreter<'p> {
    program: &'p Program,
}

/// A step of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramStep {
    /// Its action, before hiding; nothing for a silent step.
    pub action: Option<ActionId>,
    /// The units that take part, in order. Of a tick these are all its members.
    pub movers: Vec<UnitId>,
    /// Where it leads.
    pub end: ProgramEnd,
}

/// Where a step of a program leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramEnd {
    /// To a state.
    State(Vec<u32>),
    /// A unit fails.
    Failure {
        /// The unit; the first, if there are several.
        unit: UnitId,
        /// What went wrong, if the unit did not fail by a failing command.
        fault: Option<Fault>,
        /// The state after all assignments; the state before them if there was a fault in the step.
        after: Vec<u32>,
    },
    /// The run leaves the bounds of what is explored, because of this unit.
    Cut(UnitId),
}

/// The value of each expression in a state.
type Evaluated = Vec<Result<i64, Fault>>;

/// What a unit may do in a step: some of its commands; none if it may stutter and none is enabled.
struct Menu<'p> {
    unit: UnitId,
    enabled: Vec<&'p Command>,
    is_required: bool,
}

impl<'p> Interpreter<'p> {
    /// An interpreter of a program.
    pub fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state at the start.
    pub fn initial(&self) -> Vec<u32> {
        let slots = self.program.slots().iter().enumerate();
        slots
            .map(|(slot, it)| {
                self.position(SlotId::from_index(slot), it.initial.into())
                    .expect("a slot starts with one of its values")
            })
            .collect()
    }

    /// Whether every slot has a value at its position.
    pub fn is_state(&self, numbers: &[u32]) -> bool {
        let slots = self.program.slots();
        numbers.len() == slots.len()
            && slots.iter().zip(numbers).all(|(slot, &number)| u64::from(number) < slot.values.count())
    }

    /// Whether a state without steps is the end.
    pub fn is_end(&self, state: &[u32]) -> bool {
        let Some(end) = self.program.end() else { return false };
        matches!(self.evaluate(state)[end.index()], Ok(value) if value != 0)
    }

    /// Whether an expression is defined in a state, and not 0.
    pub fn holds(&self, state: &[u32], expression: ExpressionId) -> bool {
        matches!(self.evaluate(state)[expression.index()], Ok(value) if value != 0)
    }

    /// The effort of computing the steps of a state; the unit is taking one step.
    pub(crate) fn effort(&self) -> usize {
        let commands: usize = self.program.units().iter().map(|unit| unit.commands.len()).sum();
        (self.program.expressions().len() + commands).div_ceil(16)
    }

    /// The position of a value of a slot, if the slot has it.
    fn position(&self, slot: SlotId, value: i64) -> Option<u32> {
        let values = &self.program.slots()[slot.index()].values;
        values.contains(value).then(|| value - i64::from(values.bounds().0)).and_then(|it| it.try_into().ok())
    }

    /// Calls `visit` for each step of a state, until it fails.
    ///
    /// # Errors
    /// What `visit` fails with.
    pub fn steps<E>(
        &self,
        state: &[u32],
        visit: &mut impl FnMut(&ProgramStep) -> Result<(), E>,
    ) -> Result<(), E> {
        let values = self.evaluate(state);
        self.alone(state, &values, visit)?;
        for (action, _) in self.program.alphabet().iter() {
            self.together(action, state, &values, visit)?;
        }
        for tick in (0..self.program.ticks().len()).map(TickId::from_index) {
            self.all_at_once(tick, state, &values, visit)?;
        }
        Ok(())
    }

    /// The steps of silent commands, one command at a time.
    fn alone<E>(
        &self,
        state: &[u32],
        values: &Evaluated,
        visit: &mut impl FnMut(&ProgramStep) -> Result<(), E>,
    ) -> Result<(), E> {
        for (number, unit) in self.program.units().iter().enumerate() {
            let id = UnitId::from_index(number);
            for command in unit.commands.iter().filter(|it| it.trigger == Trigger::Silent) {
                let end = match values[command.guard.index()] {
                    Ok(0) => continue,
                    Ok(_) => self.end(state, values, &[(id, command)], false),
                    Err(fault) => fails(id, fault, state),
                };
                visit(&ProgramStep { action: None, movers: vec![id], end })?;
            }
        }
        Ok(())
    }

    /// The steps of one command in each unit that has an action; actions of ticks are excluded.
    fn together<E>(
        &self,
        action: ActionId,
        state: &[u32],
        values: &Evaluated,
        visit: &mut impl FnMut(&ProgramStep) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_ticked = self.program.ticks().iter().any(|tick| tick.action == Some(action));
        let units = self.units_with(action);
        if is_ticked || units.is_empty() {
            return Ok(());
        }
        let triggers = units.iter().map(|&unit| (unit, Trigger::Action(action), true));
        let menus =
            triggers.map(|(unit, trigger, is_required)| self.menu(unit, trigger, is_required, values));
        let menus: Result<Vec<_>, _> = menus.collect();
        self.combine((Some(action), &units, false), menus, state, values, visit)
    }

    /// The steps of ticks: a command for the tick in each member that has one enabled, and one for its action in each
    /// other unit that has it.
    fn all_at_once<E>(
        &self,
        id: TickId,
        state: &[u32],
        values: &Evaluated,
        visit: &mut impl FnMut(&ProgramStep) -> Result<(), E>,
    ) -> Result<(), E> {
        let tick = &self.program.ticks()[id.index()];
        let sharing = tick.action.map_or(Vec::new(), |action| self.units_with(action));
        let units = (0..self.program.units().len()).map(UnitId::from_index);
        let units: Vec<UnitId> =
            units.filter(|unit| tick.members.contains(unit) || sharing.contains(unit)).collect();
        let menus = match values[tick.guard.index()] {
            Ok(0) => return Ok(()),
            Err(fault) => {
                let first = tick.members.first().copied().unwrap_or(UnitId::from_raw(0));
                Err((first, fault))
            }
            Ok(_) => {
                let menu = |&unit: &UnitId| match tick.action {
                    Some(action) if !tick.members.contains(&unit) => {
                        self.menu(unit, Trigger::Action(action), true, values)
                    }
                    _ => self.menu(unit, Trigger::Tick(id), false, values),
                };
                units.iter().map(menu).collect()
            }
        };
        self.combine((tick.action, &units, true), menus, state, values, visit)
    }

    fn units_with(&self, action: ActionId) -> Vec<UnitId> {
        let units = (0..self.program.units().len()).map(UnitId::from_index);
        units.filter(|unit| self.program.units()[unit.index()].alphabet.contains(&action)).collect()
    }

    /// The enabled commands of a unit with a trigger; or the fault of a guard.
    fn menu(
        &self,
        unit: UnitId,
        trigger: Trigger,
        is_required: bool,
        values: &Evaluated,
    ) -> Result<Menu<'p>, (UnitId, Fault)> {
        let commands = self.program.units()[unit.index()].commands.iter();
        let mut enabled = Vec::new();
        for command in commands.filter(|command| command.trigger == trigger) {
            if values[command.guard.index()].map_err(|fault| (unit, fault))? != 0 {
                enabled.push(command);
            }
        }
        Ok(Menu { unit, enabled, is_required })
    }

    /// Every combination of commands from some menus, or the failure of a guard.
    fn combine<E>(
        &self,
        (action, movers, is_tick): (Option<ActionId>, &[UnitId], bool),
        menus: Result<Vec<Menu<'p>>, (UnitId, Fault)>,
        state: &[u32],
        values: &Evaluated,
        visit: &mut impl FnMut(&ProgramStep) -> Result<(), E>,
    ) -> Result<(), E> {
        let step = |end| ProgramStep { action, movers: movers.to_vec(), end };
        let mut menus = match menus {
            Ok(menus) => menus,
            Err((unit, fault)) => return visit(&step(fails(unit, fault, state))),
        };
        if menus.iter().any(|menu| menu.enabled.is_empty() && menu.is_required) {
            return Ok(());
        }
        menus.retain(|menu| !menu.enabled.is_empty());
        let mut chosen = vec![0; menus.len()];
        loop {
            let taken: Vec<(UnitId, &Command)> =
                menus.iter().zip(&chosen).map(|(menu, &choice)| (menu.unit, menu.enabled[choice])).collect();
            visit(&step(self.end(state, values, &taken, is_tick)))?;
            // The next combination: count up, the last unit first.
            let can_advance = |&place: &usize| chosen[place] + 1 < menus[place].enabled.len();
            let Some(place) = (0..menus.len()).rev().find(can_advance) else { return Ok(()) };
            chosen[place] += 1;
            chosen[place + 1..].fill(0);
        }
    }

    /// Where a step leads in which these units take these commands.
    fn end(
        &self,
        state: &[u32],
        values: &Evaluated,
        taken: &[(UnitId, &Command)],
        is_tick: bool,
    ) -> ProgramEnd {
        let mut assigned: Vec<Option<u32>> = vec![None; state.len()];
        let mut failures: Vec<(UnitId, Option<Fault>)> = Vec::new();
        for &(unit, command) in taken {
            let fault = self.assign(values, command, &mut assigned).err();
            if fault.is_some() || command.outcome == Outcome::Fail {
                failures.push((unit, fault));
            }
        }
        let after = (0..state.len()).map(|slot| {
            let it = &self.program.slots()[slot];
            let is_over = is_tick && it.lifetime == Lifetime::Momentary;
            let initial = || self.position(SlotId::from_index(slot), it.initial.into());
            assigned[slot].or_else(|| if is_over { initial() } else { None }).unwrap_or(state[slot])
        });
        let after: Vec<u32> = after.collect();
        if let Some(&(unit, fault)) = failures.first() {
            let is_faulty = failures.iter().any(|(_, fault)| fault.is_some());
            return ProgramEnd::Failure {
                unit,
                fault,
                after: if is_faulty { state.to_vec() } else { after },
            };
        }
        match taken.iter().find(|(_, command)| command.outcome == Outcome::Cut) {
            Some(&(unit, _)) => ProgramEnd::Cut(unit),
            None => ProgramEnd::State(after),
        }
    }

    /// Makes the assignments of a command, each to a position of a slot.
    fn assign(
        &self,
        values: &Evaluated,
        command: &Command,
        assigned: &mut [Option<u32>],
    ) -> Result<(), Fault> {
        for assignment in &command.assignments {
            let slot = match assignment.target {
                Target::Slot(slot) => slot,
                Target::Element(array, index) => array.element(values[index.index()]?).ok_or(Fault::Index)?,
            };
            let value = values[assignment.value.index()]?;
            let position = self.position(slot, value).ok_or(Fault::Range(slot))?;
            match assigned[slot.index()] {
                Some(earlier) if earlier != position => return Err(Fault::Clash(slot)),
                _ => assigned[slot.index()] = Some(position),
            }
        }
        Ok(())
    }

    /// The value of each expression in a state.
    fn evaluate(&self, state: &[u32]) -> Evaluated {
        let slots = self.program.slots().iter().zip(state);
        let slots: Vec<i64> =
            slots.map(|(slot, &position)| i64::from(slot.values.bounds().0) + i64::from(position)).collect();
        let mut values = Evaluated::with_capacity(self.program.expressions().len());
        for &expression in self.program.expressions() {
            values.push(value(expression, &slots, &values));
        }
        values
    }
}

/// The failure of a guard.
fn fails(unit: UnitId, fault: Fault, state: &[u32]) -> ProgramEnd {
    ProgramEnd::Failure { unit, fault: Some(fault), after: state.to_vec() }
}

/// The value of an expression whose operands have been evaluated.
fn value(expression: Expression, slots: &[i64], values: &Evaluated) -> Result<i64, Fault> {
    let of = |id: ExpressionId| values[id.index()];
    let truth = |condition: bool| Ok(i64::from(condition));
    match expression {
        Expression::Constant(value) => Ok(value),
        Expression::Slot(slot) => Ok(slots[slot.index()]),
        Expression::Element(array, index) => {
            let slot = array.element(of(index)?).ok_or(Fault::Index)?;
            Ok(slots[slot.index()])
        }
        Expression::Unary(Unary::Not, operand) => truth(of(operand)? == 0),
        Expression::Unary(Unary::Negate, operand) => of(operand)?.checked_neg().ok_or(Fault::Overflow),
        Expression::If(condition, then, otherwise) => match of(condition)? {
            0 => of(otherwise),
            _ => of(then),
        },
        Expression::Binary(operator, first, second) => {
            let first = of(first)?;
            match operator {
                Binary::And if first == 0 => return Ok(0),
                Binary::Or if first != 0 => return Ok(1),
                _ => {}
            }
            let second = of(second)?;
            let number = |result: Option<i64>| result.ok_or(Fault::Overflow);
            let divisor = if second == 0 { Err(Fault::DivisionByZero) } else { Ok(i128::from(second)) };
            let dividend = i128::from(first);
            match operator {
                Binary::And | Binary::Or => truth(second != 0),
                Binary::NotEqual => truth(first != second),
                Binary::Equal => truth(first == second),
                Binary::Less => truth(first < second),
                Binary::LessOrEqual => truth(first <= second),
                Binary::Add => number(first.checked_add(second)),
                Binary::Subtract => number(first.checked_sub(second)),
                Binary::Multiply => number(first.checked_mul(second)),
                Binary::Divide => number(i64::try_from(dividend / divisor?).ok()),
                Binary::Remainder => number(i64::try_from(dividend % divisor?).ok()),
                Binary::Modulo => {
                    let divisor = divisor?;
                    number(i64::try_from((dividend % divisor + divisor) % divisor).ok())
                }
            }
        }
    }
}
