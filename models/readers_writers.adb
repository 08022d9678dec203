--  Readers and writers of one datum, and a task that lets in any number of readers or a single writer.
--
--  The datum itself is not protected: that nobody races for it is what the rendezvous with the guard are for.

procedure Readers_Writers is

   Reader_Count : constant := 2;
   Writer_Count : constant := 1;

   type Version is mod 2;

   Datum : Version := 0;

   task Guard is
      entry Start_Reading;
      entry Stop_Reading;
      entry Start_Writing;
      entry Stop_Writing;
   end Guard;

   task type Reader_Task;
   task type Writer_Task;

   Reader : array (1 .. Reader_Count) of Reader_Task;
   Writer : array (1 .. Writer_Count) of Writer_Task;

   task body Guard is
      Readers    : Integer range 0 .. Reader_Count := 0;
      Is_Writing : Boolean := False;
   begin
      loop
         select
            when not Is_Writing =>
               accept Start_Reading;
               Readers := Readers + 1;
         or
            accept Stop_Reading;
            Readers := Readers - 1;
         or
            when not Is_Writing and Readers = 0 =>
               accept Start_Writing;
               Is_Writing := True;
         or
            accept Stop_Writing;
            Is_Writing := False;
         or
            terminate;
         end select;
      end loop;
   end Guard;

   task body Reader_Task is
      Seen : Version;
   begin
      loop
         Guard.Start_Reading;
         Seen := Datum;
         if Seen /= Datum then
            pragma Annotate (Rely, Event, "changed");
            null;
         end if;
         Guard.Stop_Reading;
      end loop;
   end Reader_Task;

   task body Writer_Task is
   begin
      loop
         Guard.Start_Writing;
         Datum := Datum + 1;
         Guard.Stop_Writing;
      end loop;
   end Writer_Task;

begin
   null;
end Readers_Writers;
