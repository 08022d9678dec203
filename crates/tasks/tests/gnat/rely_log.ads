--  What the tasks of an instrumented program did, one line for each thing: the task and the event.
--
--  Lines of one task are in the order in which it did these things. Between lines of different tasks there is no order.

package Rely_Log is

   --  Writes down that the current task did something, and then lets others run for a random time.
   procedure Put (What : String);

   --  Keeps a text for the current task until it is needed. Each place in the program has a slot of its own.
   procedure Hold (Slot : Positive; What : String);

   function Held (Slot : Positive) return String;

   --  Writes down that an exception ended the current task, and ends the program.
   procedure Fault (Exception_Name : String);

   --  A short random time.
   function Moment return Duration;

   --  Begins: a number for the random times, and how many lines are enough.
   procedure Start (Seed : Natural; Enough : Positive);

   --  Ends: all tasks have ended.
   procedure Finish;

end Rely_Log;
