//! Progress properties, fluents and assertions.

use std::sync::Arc;

use rely_base::{Diagnostic, Id, Span};
use rely_model::{Failure, IsWanted};
use rely_omega::{Assertion, AtomId, Fluent, Formula, ProgressProperty, Proposition};
use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::instance_name;
use super::effort::name_bytes;
use super::scope::Scope;
use super::{Elaborator, Fallible, codes};
use crate::ast::{
    self, AssertDef, Call, Definition, FluentDef, FormulaKind, LabelPart, Name, TemporalBinary, TemporalUnary,
};

/// Maximum number of operators and atoms of an assertion after its quantifiers and the assertions that it calls have
/// been expanded.
const MAX_FORMULA: usize = 1 << 16;

/// The atoms of an assertion under construction.
#[derive(Default)]
struct Atoms {
    propositions: Vec<Proposition>,
    /// The instances of the fluents that have been met, by the name of the fluent and then of the instance.
    fluents: FxHashMap<Arc<str>, Arc<FxHashMap<String, Fluent>>>,
    /// The atoms by name: that of a fluent, or the list of the actions.
    index: FxHashMap<String, AtomId>,
    /// How many operators and atoms the formula has so far.
    size: usize,
}

impl Atoms {
    fn intern(&mut self, name: String, proposition: impl FnOnce() -> Proposition) -> Formula {
        let next = AtomId::from_index(self.propositions.len());
        let atom = *self.index.entry(name).or_insert(next);
        if atom == next {
            self.propositions.push(proposition());
        }
        Formula::Atom(atom)
    }
}

impl<'a> Elaborator<'a> {
    /// The progress properties of the file, in order.
    ///
    /// # Errors
    /// When one of them has errors.
    pub fn progress_properties(&mut self) -> Result<Vec<ProgressProperty>, Failure> {
        self.asked_progress_properties(&|_| true)
    }

    /// The progress properties of the file, in order. The errors of those whose definition is not asked for by name
    /// are warnings, and these are left out.
    ///
    /// # Errors
    /// When one that is asked for has errors.
    pub fn asked_progress_properties(
        &mut self,
        asked: IsWanted<'_>,
    ) -> Result<Vec<ProgressProperty>, Failure> {
        let file = self.file;
        let definitions = file.definitions.iter().filter_map(|definition| match definition {
            Definition::Progress(def) => Some((&*def.name.text, def)),
            _ => None,
        });
        let properties = self.asked_for(&definitions.collect::<Vec<_>>(), asked, Self::progress)?;
        Ok(properties.into_iter().flatten().collect())
    }

    /// The results for some definitions, in order. Those that are asked for are elaborated first, so that errors in
    /// definitions that they share with others are reported for them.
    fn asked_for<D: Copy, T>(
        &mut self,
        definitions: &[(&str, D)],
        asked: IsWanted<'_>,
        meaning: fn(&mut Self, D) -> Fallible<T>,
    ) -> Result<Vec<T>, Failure> {
        let mut results: Vec<Option<T>> = definitions.iter().map(|_| None).collect();
        let mut failure = None;
        for (result, &(_, def)) in results.iter_mut().zip(definitions).filter(|(_, (name, _))| asked(name)) {
            match meaning(self, def) {
                Ok(meant) => *result = Some(meant),
                Err(reported) => failure = Some(reported),
            }
        }
        let before = self.diagnostics.len();
        for (result, &(_, def)) in results.iter_mut().zip(definitions).filter(|(_, (name, _))| !asked(name)) {
            *result = meaning(self, def).ok();
        }
        self.forgive(before, "nothing that is asked for uses this definition, so it does no harm");
        self.unless_exhausted(failure.map_or(Ok(results.into_iter().flatten().collect()), Err))
    }

    fn progress(&mut self, def: &ast::ProgressDef) -> Fallible<Vec<ProgressProperty>> {
        let mut properties = Vec::new();
        for instance in self.expand_parts(&def.indices, def.name.span, &Scope::default())? {
            let scope = Scope::default().extended(&instance.bindings);
            let condition = def.condition.as_ref().map(|actions| self.names(actions, &scope)).transpose()?;
            let actions = self.names(&def.actions, &scope)?;
            let names = || condition.iter().flatten().chain(&actions);
            self.hold(names().map(|name| name_bytes(name)).sum::<usize>() + name_bytes(&instance.name))?;
            properties.push(ProgressProperty {
                name: indexed(&def.name.text, &instance.name),
                condition,
                actions,
            });
        }
        Ok(properties)
    }

    /// The assertions of the file, in order.
    ///
    /// # Errors
    /// When one of them has errors.
    pub fn assertions(&mut self) -> Result<Vec<Assertion>, Failure> {
        self.asked_assertions(&|_| true)
    }

    /// The assertions of the file, in order. The errors of those that are not asked for by name are warnings, and these
    /// are left out.
    ///
    /// # Errors
    /// When one that is asked for has errors.
    pub fn asked_assertions(&mut self, asked: IsWanted<'_>) -> Result<Vec<Assertion>, Failure> {
        let definitions = self.definitions.assertions.iter();
        let definitions: Vec<_> = definitions.map(|&def| (&*def.name.text, def)).collect();
        self.asked_for(&definitions, asked, |elaborator, def| {
            let scope = elaborator.parameters(&def.name, &def.params, None, def.name.span)?;
            elaborator.assertion_in(def, &scope, def.name.span)
        })
    }

