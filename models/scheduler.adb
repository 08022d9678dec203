--  Milner's scheduler: cells in a ring start their jobs one after the other, and none starts a job again before it is done.
--
--  A cell that has the token starts its job. Then the job may be done before the token is passed on, or after.

procedure Scheduler is

   Cell_Count : constant := 3;

   type Cell_Id is range 1 .. Cell_Count;

   task type Cell_Task is
      entry Begin_With (Own : in Cell_Id);
      entry Token;
      entry Done;
   end Cell_Task;

   Cell : array (Cell_Id) of Cell_Task;

   task type Job_Task is
      entry Begin_With (Own : in Cell_Id);
      entry Start;
   end Job_Task;

   Job : array (Cell_Id) of Job_Task;

   task body Cell_Task is
      Me   : Cell_Id := 1;
      Next : Cell_Id := 1;
   begin
      accept Begin_With (Own : in Cell_Id) do
         Me := Own;
      end Begin_With;
      if Me < Cell_Id'Last then
         Next := Me + 1;
      end if;
      loop
         accept Token;
         Job (Me).Start;
         select
            accept Done;
            Cell (Next).Token;
         or
            delay 0.1;
            Cell (Next).Token;
            accept Done;
         end select;
      end loop;
   end Cell_Task;

   task body Job_Task is
      Me : Cell_Id := 1;
   begin
      accept Begin_With (Own : in Cell_Id) do
         Me := Own;
      end Begin_With;
      loop
         accept Start;
         Cell (Me).Done;
      end loop;
   end Job_Task;

begin
   for I in Cell_Id loop
      Cell (I).Begin_With (I);
      Job (I).Begin_With (I);
   end loop;
   Cell (1).Token;
end Scheduler;
