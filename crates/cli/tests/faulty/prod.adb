-- A store that is filled and emptied in turns.
procedure Prod is
   task Store is
      entry Put;
      entry Get;
   end Store;
   task Maker;
   task User;
   task body Store is
   begin
      loop
         accept Get;
         accept Put;
      end loop;
   end Store;
   task body Maker is
   begin
      for I in 1 .. 3 loop
         Store.Put;
      end loop;
   end Maker;
   task body User is
   begin
      Store.Get;
   end User;
begin
   null;
end Prod;
