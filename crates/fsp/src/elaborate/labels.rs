//! The instances of a compound label: a name for each choice of its parts, with the variables that the choice binds.

use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::effort::name_bytes;
use super::scope::{Global, Scope, Value};
use super::{Elaborator, Fallible, Reported, codes};
use crate::ast::{Domain, Expr, ExprKind, LabelExpr, LabelPart, LabelPartKind, Name, SetBase, SetExpr};

/// Maximum number of labels that one expression may stand for.
pub(super) const MAX_LABELS: usize = 1 << 20;

/// Maximum number of variables in scope.
const MAX_VARIABLES: usize = 256;

/// Maximum length of a label in bytes.
pub(super) const MAX_LABEL_LENGTH: usize = 1 << 12;

/// Maximum total length of the labels of one expression in bytes.
pub(super) const MAX_LABEL_BYTES: usize = 256 << 20;

/// One of the names that a compound label stands for.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// The parts joined by dots.
    pub(super) name: String,
    /// The variables that this choice of parts binds.
    pub(super) bindings: Vec<(Arc<str>, Value)>,
}

impl Elaborator<'_> {
    /// All instances of a label, in order.
    pub(super) fn expand(&mut self, label: &LabelExpr, scope: &Scope) -> Fallible<Vec<Instance>> {
        self.expand_parts(&label.parts, label.span, scope)
    }

    /// All instances of a sequence of parts; without parts, a single one without a name.
    pub(super) fn expand_parts(
        &mut self,
        parts: &[LabelPart],
        span: Span,
        scope: &Scope,
    ) -> Fallible<Vec<Instance>> {
        let mut instances = vec![Instance::default()];
        for (i, part) in parts.iter().enumerate() {
            // Only a part that mentions a variable bound by an earlier part has to be expanded for each instance.
            let bound = instances.first().is_some_and(|instance| !instance.bindings.is_empty());
            let mut extended = Vec::new();
            let mut common = None;
            let mut bytes = 0;
            for instance in &instances {
                if bound || common.is_none() {
                    self.check_binding(part, scope, &instance.bindings)?;
                    common = Some(self.part_values(part, &scope.extended(&instance.bindings))?);
                }
                let values = common.as_deref().expect("it has just been computed");
                bytes += values.len() * instance.bytes();
                if extended.len() + values.len() > MAX_LABELS
                    || bytes > MAX_LABEL_BYTES
                    || instance.name.len() > MAX_LABEL_LENGTH
                {
                    return Err(self.too_large(span));
                }
                self.spend(values.len())?;
                extended.extend(values.iter().map(|value| instance.extended(part, value)));
            }
            let binds = |part: &LabelPart| matches!(part.kind, LabelPartKind::Bind(..));
            if instances.is_empty() && !parts[..i].iter().any(binds) {
                // Parts after an empty set have to be correct nevertheless.
                self.part_values(part, scope)?;
            }
            instances = extended;
        }
        Ok(instances)
    }

    /// The names of all instances, each once, in order.
    pub(super) fn names(&mut self, label: &LabelExpr, scope: &Scope) -> Fallible<Vec<String>> {
        let instances = self.expand(label, scope)?;
        Ok(distinct(instances.into_iter().map(|instance| instance.name)))
    }

    /// The labels of a set, each once, in order.
    pub(super) fn set(&mut self, set: &SetExpr, scope: &Scope) -> Fallible<Vec<String>> {
        let labels = match &set.base {
            SetBase::Named(name) => self.named_set(name)?.iter().map(ToString::to_string).collect(),
            SetBase::Literal(labels) => {
                // The labels so far are kept while a nested set is expanded.
                let mut bytes = 0;
                let names = self.literal_set(labels, set.span, scope, &mut bytes);
                self.release(bytes);
                distinct(names?)
            }
        };
        match &set.minus {
            None => Ok(labels),
            Some(minus) => {
                self.warn_idle_difference(&labels, minus, scope)?;
                let minus: FxHashSet<String> = self.set(minus, scope)?.into_iter().collect();
                Ok(labels.into_iter().filter(|label| !minus.contains(label)).collect())
            }
        }
    }

    /// Warns of labels that are written out to be removed from a set, but are not in it.
    fn warn_idle_difference(&mut self, labels: &[String], minus: &SetExpr, scope: &Scope) -> Fallible<()> {
        let SetBase::Literal(taken) = &minus.base else { return Ok(()) };
        let labels: FxHashSet<&str> = labels.iter().map(String::as_str).collect();
        for label in taken {
            let instances = self.expand(label, scope)?;
            if let Some(first) = instances.first()
                && !instances.iter().any(|instance| labels.contains(&*instance.name))
            {
                let message = format!("`{}` is taken away from a set that does not have it", first.name);
                self.report(Diagnostic::warning(codes::TAKES_NOTHING_AWAY, label.span, message));
            }
        }
        Ok(())
    }

    fn literal_set(
        &mut self,
        labels: &[LabelExpr],
        span: Span,
        scope: &Scope,
        bytes: &mut usize,
    ) -> Fallible<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        for label in labels {
            let more = self.expand(label, scope)?;
            let size = more.iter().map(|instance| name_bytes(&instance.name)).sum();
            *bytes += size;
            self.hold(size)?;
            names.extend(more.into_iter().map(|instance| instance.name));
            if names.len() > MAX_LABELS || *bytes > MAX_LABEL_BYTES {
                return Err(self.too_large(span));
            }
        }
        Ok(names)
    }

    fn named_set(&mut self, name: &Name) -> Fallible<Arc<[Arc<str>]>> {
        match self.globals.sets.get(&name.text) {
            Some((Global::Set(labels), _)) => return Ok(Arc::clone(labels)),
            Some(_) => return Err(Reported::already()),
            None => {}
        }
        let diagnostic =
            Diagnostic::error(codes::UNDEFINED_SET, name.span, format!("set `{}` is not defined", name.text));
        let diagnostic = super::suggest(
            &mut self.effort,
            diagnostic,
            &name.text,
            self.globals.sets.keys().map(|name| &**name),
        );
        Err(self.report_undefined(&name.text, diagnostic))
    }

    /// The values of one part.
    fn part_values(&mut self, part: &LabelPart, scope: &Scope) -> Fallible<Vec<Value>> {
        match &part.kind {
            LabelPartKind::Name(name) => Ok(vec![Value::Label(Arc::clone(&name.text))]),
            LabelPartKind::Set(set) => self.set_values(set, scope),
            LabelPartKind::Index(domain) => self.domain_values(domain, part.span, scope),
            LabelPartKind::Bind(variable, domain) => {
                if let Domain::Expr(expr) = domain
                    && !self.is_named_domain(expr)
                {
                    return Err(self.not_a_range(variable, expr));
                }
                self.domain_values(domain, part.span, scope)
            }
        }
    }

    /// Reports that a part binds a variable a second time. Within one label the second binding counts, as in LTSA.
    fn check_binding(
        &mut self,
        part: &LabelPart,
        scope: &Scope,
        earlier: &[(Arc<str>, Value)],
    ) -> Fallible<()> {
        let LabelPartKind::Bind(variable, _) = &part.kind else { return Ok(()) };
        if scope.variable_count() + earlier.len() >= MAX_VARIABLES {
            return Err(self.too_large(part.span));
        }
        if scope.variable(&variable.text).is_some() {
            let message = format!("variable `{}` has a value here already", variable.text);
            let diagnostic = Diagnostic::error(codes::SHADOWED, variable.span, message);
            return Err(self.report(diagnostic.with_help("use another name")));
        }
        if earlier.iter().any(|(name, _)| *name == variable.text) {
            let message =
                format!("variable `{}` is bound twice in this label: the second value counts", variable.text);
            self.report(
                Diagnostic::warning(codes::REBOUND, variable.span, message).with_help("use another name"),
            );
        }
        Ok(())
    }

    /// Whether an expression is the name of a range or of a set.
    fn is_named_domain(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name)
            if self.globals.sets.contains_key(&name.text) || self.globals.ranges.contains_key(&name.text))
    }

    fn not_a_range(&mut self, variable: &Name, expr: &Expr) -> Reported {
        let message = format!("`{}` needs a range or a set to take its values from", variable.text);
        let help = match &expr.kind {
            ExprKind::Name(name) => {
                format!("write `[{}:0..{}]`, or define `range {2}`", variable.text, name.text, name.text)
            }
            _ => format!("write `[{}:low..high]`", variable.text),
        };
        self.report(Diagnostic::error(codes::NOT_A_RANGE, expr.span, message).with_help(help))
    }

    fn set_values(&mut self, set: &SetExpr, scope: &Scope) -> Fallible<Vec<Value>> {
        Ok(self.set(set, scope)?.into_iter().map(Value::of_label).collect())
    }

    fn domain_values(&mut self, domain: &Domain, span: Span, scope: &Scope) -> Fallible<Vec<Value>> {
        match domain {
            Domain::Set(set) => self.set_values(set, scope),
            Domain::Range(low, high) => {
                let (low, high) = (self.number(low, scope)?, self.number(high, scope)?);
                self.range_values(low, high, span)
            }
            Domain::Expr(expr) => self.named_domain(expr, span, scope),
        }
    }

    /// A single expression as a domain: a bare upper-case name may be a set or a range.
    fn named_domain(&mut self, expr: &Expr, span: Span, scope: &Scope) -> Fallible<Vec<Value>> {
        if let ExprKind::Name(name) = &expr.kind {
            if self.globals.sets.contains_key(&name.text) {
                let labels = self.named_set(name)?;
                return Ok(labels.iter().map(|label| Value::of_label(Arc::clone(label))).collect());
            }
            match self.globals.ranges.get(&name.text) {
                Some((Global::Range(low, high), _)) => {
                    let (low, high) = (*low, *high);
                    return self.range_values(low, high, span);
                }
                Some(_) => return Err(Reported::already()),
                None => {}
            }
        }
        Ok(vec![self.value(expr, scope)?])
    }

    fn range_values(&mut self, low: i32, high: i32, span: Span) -> Fallible<Vec<Value>> {
        if low > high {
            return Err(self.report(
                Diagnostic::error(codes::EMPTY_RANGE, span, format!("the range {low}..{high} is empty"))
                    .with_help("the first value must not be above the last one"),
            ));
        }
        if i64::from(high) - i64::from(low) >= MAX_LABELS as i64 {
            return Err(self.too_large(span));
        }
        Ok((low..=high).map(Value::Int).collect())
    }

    /// Reports that an expression stands for too many labels or states.
    pub(super) fn too_large(&mut self, span: Span) -> Reported {
        self.report(
            Diagnostic::error(codes::TOO_LARGE, span, "this stands for too many labels or states")
                .with_help("use a smaller range: most errors show themselves in small instances already"),
        )
    }
}

impl Instance {
    /// The approximate number of its bytes.
    fn bytes(&self) -> usize {
        name_bytes(&self.name) + self.bindings.len() * size_of::<(Arc<str>, Value)>()
    }

    /// This instance with the value of one more part.
    fn extended(&self, part: &LabelPart, value: &Value) -> Self {
        let name = if self.name.is_empty() { value.to_string() } else { format!("{}.{value}", self.name) };
        let mut bindings = self.bindings.clone();
        if let LabelPartKind::Bind(variable, _) = &part.kind {
            bindings.push((Arc::clone(&variable.text), value.clone()));
        }
        Self { name, bindings }
    }
}

/// Each name once, in order of first appearance.
fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}
