--  Sensors that report to a monitor, and a watchdog that raises the alarm when the monitor has not been seen for too long.
--
--  How long anything takes does not matter, so the alarm may be a false one; but after it, nothing is acted upon.

package Field is

   Sensor_Count : constant := 2;

   type Sensor_Id is range 1 .. Sensor_Count;
   type Reading is (Low, High);

   task type Sensor_Task (Id : Sensor_Id);

   Near : Sensor_Task (1);
   Far  : Sensor_Task (Sensor_Count);

end Field;

with Field; use Field;

package Control is

   task Monitor is
      entry Report (From : in Sensor_Id; Value : in Reading);
      entry Give_Up;
   end Monitor;

   task Watchdog is
      entry Alive;
   end Watchdog;

private

   Known : array (Sensor_Id) of Reading := (others => Low);

end Control;

with Control;

package body Field is

   task body Sensor_Task is
      Value : Reading := Low;
   begin
      loop
         delay 1.0;
         Control.Monitor.Report (Id, Value);
         if Value = Low then
            Value := High;
         else
            Value := Low;
         end if;
      end loop;
   end Sensor_Task;

end Field;

package body Control is

   function All_High return Boolean is
   begin
      for S in Sensor_Id loop
         if Known (S) = Low then
            return False;
         end if;
      end loop;
      return True;
   end All_High;

   task body Monitor is
   begin
      loop
         select
            accept Report (From : in Sensor_Id; Value : in Reading) do
               Known (From) := Value;
            end Report;
            if All_High then
               pragma Annotate (Rely, Event, "act");
               null;
            end if;
            select
               Watchdog.Alive;
            or
               delay 0.5;
            end select;
         or
            accept Give_Up;
            exit;
         end select;
      end loop;
      loop
         accept Report (From : in Sensor_Id; Value : in Reading);
      end loop;
   end Monitor;

   task body Watchdog is
   begin
      loop
         select
            accept Alive;
         or
            delay 10.0;
            pragma Annotate (Rely, Event, "alarm");
            Monitor.Give_Up;
            exit;
         end select;
      end loop;
   end Watchdog;

end Control;

with Control;

procedure Sensors is
begin
   null;
end Sensors;
