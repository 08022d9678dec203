//! Processes: first what others have to know of them, then what they do.

use std::sync::Arc;

use rely_base::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::primitive::Surroundings;
use super::scope::Scope;
use super::{Elaborator, Fallible, Reported, suggest};
use crate::ast::{self, ExprKind, StatementKind};
use crate::codes;
use crate::component::{
    Message, MessageRef, Pattern, Process, Receiver, State, Statement, Transition, Type, Value, Variable,
};

/// The states and transitions of a process.
type Behaviour = (Vec<State>, Vec<Transition>);

/// A place where a process is elaborated.
#[derive(Clone, Copy)]
struct Here<'h> {
    scope: Scope<'h>,
    variables: &'h [Variable],
    processes: &'h [Process],
    around: &'h Surroundings,
}

impl Elaborator<'_> {
    /// A process without states and transitions: its variables, messages and queue.
    pub(super) fn process_frame(
        &mut self,
        def: &ast::ProcessDef,
        index: Option<&(Arc<str>, i32)>,
        name: &str,
        around: &Surroundings,
    ) -> Process {
        let indices: Vec<(Arc<str>, i32)> = index.into_iter().cloned().collect();
        let scope = Scope { indices: &indices, process: None };
        let queue = match &def.queue {
            Some(bound) => self.queue_bound(bound, scope).unwrap_or(around.queue),
            None => around.queue,
        };
        let variables = self.variables(def, scope);
        let messages = self.messages(def, scope, around);
        if def.states.is_empty() {
            let message = format!("process `{}` has no state", def.name.text);
            self.report(Diagnostic::error(codes::NO_STATE, def.name.span, message));
        }
        let count = messages.iter().map(|it| it.params.iter().map(Type::count).product::<u64>()).sum::<u64>();
        // What is too much for one message has been reported.
        let _ = self.limit(count, def.name.span, "different messages that this process takes");
        Process {
            name: name.to_owned(),
            place: def.name.span,
            queue,
            variables,
            messages,
            states: Vec::new(),
            transitions: Vec::new(),
        }
    }

    fn variables(&mut self, def: &ast::ProcessDef, scope: Scope<'_>) -> Vec<Variable> {
        let mut variables: Vec<Variable> = Vec::new();
        let mut values = 0;
        for it in &def.variables {
            if variables.iter().any(|known| known.name == it.name.text) {
                self.duplicate(&it.name, "a variable");
                continue;
            }
            let ty = self.ty(&it.ty, scope);
            let array = it.index.as_ref().map(|index| self.indices(index, scope)).transpose();
            let (Ok(ty), Ok(array)) = (ty, array) else {
                self.doubtful.insert(Arc::clone(&it.name.text));
                continue;
            };
            let least = ty.bounds().0;
            let initial =
                it.initial.as_ref().map_or(Ok(least), |initial| self.constant_of(initial, scope, &ty));
            let initial = initial.unwrap_or(least);
            let array = array.map(|(low, high)| (low, high.abs_diff(low) + 1));
            values += array.map_or(1, |(_, length)| u64::from(length));
            if self.limit(values, it.name.span, "variables in this process").is_err() {
                break;
            }
            let name = Arc::clone(&it.name.text);
            variables.push(Variable { name, visible: it.visible, ty, array, initial });
        }
        variables
    }

    /// The messages that a process takes: those that it declares, and those of its transitions.
    fn messages(&mut self, def: &ast::ProcessDef, scope: Scope<'_>, around: &Surroundings) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for it in &def.inputs {
            if messages.iter().any(|known| known.name == it.name.text) {
                self.duplicate(&it.name, "a message");
                continue;
            }
            if around.inputs.contains_key(&it.name.text) {
                self.duplicate(&it.name, "an input of the component");
                continue;
            }
            let params = self.params(it, scope);
            let name = Arc::clone(&it.name.text);
            messages.push(Message { name, params, is_input: false, place: it.name.span });
        }
        for it in &def.transitions {
            if messages.iter().any(|known| known.name == it.message.text) {
                continue;
            }
            let input = around.inputs.get(&it.message.text);
            let is_input = input.is_some();
            let params = input.cloned().unwrap_or_default();
            let name = Arc::clone(&it.message.text);
            messages.push(Message { name, params, is_input, place: it.message.span });
        }
        messages
    }

    /// The states and transitions of a process.
    pub(super) fn process_behaviour(
        &mut self,
        def: &ast::ProcessDef,
        index: Option<&(Arc<str>, i32)>,
        number: usize,
        processes: &[Process],
        around: &Surroundings,
    ) -> Behaviour {
        let before = self.errors;
        let indices: Vec<(Arc<str>, i32)> = index.into_iter().cloned().collect();
        let variables = &processes[number].variables;
        let scope = Scope { indices: &indices, process: Some((number, variables)) };
        let here = Here { scope, variables, processes, around };
        let mut states: Vec<State> = Vec::new();
        for it in &def.states {
            if states.iter().any(|known| known.name == it.name.text) {
                self.duplicate(&it.name, "a state");
            }
            let action = self.statements(&it.action, here);
            let (name, place) = (Arc::clone(&it.name.text), it.name.span);
            states.push(State { name, is_final: it.is_final, action, place });
        }
        let numbers: FxHashMap<&str, usize> =
            states.iter().enumerate().map(|(number, state)| (&*state.name, number)).collect();
        let mut transitions = Vec::new();
        for it in &def.transitions {
            let patterns = self.patterns(it, &processes[number], here);
            let to = self.state_number(&it.to, &numbers);
            for from in &it.from {
                let from = self.state_number(from, &numbers);
                let (Ok(from), Ok(to), Ok((message, patterns))) = (from, to, patterns.clone()) else {
                    continue;
                };
                transitions.push(Transition { from, to, message, patterns, place: it.span });
            }
        }
        let entered: FxHashSet<usize> = transitions.iter().map(|transition| transition.to).collect();
        let is_entered = |number: &usize| *number == 0 || self.errors > before || entered.contains(number);
        let never: Vec<usize> = (0..states.len()).filter(|number| !is_entered(number)).collect();
        for state in never.into_iter().map(|number| &states[number]) {
            let message = format!("no transition leads to the state `{}`", state.name);
            self.report(Diagnostic::warning(codes::NEVER_ENTERED, state.place, message));
        }
        (states, transitions)
    }

    fn state_number(&mut self, name: &ast::Name, numbers: &FxHashMap<&str, usize>) -> Fallible<usize> {
        if let Some(&number) = numbers.get(&*name.text) {
            return Ok(number);
        }
        let message = format!("there is no state `{}` in this process", name.text);
        let diagnostic = Diagnostic::error(codes::UNDEFINED_STATE, name.span, message);
        Err(self.report(suggest(diagnostic, &name.text, numbers.keys().copied())))
    }

    /// The message of a transition, and what becomes of its parameters.
    fn patterns(
        &mut self,
        def: &ast::TransitionDef,
        process: &Process,
        here: Here<'_>,
    ) -> Fallible<(usize, Vec<Pattern>)> {
        let number = process.messages.iter().position(|message| message.name == def.message.text);
        let number = number.ok_or(Reported)?;
        if self.doubtful.contains(&def.message.text) {
            return Err(Reported);
        }
        let params = &process.messages[number].params;
        let Some(patterns) = &def.patterns else {
            return Ok((number, vec![Pattern::Ignore; params.len()]));
        };
        if patterns.len() != params.len() {
            let name = &def.message.text;
            let message = format!("`{name}` has {}, not {}", counted(params.len()), patterns.len());
            let diagnostic = Diagnostic::error(codes::ARGUMENTS, def.message.span, message);
            let is_declared =
                here.around.inputs.contains_key(name) || process.messages[number].place != def.message.span;
            return Err(self.report(match is_declared {
                true => diagnostic,
                false => diagnostic.with_help(format!("declare it in the process: `input {name}(x: …)`")),
            }));
        }
        let found: Vec<Fallible<Pattern>> =
            patterns.iter().zip(params).map(|(pattern, ty)| self.pattern(pattern, ty, here)).collect();
        let found: Vec<Pattern> = found.into_iter().collect::<Fallible<_>>()?;
        let mut bound = FxHashSet::default();
        for (pattern, written) in found.iter().zip(patterns) {
            if let Pattern::Bind(variable) = pattern
                && !bound.insert(variable)
            {
                let message = "two parameters cannot become the value of one variable";
                return Err(self.report(Diagnostic::error(codes::ARGUMENTS, written.span, message)));
            }
        }
        Ok((number, found))
    }

    fn pattern(&mut self, pattern: &ast::Expr, ty: &Type, here: Here<'_>) -> Fallible<Pattern> {
        if let ExprKind::Path { path, arguments: None, suffix: None } = &pattern.kind
            && let Some(name) = path.as_name()
        {
            if &*name.text == "_" {
                return Ok(Pattern::Ignore);
            }
            if let Some(number) = here.variables.iter().position(|variable| variable.name == name.text) {
                let variable = &here.variables[number];
                if variable.array.is_some() {
                    let message = format!("`{}` is an array, and the parameter one value", name.text);
                    return Err(self.report(Diagnostic::error(codes::INDEX, name.span, message)));
                }
                if !ty.is_within(&variable.ty) {
                    let message =
                        format!("the parameter has values of {ty}, and `{}` of {}", name.text, variable.ty);
                    return Err(self.report(Diagnostic::error(codes::TYPE_MISMATCH, name.span, message)));
                }
                return Ok(Pattern::Bind(number));
            }
        }
        let scope = Scope { process: None, ..here.scope };
        Ok(Pattern::Match(self.constant_of(pattern, scope, ty)?))
    }

    fn statements(&mut self, statements: &[ast::Statement], here: Here<'_>) -> Vec<Statement> {
        statements.iter().filter_map(|statement| self.statement(statement, here).ok()).collect()
    }

    fn statement(&mut self, statement: &ast::Statement, here: Here<'_>) -> Fallible<Statement> {
        match &statement.kind {
            StatementKind::Assign(path, value) => self.assignment(statement, path, value, here),
            StatementKind::Send(path, arguments) => self.send(statement, path, arguments, here),
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.assigned(condition, here.scope, &Type::Bool);
                let (then, otherwise) = (self.statements(then, here), self.statements(otherwise, here));
                Ok(Statement::If { condition: condition?, then, otherwise })
            }
        }
    }

    fn assignment(
        &mut self,
        statement: &ast::Statement,
        path: &ast::Path,
        value: &ast::Expr,
        here: Here<'_>,
    ) -> Fallible<Statement> {
        let [(name, index)] = path.parts.as_slice() else {
            let message = "a process assigns only its own variables";
            let diagnostic = Diagnostic::error(codes::FOREIGN_VARIABLE, path.span, message);
            return Err(self.report(diagnostic.with_help("send the other process a message")));
        };
        let Some(number) = here.variables.iter().position(|variable| variable.name == name.text) else {
            if self.doubtful.contains(&name.text) {
                return Err(Reported);
            }
            let message = format!("there is no variable `{}` in this process", name.text);
            let diagnostic = Diagnostic::error(codes::UNDEFINED, name.span, message);
            let known = here.variables.iter().map(|variable| &*variable.name);
            return Err(self.report(suggest(diagnostic, &name.text, known)));
        };
        let variable = &here.variables[number];
        let index = match (variable.array, index) {
            (None, None) => Ok(None),
            (Some(array), Some(index)) => self.element_index(index, array, here.scope).map(Some),
            (Some(_), None) => {
                let message = format!("`{}` is an array, which needs an index here", name.text);
                Err(self.report(Diagnostic::error(codes::INDEX, name.span, message)))
            }
            (None, Some(index)) => {
                let message = format!("`{}` is no array", name.text);
                Err(self.report(Diagnostic::error(codes::INDEX, index.span, message)))
            }
        };
        let value = self.assigned(value, here.scope, &variable.ty);
        Ok(Statement::Assign { variable: number, index: index?, value: value?, place: statement.span })
    }

    fn send(
        &mut self,
        statement: &ast::Statement,
        path: &ast::Path,
        arguments: &[ast::Expr],
        here: Here<'_>,
    ) -> Fallible<Statement> {
        let (receiver, params) = match path.parts.as_slice() {
            [(name, None)] => self.output(name, here)?,
            [(process, index), (message, None)] => self.receiver(process, index.as_ref(), message, here)?,
            _ => {
                let message = "expected an output of the component, or a process and its message";
                return Err(self.report(Diagnostic::error(codes::UNDEFINED_MESSAGE, path.span, message)));
            }
        };
        if path.parts.last().is_some_and(|(name, _)| self.doubtful.contains(&name.text)) {
            return Err(Reported);
        }
        if arguments.len() != params.len() {
            let (wanted, given) = (counted(params.len()), arguments.len());
            let message = format!("this message has {wanted}, not {given}");
            return Err(self.report(Diagnostic::error(codes::ARGUMENTS, path.span, message)));
        }
        let arguments: Vec<Fallible<Value>> =
            arguments.iter().zip(&params).map(|(it, ty)| self.assigned(it, here.scope, ty)).collect();
        let arguments = arguments.into_iter().collect::<Fallible<_>>()?;
        Ok(Statement::Send { receiver, arguments, place: statement.span })
    }

    fn output(&mut self, name: &ast::Name, here: Here<'_>) -> Fallible<(Receiver, Vec<Type>)> {
        let outputs = &here.around.outputs;
        if let Some(port) = outputs.iter().position(|(known, _)| *known == name.text) {
            return Ok((Receiver::Port(port), outputs[port].1.clone()));
        }
        let message = format!("`{}` is no output of this component", name.text);
        let diagnostic = Diagnostic::error(codes::UNDEFINED_MESSAGE, name.span, message);
        let takes = |process: &&Process| process.messages.iter().any(|message| message.name == name.text);
        Err(match here.processes.iter().find(takes) {
            Some(process) => {
                let help = format!("to send it to a process, write `send {}.{}`", process.name, name.text);
                self.report(diagnostic.with_help(help))
            }
            None => self.report(suggest(diagnostic, &name.text, outputs.iter().map(|(known, _)| &**known))),
        })
    }

    /// A process of the component, and one of its messages.
    fn receiver(
        &mut self,
        process: &ast::Name,
        index: Option<&ast::Index>,
        message: &ast::Name,
        here: Here<'_>,
    ) -> Fallible<(Receiver, Vec<Type>)> {
        let Some(family) = here.around.families.get(&process.text) else {
            return Err(self.undefined_process(process, here.around));
        };
        let mut members = Vec::new();
        let mut params = Vec::new();
        for &(value, number) in &family.members {
            let messages = &here.processes[number].messages;
            let Some(found) = messages.iter().position(|known| known.name == message.text) else {
                let text = format!("process `{}` takes no message `{}`", process.text, message.text);
                let diagnostic = Diagnostic::error(codes::UNDEFINED_MESSAGE, message.span, text);
                return Err(self.report(suggest(
                    diagnostic,
                    &message.text,
                    messages.iter().map(|it| &*it.name),
                )));
            };
            params.clone_from(&messages[found].params);
            members.push((value, MessageRef { process: number, message: found }));
        }
        let is_first = |(_, member): &(i32, MessageRef)| {
            here.processes[member.process].messages[member.message].params == params
        };
        if !members.iter().all(is_first) {
            let text =
                format!("the parameters of `{}` depend on the index of `{}`", message.text, process.text);
            return Err(self.report(Diagnostic::error(codes::TYPE_MISMATCH, message.span, text)));
        }
        match (family.is_indexed, index) {
            (false, None) => Ok((Receiver::Process(members[0].1), params)),
            (true, Some(index)) => {
                let (low, length) = (members[0].0, u32::try_from(members.len()).unwrap_or(u32::MAX));
                let index = self.element_index(index, (low, length), here.scope)?;
                let constant = match index {
                    crate::component::Expr::Constant(value) => {
                        members.iter().find(|(it, _)| i64::from(*it) == value).map(|(_, member)| *member)
                    }
                    _ => None,
                };
                Ok((constant.map_or(Receiver::Family { index, members }, Receiver::Process), params))
            }
            (true, None) => {
                let text = format!("there are several processes `{}`: an index says which", process.text);
                Err(self.report(Diagnostic::error(codes::INDEX, process.span, text)))
            }
            (false, Some(index)) => {
                let text = format!("there is only one process `{}`", process.text);
                Err(self.report(Diagnostic::error(codes::INDEX, index.span, text)))
            }
        }
    }
}

/// A number of parameters in words.
pub(super) fn counted(count: usize) -> String {
    match count {
        0 => "no parameters".to_owned(),
        1 => "one parameter".to_owned(),
        _ => format!("{count} parameters"),
    }
}
