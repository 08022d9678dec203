//! Looking up names and checking types: from the abstract syntax to a program about which everything is known.
//!
//! Declarations are read in the order of the text, as Ada demands, so that one pass is enough. All mistakes are
//! collected. What a mistake makes unknown has the entity or the type *unknown*, and nothing more is said about it.
//!
//! A program is only given if there was no error, so whatever stands in for something unknown is never used.

mod calls;
mod declarations;
mod expressions;
mod packages;
mod recursion;
mod scope;
mod statements;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::{Code, Diagnostic, Id, Span};
use rely_syntax::settle;
use rustc_hash::{FxHashMap, FxHashSet};

use self::scope::{Entity, PackageId, Scopes};
use crate::ast;
use crate::codes;
use crate::hir::{
    Entry, EntryId, Group, LoopId, Program, Stmt, Subprogram, SubprogramId, Subtype, Type, TypeId, TypeKind,
    Unit, UnitId, Variable, VariableId,
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
    let program = resolver.program();
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
    /// The packages beside the main procedure.
    library: BTreeMap<Arc<str>, PackageId>,
    /// The context clauses of the unit that is being read, and whether each is `use`.
    context: Vec<(Arc<str>, bool)>,
    /// The packages around what is being declared, each followed by a dot.
    prefix: String,
    /// The names of packages, tasks and shared variables, with the packages that they belong to.
    claimed: FxHashMap<Arc<str>, Span>,
    /// How many declarative parts are open in the one whose declarations are shared by all tasks.
    shared_depth: usize,
    has_package_body: FxHashSet<PackageId>,
    /// The data of protected objects, which are read as tasks.
    protected: FxHashMap<UnitId, Vec<ast::Declaration>>,
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
            library: BTreeMap::new(),
            context: Vec::new(),
            prefix: String::new(),
            claimed: FxHashMap::default(),
            shared_depth: 0,
            has_package_body: FxHashSet::default(),
            protected: FxHashMap::default(),
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

    fn program(&mut self) -> Option<Program> {
        let file = self.file;
        self.scopes.open();
        for name in &file.unread {
            self.scopes.declare(Arc::clone(&name.text), name.span, Entity::Unknown);
        }
        self.library(file);
        let main = file.main.as_ref()?;
        let mut body = None;
        self.in_context([&file.context].into_iter(), |resolver| body = resolver.main(main));
        self.missing_bodies();
        self.refuse_recursion();
        self.never_accepted();
        Some(self.finished(main, body?))
    }

    /// The statements of the main procedure.
    fn main(&mut self, main: &ast::Subprogram) -> Option<Vec<Stmt>> {
        // Inside of itself the main procedure has a name that nothing can be done with.
        self.declare(&main.name, Entity::Main);
        self.claim_name(&main.name);
        self.scopes.open();
        if let Some(parameter) = main.parameters.first() {
            self.outside(
                parameter.name.span,
                "a main procedure with parameters",
                "declare variables instead",
            );
        }
        let (declarations, statements) = main.body.as_ref()?;
        self.shared_declarations(declarations);
        self.place = Place::Main;
        let body = self.statements(statements);
        self.scopes.close();
        Some(body)
    }

    /// Everything that was read.
    fn finished(&mut self, main: &ast::Subprogram, body: Vec<Stmt>) -> Program {
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
        Program {
            name,
            types: std::mem::take(&mut self.types),
            variables: std::mem::take(&mut self.variables),
            shared: std::mem::take(&mut self.shared),
            atomic: std::mem::take(&mut self.atomic),
            subprograms: std::mem::take(&mut self.subprograms),
            units: std::mem::take(&mut self.units),
            groups: std::mem::take(&mut self.groups),
            entries: std::mem::take(&mut self.entries),
        }
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
            let simple = name.text.rsplit('.').next().unwrap_or_default();
            // It may be in what could not be read.
            if self.file.unread.iter().any(|unread| &*unread.text == simple) {
                continue;
            }
            let message = format!("the {kind} `{}` has no body", name.text);
            let help = match kind {
                "task" => format!("write `task body {simple} is begin … end {simple};`"),
                _ => "write its body in the same declarative part, or in the body of its package".to_owned(),
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
