//! Random programs of a few small units.

use rely_base::{ActionId, Id};
use rely_lts::{
    Array, Binary, Expression, ExpressionId, Lifetime, Outcome, Program, ProgramBuilder, Slot, SlotId,
    Target, TickId, Trigger, Unary, Values,
};

use crate::rng::Rng;

/// Parameters of random programs.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Maximum number of units; at least one is made.
    pub units: usize,
    /// Maximum number of commands of a unit.
    pub commands: usize,
    /// Whether expressions may be undefined, values out of range and assignments clash, and whether commands may fail.
    pub errors: bool,
    /// Whether runs may be cut.
    pub cuts: bool,
}

impl Shape {
    /// Everything that a program can have.
    pub const FULL: Self = Self { units: 3, commands: 5, errors: true, cuts: true };

    /// Everything but failures and cuts.
    pub const FAULTLESS: Self = Self { errors: false, cuts: false, ..Self::FULL };
}

/// A random program with a few hundred states at most.
pub fn program(rng: &mut Rng, shape: &Shape) -> Program {
    let mut generator = Generator::new(rng, shape);
    generator.fill();
    let mut program = generator.builder.build().expect("a generator knows what has a meaning");
    if rng.chance(1, 3) {
        let hidden = ["a", "b", "c", "t"][rng.below(4)];
        program = program.with_hidden(|name| name == hidden);
    }
    program
}

struct Generator<'r> {
    rng: &'r mut Rng,
    shape: Shape,
    builder: ProgramBuilder,
    slots: Vec<(SlotId, i32, i32)>,
    array: Option<Array>,
    actions: Vec<ActionId>,
    ticks: Vec<TickId>,
}

impl<'r> Generator<'r> {
    fn new(rng: &'r mut Rng, shape: &Shape) -> Self {
        let mut builder = ProgramBuilder::new();
        let actions = ["a", "b", "c"].map(|name| builder.action(name)).to_vec();
        Self { rng, shape: *shape, builder, slots: Vec::new(), array: None, actions, ticks: Vec::new() }
    }

    fn fill(&mut self) {
        self.declare();
        let units: Vec<_> =
            (0..1 + self.rng.below(self.shape.units)).map(|i| self.builder.unit(format!("U{i}"))).collect();
        for _ in 0..self.rng.below(3) {
            let action = [None, Some("t"), Some("a")][self.rng.below(3)];
            let action = action.map(|name| self.builder.action(name));
            let guard = self.condition();
            let tick = self.builder.tick(action, guard);
            self.ticks.push(tick);
            for &unit in &units {
                if self.rng.chance(1, 2) {
                    self.builder.join(unit, tick);
                }
            }
        }
        for &unit in &units {
            for _ in 0..1 + self.rng.below(self.shape.commands) {
                self.command(unit);
            }
            if self.rng.chance(1, 4) {
                let action = *self.rng.pick(&self.actions);
                self.builder.take_part(unit, action);
            }
        }
        if self.rng.chance(1, 2) {
            let end = self.condition();
            self.builder.end(end);
        }
    }

    fn declare(&mut self) {
        for i in 0..1 + self.rng.below(3) {
            let (values, low, high) = match self.rng.below(4) {
                0 => (Values::Boolean, 0, 1),
                1 => (Values::Named(["red", "green", "blue"].map(str::to_owned).to_vec()), 0, 2),
                2 => (Values::Range(-1, 2), -1, 2),
                _ => (Values::Range(3, 4), 3, 4),
            };
            let initial = low + i32::from(self.rng.chance(1, 3));
            let lifetime = if self.rng.chance(1, 4) { Lifetime::Momentary } else { Lifetime::Kept };
            let slot = self.builder.slot_with(Slot { name: format!("x{i}"), values, initial, lifetime });
            self.slots.push((slot, low, high));
        }
        if self.rng.chance(1, 2) {
            let length = 2 + u32::from(self.rng.chance(1, 2));
            self.array = Some(self.builder.array("y", length, &Values::Boolean, 0));
        }
    }

    /// The slots that a unit may assign. If nothing may fail, no two units assign the same slot.
    fn own(&self, unit: rely_lts::UnitId) -> Vec<(SlotId, i32, i32)> {
        let is_own = |&(slot, _, _): &(SlotId, i32, i32)| {
            self.shape.errors || slot.index() % self.shape.units == unit.index()
        };
        self.slots.iter().copied().filter(is_own).collect()
    }

