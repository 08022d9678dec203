//! `explain`: the meaning of diagnostic codes.

use rely_base::Code;

use crate::report::ExplainResult;

/// A file that is not a certificate.
pub(crate) const BAD_CERTIFICATE: Code = Code("E0230");

/// A property that was asked for does not exist.
pub(crate) const NO_SUCH_PROPERTY: Code = Code("E0002");

/// A system that has nothing to verify.
pub(crate) const NOTHING_TO_VERIFY: Code = Code("E0003");

/// A part that was named does not exist.
pub(crate) const NO_SUCH_PART: Code = Code("E0004");

/// A component that should be an interface automaton, but is not.
pub(crate) const NOT_AN_INTERFACE: Code = Code("E0005");

/// A rule for interface automata that cannot be applied.
pub(crate) const INAPPLICABLE: Code = Code("E0006");

/// Contracts that cannot be combined.
pub(crate) const NOT_COMBINABLE: Code = Code("E0007");

/// A part that cannot be judged as an interface automaton.
pub(crate) const NOT_JUDGED: Code = Code("E0008");

/// A name that several properties of a system have.
pub(crate) const AMBIGUOUS: Code = Code("E0012");

/// A certificate that does not claim that nothing fails.
pub(crate) const NOT_ALL_CLAIMED: Code = Code("W0007");

/// A composite whose parts send what cannot be taken.
pub(crate) const ILLEGAL_STATES: Code = Code("W0001");

/// An equivalence that affects the compatibility of an interface automaton.
pub(crate) const NOT_KEPT: Code = Code("W0002");

/// A file cannot be read or written.
pub const UNREADABLE: Code = Code("E0001");

/// The command line is not understood.
pub const WRONG_USAGE: Code = Code("E0009");

/// A mistake in this program.
pub const INTERNAL: Code = Code("E0010");

/// A trace that is not a run of the target.
pub const IMPOSSIBLE_TRACE: Code = Code("E0011");

/// Nothing to write a certificate of.
pub const NO_CERTIFICATE: Code = Code("W0005");

/// A limit that was reached before there was anything to say.
pub const LIMIT_REACHED: Code = Code("W0006");

/// A format that cannot represent a part of what is written.
pub(crate) const LOST: Code = Code("W0003");

/// A target whose runs are not all known, or that is too large to be one component.
pub(crate) const BOUNDED: Code = Code("E0016");

/// A file from which nothing can be mined.
pub(crate) const NOTHING_TO_MINE: Code = Code("E0014");

/// An environment that the language does not know.
pub(crate) const NO_ENVIRONMENT: Code = Code("E0015");

/// A fairness that the language does not have.
pub(crate) const NO_SUCH_FAIRNESS: Code = Code("E0017");

/// Flow analysis in a language that has no flow models.
pub(crate) const NO_FLOW: Code = Code("E0021");

/// A constraint that the flow model does not have.
pub(crate) const NO_CONSTRAINT: Code = Code("E0022");

/// A property of whole executions, in a language that does not define where executions end.
pub(crate) const NO_END: Code = Code("E0023");

/// An event that the program does not have.
pub(crate) const NO_SUCH_EVENT: Code = Code("W0013");

/// A diagram in a language that has none.
pub(crate) const NO_DIAGRAM: Code = Code("E0026");

/// SPIN in a language that is not written as Promela.
pub(crate) const NO_SPIN: Code = Code("E0025");

/// A target with priorities where a program is needed.
pub(crate) const NO_PRIORITY: Code = Code("E0028");

/// A property that calls one event by two names.
pub(crate) const EVENT_NAMED_TWICE: Code = Code("E0013");

/// A part, other than the property, that can fail by itself.
pub(crate) const FAILS_BESIDE: Code = Code("W0004");

/// A property process that is not checked.
pub(crate) const UNCHECKED: Code = Code("W0010");

/// A fluent that no formula uses.
pub(crate) const UNUSED_FLUENT: Code = Code("W0011");

/// An assumption with actions that no component has.
pub(crate) const FOREIGN_ACTIONS: Code = Code("W0012");

/// An expectation that cannot be read.
pub(crate) const BAD_EXPECTATION: Code = Code("E0240");

/// An expectation about a target that does not exist.
pub(crate) const EXPECTED_OF_NO_TARGET: Code = Code("E0241");

/// An expectation about a property that does not exist.
pub(crate) const EXPECTED_OF_NO_PROPERTY: Code = Code("E0242");