    /// Elaborates properties, fluents and menus, which need not be used anywhere. Their errors are among the
    /// diagnostics.
    pub(super) fn look_at_properties(&mut self) {
        let file = self.file;
        for definition in &file.definitions {
            // Findings that have been reported before are not reported again.
            let _ = match definition {
                Definition::Progress(def) => self.progress(def).map(drop),
                Definition::Fluent(def) => self.fluent_instances(def).map(drop),
                Definition::Menu(def) => self.names(&def.actions, &Scope::default()).map(drop),
                _ => Ok(()),
            };
        }
        let _ = self.assertions();
    }

    /// An assertion whose parameters have the values of a scope.
    pub(super) fn assertion_in(
        &mut self,
        def: &'a AssertDef,
        scope: &Scope,
        span: Span,
    ) -> Fallible<Assertion> {
        let mut atoms = Atoms::default();
        let formula = self.within(&format!("assert {}", def.name.text), span, |elaborator| {
            elaborator.formula(&def.formula, scope, &mut atoms)
        })?;
        let extension = match &def.extension {
            None => Vec::new(),
            Some(extension) => self.set(extension, scope)?,
        };
        Ok(Assertion {
            name: def.name.text.to_string(),
            formula,
            propositions: atoms.propositions,
            extension,
        })
    }

    /// The formula of an assertion that another formula calls by name.
    fn called_assertion(
        &mut self,
        def: &'a AssertDef,
        call: &Call,
        caller: &Scope,
        atoms: &mut Atoms,
    ) -> Fallible<Formula> {
        let arguments = self.arguments(call, caller)?;
        let scope = self.parameters(&def.name, &def.params, arguments.as_deref(), call.span)?;
        let instance = instance_name(&def.name.text, arguments.as_deref());
        // A process may have the same name.
        let active = format!("assert {instance}");
        if self.active.contains(&active) {
            self.failed_inside = true;
            let message = format!("assertion `{instance}` is defined by itself");
            return Err(self.report(Diagnostic::error(codes::RECURSIVE_ASSERTION, call.span, message)));
        }
        self.within(&active, call.span, |elaborator| elaborator.formula(&def.formula, &scope, atoms))
    }

    fn formula(&mut self, formula: &'a ast::Formula, scope: &Scope, atoms: &mut Atoms) -> Fallible<Formula> {
        atoms.size += 1;
        if atoms.size > MAX_FORMULA {
            return Err(self.too_large(formula.span));
        }
        self.spend(1)?;
        match &formula.kind {
            FormulaKind::Unary(op, operand) => {
                let operand = Box::new(self.formula(operand, scope, atoms)?);
                Ok(match op {
                    TemporalUnary::Not => Formula::Not(operand),
                    TemporalUnary::Next => Formula::Next(operand),
                    TemporalUnary::Eventually => Formula::Eventually(operand),
                    TemporalUnary::Always => Formula::Always(operand),
                })
            }
            FormulaKind::Binary(op, left, right) => {
                let left = self.formula(left, scope, atoms);
                let right = Box::new(self.formula(right, scope, atoms)?);
                let left = Box::new(left?);
                Ok(match op {
                    TemporalBinary::And => Formula::And(left, right),
                    TemporalBinary::Or => Formula::Or(left, right),
                    TemporalBinary::Implies => Formula::Implies(left, right),
                    TemporalBinary::Iff => Formula::Iff(left, right),
                    TemporalBinary::Until => Formula::Until(left, right),
                    TemporalBinary::WeakUntil => Formula::WeakUntil(left, right),
                })
            }
            FormulaKind::Action(label) => {
                let actions = self.names(label, scope)?;
                self.hold(2 * actions.iter().map(|name| name_bytes(name)).sum::<usize>())?;
                Ok(action_atom(actions, atoms))
            }
            FormulaKind::Rigid(expr) => {
                Ok(if self.number(expr, scope)? > 0 { Formula::True } else { Formula::False })
            }
            FormulaKind::Quantified { universal, indices, body } => {
                let mut instances = Vec::new();
                for scope in self.each(indices, scope)? {
                    instances.push(self.formula(body, &scope, atoms)?);
                }
                Ok(if *universal { Formula::all(instances) } else { Formula::any(instances) })
            }
            FormulaKind::Named { name, indices, arguments } => {
                self.named_formula(name, indices, arguments.as_ref(), scope, atoms)
            }
        }
    }

