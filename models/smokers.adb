--  The smokers' problem for any number of pieces: the supplier puts all pieces but one on the table, and the assembler who
--  has that one takes the others and makes an item.
--
--  The table can be locked. It lets the supplier have it when it is empty, and afterwards the one assembler who can use
--  what lies on it.

procedure Smokers is

   Assembler_Count : constant := 2;

   type Piece is mod Assembler_Count;

   task Table is
      entry Acquire;
      entry Put (P : in Piece);
      entry Release;
      entry Lock (Piece);
      entry Take (P : in Piece);
      entry Unlock;
   end Table;

   task Supplier;

   task type Assembler_Task is
      entry Identify (Id : in Piece);
   end Assembler_Task;

   Assembler : array (Piece) of Assembler_Task;

   task body Table is
      Is_There : array (Piece) of Boolean := (others => False);
      Missing  : Piece := 0;
   begin
      loop
         accept Acquire;
         for I in 2 .. Assembler_Count loop
            accept Put (P : in Piece) do
               Is_There (P) := True;
            end Put;
         end loop;
         accept Release;
         for P in Piece loop
            if not Is_There (P) then
               Missing := P;
            end if;
         end loop;
         accept Lock (Missing);
         for I in 2 .. Assembler_Count loop
            accept Take (P : in Piece) do
               Is_There (P) := False;
            end Take;
         end loop;
         accept Unlock;
         Missing := 0;
      end loop;
   end Table;

   task body Supplier is
      Missing : Piece := 0;
   begin
      loop
         --  Waiting for the table, the supplier may choose another piece to leave out.
         Choose : loop
            select
               Table.Acquire;
               exit Choose;
            or
               delay 1.0;
               Missing := Missing + 1;
            end select;
         end loop Choose;
         for P in Piece loop
            if P /= Missing then
               Table.Put (P);
            end if;
         end loop;
         Table.Release;
      end loop;
   end Supplier;

   task body Assembler_Task is
      Me : Piece := 0;
   begin
      accept Identify (Id : in Piece) do
         Me := Id;
      end Identify;
      loop
         Table.Lock (Me);
         for P in Piece loop
            if P /= Me then
               Table.Take (P);
            end if;
         end loop;
         Table.Unlock;
         pragma Annotate (Rely, Event, "start");
         pragma Annotate (Rely, Event, "finish");
      end loop;
   end Assembler_Task;

begin
   for P in Piece loop
      Assembler (P).Identify (P);
   end loop;
end Smokers;
