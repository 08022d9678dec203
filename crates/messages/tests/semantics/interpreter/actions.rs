//! Actions of states and the values of expressions, interpreted from the abstract syntax.

use std::collections::BTreeMap;

use rely_messages::ast::{BinaryOp, Expr, ExprKind, Path, Statement, StatementKind, TypeExpr, UnaryOp};

use super::{Failed, Instance, Interpreter, Path1, Sent};

impl Interpreter<'_> {
    pub(super) fn run(
        &self,
        statements: &[Statement],
        paths: Vec<Result<Path1, Failed>>,
        instance: &Instance<'_>,
    ) -> Vec<Result<Path1, Failed>> {
        let mut paths = paths;
        for statement in statements {
            let mut after = Vec::new();
            for path in paths {
                match path {
                    Err(Failed) => after.push(Err(Failed)),
                    Ok(path) => after.extend(self.execute(statement, &path, instance)),
                }
            }
            paths = after;
        }
        paths
    }

    fn execute(
        &self,
        statement: &Statement,
        path: &Path1,
        instance: &Instance<'_>,
    ) -> Vec<Result<Path1, Failed>> {
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                let outcomes = self.choices(condition, path, instance);
                let branch = |outcome: Result<i64, Failed>| match outcome {
                    Err(Failed) => vec![Err(Failed)],
                    Ok(0) => self.run(otherwise, vec![Ok(path.clone())], instance),
                    Ok(_) => self.run(then, vec![Ok(path.clone())], instance),
                };
                outcomes.into_iter().flat_map(branch).collect()
            }
            StatementKind::Assign(target, value) => {
                let (name, index) = &target.parts[0];
                let def = instance.def.variables.iter().find(|variable| variable.name.text == name.text);
                let def = def.expect("it is a variable");
                let (low, high) = self.type_bounds(&def.ty);
                let assigned = |value: Result<i64, Failed>| {
                    let value = value.ok().filter(|value| (low..=high).contains(value)).ok_or(Failed)?;
                    let mut after = path.clone();
                    let position = match (index, &def.index) {
                        (Some(index), Some(array)) => {
                            let position = self.value(&index.low, &path.0, Some(instance))?;
                            usize::try_from(position - self.bounds(array).0).map_err(|_| Failed)?
                        }
                        _ => 0,
                    };
                    let elements = after.0.get_mut(&*name.text).expect("it is a variable");
                    *elements.get_mut(position).ok_or(Failed)? = value;
                    Ok(after)
                };
                self.choices(value, path, instance).into_iter().map(assigned).collect()
            }
            StatementKind::Send(target, arguments) => self.send(target, arguments, path, instance),
        }
    }

    fn send(
        &self,
        target: &Path,
        arguments: &[Expr],
        path: &Path1,
        instance: &Instance<'_>,
    ) -> Vec<Result<Path1, Failed>> {
        let (sent, params) = match target.parts.as_slice() {
            [(name, None)] => {
                let def = instance.primitive.outputs.iter().find(|def| def.name.text == name.text);
                let output = format!("{}{}", instance.folder, name.text);
                (Sent::Out(output, (name.text.to_string(), Vec::new())), &def.expect("an output").params)
            }
            [(process, index), (message, None)] => {
                let mut name = format!("{}{}", instance.folder, process.text);
                if let Some(index) = index {
                    match self.value(&index.low, &path.0, Some(instance)) {
                        Ok(value) => name += &format!(".{value}"),
                        Err(Failed) => return vec![Err(Failed)],
                    }
                }
                let Some(to) = self.instances.iter().position(|it| it.name == name) else {
                    return vec![Err(Failed)];
                };
                let receiver = &self.instances[to];
                let declared = receiver.def.inputs.iter().chain(&receiver.primitive.inputs);
                let def = declared.into_iter().find(|def| def.name.text == message.text);
                static NONE: Vec<(rely_messages::ast::Name, TypeExpr)> = Vec::new();
                (Sent::To(to, (message.text.to_string(), Vec::new())), def.map_or(&NONE, |def| &def.params))
            }
            _ => panic!("not a message"),
        };
        let mut partial: Vec<Result<Vec<i64>, Failed>> = vec![Ok(Vec::new())];
        for (argument, (_, ty)) in arguments.iter().zip(params) {
            let (low, high) = self.type_bounds(ty);
            let mut next = Vec::new();
            for values in partial {
                let Ok(values) = values else {
                    next.push(Err(Failed));
                    continue;
                };
                for value in self.choices(argument, path, instance) {
                    let value = value.ok().filter(|value| (low..=high).contains(value));
                    let longer = |value| values.iter().copied().chain([value]).collect();
                    next.push(value.map(longer).ok_or(Failed));
                }
            }
            partial = next;
        }
        let extended = |values: Result<Vec<i64>, Failed>| {
            let values = values?;
            let mut after = path.clone();
            after.1.push(match &sent {
                Sent::To(to, (name, _)) => Sent::To(*to, (name.clone(), values)),
                Sent::Out(output, (name, _)) => Sent::Out(output.clone(), (name.clone(), values)),
            });
            Ok(after)
        };
        partial.into_iter().map(extended).collect()
    }

    /// The values that an expression or a choice may have.
    fn choices(&self, expr: &Expr, path: &Path1, instance: &Instance<'_>) -> Vec<Result<i64, Failed>> {
        match &expr.kind {
            ExprKind::Any(ty) => {
                let (low, high) = self.type_bounds(ty);
                (low..=high).map(Ok).collect()
            }
            _ => vec![self.value(expr, &path.0, Some(instance))],
        }
    }

    pub(super) fn value(
        &self,
        expr: &Expr,
        variables: &BTreeMap<String, Vec<i64>>,
        instance: Option<&Instance<'_>>,
    ) -> Result<i64, Failed> {
        let value = |expr: &Expr| self.value(expr, variables, instance);
        Ok(match &expr.kind {
            ExprKind::Int(value) => i64::from(*value),
            ExprKind::Bool(value) => i64::from(*value),
            ExprKind::Any(_) => panic!("`any` is no value"),
            ExprKind::Path { path, .. } => {
                let (name, index) = &path.parts[0];
                if let Some(elements) = variables.get(&*name.text) {
                    let Some(index) = index else { return Ok(elements[0]) };
                    let defs = &instance.expect("only processes have variables").def.variables;
                    let def = defs.iter().find(|def| def.name.text == name.text).expect("a variable");
                    let low = self.bounds(def.index.as_ref().expect("an array")).0;
                    let position = usize::try_from(value(&index.low)? - low).map_err(|_| Failed)?;
                    return elements.get(position).copied().ok_or(Failed);
                }
                match instance.and_then(|instance| instance.index.as_ref()) {
                    Some((index, value)) if **index == *name.text => *value,
                    _ => *self.constants.get(&*name.text).unwrap_or_else(|| &self.literals[&*name.text]),
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => i64::from(value(operand)? == 0),
            ExprKind::Unary(UnaryOp::Negate, operand) => -value(operand)?,
            ExprKind::Unary(..) => panic!("processes know no time"),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                i64::from(value(left)? != 0 && value(right)? != 0)
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => i64::from(value(left)? != 0 || value(right)? != 0),
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                i64::from(value(left)? == 0 || value(right)? != 0)
            }
            ExprKind::Binary(operator, left, right) => {
                let (a, b) = (value(left)?, value(right)?);
                match operator {
                    BinaryOp::Equal | BinaryOp::Iff => i64::from(a == b),
                    BinaryOp::NotEqual => i64::from(a != b),
                    BinaryOp::Less => i64::from(a < b),
                    BinaryOp::LessOrEqual => i64::from(a <= b),
                    BinaryOp::Greater => i64::from(a > b),
                    BinaryOp::GreaterOrEqual => i64::from(a >= b),
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a * b,
                    BinaryOp::Divide => a.checked_div(b).ok_or(Failed)?,
                    BinaryOp::Remainder => a.checked_rem(b).ok_or(Failed)?,
                    _ => panic!("processes know no time"),
                }
            }
        })
    }
}
