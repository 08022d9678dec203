//! The stable codes of what can be wrong with a text, and what `rely explain` says about each.

rely_syntax::codes! {
    /// What all codes of this crate mean.
    pub EXPLANATIONS;
    STRAY_CHARACTER = "E0701", "a character that has no meaning",
"Names are made of the letters a to z and A to Z, digits and `_`. Other characters may stand in comments only. Invisible \
ones often come with text that was copied from a document: delete the blank at the place that is shown and type it again.";
    NUMBER_TOO_LARGE = "E0702", "a number that is too large",
"Numbers are integers of 32 bits. The largest is 2147483647.";
    LOOK_ALIKE = "E0703", "a symbol of another language",
"The sign that was found looks like one of this language. Conditions are written with `!`, `&`, `|`, `=>` and `<=>`, \
transitions with `->`, ranges with two dots.

    idle -> busy on init && !stop       wrong
    idle -> busy on init & !stop        right";
    NO_TEXT = "E0704", "a file that is no text",
"The file has characters that no text has: it is a program, a picture, an archive, or a text in another encoding than \
UTF-8. Save such a text as UTF-8.";
    TEXT_TOO_LONG = "E0705", "a text that is too long",
"Texts of more than 64 MiB are not read.";
    EXPECTED = "E0706", "something else was expected",
"The text cannot be read here. The message says what could stand at this place.

    machine Door { open closed on close }       wrong: the arrow is missing
    machine Door { open -> closed on close }    right";
    NO_DEFINITION = "E0707", "something that is no definition",
"A file has constants, ranges and systems. A system has events, machines, components, properties and assumptions, and each \
begins with its keyword.

    Door { open -> closed on close }            wrong
    machine Door { open -> closed on close }    right";
    UNCLOSED_BRACKET = "E0708", "an opening bracket without its closing one",
"The bracket at the place of the note is never closed, or something before its closing bracket cannot be read.";
    TOO_DEEP = "E0709", "brackets or operators are nested too deeply",
"Conditions and states may be nested a few hundred levels deep. Give parts of a condition to machines of their own.";
    CASE = "E0710", "a name begins with the wrong case",
"The case of the first letter tells what a name is. Systems, components, machines, constants and ranges begin with an \
upper-case letter; events, states, properties, assumptions and index variables with a lower-case one.

    machine door { Open -> Closed on Close }    wrong
    machine Door { open -> closed on close }    right";
    KEYWORD_AS_NAME = "E0711", "a keyword as a name",
"Words such as `input`, `state` or `after` have a meaning of their own. Only states may be called like one: `Lamp.on`.";
    CHAIN = "E0712", "operators that need parentheses",
"`a => b => c` could be read in two ways, and `1 < i < 3` does not compare three numbers.

    property p at macrostep: a => (b => c)
    forall [i: 1..5] at[i] -> at[i+1] on 1 < i & i < 3 & up";
    MISPLACED = "E0713", "something at a place where it has no meaning",
"Components stand side by side in a system, and `takes` and `gives` say what crosses the border of a component: a system \
has `input` and `output` instead. `old` and `ms` belong to properties and assumptions, `after` to transitions.";
    SEPARATOR = "E0714", "a semicolon",
"Nothing ends with `;`: an item ends where the next one begins.";
    UNDEFINED_CONSTANT = "E0720", "a constant, parameter or range is not defined",
"An upper-case name in an expression stands for a constant (`const N = 3`), a parameter of the system \
(`system S(N = 3) { … }`) or a range (`range R = 1..N`), which stand above their use.";
    UNDEFINED_NAME = "E0721", "an event or variable is not defined",
"A lower-case name in a condition is an event or an index variable. An event is declared with `input`, `output` or `takes`, \
or a machine of the same component sends it; index variables are bound by `[i: 1..N]`.

    machine Door { closed -> open on init }                  wrong: nobody sends init
    input init   machine Door { closed -> open on init }     right";
    KIND = "E0722", "a number where a condition is needed, or the other way round",
"Events and states are true or false; constants and index variables are numbers. Numbers can be compared: `i < N`.

    closed -> open on i           wrong, if i is an index variable
    closed -> open on i == 1      right";
    ARITHMETIC = "E0723", "an expression has no value",
"The expression divides by zero, or its value does not fit into 32 bits.";
    EMPTY_RANGE = "E0724", "a range is empty",
"The first value of a range must not be above its last one: `1..N` with a positive N.";
    TOO_LARGE = "E0725", "the system is too large",
"Indices expand to more than some hundred thousand machines, states, transitions and events. Use a smaller range: most \
errors show themselves in small instances.";
    DUPLICATE = "E0726", "a name is defined twice",
"Each machine, component, state, event, property and assumption has a name of its own at its place.";
    SHADOWED = "E0727", "an index variable hides another name",
"An index variable must not be called like another one around it.";
    UNDEFINED_MACHINE = "E0728", "a machine or component is not defined",
"`Door.open` says that machine Door is in state open, `Pump[1].Motor.on` that machine Motor of component Pump[1] is in state \
on. Inside of a component its own machines are named without the component.";
    UNDEFINED_STATE = "E0729", "a machine has no such state",
"The states of a machine are those that its transitions and `state` lines name.";
    BORDER = "E0730", "an event crosses the border of a component undeclared",
"What a component reads from other machines is listed behind `takes`, and what others read from it behind `gives`. So one \
sees what a component relies on, and can check it alone. Other events of a component are its own, and nobody else sees them.";
    FOREIGN_STATE = "E0731", "a condition looks into another component",
"Components talk by events only: a condition, a property or an assumption of a component speaks about states of its own \
machines. Let the other component give an event when it enters the state.";
    SENDS_INPUT = "E0732", "a machine sends an event that comes from outside",
"An `input` of the system is sent by the environment of the system, and what a component `takes` by other components.";
    READS_OUTPUT = "E0733", "a machine reads an event that goes outside",
"Outputs leave the system at the end of the macrostep. For an event between machines leave out the declaration.";
    UNDEFINED_PROPERTY = "E0734", "a property is not defined",
"`from` names the properties from which the global one follows: `Water.risk_is_real` is property risk_is_real of component \
Water.";
    EMPTY = "E0735", "a machine without states or a system without machines",
"A machine has at least one state, named in a transition or with `state`; a system has at least one machine.";
    SAME_ACTION = "E0736", "two events have one name outside of the system",
"Properties in FSP know an event by a name of lower-case parts: `Pump[1].open` is `pump.1.open`. Two events must not get the \
same name, and none may be called `end`, which is the end of a macrostep.";
    ARITY = "E0737", "the number of indices is wrong",
"An element of an array is named with as many indices as the array has: `Pump[1]` for `component Pump[i: 1..N]`.";
    UNDEFINED_TARGET = "E0738", "there is no such system or component",
"A target is a system, by its name, or a component on its own: `Boiler.Control`, `Boiler.Pump[1]`.";
    ASSUMPTION = "E0739", "an assumption about something that the component does not take",
"An assumption speaks about the events that a component `takes` and about `ms`, the microstep that produces them: it says \
what other components do, never what the component itself does.";
    NO_COMPONENT = "E0740", "something that has no environment to mine",
"Rules are mined from the environment of a component: the rest of its system. Name the component, as in \
`rely mine boiler.srs --component Control`; its interface may have at most 128 events.";
    UNCLOSED_COMMENT = "W0701", "a comment that is never closed",
"`/*` hides everything up to the next `*/`.";
    NONDETERMINISTIC = "W0710", "two transitions can be enabled at once",
"A machine takes one of its enabled transitions, and nobody knows which. Both are explored. If that is not meant, make the \
conditions exclude each other.

    idle -> busy on init
    idle -> off  on stop            both, if init and stop come together

    idle -> busy on init & !stop
    idle -> off  on stop            only one";
    NEVER_FIRES = "W0711", "a transition can never be taken",
"Its condition contradicts itself. The usual cause: events from outside (`input`, `after`) are there in the first microstep \
only, and events that machines send from the second one on, so that no microstep sees both.

    idle -> busy on init & start                        never, if init is an input and start is not

    idle -> asked on init   asked -> busy on start      remembers init";
    NEVER_ENTERED = "W0712", "a state is never entered",
"The state is not the initial one, and no transitions lead from there to it. Is its name misspelt?";
    NEVER_READ = "W0713", "an event is sent and never read",
"No condition and no property speaks about the event. If it is meant for the environment, declare it with `output`.";
    NEVER_SENT = "W0714", "an event is declared and never used",
"No machine sends the output or the event that the component gives, or none reads the input or the event that it takes.";
    NOT_IMPLIED = "W0715", "a property does not follow from the local ones",
"The properties behind `from` can all be true while the property itself is false, for the values that are shown. Strengthen \
one of them, or name a further one. Properties of microsteps say nothing about the end of macrosteps, and the other way \
round.";
    MISSPELT = "W0716", "the name of a state is probably misspelt",
"States need not be declared: a transition that names one is enough. So a misspelt name is one more state, which is never \
left. This one stands behind a single arrow, nothing else names it, and it is like another state of the machine. If it is \
meant, declare it.

    machine Door { closed -> opened on open   opened -> closde on close }                 probably wrong
    machine Door { state closed state opened state closde … }                             a state of its own";
}
