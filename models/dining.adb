--  Philosophers at a round table, each with a fork on either side, and a host who lets one fewer sit down than there are places.
--
--  Without the host all of them could take their left forks and wait for ever. Neighbours share a fork, so that they never
--  eat at the same time.

procedure Dining is

   Philosopher_Count : constant := 3;

   type Place is range 1 .. Philosopher_Count;
   subtype Guest_Count is Integer range 0 .. Philosopher_Count;

   task Host is
      entry Sit_Down;
      entry Get_Up;
   end Host;

   task type Fork_Task is
      entry Take;
      entry Put_Back;
   end Fork_Task;

   Fork : array (Place) of Fork_Task;

   task type Philosopher_Task is
      entry Come (Own : in Place);
   end Philosopher_Task;

   Philosopher : array (Place) of Philosopher_Task;

   task body Host is
      Guests : Guest_Count := 0;
   begin
      loop
         select
            when Guests < Philosopher_Count - 1 =>
               accept Sit_Down;
               Guests := Guests + 1;
         or
            accept Get_Up;
            Guests := Guests - 1;
         or
            terminate;
         end select;
      end loop;
   end Host;

   task body Fork_Task is
   begin
      loop
         select
            accept Take;
            accept Put_Back;
         or
            terminate;
         end select;
      end loop;
   end Fork_Task;

   task body Philosopher_Task is
      Left  : Place := 1;
      Right : Place := 1;
   begin
      accept Come (Own : in Place) do
         Left := Own;
      end Come;
      if Left < Place'Last then
         Right := Left + 1;
      end if;
      loop
         Host.Sit_Down;
         Fork (Left).Take;
         Fork (Right).Take;
         pragma Annotate (Rely, Event, "eat");
         pragma Annotate (Rely, Event, "think");
         Fork (Left).Put_Back;
         Fork (Right).Put_Back;
         Host.Get_Up;
      end loop;
   end Philosopher_Task;

begin
   for P in Place loop
      Philosopher (P).Come (P);
   end loop;
end Dining;
