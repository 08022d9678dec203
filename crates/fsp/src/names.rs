//! What every name in a text means.
//!
//! **Problem.** An editor goes to definitions, lists references and renames. For that it has to know of each name which
//! definition, parameter, local process or index it means, in texts that are being written and may have mistakes.
//!
//! **Idea.** One walk over the abstract syntax, with the scopes that elaboration has: constants, ranges, sets, processes,
//! composites, formulas and fluents have name spaces of their own; parameters and local processes are known in their
//! definition; an index is known from its binding to the end of what it is bound for. Nothing is evaluated, so every branch is
//! looked at once, whatever its guard says.
//!
//! Names of actions mean nothing but themselves. Where a name is defined twice, the first definition counts.

use rely_base::Span;
use rely_model::{NameClass, NameUse};
use rustc_hash::FxHashMap;

use crate::ast::{
    AssertDef, AssertKind, Body, BodyKind, Branch, Call, Composite, CompositeDef, CompositeKind, Definition,
    Domain, Expr, ExprKind, File, Formula, FormulaKind, Hiding, Instance, LabelExpr, LabelPart,
    LabelPartKind, Name, Param, ProcessDef, Relabel, SetBase, SetExpr,
};

/// What every name of a file means, in the order of the text.
pub(crate) fn names(file: &File) -> Vec<NameUse> {
    let mut walk = Walk { globals: Globals::of(file), ..Walk::default() };
    file.definitions.iter().for_each(|definition| walk.definition(definition));
    walk.uses.sort_unstable();
    // The name of a process is also that of its first local process.
    walk.uses.dedup_by_key(|name| name.place);
    walk.uses
}

type Table<'a> = FxHashMap<&'a str, (Span, NameClass)>;

/// The names that are known in the whole file, by name space.
#[derive(Default)]
struct Globals<'a> {
    constants: Table<'a>,
    ranges: Table<'a>,
    sets: Table<'a>,
    /// Processes, imports, and formulas that are used as processes.
    primitives: Table<'a>,
    composites: Table<'a>,
    assertions: Table<'a>,
    fluents: Table<'a>,
}

impl<'a> Globals<'a> {
    fn of(file: &'a File) -> Self {
        let mut globals = Self::default();
        for definition in &file.definitions {
            if let Some((name, class)) = defined(definition)
                && let Some(table) = globals.table(definition)
            {
                table.entry(&name.text).or_insert((name.span, class));
            }
        }
        globals
    }

    /// The name space of a definition; nothing if nobody can use its name.
    fn table(&mut self, definition: &Definition) -> Option<&mut Table<'a>> {
        Some(match definition {
            Definition::Const(_) => &mut self.constants,
            Definition::Range(_) => &mut self.ranges,
            Definition::Set(_) => &mut self.sets,
            Definition::Process(_) | Definition::Import(_) => &mut self.primitives,
            Definition::Assert(def) if def.kind != AssertKind::Assert => &mut self.primitives,
            Definition::Assert(_) => &mut self.assertions,
            Definition::Composite(_) => &mut self.composites,
            Definition::Fluent(_) => &mut self.fluents,
            Definition::Progress(_) | Definition::Menu(_) | Definition::Animation(_) => return None,
        })
    }
}

/// The name that a definition introduces.
fn defined(definition: &Definition) -> Option<(&Name, NameClass)> {
    Some(match definition {
        Definition::Const(def) => (&def.name, NameClass::Constant),
        Definition::Range(def) => (&def.name, NameClass::Range),
        Definition::Set(def) => (&def.name, NameClass::Set),
        Definition::Process(def) if def.modifiers.property => (&def.name, NameClass::Property),
        Definition::Process(def) => (&def.name, NameClass::Process),
        Definition::Import(def) => (&def.name, NameClass::Process),
        Definition::Composite(def) => (&def.name, NameClass::Composite),
        Definition::Assert(def) => match def.kind {
            AssertKind::Assert => (&def.name, NameClass::Formula),
            AssertKind::Constraint => (&def.name, NameClass::Process),
            AssertKind::Property => (&def.name, NameClass::Property),
        },
        Definition::Fluent(def) => (&def.name, NameClass::Fluent),
        Definition::Progress(def) => (&def.name, NameClass::Progress),
        Definition::Menu(def) => (&def.name, NameClass::Menu),
        Definition::Animation(def) => (&def.name, NameClass::Menu),
    })
}

/// A walk through the text.
#[derive(Default)]
struct Walk<'a> {
    globals: Globals<'a>,
    /// The parameters of the definition that the walk is in.
    params: FxHashMap<&'a str, Span>,
    /// Its local processes.
    locals: FxHashMap<&'a str, (Span, NameClass)>,
    /// The indices that are known, outermost first.
    variables: Vec<(&'a str, Span)>,
    uses: Vec<NameUse>,
}

