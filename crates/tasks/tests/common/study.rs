//! The systems of the study: programs of a size, and processes and properties in FSP.

use rely_base::Budget;
use rely_fsp::Elaborator;
use rely_lts::{Component, Network};
use rely_model::Part;
use rely_tasks::{Exact, exact, parse, resolve};

/// The network of a program, of a size.
pub(crate) fn model(text: &str, constant: &str, size: i32) -> Exact {
    let mut parse = parse(text);
    assert_eq!(parse.diagnostics(), []);
    assert!(parse.define(constant, size), "there is no {constant}");
    let resolved = resolve(&parse);
    assert_eq!(resolved.diagnostics, []);
    exact(&resolved.program.expect("it has no errors"), &Budget::UNLIMITED).expect("there is no limit")
}

/// What is made of a text in FSP, given the values of constants.
fn elaborated<R>(text: &str, constants: &[(&str, i32)], then: impl Fn(&mut Elaborator<'_>) -> R) -> R {
    let mut parse = rely_fsp::parse(text);
    assert_eq!(parse.diagnostics(), []);
    for &(constant, value) in constants {
        assert!(parse.define(constant, value), "there is no {constant}");
    }
    let loader = |path: &str| Err(format!("{path} is not needed"));
    then(&mut Elaborator::new(parse.file(), &loader, Budget::UNLIMITED))
}

/// A composite of a text in FSP.
pub(crate) fn target(text: &str, constants: &[(&str, i32)], name: &str) -> Network {
    elaborated(text, constants, |elaborator| {
        elaborator.target(name).unwrap_or_else(|failure| panic!("{failure:?}")).behaviour
    })
}

/// The property processes of a text in FSP, in alphabetical order.
pub(crate) fn properties(text: &str, constants: &[(&str, i32)]) -> Vec<Component> {
    elaborated(text, constants, |elaborator| {
        let names = elaborator.target_names();
        let mut properties: Vec<Component> = Vec::new();
        for name in names {
            let target = elaborator.target(&name).unwrap_or_else(|failure| panic!("{failure:?}"));
            if target.parts.iter().all(Part::is_property) {
                properties.extend(target.behaviour.components().iter().cloned());
            }
        }
        properties
    })
}
