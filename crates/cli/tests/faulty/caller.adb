--  Two tasks that call each other before they accept.
procedure Caller is
   task Left is
      entry Give;
   end Left;
   task Right is
      entry Give;
   end Right;

   task body Left is
   begin
      Right.Give;
      accept Give;
   end Left;

   task body Right is
   begin
      Left.Give;
      accept Give;
   end Right;
begin
   null;
end Caller;
