//! Explanations of the diagnostics of the parser. Every example is parsed in the tests.

use super::Explanation;

macro_rules! explain {
    ($code:ident, $title:literal, $text:literal, wrong $($wrong:literal)+, right $($right:literal)+) => {
        Explanation {
            code: super::$code,
            title: $title,
            text: concat!($text, "\n\nWrong:\n\n", $("    ", $wrong, "\n",)+ "\nRight:\n\n", $("    ", $right, "\n",)+),
        }
    };
}

/// The explanations of all codes of the parser, in order.
pub const SYNTAX: &[Explanation] = &[
    explain!(STRAY_CHARACTER, "a character that FSP does not use",
        "FSP is written in plain ASCII: names are made of the letters a to z and A to Z, digits and `_`. Other characters \
         may stand in comments only. Invisible ones often come with text that was copied from a document or a web page: \
         delete the blank at the place that is shown and type it again.",
        wrong "LIGHT = (on -> $off -> LIGHT).",
        right "LIGHT = (on -> off -> LIGHT)."),
    explain!(NUMBER_TOO_LARGE, "a number that is too large",
        "Numbers are integers of 32 bits. The largest is 2147483647. Models with such large numbers have far too many \
         states to be explored; choose a small bound that shows the same behaviour.",
        wrong "const MAX = 9999999999",
        right "const MAX = 9"),
    explain!(NUMBER, "a number with a fraction, or with digits that its base does not have",
        "Numbers are whole: there are no fractions; count in a smaller unit. A number that begins with 0 is octal, as in C: it has the digits 0 to 7 only, and 010 is eight. A number that \
         begins with 0x is hexadecimal. Write decimal numbers without a leading 0.",
        wrong "const AUGUST = 08",
        right "const AUGUST = 8"),
    explain!(UNCLOSED_STRING, "a string that is not closed",
        "A string, such as the name of an imported file, begins and ends with `\"` on one line.",
        wrong "import BUFFER = \"buffer.aut",
        right "import BUFFER = \"buffer.aut\""),
    explain!(LOOK_ALIKE, "a symbol of another language",
        "The sign that was found is not FSP, but looks like one that is. The arrow after an action is `->` (not `=>`, \
         `-->` or a typographic arrow), a definition is made with `=` (not `:=`), and a range with two dots.",
        wrong "LIGHT = (on => off --> LIGHT).",
        right "LIGHT = (on -> off -> LIGHT)."),
    explain!(NO_TEXT, "a file that is no text",
        "FSP is text in UTF-8. The file has characters that no text has, so it is something else: a program, a picture, an \
         archive, or a text in another encoding such as UTF-16. Save such a text as UTF-8.",
        wrong "\u{fffd}PNG\u{fffd}\u{fffd}IHDR",
        right "P = (a -> P)."),
    explain!(NO_DEFINITION, "something that begins no definition",
        "A text is a list of definitions. Each begins with the name of a process in upper case, with `||` and the name of \
         a composition, or with a keyword: `const`, `range`, `set`, `property`, `progress`, `fluent`, `assert` and others. \
         If you see this in the middle of a process, the definition before ended too early: look for a `.` that should \
         not be there.",
        wrong "-> P = (a -> P).",
        right "P = (a -> P)."),
    explain!(NO_DOT, "a definition without its full stop",
        "The definition of a process ends with `.`, after its last local process and after everything that is applied to \
         it. So does the definition of a composition. Constants, ranges, sets, assertions and the like do not.",
        wrong "LIGHT = (on -> off -> LIGHT)" "||HOUSE = ({hall, bath}:LIGHT)",
        right "LIGHT = (on -> off -> LIGHT)." "||HOUSE = ({hall, bath}:LIGHT)."),
    explain!(NO_SEPARATOR, "two processes with nothing between them",
        "Local processes of one definition are separated by `,`. A definition ends with `.`, and then another may begin. \
         Write `,` if the next process is a part of this one (it can then be reached from it, and only from it), and `.` \
         if it is a process of its own.",
        wrong "DOOR = (open -> OPENED)" "OPENED = (close -> DOOR).",
        right "DOOR = (open -> OPENED)," "OPENED = (close -> DOOR)."),
    explain!(END_OF_DEFINITION, "a full stop, semicolon or comma that does not belong there",
        "Processes and compositions end with `.`, never with `;`: a semicolon runs one process after another, as in \
         `P; Q; END`. Constants, ranges, sets, menus, fluents, progress properties and assertions have no sign at their end, \
         and each needs its own keyword.",
        wrong "const N = 3;" "P = (a -> P);",
        right "const N = 3" "P = (a -> P)."),
    explain!(UPPER_CASE, "a name that should begin with an upper-case letter",
        "The case of the first letter tells what a name is. Processes, constants, ranges, sets, fluents, properties and \
         parameters begin with an upper-case letter; actions and index variables with a lower-case one.",
        wrong "light = (on -> off -> light).",
        right "LIGHT = (on -> off -> LIGHT)."),
    explain!(INDEXED_PROCESS, "a definition that begins with an indexed process",
        "Only local processes can have indices. A process that has them begins with a name without index that says with \
         which values it starts. Most often the cause is a `.` where a `,` was meant: local processes are separated by \
         commas.",
        wrong "COUNT = COUNT[0]." "COUNT[i:0..3] = (when (i < 3) inc -> COUNT[i+1]).",
        right "COUNT = COUNT[0]," "COUNT[i:0..3] = (when (i < 3) inc -> COUNT[i+1])."),
    explain!(MISSING_BARS, "a composition whose name lacks the bars",
        "A process is made of actions and choices, a composition of processes. The definition of a composition begins \
         with two bars, so that they cannot be confused.",
        wrong "SYSTEM = (CLIENT || SERVER).",
        right "||SYSTEM = (CLIENT || SERVER)."),
    explain!(TAIL_ORDER, "`+`, `/`, `>>`, `\\` or `@` at a wrong place",
        "What is applied to a process stands behind it in a fixed order: first `+ {…}` extends the alphabet, then \
         `/ {new/old}` relabels, then `\\ {…}` hides or `@ {…}` hides all others. Behind a composition it is `/`, then the \
         priority `>> {…}` or `<< {…}`, then `\\` or `@`; a composition cannot be extended. Each may stand once. Inside of a \
         composition a part can be relabelled only: to hide its actions, give it a definition of its own.",
        wrong "P = (a -> b -> P) \\ {b} / {c/a}.",
        right "P = (a -> b -> P) / {c/a} \\ {b}."),
    explain!(MTSA, "a construct of MTSA",
        "MTSA is another tool that has added to FSP: controllers, goals, modal transitions and more. These are not part of \
         FSP and are passed over.",
        wrong "goal G = {safety = {S}}",
        right "property S = (a -> S)."),
    explain!(TOO_DEEP, "something is nested too deeply",
        "At most 256 brackets, conditions or signs may stand in each other, and a chain of operators may have at most \
         about a thousand of them. Texts like this are usually made by a program. Give parts of it names of their own.",
        wrong "const N = 1 + 1 + 1 + …",
        right "const N = 1000"),
    explain!(UNCLOSED_BRACKET, "an opening bracket without its closing one",
        "Every `(`, `[` and `{` needs its partner. The place that is shown is where it was missed at last; the bracket \
         that is open is shown, too.",
        wrong "P = (a -> (b -> P | c -> P).",
        right "P = (a -> (b -> P | c -> P))."),
    explain!(UNOPENED_BRACKET, "a closing bracket without its opening one",
        "There are more closing brackets than opening ones. Delete this one, or open the bracket that it should close.",
        wrong "P = (a -> P)).",
        right "P = (a -> P)."),
    explain!(EXPECTED, "something else was expected",
        "The text cannot go on in this way. The message says what could stand at the place that is shown, and what was \
         found instead.",
        wrong "P = (a -> | b -> P).",
        right "P = (a -> P | b -> P)."),
    explain!(TEXT_TOO_LONG, "a text that is too long",
        "Texts of more than 64 megabytes are not read.",
        wrong "// … more than 64 megabytes",
        right "P = (a -> P)."),
    explain!(INCLUDE, "`include` is not supported",
        "Every text stands for itself. Put the definitions of the other file into this one, or import its components \
         as `.aut` files.",
        wrong "include \"lock.lts\"",
        right "import LOCK = \"lock.aut\""),
    explain!(MODIFIER_ORDER, "modifiers in a wrong order",
        "The keywords before a definition stand in the order `deterministic minimal compose property`. Each of them may \
         be left out.",
        wrong "property minimal ||S = (P || Q).",
        right "minimal property ||S = (P || Q)."),
    explain!(LOWER_CASE, "a name that should begin with a lower-case letter",
        "Actions begin with a lower-case letter. A name in upper case is an action only if it is the name of a set of \
         actions, and that set must be defined above the place where it is used.",
        wrong "MACHINE = (Coin -> Drink -> MACHINE).",
        right "set Drink = {tea, coffee}" "MACHINE = (coin -> Drink -> MACHINE)."),
    explain!(NO_PROCESS, "an action that leads to no process",
        "After an action comes `->` and what the process does then: another action, a choice in parentheses, or the name \
         of a process. If nothing more is to happen, that is `STOP` (or `END` if it is a success). If the last name was \
         meant to be a process, it must begin with an upper-case letter.",
        wrong "P = (a -> b | c -> p).",
        right "P = (a -> b -> STOP | c -> P)."),
    explain!(ALTERNATIVE, "an alternative that does not begin with an action",
        "Each alternative of a choice begins with an action (perhaps after a guard): the action decides which of them is \
         taken. A process alone is written without parentheses.",
        wrong "P = (a -> (Q) | STOP)," "Q = (b -> P).",
        right "P = (a -> Q | stop -> STOP)," "Q = (b -> P)."),
    explain!(PARENTHESES, "a choice without its parentheses",
        "Actions and their arrows stand in parentheses, and all alternatives of a choice stand in the same pair.",
        wrong "P = a -> P | b -> P.",
        right "P = (a -> P | b -> P)."),
    explain!(LATE_GUARD, "a guard behind an action",
        "A guard `when (e)` decides whether an alternative can be chosen, so it stands at the head of the alternative. To \
         decide after an action, open a new choice.",
        wrong "P = (get[i:0..1] -> when (i == 1) use -> P).",
        right "P = (get[i:0..1] -> (when (i == 1) use -> P | when (i == 0) skip -> P))."),
    explain!(ARROW, "an action without its arrow",
        "Every action of a process is followed by `->`.",
        wrong "LIGHT = (on off -> LIGHT).",
        right "LIGHT = (on -> off -> LIGHT)."),
    explain!(GUARD, "something between a guard and its action",
        "The action follows its guard at once, without `then`, `->` or a parenthesis between them.",
        wrong "P = (when (1 < 2) -> a -> P).",
        right "P = (when (1 < 2) a -> P)."),
    explain!(CHOICE_BARS, "two bars in a choice",
        "One bar `|` separates the alternatives of a choice inside of a process. Two bars `||` compose processes that run \
         at the same time; they stand in compositions.",
        wrong "P = (a -> P || b -> P).",
        right "P = (a -> P | b -> P)."),
    explain!(KEYWORD_AS_NAME, "a keyword as a name",
        "These words have a meaning of their own in FSP and cannot name an action: actions, animation, assert, compose, \
         const, constraint, controls, deterministic, else, exists, fluent, forall, if, import, initially, menu, minimal, \
         progress, property, range, rigid, set, target, then, when.",
        wrong "CLOCK = (set -> CLOCK).",
        right "CLOCK = (setTime -> CLOCK)."),
    explain!(TAU, "`tau` as a label",
        "`tau` is the silent action, which no other process can see or take part in. It cannot be written as a label: it \
         comes about by hiding.",
        wrong "P = (tau -> a -> P).",
        right "P = (internal -> a -> P) \\ {internal}."),
    explain!(ACTION, "something that is no action",
        "An action is a name in lower case with parts that are joined by dots and indices in brackets, such as \
         `fork[2].get`; several of them stand in braces. A number is a part of a label only in brackets.",
        wrong "P = (1 -> P).",
        right "P = ([1] -> P | a[1] -> P)."),
    explain!(BRACES, "labels without their braces",
        "The value of a set, and the labels behind `+`, `\\`, `@`, `>>` and `<<`, stand in braces; relabellings do, too. \
         A difference of sets is an element, so it needs the braces as well.",
        wrong "set All = {a, b}" "set Some = All\\{b}",
        right "set All = {a, b}" "set Some = {All\\{b}}"),
    explain!(EMPTY_SET, "an empty set or relabelling",
        "A set has at least one element. Where there is nothing to hide, to extend or to relabel, leave the clause out.",
        wrong "P = (a -> P) \\ {}.",
        right "P = (a -> P)."),
    explain!(MARK, "a mark outside of an interface automaton",
        "In an interface automaton `a?` is an input and `a!` an output; an action without a mark is internal. Processes \
         have actions only. (MTSA, another tool, writes `a?` for a transition that may be missing; that is not part of FSP.)",
        wrong "SERVER = (request? -> reply! -> SERVER).",
        right "interface SERVER = (request? -> reply! -> SERVER)."),
    explain!(MARK_PLACE, "a mark at a wrong place",
        "An action of an interface automaton has its mark where it is taken, behind the whole label, and in the set behind \
         `+`. Where actions are hidden or relabelled, or in an index, they are named without it.",
        wrong "interface A = (in.{x, y?} -> out! -> A) \\ {out!}."
        , right "interface A = (in.{x, y}? -> out! -> A) \\ {out}."),
    explain!(COMPOSITION_BAR, "one bar in a composition",
        "Processes are composed with two bars. One bar separates the alternatives of a choice.",
        wrong "||SYSTEM = (CLIENT | SERVER).",
        right "||SYSTEM = (CLIENT || SERVER)."),
    explain!(COMPOSITION_PARENTHESES, "a composition without its parentheses",
        "Processes that are composed stand in parentheses. What follows these, such as a relabelling, then applies to \
         the whole.",
        wrong "||SYSTEM = CLIENT || SERVER.",
        right "||SYSTEM = (CLIENT || SERVER)."),
    explain!(EMPTY_COMPOSITION, "a composition of nothing",
        "There is nothing between the parentheses. A composition needs at least one process.",
        wrong "||SYSTEM = ().",
        right "||SYSTEM = (CLIENT)."),
    explain!(EQUALITY, "`=` where `==` is meant",
        "`=` makes a definition; `==` asks whether two values are equal.",
        wrong "P = (get[i:0..1] -> (when (i = 1) use -> P)).",
        right "P = (get[i:0..1] -> (when (i == 1) use -> P))."),
    explain!(WORD_OPERATOR, "a word or sign where an operator is meant",
        "The operators are those of C: `&&` is and, `||` is or, `!` is not, `%` is the remainder, and `/` divides and \
         rounds towards zero; `\\` hides actions. In formulas `->` is \
         implies, `<->` is if and only if, `U` is until and `W` is weak until.",
        wrong "assert A = [](request implies <>(grant or deny))",
        right "assert A = [](request -> <>(grant || deny))"),
    explain!(EXPRESSION, "something that is no expression",
        "A value is expected: a number, a constant, a parameter, an index variable, or something that is computed from \
         them, such as `i+1` or `#{a, b}`, the number of labels in a set.",
        wrong "const N = * 2",
        right "const N = 3 * 2"),
    explain!(RANGE, "a range that lacks a bound",
        "An index variable takes all values of a range, which is given by its first and last value or by the name of a \
         `range` or a `set`. A constant alone is only one value.",
        wrong "const N = 3" "P = (get[i:N] -> P).",
        right "const N = 3" "P = (get[i:0..N] -> P)."),
    explain!(OPERATOR, "an operator that needs parentheses",
        "In the definitions of constants and ranges, after `initially` and after `rigid`, an expression is made of \
         `+ - * / %` only, because `||` may begin the next definition there. Put any other expression in parentheses.",
        wrong "const BIG = 3 > 2",
        right "const BIG = (3 > 2)"),
    explain!(FORMULA_PARENTHESES, "a formula that needs parentheses around it",
        "An assertion is a formula that begins with an operator such as `[]`, `<>`, `!` or `X`, or one in parentheses. So \
         a formula whose outermost operator is `&&`, `||`, `->`, `<->`, `U` or `W` stands in parentheses as a whole.",
        wrong "assert A = []request -> <>grant",
        right "assert A = ([]request -> <>grant)"),
    explain!(FORMULA, "something that is no formula",
        "A formula is an action, a set of actions in braces, a fluent or another assertion, or made of these with the \
         operators `!`, `X`, `<>`, `[]`, `&&`, `||`, `->`, `<->`, `U` and `W`. A condition on numbers is written \
         `rigid(e)`.",
        wrong "assert A = [](request -> )",
        right "assert A = [](request -> <>grant)"),
    explain!(FORMULA_CHAIN, "two of `->`, `<->`, `U` and `W` side by side",
        "None of these operators binds more tightly than the others, so it would not be clear what is meant. Parentheses \
         say so.",
        wrong "assert A = (a -> b -> c)",
        right "assert A = (a -> (b -> c))"),
    explain!(QUOTES, "the name of a file without its quotes",
        "The names of files stand in quotes.",
        wrong "import BUFFER = buffer.aut",
        right "import BUFFER = \"buffer.aut\""),
    explain!(UNCLOSED_COMMENT, "a comment that is never closed",
        "A comment that begins with `/*` goes on to the next `*/`. If there is none, the rest of the text is a comment, \
         and its definitions are not there.",
        wrong "P = (a -> P). /* a process" "Q = (b -> Q).",
        right "P = (a -> P). /* a process */" "Q = (b -> Q)."),
];
