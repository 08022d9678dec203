//! Mistakes in packages and protected objects, and what of them can be seen from where.

use super::{check, check_body};

#[test]
fn a_package_is_seen_where_it_is_named() {
    check(
        "with B;
--   ^ E0611 the package `b` is not in this file
package A is
   Size : constant := 2;
   type Index is range 1 .. Size;
   function Twice (I : Index) return Index;
private
   Hidden : Index := 1;
end A;
package body A is
   function Twice (I : Index) return Index is
   begin
      if I = Hidden then return 1; end if;
      return 2;
   end Twice;
end A;
with A;
procedure Main is
   X : A.Index := A.Hidden;
--                ^^^^^^^^ E0611 `a.hidden` is not declared
   Y : Index;
--     ^^^^^ E0611 `index` is not declared
   package Inner is
      Z : A.Index := A.Size;
   end Inner;
   use Inner;
begin
   Z := A.Twice (Inner.Z);
   Inner.W := 1;
-- ^^^^^^^ E0611 `inner.w` is not declared
   A.Size.X := 1;
-- ^^^^^^^^ E0609 a name with dots
end Main;",
    );
}

#[test]
fn what_two_used_packages_declare_has_to_be_named() {
    check(
        "package A is X : Boolean := False; end A;
package B is X : Boolean := True; Y : Boolean := True; end B;
with A; use A; with B; use B;
procedure Main is
begin
   Y := A.X;
   X := Y;
-- ^ E0611 `x` is not declared
end Main;",
    );
}

#[test]
fn packages_have_bodies_and_an_order() {
    check(
        "with B; package A is X : Boolean := B.Y; end A;
--                                  ^^^ E0615 not known before the program runs
   with A;
package body B is
   procedure Go is begin A.X := Y; end Go;
end B;
package B is
   Y : Boolean := True;
   procedure Go;
   task T is entry E; end T;
--      ^ E0622 the task `b.t` has no body
end B;
package body C is end C;
--           ^ E0611 `c` has no specification
with A; with B;
procedure Main is begin B.Go; B.T.E; end Main;
--                            ^^^^^ E0623 no task accepts `e`",
    );
    check(
        "with B; package A is end A;
--              ^ E0611 the package `a` needs itself: a -> b -> a
with A; package B is end B;
procedure Main is begin null; end Main;",
    );
}

#[test]
fn names_of_events_are_never_ambiguous() {
    check(
        "package Pump is Start : Boolean := False; end Pump;
with Pump;
procedure Main is
   task Pump is entry Start; end Pump;
--      ^^^^ E0612 `pump` is declared twice
   task body Pump is begin accept Start; end Pump;
begin
   null;
end Main;",
    );
}

#[test]
fn protected_objects() {
    check_body(
        "   Limit : Integer := 2;
   protected Store is
      entry Put;
      procedure Clear;
   private
      Count : Integer range 0 .. 3 := 0;
   end Store;
   protected body Store is
      entry Put when Count < Limit is
--                   ^^^^^^^^^^^^^ E0609 a barrier that depends on more than the data
      begin
         Count := Count + 1;
      end Put;
      procedure Clear is
         Old : constant Integer := Count;
      begin
         if Old = 0 then return; end if;
         Count := 0;
      end Clear;
   end Store;
   protected Other is procedure Go; end Other;
   task body Other is begin null; end Other;
--           ^^^^^ E0613 `other` is a task here, and a protected object there",
        "   Store.Put;
   Count := 1;
-- ^^^^^ E0611 `count` is not declared",
    );
}
