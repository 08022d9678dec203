//! What can be wrong with the meaning of a text.

rely_syntax::codes! {
    /// What is said about the meaning of a text, in order.
    pub MEANING;
    UNDEFINED = "E0830", "a name is not defined",
"A name in an expression stands for a variable of the process, an index, a constant that is defined above, or a value of an \
enumeration.";
    DUPLICATE = "E0831", "a name is defined twice",
"Every definition of a file, every message, process and property of a component, and every variable and state of a process has a \
name of its own.";
    UNDEFINED_TYPE = "E0832", "a type is not defined",
"A type is `bool`, a range `0..3`, an enumeration `{red, green}`, or a name that is defined above with `type` or `range`.

    range Level = 0..3
    type Colour = {red, green}";
    UNDEFINED_COMPONENT = "E0833", "a component is not defined",
"A composition, or the command line, names a component that neither the file nor its imports define.";
    UNDEFINED_STATE = "E0834", "a state is not defined",
"The states of a process are declared with `state`. A transition goes from one of them to one of them.";
    UNDEFINED_MESSAGE = "E0835", "a message is not defined",
"A process sends outputs of its component, `send Output(1)`, and messages that another process of the component takes, \
`send App.sample(1)`. A process takes the messages that it has transitions for. Messages with parameters are declared: as inputs \
of the component if they come from outside, with `input` in the process if they come from another process.";
    UNDEFINED_PROCESS = "E0836", "a process or part is not defined",
"The name before the dot is that of a process of the same component; in a composition it is that of a part.";
    TYPE_MISMATCH = "E0837", "a value has the wrong type",
"Numbers, truth values and the values of each enumeration are different things. Conditions are truth values.

    count: 0..3
    state s { if count { send full } }         wrong: a number is no condition
    state s { if count == 3 { send full } }    right";
    NOT_CONSTANT = "E0838", "a value is not constant",
"The bounds of ranges and queues, indices of families, and first values of variables are known before the system runs: they are \
made of numbers, constants and indices.";
    ARITHMETIC = "E0839", "a calculation has no result",
"A division by zero, or a number that is too large.";
    OUT_OF_RANGE = "E0840", "a value lies outside of its type",
"The value is never one of the variable, parameter or array. What is only sometimes outside is found when the system is \
explored: the process fails.";
    EMPTY_TYPE = "E0841", "a type has no values",
"The greatest value of a range is not below the least.";
    TOO_LARGE = "E0842", "something is too large to be explored",
"Queues, arrays, families, messages with all values of their parameters, and the ways through an action are limited. Far below \
these limits a system has more states than can be visited: choose smaller bounds that show the same behaviour.";
    NO_STATE = "E0843", "a process has no state",
"A process has at least one state; the first is where it starts.";
    ARGUMENTS = "E0844", "the number of parameters is wrong",
"A message is sent with a value for each of its parameters, and taken with a place for each. A transition that wants none of them \
names the message alone.

    input sample(value: 0..1)
    idle -> busy on sample            right: the value is not used
    idle -> busy on sample(reading)   right: it becomes the value of the variable `reading`
    idle -> busy on sample(1)         right: only with the value 1
    idle -> busy on sample(_)         right";
    FOREIGN_VARIABLE = "E0845", "a process uses a variable of another one",
"Processes share nothing: what one knows of another it learns from messages.";
    ANY_PLACE = "E0846", "`any` stands inside of an expression",
"`any 0..3` chooses a value. It is all of what is assigned, sent or decided, never a part of it.

    x := 1 + any 0..2          wrong
    x := any 1..3              right";
    TWO_RECEIVERS = "E0847", "an input is taken by several processes",
"A message goes into the queue of one process. If several should learn of it, declare an input for each of them and map one \
output to all of them, or have the first process send it on.";
    NO_RECEIVER = "E0848", "an input is taken by no process",
"An input of a component is a message of the process that has transitions for it.";
    INDEX = "E0849", "an index is missing, or is one too many",
"Arrays and families of processes and parts are used with an index, everything else without.

    process Pump[i: 1..2] { … }
    send Pump.start                 wrong
    send Pump[1].start              right";
    NOT_VISIBLE = "E0850", "a property speaks of a variable that is not visible",
"What others may know of a component are its messages and its visible variables. Write `visible` before the variable.";
    AMBIGUOUS = "E0851", "a name may mean several things",
"More than one part has something of this name. Write the name of the part before it.";
    TEMPORAL = "E0852", "a temporal operator stands where a condition is needed",
"The arguments of templates and the conditions of processes are about one moment. `[]`, `<>`, `X`, `U` and `W` belong into \
properties that are formulas.";
    CONFORMANCE = "E0853", "an output does not fit an input",
"The input has as many parameters as the output that is mapped to it, and each of them has all the values that the output's \
has.";
    NO_PORT = "E0854", "a connection names no output or no input",
"A connection goes from an output of a part to an input of a part: `Sensor.Output -> Network.Data`.";
    RECURSIVE = "E0855", "a component contains itself",
"A composition that contains itself, directly or through others, would have infinitely many parts.";
    IMPORT = "E0856", "an imported file cannot be used",
"`import \"sensor.aim\"` reads the definitions of another file; the path is relative to the file that names it.";
    NO_OTHER_PROPERTIES = "E0857", "property processes of another file cannot be used",
"A step of a message component may send several messages, and is one action. A property process in another file would miss \
messages that are sent together with others, so it is refused. Properties in a file of their own in this language (`.aim`) can be used.";
    PROPERTY_OUTSIDE = "E0858", "a property stands outside of a component",
"In a file with components, a property stands in the component that it is about. A file that has only properties is about the targets of \
another file: `rely check models/philosophers.lts --properties FILE.aim`.";
    NEVER_SENT = "W0830", "a message is never sent",
"A process has a transition on a message that no process of its component sends, and that is no input of the component: the \
transition is never taken. The name may be misspelt.";
    NEVER_ENTERED = "W0831", "a state is never entered",
"No transition leads to this state, and the process does not start in it.";
    OUTPUT_UNUSED = "W0832", "an output is never sent",
"No process of the component sends this output.";
    NO_EVENT = "W0833", "a property speaks of an event that does not exist",
"The target that the property is checked of has no event of this name, so it never happens in it. In FSP a name stands for the action, or for all \
actions that it is the beginning of; in other languages for what `rely simulate` shows.";
}
