//! Compositions: parts side by side, and outputs that become inputs.

use std::ops::Range;
use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::process::counted;
use super::scope::Scope;
use super::{Elaborator, Fallible, MAX_PROCESSES, suggest};
use crate::ast;
use crate::codes;
use crate::component::{
    Component, Expr, Input, MessageRef, Output, Part, Process, Receiver, Statement, Subject, Value,
    VariableRef,
};

/// A part with its messages at its border.
struct Piece {
    name: String,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
}

/// The composition so far.
struct Joined {
    component: Component,
    pieces: Vec<Piece>,
    /// The inputs that some output is mapped to.
    connected: FxHashSet<MessageRef>,
    /// The ports that are mapped to inputs and no output of the composition.
    kept_inside: FxHashSet<usize>,
    exported: FxHashSet<usize>,
}

impl Elaborator<'_> {
    pub(super) fn composition(
        &mut self,
        definition: &ast::ComponentDef,
        parts: &[ast::Part],
        wirings: &[ast::Wiring],
    ) -> Fallible<Component> {
        let before = self.errors;
        let component = Component {
            name: Arc::clone(&definition.name.text),
            place: definition.span,
            parts: Vec::new(),
            processes: Vec::new(),
            ports: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            properties: Vec::new(),
            subjects: Vec::new(),
        };
        let mut joined = Joined {
            component,
            pieces: Vec::new(),
            connected: FxHashSet::default(),
            kept_inside: FxHashSet::default(),
            exported: FxHashSet::default(),
        };
        let mut is_complete = true;
        for part in parts {
            is_complete &= self.part(part, &mut joined).is_ok();
        }
        if !is_complete || self.errors > before {
            return Err(super::Reported);
        }
        for wiring in wirings {
            // What is wrong is among the diagnostics.
            let _ = self.wiring(wiring, &mut joined);
        }
        joined.finish();
        Ok(joined.component)
    }

    /// Adds a part, or a family of parts.
    fn part(&mut self, part: &ast::Part, joined: &mut Joined) -> Fallible<()> {
        let component = self.component(&part.component)?;
        let name = part.name.as_ref().unwrap_or(&part.component);
        let indices = match &part.index {
            None => vec![name.text.to_string()],
            Some(index) => {
                let (low, high) = self.indices(index, Scope::GLOBAL)?;
                (low..=high).map(|value| format!("{}.{value}", name.text)).collect()
            }
        };
        for instance in indices {
            if joined.pieces.iter().any(|piece| piece.name == instance) {
                let message = format!("there are two parts `{instance}`");
                let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message);
                let help = format!("give each a name: `a: {0} || b: {0}`", part.component.text);
                return Err(self.report(diagnostic.with_help(help)));
            }
            if joined.component.processes.len() + component.processes.len() > MAX_PROCESSES {
                let message = format!("there are more than {MAX_PROCESSES} processes");
                return Err(self.report(Diagnostic::error(codes::TOO_LARGE, name.span, message)));
            }
            joined.add(&instance, &component);
        }
        Ok(())
    }

    /// Connects an output to inputs, for each value of its index.
    fn wiring(&mut self, wiring: &ast::Wiring, joined: &mut Joined) -> Fallible<()> {
        let bound = wiring.output.parts.iter().find_map(|(_, index)| {
            index.as_ref().filter(|index| index.variable.is_some() || index.high.is_some())
        });
        let Some(index) = bound else { return self.connect(wiring, None, joined) };
        let (low, high) = self.indices(index, Scope::GLOBAL)?;
        let variable = index.variable.as_ref().map_or_else(|| Arc::from(""), |name| Arc::clone(&name.text));
        for value in low..=high {
            self.connect(wiring, Some((Arc::clone(&variable), value)), joined)?;
        }
        Ok(())
    }

    fn connect(
        &mut self,
        wiring: &ast::Wiring,
        index: Option<(Arc<str>, i32)>,
        joined: &mut Joined,
    ) -> Fallible<()> {
        let indices: Vec<(Arc<str>, i32)> = index.into_iter().collect();
        let (piece, message) = self.end_point(&wiring.output, &indices, joined)?;
        let outputs = &joined.pieces[piece].outputs;
        let Some(output) = outputs.iter().find(|output| output.name == message) else {
            let known: Vec<String> = outputs.iter().map(|output| output.name.clone()).collect();
            return Err(self.no_port(&wiring.output, &message, "output", &known, joined, piece));
        };
        let port = output.port;
        for path in &wiring.inputs {
            let (piece, message) = self.end_point(path, &indices, joined)?;
            let inputs = &joined.pieces[piece].inputs;
            let Some(input) = inputs.iter().find(|input| input.name == message) else {
                let known: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
                return Err(self.no_port(path, &message, "input", &known, joined, piece));
            };
            let receiver = input.receiver;
            self.conform(path.span, port, receiver, &joined.component)?;
            joined.connected.insert(receiver);
            joined.component.ports[port].routes.push(receiver);
        }
        match wiring.exported {
            true => joined.exported.insert(port),
            false => joined.kept_inside.insert(port),
        };
        Ok(())
    }

    /// The part that a path begins with, and what is left of the path.
    fn end_point(
        &mut self,
        path: &ast::Path,
        indices: &[(Arc<str>, i32)],
        joined: &Joined,
    ) -> Fallible<(usize, String)> {
        let written = self.dotted(path, indices)?;
        let begins =
            |piece: &Piece| written.strip_prefix(&piece.name).is_some_and(|rest| rest.starts_with('.'));
        if let Some(piece) = joined.pieces.iter().position(begins) {
            return Ok((piece, written[joined.pieces[piece].name.len() + 1..].to_owned()));
        }
        let name = &path.parts[0].0;
        let message = format!(
            "there is no part `{}` in this composition",
            written.rsplit_once('.').map_or(&*written, |it| it.0)
        );
        let diagnostic = Diagnostic::error(codes::UNDEFINED_PROCESS, path.span, message);
        let known = joined.pieces.iter().map(|piece| piece.name.as_str());
        Err(self.report(suggest(diagnostic, &name.text, known)))
    }

    /// A path as text, with indices as numbers: `s[1].out` is `s.1.out`.
    pub(super) fn dotted(&mut self, path: &ast::Path, indices: &[(Arc<str>, i32)]) -> Fallible<String> {
        let scope = Scope { indices, process: None };
        let mut text = String::new();
        for (name, index) in &path.parts {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&name.text);
            if let Some(index) = index {
                let value = match (indices.last(), &index.variable, &index.high) {
                    (Some((_, value)), Some(_), _) | (Some((_, value)), _, Some(_)) => *value,
                    _ => self.number(&index.low, scope)?,
                };
                text.push_str(&format!(".{value}"));
            }
        }
        Ok(text)
    }

    fn no_port(
        &mut self,
        path: &ast::Path,
        message: &str,
        what: &str,
        known: &[String],
        joined: &Joined,
        piece: usize,
    ) -> super::Reported {
        let text = format!("`{message}` is no {what} of `{}`", joined.pieces[piece].name);
        let diagnostic = Diagnostic::error(codes::NO_PORT, path.span, text);
        self.report(suggest(diagnostic, message, known.iter().map(String::as_str)))
    }

    /// Fails where the input cannot take every message that leaves by the port.
    fn conform(&mut self, span: Span, port: usize, to: MessageRef, component: &Component) -> Fallible<()> {
        let port = &component.ports[port];
        let message = &component.processes[to.process].messages[to.message];
        let text = if port.params.len() == message.params.len() {
            let unfit = port.params.iter().zip(&message.params).find(|(from, to)| !from.is_within(to));
            let Some((from, to)) = unfit else { return Ok(()) };
            format!("the output has values of {from}, and the input takes {to}")
        } else {
            let (from, to) = (counted(port.params.len()), counted(message.params.len()));
            format!("the output has {from}, and the input {to}")
        };
        let diagnostic = Diagnostic::error(codes::CONFORMANCE, span, text);
        Err(self.report(diagnostic.with_note(port.place, "the output").with_note(message.place, "the input")))
    }
}

