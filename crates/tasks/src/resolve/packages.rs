//! Packages: those beside the main procedure, in an order in which each comes behind those that it needs, and those inside
//! of others.
//!
//! A package is a place for names. What it declares is shared by all tasks, as if the main procedure declared it, and its
//! tasks run beside all others. Tasks and variables of a package have its name before their own, as in `store.full`, so that
//! two packages may use the same names. All initial values are there before any task runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::Diagnostic;
use rely_syntax::nearest;

use super::Resolver;
use super::scope::Entity;
use crate::ast::{Context, Declaration, File, Ident, Package};
use crate::codes;

/// The first parts of the names of packages that come with Ada.
const PREDEFINED: &[&str] = &["ada", "system", "interfaces", "standard", "gnat"];

/// The most packages that may need one another in a row.
const MAX_CHAIN: usize = 256;

/// The specifications beside the main procedure, by name.
type Specifications<'a> = BTreeMap<&'a str, &'a (Context, Package)>;

impl<'a> Resolver<'a> {
    /// The packages beside the main procedure: specifications in an order in which each comes behind those that it names, then
    /// bodies, which need nothing but specifications.
    pub(super) fn library(&mut self, file: &'a File) {
        let mut specifications = Specifications::new();
        for unit in file.packages.iter().filter(|(_, package)| !package.is_body) {
            if let Some((_, before)) = specifications.get(&*unit.1.name.text) {
                self.declared_twice(&unit.1.name, before.name.span);
                continue;
            }
            specifications.insert(&unit.1.name.text, unit);
        }
        for (_, package) in specifications.values() {
            self.specification(&specifications, package, &mut Vec::new());
        }
        for (context, package) in file.packages.iter().filter(|(_, package)| package.is_body) {
            let specified = specifications.get(&*package.name.text);
            let Some(&id) = self.library.get(&package.name.text) else {
                self.undefined(&package.name, "has no specification");
                continue;
            };
            let contexts = specified.iter().map(|(context, _)| context).chain([context]);
            self.in_context(contexts, |resolver| {
                resolver.scopes.declare(
                    Arc::clone(&package.name.text),
                    package.name.span,
                    Entity::Package(id),
                );
                resolver.package(package);
            });
        }
    }

