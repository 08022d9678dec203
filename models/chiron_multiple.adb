--  Chiron, a framework for user interfaces, with a dispatcher for each event. Artists draw the data of an application. When
--  data changes, its wrapper tells the dispatcher, which passes everything on to the dispatcher of the event; this one
--  notifies the artists that have registered with it, in the order in which they registered.
--
--  Artists and wrapper know of the one dispatcher only. An artist that registers goes on at once; an event keeps the
--  dispatcher until everybody has been notified.
--
--  The client starts the artists, changes data as often as it likes, and stops the artists; a manager does that for it. The
--  manager does not wait for an artist before it starts the next one, so artists come to stand on the lists in any order. An
--  artist that wants something of the dispatcher takes notifications meanwhile, or the two would wait for each other.

procedure Chiron_Multiple is

   Artist_Count : constant := 2;

   type Artist_Id is range 1 .. Artist_Count;
   type Event is range 1 .. 2;
   subtype Length is Integer range 0 .. Artist_Count;

   task Client;

   task Manager is
      entry Start_Artist (A : in Artist_Id);
      entry Started;
      entry Stop_Artist (A : in Artist_Id);
      entry Stopped;
   end Manager;

   task Wrapper is
      entry Change (E : in Event);
   end Wrapper;

   task Dispatcher is
      entry Register (E : in Event; A : in Artist_Id);
      entry Unregister (E : in Event; A : in Artist_Id);
      entry Receive (E : in Event);
      entry Done;
   end Dispatcher;

   task type Event_Dispatcher is
      entry Identify (E : in Event);
      entry Add (A : in Artist_Id);
      entry Remove (A : in Artist_Id);
      entry Pass_On;
   end Event_Dispatcher;

   Dispatch : array (Event) of Event_Dispatcher;

   task type Artist_Task is
      entry Start (A : in Artist_Id);
      entry Notify (E : in Event);
      entry Stop;
   end Artist_Task;

   Artist : array (Artist_Id) of Artist_Task;

   task body Client is
      Next : Event := 1;
   begin
      for A in Artist_Id loop
         Manager.Start_Artist (A);
      end loop;
      Running : loop
         select
            Wrapper.Change (Next);
         or
            delay 1.0;
            Next := 3 - Next;
         end select;
         select
            Manager.Stop_Artist (1);
            exit Running;
         or
            delay 1.0;
         end select;
      end loop Running;
      for A in 2 .. Artist_Id'Last loop
         Manager.Stop_Artist (A);
      end loop;
   end Client;

   task body Manager is
      Current : Artist_Id := 1;
   begin
      for I in Artist_Id loop
         accept Start_Artist (A : in Artist_Id) do
            Current := A;
         end Start_Artist;
         Artist (Current).Start (Current);
      end loop;
      for I in Artist_Id loop
         accept Started;
      end loop;
      for I in Artist_Id loop
         accept Stop_Artist (A : in Artist_Id) do
            Current := A;
         end Stop_Artist;
         Artist (Current).Stop;
      end loop;
      for I in Artist_Id loop
         accept Stopped;
      end loop;
   end Manager;

   task body Wrapper is
      Current : Event := 1;
   begin
      loop
         select
            accept Change (E : in Event) do
               Current := E;
            end Change;
            Dispatcher.Receive (Current);
            Current := 1;
         or
            terminate;
         end select;
      end loop;
   end Wrapper;

   task body Dispatcher is
      Current : Event := 1;
      Who     : Artist_Id := 1;
   begin
      for E in Event loop
         Dispatch (E).Identify (E);
      end loop;
      loop
         select
            accept Register (E : in Event; A : in Artist_Id) do
               Current := E;
               Who := A;
            end Register;
            Dispatch (Current).Add (Who);
         or
            accept Unregister (E : in Event; A : in Artist_Id) do
               Current := E;
               Who := A;
            end Unregister;
            Dispatch (Current).Remove (Who);
         or
            accept Receive (E : in Event) do
               Current := E;
            end Receive;
            Dispatch (Current).Pass_On;
            accept Done;
         or
            terminate;
         end select;
         Current := 1;
         Who := 1;
      end loop;
   end Dispatcher;

   task body Event_Dispatcher is
      List     : array (1 .. Artist_Count) of Artist_Id := (others => 1);
      Count    : Length := 0;
      Mine     : Event := 1;
      Who      : Artist_Id := 1;
      Is_Found : Boolean := False;
   begin
      accept Identify (E : in Event) do
         Mine := E;
      end Identify;
      loop
         select
            accept Add (A : in Artist_Id) do
               Who := A;
            end Add;
            for I in 1 .. Count loop
               Is_Found := Is_Found or List (I) = Who;
            end loop;
            if not Is_Found then
               if Count = Artist_Count then
                  if Mine = 1 then
                     pragma Annotate (Rely, Event, "overflow");
                     null;
                  end if;
               else
                  Count := Count + 1;
                  List (Count) := Who;
               end if;
            end if;
         or
            accept Remove (A : in Artist_Id) do
               Who := A;
            end Remove;
            for I in 1 .. Count loop
               if Is_Found then
                  List (I - 1) := List (I);
               elsif List (I) = Who then
                  Is_Found := True;
               end if;
            end loop;
            if Is_Found then
               List (Count) := 1;
               Count := Count - 1;
            end if;
         or
            accept Pass_On;
            for I in 1 .. Count loop
               Artist (List (I)).Notify (Mine);
            end loop;
            Dispatcher.Done;
         or
            terminate;
         end select;
         Who := 1;
         Is_Found := False;
      end loop;
   end Event_Dispatcher;

   task body Artist_Task is
      Me : Artist_Id := 1;
   begin
      accept Start (A : in Artist_Id) do
         Me := A;
      end Start;
      for E in Event loop
         Join : loop
            select
               Dispatcher.Register (E, Me);
               exit Join;
            or
               delay 1.0;
               select
                  accept Notify (E : in Event);
               or
                  delay 1.0;
               end select;
            end select;
         end loop Join;
      end loop;
      Manager.Started;
      Listen : loop
         select
            accept Notify (E : in Event);
         or
            accept Stop;
            exit Listen;
         end select;
      end loop Listen;
      for E in Event loop
         Leave : loop
            select
               Dispatcher.Unregister (E, Me);
               exit Leave;
            or
               delay 1.0;
               select
                  accept Notify (E : in Event);
               or
                  delay 1.0;
               end select;
            end select;
         end loop Leave;
      end loop;
      Manager.Stopped;
   end Artist_Task;

begin
   null;
end Chiron_Multiple;
