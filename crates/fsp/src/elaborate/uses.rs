//! Which composites are used inside others.
//!
//! **Problem.** A file declares its progress properties and assertions once, for its systems. A composite that is
//! only a part of a system may violate them although the model is right, so it is not a target unless it is named.
//!
//! **Idea.** Composites are the nodes of a graph; an edge says that the text of one names the other, directly or
//! through processes that run it in a sequence. The targets are the composites that no other composite leads to.
//! Circular composites lead to each other; they are mistakes, and stay targets unless something outside of the circle
//! leads to them, so that the mistake is found.
//!
//! Only the text counts: a composite that is named in a branch of `if` that no value of the constants selects is
//! still used. So the targets of a file do not depend on `--define`.
//!
//! **Complexity.** Linear in the text.

use std::sync::Arc;

use rely_base::Span;
use rustc_hash::FxHashSet;

use super::Elaborator;
use crate::ast::{Body, BodyKind, Composite, CompositeDef, CompositeKind, Instance, ProcessDef};

impl<'a> Elaborator<'a> {
    /// The composites that no other composite uses, in order.
    pub(super) fn outermost_composites(&self) -> Vec<&'a CompositeDef> {
        let composites = &self.definitions.composites;
        let used: FxHashSet<Arc<str>> =
            composites.iter().flat_map(|&composite| self.composites_below(&[composite], false)).collect();
        let is_outermost = |def: &&&'a CompositeDef| !used.contains(&def.name.text);
        let outermost: Vec<&'a CompositeDef> = composites.iter().filter(is_outermost).copied().collect();
        let reached = self.composites_below(&outermost, true);
        let is_target =
            |def: &&CompositeDef| !used.contains(&def.name.text) || !reached.contains(&def.name.text);
        composites.iter().copied().filter(is_target).collect()
    }

    /// The place of a composite and the name of a property process that is composed in it, directly or in another one.
    pub fn property_inside(&self, composite: &str) -> Option<(Span, String)> {
        let def = self.composite(composite).filter(|_| !self.is_primitive(composite))?;
        let mut names = calls_of_composite(&def.body);
        let mut seen = FxHashSet::default();
        while let Some(name) = names.pop() {
            if self.is_property(&name) {
                return Some((def.name.span, name.to_string()));
            }
            if seen.insert(Arc::clone(&name))
                && !self.is_primitive(&name)
                && let Some(inner) = self.composite(&name)
            {
                names.extend(calls_of_composite(&inner.body));
            }
        }
        None
    }

    /// The names of the composites that some composites lead to, through processes and, if `through_composites` is
    /// true, through other composites. A composite that leads only to itself is not included.
    fn composites_below(&self, from: &[&'a CompositeDef], through_composites: bool) -> FxHashSet<Arc<str>> {
        let mut below = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut names: Vec<Arc<str>> = Vec::new();
        for def in from {
            let own = &def.name.text;
            names.extend(calls_of_composite(&def.body).into_iter().filter(|name| name != own));
        }
        while let Some(name) = names.pop() {
            if !seen.insert(Arc::clone(&name)) {
                continue;
            }
            if let Some(&process) = self.definitions.processes.get(&name) {
                names.extend(calls_of_process(process));
            } else if !self.is_primitive(&name)
                && let Some(def) = self.composite(&name)
            {
                if through_composites {
                    names.extend(calls_of_composite(&def.body));
                }
                below.insert(name);
            }
        }
        below
    }
}

/// The names of the processes and composites that a composite is made of.
fn calls_of_composite(body: &Composite) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    let mut left = vec![body];
    while let Some(body) = left.pop() {
        match &body.kind {
            CompositeKind::If { then, otherwise, .. } => {
                left.push(then);
                left.extend(otherwise.as_deref());
            }
            CompositeKind::Forall { body, .. } => left.push(body),
            CompositeKind::Instance { of: Instance::Call(call), .. } => {
                names.push(Arc::clone(&call.name.text));
            }
            CompositeKind::Instance { of: Instance::Parallel(parts), .. } => left.extend(parts),
        }
    }
    names
}

/// The names of the processes that a process runs in sequences.
fn calls_of_process(process: &ProcessDef) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    let mut left: Vec<&Body> = process.locals.iter().map(|local| &local.body).collect();
    while let Some(body) = left.pop() {
        match &body.kind {
            BodyKind::Goto { sequence, .. } => {
                names.extend(sequence.iter().map(|call| Arc::clone(&call.name.text)));
            }
            BodyKind::If { then, otherwise, .. } => {
                left.push(then);
                left.extend(otherwise.as_deref());
            }
            BodyKind::Choice(branches) => left.extend(branches.iter().map(|branch| &branch.body)),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use rely_base::Budget;

    use crate::Elaborator;
    use crate::elaborate::tests::no_imports;
    use crate::parse;

    fn targets(text: &str) -> (String, String) {
        let parse = parse(text);
        let elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
        (elaborator.default_targets().join(" "), elaborator.all_composites().join(" "))
    }

    #[test]
    fn composites_inside_of_others_are_no_targets_by_default() {
        let model = "P = (a -> P).\n||A = (P).\n||B = (x:A || y:P).\n||C(N = 1) = if N then (forall[i:0..1] t[i]:B).\n||D = P.";
        assert_eq!(targets(model), ("C D".to_owned(), "A B C D".to_owned()));
        assert_eq!(targets("P = (a -> P).").0, "DEFAULT");
        // A process that runs a composite in a sequence uses it if the process is composed, and not otherwise.
        assert_eq!(targets("P = (a -> END).\n||A = P.\nQ = (b -> A; END).\n||S = Q.").0, "S");
        assert_eq!(targets("P = (a -> END).\n||A = P.\nQ = (b -> A; END).").0, "A");
    }

    #[test]
    fn composites_in_a_circle_stay_targets_unless_somebody_else_uses_them() {
        assert_eq!(targets("||A = (B). ||B = (A).").0, "A B");
        assert_eq!(targets("||A = (B). ||B = (A). ||C = (A).").0, "C");
        // A composite that uses itself with another parameter is not circular.
        assert_eq!(targets("P = (a -> P). ||A(N = 2) = if N > 0 then (P || A(N - 1)) else P.").0, "A");
    }
}
