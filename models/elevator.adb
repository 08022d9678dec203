--  An elevator: a car and its controller, which share the variable X.
--
--  Both set X before they meet at Sync, so that it is a race whether the doors are opened and closed again before the
--  car moves. The car must never move while its doors are open.

procedure Elevator is

   X : Boolean;
   pragma Atomic (X);

   task Car is
      entry Sync;
      entry Open_Doors;
      entry Close_Doors;
      entry Move_Car;
   end Car;

   task Controller;

   task body Car is
   begin
      X := True;
      accept Sync;
      if X then
         accept Open_Doors;
      end if;
      if X then
         accept Close_Doors;
      end if;
      accept Move_Car;
   end Car;

   task body Controller is
   begin
      X := False;
      Car.Sync;
      if X then
         Car.Open_Doors;
      end if;
      if X then
         Car.Close_Doors;
      end if;
      Car.Move_Car;
   end Controller;

begin
   null;
end Elevator;
