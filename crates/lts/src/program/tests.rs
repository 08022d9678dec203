//! What a builder accepts and refuses, and transition systems as units.

use rely_base::{Id, Label, StateId};

use super::{Array, Expression, ExpressionId, Fault, Outcome, ProgramBuilder, SlotId, Trigger, Values};
use crate::LtsBuilder;

#[test]
fn what_has_no_meaning_is_refused() {
    let refused = |write: fn(&mut ProgramBuilder)| {
        let mut program = ProgramBuilder::new();
        write(&mut program);
        program.build().expect_err("it has no meaning").0
    };
    let no_values = refused(|program| {
        program.slot("x", Values::Range(1, 0), 1);
    });
    assert_eq!(no_values, "x has no values");
    let bad_start = refused(|program| {
        program.slot("x", Values::Boolean, 2);
    });
    assert_eq!(bad_start, "x cannot start like that");
    let no_slot = refused(|program| {
        program.value(SlotId::from_raw(0));
    });
    assert_eq!(no_slot, "there is no SlotId(0)");
    let too_long = refused(|program| {
        let index = program.constant(0);
        program.element(Array { first: SlotId::from_raw(0), length: 1 }, index);
    });
    assert!(too_long.contains("too long"), "{too_long}");
    let circle = refused(|program| {
        let own = ExpressionId::from_raw(0);
        program.expression(Expression::If(own, own, own));
    });
    assert_eq!(circle, "expression 0 comes before its operand");
}

#[test]
fn equal_expressions_are_one_and_participants_are_known() {
    let mut program = ProgramBuilder::new();
    let x = program.slot("x", Values::Boolean, 0);
    let (first, second) = (program.is(x, 1), program.is(x, 1));
    assert_eq!(first, second);
    let units = ["A", "B"].map(|name| program.unit(name));
    let go = program.action("go");
    program.command(units[0], Trigger::Action(go), first);
    program.take_part(units[1], go);
    let program = program.build().expect("it has a meaning");
    assert_eq!(program.participants(go), units);
    assert_eq!(program.show(&[1], false), "x=true");
    assert_eq!(program.clone().into_builder().build(), Ok(program));
}

#[test]
fn a_transition_system_is_a_unit_that_fails_where_it_errs() {
    // property P = (a -> P).
    let mut lts = LtsBuilder::with_states(["a", "b"].into_iter().collect(), 1);
    let [a, b] = ["a", "b"].map(|name| Label::visible(lts.alphabet_mut().intern(name)));
    let error = lts.error_state();
    lts.add_transition(StateId::from_raw(0), a, StateId::from_raw(0));
    lts.add_transition(StateId::from_raw(0), b, error);
    let mut program = ProgramBuilder::new();
    let (unit, state) = program.component("P", &lts.build());
    let program = program.build().expect("it has a meaning");
    assert_eq!((unit.index(), state.index(), program.alphabet().len()), (0, 0, 2));
    let outcomes: Vec<Outcome> = program.units()[0].commands.iter().map(|command| command.outcome).collect();
    // The last one would be taken by a system that starts in its error state.
    assert_eq!(outcomes, [Outcome::Continue, Outcome::Fail, Outcome::Fail]);
}

#[test]
fn faults_name_the_variable() {
    let mut program = ProgramBuilder::new();
    let x = program.slot("x", Values::Boolean, 0);
    let program = program.build().expect("it has a meaning");
    assert_eq!(Fault::Range(x).describe(&program), "a value that `x` does not have");
    assert_eq!(Fault::Clash(x).describe(&program), "two different values for `x` in one step");
    assert_eq!(Fault::Index.describe(&program), "an index beyond the array");
}
