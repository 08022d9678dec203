//! Where a text names actions in what is to be checked: properties, formulas, fluents, progress properties, and the sets that
//! only these use. A set that a process uses as well is part of the model, and a name in it is right by definition.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::Span;
use rely_fsp::ast::{
    Body, BodyKind, Definition, Domain, File, Formula, FormulaKind, LabelExpr, LabelPart, LabelPartKind,
    Name, Relabel, SetBase, SetDef, SetExpr,
};

/// A name of an action, or a part of one.
pub(super) struct Occurrence {
    pub(super) name: String,
    /// The bytes of the text from the first up to, not including, the second.
    pub(super) bytes: (usize, usize),
    /// The name of the definition that it is in.
    pub(super) definition: String,
}

/// All occurrences in a file with a text, in order.
pub(super) fn occurrences(file: &File, text: &str) -> Vec<Occurrence> {
    let users = users_of_sets(file, text);
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
            Definition::Set(def) => {
                let Some(&user) = users.get(&*def.name.text) else { continue };
                let mut labels = Vec::new();
                def.labels.iter().for_each(|label| of_label(label, &mut labels));
                (user, labels)
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

/// The sets that only definitions use which are checked, each with the first of these.
///
/// Who uses a set is read off the text: whoever has its name as a word between its own name and that of the next definition.
fn users_of_sets<'f>(file: &'f File, text: &str) -> BTreeMap<&'f str, &'f Name> {
    let is_checked = |definition: &Definition| match definition {
        Definition::Process(def) => def.modifiers.property,
        Definition::Assert(_) | Definition::Fluent(_) | Definition::Progress(_) => true,
        _ => false,
    };
    // A menu changes nothing.
    let is_meant = |definition: &&Definition| !matches!(definition, Definition::Menu(_));
    let mut definitions: Vec<&Definition> = file.definitions.iter().filter(is_meant).collect();
    definitions.sort_by_key(|definition| name_of(definition).span.start);
    let starts = || definitions.iter().map(|definition| bytes(name_of(definition).span).0);
    let ends = starts().skip(1).chain([text.len()]);
    let words: Vec<BTreeSet<&str>> =
        starts().zip(ends).map(|(start, end)| words(&text[start..end]).skip(1).collect()).collect();
    let mut users = BTreeMap::new();
    // A set may be used by another one, so it goes on until nothing changes.
    loop {
        let before = users.len();
        for definition in &definitions {
            let Definition::Set(SetDef { name: set, .. }) = definition else { continue };
            let using = || definitions.iter().zip(&words).filter(|(_, words)| words.contains(&*set.text));
            let user = |definition: &'f Definition| match is_checked(definition) {
                true => Some(name_of(definition)),
                false => users.get(&*name_of(definition).text).copied(),
            };
            let all: Option<Vec<&Name>> = using().map(|(definition, _)| user(definition)).collect();
            if let Some(first) = all.and_then(|all| all.first().copied()) {
                users.insert(&*set.text, first);
            }
        }
        if users.len() == before {
            return users;
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn name_of(definition: &Definition) -> &Name {
    match definition {
        Definition::Const(def) => &def.name,
        Definition::Range(def) => &def.name,
        Definition::Set(def) => &def.name,
        Definition::Process(def) => &def.name,
        Definition::Composite(def) => &def.name,
        Definition::Import(def) => &def.name,
        Definition::Progress(def) => &def.name,
        Definition::Menu(def) => &def.name,
        Definition::Animation(def) => &def.name,
        Definition::Fluent(def) => &def.name,
        Definition::Assert(def) => &def.name,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_misspelt_that_only_checked_definitions_use() {
        let text = "set Own = {a, b}\nset Deep = {c[1..2]}\nset Shared = {d}\nset Unused = {e}\n\
                    set Outer = {x.{Deep}}\nP = (d -> P) + Shared.\nproperty Q = (Own -> Q) + Shared.\n\
                    progress G = {Outer}\n||S = (P || Q).\n";
        let parsed = rely_fsp::parse(text);
        let found: Vec<(String, String)> = occurrences(parsed.file(), text)
            .into_iter()
            .map(|occurrence| (occurrence.name, occurrence.definition))
            .collect();
        let pair = |name: &str, definition: &str| (name.to_owned(), definition.to_owned());
        assert_eq!(found, [pair("a", "Q"), pair("b", "Q"), pair("c", "G"), pair("x", "G")]);
    }
}
