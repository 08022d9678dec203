--  A customer asks for a number although the clerk has gone home.
procedure Queue is
   task Clerk is
      entry Serve;
      entry Close;
   end Clerk;
   task Customer;
   task Manager;

   task body Clerk is
   begin
      loop
         select
            accept Serve;
         or
            accept Close;
            exit;
         end select;
      end loop;
   end Clerk;

   task body Customer is
   begin
      Clerk.Serve;
      Clerk.Serve;
   end Customer;

   task body Manager is
   begin
      Clerk.Close;
   end Manager;
begin
   null;
end Queue;
