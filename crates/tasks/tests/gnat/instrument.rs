//! An Ada program that writes down what its tasks do.
//!
//! Calls are put into the text; the rest of it stays as it is, so that it is the compiler that says what the program means:
//!
//! - a shared variable is read by a function and assigned by a procedure, which write down the value,
//! - behind a call of an entry the caller writes down the values that it gave and got, and the acceptor writes down that it
//!   accepted,
//! - marks, ends of tasks, and exceptions are written down where they are.
//!
//! Variables without initial values get some, and shared variables are made atomic.

use std::collections::BTreeSet;

use rely_base::{Id, Span};
use rely_tasks::hir::{
    Actual, Expr, ExprKind, Form, Initial, LoopScheme, Program, Role, Stmt, StmtKind, SubprogramId, Subtype,
    Target, VariableId,
};
use rely_tasks::{Parse, ast};
use rely_testkit::rng::Rng;

use super::edits::Edits;
use super::scan::{find, past_pragmas, past_select, past_semicolon, tokens};

/// A unit without parameters that runs the program of a text.
pub(crate) fn instrument(text: &str, parse: &Parse, program: &Program, unit: &str, rng: &mut Rng) -> String {
    let mut instrument = Instrument {
        text,
        program,
        rng,
        edits: Edits::default(),
        slots: 0,
        written: BTreeSet::new(),
        wholes: BTreeSet::new(),
        leaving: Vec::new(),
    };
    instrument.program(parse);
    let text = instrument.edits.apply(text);
    // The first word behind the context clauses begins the main procedure or a package.
    let begins = |word: &str| ["procedure", "package"].iter().any(|it| word.eq_ignore_ascii_case(it));
    let start = tokens(&text, 0).find(|(_, word)| begins(word)).map_or(0, |(at, _)| at);
    let (context, body) = text.split_at(start);
    let main = &program.name.text;
    format!(
        "with Ada.Exceptions;\nwith Rely_Log;\n{context}procedure {unit} is\n{body}\nbegin\n   {main};\nend {unit};\n"
    )
}

pub(super) struct Instrument<'a> {
    pub(super) text: &'a str,
    pub(super) program: &'a Program,
    rng: &'a mut Rng,
    pub(super) edits: Edits,
    /// How many texts are held so far.
    pub(super) slots: usize,
    /// The shared variables that are assigned.
    written: BTreeSet<VariableId>,
    /// The shared arrays that are assigned or copied as a whole.
    wholes: BTreeSet<VariableId>,
    /// What is written down before a `return` leaves the accept statement or task around it.
    pub(super) leaving: Vec<Option<String>>,
}

pub(super) const HANDLER: &str =
    " exception when Rely_E : others => Rely_Log.Fault (Ada.Exceptions.Exception_Name (Rely_E)); ";

/// A statement that writes down an expression of strings.
pub(super) fn put(what: &str) -> String {
    format!(" Rely_Log.Put ({what});")
}

pub(super) fn start(span: Span) -> usize {
    span.start as usize
}

pub(super) fn end(span: Span) -> usize {
    span.end as usize
}

impl<'a> Instrument<'a> {
    fn program(&mut self, parse: &Parse) {
        let program = self.program;
        let is_main = |number: usize| number + 1 == program.units.len();
        for (number, unit) in program.units.iter().enumerate() {
            unit.locals.iter().for_each(|&variable| self.declaration(variable));
            self.leaving.push(is_main(number).then(|| put("\"end\"")));
            self.statements(&unit.body);
            self.leaving.pop();
            self.edits.before(start(unit.end), format!("{}{HANDLER}", put("\"end\"")));
        }
        for subprogram in &program.subprograms {
            self.leaving.push(None);
            subprogram.locals.iter().for_each(|&variable| self.declaration(variable));
            self.statements(&subprogram.body);
            self.leaving.pop();
        }
        for &variable in &program.shared {
            self.shared(variable);
        }
        let main = parse.file().main.as_ref().expect("the program has been checked");
        let is = find(self.text, end(main.name.span), "is") + 2;
        self.edits.after(is, holder("Boolean") + &holder("Integer"));
        for declaration in main.body.iter().flat_map(|(declarations, _)| declarations) {
            self.type_declaration(declaration);
        }
        let delays = tokens(self.text, 0).filter(|(_, word)| word.eq_ignore_ascii_case("delay"));
        for (at, word) in delays.collect::<Vec<_>>() {
            let from = at + word.len();
            self.edits.replace(from, find(self.text, from, ";"), " Rely_Log.Moment");
        }
    }

