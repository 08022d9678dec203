//! Looking up names and checking types: from the abstract syntax to a program about which everything is known.
//!
//! Declarations are read in the order of the text, as Ada demands, so that one pass is enough. All mistakes are
//! collected. What a mistake makes unknown has the entity or the type *unknown*, and nothing more is said about it.
//!
//! A program is only given if there was no error, so whatever stands in for something unknown is never used.

mod calls;
mod declarations;
mod expressions;
mod recursion;
mod scope;
mod statements;
mod types;

use std::sync::Arc;

use rely_base::{Code, Diagnostic, Id, Span};
use rely_syntax::settle;
use rustc_hash::{FxHashMap, FxHashSet};

use self::scope::{Entity, Scopes};
use crate::ast;
use crate::codes;
use crate::hir::{
    Entry, EntryId, Group, LoopId, Program, Subprogram, SubprogramId, Subtype, Type, TypeId, TypeKind, Unit,
    UnitId, Variable, VariableId,
};

pub(crate) const BOOLEAN: TypeId = TypeId::from_raw(0);
pub(crate) const INTEGER: TypeId = TypeId::from_raw(1);
pub(crate) const UNIVERSAL: TypeId = TypeId::from_raw(2);
pub(crate) const UNKNOWN: TypeId = TypeId::from_raw(3);

/// What looking up names gives: a program if there are no errors, and all findings.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The program, unless the text has errors.
    pub program: Option<Program>,
    /// What is wrong, in the order of the text; what the parser found is not repeated.
    pub diagnostics: Vec<Diagnostic>,
}

/// Looks up all names of a file and checks all types.
pub fn resolve(parse: &crate::Parse) -> Resolved {
    let mut resolver = Resolver::new(parse.file());
    let program = parse.file().main.as_ref().and_then(|main| resolver.main(main));
    let mut diagnostics = resolver.diagnostics;
    settle(&mut diagnostics, 0);
    let is_sound = !parse.has_errors() && !diagnostics.iter().any(Diagnostic::is_error);
    Resolved { program: program.filter(|_| is_sound), diagnostics }
}

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In the main procedure.
    Main,
    /// In the body of a task.
    Task(UnitId),
    /// In the body of an accept statement of a task.
    Accept(UnitId),
    /// In a subprogram with this result.
    Subprogram(SubprogramId, Option<Subtype>),
}

struct Resolver<'a> {
    file: &'a ast::File,
    scopes: Scopes,
    types: Vec<Type>,
    variables: Vec<Variable>,
    shared: Vec<VariableId>,
    subprograms: Vec<Subprogram>,
    units: Vec<Unit>,
    groups: Vec<Group>,
    entries: Vec<Entry>,
    /// The arrays among the shared variables that are constant.
    constant_arrays: FxHashSet<VariableId>,
    /// Variables that are atomic.
    atomic: FxHashSet<VariableId>,
    /// The names of the parameters of each entry.
    formals: Vec<Vec<Arc<str>>>,
    /// The units and subprograms whose bodies were read.
    has_body: FxHashSet<Span>,
    /// Where entries were accepted, and where they were called first.
    accepted: FxHashSet<EntryId>,
    called: FxHashMap<EntryId, Span>,
    /// Which subprograms call which, and where.
    uses: Vec<(SubprogramId, SubprogramId, Span)>,
    /// Where the statement stands that is being read.
    place: Place,
    /// The loops around it, innermost last, with their labels.
    loops: Vec<(LoopId, Option<Arc<str>>)>,
    loop_count: usize,
    diagnostics: Vec<Diagnostic>,
    /// Place and code of what was found, so that nothing is said twice.
    reported: FxHashSet<(Span, Code)>,
}

impl<'a> Resolver<'a> {
    fn new(file: &'a ast::File) -> Self {
        let ty = |name: &str, kind| Type { name: name.into(), kind };
        let types = vec![
            ty("boolean", TypeKind::Boolean),
            ty("integer", TypeKind::Integer),
            ty("an integer", TypeKind::Universal),
            ty("unknown", TypeKind::Unknown),
        ];
        let mut resolver = Self {
            file,
            scopes: Scopes::new(),
            types,
            variables: Vec::new(),
            shared: Vec::new(),
            subprograms: Vec::new(),
            units: Vec::new(),
            groups: Vec::new(),
            entries: Vec::new(),
            constant_arrays: FxHashSet::default(),
            atomic: FxHashSet::default(),
            formals: Vec::new(),
            has_body: FxHashSet::default(),
            accepted: FxHashSet::default(),
            called: FxHashMap::default(),
            uses: Vec::new(),
            place: Place::Main,
            loops: Vec::new(),
            loop_count: 0,
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
        };
        resolver.predefine();
        resolver
    }

    /// What is declared in every program.
    fn predefine(&mut self) {
        let integer = |low: i64| Subtype { base: INTEGER, low, high: i64::from(i32::MAX) };
        let entities = [
            ("boolean", Entity::Type(Subtype { base: BOOLEAN, low: 0, high: 1 })),
            ("false", Entity::Constant(0, BOOLEAN)),
            ("true", Entity::Constant(1, BOOLEAN)),
            ("integer", Entity::Type(integer(i64::from(i32::MIN)))),
            ("natural", Entity::Type(integer(0))),
            ("positive", Entity::Type(integer(1))),
            ("float", Entity::Outside("use an integer type with a small range")),
            ("duration", Entity::Outside("leave it out: how long a delay takes does not matter")),
            ("character", Entity::Outside("use an enumeration type")),
            ("string", Entity::Outside("use an enumeration type")),
        ];
        for (name, entity) in entities {
            self.scopes.declare(name.into(), Span::new(0, 0), entity);
        }
    }

