//! Declarations: objects, types, tasks and subprograms.

use super::expressions::{discrete_range, expr, range};
use super::statements::{statement, statements};
use super::{P, dotted, end_name, ident, outside, semicolon, skip_past_semicolon};
use crate::ast::{
    ArrayType, Declaration, Entry, Ident, Object, Package, Parameter, Subprogram, TaskBody, TaskSpec,
    TypeDeclaration, TypeDefinition, TypeUse,
};
use crate::kind::Token::{self, *};

/// Declarations up to `begin`, `end` or something that is no declaration.
pub(super) fn declarations(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Vec<Declaration> {
    let mut all = Vec::new();
    loop {
        let start = p.span(0);
        let declared = declared_name(p);
        let declaration = match p.current() {
            Begin | End | EndOfText | Private => return all,
            Name => object(p).map(Declaration::Object),
            Type | Subtype => type_declaration(p).map(Declaration::Type),
            Task => task(p, unread),
            Procedure | Function => subprogram(p, unread).map(Declaration::Subprogram),
            Package => package(p, unread).map(Declaration::Package),
            Protected => super::protected::protected(p, unread),
            Use => {
                p.bump();
                if p.eat(Type) {
                    skip_past_semicolon(p);
                    continue;
                }
                let name = dotted(p);
                name.filter(|_| semicolon(p)).map(Declaration::Use)
            }
            Pragma => {
                all.extend(atomic(p).map(Declaration::Atomic));
                pragma(p);
                continue;
            }
            kind => {
                refuse(p, kind);
                unread.extend(declared);
                continue;
            }
        };
        match declaration {
            Some(declaration) => all.push(declaration),
            None => {
                unread.extend(declared);
                recover(p, start.start);
            }
        }
    }
}

/// The name that the declaration at the next token declares, as far as that can be seen.
fn declared_name(p: &P<'_>) -> Option<Ident> {
    let at = (0..4).find(|&n| p.nth(n) == Name)?;
    Some(Ident { text: p.text(at).to_lowercase().into(), span: p.span(at) })
}

/// Reads to a place where a declaration may begin.
fn recover(p: &mut P<'_>, start: u32) {
    let mut is_first = p.span(0).start == start;
    while !p.at(EndOfText) {
        let begins = matches!(
            p.current(),
            Begin | Task | Protected | Package | Procedure | Function | Type | Subtype | Pragma
        );
        if begins && !is_first {
            break;
        }
        is_first = false;
        if p.eat(Semicolon) {
            break;
        }
        p.bump();
    }
    p.forget_reported();
}

/// What is Ada and outside of the subset, or no declaration at all.
fn refuse(p: &mut P<'_>, kind: Token) {
    match kind {
        Generic => outside(p, "a generic unit", "write it out for each type that it is used with"),
        For => outside(p, "a representation clause", "leave it out: it does not change the behaviour"),
        Entry => outside(p, "an entry outside of a task", "declare it between `task T is` and `end T;`"),
        _ => {
            p.expected("a declaration or `begin`");
            skip_past_semicolon(p);
        }
    }
}

/// A pragma. One that marks an event among statements gives its name.
pub(super) fn pragma(p: &mut P<'_>) -> Option<Ident> {
    p.bump();
    let is_mark = p.text(0).eq_ignore_ascii_case("annotate")
        && p.nth(1) == Open
        && p.text(2).eq_ignore_ascii_case("rely")
        && p.text(4).eq_ignore_ascii_case("event");
    if is_mark && p.nth(6) == Text && p.nth(7) == Close && p.nth(8) == Semicolon {
        let name = Ident { text: p.text(6).trim_matches('"').into(), span: p.span(6) };
        skip_past_semicolon(p);
        return Some(name);
    }
    if is_mark {
        p.error_with_help(
            crate::codes::EVENT,
            "this mark names no event",
            "write `pragma Annotate (Rely, Event, \"name\");`",
        );
    }
    skip_past_semicolon(p);
    None
}

fn object(p: &mut P<'_>) -> Option<Object> {
    let mut names = vec![ident(p)?];
    while p.eat(Comma) {
        names.push(ident(p)?);
    }
    if !p.expect(Colon) {
        return None;
    }
    let is_aliased = p.at(Aliased);
    if is_aliased {
        p.bump();
    }
    let constant = p.eat(Constant);
    let subtype = if p.at(Becomes) { None } else { Some(type_use(p)?) };
    if subtype.is_none() && !constant {
        p.expected("a type");
        return None;
    }
    let value = p.eat(Becomes).then(|| expr(p));
    let mut is_atomic = false;
    if p.eat(With) {
        // Other aspects do not change the behaviour.
        while !p.at(Semicolon) && !p.at(EndOfText) {
            is_atomic |= is_atomicity(p.text(0));
            p.bump();
        }
    }
    semicolon(p).then_some(Object { names, constant, subtype, value, is_atomic })
}

/// Whether a pragma or aspect makes accesses of several tasks one after the other.
fn is_atomicity(name: &str) -> bool {
    name.eq_ignore_ascii_case("atomic") || name.eq_ignore_ascii_case("atomic_components")
}

/// The object of a pragma that makes it atomic, if the next tokens are one.
fn atomic(p: &P<'_>) -> Option<Ident> {
    let is_atomic = is_atomicity(p.text(1)) && p.nth(2) == Open && p.nth(3) == Name && p.nth(4) == Close;
    is_atomic.then(|| Ident { text: p.text(3).to_lowercase().into(), span: p.span(3) })
}

fn type_declaration(p: &mut P<'_>) -> Option<TypeDeclaration> {
    let is_subtype = p.at(Subtype);
    p.bump();
    let name = ident(p)?;
    if !p.expect(Is) {
        return None;
    }
    let definition = if is_subtype { TypeDefinition::Subtype(type_use(p)?) } else { type_definition(p)? };
    if p.at(With) {
        // Aspects do not change the behaviour.
        skip_past_semicolon(p);
        return Some(TypeDeclaration { name, definition });
    }
    semicolon(p).then_some(TypeDeclaration { name, definition })
}

fn type_definition(p: &mut P<'_>) -> Option<TypeDefinition> {
    match p.current() {
        Open => {
            p.bump();
            let mut literals = vec![ident(p)?];
            while p.eat(Comma) {
                literals.push(ident(p)?);
            }
            p.expect(Close).then_some(TypeDefinition::Enumeration(literals))
        }
        Range => {
            p.bump();
            range(p).map(Box::new).map(TypeDefinition::Range)
        }
        Mod => {
            p.bump();
            Some(TypeDefinition::Modular(Box::new(expr(p))))
        }
        Array => array(p).map(Box::new).map(TypeDefinition::Array),
        New => {
            p.bump();
            type_use(p).map(TypeDefinition::Derived)
        }
        Access | Record | Tagged | Limited | Digits | Delta | Abstract | Interface | Null | Private => {
            let what = format!("a type with `{}`", p.text(0).to_lowercase());
            let advice = match p.current() {
                Access => "use an array and an index",
                Record | Tagged | Limited | Null => "use one variable for each component",
                Digits | Delta => "use an integer type with a small range",
                Private => "write out what the type is",
                _ => "use enumeration, integer, modular and array types",
            };
            let span = p.span(0);
            super::outside_at(p, span, &what, advice);
            if p.at(Record) || p.nth(1) == Record {
                while !(p.at(EndOfText) || p.at(End) && p.nth(1) == Record) {
                    p.bump();
                }
            }
            None
        }
        _ => {
            p.expected("`(`, `range`, `mod`, `array` or `new`");
            None
        }
    }
}

fn array(p: &mut P<'_>) -> Option<ArrayType> {
    let start = p.span(0);
    p.bump();
    if !p.expect(Open) {
        return None;
    }
    let index = discrete_range(p)?;
    if p.at(Comma) || p.at(Range) {
        let what = if p.at(Comma) { "an array with several indices" } else { "an array without bounds" };
        let span = p.span(0);
        super::outside_at(p, span, what, "use an array with one index and fixed bounds");
        return None;
    }
    if !p.expect(Close) || !p.expect(Of) {
        return None;
    }
    let element = type_use(p)?;
    Some(ArrayType { index, element, span: start.to(p.previous_span()) })
}

/// A type where it is used.
pub(super) fn type_use(p: &mut P<'_>) -> Option<TypeUse> {
    match p.current() {
        Array => return array(p).map(|array| TypeUse::Array(Box::new(array))),
        Access | Not => {
            let span = p.span(0);
            super::outside_at(p, span, "a pointer", "use an array and an index");
            return None;
        }
        _ => {}
    }
    let name = dotted(p)?;
    if p.eat(Range) {
        let range = Some(Box::new(range(p)?));
        return Some(TypeUse::Named { name, range, arguments: Vec::new() });
    }
    let mut arguments = Vec::new();
    if p.eat(Open) {
        loop {
            arguments.push(expr(p));
            if !p.eat(Comma) {
                break;
            }
        }
        if !p.expect(Close) {
            return None;
        }
    }
    Some(TypeUse::Named { name, range: None, arguments })
}

/// `(A, B : in out T; C : U)`, if there is a list at all.
pub(super) fn parameters(p: &mut P<'_>) -> Option<Vec<Parameter>> {
    let mut all = Vec::new();
    if !p.eat(Open) {
        return Some(all);
    }
    loop {
        let mut names = vec![ident(p)?];
        while p.eat(Comma) {
            names.push(ident(p)?);
        }
        if !p.expect(Colon) {
            return None;
        }
        let is_in = p.eat(In);
        let is_out = p.eat(Out);
        let subtype = type_use(p)?;
        if p.at(Becomes) {
            let span = p.span(0);
            super::outside_at(p, span, "a default for a parameter", "write the value in each call");
            return None;
        }
        let parameter = |name| Parameter { name, is_in: is_in || !is_out, is_out, subtype: subtype.clone() };
        all.extend(names.into_iter().map(parameter));
        if !p.eat(Semicolon) {
            break;
        }
    }
    p.expect(Close).then_some(all)
}

fn task(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Declaration> {
    p.bump();
    if p.eat(Body) {
        return task_body(p, unread).map(Declaration::TaskBody);
    }
    let is_type = p.eat(Type);
    let name = ident(p)?;
    let discriminants = if is_type { parameters(p)? } else { Vec::new() };
    let mut spec = TaskSpec { name, is_type, discriminants, entries: Vec::new(), private: None };
    if p.eat(Semicolon) {
        return Some(Declaration::Task(spec));
    }
    if !p.expect(Is) {
        return None;
    }
    loop {
        match p.current() {
            Entry => match entry(p) {
                Some(entry) => spec.entries.push(entry),
                None => skip_past_semicolon(p),
            },
            Pragma => {
                pragma(p);
            }
            End => break,
            _ => {
                p.expected("`entry` or `end`");
                return None;
            }
        }
    }
    p.bump();
    end_name(p, &spec.name);
    semicolon(p).then_some(Declaration::Task(spec))
}

/// The declaration of an entry.
pub(super) fn entry(p: &mut P<'_>) -> Option<Entry> {
    p.bump();
    let name = ident(p)?;
    // A list of parameters begins with names and a colon; everything else in parentheses is the index of a family.
    let is_family = p.at(Open) && !(p.nth(1) == Name && matches!(p.nth(2), Colon | Comma));
    let mut family = None;
    if is_family {
        p.bump();
        family = Some(discrete_range(p)?);
        if !p.expect(Close) {
            return None;
        }
    }
    let parameters = parameters(p)?;
    semicolon(p).then_some(Entry { name, family, parameters })
}

fn task_body(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<TaskBody> {
    let name = ident(p)?;
    if !p.expect(Is) {
        return None;
    }
    let (declarations, statements) = body(p, unread)?;
    let end = p.previous_span();
    end_name(p, &name);
    semicolon(p);
    Some(TaskBody { name, is_protected: false, declarations, statements, end })
}

/// Declarations, `begin`, statements, `end`.
pub(super) fn body(
    p: &mut P<'_>,
    unread: &mut Vec<Ident>,
) -> Option<(Vec<Declaration>, Vec<crate::ast::Stmt>)> {
    let declarations = declarations(p, unread);
    if !p.expect(Begin) {
        return None;
    }
    let statements = statements(p, unread, &[]);
    if p.at(Exception) {
        outside_handlers(p, unread);
    }
    p.expect(End);
    Some((declarations, statements))
}

/// Exception handlers are read and refused.
fn outside_handlers(p: &mut P<'_>, unread: &mut Vec<Ident>) {
    let span = p.span(0);
    super::outside_at(
        p,
        span,
        "an exception handler",
        "leave it out: an exception is found as an error of the program",
    );
    p.bump();
    while p.at(When) {
        while !p.at(Arrow) && !p.at(EndOfText) {
            p.bump();
        }
        p.bump();
        while !matches!(p.current(), When | End | EndOfText) {
            if statement(p, unread).is_none() {
                skip_past_semicolon(p);
            }
        }
    }
    p.forget_reported();
}

/// The specification or the body of a package.
pub(super) fn package(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Package> {
    p.bump();
    let is_body = p.eat(Body);
    let name = dotted(p)?;
    if name.text.contains('.') {
        super::outside_at(
            p,
            name.span,
            "a child package",
            "nest it in its parent, or give it a name without dots",
        );
        // It is read all the same, for the mistakes in it.
    }
    if p.eat(Renames) || p.at(Is) && matches!(p.nth(1), New | Separate) {
        let advice = "write the package out, with a specification and a body";
        super::outside_at(p, name.span, "a package that stands for another one", advice);
        return None;
    }
    if !p.expect(Is) {
        return None;
    }
    if !p.enter() {
        p.error(crate::codes::TOO_DEEP, "this is nested too deeply");
        return None;
    }
    let mut package = Package { name, is_body, declarations: declarations(p, unread), private: Vec::new() };
    if !is_body && p.eat(Private) {
        package.private = declarations(p, unread);
    }
    p.leave();
    if p.at(Begin) {
        let span = p.span(0);
        let advice = "give the variables initial values, or begin the main procedure with these statements";
        super::outside_at(p, span, "statements of a package", advice);
        p.bump();
        statements(p, unread, &[]);
    }
    p.expect(End);
    end_name(p, &package.name);
    semicolon(p).then_some(package)
}

/// A procedure or function, with or without body.
pub(super) fn subprogram(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Subprogram> {
    let is_function = p.at(Function);
    p.bump();
    let name = ident(p)?;
    let parameters = parameters(p)?;
    let mut result = None;
    if is_function {
        if !p.expect(Return) {
            return None;
        }
        result = Some(type_use(p)?);
    }
    if p.eat(Semicolon) {
        let end = name.span;
        return Some(Subprogram { name, parameters, result, body: None, end });
    }
    if !p.expect(Is) {
        return None;
    }
    if matches!(p.current(), New | Separate | Abstract | Open) {
        let span = p.span(0);
        super::outside_at(p, span, "this form of a subprogram", "write its body out");
        return None;
    }
    if !p.enter() {
        p.error(crate::codes::TOO_DEEP, "this is nested too deeply");
        return None;
    }
    let body = body(p, unread);
    p.leave();
    let end = p.previous_span();
    end_name(p, &name);
    semicolon(p);
    Some(Subprogram { name, parameters, result, body: Some(body?), end })
}
