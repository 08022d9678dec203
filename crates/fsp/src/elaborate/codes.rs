//! The codes of errors in the meaning of a text.

rely_syntax::codes! {
    /// Explanations of the codes of elaboration.
    pub(crate) MEANING;
    UNDEFINED_CONSTANT = "E0301", "a constant or parameter is not defined",
"An upper-case name in an expression stands for a constant (`const N = 3`) or for a parameter of the process. \
Constants have to be defined above the constants, ranges and sets that use them.

    P = (when (MAX > 0) a -> P).        wrong: MAX is not defined

    const MAX = 3
    P = (when (MAX > 0) a -> P).        right";
    UNDEFINED_VARIABLE = "E0302", "a variable is not defined",
"A lower-case name in an expression is a variable. Variables are bound by the index of a local process or of an \
action, `[i:0..3]`, and are known from there to the end of the branch.

    P = (in[i:0..3] -> out[j] -> P).    wrong: j is not bound
    P = (in[i:0..3] -> out[i] -> P).    right";
    NOT_A_NUMBER = "E0303", "a label stands where a number is needed",
"Arithmetic works on numbers only; labels can be compared with `==` and `!=` and used as indices.

    P = (in[x:{red,green}] -> out[x+1] -> P).    wrong: x is a label";
    ARITHMETIC = "E0304", "an expression has no value",
"The expression divides by zero, or its value does not fit into 32 bits.";
    EMPTY_RANGE = "E0305", "a range is empty",
"The first value of a range must not be above its last one.

    range R = 3..0                      wrong
    range R = 0..3                      right";
    TOO_LARGE = "E0306", "an expansion is too large",
"An index, a set or a process stands for more than a few million labels or states. Explicit exploration cannot handle \
that; use a smaller range: most errors show themselves in small instances already. The automaton of a formula that is \
used as a process has a limit, too: each `X` inside of another one may double it.";
    DUPLICATE = "E0307", "a name is defined twice",
"Each constant, range, set, process, composite, fluent, assertion and progress property of a file has a name of its own.";
    SHADOWED = "E0308", "a variable is bound twice",
"A variable keeps its value to the end of the branch that binds it; a second binding of the same name inside of it \
would hide the first one.

    P = (a[i:0..1] -> b[i:0..1] -> P).    wrong
    P = (a[i:0..1] -> b[j:0..1] -> P).    right";
    UNDEFINED_SET = "E0309", "a set is not defined",
"An upper-case name where labels are expected stands for a set, which has to be defined above: `set S = {a, b}`.";
    DUPLICATE_LOCAL = "E0310", "a local process is defined twice",
"Two definitions of local processes overlap: the same name with the same index.

    P = A[0], A[i:0..1] = (a -> P), A[1] = (b -> P).    wrong: A[1] is defined twice";
    RESERVED = "E0311", "a name cannot be used here",
"`STOP`, `END` and `ERROR` are predefined, and the name of a process itself takes no index; its local processes do.";
    CIRCULAR = "E0312", "a local process is defined as itself",
"`P = Q, Q = P.` names the same state in circles and never says what it does. Give one of them an action.";
    NONDETERMINISTIC_PROPERTY = "E0313", "a property is not deterministic",
"A property says which sequences of actions are allowed, so after each sequence there must be one state to be in: no \
hidden actions, and no two branches with the same action. Write `deterministic property ||P = (Q).` with a composite \
to have a process made deterministic.";
    NOT_SEQUENTIAL = "E0314", "a process in a sequence never ends",
"In `P; Q` the process P has to reach END, or Q is never reached.

    P = (a -> STOP).   Q = P; END.      wrong: P stops for ever
    P = (a -> END).    Q = P; END.      right";
    UNDEFINED_PROCESS = "E0315", "a process is not defined",
"A composition, a sequence or the command line names a process that the file does not define.";
    ARITY = "E0316", "the number of parameters is wrong",
"A process is called with as many actual parameters as it has formal ones, or with none at all: then the defaults count.";
    RECURSIVE = "E0317", "a process contains itself",
"A composite that contains itself, directly or through others, would have infinitely many parts. Recursion is possible \
only over a parameter that ends it: `||S(N=3) = (P || if N > 0 then S(N-1)).`";
    TOO_DEEP = "E0318", "definitions are nested too deeply",
"Processes call each other through more than two hundred levels. Does the recursion over a parameter end?";
    FLUENT_OVERLAP = "E0319", "a fluent is switched on and off by the same action",
"The two sets of a fluent must have no action in common.

    fluent BUSY = <{start, stop}, {stop}>    wrong
    fluent BUSY = <start, stop>              right";
    UNDEFINED_PROPOSITION = "E0320", "a fluent or assertion is not defined",
"An upper-case name in a formula stands for a fluent or for another assertion of the file. Actions are lower-case.";
    NOT_SAFETY = "E0321", "a constraint is not a safety formula",
"`constraint` and `ltl_property` turn a formula into a process, which is possible only if every violation shows itself \
after finitely many actions. `<>a` is not such a formula: nothing finite violates it. Use `assert` for liveness.";
    SEES_OTHER_STEPS = "E0332", "an assertion is no property process",
"`rely verify --property A` and `rely assume --property A` take an assertion as a property process, which sees the actions \
that the formula mentions and nothing else. In `rely check` every step of the target counts: in `[](a -> X b)` the step after \
`a` must be `b`, whatever other processes do, and a target that stops after `a` breaks it as well. A process cannot see that. \
Use `rely check`, or say what is meant by its own actions: `ltl_property A = [](a -> X b)` wants the next of `a` and `b` after \
an `a` to be `b`.";
    IMPORT = "E0322", "an imported file cannot be used",
"`import P = \"file.aut\"` reads a transition system in the Aldebaran format, or in that of `.json` files; the path is relative \
to the FSP file.";
    LABEL_SET_AS_VALUE = "E0323", "a set of labels stands where one label is needed",
"`'a.b` is a single label; `'{a,b}` or `'a[0..1]` are several.";
    SELECT = "E0324", "a position is outside of a set",
"`@(S, e)` is the label at position e of the set S, counted from 0.";
    RECURSIVE_ASSERTION = "E0325", "an assertion is defined by itself",
"Assertions can use one another, but not in a circle.";
    EMPTY_COMPOSITION = "E0326", "a composition is empty",
"A composite needs at least one part; an `if` without `else` or a `forall` may leave none.";
    TWO_ROLES = "E0328", "an action has two roles in an interface automaton",
"To one interface automaton an action is an input `a?`, an output `a!`, or internal `a`, everywhere the same. A relabelling \
must not make one action of two that have different roles.

    interface A = (ask? -> ask! -> A).       wrong
    interface A = (ask? -> answer! -> A).    right";
    NOT_COMPOSABLE = "E0329", "interface automata cannot be composed",
"An action that two interface automata share is an output of one and an input of the other. Nobody else among them has \
it, and internal actions are not shared. Processes and properties may have any action.

    interface A = (ring! -> A).
    interface B = (ring! -> B).
    ||S = (A || B).                          wrong: both send ring
    ||S = (a:A || b:B).                      right: each has a bell of its own";
    HIDDEN_INPUT = "E0330", "an input is hidden",
"Hiding makes actions silent. The environment decides when an input comes, and it cannot decide about what it does not \
see. Outputs and internal actions can be hidden.

    interface A = (in? -> out! -> A)\\{in}.     wrong
    interface A = (in? -> out! -> A)\\{out}.    right";
    INTERFACE_KEYWORD = "E0331", "a keyword that interface automata cannot have",
"`property` sends what is not allowed to the error state, and `deterministic` joins states that accept different inputs: \
the result would promise inputs that it does not accept. Neither gives an interface automaton. `minimal` does: it joins \
strongly bisimilar states, so that an input that is taken after a silent step is not taken before it.

    property interface A = (in? -> A).       wrong
    interface A = (in? -> A).                right
    property P = (in -> P).                  right: a property of what A does";
    NOT_A_RANGE = "E0327", "a variable is bound to something that is not a range",
"`[i:X]` binds i to each value of X in turn, so X has to be a range, `0..3` or a name defined by `range`, or a set of \
labels.

    const N = 3
    P = (a[i:N] -> P).                  wrong: N is one number
    P = (a[i:0..N] -> P).               right";
    DEFINED_AS_ERROR = "W0301", "an undefined local process is taken as ERROR",
"The process goes on as a local process that is not defined, or with an index outside of its range. As in LTSA this is \
the error state, so that safety analysis shows how it can be reached. Often a guard is missing:

    C[i:0..3] = (inc -> C[i+1]).               C[4] is ERROR
    C[i:0..3] = (when (i<3) inc -> C[i+1]).    right";
    RELABELS_NOTHING = "W0302", "a relabelling has no effect",
"No action of the process matches the old label. A relabelling is written `new/old`: first the new name, then the one \
that the process uses.

    P = (a -> P)/{a/b}.    wrong: there is no b
    P = (a -> P)/{b/a}.    a becomes b";
    HIDES_NOTHING = "W0303", "a label is not an action of the process",
"A label that is hidden, exposed or given a priority matches no action of the process, so it has no effect.";
    UNUSED_BROKEN = "W0304", "a definition that is not used has errors",
"The targets that are checked do not use this definition, so its errors do not matter to them.";
    PASSED_OVER = "W0305", "a definition is passed over",
"An `animation` of LTSA names a scene in XML, which only LTSA plays; rely reads the definition and passes it over. Draw the \
picture as SVG, with any program, and bind it to the model in a view file: `NAME.view.json` beside `NAME.lts`. `rely explain \
E0280` shows one, `rely draw NAME.lts --view NAME.view.json -o film.html` animates a run, and so does the page.";
    REBOUND = "W0307", "a variable is bound twice in one label",
"In `a[i:0..1].b[i:0..2]` both parts bind i, and what follows sees the value of the second one. This is rarely meant.

    P = (a[i:0..1].b[i:0..2] -> Q[i]).    i is the index of b
    P = (a[i:0..1].b[j:0..2] -> Q[i]).    clear";
    SEQUENCED = "W0308", "a process of a sequence is no part of DEFAULT",
"Where a file defines no composite, `DEFAULT` is all of its processes side by side, each once. LTSA adds those that a \
sequence calls with actual parameters, and they synchronise with the sequence: often nothing can move any more. To be \
independent of this, define a composite.

    P(N=1) = (a[N] -> END).
    Q = P(2); END.            LTSA composes P, Q and P(2)

    ||SYSTEM = (Q).           clear";
    TAKES_NOTHING_AWAY = "W0310", "a label is taken away from a set that does not have it",
"In `S \\ {a}` the set S has no label `a`, so that nothing is taken away. The name may be misspelt.

    set S = {open, close}
    progress P = S \\ {clse}     wrong: P still has close
    progress P = S \\ {close}    right";
    DIVERGENCE_LOST = "W0306", "a reduction loses endless silent behaviour",
"`minimal` uses observational equivalence, which does not tell a process that works silently for ever from one that has \
stopped. Deadlocks that are reported may be divergences, and the other way round.";
}
