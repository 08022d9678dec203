//! What the tests of programs share.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod study;

use rely_base::Budget;
use rely_lts::operators::relabel;
use rely_lts::{Component, Network};
use rely_tasks::{Exact, exact, parse, resolve};

/// The program of a text, which has no mistakes.
#[track_caller]
pub(crate) fn program(text: &str) -> rely_tasks::hir::Program {
    let parse = parse(text);
    assert!(!parse.has_errors(), "{:#?}\n{text}", parse.diagnostics());
    let resolved = resolve(&parse);
    resolved.program.unwrap_or_else(|| panic!("{:#?}\n{text}", resolved.diagnostics))
}

/// The network of a text, which has no mistakes.
#[track_caller]
pub(crate) fn network(text: &str) -> Exact {
    exact(&program(text), &Budget::UNLIMITED).unwrap_or_else(|refused| panic!("{refused:?}"))
}

/// A text with a body for each of some tasks, given as `name: entries: statements`.
pub(crate) fn with_tasks(declarations: &str, tasks: &[(&str, &str, &str)], main: &str) -> String {
    let mut text = format!("procedure Main is\n{declarations}\n");
    for (name, entries, _) in tasks {
        match entries.is_empty() {
            true => text += &format!("task {name};\n"),
            false => text += &format!("task {name} is {entries} end {name};\n"),
        }
    }
    for (name, _, body) in tasks {
        text += &format!("task body {name} is begin {body} end {name};\n");
    }
    text + &format!("begin {main} end Main;\n")
}

/// The property process of a text in FSP.
pub(crate) fn property(text: &str) -> Component {
    let parse = rely_fsp::parse(text);
    let mut elaborator = rely_fsp::Elaborator::new(
        parse.file(),
        &|path: &str| Err(format!("{path} is not needed")),
        Budget::UNLIMITED,
    );
    let target = elaborator.default_targets().remove(0);
    let target = elaborator.target(&target).unwrap_or_else(|failure| panic!("{failure:?}"));
    target.behaviour.components()[0].clone()
}

/// The network with a property over the names of its events.
pub(crate) fn with_property(exact: &Exact, text: &str) -> Network {
    let property = property(text);
    let relabelling =
        exact.naming.relabelling(property.lts.alphabet().names()).expect("names mean different events");
    let lts = relabel(&property.lts, &relabelling);
    exact.network.clone().with_components([Component::new(property.name, lts)])
}
