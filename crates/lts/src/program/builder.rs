//! Building programs, and rejecting what has no meaning.

use std::fmt;

use rely_base::{ActionId, Alphabet, Id, Span};
use rustc_hash::FxHashMap;

use super::{
    Array, Assignment, Binary, Command, Expression, ExpressionId, Outcome, Program, Slot, SlotId, Target,
    Tick, TickId, Trigger, Unary, Unit, UnitId, Values,
};

/// Why a program is malformed. This is always a mistake of the front end, never of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// A program that is being written.
///
/// ```
/// use rely_lts::{Outcome, ProgramBuilder, Trigger, Values};
///
/// // A counter that ticks up to 2, and then fails.
/// let mut program = ProgramBuilder::new();
/// let count = program.slot("count", Values::Range(0, 2), 0);
/// let counter = program.unit("COUNTER");
/// let up = program.action("up");
/// let (now, one, two) = (program.value(count), program.constant(1), program.constant(2));
/// let (below, more) = (program.less(now, two), program.add(now, one));
/// program.command(counter, Trigger::Action(up), below).assign(count, more);
/// let full = program.not(below);
/// program.command(counter, Trigger::Action(up), full).outcome(Outcome::Fail);
/// let program = program.build()?;
/// assert_eq!(program.units().len(), 1);
/// # Ok::<(), rely_lts::Malformed>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProgramBuilder {
    pub(super) alphabet: Alphabet,
    slots: Vec<Slot>,
    pub(super) units: Vec<Unit>,
    pub(super) ticks: Vec<Tick>,
    expressions: Vec<Expression>,
    known: FxHashMap<Expression, ExpressionId>,
    pub(super) end: Option<ExpressionId>,
    pub(super) hidden: Vec<bool>,
}

/// A command that is being written.
pub struct CommandBuilder<'a>(&'a mut Command);

impl CommandBuilder<'_> {
    /// Assigns a slot.
    pub fn assign(self, slot: SlotId, value: ExpressionId) -> Self {
        self.set(Target::Slot(slot), value)
    }

    /// Assigns a slot or an element of an array.
    pub fn set(self, target: Target, value: ExpressionId) -> Self {
        self.0.assignments.push(Assignment { target, value });
        self
    }

    /// How the command ends, if the program does not go on.
    pub fn outcome(self, outcome: Outcome) -> Self {
        self.0.outcome = outcome;
        self
    }

    /// Where the command stands in the text.
    pub fn place(self, place: Span) -> Self {
        self.0.place = Some(place);
        self
    }
}

impl ProgramBuilder {
    /// A program without slots and units.
    pub fn new() -> Self {
        Self::default()
    }

    /// A slot that keeps its value.
    pub fn slot(&mut self, name: impl Into<String>, values: Values, initial: i32) -> SlotId {
        self.slot_with(Slot { name: name.into(), values, initial, lifetime: super::Lifetime::Kept })
    }

    /// An event: it is 0, or 1 from the step that sends it until the next tick.
    pub fn event(&mut self, name: impl Into<String>) -> SlotId {
        let lifetime = super::Lifetime::Momentary;
        self.slot_with(Slot { name: name.into(), values: Values::Boolean, initial: 0, lifetime })
    }

    /// Any slot.
    pub fn slot_with(&mut self, slot: Slot) -> SlotId {
        self.slots.push(slot);
        SlotId::from_index(self.slots.len() - 1)
    }

    /// An array of slots called `name[0]`, `name[1]` and so on.
    pub fn array(&mut self, name: &str, length: u32, values: &Values, initial: i32) -> Array {
        let first = SlotId::from_index(self.slots.len());
        for index in 0..length {
            self.slot(format!("{name}[{index}]"), values.clone(), initial);
        }
        Array { first, length }
    }

    /// A unit without commands.
    pub fn unit(&mut self, name: impl Into<String>) -> UnitId {
        self.units.push(Unit { name: name.into(), alphabet: Vec::new(), commands: Vec::new() });
        UnitId::from_index(self.units.len() - 1)
    }

