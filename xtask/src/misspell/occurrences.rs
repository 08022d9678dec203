//! Where a text names actions in what is to be checked: properties, formulas, fluents and progress properties.

use rely_base::Span;
use rely_fsp::ast::{
    Body, BodyKind, Definition, Domain, File, Formula, FormulaKind, LabelExpr, LabelPart, LabelPartKind,
    Name, Relabel, SetBase, SetExpr,
};

/// A name of an action, or a part of one.
pub(super) struct Occurrence {
    pub(super) name: String,
    /// The bytes of the text from the first up to, not including, the second.
    pub(super) bytes: (usize, usize),
    /// The name of the definition that it is in.
    pub(super) definition: String,
}

/// All occurrences in a file, in order.
pub(super) fn occurrences(file: &File) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for definition in &file.definitions {
        let (name, labels) = match definition {
            Definition::Process(def) if def.modifiers.property => {
                let mut labels = Vec::new();
                def.locals.iter().for_each(|local| of_body(&local.body, &mut labels));
                def.extension.iter().for_each(|set| of_set(set, &mut labels));
                def.relabels.iter().for_each(|relabel| of_relabel(relabel, &mut labels));
                (&def.name, labels)
            }
            Definition::Assert(def) => {
                let mut labels = Vec::new();
                of_formula(&def.formula, &mut labels);
                def.extension.iter().for_each(|set| of_set(set, &mut labels));
                (&def.name, labels)
            }
            Definition::Fluent(def) => {
                let mut labels = Vec::new();
                [&def.on, &def.off].into_iter().for_each(|label| of_label(label, &mut labels));
                (&def.name, labels)
            }
            Definition::Progress(def) => {
                let mut labels = Vec::new();
                def.condition.iter().chain([&def.actions]).for_each(|label| of_label(label, &mut labels));
                (&def.name, labels)
            }
            _ => continue,
        };
        all.extend(labels.into_iter().map(|Name { text, span }| Occurrence {
            name: text.to_string(),
            bytes: bytes(*span),
            definition: name.text.to_string(),
        }));
    }
    all.sort_by_key(|occurrence| occurrence.bytes);
    all
}

fn bytes(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

fn of_body<'a>(body: &'a Body, names: &mut Vec<&'a Name>) {
    match &body.kind {
        BodyKind::Goto { .. } => {}
        BodyKind::If { then, otherwise, .. } => {
            of_body(then, names);
            otherwise.iter().for_each(|otherwise| of_body(otherwise, names));
        }
        BodyKind::Choice(branches) => {
            for branch in branches {
                branch.prefixes.iter().for_each(|label| of_label(label, names));
                of_body(&branch.body, names);
            }
        }
    }
}

fn of_formula<'a>(formula: &'a Formula, names: &mut Vec<&'a Name>) {
    match &formula.kind {
        FormulaKind::Unary(_, operand) => of_formula(operand, names),
        FormulaKind::Binary(_, left, right) => {
            of_formula(left, names);
            of_formula(right, names);
        }
        FormulaKind::Quantified { indices, body, .. } => {
            indices.iter().for_each(|part| of_part(part, names));
            of_formula(body, names);
        }
        FormulaKind::Action(label) => of_label(label, names),
        FormulaKind::Named { .. } | FormulaKind::Rigid(_) => {}
    }
}

fn of_relabel<'a>(relabel: &'a Relabel, names: &mut Vec<&'a Name>) {
    match relabel {
        Relabel::Pair { new, old } => {
            of_label(new, names);
            of_label(old, names);
        }
        Relabel::Forall { relabels, .. } => relabels.iter().for_each(|relabel| of_relabel(relabel, names)),
    }
}

fn of_label<'a>(label: &'a LabelExpr, names: &mut Vec<&'a Name>) {
    label.parts.iter().for_each(|part| of_part(part, names));
}

fn of_part<'a>(part: &'a LabelPart, names: &mut Vec<&'a Name>) {
    match &part.kind {
        LabelPartKind::Name(name) => names.push(name),
        LabelPartKind::Set(set) => of_set(set, names),
        LabelPartKind::Index(domain) | LabelPartKind::Bind(_, domain) => {
            if let Domain::Set(set) = domain {
                of_set(set, names);
            }
        }
    }
}

fn of_set<'a>(set: &'a SetExpr, names: &mut Vec<&'a Name>) {
    if let SetBase::Literal(labels) = &set.base {
        labels.iter().for_each(|label| of_label(label, names));
    }
    set.minus.iter().for_each(|minus| of_set(minus, names));
}
