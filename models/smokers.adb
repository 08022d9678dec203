--  The smokers' problem for any number of pieces: an item is made of one of each. Every assembler has plenty of one piece.
--  The supplier puts all pieces but one on the table, and the assembler who has that one takes them and makes an item.
--
--  The table can be locked, and whoever has the lock may look at what lies there and change it. What lies there is written
--  in one variable for each piece; the table itself only knows who has the lock. An assembler who misses a piece gives the
--  lock back. The supplier says which piece it leaves out when it gets the lock, and waits for the item. It also tells the
--  assemblers their numbers.

procedure Smokers is

   Assembler_Count : constant := 2;

   type Piece is range 1 .. Assembler_Count;

   Is_There : array (Piece) of Boolean := (others => False);
   pragma Atomic_Components (Is_There);

   task Table is
      entry Acquire (Missing : in Piece);
      entry Put (P : in Piece);
      entry Release;
      entry Lock (Who : in Piece);
      entry Take (Piece) (P : in Piece);
      entry Unlock (Piece);
   end Table;

   task Supplier is
      entry Done;
   end Supplier;

   task type Assembler_Task is
      entry Identify (Id : in Piece);
   end Assembler_Task;

   Assembler : array (Piece) of Assembler_Task;

   task body Table is
      Owner : Piece := 1;
   begin
      loop
         select
            accept Acquire (Missing : in Piece);
            Supplying : loop
               select
                  accept Put (P : in Piece);
               or
                  accept Release;
                  exit Supplying;
               end select;
            end loop Supplying;
         or
            accept Lock (Who : in Piece) do
               Owner := Who;
            end Lock;
            Taking : loop
               select
                  accept Take (Owner) (P : in Piece);
               or
                  accept Unlock (Owner);
                  exit Taking;
               end select;
            end loop Taking;
            Owner := 1;
         end select;
      end loop;
   end Table;

   task body Supplier is
      Missing : Piece := 1;
   begin
      for P in Piece loop
         Assembler (P).Identify (P);
      end loop;
      loop
         --  Waiting for the table, the supplier may choose another piece to leave out.
         Choose : loop
            select
               Table.Acquire (Missing);
               exit Choose;
            or
               delay 1.0;
               if Missing = Piece'Last then
                  Missing := 1;
               else
                  Missing := Missing + 1;
               end if;
            end select;
         end loop Choose;
         for P in Piece loop
            if P /= Missing then
               Table.Put (P);
               Is_There (P) := True;
            end if;
         end loop;
         Table.Release;
         accept Done;
      end loop;
   end Supplier;

   task body Assembler_Task is
      Me          : Piece := 1;
      Is_Complete : Boolean := False;
   begin
      accept Identify (Id : in Piece) do
         Me := Id;
      end Identify;
      loop
         Table.Lock (Me);
         Is_Complete := True;
         for P in Piece loop
            if P /= Me and then not Is_There (P) then
               Is_Complete := False;
               exit;
            end if;
         end loop;
         if Is_Complete then
            for P in Piece loop
               if P /= Me then
                  Table.Take (Me) (P);
                  Is_There (P) := False;
               end if;
            end loop;
         end if;
         Table.Unlock (Me);
         if Is_Complete then
            pragma Annotate (Rely, Event, "start");
            pragma Annotate (Rely, Event, "finish");
            Supplier.Done;
            Is_Complete := False;
         end if;
      end loop;
   end Assembler_Task;

begin
   null;
end Smokers;