    /// A function behind the declaration of a type that holds a value and gives it back.
    fn type_declaration(&mut self, declaration: &ast::Declaration) {
        let ast::Declaration::Type(declared) = declaration else { return };
        if !matches!(declared.definition, ast::TypeDefinition::Subtype(_) | ast::TypeDefinition::Array(_)) {
            let at = past_semicolon(self.text, end(declared.name.span));
            self.edits.after(at, holder(&declared.name.text));
        }
    }

    // Variables.

    pub(super) fn is_shared(&self, variable: VariableId) -> bool {
        self.program.variables[variable.index()].role == Role::Shared
    }

    pub(super) fn type_name(&self, subtype: Subtype) -> &'a str {
        &self.program.types[subtype.base.index()].name
    }

    /// A range of values, for a declaration.
    fn range(&self, subtype: Subtype) -> String {
        let name = self.type_name(subtype);
        format!("{name} range {name}'Val ({}) .. {name}'Val ({})", subtype.low, subtype.high)
    }

    /// A random value of a type.
    pub(super) fn value(&mut self, subtype: Subtype) -> String {
        let count = usize::try_from(subtype.count()).unwrap_or(usize::MAX);
        let value = subtype.low + i64::try_from(self.rng.below(count.clamp(1, 1000))).unwrap_or(0);
        format!("{}'Val ({value})", self.type_name(subtype))
    }

    /// The declaration of a variable gets an initial value if it has none.
    fn declaration(&mut self, variable: VariableId) {
        let declared = &self.program.variables[variable.index()];
        if let Some(initial) = &declared.initial {
            return self.initial(initial);
        }
        let at = end(declared.name.span);
        let semicolon = find(self.text, at, ";");
        let value = self.value(declared.form.element());
        let value = match declared.form {
            Form::Scalar(_) => format!(" := {value}"),
            Form::Array { .. } => format!(" := (others => {value})"),
        };
        self.edits.replace(semicolon, semicolon + 1, format!("{value};"));
    }

    /// Operations behind the declaration of a shared variable that read and assign it, and write that down.
    fn shared(&mut self, variable: VariableId) {
        if self.program.variables[variable.index()].initial.is_none() {
            self.declaration(variable);
        }
        let declared = &self.program.variables[variable.index()];
        let name = &declared.name.text;
        let at = past_pragmas(self.text, past_semicolon(self.text, end(declared.name.span)));
        let is_atomic = self.program.atomic.contains(&variable);
        let element = self.range(declared.form.element());
        let base = self.type_name(declared.form.element());
        let mut text = format!(" subtype Rely_S_{name} is {element};");
        let is_written = self.written.contains(&variable);
        match declared.form {
            Form::Scalar(_) => {
                if !is_atomic {
                    text += &format!(" pragma Atomic ({name});");
                }
                text += &format!(
                    " function Rely_R_{name} return Rely_S_{name} is V : constant Rely_S_{name} := {name}; begin \
                     Rely_Log.Put (\"{name}==\" & {base}'Image (V)); return V; end Rely_R_{name};"
                );
                if is_written {
                    text += &format!(
                        " procedure Rely_W_{name} (V : Rely_S_{name}) is begin \
                         {name} := V; Rely_Log.Put (\"{name}=\" & {base}'Image (V)); end Rely_W_{name};"
                    );
                }
            }
            Form::Array { index, .. } => {
                let (i, index) = (self.type_name(index), self.range(index));
                let is_whole = self.wholes.contains(&variable);
                let whole = is_whole.then(|| self.array_type(declared.name.span, name, is_atomic));
                if !is_atomic && !is_whole {
                    text += &format!(" pragma Atomic_Components ({name});");
                }
                text += &format!(
                    " subtype Rely_I_{name} is {index}; function Rely_R_{name} (I : Rely_I_{name}) return Rely_S_{name} is \
                     V : constant Rely_S_{name} := {name} (I); begin \
                     Rely_Log.Put (\"{name}.\" & {i}'Image (I) & \"==\" & {base}'Image (V)); return V; end Rely_R_{name};"
                );
                if let Some(whole) = &whole {
                    text += &format!(
                        " function Rely_C_{name} return {whole} is V : {whole}; begin \
                         for I in V'Range loop V (I) := Rely_R_{name} (I); end loop; return V; end Rely_C_{name};"
                    );
                }
                if is_written {
                    text += &format!(
                        " procedure Rely_W_{name} (I : Rely_I_{name}; V : Rely_S_{name}) is begin \
                         {name} (I) := V; Rely_Log.Put (\"{name}.\" & {i}'Image (I) & \"=\" & {base}'Image (V)); \
                         end Rely_W_{name};"
                    );
                }
                if let (true, Some(whole)) = (is_written, whole) {
                    text += &format!(
                        " procedure Rely_A_{name} (V : {whole}) is begin \
                         for I in V'Range loop Rely_W_{name} (I, V (I)); end loop; end Rely_A_{name};"
                    );
                }
            }
        }
        self.edits.after(at, text);
    }

    /// The name of the type of an array; an array without a named type gets one.
    fn array_type(&mut self, name: Span, variable: &str, is_atomic: bool) -> String {
        let colon = find(self.text, end(name), ":");
        let mut words = tokens(self.text, colon + 1).skip_while(|(_, w)| w.eq_ignore_ascii_case("constant"));
        let (first, word) = words.next().expect("the program has been checked");
        if !word.eq_ignore_ascii_case("array") {
            return word.to_owned();
        }
        let of = find(self.text, first, "of");
        let last =
            tokens(self.text, of).find(|(_, w)| matches!(*w, ":=" | ";") || w.eq_ignore_ascii_case("with"));
        let last = last.expect("the program has been checked").0;
        let definition = &self.text[first..last];
        assert!(!is_atomic, "an atomic array of a type without a name is not assigned as a whole here");
        let pragma = format!("pragma Atomic_Components (Rely_T_{variable});");
        self.edits.before(start(name), format!("type Rely_T_{variable} is {definition}; {pragma} "));
        self.edits.replace(first, last, format!("Rely_T_{variable} "));
        format!("Rely_T_{variable}")
    }

    fn initial(&mut self, initial: &Initial) {
        match initial {
            Initial::Scalar(value) => self.expr(value),
            Initial::Array(values) => values.iter().for_each(|value| self.expr(value)),
            Initial::Copy(_) => {}
        }
    }

    // Expressions.

    /// The place of the last identifier of a name, in front of its arguments.
    fn head(&self, span: Span) -> (usize, usize) {
        let text = &self.text[start(span)..end(span)];
        let length = text.find('(').map_or(text.len(), |at| text[..at].trim_end().len());
        let from = text[..length].rfind('.').map_or(0, |at| at + 1);
        (start(span) + from, start(span) + length)
    }

    fn rename(&mut self, span: Span, prefix: &str) {
        let (from, to) = self.head(span);
        self.edits.replace(from, to, format!("Rely_{prefix}_{}", &self.text[from..to]));
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) => {}
            ExprKind::Variable(variable) => {
                if self.is_shared(*variable) {
                    self.rename(expr.span, "R");
                }
            }
            ExprKind::Element(variable, index) => {
                if self.is_shared(*variable) {
                    self.rename(expr.span, "R");
                }
                self.expr(index);
            }
            ExprKind::Unary(_, a) | ExprKind::Checked(a, _) | ExprKind::Wrapped(a, _) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Short(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Within(a, b, c) => [a, b, c].into_iter().for_each(|part| self.expr(part)),
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|argument| self.expr(argument)),
        }
    }

    /// The value of an expression is held. Gives the text that is held then.
    pub(super) fn hold(&mut self, expr: &Expr) -> String {
        self.expr(expr);
        self.slots += 1;
        self.edits.before(start(expr.span), format!("Rely_H ({}, ", self.slots));
        self.edits.after(end(expr.span), ")");
        format!("Rely_Log.Held ({})", self.slots)
    }

    // Statements.

    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        let at = start(statement.span);
        match &statement.kind {
            StmtKind::Null => {}
            StmtKind::Assign(target, value) => self.assign(statement.span, target, value),
            StmtKind::AssignArray(variable, initial) => {
                self.initial(initial);
                let becomes = find(self.text, at, ":=");
                let semicolon = find(self.text, at, ";");
                if let Initial::Copy(source) = initial
                    && self.is_shared(*source)
                {
                    let value = self.text[becomes + 2..semicolon].trim();
                    let from = becomes + 2 + self.text[becomes + 2..].find(value).expect("it is there");
                    self.wholes.insert(*source);
                    self.edits.replace(from, from + value.len(), format!("Rely_C_{value}"));
                }
                if self.is_shared(*variable) {
                    self.written.insert(*variable);
                    self.wholes.insert(*variable);
                    let name = self.text[at..becomes].trim_end();
                    self.edits.replace(at, at + name.len(), format!("Rely_A_{name}"));
                    self.edits.replace(becomes, becomes + 2, "(");
                    self.edits.after(semicolon, ")");
                }
            }
            StmtKind::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StmtKind::Case(selector, arms) => {
                self.expr(selector);
                arms.iter().for_each(|arm| self.statements(&arm.body));
            }
            StmtKind::Loop(_, scheme, body) => {
                match scheme {
                    LoopScheme::Forever => {}
                    LoopScheme::While(condition) => self.expr(condition),
                    LoopScheme::For { low, high, .. } => {
                        self.expr(low);
                        self.expr(high);
                    }
                }
                self.statements(body);
            }
            StmtKind::Exit(_, condition) => condition.iter().for_each(|condition| self.expr(condition)),
            StmtKind::Return(value) => {
                value.iter().for_each(|value| self.expr(value));
                if let Some(Some(last)) = self.leaving.last() {
                    // Two statements in place of one.
                    self.edits.before(at, last.clone());
                }
            }
            StmtKind::Block(locals, body) => {
                locals.iter().for_each(|&variable| self.declaration(variable));
                self.statements(body);
            }
            StmtKind::Call(procedure, actuals) => self.procedure_call(statement.span, *procedure, actuals),
            StmtKind::EntryCall(call) => {
                let past = past_semicolon(self.text, end(call.span));
                self.entry_call(at, call, past);
            }
            StmtKind::SelectCall { call, accepted, otherwise, .. } => {
                self.statements(accepted);
                self.statements(otherwise);
                let past = past_select(self.text, at);
                self.entry_call(at, call, past);
            }
            StmtKind::Select(select) => self.select(select),
            StmtKind::Event(name) => self.edits.before(at, put(&format!("\"{name}\""))),
        }
    }

    fn assign(&mut self, span: Span, target: &Target, value: &Expr) {
        target.index.iter().for_each(|index| self.expr(index));
        self.expr(value);
        if !self.is_shared(target.variable) {
            return;
        }
        self.written.insert(target.variable);
        let becomes = find(self.text, end(target.span), ":=");
        if target.index.is_none() {
            self.rename(target.span, "W");
            self.edits.replace(becomes, becomes + 2, "(");
            return self.edits.after(end(span) - 1, ")");
        }
        // Ada leaves open whether the index or the value is computed first; the model computes the index first.
        let (from, to) = self.head(target.span);
        let name = &self.text[from..to];
        self.edits.replace(from, to, format!("declare Rely_J : constant Rely_I_{name} := "));
        self.edits.replace(becomes, becomes + 2, format!("; begin Rely_W_{name} (Rely_J,"));
        self.edits.after(end(span) - 1, "); end");
    }

    /// A local variable stands for a shared one that gets a value from a call. Gives what declares it and what assigns the
    /// shared variable in the end.
    pub(super) fn stand_in(&mut self, target: &Target, is_in: bool) -> (String, String) {
        assert!(target.index.is_none(), "elements of shared arrays get no values from calls here");
        self.written.insert(target.variable);
        let name = &self.program.variables[target.variable.index()].name.text;
        self.slots += 1;
        let temporary = format!("Rely_V_{}", self.slots);
        self.edits.replace(start(target.span), end(target.span), temporary.clone());
        let value = if is_in { format!(" := Rely_R_{name}") } else { String::new() };
        (format!(" {temporary} : Rely_S_{name}{value};"), format!(" Rely_W_{name} ({temporary});"))
    }

    fn procedure_call(&mut self, span: Span, procedure: SubprogramId, actuals: &[Actual]) {
        let (mut declared, mut assigned) = (String::new(), String::new());
        let parameters = &self.program.subprograms[procedure.index()].parameters;
        for (actual, parameter) in actuals.iter().zip(parameters) {
            match actual {
                Actual::In(value) => self.expr(value),
                Actual::Out(target) if self.is_shared(target.variable) => {
                    let (declare, assign) = self.stand_in(target, parameter.mode.is_in);
                    declared += &declare;
                    assigned += &assign;
                }
                Actual::Out(_) => {}
            }
        }
        if !declared.is_empty() {
            self.edits.before(start(span), format!("declare{declared} begin "));
            self.edits.after(end(span), format!("{assigned} end;"));
        }
    }
}

/// A function that holds a value of a type and gives it back.
fn holder(ty: &str) -> String {
    format!(
        " function Rely_H (K : Positive; V : {ty}'Base) return {ty}'Base is begin \
         Rely_Log.Hold (K, {ty}'Image (V)); return V; end Rely_H;"
    )
}