    /// An action.
    pub fn action(&mut self, name: &str) -> ActionId {
        self.alphabet.intern(name)
    }

    /// Declares that a unit takes part in an action. A command for the action does so, too.
    pub fn take_part(&mut self, unit: UnitId, action: ActionId) {
        let alphabet = &mut self.units[unit.index()].alphabet;
        if let Err(at) = alphabet.binary_search(&action) {
            alphabet.insert(at, action);
        }
    }

    /// A tick without members.
    pub fn tick(&mut self, action: Option<ActionId>, guard: ExpressionId) -> TickId {
        self.ticks.push(Tick { action, guard, members: Vec::new() });
        TickId::from_index(self.ticks.len() - 1)
    }

    /// Makes a unit a member of a tick. A command for the tick does so, too.
    pub fn join(&mut self, unit: UnitId, tick: TickId) {
        let members = &mut self.ticks[tick.index()].members;
        if let Err(at) = members.binary_search(&unit) {
            members.insert(at, unit);
        }
    }

    /// Adds a command to a unit.
    pub fn command(&mut self, unit: UnitId, trigger: Trigger, guard: ExpressionId) -> CommandBuilder<'_> {
        match trigger {
            Trigger::Silent => {}
            Trigger::Action(action) => self.take_part(unit, action),
            Trigger::Tick(tick) => self.join(unit, tick),
        }
        let commands = &mut self.units[unit.index()].commands;
        let (assignments, outcome, place) = (Vec::new(), Outcome::Continue, None);
        commands.push(Command { trigger, guard, assignments, outcome, place });
        CommandBuilder(commands.last_mut().expect("it was added just now"))
    }

    /// The condition under which a state without steps is successful termination instead of a deadlock.
    pub fn end(&mut self, condition: ExpressionId) {
        self.end = Some(condition);
    }

    /// An expression. Equal expressions are one.
    pub fn expression(&mut self, expression: Expression) -> ExpressionId {
        if let Some(&known) = self.known.get(&expression) {
            return known;
        }
        self.expressions.push(expression);
        let id = ExpressionId::from_index(self.expressions.len() - 1);
        self.known.insert(expression, id);
        id
    }

    /// A number.
    pub fn constant(&mut self, value: i64) -> ExpressionId {
        self.expression(Expression::Constant(value))
    }

    /// The value of a slot.
    pub fn value(&mut self, slot: SlotId) -> ExpressionId {
        self.expression(Expression::Slot(slot))
    }

    /// The value of an element of an array.
    pub fn element(&mut self, array: Array, index: ExpressionId) -> ExpressionId {
        self.expression(Expression::Element(array, index))
    }

    /// An operator applied to two operands.
    pub fn binary(&mut self, operator: Binary, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        self.expression(Expression::Binary(operator, first, second))
    }

    /// Whether an expression is 0.
    pub fn not(&mut self, operand: ExpressionId) -> ExpressionId {
        match self.expressions[operand.index()] {
            Expression::Constant(value) => self.constant(i64::from(value == 0)),
            _ => self.expression(Expression::Unary(Unary::Not, operand)),
        }
    }

    /// Whether both are not 0.
    pub fn and(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        match self.expressions[first.index()] {
            Expression::Constant(0) => first,
            Expression::Constant(_) => second,
            _ => self.binary(Binary::And, first, second),
        }
    }

    /// Whether one of them is not 0.
    pub fn or(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        match self.expressions[first.index()] {
            Expression::Constant(0) => second,
            Expression::Constant(_) => first,
            _ => self.binary(Binary::Or, first, second),
        }
    }

    /// Whether all of some conditions hold; true for none.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = ExpressionId>) -> ExpressionId {
        let truth = self.constant(1);
        conditions.into_iter().fold(truth, |all, condition| self.and(all, condition))
    }

    /// Whether one of some conditions holds; false for none.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = ExpressionId>) -> ExpressionId {
        let falsehood = self.constant(0);
        conditions.into_iter().fold(falsehood, |any, condition| self.or(any, condition))
    }

    /// Whether two expressions are equal.
    pub fn equal(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        self.binary(Binary::Equal, first, second)
    }

    /// Whether a slot has a value.
    pub fn is(&mut self, slot: SlotId, value: i64) -> ExpressionId {
        let (slot, value) = (self.value(slot), self.constant(value));
        self.equal(slot, value)
    }

    /// Whether the first is less than the second.
    pub fn less(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        self.binary(Binary::Less, first, second)
    }

    /// The sum.
    pub fn add(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        self.binary(Binary::Add, first, second)
    }

    /// The program.
    ///
    /// # Errors What has no meaning: a slot without values or with an initial value that it does not have; an
    /// identifier that is no slot, unit, tick, action or expression of this program; an operand that does not stand
    /// before its expression; a tick in a program without units.
    pub fn build(self) -> Result<Program, Malformed> {
        self.check()?;
        let Self { alphabet, slots, units, ticks, expressions, end, mut hidden, .. } = self;
        let mut participants = vec![Vec::new(); alphabet.len()];
        for (number, unit) in units.iter().enumerate() {
            for action in &unit.alphabet {
                participants[action.index()].push(UnitId::from_index(number));
            }
        }
        hidden.resize(alphabet.len(), false);
        Ok(Program { alphabet, slots, units, ticks, expressions, end, participants, hidden })
    }

    fn check(&self) -> Result<(), Malformed> {
        let expression =
            |id: ExpressionId| ensure(id.index() < self.expressions.len(), || format!("there is no {id:?}"));
        let array = |array: Array| {
            let end = u64::from(array.first.raw()) + u64::from(array.length);
            ensure(array.length > 0 && end <= self.slots.len() as u64, || {
                format!("{array:?} is empty or too long")
            })
        };
        let slot = |id: SlotId| ensure(id.index() < self.slots.len(), || format!("there is no {id:?}"));
        let action =
            |id: ActionId| ensure(id.index() < self.alphabet.len(), || format!("there is no {id:?}"));
        for slot in &self.slots {
            ensure(slot.values.count() > 0, || format!("{} has no values", slot.name))?;
            ensure(slot.values.contains(slot.initial.into()), || {
                format!("{} cannot start like that", slot.name)
            })?;
        }
        for (number, it) in self.expressions.iter().enumerate() {
            for operand in it.operands() {
                ensure(operand.index() < number, || format!("expression {number} comes before its operand"))?;
            }
            match *it {
                Expression::Slot(id) => slot(id)?,
                Expression::Element(it, _) => array(it)?,
                _ => {}
            }
        }
        self.end.map_or(Ok(()), expression)?;
        ensure(self.ticks.is_empty() || !self.units.is_empty(), || "there are ticks, and no units".into())?;
        for tick in &self.ticks {
            expression(tick.guard)?;
            tick.action.map_or(Ok(()), action)?;
            for member in &tick.members {
                ensure(member.index() < self.units.len(), || format!("there is no {member:?}"))?;
            }
        }
        for unit in &self.units {
            unit.alphabet.iter().try_for_each(|&id| action(id))?;
            for command in &unit.commands {
                expression(command.guard)?;
                match command.trigger {
                    Trigger::Silent => {}
                    Trigger::Action(id) => action(id)?,
                    Trigger::Tick(id) => {
                        ensure(id.index() < self.ticks.len(), || format!("there is no {id:?}"))?;
                    }
                }
                for assignment in &command.assignments {
                    expression(assignment.value)?;
                    match assignment.target {
                        Target::Slot(id) => slot(id)?,
                        Target::Element(it, index) => {
                            array(it)?;
                            expression(index)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Malformed> {
    if condition { Ok(()) } else { Err(Malformed(message())) }
}

impl From<Program> for ProgramBuilder {
    fn from(program: Program) -> Self {
        let Program { alphabet, slots, units, ticks, expressions, end, hidden, .. } = program;
        let ids = (0..expressions.len()).map(ExpressionId::from_index);
        let known = expressions.iter().copied().zip(ids).collect();
        Self { alphabet, slots, units, ticks, expressions, known, end, hidden }
    }
}
