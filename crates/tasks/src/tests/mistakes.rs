//! Mistakes of each kind, with carets below them; after a mistake, reading goes on.

use super::{check, check_body};

#[test]
fn tokens() {
    check_body(
        "   X : Integer := 9999999999;
   --             ^^^^^^^^^^ E0604 too large
   Y : Integer := 2 $ 3;
   --               ^ E0601 no meaning
   --                 ^ E0606 expected `;`
   Z : Integer := 0;",
        "   Put_Line (\"open);
   --        ^^^^^^^ E0605 not closed",
    );
}

#[test]
fn every_statement_is_read() {
    check_body(
        "   X : Boolean := False;",
        "   X := True
   --   ^^^^ E0606 expected `;` behind `True`
   X := False;
   if X them
   --   ^^^^ E0606 expected `then`
      null;
   end if;
   X := ;
   --   ^ E0606 expected an expression
   while X loop exit; end loop;",
    );
}

#[test]
fn ends_have_the_right_names() {
    check(
        "procedure Main is
   task A;
   task body A is begin null; end B;
--                                ^ E0607 `a` ends here, not `b`
begin
   null;
end Maine;
--  ^^^^^ E0607 `main` ends here",
    );
}

#[test]
fn what_is_outside_of_the_subset_is_named() {
    check_body(
        "type P is access Integer;
--        ^^^^^^ E0609 a type with `access`
F : Float := 0.5;
--  ^^^^^ E0609 the type `float`
--           ^^^ E0609 real number
   protected Q is function Go return Integer; end Q;
--                ^^^^^^^^ E0609 a function of a protected object
task type T is entry E; end T;
task body T is
   task Inner;
--      ^^^^^ E0609 a task inside of another unit
begin
   accept E do requeue E; end E;
--             ^^^^^^^ E0609 `requeue`
   if E'Count > 0 then abort T; end if;
--    ^^^^^^^ E0609 the attribute `count`
--                     ^^^^^ E0609 `abort`
   exception
-- ^^^^^^^^^ E0609 an exception handler
   when others => null;
end T;",
        "   raise Program_Error;
-- ^^^^^ E0609 `raise`",
    );
}

#[test]
fn a_file_has_one_main_procedure() {
    check("   use Ada.Text_IO;\n--                 ^ E0610 there is no main procedure");
    check(
        "   generic package P is
-- ^^^^^^^ E0609 a generic, private or separate library unit
X : Integer;
end P;
procedure Main is begin null; end Main;",
    );
}

#[test]
fn names() {
    check_body(
        "   Count : Integer := 0;
   count : Integer := 1;
-- ^^^^^ E0612 `count` is declared twice
   Next : Integer := Next + 1;
--                   ^^^^ E0613 `next` is what is being declared here, not a value",
        "   Cuont := 1;
-- ^^^^^ E0611 `cuont` is not declared
   Count := Integer;
--          ^^^^^^^ E0613 `integer` is a type, not a value
   Main;
-- ^^^^ E0613 `main` is the main procedure, not a procedure",
    );
}

#[test]
fn types() {
    check_body(
        "type Floor is range 1 .. 3;
type Level is range 1 .. 3;
F : Floor := 1; L : Level := 4;
--                           ^ E0616 4 is not within 1 .. 3
B : Boolean := 1;
--             ^ E0614 this is an integer, but `boolean` is needed
A : array (1 .. 2) of Boolean := (True, False, True);
--                               ^^^^^^^^^^^^^^^^^^^ E0621 a value too many
N : Integer := 1;
C : array (1 .. N) of Boolean;
--              ^ E0615 not known before the program runs",
        "F := L;
--   ^ E0614 this is `level`, but `floor` is needed
F := Floor (L) + 1;
if F then null; end if;
-- ^ E0614 this is `floor`, but `boolean` is needed
B := A;
--   ^ E0614 `a` is an array
B := not A (3);
--          ^ E0616 3 is not within 1 .. 2
N := 1 / 0;
--   ^^^^^ E0628 no value",
    );
}

#[test]
fn choices() {
    check_body(
        "type Color is (Red, Green, Blue); C : Color := Red;",
        "   case C is
-- ^^^^^^ E0621 no choice covers the value blue
   when Red => null;
   when Red | Green => null;
-- ^^^^^^^^^^^^^^^^ E0621 the value red has two choices
   end case;",
    );
}

#[test]
fn tasks_and_entries() {
    check_body(
        "type Index is range 1 .. 2;
task S is
   entry Put (V : in Index);
   entry Fam (Index);
   entry Put;
--       ^^^ E0612 the entry `put` is declared twice
end S;
task body S is
   V : Index := 1;
begin
   accept Putt;
--        ^^^^ E0611 this task has no entry `putt`
   accept Put;
--        ^^^ E0617 the parameters of `put`
   accept Fam;
--        ^^^ E0617 a family of entries
   Put (V);
-- ^^^^^^^ E0629 the task calls its own entry
   return;
-- ^^^^^^^ E0620 a task has no `return`
   select accept Put (V : in Index); else null; or terminate; end select;
--                                              ^^ E0606 expected a statement
end S;
task Nobody;
--   ^^^^^^ E0622 the task `nobody` has no body",
        "   S.Put;
-- ^^^^^ E0617 `put` needs 1 argument, and 0 are given
   S.Put (3);
--        ^ E0616 3 is not within
   S.Get (1);
--   ^^^ E0611 the task `s` has no entry `get`
   accept Put (V : in Index);
-- ^^^^^^^^^^ E0620 outside of the body of a task",
    );
}

#[test]
fn a_shared_variable_begins_in_its_range() {
    let text = "procedure M is X : Integer range 0 .. 1 := 2; begin null; end M;";
    let resolved = crate::resolve(&crate::parse(text));
    assert!(resolved.program.is_none() && resolved.diagnostics[0].is_error(), "{:?}", resolved.diagnostics);
}
