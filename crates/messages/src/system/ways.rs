//! The ways through the action of a state.
//!
//! **Problem.** An action is a small program of assignments, conditions, choices and messages; it is done in one step. A
//! command of a [`rely_lts::Program`] has one guard, one list of assignments, and one action.
//!
//! **Idea.** Symbolic execution. A *way* through the action has decided every condition, every choice, and the value of every
//! parameter that is sent. What it has decided is its guard; what the variables are worth at its end, as expressions over
//! their values before the step, are its assignments. So each way is one command. The number of ways is the product of the
//! decisions, which is limited.
//!
//! **Failures.** Where a value may lie outside of its type there is a way that ends there and fails. Conditions are joined in
//! the order of the text, and the later ones are only evaluated where the earlier ones are true: what is undefined is
//! undefined exactly where the action would compute it.

use rely_base::{Budget, Progress, Span};
use rely_lts::{Array, Binary, Expression, ProgramBuilder};

use super::term::{self, Term};
use super::{Layout, Reason, Refused, Sent};
use crate::component::{Component, Expr, MessageRef, Receiver, Statement, Type, Value, VariableRef};

/// The most ways through one action.
const MAX_WAYS: usize = 10_000;
/// How many values of variables may be looked at for one action, over all its ways and statements.
const MAX_VALUES: usize = 50_000_000;

/// A way through an action.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// What has been decided, in order.
    pub(super) conditions: Vec<Term>,
    /// For each variable and each element, its value so far.
    pub(super) values: Vec<Vec<Term>>,
    /// For each variable, whether it was assigned.
    pub(super) assigned: Vec<bool>,
    /// The messages so far.
    pub(super) sent: Vec<Sent>,
    /// Why it ends before the action does.
    pub(super) failure: Option<Reason>,
}

impl Way {
    /// The same way after one more decision; nothing if it is never taken.
    fn deciding(&self, condition: Term) -> Option<Self> {
        match condition.constant {
            Some(0) => None,
            Some(_) => Some(self.clone()),
            None => {
                let mut way = self.clone();
                way.conditions.push(condition);
                Some(way)
            }
        }
    }
}

/// Walks through the actions of one process.
pub(super) struct Walker<'w> {
    pub(super) program: &'w mut ProgramBuilder,
    pub(super) component: &'w Component,
    pub(super) process: usize,
    pub(super) layout: &'w Layout,
    pub(super) budget: &'w Budget<'w>,
    /// How many values of variables have been looked at.
    pub(super) looked_at: usize,
}