impl<'a> Walk<'a> {
    /// Notes what a name means.
    fn note(&mut self, name: &Name, meaning: Option<(Span, NameClass)>) {
        let (means, class) =
            meaning.map_or((None, NameClass::Unknown), |(place, class)| (Some(place), class));
        self.uses.push(NameUse { place: name.span, means, class });
    }

    /// Notes that a name is introduced where it stands.
    fn introduce(&mut self, name: &Name, class: NameClass) {
        self.note(name, Some((name.span, class)));
    }

    /// Walks through something whose indices are not known behind it.
    fn within(&mut self, walk: impl FnOnce(&mut Self)) {
        let known = self.variables.len();
        walk(self);
        self.variables.truncate(known);
    }

    fn definition(&mut self, definition: &'a Definition) {
        if let Some((name, class)) = defined(definition) {
            self.introduce(name, class);
        }
        self.within(|walk| match definition {
            Definition::Const(def) => walk.expr(&def.value),
            Definition::Range(def) => {
                walk.expr(&def.low);
                walk.expr(&def.high);
            }
            Definition::Set(def) => walk.each_label(&def.labels),
            Definition::Process(def) => walk.process(def),
            Definition::Composite(def) => walk.composite_def(def),
            Definition::Progress(def) => {
                walk.parts(&def.indices);
                walk.each_label(def.condition.iter().chain([&def.actions]));
            }
            Definition::Menu(def) => walk.label(&def.actions),
            Definition::Fluent(def) => {
                walk.parts(&def.indices);
                walk.each_label([&def.on, &def.off]);
                def.initially.iter().for_each(|value| walk.expr(value));
            }
            Definition::Assert(def) => walk.formula_def(def),
            Definition::Import(_) | Definition::Animation(_) => {}
        });
        self.params.clear();
        self.locals.clear();
    }

    fn declare_params(&mut self, params: &'a [Param]) {
        for param in params {
            self.expr(&param.default);
            self.introduce(&param.name, NameClass::Parameter);
        }
        for param in params {
            self.params.entry(&param.name.text).or_insert(param.name.span);
        }
    }

    fn process(&mut self, def: &'a ProcessDef) {
        self.declare_params(&def.params);
        let class = if def.modifiers.property { NameClass::Property } else { NameClass::Process };
        self.locals.insert(&def.name.text, (def.name.span, class));
        for local in &def.locals {
            self.locals.entry(&local.name.text).or_insert((local.name.span, NameClass::Local));
        }
        for local in &def.locals {
            let meaning = self.locals.get(&*local.name.text).copied();
            self.note(&local.name, meaning);
            self.within(|walk| {
                walk.parts(&local.indices);
                walk.body(&local.body);
            });
        }
        def.extension.iter().for_each(|set| self.set(set));
        self.relabels(&def.relabels);
        self.hiding(def.hiding.as_ref());
    }

