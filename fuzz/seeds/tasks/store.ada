with Ada.Text_IO; use Ada.Text_IO;
package body Store is
   task body Keeper is
      Count : Level := 0;
   begin
      loop
         select
            when Count < Size => accept Put (1) do Count := Count + 1; end Put;
         or
            when Count > 0 => accept Get (N : out Level) do N := Count; end Get; Count := Count - 1;
         or
            terminate;
         end select;
      end loop;
   end Keeper;
end Store;
package Store is
   Size : constant := 2;
   type Level is range 0 .. Size;
   task Keeper is entry Put (1 .. 2); entry Get (N : out Level); end Keeper;
private
   Hidden : array (Level) of Boolean := (0 => True, others => False);
end Store;
with Store; use Store;
procedure Main is
   task type User (Id : Level);
   Users : array (1 .. 2) of User (1);
   task body User is
      N : Level := Id;
   begin
      for I in reverse 1 .. 2 loop
         select Keeper.Put (1); or delay 1.0; N := Level'First; end select;
         pragma Annotate (Rely, Event, "put");
         case N is when 0 | 2 => exit; when others => null; end case;
      end loop;
   end User;
begin
   Put_Line ("begin");
   Store.Keeper.Put (1);
end Main;