    /// Reads a specification, behind those that it needs.
    fn specification(
        &mut self,
        all: &Specifications<'a>,
        package: &'a Package,
        needed_by: &mut Vec<&'a str>,
    ) {
        let name: &'a str = &package.name.text;
        let Some((context, package)) = all.get(name).filter(|_| !self.library.contains_key(name)) else {
            return;
        };
        if needed_by.contains(&name) {
            let message = format!("the package `{name}` needs itself: {} -> {name}", needed_by.join(" -> "));
            let help =
                "write the `with` clause before the body, which may need what the specification must not";
            return self.error_with_help(codes::UNDEFINED, package.name.span, message, help);
        }
        if needed_by.len() == MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} packages need one another in a row");
            return self.error(codes::TOO_DEEP, package.name.span, message);
        }
        needed_by.push(name);
        for (needed, _) in context.iter().filter(|(_, is_use)| !is_use) {
            if let Some((_, needed)) = all.get(&*needed.text) {
                self.specification(all, needed, needed_by);
            }
        }
        needed_by.pop();
        self.in_context([context].into_iter(), |resolver| {
            resolver.package(package);
            if let Some(Entity::Package(id)) = resolver.scopes.get_here(name) {
                resolver.library.insert(Arc::clone(&package.name.text), id);
            }
        });
    }

    /// Does something where the packages of context clauses are known.
    pub(super) fn in_context<'c>(
        &mut self,
        contexts: impl Iterator<Item = &'c Context>,
        work: impl FnOnce(&mut Self),
    ) {
        self.scopes.open();
        self.context.clear();
        for (name, is_use) in contexts.flatten() {
            self.context.push((Arc::clone(&name.text), *is_use));
            match self.library.get(&name.text) {
                Some(&id) if *is_use && self.scopes.get_here(&name.text).is_some() => {
                    self.scopes.make_visible(id);
                }
                Some(&id) if !is_use => {
                    self.scopes.declare(Arc::clone(&name.text), name.span, Entity::Package(id));
                }
                _ => self.not_here(name, *is_use),
            }
        }
        work(self);
        self.scopes.close();
    }

    /// A context clause that names no package of the file, unless it comes with Ada.
    fn not_here(&mut self, name: &Ident, is_use: bool) {
        let root = name.text.split('.').next().unwrap_or_default();
        if PREDEFINED.contains(&root) {
            return;
        }
        let message = match is_use && self.library.contains_key(&name.text) {
            true => format!("`use {}` needs `with {}` before it", name.text, name.text),
            // What is wrong with it has been said.
            false if self.file.packages.iter().any(|(_, package)| package.name.text == name.text) => {
                self.scopes.declare(Arc::clone(&name.text), name.span, Entity::Unknown);
                return;
            }
            false => format!("the package `{}` is not in this file", name.text),
        };
        let mut diagnostic = Diagnostic::error(codes::UNDEFINED, name.span, message);
        diagnostic = match nearest(&name.text, self.library.keys().map(|name| &**name)) {
            Some(meant) if *meant != *name.text => diagnostic.did_you_mean(meant),
            _ => diagnostic.with_help(
                "write its specification and its body before the main procedure: `cat *.ads *.adb > all.ada` puts a program into \
                 one file, and `gnatchop` takes it apart again",
            ),
        };
        self.report(diagnostic);
    }

    /// The specification or the body of a package.
    pub(super) fn package(&mut self, package: &Package) {
        match package.is_body {
            false => {
                self.scopes.open();
                let inside = |resolver: &mut Self| {
                    resolver.shared_declarations(&package.declarations);
                    let visible = resolver.scopes.visible();
                    resolver.shared_declarations(&package.private);
                    visible
                };
                let visible = self.within(&package.name, inside);
                let id = self.scopes.close_package(visible);
                self.claim_name(&package.name);
                self.declare(&package.name, Entity::Package(id));
            }
            true => self.package_body(package),
        }
    }

    fn package_body(&mut self, package: &Package) {
        let id = match self.scopes.get_here(&package.name.text) {
            Some(Entity::Package(id)) => id,
            Some(other) => return self.wrong_kind(&package.name, other, "a package"),
            None => return self.undefined(&package.name, "has no specification in this declarative part"),
        };
        if !self.has_package_body.insert(id) {
            let message = format!("the package `{}` has two bodies", package.name.text);
            return self.error(codes::DUPLICATE, package.name.span, message);
        }
        self.scopes.reopen(id);
        self.within(&package.name, |resolver| resolver.shared_declarations(&package.declarations));
        self.scopes.close();
    }

    /// Does something where what is declared belongs to a package.
    fn within<T>(&mut self, package: &Ident, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.prefix.len();
        self.prefix += &format!("{}.", package.text);
        let done = work(self);
        self.prefix.truncate(length);
        done
    }

    /// Declarations of a package or of the main procedure, all of which are shared.
    pub(super) fn shared_declarations(&mut self, declarations: &[Declaration]) {
        let depth = std::mem::replace(&mut self.shared_depth, self.scopes.depth());
        let locals = self.declarations(declarations);
        debug_assert!(locals.is_empty(), "what the main procedure or a package declares is shared");
        self.shared_depth = depth;
    }

    /// A `use` clause among declarations.
    pub(super) fn use_clause(&mut self, name: &Ident) {
        match self.scopes.get(&name.text) {
            Some(Entity::Package(id)) => self.scopes.make_visible(id),
            Some(other) => self.wrong_kind(name, other, "a package"),
            None if self.context.iter().any(|(with, _)| *with == name.text) => {}
            None => self.not_here(name, true),
        }
    }

    /// A name with the packages that it belongs to before it.
    pub(super) fn qualified(&self, name: &Ident) -> Ident {
        match self.prefix.is_empty() {
            true => name.clone(),
            false => Ident { text: format!("{}{}", self.prefix, name.text).into(), span: name.span },
        }
    }

    /// The names of packages, tasks and shared variables are parts of the names of events, so that no two of them may be the
    /// same, even where Ada lets one hide the other.
    pub(super) fn claim_name(&mut self, name: &Ident) {
        let full = self.qualified(name);
        if let Some(&before) = self.claimed.get(&full.text)
            && before != full.span
        {
            self.declared_twice(name, before);
        }
        self.claimed.insert(full.text, full.span);
    }
}
