//! Expressions: their types, and their values where these are known.

use rely_base::{Diagnostic, Id, Span};

use super::scope::Entity;
use super::{BOOLEAN, Resolver, UNIVERSAL, UNKNOWN};
use crate::ast::{self, Association, DiscreteRange, ExprKind, Ident, Name, Unary};
use crate::codes;
use crate::hir::{self, Binary, Expr, Form, Initial, Subtype, TypeId, TypeKind};

impl Resolver<'_> {
    /// An expression with its type. What has mistakes has the type *unknown*.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        let result = match &expr.kind {
            ExprKind::Int(value) => Some(literal(*value, UNIVERSAL, span)),
            ExprKind::Text => {
                let advice = "use an enumeration or integer type; texts are for output only";
                self.outside(span, "a text or real number in an expression", advice);
                None
            }
            ExprKind::Name(name) => self.value_of_name(name),
            ExprKind::Attribute { prefix, attribute, arguments } => {
                self.attribute(prefix, attribute, arguments, span)
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, span),
            ExprKind::Binary(operator, a, b) => self.binary(*operator, a, b, span),
            ExprKind::Membership { value, range, negated } => self.membership(value, range, *negated, span),
            ExprKind::Aggregate(_) => {
                let help = "assign elements one by one, or the whole array";
                self.error_with_help(codes::TYPE, span, "an aggregate is an array, not a single value", help);
                None
            }
            ExprKind::Error => None,
        };
        result.unwrap_or(literal(0, UNKNOWN, span))
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.expr(expr);
        self.expect_type(&value, BOOLEAN);
        value
    }

    /// A value that is assigned or given to something with a subtype. A known value has to be in its range.
    pub(super) fn value_for(&mut self, expr: &ast::Expr, subtype: Subtype) -> Expr {
        let value = self.expr(expr);
        if self.expect_type(&value, subtype.base) {
            self.warn_out_of_range(&value, subtype);
        }
        value
    }

    pub(super) fn warn_out_of_range(&mut self, value: &Expr, subtype: Subtype) {
        if let hir::ExprKind::Literal(known) = value.kind
            && subtype.base != UNKNOWN
            && value.ty != UNKNOWN
            && !subtype.contains(known)
        {
            let message = format!(
                "{known} is not within {} .. {}: this raises Constraint_Error",
                subtype.low, subtype.high
            );
            self.report(Diagnostic::warning(codes::OUT_OF_RANGE, value.span, message));
        }
    }

    /// Whether a value has a type; if not, that is said.
    pub(super) fn expect_type(&mut self, value: &Expr, ty: TypeId) -> bool {
        let fits = self.unified(value.ty, ty).is_some();
        if !fits {
            self.mismatch(value.span, value.ty, ty);
        }
        fits
    }

    pub(super) fn mismatch(&mut self, span: Span, found: TypeId, wanted: TypeId) {
        let message = format!("this is {}, but {} is needed", self.type_name(found), self.type_name(wanted));
        let both_integer = self.is_integer(found) && self.is_integer(wanted);
        let mut diagnostic = Diagnostic::error(codes::TYPE, span, message);
        if both_integer {
            diagnostic =
                diagnostic.with_help(format!("convert it: `{} (…)`", self.types[wanted.index()].name));
        }
        self.report(diagnostic);
    }

    // Names.

    fn value_of_name(&mut self, name: &Name) -> Option<Expr> {
        let name = &*self.without_packages(name);
        let [part] = &name.parts[..] else {
            return self.selected(name);
        };
        let ident = &part.ident;
        let entity = self.lookup(ident)?;
        let none = part.arguments.is_empty();
        match entity {
            Entity::Constant(value, ty) if none => Some(literal(value, ty, name.span)),
            Entity::Variable(variable) => {
                let form = self.variables[variable.index()].form;
                match (form, &part.arguments[..]) {
                    (Form::Scalar(subtype), []) => Some(Expr {
                        kind: hir::ExprKind::Variable(variable),
                        ty: subtype.base,
                        span: name.span,
                    }),
                    (Form::Array { index, element }, [arguments]) => {
                        let index = self.single_index(ident, arguments, index)?;
                        let kind = hir::ExprKind::Element(variable, Box::new(index));
                        Some(Expr { kind, ty: element.base, span: name.span })
                    }
                    (Form::Array { .. }, _) => {
                        let message =
                            format!("`{}` is an array, and one of its elements is needed", ident.text);
                        self.error(codes::TYPE, name.span, message);
                        None
                    }
                    (Form::Scalar(_), _) => {
                        let message = format!("`{}` is no array", ident.text);
                        self.error(codes::ARGUMENTS, name.span, message);
                        None
                    }
                }
            }
            Entity::Type(subtype) => self.conversion(name, subtype),
            Entity::Subprogram(subprogram) => self.function_call(name, subprogram),
            other => {
                self.wrong_kind(ident, other, "a value");
                None
            }
        }
    }

    /// A name with dots as a value or variable.
    pub(super) fn selected(&mut self, name: &Name) -> Option<Expr> {
        let first = &name.parts[0].ident;
        match self.scopes.get(&first.text) {
            Some(Entity::Group(_)) => {
                self.error(codes::WRONG_KIND, name.span, "the call of an entry is a statement, not a value");
            }
            Some(Entity::Unknown) => {}
            Some(_) => self.outside(name.span, "a name with dots", "use the last part alone"),
            None => self.undefined(first, "is not declared"),
        }
        None
    }

    /// The index of an element or of a family: one value of the right type.
    pub(super) fn single_index(
        &mut self,
        of: &Ident,
        arguments: &[ast::Argument],
        index: Subtype,
    ) -> Option<Expr> {
        let [argument] = arguments else {
            let message = format!("`{}` has one index, and {} are given", of.text, arguments.len());
            self.error(codes::ARGUMENTS, of.span, message);
            return None;
        };
        let value = self.value_for(&argument.value, index);
        (value.ty != UNKNOWN).then_some(value)
    }

    fn conversion(&mut self, name: &Name, subtype: Subtype) -> Option<Expr> {
        let part = &name.parts[0];
        let [arguments] = &part.arguments[..] else {
            self.wrong_kind(&part.ident, Entity::Type(subtype), "a value");
            return None;
        };
        let [argument] = &arguments[..] else {
            self.error(codes::ARGUMENTS, name.span, "a conversion has one operand");
            return None;
        };
        let value = self.expr(&argument.value);
        let fits = self.unified(value.ty, subtype.base).is_some()
            || self.is_integer(value.ty) && self.is_integer(subtype.base);
        if !fits {
            self.mismatch(value.span, value.ty, subtype.base);
            return None;
        }
        Some(checked(value, subtype, name.span))
    }

    // Attributes.

    /// The bounds of a type, an array type or an array.
    pub(super) fn bounds(&mut self, prefix: &Name) -> Option<Subtype> {
        let prefix = &*self.without_packages(prefix);
        let [part] = &prefix.parts[..] else {
            return self.selected(prefix).map(|_| self.whole(UNKNOWN));
        };
        match self.lookup(&part.ident)? {
            Entity::Type(subtype) | Entity::ArrayType(subtype, _) => Some(subtype),
            Entity::Variable(variable) => match self.variables[variable.index()].form {
                Form::Array { index, .. } => Some(index),
                Form::Scalar(_) => {
                    self.wrong_kind(&part.ident, Entity::Variable(variable), "a type or an array");
                    None
                }
            },
            // The index of an array of tasks.
            Entity::Group(group) if self.groups[group.index()].index.is_some() => {
                self.groups[group.index()].index
            }
            other => {
                self.wrong_kind(&part.ident, other, "a type or an array");
                None
            }
        }
    }

    fn attribute(
        &mut self,
        prefix: &Name,
        attribute: &Ident,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        match (&*attribute.text, arguments) {
            ("first", []) => self.bounds(prefix).map(|bounds| literal(bounds.low, bounds.base, span)),
            ("last", []) => self.bounds(prefix).map(|bounds| literal(bounds.high, bounds.base, span)),
            ("length", []) => self
                .bounds(prefix)
                .map(|bounds| literal(i64::try_from(bounds.count()).unwrap_or(i64::MAX), UNIVERSAL, span)),
            ("succ" | "pred" | "pos" | "val", [argument]) => {
                let subtype = self.bounds(prefix)?;
                let whole = self.whole(subtype.base);
                let value = self.expr(argument);
                let wanted = if &*attribute.text == "val" { UNIVERSAL } else { subtype.base };
                let fits = match wanted {
                    UNIVERSAL => self.is_integer(value.ty),
                    _ => self.unified(value.ty, wanted).is_some(),
                };
                if !fits {
                    self.mismatch(value.span, value.ty, wanted);
                    return None;
                }
                let step = |operator| {
                    self.arithmetic(operator, value.clone(), literal(1, wanted, span), whole, span)
                };
                Some(match &*attribute.text {
                    "succ" => step(Binary::Add),
                    "pred" => step(Binary::Subtract),
                    "pos" => Expr { ty: UNIVERSAL, ..value },
                    _ => checked(value, whole, span),
                })
            }
            ("count" | "callable" | "terminated", _) => {
                let what = format!("the attribute `{}`", attribute.text);
                self.outside(span, &what, "let the tasks keep a variable that says so");
                None
            }
            ("range", _) => {
                self.error(codes::TYPE, span, "a range is no value");
                None
            }
            _ => {
                let what = format!("the attribute `{}`", attribute.text);
                self.outside(
                    span,
                    &what,
                    "use `First`, `Last`, `Length`, `Range`, `Succ`, `Pred`, `Pos` or `Val`",
                );
                None
            }
        }
    }

    /// The successor or predecessor of a value of a type with all its values.
    fn arithmetic(&self, operator: Binary, a: Expr, b: Expr, whole: Subtype, span: Span) -> Expr {
        let value = operation(operator, a, b, whole.base, span);
        match *self.kind(whole.base) {
            TypeKind::Modular(modulus) => wrapped(value, modulus),
            _ => checked(value, whole, span),
        }
    }

    // Operators.

    fn unary(&mut self, operator: Unary, operand: &ast::Expr, span: Span) -> Option<Expr> {
        let operand = self.expr(operand);
        let ty = operand.ty;
        let fits = match operator {
            Unary::Not => self.unified(ty, BOOLEAN).is_some(),
            _ => self.is_integer(ty),
        };
        if !fits {
            self.mismatch(operand.span, ty, if operator == Unary::Not { BOOLEAN } else { UNIVERSAL });
            return None;
        }
        let value = match operand.kind {
            hir::ExprKind::Literal(value) => match hir::apply_unary(operator, value) {
                Ok(value) => literal(value, ty, span),
                Err(_) => return self.no_value(span),
            },
            _ => Expr { kind: hir::ExprKind::Unary(operator, Box::new(operand)), ty, span },
        };
        Some(match *self.kind(ty) {
            TypeKind::Modular(modulus) => wrapped(value, modulus),
            _ => value,
        })
    }

    fn binary(&mut self, operator: ast::Binary, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        use ast::Binary as B;
        if operator == B::Concatenate {
            self.outside(span, "a text in an expression", "texts are for output only");
            return None;
        }
        let (a, b) = (self.expr(a), self.expr(b));
        let Some(ty) = self.unified(a.ty, b.ty) else {
            self.mismatch(b.span, b.ty, a.ty);
            return None;
        };
        if ty == UNKNOWN {
            return None;
        }
        let operator = match operator {
            B::AndThen | B::OrElse => return self.short(operator == B::AndThen, a, b, span),
            B::And => Binary::And,
            B::Or => Binary::Or,
            B::Xor => Binary::Xor,
            B::Equal => Binary::Equal,
            B::NotEqual => Binary::NotEqual,
            B::Less => Binary::Less,
            B::LessEqual => Binary::LessEqual,
            B::Greater => Binary::Greater,
            B::GreaterEqual => Binary::GreaterEqual,
            B::Add => Binary::Add,
            B::Subtract => Binary::Subtract,
            B::Multiply => Binary::Multiply,
            B::Divide => Binary::Divide,
            B::Mod => Binary::Mod,
            B::Rem => Binary::Rem,
            B::Power => Binary::Power,
            B::Concatenate => return None,
        };
        let result = match operator {
            Binary::And | Binary::Or | Binary::Xor => {
                if ty != BOOLEAN {
                    self.mismatch(span, ty, BOOLEAN);
                    return None;
                }
                BOOLEAN
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual => BOOLEAN,
            _ => {
                if !self.is_integer(ty) {
                    self.mismatch(span, ty, UNIVERSAL);
                    return None;
                }
                ty
            }
        };
        if let (hir::ExprKind::Literal(x), hir::ExprKind::Literal(y)) = (&a.kind, &b.kind)
            && hir::apply(operator, *x, *y).is_err()
        {
            return self.no_value(span);
        }
        let value = operation(operator, a, b, result, span);
        Some(match *self.kind(result) {
            TypeKind::Modular(modulus) => wrapped(value, modulus),
            _ => value,
        })
    }

    fn no_value(&mut self, span: Span) -> Option<Expr> {
        self.error(codes::NO_VALUE, span, "this expression has no value of 32 bits");
        None
    }

    fn short(&mut self, is_and: bool, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        for operand in [&a, &b] {
            if !self.expect_type(operand, BOOLEAN) {
                return None;
            }
        }
        let kind = hir::ExprKind::Short(is_and, Box::new(a), Box::new(b));
        Some(Expr { kind, ty: BOOLEAN, span })
    }

    fn membership(
        &mut self,
        value: &ast::Expr,
        range: &DiscreteRange,
        negated: bool,
        span: Span,
    ) -> Option<Expr> {
        let value = self.expr(value);
        let (low, high) = self.range(range)?;
        if self.unified(value.ty, low.ty).is_none() {
            self.mismatch(value.span, value.ty, low.ty);
            return None;
        }
        let kind = hir::ExprKind::Within(Box::new(value), Box::new(low), Box::new(high));
        let within = Expr { kind, ty: BOOLEAN, span };
        let not = |within| hir::ExprKind::Unary(Unary::Not, Box::new(within));
        Some(if negated { Expr { kind: not(within), ty: BOOLEAN, span } } else { within })
    }

    // Initial values and arrays.

    /// The value that a variable, or a whole array, is given.
    pub(super) fn initial(&mut self, value: &ast::Expr, form: Form) -> Option<Initial> {
        match form {
            Form::Scalar(subtype) => Some(Initial::Scalar(self.value_for(value, subtype))),
            Form::Array { index, element } => match &value.kind {
                ExprKind::Aggregate(associations) => {
                    self.aggregate(associations, index, element, value.span).map(Initial::Array)
                }
                ExprKind::Name(name) => self.array_copy(name, form),
                ExprKind::Error => None,
                _ => {
                    self.error_with_help(
                        codes::TYPE,
                        value.span,
                        "this is a single value, but an array is needed",
                        "write `(others => …)`",
                    );
                    None
                }
            },
        }
    }

    fn array_copy(&mut self, name: &Name, form: Form) -> Option<Initial> {
        let name = &*self.without_packages(name);
        if let [part] = &name.parts[..]
            && part.arguments.is_empty()
            && let Entity::Variable(source) = self.lookup(&part.ident)?
        {
            let from = self.variables[source.index()].form;
            if let (Form::Array { element: a, .. }, Form::Array { element: b, .. }) = (form, from)
                && a.base == b.base
                && form.len() == from.len()
            {
                return Some(Initial::Copy(source));
            }
        }
        self.error(codes::TYPE, name.span, "this is not an array of the same type and length");
        None
    }

    fn aggregate(
        &mut self,
        associations: &[Association],
        index: Subtype,
        element: Subtype,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let length = usize::try_from(index.count()).unwrap_or(usize::MAX);
        let mut values: Vec<Option<Expr>> = vec![None; length];
        for (position, association) in associations.iter().enumerate() {
            let value = self.value_for(&association.value, element);
            let chosen: Vec<usize> = match (&association.choices, association.is_others) {
                (_, true) => (0..length).filter(|&at| values[at].is_none()).collect(),
                (None, false) => vec![position],
                (Some(choices), false) => {
                    let mut chosen = Vec::new();
                    for choice in choices {
                        let range = self.static_range(choice)?;
                        if range.low <= range.high
                            && !(index.contains(range.low) && index.contains(range.high))
                        {
                            self.error(
                                codes::CHOICES,
                                span,
                                "the aggregate has an index that the array has not",
                            );
                            return None;
                        }
                        let offset = |value: i64| usize::try_from(value - index.low).unwrap_or(usize::MAX);
                        chosen.extend((range.low..=range.high).map(offset));
                    }
                    chosen
                }
            };
            for at in chosen {
                match values.get_mut(at) {
                    Some(free @ None) => *free = Some(value.clone()),
                    _ => {
                        self.error(codes::CHOICES, span, "the aggregate has a value too many");
                        return None;
                    }
                }
            }
        }
        if values.iter().any(Option::is_none) {
            let help = "end it with `others => …`";
            self.error_with_help(codes::CHOICES, span, "the aggregate has too few values", help);
            return None;
        }
        Some(values.into_iter().flatten().collect())
    }
}

