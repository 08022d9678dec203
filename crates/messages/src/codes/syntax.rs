//! What can be wrong with the form of a text.

rely_syntax::codes! {
    /// What the lexer and the parser say, in order.
    pub SYNTAX;
    STRAY_CHARACTER = "E0801", "a character that message components do not use",
"The language is written in plain ASCII: names are made of the letters a to z and A to Z, digits and `_`. Other characters may \
stand in comments only, which begin with `//` or stand between `/*` and `*/`.";
    NUMBER_TOO_LARGE = "E0802", "a number that is too large",
"Numbers are integers of 32 bits; the largest is 2147483647. Choose a small bound that shows the same behaviour: every value of \
a variable multiplies the number of states.";
    UNCLOSED_STRING = "E0803", "a string that is not closed",
"A string, such as the name of an imported file, begins and ends with `\"` on one line.

    import \"sensor.aim       wrong
    import \"sensor.aim\"      right";
    LOOK_ALIKE = "E0804", "a symbol of another language",
"The sign that was found is not part of the language, but looks like one that is: an arrow is `->`, a range has two dots `..`, \
and a composition two bars `||`.";
    NO_TEXT = "E0805", "a file that is no text",
"Message components are text in UTF-8. The file has characters that no text has, so it is something else: a program, a picture, \
an archive, or a text in another encoding.";
    TEXT_TOO_LONG = "E0806", "a text that is too long",
"A text may have 64 MiB.";
    EXPECTED = "E0807", "something else was expected",
"The message says what was expected, and what was found instead.";
    NO_DEFINITION = "E0808", "something that begins no definition",
"A text is a list of definitions. Each begins with one of the words `component`, `const`, `range`, `type` and `import`. If you \
see this in the middle of a component, it was closed by a `}` too many.

    process Clock { state idle }                          wrong: outside of a component
    component Watch { process Clock { state idle } }      right";
    NO_MEMBER = "E0809", "something that is no part of a component or process",
"A component has inputs, outputs, processes, a bound for its queues, and properties. A process has variables, inputs, states, \
transitions, and a bound for its queue.

    component Door { state open }                         wrong: states belong to processes
    component Door { process Leaf { state open } }        right";
    UNCLOSED_BRACKET = "E0810", "an opening bracket without its closing one",
"Every `(`, `[` and `{` is closed by the bracket that belongs to it.";
    UNOPENED_BRACKET = "E0811", "a closing bracket without its opening one",
"A bracket closes one that was opened before it. Often the one before closed more than it should.";
    TOO_DEEP = "E0812", "brackets or operators are nested too deeply",
"Statements and expressions may be nested in each other more than two hundred times. Give parts of them names of their own.";
    KEYWORD_AS_NAME = "E0813", "a reserved word stands for a name",
"These words have a meaning of their own: any, assuming, bool, component, const, else, false, final, if, import, input, on, \
output, process, property, queue, range, send, state, true, type, visible.";
    EQUALITY = "E0814", "`=` stands where values are compared",
"`==` compares two values, `:=` assigns one to a variable, and `=` gives a name its definition or a variable its first value.

    if count = 3 { send full }      wrong
    if count == 3 { send full }     right";
    ASSIGNMENT = "E0815", "an assignment is not written with `:=`",
"`:=` assigns a value to a variable.

    state busy { pending = true }      wrong
    state busy { pending := true }     right";
    WORD_OPERATOR = "E0816", "a word stands where an operator is meant",
"The operators are those of C: `&&` for and, `||` for or, `!` for not. In the templates of properties `+` between conditions \
is or, as well.";
    EXPRESSION = "E0817", "something that is no value",
"A value is a number, `true`, `false`, a name, or an expression of these in parentheses or with operators.";
    STATEMENT = "E0818", "something that is no statement",
"What a state does when it is entered is a list of statements with `;` between them: an assignment `x := e`, a message \
`send Receiver.message(e)` or `send output(e)`, or a condition `if e { … } else { … }`.";
    SEPARATOR = "E0819", "a separator is missing, or is one too many",
"Statements are separated by `;`, messages and assumptions by `,`. Everything else ends by itself.

    state busy { x := 1 send full }       wrong
    state busy { x := 1; send full }      right";
    TRANSITION = "E0820", "a transition that is not complete",
"A transition says from which state to which state a process goes, and on which message.

    idle -> busy                    wrong
    idle -> busy on request         right
    idle, done -> busy on request   right: from two states";
    RANGE = "E0821", "a range that lacks a bound",
"A range has a least and a greatest value, `0..3`.";
    TEMPLATE = "E0822", "something that is no template for properties",
"These are the templates; d, e and f are conditions on messages and visible variables:

    Never(d)                            Eventually(d)
    Always(d)                           Repeatedly(d)
    Never(d) UntilAfter(f)              EventuallyAlways(d)
    After(e) Never(d) UntilAfter(f)     After(e) Eventually(d)
    IfRepeatedly(e) Repeatedly(d)

Everything else is said in linear temporal logic: `[](e -> <>d)`.";
    FORMULA_CHAIN = "E0823", "two of `->`, `<->`, `U` and `W` side by side",
"It is not plain which of them comes first: put parentheses around one.

    property p: a -> b -> c        wrong
    property p: a -> (b -> c)      right";
    WIRING = "E0824", "a connection that is not complete",
"A composition maps outputs of its parts to inputs of its parts: one output to one input or to several. The output stays an output \
of the composition only with `and out`.

    component Both = Sensor || Network {
        Sensor.Output -> Network.Data
        Network.Sent  -> Sensor.Done, Log.Line and out
    }";
    UNCLOSED_COMMENT = "W0801", "a comment that is never closed",
"A comment that begins with `/*` ends with `*/`. Without it, the comment hides the rest of the text.";
}
