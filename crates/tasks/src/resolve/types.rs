//! Types where they are declared and used, and ranges.

use rely_base::{Id, Span};

use super::scope::Entity;
use super::{Resolver, UNIVERSAL, UNKNOWN};
use crate::ast::{ArrayType, DiscreteRange, Expr, ExprKind, Ident, TypeDeclaration, TypeDefinition, TypeUse};
use crate::codes;
use crate::hir::{self, Form, Subtype, Type, TypeId, TypeKind};

/// The most elements of an array, and the most literals of an enumeration.
const MAX_ELEMENTS: u64 = 4096;

/// What is known of a type where it is used.
#[derive(Clone, Debug)]
pub(super) enum Used {
    /// Values or arrays of values.
    Form(Form),
    /// Tasks: one, or as many as there are indices.
    Task { unit: hir::UnitId, index: Option<Subtype>, discriminants: Vec<i64> },
    /// Unknown, because of a mistake that was reported.
    Unknown,
}

impl Resolver<'_> {
    pub(super) fn type_declaration(&mut self, declaration: &TypeDeclaration) {
        let name = &declaration.name;
        let entity = match &declaration.definition {
            TypeDefinition::Enumeration(literals) => return self.enumeration(name, literals),
            TypeDefinition::Range(bounds) => {
                let (low, high) = &**bounds;
                let span = low.span.to(high.span);
                let (low, high) = (self.static_integer(low), self.static_integer(high));
                let base = self.add_type(name, TypeKind::Integer);
                match (low, high) {
                    (Some(low), Some(high)) => {
                        self.not_empty(low, high, span);
                        Entity::Type(Subtype { base, low, high })
                    }
                    _ => Entity::Unknown,
                }
            }
            TypeDefinition::Modular(modulus) => match self.static_integer(modulus) {
                Some(value) if value > 0 => {
                    let base = self.add_type(name, TypeKind::Modular(value));
                    Entity::Type(self.whole(base))
                }
                Some(_) => {
                    self.error(codes::OUT_OF_RANGE, modulus.span, "a modulus is at least 1");
                    Entity::Unknown
                }
                None => Entity::Unknown,
            },
            TypeDefinition::Array(array) => match self.array(array) {
                Used::Form(Form::Array { index, element }) => Entity::ArrayType(index, element),
                Used::Task { .. } => {
                    self.outside(
                        array.span,
                        "a type for arrays of tasks",
                        "declare the array where it is: `Pumps : array (1 .. 2) of Pump;`",
                    );
                    Entity::Unknown
                }
                _ => Entity::Unknown,
            },
            TypeDefinition::Derived(parent) => match self.type_use(parent) {
                Used::Form(Form::Scalar(subtype)) => {
                    let kind = self.kind(subtype.base).clone();
                    if matches!(kind, TypeKind::Enumeration(_)) {
                        self.outside(name.span, "a type derived from an enumeration", "declare a subtype");
                    }
                    let base = self.add_type(name, kind);
                    Entity::Type(Subtype { base, ..subtype })
                }
                Used::Unknown => Entity::Unknown,
                _ => {
                    self.outside(name.span, "a type derived from this one", "declare a subtype");
                    Entity::Unknown
                }
            },
            TypeDefinition::Subtype(parent) => match self.type_use(parent) {
                Used::Form(Form::Scalar(subtype)) => Entity::Type(subtype),
                Used::Form(Form::Array { index, element }) => Entity::ArrayType(index, element),
                Used::Task { .. } => {
                    self.outside(name.span, "a subtype of a task type", "use the task type itself");
                    Entity::Unknown
                }
                Used::Unknown => Entity::Unknown,
            },
        };
        self.declare(name, entity);
    }

    fn enumeration(&mut self, name: &Ident, literals: &[Ident]) {
        let names = literals.iter().map(|literal| std::sync::Arc::clone(&literal.text)).collect();
        let base = self.add_type(name, TypeKind::Enumeration(names));
        let whole = self.whole(base);
        if whole.count() > MAX_ELEMENTS {
            self.error(codes::TOO_LARGE, name.span, format!("`{}` has too many literals", name.text));
        }
        self.declare(name, Entity::Type(whole));
        for (position, literal) in (0..).zip(literals) {
            self.declare(literal, Entity::Constant(position, base));
        }
    }

    fn add_type(&mut self, name: &Ident, kind: TypeKind) -> TypeId {
        let id = TypeId::from_index(self.types.len());
        self.types.push(Type { name: std::sync::Arc::clone(&name.text), kind });
        id
    }

    fn not_empty(&mut self, low: i64, high: i64, span: Span) {
        if low > high {
            self.error(codes::OUT_OF_RANGE, span, format!("there is no value from {low} to {high}"));
        }
    }

    /// A type where a variable, parameter or task is declared.
    pub(super) fn type_use(&mut self, used: &TypeUse) -> Used {
        let (name, range, arguments) = match used {
            TypeUse::Array(array) => return self.array(array),
            TypeUse::Named { name, range, arguments } => (name, range, arguments),
        };
        let Some(entity) = self.lookup(name) else { return Used::Unknown };
        match entity {
            Entity::Type(_) if !arguments.is_empty() => {
                let message = format!("`{}` has no discriminants", name.text);
                self.error(codes::ARGUMENTS, name.span, message);
                Used::Unknown
            }
            Entity::Type(subtype) => match range {
                None => Used::Form(Form::Scalar(subtype)),
                Some(bounds) => self.constrained(subtype, &bounds.0, &bounds.1),
            },
            Entity::ArrayType(index, element) => Used::Form(Form::Array { index, element }),
            Entity::TaskType(unit) => {
                let discriminants = self.discriminants(unit, name, arguments);
                discriminants.map_or(Used::Unknown, |discriminants| Used::Task {
                    unit,
                    index: None,
                    discriminants,
                })
            }
            Entity::Unknown => Used::Unknown,
            Entity::Outside(advice) => {
                self.outside(name.span, &format!("the type `{}`", name.text), advice);
                Used::Unknown
            }
            other => {
                self.wrong_kind(name, other, "a type");
                Used::Unknown
            }
        }
    }

    fn constrained(&mut self, subtype: Subtype, low: &Expr, high: &Expr) -> Used {
        let span = low.span.to(high.span);
        let (low, high) = (self.static_of_type(low, subtype.base), self.static_of_type(high, subtype.base));
        let (Some(low), Some(high)) = (low, high) else { return Used::Unknown };
        if low <= high && !(subtype.contains(low) && subtype.contains(high)) {
            let message =
                format!("the range {low} .. {high} is not within {} .. {}", subtype.low, subtype.high);
            self.error(codes::OUT_OF_RANGE, span, message);
        }
        Used::Form(Form::Scalar(Subtype { low, high, ..subtype }))
    }

    fn array(&mut self, array: &ArrayType) -> Used {
        let index = self.static_range(&array.index);
        let element = self.type_use(&array.element);
        let Some(index) = index else { return Used::Unknown };
        if !self.is_small(index, array.span) {
            return Used::Unknown;
        }
        match element {
            Used::Form(Form::Scalar(element)) => Used::Form(Form::Array { index, element }),
            Used::Task { unit, index: None, discriminants } => {
                Used::Task { unit, index: Some(index), discriminants }
            }
            Used::Unknown => Used::Unknown,
            Used::Form(Form::Array { .. }) | Used::Task { .. } => {
                self.outside(
                    array.span,
                    "an array of arrays",
                    "use an array with one index, or several arrays",
                );
                Used::Unknown
            }
        }
    }

    /// Whether a range is small enough for an array or a family of entries; if not, that is said.
    pub(super) fn is_small(&mut self, index: Subtype, span: Span) -> bool {
        let is_small = index.count() <= MAX_ELEMENTS;
        if !is_small {
            let message = format!("there are {} indices, more than {MAX_ELEMENTS}", index.count());
            self.error_with_help(codes::TOO_LARGE, span, message, "use a smaller size");
        }
        is_small
    }

    fn discriminants(&mut self, unit: hir::UnitId, name: &Ident, arguments: &[Expr]) -> Option<Vec<i64>> {
        let formals = self.units[unit.index()].discriminants.clone();
        if formals.len() != arguments.len() {
            let message = format!(
                "`{}` has {} discriminants, and {} values are given",
                name.text,
                formals.len(),
                arguments.len()
            );
            self.error(codes::ARGUMENTS, name.span, message);
            return None;
        }
        let mut values = Vec::new();
        for (formal, argument) in formals.into_iter().zip(arguments) {
            let subtype = self.variables[formal.index()].form.element();
            let value = self.static_of_type(argument, subtype.base)?;
            if !subtype.contains(value) {
                let message = format!("{value} is not within {} .. {}", subtype.low, subtype.high);
                self.error(codes::OUT_OF_RANGE, argument.span, message);
            }
            values.push(value);
        }
        Some(values)
    }

    /// A range whose bounds are known: an index or a choice.
    pub(super) fn static_range(&mut self, range: &DiscreteRange) -> Option<Subtype> {
        let (low, high) = self.range(range)?;
        let base = if low.ty == UNIVERSAL { super::INTEGER } else { low.ty };
        let (low, high) = (self.known(&low)?, self.known(&high)?);
        (base != UNKNOWN).then_some(Subtype { base, low, high })
    }

    /// The least and the greatest value of a range. A single value is both.
    pub(super) fn range(&mut self, range: &DiscreteRange) -> Option<(hir::Expr, hir::Expr)> {
        match range {
            DiscreteRange::Range { subtype, low, high } => {
                let (mut low, mut high) = (self.expr(low), self.expr(high));
                if let Some(name) = subtype {
                    let Some(Entity::Type(named)) = self.lookup(name) else { return None };
                    self.expect_type(&low, named.base);
                    self.expect_type(&high, named.base);
                    (low.ty, high.ty) = (named.base, named.base);
                }
                let Some(ty) = self.unified(low.ty, high.ty) else {
                    self.mismatch(low.span.to(high.span), low.ty, high.ty);
                    return None;
                };
                (low.ty, high.ty) = (ty, ty);
                Some((low, high))
            }
            DiscreteRange::Expr(expr) => self.range_of_name(expr),
        }
    }

    /// The range that a type, an attribute `Range` or a single value stands for.
    fn range_of_name(&mut self, expr: &Expr) -> Option<(hir::Expr, hir::Expr)> {
        let literal = |value, ty| hir::Expr { kind: hir::ExprKind::Literal(value), ty, span: expr.span };
        let of = |subtype: Subtype| (literal(subtype.low, subtype.base), literal(subtype.high, subtype.base));
        match &expr.kind {
            ExprKind::Name(name) => {
                let name = &*self.without_packages(name);
                if let [part] = &name.parts[..]
                    && part.arguments.is_empty()
                    && let Some(Entity::Type(subtype)) = self.scopes.get(&part.ident.text)
                {
                    return Some(of(subtype));
                }
            }
            ExprKind::Attribute { prefix, attribute, .. } if &*attribute.text == "range" => {
                return self.bounds(prefix).map(of);
            }
            _ => {}
        }
        let value = self.expr(expr);
        (value.ty != UNKNOWN).then(|| (value.clone(), value))
    }

    /// An integer that is known before the program runs.
    pub(super) fn static_integer(&mut self, expr: &Expr) -> Option<i64> {
        let value = self.expr(expr);
        if !self.is_integer(value.ty) {
            self.mismatch(value.span, value.ty, UNIVERSAL);
            return None;
        }
        self.known(&value)
    }

    /// A value of a type that is known before the program runs.
    pub(super) fn static_of_type(&mut self, expr: &Expr, ty: TypeId) -> Option<i64> {
        let value = self.expr(expr);
        self.expect_type(&value, ty).then_some(())?;
        self.known(&value)
    }

    /// The value of an expression, if it is known.
    pub(super) fn known(&mut self, value: &hir::Expr) -> Option<i64> {
        match value.kind {
            hir::ExprKind::Literal(value) => Some(value),
            _ if value.ty == UNKNOWN => None,
            _ => {
                self.error_with_help(
                    codes::NOT_STATIC,
                    value.span,
                    "this value is not known before the program runs",
                    "use literals, named numbers and constants",
                );
                None
            }
        }
    }
}