impl Walker<'_> {
    /// All ways through an action.
    pub(super) fn ways(&mut self, action: &[Statement], place: Span) -> Result<Vec<Way>, Refused> {
        let start = self.start();
        self.walk(action, vec![start], place)
    }

    /// The values before the action.
    fn start(&mut self) -> Way {
        let variables = &self.component.processes[self.process].variables;
        let mut values = Vec::new();
        for (number, variable) in variables.iter().enumerate() {
            let array = self.array(number);
            let length = variable.array.map_or(1, |(_, length)| length);
            let slots = (0..length).filter_map(|index| array.element(i64::from(index)));
            values.push(slots.map(|slot| term::opaque(self.program.value(slot))).collect());
        }
        let assigned = vec![false; variables.len()];
        Way { conditions: Vec::new(), values, assigned, sent: Vec::new(), failure: None }
    }

    /// The slots of a variable.
    fn array(&self, variable: usize) -> Array {
        let length = self.component.processes[self.process].variables[variable].array.map_or(1, |(_, it)| it);
        Array { first: self.layout.variables[variable], length }
    }

    fn walk(&mut self, statements: &[Statement], ways: Vec<Way>, place: Span) -> Result<Vec<Way>, Refused> {
        let mut ways = ways;
        for statement in statements {
            let values: usize =
                ways.iter().map(|way| way.values.iter().map(Vec::len).sum::<usize>() + 1).sum();
            self.looked_at += values;
            if self.looked_at > MAX_VALUES {
                return Err(Refused::TooManyWays(place));
            }
            self.budget.check(&Progress::default()).map_err(Refused::Exhausted)?;
            let mut after = Vec::new();
            for way in ways {
                match way.failure {
                    Some(_) => after.push(way),
                    None => after.extend(self.step(statement, &way, place)?),
                }
                if after.len() > MAX_WAYS {
                    return Err(Refused::TooManyWays(place));
                }
            }
            ways = after;
        }
        Ok(ways)
    }

    fn step(&mut self, statement: &Statement, way: &Way, place: Span) -> Result<Vec<Way>, Refused> {
        match statement {
            Statement::Assign { variable, index, value, place } => {
                Ok(self.assign(way, *variable, index.as_ref(), value, *place))
            }
            Statement::Send { receiver, arguments, place: here } => {
                self.send(way, receiver, arguments, *here, place)
            }
            Statement::If { condition, then, otherwise } => {
                let mut after = Vec::new();
                for condition in self.alternatives(way, condition) {
                    let denied = term::unary(self.program, rely_lts::Unary::Not, condition);
                    let yes: Vec<Way> = way.deciding(condition).into_iter().collect();
                    let no: Vec<Way> = way.deciding(denied).into_iter().collect();
                    after.extend(self.walk(then, yes, place)?);
                    after.extend(self.walk(otherwise, no, place)?);
                }
                Ok(after)
            }
        }
    }

    /// What a value may be.
    fn alternatives(&mut self, way: &Way, value: &Value) -> Vec<Term> {
        match value {
            Value::Expr(expr) => vec![self.term(way, expr)],
            Value::Any(ty) => {
                let (low, high) = ty.bounds();
                (low..=high).map(|value| term::constant(self.program, i64::from(value))).collect()
            }
        }
    }

    /// Splits a way in two: that in which a term lies within bounds, and that in which it does not, which fails.
    fn within(
        &mut self,
        way: &Way,
        term: Term,
        bounds: (i64, i64),
        place: Span,
    ) -> (Option<Way>, Option<Way>) {
        let inside = term::between(self.program, term, bounds);
        let outside = term::unary(self.program, rely_lts::Unary::Not, inside);
        let failed = way.deciding(outside).map(|way| Way { failure: Some(Reason::Range { place }), ..way });
        (way.deciding(inside), failed)
    }

    fn assign(
        &mut self,
        way: &Way,
        variable: usize,
        index: Option<&Expr>,
        value: &Value,
        place: Span,
    ) -> Vec<Way> {
        let def = &self.component.processes[self.process].variables[variable];
        let (ty, array) = (def.ty.clone(), def.array);
        let mut after = Vec::new();
        for term in self.alternatives(way, value) {
            let is_safe = matches!(value, Value::Expr(expr) if self.is_within(expr, &ty));
            let (inside, failed) = match is_safe {
                true => (Some(way.clone()), None),
                false => self.within(way, term, wide(ty.bounds()), place),
            };
            after.extend(failed);
            let Some(mut way) = inside else { continue };
            way.assigned[variable] = true;
            match (array, index) {
                (Some((low, length)), Some(index)) => {
                    let position = self.term(&way, index);
                    let bounds = (i64::from(low), i64::from(low) + i64::from(length) - 1);
                    let (inside, failed) = self.within(&way, position, bounds, place);
                    after.extend(failed);
                    after.extend(inside.map(|way| self.assign_element(way, variable, position, low, term)));
                }
                _ => {
                    way.values[variable][0] = term;
                    after.push(way);
                }
            }
        }
        after
    }

    fn assign_element(
        &mut self,
        mut way: Way,
        variable: usize,
        position: Term,
        low: i32,
        value: Term,
    ) -> Way {
        for (offset, element) in way.values[variable].iter_mut().enumerate() {
            let index = i64::from(low) + i64::try_from(offset).unwrap_or(i64::MAX);
            let is_it = term::is(self.program, position, index);
            *element = term::choice(self.program, is_it, value, *element);
        }
        way
    }

    fn send(
        &mut self,
        way: &Way,
        receiver: &Receiver,
        arguments: &[Value],
        here: Span,
        place: Span,
    ) -> Result<Vec<Way>, Refused> {
        let mut after = Vec::new();
        for (way, port, deliveries) in self.receivers(way, receiver, here, &mut after) {
            let params = match (port, deliveries.first()) {
                (Some(port), _) => self.component.ports[port].params.clone(),
                (None, Some(to)) => self.component.processes[to.process].messages[to.message].params.clone(),
                (None, None) => Vec::new(),
            };
            let mut partial = vec![(way, Vec::new())];
            for (argument, ty) in arguments.iter().zip(&params) {
                let mut next = Vec::new();
                for (way, values) in partial {
                    for (way, value) in self.values_of(&way, argument, ty, here, &mut after) {
                        let values: Vec<i32> = values.iter().copied().chain([value]).collect();
                        next.push((way, values));
                    }
                }
                if next.len() > MAX_WAYS {
                    return Err(Refused::TooManyWays(place));
                }
                partial = next;
            }
            after.extend(partial.into_iter().map(|(mut way, values)| {
                way.sent.push(Sent { port, deliveries: deliveries.clone(), values });
                way
            }));
        }
        Ok(after)
    }

    /// The queues that a message may go to, each in a way of its own. Ways that fail are added to `after`.
    fn receivers(
        &mut self,
        way: &Way,
        receiver: &Receiver,
        place: Span,
        after: &mut Vec<Way>,
    ) -> Vec<(Way, Option<usize>, Vec<MessageRef>)> {
        match receiver {
            Receiver::Port(port) => {
                let routes = self.component.ports[*port].routes.clone();
                vec![(way.clone(), Some(*port), routes)]
            }
            Receiver::Process(message) => vec![(way.clone(), None, vec![*message])],
            Receiver::Family { index, members } => {
                let term = self.term(way, index);
                let first = members.first().map_or(0, |(value, _)| i64::from(*value));
                let last = members.last().map_or(0, |(value, _)| i64::from(*value));
                after.extend(self.within(way, term, (first, last), place).1);
                let mut found = Vec::new();
                for (value, message) in members {
                    let is_it = term::is(self.program, term, i64::from(*value));
                    found.extend(way.deciding(is_it).map(|way| (way, None, vec![*message])));
                }
                found
            }
        }
    }

    /// The values that a parameter may have, each in a way of its own.
    fn values_of(
        &mut self,
        way: &Way,
        argument: &Value,
        ty: &Type,
        place: Span,
        after: &mut Vec<Way>,
    ) -> Vec<(Way, i32)> {
        let (low, high) = ty.bounds();
        let mut found = Vec::new();
        for term in self.alternatives(way, argument) {
            if !matches!(argument, Value::Expr(expr) if self.is_within(expr, ty)) {
                after.extend(self.within(way, term, wide((low, high)), place).1);
            }
            for value in low..=high {
                let is_it = term::is(self.program, term, i64::from(value));
                found.extend(way.deciding(is_it).map(|way| (way, value)));
            }
        }
        found
    }

    /// An expression with the values that the variables have on a way.
    fn term(&mut self, way: &Way, expr: &Expr) -> Term {
        match expr {
            Expr::Constant(value) => term::constant(self.program, *value),
            Expr::Variable(variable) => way.values[variable.variable][0],
            Expr::Element(variable, index) => self.element(way, *variable, index),
            Expr::Unary(op, operand) => {
                let operand = self.term(way, operand);
                term::unary(self.program, *op, operand)
            }
            Expr::Binary(op, first, second) => {
                let (first, second) = (self.term(way, first), self.term(way, second));
                term::binary(self.program, *op, first, second)
            }
        }
    }

    /// The value of an element of an array on a way; undefined beyond the array.
    fn element(&mut self, way: &Way, variable: VariableRef, index: &Expr) -> Term {
        let def = &self.component.processes[self.process].variables[variable.variable];
        let low = term::constant(self.program, i64::from(def.array.map_or(0, |(low, _)| low)));
        let index = self.term(way, index);
        let position = term::binary(self.program, Binary::Subtract, index, low);
        let elements = &way.values[variable.variable];
        if let Some(constant) = position.constant
            && let Some(element) = usize::try_from(constant).ok().and_then(|position| elements.get(position))
        {
            return *element;
        }
        let array = self.array(variable.variable);
        let untouched = self.program.expression(Expression::Element(array, position.id));
        let mut value = term::opaque(untouched);
        if way.assigned[variable.variable] {
            for (number, element) in elements.clone().into_iter().enumerate() {
                let is_it = term::is(self.program, position, i64::try_from(number).unwrap_or(i64::MAX));
                value = term::choice(self.program, is_it, element, value);
            }
        }
        value
    }

    /// Whether an expression always has a value of a type.
    fn is_within(&self, expr: &Expr, ty: &Type) -> bool {
        let (low, high) = wide(ty.bounds());
        self.bounds(expr).is_some_and(|(least, greatest)| low <= least && greatest <= high)
    }

    /// Bounds of an expression that is defined, from the types of its variables.
    fn bounds(&self, expr: &Expr) -> Option<(i64, i64)> {
        let variables = &self.component.processes[self.process].variables;
        match expr {
            Expr::Constant(value) => Some((*value, *value)),
            Expr::Variable(it) => Some(wide(variables[it.variable].ty.bounds())),
            Expr::Unary(rely_lts::Unary::Not, _) => Some((0, 1)),
            Expr::Binary(Binary::Add, first, second) => {
                let (first, second) = (self.bounds(first)?, self.bounds(second)?);
                Some((first.0.checked_add(second.0)?, first.1.checked_add(second.1)?))
            }
            Expr::Binary(Binary::Subtract, first, second) => {
                let (first, second) = (self.bounds(first)?, self.bounds(second)?);
                Some((first.0.checked_sub(second.1)?, first.1.checked_sub(second.0)?))
            }
            // These may be undefined, or have bounds that are not worth the effort.
            Expr::Element(..) | Expr::Unary(..) | Expr::Binary(..) => None,
        }
    }
}

fn wide((low, high): (i32, i32)) -> (i64, i64) {
    (i64::from(low), i64::from(high))
}
