//! Digests of programs: of each unit, and of everything else.
//!
//! An expression is known by its text, not by its number in the program, so that a change of one unit does not change the
//! digests of the others. The text of an expression holds the digests of its operands, since written out in full it may be
//! exponentially long. Slots, units, ticks and actions are known by number and name.

use rely_base::{ActionId, Id};
use rely_lts::{Array, Expression, ExpressionId, Program, Target, TickId, Trigger};

use super::{Digest, Fnv};

/// Canonical texts of the elements of a program.
struct Names<'p> {
    program: &'p Program,
    /// The digest of each expression.
    expressions: Vec<Digest>,
}

impl Digest {
    /// The digest of each unit of a program: its alphabet and its commands.
    pub(crate) fn of_units(program: &Program) -> Vec<Self> {
        let names = Names::new(program);
        program.units().iter().map(|unit| names.unit(unit)).collect()
    }

    /// The digest of everything in a program but its units: slots, ticks, end and hiding.
    pub(crate) fn of_frame(program: &Program) -> Self {
        let names = Names::new(program);
        let mut hash = Fnv::new();
        for slot in program.slots() {
            let (name, values, initial) = (&slot.name, &slot.values, slot.initial);
            let length = name.len();
            hash.line(format_args!("slot {length} {name} {values:?} {initial} {:?}", slot.lifetime));
        }
        for tick in program.ticks() {
            let members: Vec<usize> = tick.members.iter().map(|member| member.index()).collect();
            let action = tick.action.map_or(String::new(), |action| names.action(action));
            hash.line(format_args!("tick {action} {} {members:?}", names.expression(tick.guard)));
        }
        let end = program.end().map(|end| names.expression(end).clone());
        hash.line(format_args!("end {end:?}"));
        for (action, _) in program.alphabet().iter().filter(|(action, _)| program.is_hidden(*action)) {
            hash.line(format_args!("hidden {}", names.action(action)));
        }
        hash.finish()
    }
}

impl<'p> Names<'p> {
    fn new(program: &'p Program) -> Self {
        let mut names = Self { program, expressions: Vec::new() };
        for &expression in program.expressions() {
            let digest = names.digest(expression);
            names.expressions.push(digest);
        }
        names
    }

    fn expression(&self, id: ExpressionId) -> &Digest {
        &self.expressions[id.index()]
    }

    fn digest(&self, expression: Expression) -> Digest {
        let of = |id: ExpressionId| self.expression(id);
        let mut hash = Fnv::new();
        match expression {
            Expression::Constant(value) => hash.line(format_args!("constant {value}")),
            Expression::Slot(slot) => hash.line(format_args!("slot {}", slot.index())),
            Expression::Element(array, index) => {
                hash.line(format_args!("element {} {}", range(array), of(index)));
            }
            Expression::Unary(operator, operand) => {
                hash.line(format_args!("{operator:?} {}", of(operand)));
            }
            Expression::Binary(operator, first, second) => {
                hash.line(format_args!("{operator:?} {} {}", of(first), of(second)));
            }
            Expression::If(condition, then, otherwise) => {
                hash.line(format_args!("if {} {} {}", of(condition), of(then), of(otherwise)));
            }
        }
        hash.finish()
    }

    fn unit(&self, unit: &rely_lts::Unit) -> Digest {
        let mut hash = Fnv::new();
        for &action in &unit.alphabet {
            hash.line(format_args!("action {}", self.action(action)));
        }
        for command in &unit.commands {
            let trigger = match command.trigger {
                Trigger::Silent => "silent".to_owned(),
                Trigger::Action(action) => format!("action {}", self.action(action)),
                Trigger::Tick(tick) => format!("tick {}", TickId::index(tick)),
            };
            hash.line(format_args!("{trigger} {} {:?}", self.expression(command.guard), command.outcome));
            for assignment in &command.assignments {
                let value = self.expression(assignment.value);
                match assignment.target {
                    Target::Slot(slot) => hash.line(format_args!("slot {} {value}", slot.index())),
                    Target::Element(array, index) => {
                        hash.line(format_args!(
                            "element {} {} {value}",
                            range(array),
                            self.expression(index)
                        ));
                    }
                }
            }
        }
        hash.finish()
    }

    /// An action by its name, preceded by its length so that names with blanks cannot be confused.
    fn action(&self, action: ActionId) -> String {
        let name = self.program.alphabet().name(action);
        format!("{} {name}", name.len())
    }
}

fn range(array: Array) -> String {
    format!("{}+{}", array.first.index(), array.length)
}