/// A comment that allows or denies what is not a warning.
pub(crate) const NO_WARNING: Code = Code("E0243");

/// A component that was built with a property inside of it.
pub(crate) const PROPERTY_BUILT_IN: Code = Code("E0250");

/// A comment that is nearly an expectation.
pub(crate) const NEARLY_EXPECTATION: Code = Code("W0240");

/// Interface automata that cannot be composed.
pub(crate) const NOT_COMPOSABLE: Code = Code("E0329");

/// The codes that do not belong to a single language.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "E0272",
        "a recorded event cannot be read",
        "`rely monitor --check` reads a JSON object on each line, with `action`, or with `method`, `object`, `thread` and \
         `values` and a mapping; or an export of OpenTelemetry spans.",
    ),
    ("E0273", "a target cannot be followed", "Its deterministic form is too large for a monitor."),
    (
        "E0274",
        "a language cannot hold a watch",
        "Some name cannot be written down in it, or the tables are too large.",
    ),
    (
        "E0280",
        "a view cannot be read",
        "A view binds a picture to a model: `NAME.view.json` beside `NAME.lts`. It is JSON:\n\
         \n    { \"picture\": \"lamp.svg\",\
         \n      \"items\": [\
         \n        { \"id\": \"bulb\", \"attribute\": \"fill\", \"component\": \"LAMP\", \"states\": { \"LAMP\": \"grey\", \"*\": \"gold\" } },\
         \n        { \"id\": \"label\", \"attribute\": \"text\", \"actions\": { \"on\": \"it shines\", \"off\": \"\" } } ],\
         \n      \"clicks\": [ { \"id\": \"switch\", \"action\": \"o*\" } ] }\n\
         \nAn item sets an attribute of an element of the picture by the state of a component, or by the last action that it \
         has a value for. The first name that fits counts; `*` at its end stands for any ending. `\"targets\": [ … ]` says which \
         targets the view is for.",
    ),
    (
        "E0281",
        "a view names something that does not exist",
        "Components, states and actions are called what `rely simulate` calls them: `s` there shows the states of all components. \
         An element of the picture is named by its `id`, which drawing programs show among the properties of an object.",
    ),
    (
        "E0282",
        "a picture cannot be used",
        "A picture is an SVG file of at most 4 MiB. Shapes, texts, groups, gradients and markers are shown; scripts, styles for \
         other elements, and whatever is loaded from elsewhere are left out.",
    ),
    (
        "E0283",
        "an attribute cannot be changed by a view",
        "A view changes what places and colours an element (`fill`, `stroke`, `opacity`, `visibility`, `transform`, `x`, `d`, …), and \
         its text (`text`). A value is plain, or refers to the picture itself: `url(#NAME)`.",
    ),
    (
        "E0270",
        "there is no assumption to take to a program",
        "The property fails in every environment, in the design already. `rely assume` shows a trace.",
    ),
    (
        "E0271",
        "a file of an assumption has several processes",
        "Side by side they would be another assumption. Give each a file of its own: several assumptions hold together.",
    ),
    (
        "E0016",
        "a target is known only within bounds",
        "A component of its own may do more than it does in its system, and a program whose queues are bounded may do less than \
         it would without the bounds. `rely check` says what is known nevertheless; verbs that build a \
         transition system, or look for assumptions, would answer for another system, and report this error.",
    ),
    (
        "E0014",
        "nothing can be mined",
        "`rely mine` finds out what is true of the events that a component of a system of reactive machines takes from the rest \
         of the system. Other languages have no such interface: `rely assume` finds out what a component needs.",
    ),
    (
        "E0015",
        "an environment cannot be chosen",
        "`--environment` says what a component of a system of reactive machines may rely on when it is checked alone. In other \
         languages, the environment is a component like any other.",
    ),
    (
        "E0017",
        "a fairness is unknown to the language",
        "In FSP, tasks and reactive machines, fairness is about choices: `none`, `choice` or `random`. In message components, where \
         processes take turns, it is about processes: `none`, `weak` or `strong`; and so it is, about actions, for properties that a file \
         beside the model (`.aim`) states.",
    ),
    (
        "E0021",
        "flow analysis cannot be used",
        "`--engine flow` searches the flow graph of a program of tasks (.adb). Other languages have no such graph: leave the \
         option out.",
    ),
    (
        "E0025",
        "SPIN cannot be used",
        "`--engine spin` writes components and systems of reactive machines (.srs) as Promela and asks SPIN about them. Models in \
         other languages are not written as Promela: leave the option out.",
    ),
    (
        "E0026",
        "there is no diagram",
        "`rely draw --diagram` shows what a text says: the states and transitions of a machine, or who sends what to whom. \
         Reactive machines (.srs) have such diagrams. In other languages leave the option out: the state space is drawn.",
    ),
    (
        "E0028",
        "a target with priorities cannot be asked about",
        "Properties of a file of their own in the language of message components (`.aim`) are asked of targets in which it does not depend on \
         other steps whether a step is possible. With `<<` and `>>` it does.",
    ),
    (
        "E0022",
        "a constraint does not exist",
        "`--constraints NAME,…` names variables and tasks of the program: the automaton of a variable knows its value, and that \
         of a task its control flow. A name without indices means all elements of an array. `--constraints auto` finds out \
         which are needed.",
    ),
    (
        "E0023",
        "a property is about whole executions",
        "A quantified regular expression is judged where an execution ends. Programs of tasks say where that is; other languages \
         do not. Write a property process or an assertion in FSP.",
    ),
    (
        "E0013",
        "a property calls one event by two names",
        "Some languages give an event several names: `task.entry` is a rendezvous with any caller, and `caller.task.entry` the \
         one with that caller. A property that has both would see one event twice. Use one of the names throughout.",
    ),
    (
        "E0001",
        "a file cannot be read or written",
        "The message says which file, or that it is standard output, and the error of the operating system. The \
         exit status is 3, and 4 if a limit was reached while a file was read or written.",
    ),
    (
        "E0002",
        "a property does not exist",
        "`--only` takes kinds (deadlock, safety, progress, ltl, divergence) and the names of the progress properties and \
         assertions of the file. An indexed progress property is named with its index: `P.1`.",
    ),
    (
        "E0003",
        "there is nothing to verify",
        "`rely verify` looks for the property processes among the parts of the system (`||SYS = (A || B || P)` with \
         `property P = ...`), and for parts that can reach ERROR by themselves. Add one, or name a property process of \
         the file with `--property P`.",
    ),
    (
        "E0004",
        "a part does not exist",
        "`--left` takes parts of the system: by their full names (`phil.1:PHIL`), by the name of their definition \
         (`PHIL`, all of them), or by the composite that they belong to. A property is not a part: it only observes, and \
         belongs to no group.",
    ),
    (
        "E0005",
        "a component is no interface automaton",
        "`rely compatible` and `rely refines` are about automata that know which actions they receive and which they \
         send. Define them with `interface A = (in? -> out! -> A).`, or compose them: `||S = (A || B).` is one, too. \
         A file in .aut format is one if every label ends with `?`, `!` or `;`, each action always with the same. \
         Processes without roles can be parts of such a composite: they restrict what the automata do.",
    ),
    (
        "E0006",
        "a rule for interface automata cannot be used",
        "The rules of `rely verify --rule ia-...` split a system in two groups of interface automata. `ia-prop` and \
         `ia-hybrid` are about closed systems, in which each action is sent by one automaton and received by another; \
         with `--every-environment` they are about open ones, too. `ia-altref` needs a specification without choices \
         whose signature fits. `--weak` does not go with a property, or with a process that knows internal actions of \
         the automata, since these see what is done before something is taken. `--strategy monolithic` needs no rule.",
    ),
    (
        "E0007",
        "contracts cannot be combined",
        "`rely contract conjoin`, `merge`, `quotient` and `consistent` need contracts without choices: deterministic, without \
         internal actions, and without ERROR. `rely contract compose --operands A` gives the strongest such contract \
         that `A` refines. What is conjoined or merged are contracts of one part: an action is an input of all that have it, \
         or an output of all.",
    ),
    (
        "E0008",
        "a part cannot be judged as an interface automaton",
        "An interface automaton has no step for what it must not take. One that reaches ERROR fails by itself, and no \
         other part is to blame; the same is true of a process that is composed with the automata. Write what must never \
         happen as a property process: `property P = ...`. A composite in which automata send to each other stands for its \
         parts, as long as it is a \
         mere parallel composition or is asked about by its own name. With priority, or with hiding, a keyword or a \
         relabelling that joins actions inside of another composite, it is built first, and then it cannot be seen any more \
         that one part sends what another cannot take. Compose its parts directly, or use the result of `rely contract \
         compose`. This error is also reported if a process in a composite that is built has an input of the composite: as a \
         separate part, the process prevents the action, which is no error; once it is built, the composite refuses the \
         input.",
    ),
    (
        "E0009",
        "the command line makes no sense",
        "An option has a value that it cannot have, does not go with another one, or names something that the file does \
         not have. The message says which; `rely VERB --help` lists the options of a verb. The exit status is 2.",
    ),
    (
        "E0010",
        "an internal failure",
        "There is a mistake in rely itself. The exit status is 5, and nothing that was printed is a verdict.",
    ),
    (
        "E0011",
        "a trace is no run of the target",
        "`rely simulate --replay` takes one action after the other, and the target cannot take this one. The trace may be \
         that of another target, or of another version of the model.",
    ),
    (
        "E0012",
        "a name means several properties",
        "A system may contain one property process several times, as in `||S = (M || P || P/{c/a})`. Where their full names \
         are the same, the number of the component is added: `P#2` is the second component of the system. Name it so, or \
         leave out `--property` to verify all of them.",
    ),
    (
        "W0001",
        "the parts of a composite can send what cannot be taken",
        "`rely refines` compares what the parts of a composite do together, and `rely contract` combines it. What one part \
         sends and another cannot take does not happen there, so the answer says nothing about it. \
         `rely compatible --every-environment` shows it; `rely verify --rule ia-altref` and `rely contract compose` take \
         it into account.",
    ),
    (
        "W0002",
        "an equivalence does not keep where inputs are taken",
        "`rely minimise --equivalence weak`, and all others but `strong`, join states of which one takes an input at once \
         and the other after a silent step, or not at all. A partner that sends this input is compatible with one of them \
         only, so the result must not take the place of the interface automaton. Without `--equivalence`, `rely minimise` \
         joins only states that no partner and no refinement can distinguish.",
    ),
    (
        "W0003",
        "a format has no place for a part of what is written",
        "A file in .aut format has a list of transitions and nothing else. That a process may end (END) is lost, and the \
         last state looks like a deadlock when the file is read again. Actions that a process has and never takes, as with \
         `P = (a -> P) + {b}`, are lost, too: beside other components it does not keep them from `b` any more. Write .json \
         or .fsp to keep both.",
    ),
    (
        "W0004",
        "a part beside the property can fail by itself",
        "`rely verify --property P` asks whether a run breaks `P` before anything else has failed. A part that reaches ERROR \
         by itself ends the run: a step that breaks `P` at the same time counts, and nothing after it is looked at. \
         `--property ERROR` asks whether such a part fails; without `--property`, both are asked.",
    ),
    (
        "W0005",
        "there is no certificate to write",
        "A certificate has a claim for each property that was found to hold. Where nothing holds, or a limit was reached \
         while the evidence was made, `--certificate FILE` writes no file; one that is there already stays as it is.",
    ),
    (
        "W0006",
        "a limit was reached",
        "`--timeout`, `--max-memory`, `--max-states` or Ctrl-C ended the work before there was any result. The \
         exit status is 4.",
    ),
    (
        "W0007",
        "a certificate does not claim that nothing fails",
        "A certificate of `rely verify` has a claim for each property that holds. If everything in a system that can fail is \
         claimed, and all claims are accepted, nothing in it ever fails, and `rely certify` says that its safety is \
         certified. Here no claim covers something that can fail: a property process that was not asked for or did not \
         hold, or ERROR, the parts that can fail by themselves. With `--strict` the exit status is 1.",
    ),
    (
        "W0010",
        "a property is not checked",
        "A property process is checked if it is composed with the processes that it is about. One that is in no composite, or in \
         none that is checked, has no effect, and whatever it forbids may happen. Compose it:\n\
         \n    property SAFE = (lock -> unlock -> SAFE).\
         \n    ||SYSTEM = (A || B).\
         \n    ||CHECKED = (SYSTEM || SAFE).\n\
         \nor ask `rely verify FILE --system SYSTEM --property SAFE`. With `--strict` this is exit status 1.",
    ),
    (
        "W0011",
        "a fluent is used by no formula",
        "A fluent means something in an assertion, a constraint or an `ltl_property` that uses it. Nothing looks at the \
         actions of a fluent that no formula uses, so that mistakes in them go unnoticed.",
    ),
    (
        "W0012",
        "an assumption has actions that no component has",
        "`rely retrieve` compares an assumption with components. An action of the assumption that none of them has is free to \
         occur at any time, so components may break the assumption for this reason alone. If an assumption is read from a \
         file with other processes, for `rely monitor` as well, an action is reported only if it is similar to one of theirs. \
         Most often the name is misspelt, or a prefix is missing.",
    ),
    (
        "W0013",
        "a property has an event that the program does not have",
        "In a program of tasks a rendezvous is `task.entry`, an assignment `variable=value`, a test `variable==value`, the end \
         of a task `task.end`; all in small letters. An event that does not exist never happens, so a property that forbids it \
         holds and says nothing. With `--strict` the exit status is 1.",
    ),
    (
        "E0230",
        "a certificate cannot be judged",
        "It is no certificate, or it claims nothing. A certificate is what `--certificate FILE` has written; `rely certify` \
         judges the claims in it.",
    ),
    (
        "E0240",
        "an expectation cannot be read",
        "A comment `//! expect TARGET PROPERTY VERDICT` says which verdict `rely check` and `rely verify` should come to. The \
         verdict is `holds`, `violated` or `unknown`, and about one property of one target only one can be expected.\n\n\
         wrong: //! expect SYS deadlock fails\n\
         right: //! expect SYS deadlock violated",
    ),
    (
        "E0241",
        "an expectation is about a target that does not exist",
        "The first word behind `//! expect` is a process or composite of the file, or DEFAULT for all its processes \
         together.\n\n\
         wrong: //! expect SYTEM deadlock violated\n\
         right: //! expect SYSTEM deadlock violated",
    ),
    (
        "E0242",
        "an expectation is about a property that does not exist",
        "The second word behind `//! expect` is `deadlock`, `safety`, `divergence`, the name of a progress property or an \
         assertion (with its indices: `P.1`), or `progress` in a file that declares no progress property. For `rely verify` \
         it is also the name of a property process, `ERROR`, `compatible` or a specification.\n\n\
         wrong: //! expect SYSTEM deadlocks violated\n\
         right: //! expect SYSTEM deadlock violated",
    ),
    (
        "E0243",
        "a comment allows or denies what is not a warning",
        "A comment `//! allow` or `//! deny` has the codes of warnings, which begin with W. An allowed warning is not \
         reported for this file; a denied one is a failure (exit status 1), even if everything holds. Errors can be neither \
         allowed nor denied.\n\n\
         wrong: //! allow unused\n\
         right: //! allow W0010",
    ),
    (
        "E0250",
        "a property is built into a component",
        "`rely assume` asks what a component needs for one property, and `rely retrieve` which components satisfy an \
         assumption. Other properties only observe, and are left out. A composite with `minimal`, \
         `deterministic`, priority or hiding that is part of another composite is built first, with the properties in it. \
         After that a failure of such a property cannot be told from a failure of the component.\n\n\
         wrong: minimal ||PART = (M || SAFE). ||SYSTEM = (PART || N).   --component SYSTEM\n\
         right: minimal ||PART = (M). ||SYSTEM = (PART || N || SAFE).   --component SYSTEM",
    ),
    (
        "W0240",
        "a comment is nearly an expectation",
        "A comment that begins with `//!` and a word like `expect` looks as if it should say which verdict is expected, but \
         says nothing. Write `//! expect`, or begin the comment with `//` if it is meant for readers.\n\n\
         wrong: //! expects SYSTEM deadlock violated\n\
         right: //! expect SYSTEM deadlock violated",
    ),
];

/// The explanations of all codes, in order.
pub fn explanations() -> Vec<ExplainResult> {
    let mut all: Vec<ExplainResult> = crate::Languages::all()
        .explanations()
        .into_iter()
        .map(|explanation| ExplainResult {
            code: explanation.code.to_string(),
            title: explanation.title.to_owned(),
            text: explanation.text.to_owned(),
        })
        .collect();
    all.extend(OTHERS.iter().map(|&(code, title, text)| ExplainResult {
        code: code.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
    }));
    all.extend(rely_harness::CODES.iter().map(|explanation| ExplainResult {
        code: explanation.code.to_string(),
        title: explanation.title.to_owned(),
        text: explanation.text.to_owned(),
    }));
    all.sort_by(|a, b| a.code.cmp(&b.code));
    all
}

/// The explanation of a code, upper or lower case.
pub fn explain(code: &str) -> Option<ExplainResult> {
    explanations().into_iter().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
}