    fn command(&mut self, unit: rely_lts::UnitId) {
        let trigger = match self.rng.below(5) {
            0 => Trigger::Silent,
            1 | 2 if !self.ticks.is_empty() => Trigger::Tick(*self.rng.pick(&self.ticks)),
            _ => Trigger::Action(*self.rng.pick(&self.actions)),
        };
        let guard = self.condition();
        let assignments: Vec<_> = (0..self.rng.below(3)).filter_map(|_| self.assignment(unit)).collect();
        let outcome = match self.rng.below(12) {
            0 if self.shape.errors => Outcome::Fail,
            1 if self.shape.cuts => Outcome::Cut,
            _ => Outcome::Continue,
        };
        let mut command = self.builder.command(unit, trigger, guard).outcome(outcome);
        let mut assigned = Vec::new();
        for (target, value) in assignments {
            // A slot is assigned once, unless two elements happen to be the same.
            let is_element = matches!(target, Target::Element(..)) && self.shape.errors;
            if is_element || !assigned.contains(&target) {
                assigned.push(target);
                command = command.set(target, value);
            }
        }
    }

    fn assignment(&mut self, unit: rely_lts::UnitId) -> Option<(Target, ExpressionId)> {
        if let Some(array) = self.array.filter(|_| self.rng.chance(1, 3)) {
            let value = self.condition();
            if self.shape.errors {
                return Some((Target::Element(array, self.index(array)), value));
            }
            let first = self.builder.constant(0);
            return (unit.index() == 0).then_some((Target::Element(array, first), value));
        }
        let own = self.own(unit);
        if own.is_empty() {
            return None;
        }
        let (slot, low, high) = *self.rng.pick(&own);
        let value = match self.rng.below(3) {
            0 if self.shape.errors => self.number(2),
            // The next value, cyclically.
            1 => {
                let (now, one, low, count) = (
                    self.builder.value(slot),
                    self.builder.constant(1 - i64::from(low)),
                    self.builder.constant(low.into()),
                    self.builder.constant(i64::from(high - low + 1)),
                );
                let next = self.builder.add(now, one);
                let next = self.builder.binary(Binary::Modulo, next, count);
                self.builder.add(next, low)
            }
            _ => {
                let offset = i64::try_from(self.rng.below(2)).expect("it is small");
                self.builder.constant(i64::from(low) + offset)
            }
        };
        Some((Target::Slot(slot), value))
    }

    /// An index, which may lie beyond the array if errors are allowed.
    fn index(&mut self, array: Array) -> ExpressionId {
        let index = self.number(1);
        if self.shape.errors && self.rng.chance(1, 2) {
            return index;
        }
        let length = self.builder.constant(array.length.into());
        self.builder.binary(Binary::Modulo, index, length)
    }

    fn condition(&mut self) -> ExpressionId {
        if self.rng.chance(1, 4) {
            return self.builder.constant(1);
        }
        let (slot, low, high) = *self.rng.pick(&self.slots);
        let count = usize::try_from(high - low + 1).expect("it is small");
        let value = i64::from(low) + i64::try_from(self.rng.below(count)).expect("it is small");
        let is = self.builder.is(slot, value);
        match self.rng.below(5) {
            0 => self.builder.not(is),
            1 => {
                let (one, other) = (self.number(1), self.number(1));
                let less = self.builder.less(one, other);
                self.builder.and(is, less)
            }
            2 => {
                let (one, other) = (self.number(1), self.number(1));
                let less = self.builder.binary(Binary::LessOrEqual, one, other);
                self.builder.or(less, is)
            }
            _ => is,
        }
    }

    /// A number, from expressions of at most this depth.
    fn number(&mut self, depth: usize) -> ExpressionId {
        if depth == 0 || self.rng.chance(1, 3) {
            return match self.rng.below(3) {
                0 => {
                    let value = i64::try_from(self.rng.below(4)).expect("it is small") - 1;
                    self.builder.constant(value)
                }
                _ => {
                    let (slot, _, _) = *self.rng.pick(&self.slots);
                    self.builder.value(slot)
                }
            };
        }
        let one = self.number(depth - 1);
        match self.rng.below(6) {
            0 => self.builder.expression(Expression::Unary(Unary::Negate, one)),
            1 => {
                let (condition, other) = (self.condition(), self.number(depth - 1));
                self.builder.expression(Expression::If(condition, one, other))
            }
            2 if self.array.is_some() => {
                let array = self.array.expect("there is one");
                let index = self.index(array);
                self.builder.element(array, index)
            }
            _ => {
                let safe = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Equal, Binary::NotEqual];
                let all = [
                    Binary::Divide,
                    Binary::Remainder,
                    Binary::Modulo,
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                ];
                let operator = if self.shape.errors { *self.rng.pick(&all) } else { *self.rng.pick(&safe) };
                let other = self.number(depth - 1);
                self.builder.binary(operator, one, other)
            }
        }
    }
}