    fn main(&mut self, main: &ast::Subprogram) -> Option<Program> {
        // Inside of itself the main procedure has a name that nothing can be done with.
        self.scopes.declare(Arc::clone(&main.name.text), main.name.span, Entity::Main);
        self.scopes.open();
        for name in &self.file.unread {
            self.scopes.declare(Arc::clone(&name.text), name.span, Entity::Unknown);
        }
        self.scopes.open();
        if let Some(parameter) = main.parameters.first() {
            self.outside(
                parameter.name.span,
                "a main procedure with parameters",
                "declare variables instead",
            );
        }
        let (declarations, statements) = main.body.as_ref()?;
        let locals = self.declarations(declarations);
        debug_assert!(locals.is_empty(), "what the main procedure declares is shared");
        self.place = Place::Main;
        let body = self.statements(statements);
        self.scopes.close();
        self.missing_bodies();
        self.refuse_recursion();
        self.never_accepted();
        let unit = UnitId::from_index(self.units.len());
        let name = main.name.clone();
        self.units.push(Unit {
            name: name.clone(),
            discriminants: Vec::new(),
            entries: Vec::new(),
            locals: Vec::new(),
            body,
            end: main.end,
        });
        self.groups.push(Group { name: name.clone(), unit, index: None, discriminants: Vec::new() });
        Some(Program {
            name,
            types: std::mem::take(&mut self.types),
            variables: std::mem::take(&mut self.variables),
            shared: std::mem::take(&mut self.shared),
            atomic: std::mem::take(&mut self.atomic),
            subprograms: std::mem::take(&mut self.subprograms),
            units: std::mem::take(&mut self.units),
            groups: std::mem::take(&mut self.groups),
            entries: std::mem::take(&mut self.entries),
        })
    }

    /// Every task and subprogram has a body.
    fn missing_bodies(&mut self) {
        let units = self.units.iter().map(|unit| ("task", &unit.name));
        let subprograms = self.subprograms.iter().map(|subprogram| ("subprogram", &subprogram.name));
        let missing: Vec<(&str, ast::Ident)> = units
            .chain(subprograms)
            .filter(|(_, name)| !self.has_body.contains(&name.span))
            .map(|(kind, name)| (kind, name.clone()))
            .collect();
        for (kind, name) in missing {
            // It may be in what could not be read.
            if self.file.unread.iter().any(|unread| unread.text == name.text) {
                continue;
            }
            let message = format!("the {kind} `{}` has no body", name.text);
            let help = match kind {
                "task" => format!("write `task body {} is begin … end {};`", name.text, name.text),
                _ => "write its body in the same declarative part".to_owned(),
            };
            self.report(Diagnostic::error(codes::NO_BODY, name.span, message).with_help(help));
        }
    }

    /// Entries that are called and never accepted.
    fn never_accepted(&mut self) {
        let mut calls: Vec<(EntryId, Span)> =
            self.called.iter().map(|(&entry, &span)| (entry, span)).collect();
        calls.sort_unstable();
        for (entry, span) in calls {
            if !self.accepted.contains(&entry) {
                let name = &self.entries[entry.index()].name;
                let message = format!("no task accepts `{}`, so this call waits for ever", name.text);
                let diagnostic = Diagnostic::warning(codes::NEVER_ACCEPTED, span, message)
                    .with_note(name.span, "the entry is declared here")
                    .with_help(format!("write `accept {};` in the body of its task", name.text));
                self.report(diagnostic);
            }
        }
    }

    // Complaining.

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.reported.insert((diagnostic.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn error_with_help(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, span, message).with_help(help));
    }

    fn outside(&mut self, span: Span, what: &str, advice: &str) {
        let message = format!("{what} is outside of the subset of Ada that can be analysed");
        self.error_with_help(codes::OUTSIDE, span, message, advice);
    }

    // Types.

    fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.types[ty.index()].kind
    }

    /// All values of a type.
    fn whole(&self, ty: TypeId) -> Subtype {
        let (low, high) = match self.kind(ty) {
            TypeKind::Boolean => (0, 1),
            TypeKind::Enumeration(literals) => (0, i64::try_from(literals.len()).unwrap_or(i64::MAX) - 1),
            &TypeKind::Modular(modulus) => (0, modulus - 1),
            TypeKind::Integer | TypeKind::Universal | TypeKind::Unknown => {
                (i64::from(i32::MIN), i64::from(i32::MAX))
            }
        };
        Subtype { base: ty, low, high }
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Integer | TypeKind::Modular(_) | TypeKind::Universal | TypeKind::Unknown
        )
    }

    /// The common type of two operands; nothing if they do not go together.
    fn unified(&self, a: TypeId, b: TypeId) -> Option<TypeId> {
        match (self.kind(a), self.kind(b)) {
            _ if a == b => Some(a),
            (TypeKind::Unknown, _) | (_, TypeKind::Unknown) => Some(UNKNOWN),
            (TypeKind::Universal, _) if self.is_integer(b) => Some(b),
            (_, TypeKind::Universal) if self.is_integer(a) => Some(a),
            _ => None,
        }
    }

    /// A type in the words of a message.
    fn type_name(&self, ty: TypeId) -> String {
        match self.kind(ty) {
            TypeKind::Universal => "an integer".to_owned(),
            _ => format!("`{}`", self.types[ty.index()].name),
        }
    }

    fn add_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId::from_index(self.variables.len());
        self.variables.push(variable);
        id
    }
}
