//! Actions of properties that no process has.

use rely_base::Budget;

use rely_model::Watched;

use crate::{Elaborator, parse};

/// The properties of a target with the actions that no process has, as text.
fn unowned(target: &str, text: &str) -> Vec<String> {
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &|_| Err("no imports".into()), Budget::UNLIMITED);
    let target = elaborator.target(target).unwrap_or_else(|error| panic!("{error:?}"));
    let shown = |watched: &Watched| format!("{}: {}", watched.property, watched.actions.join(" "));
    target.unowned_actions().iter().map(shown).collect()
}

const MODEL: &str = "
    P = (commit -> abort -> P).
    property GOOD = (commit -> abort -> GOOD).
    property BAD = (comit -> abort -> BAD).
    constraint C = [](abbort -> !commit)
    ltl_property L = [](abort -> !comit)
    ||PLAIN = (P || GOOD).
    ||S = (P || GOOD || BAD).
    ||NESTED = (S).
    ||COPIES = (x:S || y:P).
    ||HIDING = (P || BAD)@{commit}.
    ||OUTER = (HIDING || GOOD).
    ||LATE = (HIDDEN || Q).
    ||HIDDEN = (P || BAD)\\{commit}.
    Q = (comit -> Q).
    ||RENAMED = (S/{z/commit, z/abort}).
    ||FORMULAS = (P || C || L).
    property ||MADE = (Q).
    ||WITH_MADE = (P || MADE).
";

#[test]
fn what_no_process_has_is_found() {
    assert_eq!(unowned("PLAIN", MODEL), [""; 0]);
    assert_eq!(unowned("S", MODEL), ["BAD: comit"]);
    assert_eq!(unowned("NESTED", MODEL), ["S.BAD: comit"]);
    assert_eq!(unowned("COPIES", MODEL), ["x:S.BAD: x.comit"]);
    assert_eq!(unowned("FORMULAS", MODEL), ["C: abbort", "L: comit"]);
    assert_eq!(unowned("WITH_MADE", MODEL), ["MADE: comit"]);
}

#[test]
fn parts_that_are_built_first_remember() {
    assert_eq!(unowned("HIDING", MODEL), ["BAD: comit"]);
    // The action is hidden, so that no component outside can have it.
    assert_eq!(unowned("OUTER", MODEL), ["BAD: comit", "GOOD: abort"]);
    // A process outside has it.
    assert_eq!(unowned("LATE", MODEL), [""; 0]);
    // The relabelling joins two actions, so that the composite is built.
    assert_eq!(unowned("RENAMED", MODEL), ["S.BAD: comit"]);
}