impl Joined {
    /// Adds an instance of a component.
    fn add(&mut self, name: &str, part: &Component) {
        let (process, port) = (self.component.processes.len(), self.component.ports.len());
        let moved = |it: MessageRef| MessageRef { process: it.process + process, ..it };
        self.component.processes.extend(part.processes.iter().map(|it| {
            Process {
                name: format!("{name}.{}", it.name),
                states: it
                    .states
                    .iter()
                    .cloned()
                    .map(|mut state| {
                        shift(&mut state.action, process, port);
                        state
                    })
                    .collect(),
                ..it.clone()
            }
        }));
        for it in &part.ports {
            let mut it = it.clone();
            it.name = format!("{name}.{}", it.name);
            it.routes.iter_mut().for_each(|route| *route = moved(*route));
            self.component.ports.push(it);
        }
        for (subject, it) in &part.subjects {
            let it = match *it {
                Subject::Port(number) => Subject::Port(number + port),
                Subject::Message(message) => Subject::Message(moved(message)),
            };
            self.component.subjects.push((format!("{name}.{subject}"), it));
        }
        let processes: Range<usize> = process..self.component.processes.len();
        let component = Arc::clone(&part.name);
        self.component.parts.push(Part { name: name.to_owned(), component, processes });
        let inputs =
            part.inputs.iter().map(|input| Input { receiver: moved(input.receiver), ..input.clone() });
        let outputs =
            part.outputs.iter().map(|output| Output { name: output.name.clone(), port: output.port + port });
        let (inputs, outputs) = (inputs.collect(), outputs.collect());
        self.pieces.push(Piece { name: name.to_owned(), inputs, outputs });
    }