    /// A fluent, an assertion or a set of actions.
    fn named_formula(
        &mut self,
        name: &Name,
        indices: &[LabelPart],
        arguments: Option<&Vec<ast::Expr>>,
        scope: &Scope,
        atoms: &mut Atoms,
    ) -> Fallible<Formula> {
        if let Some(&def) = self.definitions.fluents.get(&name.text) {
            return self.fluent_formula(def, name, indices, scope, atoms);
        }
        let assertion = self.assertion(&name.text);
        if let Some(def) = assertion.filter(|_| indices.is_empty()) {
            let call = Call { name: name.clone(), arguments: arguments.cloned(), span: name.span };
            return self.called_assertion(def, &call, scope, atoms);
        }
        if self.globals.sets.contains_key(&name.text) && arguments.is_none() {
            let set = ast::SetExpr { base: ast::SetBase::Named(name.clone()), minus: None, span: name.span };
            let mut parts = vec![LabelPart { kind: ast::LabelPartKind::Set(set), span: name.span }];
            parts.extend_from_slice(indices);
            let actions = self.names(&ast::LabelExpr { parts, mark: None, span: name.span }, scope)?;
            return Ok(action_atom(actions, atoms));
        }
        let diagnostic = Diagnostic::error(
            codes::UNDEFINED_PROPOSITION,
            name.span,
            format!("fluent or assertion `{}` is not defined", name.text),
        );
        let mut known: Vec<Arc<str>> = self.definitions.fluents.keys().cloned().collect();
        // The assertion that is being defined cannot be meant.
        let names = self.definitions.assertions.iter().map(|def| &def.name.text);
        let is_open = |name: &&Arc<str>| self.active.iter().any(|active| *active == format!("assert {name}"));
        known.extend(names.filter(|name| !is_open(name)).cloned());
        let diagnostic =
            super::suggest(&mut self.effort, diagnostic, &name.text, known.iter().map(|name| &**name));
        Err(self.report_undefined(&name.text, diagnostic))
    }

    /// A fluent. With a range of indices, at least one of several.
    fn fluent_formula(
        &mut self,
        def: &'a FluentDef,
        name: &Name,
        indices: &[LabelPart],
        scope: &Scope,
        atoms: &mut Atoms,
    ) -> Fallible<Formula> {
        let known = match atoms.fluents.get(&def.name.text) {
            Some(known) => Arc::clone(known),
            None => {
                let instances = self.fluent_instances(def)?;
                let named = instances.into_iter().map(|fluent| (fluent.name.clone(), fluent)).collect();
                let known = Arc::new(named);
                atoms.fluents.insert(Arc::clone(&def.name.text), Arc::clone(&known));
                known
            }
        };
        let mut any = Vec::new();
        for instance in self.expand_parts(indices, name.span, scope)? {
            let wanted = indexed(&name.text, &instance.name);
            let Some(fluent) = known.get(&wanted) else {
                return Err(self.report(
                    Diagnostic::error(
                        codes::UNDEFINED_PROPOSITION,
                        name.span,
                        format!("fluent `{wanted}` is not defined"),
                    )
                    .with_note(def.name.span, "the fluent is defined here, with other indices"),
                ));
            };
            atoms.size += 1;
            if atoms.size > MAX_FORMULA {
                return Err(self.too_large(name.span));
            }
            any.push(atoms.intern(wanted, || Proposition::Fluent(fluent.clone())));
        }
        Ok(Formula::any(any))
    }

    /// A fluent for each value of its indices.
    fn fluent_instances(&mut self, def: &FluentDef) -> Fallible<Vec<Fluent>> {
        let mut fluents = Vec::new();
        for instance in self.expand_parts(&def.indices, def.name.span, &Scope::default())? {
            let scope = Scope::default().extended(&instance.bindings);
            let on = self.names(&def.on, &scope)?;
            let off = self.names(&def.off, &scope)?;
            let switching_off: FxHashSet<&String> = off.iter().collect();
            if let Some(both) = on.iter().find(|action| switching_off.contains(action)) {
                let message = format!("action `{both}` switches the fluent on and off at once");
                return Err(self.report(Diagnostic::error(codes::FLUENT_OVERLAP, def.off.span, message)));
            }
            let initially = match &def.initially {
                None => false,
                Some(value) => self.number(value, &scope)? > 0,
            };
            self.hold(on.iter().chain(&off).map(|name| name_bytes(name)).sum())?;
            fluents.push(Fluent { name: indexed(&def.name.text, &instance.name), on, off, initially });
        }
        Ok(fluents)
    }

    /// All fluents of the file, for the display of traces.
    pub fn fluents(&mut self) -> Vec<Fluent> {
        let definitions: Vec<&FluentDef> = self
            .file
            .definitions
            .iter()
            .filter_map(|definition| match definition {
                Definition::Fluent(def) => Some(def),
                _ => None,
            })
            .collect();
        definitions.into_iter().flat_map(|def| self.fluent_instances(def).unwrap_or_default()).collect()
    }
}

fn action_atom(actions: Vec<String>, atoms: &mut Atoms) -> Formula {
    let mut sorted = actions.clone();
    sorted.sort_unstable();
    // Braces cannot occur in the name of a fluent, so the two kinds of atoms do not meet.
    atoms.intern(format!("{{{}}}", sorted.join(",")), || Proposition::Action(actions))
}

fn indexed(name: &str, index: &str) -> String {
    if index.is_empty() { name.to_owned() } else { format!("{name}.{index}") }
}
