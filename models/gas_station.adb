--  A self-service gas station: a customer prepays for a pump, the operator activates the pump for that customer, the
--  customer pumps, the pump tells the operator that it is done, and the operator gives the customer change.
--
--  There are always two pumps. A customer who wants a pump that is in use waits for the operator to accept the prepayment.
--  The pump remembers whom it was activated for, and tells the operator with the charge. Each customer and each pump learns
--  its number from the operator.

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
      entry Activate (Customer : in Customer_Id);
      entry Start;
      entry Finish;
   end Pump_Task;

   task Operator is
      entry Prepay (Pump_Id) (Customer : in Customer_Id);
      entry Charge (Pump_Id) (Customer : in Customer_Id);
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
      Me   : Pump_Id := 1;
      User : Customer_Id := 1;
   begin
      accept Identify (Id : in Pump_Id) do
         Me := Id;
      end Identify;
      loop
         accept Activate (Customer : in Customer_Id) do
            User := Customer;
         end Activate;
         accept Start;
         accept Finish;
         Operator.Charge (Me) (User);
         User := 1;
      end loop;
   end Pump_Task;

   task body Operator is
      Busy : array (Pump_Id) of Boolean := (others => False);
      User : Customer_Id := 1;
   begin
      for P in Pump_Id loop
         Pump (P).Identify (P);
      end loop;
      for C in Customer_Id loop
         Customer (C).Identify (C);
      end loop;
      loop
         select
            when not Busy (1) =>
               accept Prepay (1) (Customer : in Customer_Id) do
                  User := Customer;
               end Prepay;
               Busy (1) := True;
               Pump (1).Activate (User);
         or
            when not Busy (2) =>
               accept Prepay (2) (Customer : in Customer_Id) do
                  User := Customer;
               end Prepay;
               Busy (2) := True;
               Pump (2).Activate (User);
         or
            accept Charge (1) (Customer : in Customer_Id) do
               User := Customer;
            end Charge;
            Busy (1) := False;
            Customer (User).Change (1);
         or
            accept Charge (2) (Customer : in Customer_Id) do
               User := Customer;
            end Charge;
            Busy (2) := False;
            Customer (User).Change (2);
         end select;
         User := 1;
      end loop;
   end Operator;

begin
   null;
end Gas_Station;
