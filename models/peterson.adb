--  Peterson's protocol for mutual exclusion among any number of processes, which share two arrays and nothing else.
--
--  A process climbs through the levels. It waits at a level as long as another process is there or above, and nobody has
--  come to this level after it. The region is a task, so that it can be seen who enters and leaves; it also
--  tells the processes their numbers.

procedure Peterson is

   Process_Count : constant := 2;

   type Process_Id is range 1 .. Process_Count;
   subtype Level is Integer range 0 .. Process_Count - 1;
   subtype Stage is Level range 1 .. Process_Count - 1;

   Flag : array (Process_Id) of Level := (others => 0);
   pragma Atomic_Components (Flag);
   Turn : array (Stage) of Process_Id := (others => 1);
   pragma Atomic_Components (Turn);

   task Region is
      entry Enter;
      entry Leave;
   end Region;

   task type Process_Task is
      entry Identify (Id : in Process_Id);
   end Process_Task;

   Process : array (Process_Id) of Process_Task;

   task body Region is
   begin
      for P in Process_Id loop
         Process (P).Identify (P);
      end loop;
      loop
         select
            accept Enter;
         or
            accept Leave;
         end select;
      end loop;
   end Region;

   task body Process_Task is
      Me      : Process_Id := 1;
      Is_Free : Boolean := True;
   begin
      accept Identify (Id : in Process_Id) do
         Me := Id;
      end Identify;
      loop
         for S in Stage loop
            Flag (Me) := S;
            Turn (S) := Me;
            Wait : loop
               Is_Free := True;
               for Other in Process_Id loop
                  if Other /= Me and then Flag (Other) >= S then
                     Is_Free := False;
                  end if;
               end loop;
               exit Wait when Is_Free or else Turn (S) /= Me;
            end loop Wait;
         end loop;
         Region.Enter;
         Region.Leave;
         Flag (Me) := 0;
      end loop;
   end Process_Task;

begin
   null;
end Peterson;
