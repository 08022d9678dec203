--  A self-service gas station: customers prepay, the operator activates a pump, the customer pumps, the pump reports the
--  charge, and the operator gives change.
--
--  A customer who wants a pump that is in use waits for the operator to accept the prepayment. Each task learns its
--  number from the main procedure.

procedure Gas_Station is

   Customer_Count : constant := 2;

   type Customer_Id is range 1 .. Customer_Count;
   type Pump_Id is range 1 .. 2;

   task type Customer_Task is
      entry Identify (Id : in Customer_Id);
      entry Change (Pump_Id);
   end Customer_Task;

   task type Pump_Task is
      entry Identify (Id : in Pump_Id);
      entry Activate;
      entry Start;
      entry Finish;
   end Pump_Task;

   task Operator is
      entry Prepay (Pump_Id) (Customer : in Customer_Id);
      entry Charge (Pump : in Pump_Id);
   end Operator;

   Customer : array (Customer_Id) of Customer_Task;
   Pump     : array (Pump_Id) of Pump_Task;

   task body Customer_Task is
      Me   : Customer_Id := 1;
      Mine : Pump_Id := 1;
   begin
      accept Identify (Id : in Customer_Id) do
         Me := Id;
      end Identify;
      loop
         --  Whoever waits too long for one pump tries the other.
         Choose : loop
            select
               Operator.Prepay (Mine) (Me);
               exit Choose;
            or
               delay 1.0;
               Mine := 3 - Mine;
            end select;
         end loop Choose;
         Pump (Mine).Start;
         Pump (Mine).Finish;
         accept Change (Mine);
      end loop;
   end Customer_Task;

   task body Pump_Task is
      Me : Pump_Id := 1;
   begin
      accept Identify (Id : in Pump_Id) do
         Me := Id;
      end Identify;
      loop
         accept Activate;
         accept Start;
         accept Finish;
         Operator.Charge (Me);
      end loop;
   end Pump_Task;

   task body Operator is
      User : array (Pump_Id) of Customer_Id := (others => 1);
      Busy : array (Pump_Id) of Boolean := (others => False);
      Last : Pump_Id := 1;
   begin
      loop
         select
            when not Busy (1) =>
               accept Prepay (1) (Customer : in Customer_Id) do
                  User (1) := Customer;
               end Prepay;
               Busy (1) := True;
               Pump (1).Activate;
         or
            when not Busy (2) =>
               accept Prepay (2) (Customer : in Customer_Id) do
                  User (2) := Customer;
               end Prepay;
               Busy (2) := True;
               Pump (2).Activate;
         or
            accept Charge (Pump : in Pump_Id) do
               Last := Pump;
            end Charge;
            Busy (Last) := False;
            Customer (User (Last)).Change (Last);
            User (Last) := 1;
         end select;
      end loop;
   end Operator;

begin
   for P in Pump_Id loop
      Pump (P).Identify (P);
   end loop;
   for C in Customer_Id loop
      Customer (C).Identify (C);
   end loop;
end Gas_Station;
