--  The alternating-bit protocol over two channels that may lose what they carry.
--
--  The sender repeats a message until an acknowledgement with the same bit comes; the receiver answers everything, and
--  passes on what has the bit that it expects. A channel loses a message by giving up the call that would deliver it.

package Wire is

   type Bit is mod 2;

   task Data is
      entry Send (Value : in Bit);
   end Data;

   task Answers is
      entry Send (Value : in Bit);
   end Answers;

end Wire;

with Wire;

package Ends is

   task Sender is
      entry Answer (Value : in Wire.Bit);
   end Sender;

   task Receiver is
      entry Deliver (Value : in Wire.Bit);
   end Receiver;

end Ends;

with Ends;

package body Wire is

   task body Data is
      Held : Bit := 0;
   begin
      loop
         accept Send (Value : in Bit) do
            Held := Value;
         end Send;
         select
            Ends.Receiver.Deliver (Held);
         or
            delay 0.1;
         end select;
      end loop;
   end Data;

   task body Answers is
      Held : Bit := 0;
   begin
      loop
         accept Send (Value : in Bit) do
            Held := Value;
         end Send;
         select
            Ends.Sender.Answer (Held);
         or
            delay 0.1;
         end select;
      end loop;
   end Answers;

end Wire;

with Wire; use Wire;

package body Ends is

   task body Sender is
      Current : Bit := 0;
      Got     : Bit := 1;
   begin
      loop
         pragma Annotate (Rely, Event, "new");
         Got := Current + 1;
         while Got /= Current loop
            Data.Send (Current);
            select
               accept Answer (Value : in Bit) do
                  Got := Value;
               end Answer;
            or
               delay 1.0;
            end select;
         end loop;
         Current := Current + 1;
      end loop;
   end Sender;

   task body Receiver is
      Expected : Bit := 0;
      Got      : Bit := 0;
   begin
      loop
         accept Deliver (Value : in Bit) do
            Got := Value;
         end Deliver;
         if Got = Expected then
            pragma Annotate (Rely, Event, "passed_on");
            Expected := Expected + 1;
         end if;
         Answers.Send (Got);
      end loop;
   end Receiver;

end Ends;

with Ends;

procedure Alternating_Bit is
begin
   null;
end Alternating_Bit;
