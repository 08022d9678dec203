--  A relay: tasks take turns through a variable that a server keeps. Task I waits until its value is I, and puts the
--  number of the next task. The server also tells the tasks their numbers.

procedure Relay is

   Runner_Count : constant := 2;

   type Number is mod Runner_Count;

   task Server is
      entry Get (Value : out Number);
      entry Put (Value : in Number);
   end Server;

   task type Runner_Task is
      entry Identify (Id : in Number);
   end Runner_Task;

   Runner : array (Number) of Runner_Task;

   task body Server is
      Current : Number := 0;
   begin
      for R in Number loop
         Runner (R).Identify (R);
      end loop;
      loop
         select
            accept Get (Value : out Number) do
               Value := Current;
            end Get;
         or
            accept Put (Value : in Number) do
               Current := Value;
            end Put;
         end select;
      end loop;
   end Server;

   task body Runner_Task is
      Me    : Number := 0;
      Found : Number := 0;
   begin
      accept Identify (Id : in Number) do
         Me := Id;
      end Identify;
      loop
         Server.Get (Found);
         if Found = Me then
            Server.Put (Me + 1);
         end if;
      end loop;
   end Runner_Task;

begin
   null;
end Relay;
