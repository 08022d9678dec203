with Ada.Task_Attributes;
with Ada.Task_Identification;
with Ada.Text_IO;
with GNAT.OS_Lib;

package body Rely_Log is

   use Ada.Task_Identification;

   Max_Line  : constant := 120;
   Max_Lines : constant := 1_000;
   Max_Tasks : constant := 40;
   Max_Slots : constant := 400;

   type Line is record
      Text   : String (1 .. Max_Line);
      Length : Natural := 0;
   end record;

   --  The exit codes say how the program ended.
   Ended  : constant := 0;
   Failed : constant := 3;
   Full   : constant := 5;
   Quiet  : constant := 6;

   Slots : array (1 .. Max_Tasks, 1 .. Max_Slots) of Line;

   package Numbers is new Ada.Task_Attributes (Natural, 0);

   type Random_State is mod 2 ** 32;

   protected Log is
      procedure Start (Seed : Natural; Limit : Positive);
      procedure Append (Who, What : String);
      procedure Fail (Who, What : String);
      procedure Stop (Code : Natural);
      procedure Draw (Value : out Random_State);
      procedure Number (Value : out Positive);
      function Count return Natural;
   private
      Lines      : Natural := 0;
      Enough     : Positive := Max_Lines;
      State      : Random_State := 1;
      Task_Count : Natural := 0;
   end Log;

   protected body Log is

      procedure Start (Seed : Natural; Limit : Positive) is
      begin
         State := Random_State (Seed) * 2_654_435_761 + 12_345;
         Enough := Positive'Min (Limit, Max_Lines);
      end Start;

      procedure Append (Who, What : String) is
      begin
         Ada.Text_IO.Put_Line (Who & "|" & What);
         Lines := Lines + 1;
         if Lines >= Enough then
            Stop (Full);
         end if;
      end Append;

      --  In one go, so that no second exception is written down.
      procedure Fail (Who, What : String) is
      begin
         Ada.Text_IO.Put_Line (Who & "|" & What);
         Stop (Failed);
      end Fail;

      procedure Stop (Code : Natural) is
      begin
         Ada.Text_IO.Flush;
         GNAT.OS_Lib.OS_Exit (Code);
      end Stop;

      procedure Draw (Value : out Random_State) is
      begin
         State := State * 1_664_525 + 1_013_904_223;
         Value := State / 65_536;
      end Draw;

      procedure Number (Value : out Positive) is
      begin
         Task_Count := Task_Count + 1;
         Value := Task_Count;
      end Number;

      function Count return Natural is (Lines);

   end Log;

   function Own_Number return Positive is
      Fresh : Positive;
   begin
      if Numbers.Value = 0 then
         Log.Number (Fresh);
         Numbers.Set_Value (Fresh);
      end if;
      return Numbers.Value;
   end Own_Number;

   function Moment return Duration is
      Drawn : Random_State;
   begin
      Log.Draw (Drawn);
      return Duration (Drawn mod 8) * 0.000_25;
   end Moment;

   procedure Put (What : String) is
      Drawn : Random_State;
   begin
      Log.Append (Image (Current_Task), What);
      Log.Draw (Drawn);
      if Drawn mod 3 = 0 then
         delay Moment;
      end if;
   end Put;

   procedure Hold (Slot : Positive; What : String) is
      Kept : Line renames Slots (Own_Number, Slot);
   begin
      Kept.Length := What'Length;
      Kept.Text (1 .. What'Length) := What;
   end Hold;

   function Held (Slot : Positive) return String is
      Kept : Line renames Slots (Own_Number, Slot);
   begin
      return Kept.Text (1 .. Kept.Length);
   end Held;

   procedure Fault (Exception_Name : String) is
   begin
      Log.Fail (Image (Current_Task), Exception_Name);
   end Fault;

   --  A program in which nobody does anything any more is stopped.
   task Watch is
      entry Begin_To_Watch;
   end Watch;

   task body Watch is
      Before : Natural := 0;
      Rounds : Natural := 0;
   begin
      accept Begin_To_Watch;
      loop
         delay 0.05;
         Rounds := (if Log.Count = Before then Rounds + 1 else 0);
         Before := Log.Count;
         if Rounds = 5 then
            Log.Stop (Quiet);
         end if;
      end loop;
   end Watch;

   procedure Start (Seed : Natural; Enough : Positive) is
   begin
      Log.Start (Seed, Enough);
      Watch.Begin_To_Watch;
   end Start;

   procedure Finish is
   begin
      Log.Stop (Ended);
   end Finish;

end Rely_Log;