    fn body(&mut self, body: &'a Body) {
        match &body.kind {
            BodyKind::Goto { sequence, name, indices } => {
                sequence.iter().for_each(|call| self.call(call));
                self.goto(name);
                indices.iter().for_each(|index| self.expr(index));
            }
            BodyKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.body(then);
                otherwise.iter().for_each(|otherwise| self.body(otherwise));
            }
            BodyKind::Choice(branches) => {
                branches.iter().for_each(|branch| self.within(|walk| walk.branch(branch)));
            }
        }
    }

    fn branch(&mut self, branch: &'a Branch) {
        branch.guard.iter().for_each(|guard| self.expr(guard));
        branch.prefixes.iter().for_each(|prefix| self.label(prefix));
        self.body(&branch.body);
    }

    /// Where a process goes on.
    fn goto(&mut self, name: &Name) {
        let is_predefined = matches!(&*name.text, "STOP" | "END" | "ERROR");
        match self.locals.get(&*name.text).copied() {
            None if is_predefined => {
                self.uses.push(NameUse { place: name.span, means: None, class: NameClass::Predefined });
            }
            meaning => self.note(name, meaning),
        }
    }

    /// A process or composite with its actual parameters. A process goes before a composite with the same name.
    fn call(&mut self, call: &'a Call) {
        let name = &*call.name.text;
        let meaning = self.globals.primitives.get(name).or_else(|| self.globals.composites.get(name));
        let meaning = meaning.copied();
        self.note(&call.name, meaning);
        call.arguments.iter().flatten().for_each(|argument| self.expr(argument));
    }

    fn composite_def(&mut self, def: &'a CompositeDef) {
        self.declare_params(&def.params);
        self.composite(&def.body);
        def.priority.iter().for_each(|priority| self.set(&priority.labels));
        self.hiding(def.hiding.as_ref());
    }

    fn composite(&mut self, composite: &'a Composite) {
        match &composite.kind {
            CompositeKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.composite(then);
                otherwise.iter().for_each(|otherwise| self.composite(otherwise));
            }
            CompositeKind::Forall { indices, body } => self.within(|walk| {
                walk.parts(indices);
                walk.composite(body);
            }),
            CompositeKind::Instance { share, prefix, of, relabels } => {
                self.each_label(share);
                self.within(|walk| {
                    prefix.iter().for_each(|prefix| walk.label(prefix));
                    match of {
                        Instance::Call(call) => walk.call(call),
                        Instance::Parallel(parts) => parts.iter().for_each(|part| walk.composite(part)),
                    }
                });
                self.relabels(relabels);
            }
        }
    }

    fn formula_def(&mut self, def: &'a AssertDef) {
        self.declare_params(&def.params);
        self.formula(&def.formula);
        def.extension.iter().for_each(|set| self.set(set));
    }

    fn formula(&mut self, formula: &'a Formula) {
        match &formula.kind {
            FormulaKind::Unary(_, operand) => self.formula(operand),
            FormulaKind::Binary(_, left, right) => {
                self.formula(left);
                self.formula(right);
            }
            FormulaKind::Named { name, indices, arguments } => {
                let globals = &self.globals;
                let tables = [&globals.fluents, &globals.assertions, &globals.sets];
                let meaning = tables.iter().find_map(|table| table.get(&*name.text)).copied();
                self.note(name, meaning);
                self.within(|walk| walk.parts(indices));
                arguments.iter().flatten().for_each(|argument| self.expr(argument));
            }
            FormulaKind::Action(label) => self.each_label([label]),
            FormulaKind::Quantified { indices, body, .. } => self.within(|walk| {
                walk.parts(indices);
                walk.formula(body);
            }),
            FormulaKind::Rigid(expr) => self.expr(expr),
        }
    }

    fn relabels(&mut self, relabels: &'a [Relabel]) {
        for relabel in relabels {
            self.within(|walk| match relabel {
                // What the new label binds is known in the old one.
                Relabel::Pair { new, old } => {
                    walk.label(new);
                    walk.label(old);
                }
                Relabel::Forall { indices, relabels } => {
                    walk.parts(indices);
                    walk.relabels(relabels);
                }
            });
        }
    }

    fn hiding(&mut self, hiding: Option<&'a Hiding>) {
        hiding.iter().for_each(|hiding| self.set(&hiding.labels));
    }

    /// Labels whose indices are known to themselves only.
    fn each_label(&mut self, labels: impl IntoIterator<Item = &'a LabelExpr>) {
        labels.into_iter().for_each(|label| self.within(|walk| walk.label(label)));
    }

    /// A label; its indices are known behind it.
    fn label(&mut self, label: &'a LabelExpr) {
        self.parts(&label.parts);
    }

    fn parts(&mut self, parts: &'a [LabelPart]) {
        for part in parts {
            match &part.kind {
                LabelPartKind::Name(name) => {
                    self.uses.push(NameUse { place: name.span, means: None, class: NameClass::Action });
                }
                LabelPartKind::Set(set) => self.set(set),
                LabelPartKind::Index(domain) => self.domain(domain),
                LabelPartKind::Bind(variable, domain) => {
                    self.domain(domain);
                    self.introduce(variable, NameClass::Variable);
                    self.variables.push((&variable.text, variable.span));
                }
            }
        }
    }

    fn domain(&mut self, domain: &'a Domain) {
        match domain {
            Domain::Expr(Expr { kind: ExprKind::Name(name), .. }) => {
                let globals = &self.globals;
                match globals.sets.get(&*name.text).or_else(|| globals.ranges.get(&*name.text)).copied() {
                    None => self.value(name),
                    meaning => self.note(name, meaning),
                }
            }
            Domain::Expr(expr) => self.expr(expr),
            Domain::Range(low, high) => {
                self.expr(low);
                self.expr(high);
            }
            Domain::Set(set) => self.set(set),
        }
    }

    fn set(&mut self, set: &'a SetExpr) {
        match &set.base {
            SetBase::Literal(labels) => self.each_label(labels),
            SetBase::Named(name) => {
                let meaning = self.globals.sets.get(&*name.text).copied();
                self.note(name, meaning);
            }
        }
        set.minus.iter().for_each(|minus| self.set(minus));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Int(_) => {}
            ExprKind::Name(name) => self.value(name),
            ExprKind::Label(label) | ExprKind::Size(label) => self.each_label([label]),
            ExprKind::Select(label, position) => {
                self.each_label([label]);
                self.expr(position);
            }
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
        }
    }

    /// A name in an expression: upper-case names are parameters or constants, all others indices.
    fn value(&mut self, name: &Name) {
        let text = &*name.text;
        let meaning = if text.starts_with(char::is_uppercase) {
            let param = self.params.get(text).map(|&place| (place, NameClass::Parameter));
            param.or_else(|| self.globals.constants.get(text).copied())
        } else {
            let known = self.variables.iter().rev().find(|(known, _)| *known == text);
            known.map(|&(_, place)| (place, NameClass::Variable))
        };
        self.note(name, meaning);
    }
}
