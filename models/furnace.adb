--  A furnace with a thermostat, and an operator who may stop it at any time.
--
--  The furnace gets warmer while its burner is on and colder while it is off. Once it is stopped, the burner is never
--  switched on again.

procedure Furnace is

   type Degree is (Cold, Warm, Hot);

   Temperature : Degree := Cold;
   pragma Atomic (Temperature);

   task Burner is
      entry Switch_On;
      entry Switch_Off;
      entry Ask (Is_Lit : out Boolean);
   end Burner;

   task Thermostat is
      entry Stop;
   end Thermostat;

   task Oven;
   task Operator;

   task body Burner is
      Is_On : Boolean := False;
   begin
      loop
         select
            accept Switch_On;
            Is_On := True;
         or
            accept Switch_Off;
            Is_On := False;
         or
            accept Ask (Is_Lit : out Boolean) do
               Is_Lit := Is_On;
            end Ask;
         or
            terminate;
         end select;
      end loop;
   end Burner;

   task body Thermostat is
      Seen : Degree := Cold;
   begin
      loop
         select
            accept Stop;
            Burner.Switch_Off;
            exit;
         or
            delay 1.0;
            Seen := Temperature;
            case Seen is
               when Cold =>
                  Burner.Switch_On;
               when Hot =>
                  Burner.Switch_Off;
               when Warm =>
                  null;
            end case;
         end select;
      end loop;
   end Thermostat;

   task body Oven is
      Is_Lit : Boolean := False;
      Now    : Degree := Cold;
   begin
      loop
         delay 1.0;
         Burner.Ask (Is_Lit);
         if Is_Lit and then Now /= Hot then
            Now := Degree'Succ (Now);
         elsif not Is_Lit and then Now /= Cold then
            Now := Degree'Pred (Now);
         end if;
         Temperature := Now;
      end loop;
   end Oven;

   task body Operator is
   begin
      delay 60.0;
      Thermostat.Stop;
   end Operator;

begin
   null;
end Furnace;