/// A value that is known.
pub(super) fn literal(value: i64, ty: TypeId, span: Span) -> Expr {
    Expr { kind: hir::ExprKind::Literal(value), ty, span }
}

/// An operation, computed at once if its operands are known.
fn operation(operator: Binary, a: Expr, b: Expr, ty: TypeId, span: Span) -> Expr {
    if let (hir::ExprKind::Literal(x), hir::ExprKind::Literal(y)) = (&a.kind, &b.kind)
        && let Ok(value) = hir::apply(operator, *x, *y)
    {
        return literal(value, ty, span);
    }
    Expr { kind: hir::ExprKind::Binary(operator, Box::new(a), Box::new(b)), ty, span }
}

/// A value that has to be in a range.
fn checked(value: Expr, subtype: Subtype, span: Span) -> Expr {
    match value.kind {
        hir::ExprKind::Literal(known) if subtype.contains(known) => literal(known, subtype.base, span),
        _ => Expr { kind: hir::ExprKind::Checked(Box::new(value), subtype), ty: subtype.base, span },
    }
}

/// A value of a modular type.
fn wrapped(value: Expr, modulus: i64) -> Expr {
    let (ty, span) = (value.ty, value.span);
    match value.kind {
        hir::ExprKind::Literal(known) => literal(known.rem_euclid(modulus), ty, span),
        _ => Expr { kind: hir::ExprKind::Wrapped(Box::new(value), modulus), ty, span },
    }
}
