//! What can be wrong with a mapping.

rely_syntax::codes! {
    /// The codes of mappings, with their explanations.
    pub CODES;
    NO_TOML = "E0260", "a mapping is no TOML",
        "The mapping says which event of the design is which call of the program, in TOML (https://toml.io). The parser \
         stumbled at this place.";
    UNKNOWN_KEY = "E0261", "a mapping has a key that means nothing",
        "A key that nobody reads would change nothing, and is hardly what was meant. The chapter \"From design to code\" \
         lists all keys.";
    MISSING = "E0262", "a mapping lacks a key",
        "The table cannot be understood without this key.";
    BAD_VALUE = "E0263", "a value of a mapping is of another kind",
        "Strings are in quotes, lists in brackets, ranges of values are strings of two numbers: `\"0..2\"` is 0, 1 and 2.";
    NO_ACTION = "E0264", "an event is none of the design",
        "The action of an event has to be one of the design: of the component, its environment, the property or an \
         assumption. `{thread}` stands for the name of the thread, `{0}` for the first value.\n\n\
         wrong: action = \"executive.saved.gte.{0}\"\n\
         right: action = \"executive.saved.get.{0}\"";
    GAP = "E0265", "an action of the design has no event",
        "A monitor that never sees an action would judge something else. Give the action an event, or, if it is one of a \
         component of the design that the program does not show, name it in `internal`. Actions of properties and assumptions \
         have to be seen.";
    TWO_EVENTS = "E0266", "a call of the program is two events",
        "An event is known by method, object and thread, so there can be no two with all three the same.";
    NO_EVENT = "E0267", "something signals an event that the mapping does not have",
        "`signals` names events as OBJECT.METHOD, as the program signals them. Each needs an `[[event]]` for the thread.";
    NEVER_MADE = "E0268", "an event is never made by the environment that is generated",
        "The universal environment has to be able to do everything that the property or an assumption watches, and the stub \
         everything of the component that an assumption watches: otherwise executions would be missing, and a premise that \
         fails would seem to hold. Add a call, a lock or a method of the stub that signals the event.";
    NO_MONITOR = "E0269", "a part of the design cannot be watched",
        "A monitor needs a deterministic system of a moderate size.";
    NOT_GENERATED = "W0260", "a premise is not generated",
        "The mapping says nothing about the environment, or has no stub for the component, so that there is nothing to \
         run for this premise. The others are generated.";
}
