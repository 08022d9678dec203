//! The stable codes of what can be wrong with a program, and what `rely explain` says about each.

pub use rely_syntax::Explanation;

rely_syntax::codes! {
    /// What all codes of this crate mean, in order.
    pub ALL;
    STRAY_CHARACTER = "E0601", "a character that Ada does not use here",
"Programs are written in plain ASCII: names are made of the letters a to z in either case, digits and `_`. Other \
characters may stand in comments and strings only.";
    NO_TEXT = "E0602", "a file that is no text",
"A program is text in UTF-8. The file has characters that no text has, so it is something else.";
    TEXT_TOO_LONG = "E0603", "a text that is too long",
"The file is larger than everything that can be analysed. Analyse the part that has the tasks.";
    NUMBER = "E0604", "a number that is too large, or no number",
"Numbers are integers of 32 bits; the largest is 2147483647. The base of a number such as `16#FF#` is 2 to 16, and its \
digits are below the base.";
    UNCLOSED_STRING = "E0605", "a string that is not closed",
"A string begins and ends with `\"` on one line.";
    EXPECTED = "E0606", "something else was expected",
"The text is not Ada at this place. Often a `;` is missing on the line above, or an `end`.

    accept Sync                         wrong
    accept Sync;                        right";
    END_NAME = "E0607", "the name after `end` is another one",
"The name after `end` repeats the name of what ends. If it is the name of something further out, an `end` is missing \
in between: every `begin`, `if`, `loop`, `case`, `select` and `do` needs one.

    task body Car is begin null; end Controller;    wrong
    task body Car is begin null; end Car;           right";
    TOO_DEEP = "E0608", "statements or expressions are nested too deeply",
"More than 256 statements or brackets are open at once, or more than 500 operators are inside of one another. Move a part of it \
into a procedure, or compute it in a variable of its own.";
    OUTSIDE = "E0609", "something is Ada, but outside of the subset",
"What can be analysed are programs with finitely many tasks and variables of discrete types: a main procedure and \
packages with tasks, task types, arrays of tasks; entries with parameters, entry families; all forms of `accept` and `select`; Boolean, \
enumeration, integer, modular types and arrays of them; the usual statements; procedures and functions without \
recursion. Protected objects may have entries and procedures. Pointers, records, floating point, exceptions and their handlers, `requeue`, `abort`, \
`'Count` and tasks inside of blocks, tasks or subprograms are outside. The help says what to write instead.";
    NO_MAIN = "E0610", "there is no main procedure",
"A file has one main procedure, which declares the tasks and the variables that they share.

    procedure Main is
       task T;
       task body T is begin null; end T;
    begin
       null;
    end Main;";
    UNDEFINED = "E0611", "a name is not declared",
"A name has to be declared above the place where it is used, in the same declarative part or in one around it.";
    DUPLICATE = "E0612", "a name is declared twice",
"Each name is declared once in its declarative part. Overloading is outside of the subset.";
    WRONG_KIND = "E0613", "a name stands for something else",
"The name is declared, but not as what is needed here: a variable is needed where a type is named, a task where a \
procedure is, and so on.";
    TYPE = "E0614", "types do not match",
"Ada has no implicit conversions between different types: both sides of an assignment, of a comparison and of an \
operator have the same type. Integer literals and named numbers go with every integer type. A condition is Boolean.

    type Floor is range 1 .. 3;
    type Level is range 1 .. 3;
    F := L;                             wrong: F is a Floor and L is a Level
    F := Floor (L);                     right";
    NOT_STATIC = "E0615", "a value has to be known before the program runs",
"Bounds of types, sizes of arrays, choices of `case` and discriminants are made of literals, named numbers and constants.";
    OUT_OF_RANGE = "E0616", "a value is always out of range",
"The value is known, and it is not in the range that is needed; the program would raise Constraint_Error whenever it \
comes here.";
    ARGUMENTS = "E0617", "arguments do not fit",
"A call has one argument for each parameter, an element one index, a call of an entry of a family the index of the \
family, and a task of an array its index. The argument for an `out` or `in out` parameter is a variable.

    entry Put (V : in Item);
    Buffer.Put;                         wrong
    Buffer.Put (3);                     right";
    NOT_ASSIGNABLE = "E0618", "something cannot be assigned",
"Variables and parameters of mode `out` or `in out` can be assigned; constants, loop parameters, discriminants and \
parameters of mode `in` cannot.";
    RECURSION = "E0619", "a subprogram calls itself",
"Subprograms are put in place of their calls, so they must not call themselves, directly or through others. Use a loop.";
    MISPLACED = "E0620", "a statement has no meaning here",
"`accept` and selective `accept` stand in the body of the task that declares the entry, not in procedures; `exit` stands \
in a loop, `return` in a subprogram, a task or an `accept`, and a function returns a value.";
    CHOICES = "E0621", "choices overlap or are incomplete",
"The choices of a `case` or of an aggregate cover every value once; `others` comes last and covers the rest.";
    NO_BODY = "E0622", "a body is missing",
"A task, procedure or function that is declared has a body in the same declarative part.";
    NEVER_ACCEPTED = "E0623", "an entry is called and never accepted",
"Whoever calls this entry waits for ever: no `accept` statement names it.";
    SELECT = "E0624", "alternatives of a `select` do not go together",
"A selective accept has at least one `accept`, and besides at most one of: `else`, one `terminate`, or `delay` \
alternatives. A conditional or timed call has one call of an entry, and either `else` or one `or delay`. Guards belong \
to selective accepts.";
    EVENT = "E0625", "a mark has no usable name",
"The name of an event is made of small letters, digits and `_`, with dots between its parts, and is the name of no \
rendezvous and no variable.

    pragma Annotate (Rely, Event, \"enter\");    right";
    TOO_MANY_VALUES = "E0626", "a variable without initial value has too many values",
"A variable that is read before it is assigned may have any value of its type, and all of them are looked at. Give it an \
initial value, or a type with a small range.

    Count : Integer;                    wrong, if it is read before it is assigned
    Count : Integer := 0;               right";
    TOO_LARGE = "E0627", "a declaration is too large",
"An array, a range or a type has more values than can be analysed. Use a smaller size: most errors show themselves in \
small instances already.";
    NO_VALUE = "E0628", "an expression has no value",
"The expression divides by zero, or its value does not fit into 32 bits.";
    SELF_CALL = "E0629", "a task calls its own entry",
"The task waits for itself for ever.";
    NO_SUCH_PROGRAM = "E0630", "a program does not exist",
"The target of a file in Ada is its main procedure, and has its name in small letters.";
    QRE_EXPECTED = "E0641", "something else was expected in a quantified regular expression",
"A property is `for events {a, b} show all executions satisfy E`, or `show no executions`. In E, `;` is sequence, `|` choice, \
`*`, `+` and `?` repeat, `.` is any event, `[a, b]` one of some events and `[-a, b]` one of the others. `where a = task.entry` \
says which event of the program is meant; there are blanks around its `=`.";
    QRE_EVENT = "E0642", "an event of a quantified regular expression is not declared, or has two names",
"Every event of the expression is among those of `for events {…}`, and two of them do not mean the same event of the \
program.";
    QRE_ALONE = "E0643", "a file of properties is no model",
"A file of quantified regular expressions (.qre) has properties only. Name it beside the program that they are about:

    rely check elevator.adb --properties doors.qre";
}