    /// What is not connected is at the border of the composition, under its own name where no other part has that name.
    fn finish(&mut self) {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for piece in &self.pieces {
            let open = piece.inputs.iter().filter(|input| !self.connected.contains(&input.receiver));
            inputs.extend(open.map(|input| (piece.name.as_str(), input.clone())));
            let leaves = |output: &&Output| {
                self.exported.contains(&output.port) || !self.kept_inside.contains(&output.port)
            };
            outputs.extend(
                piece.outputs.iter().filter(leaves).map(|output| (piece.name.as_str(), output.clone())),
            );
        }
        let all: Vec<String> = inputs
            .iter()
            .map(|(_, input)| input.name.clone())
            .chain(outputs.iter().map(|(_, output)| output.name.clone()))
            .collect();
        let named = |piece: &str, name: &str| match all.iter().filter(|other| *other == name).count() {
            1 => name.to_owned(),
            _ => format!("{piece}.{name}"),
        };
        let inputs: Vec<Input> = inputs
            .into_iter()
            .map(|(piece, input)| Input { name: named(piece, &input.name), ..input })
            .collect();
        let outputs: Vec<Output> = outputs
            .into_iter()
            .map(|(piece, output)| Output { name: named(piece, &output.name), ..output })
            .collect();
        (self.component.inputs, self.component.outputs) = (inputs, outputs);
    }
}

/// Renumbers the processes and ports of statements.
fn shift(statements: &mut [Statement], process: usize, port: usize) {
    let moved = |it: &mut MessageRef| it.process += process;
    for statement in statements {
        match statement {
            Statement::Assign { index, value, .. } => {
                index.iter_mut().for_each(|index| shift_expr(index, process));
                shift_value(value, process);
            }
            Statement::Send { receiver, arguments, .. } => {
                match receiver {
                    Receiver::Port(number) => *number += port,
                    Receiver::Process(message) => moved(message),
                    Receiver::Family { index, members } => {
                        shift_expr(index, process);
                        members.iter_mut().for_each(|(_, message)| moved(message));
                    }
                }
                arguments.iter_mut().for_each(|argument| shift_value(argument, process));
            }
            Statement::If { condition, then, otherwise } => {
                shift_value(condition, process);
                shift(then, process, port);
                shift(otherwise, process, port);
            }
        }
    }
}

fn shift_value(value: &mut Value, process: usize) {
    if let Value::Expr(expr) = value {
        shift_expr(expr, process);
    }
}

fn shift_expr(expr: &mut Expr, process: usize) {
    let moved = |it: &mut VariableRef| it.process += process;
    match expr {
        Expr::Constant(_) => {}
        Expr::Variable(variable) => moved(variable),
        Expr::Element(variable, index) => {
            moved(variable);
            shift_expr(index, process);
        }
        Expr::Unary(_, operand) => shift_expr(operand, process),
        Expr::Binary(_, first, second) => {
            shift_expr(first, process);
            shift_expr(second, process);
        }
    }
}
