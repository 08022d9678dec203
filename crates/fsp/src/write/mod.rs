//! Writing a transition system as FSP, for people to read and for the parser to read back.
//!
//! *Problem*: an assumption, or the result of a composition, is a table of states; its users think in FSP. Read again,
//! the text has to mean the same: the same alphabet, the same reachable transitions up to the numbers of the states,
//! π as `ERROR`, the end as `END`.
//!
//! *Idea*: every state is a local process, and the initial one has the name of the process. The body of a state lists
//! its targets, each once, with the set of actions that lead there: `{a, b} -> Q1`. Two targets of one action are two
//! branches, so nondeterministic choices are preserved. Actions on no transition go into `+ {…}`; τ is an action with
//! a new name that is hidden at the end, which is exact, because hiding does nothing else.
//!
//! *Deviations*: FSP has one `STOP`, so the states without transitions become one. They are strongly bisimilar. A
//! process that is `ERROR` itself is read as one that takes a silent step first, so a system that begins in π has no
//! text.
//!
//! Called for assumptions that are shown to users. Time and text are linear in the transitions, except for sorting.

mod labels;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_lts::{Edge, InterfaceAutomaton, Lts, Role, operators};
use rustc_hash::FxHashSet;

use self::labels::{Part, is_process_name, parts_of, spell_set};
use crate::MAX_TEXT;

/// Lines are broken before this column.
const WIDTH: usize = 100;

/// Maximum width of the head of a local process before its choice moves to the next line.
const MAX_INDENT: usize = 30;

/// Maximum number of actions that can certainly be read back from one set.
const MAX_ACTIONS: usize = 1 << 20;

/// Why a system has no FSP text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// The name for the process cannot be the name of a process.
    Process {
        /// The name.
        name: String,
    },
    /// An action has a name that FSP cannot spell.
    Action {
        /// The name.
        name: String,
    },
    /// The system begins in the error state.
    BeginsInError,
    /// The system is not the meaning of a property process; the clause says why.
    NotAProperty {
        /// A clause: "it is not deterministic".
        because: &'static str,
    },
    /// The text would be too large to be read back.
    TooLarge,
}

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Process { name } => {
                write!(f, "`{}` cannot be the name of a process in FSP", name.escape_debug())
            }
            Self::Action { name } => {
                write!(f, "the action `{}` has no spelling in FSP", name.escape_debug())
            }
            Self::BeginsInError => {
                f.write_str("the system begins in the error state, and no process of FSP does")
            }
            Self::NotAProperty { because } => write!(f, "the system is not a property: {because}"),
            Self::TooLarge => f.write_str("the system is too large to be written as FSP"),
        }
    }
}

impl std::error::Error for Unwritable {}

/// The text of a process with a name, whose meaning is the given system.
///
/// ```
/// use rely_base::{Alphabet, Label};
/// use rely_lts::LtsBuilder;
///
/// let alphabet: Alphabet = ["p.1.enter", "p.1.exit"].into_iter().collect();
/// let mut builder = LtsBuilder::new(alphabet);
/// let (out, inside) = (builder.add_state(), builder.add_state());
/// builder.add_transition(out, Label::from_raw(1), inside);
/// builder.add_transition(inside, Label::from_raw(2), out);
/// assert_eq!(
///     rely_fsp::write("TURN", &builder.build()).expect("FSP has these names"),
///     "TURN = (p[1].enter -> Q1),\nQ1 = (p[1].exit -> TURN).\n"
/// );
/// ```
///
/// # Errors
/// When a name cannot be spelt, or the system begins in the error state.
pub fn write(name: &str, lts: &Lts) -> Result<String, Unwritable> {
    Writer::new(name, &operators::trim(lts))?.text("")
}

/// The text of an interface automaton with a name, with `?` behind its inputs and `!` behind its outputs.
///
/// ```
/// use rely_base::{Alphabet, Label};
/// use rely_lts::{InterfaceAutomaton, LtsBuilder, Role};
///
/// let alphabet: Alphabet = ["ask", "answer"].into_iter().collect();
/// let mut builder = LtsBuilder::new(alphabet);
/// let (idle, asked) = (builder.add_state(), builder.add_state());
/// builder.add_transition(idle, Label::from_raw(1), asked);
/// builder.add_transition(asked, Label::from_raw(2), idle);
/// let server = InterfaceAutomaton::new(builder.build(), vec![Role::Input, Role::Output]);
/// assert_eq!(
///     rely_fsp::write_interface("SERVER", &server).expect("FSP has these names"),
///     "interface SERVER = (ask? -> Q1),\nQ1 = (answer! -> SERVER).\n"
/// );
/// ```
///
/// # Errors
/// As for [`write()`].
pub fn write_interface(name: &str, automaton: &InterfaceAutomaton) -> Result<String, Unwritable> {
    let lts = operators::trim(automaton.lts());
    let writer = Writer::new(name, &lts)?;
    Writer { roles: Some(automaton.roles()), ..writer }.text("interface ")
}

/// The text of a property process with a name. Only what it allows is written; `property` adds the transitions to the
/// error.
///
/// # Errors
/// When a name cannot be spelt, or the system is not a property: it has a silent step or a nondeterministic choice,
/// or an end state, or some action is neither allowed nor an error in some state.
pub fn write_property(name: &str, lts: &Lts) -> Result<String, Unwritable> {
    let lts = operators::trim(lts);
    let because = if lts.error() == Some(lts.initial()) {
        return Err(Unwritable::BeginsInError);
    } else if !lts.is_deterministic() {
        "it is not deterministic"
    } else if lts.end().is_some() {
        "it ends"
    } else if !is_complete(&lts) {
        "some action is neither allowed nor an error"
    } else {
        return Writer::new(name, &operators::without_error(&lts))?.text("property ");
    };
    Err(Unwritable::NotAProperty { because })
}

/// Whether every action leads somewhere, from every state but π.
fn is_complete(deterministic: &Lts) -> bool {
    deterministic
        .states()
        .filter(|&state| Some(state) != deterministic.error())
        .all(|state| deterministic.edges(state).len() == deterministic.alphabet().len())
}

/// The data for writing a system.
struct Writer<'a> {
    /// The system, all of whose states can be reached.
    lts: &'a Lts,
    /// The name of each state.
    states: Vec<StateName>,
    /// The parts of the name of each action.
    actions: Vec<Vec<Part<'a>>>,
    /// The action that replaces τ and is hidden.
    silent: String,
    /// The role of each action of an interface automaton, which decides on its mark.
    roles: Option<&'a [Role]>,
}

/// The name of a state. The order is the one in which a choice lists its targets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum StateName {
    /// A local process, by its number.
    Local(usize, String),
    /// The number and name of a state that allows everything for ever.
    Sink(usize, String),
    /// No transitions.
    Stop,
    /// The end.
    End,
    /// π.
    Error,
}

impl StateName {
    /// Whether FSP defines the name.
    fn is_predefined(&self) -> bool {
        matches!(self, Self::Stop | Self::End | Self::Error)
    }

    fn text(&self) -> &str {
        match self {
            Self::Local(_, name) | Self::Sink(_, name) => name,
            Self::Stop => "STOP",
            Self::End => "END",
            Self::Error => "ERROR",
        }
    }
}

impl<'a> Writer<'a> {
    fn new(name: &str, lts: &'a Lts) -> Result<Self, Unwritable> {
        if !is_process_name(name) {
            return Err(Unwritable::Process { name: name.to_owned() });
        }
        if lts.error() == Some(lts.initial()) {
            return Err(Unwritable::BeginsInError);
        }
        if lts.alphabet().len() > MAX_ACTIONS {
            return Err(Unwritable::TooLarge);
        }
        let unspellable = |name: &str| Unwritable::Action { name: name.to_owned() };
        let actions = lts.alphabet().names().map(|name| parts_of(name).ok_or_else(|| unspellable(name)));
        Ok(Self {
            lts,
            states: name_states(name, lts),
            actions: actions.collect::<Result<_, _>>()?,
            silent: silent_action(lts.alphabet()),
            roles: None,
        })
    }

    /// The definition, after its keywords.
    fn text(&self, keywords: &str) -> Result<String, Unwritable> {
        let mut text = String::new();
        for (name, state) in self.definitions() {
            let before = if state == self.lts.initial() { keywords } else { ",\n" };
            let head = format!("{} = ", name.text());
            let _ = write!(text, "{before}{head}{}", self.body(state, last_column(before) + head.len()));
            if text.len() > MAX_TEXT {
                return Err(Unwritable::TooLarge);
            }
        }
        let idle = self.idle_actions();
        if !idle.is_empty() {
            add_set(&mut text, " + ", &self.spell(&idle));
        }
        if self.lts.has_tau() {
            add_set(&mut text, " \\ ", &self.spell(&[Label::TAU]));
        }
        text.push_str(".\n");
        if text.len() > MAX_TEXT { Err(Unwritable::TooLarge) } else { Ok(text) }
    }

    /// The states that get a definition, with their names: the initial one first, sinks last.
    fn definitions(&self) -> Vec<(&StateName, StateId)> {
        let names = self.lts.states().map(|state| (&self.states[state.index()], state));
        let mut definitions: Vec<_> = names.filter(|(name, _)| !name.is_predefined()).collect();
        definitions.sort_unstable();
        definitions
    }

    /// The body of a state, whose text begins in a column.
    fn body(&self, state: StateId, column: usize) -> String {
        if self.lts.end() == Some(state) {
            return StateName::End.text().to_owned();
        }
        let mut targets: BTreeMap<&StateName, Vec<Label>> = BTreeMap::new();
        for edge in self.lts.edges(state) {
            targets.entry(&self.states[edge.target.index()]).or_default().push(edge.label);
        }
        if targets.is_empty() {
            return StateName::Stop.text().to_owned();
        }
        // After a long name the body begins on the next line.
        let (before, column) = if column > MAX_INDENT { ("\n    ", 4) } else { ("", column) };
        let branches: Vec<String> = targets
            .into_iter()
            .map(|(target, labels)| match &*self.spell(&labels) {
                [one] => format!("{one} -> {}", target.text()),
                many => set(many, column + 1, &format!(" -> {}", target.text())),
            })
            .collect();
        let line = branches.join(" | ");
        let fits = !line.contains('\n') && column + line.len() + "(),".len() <= WIDTH;
        let choice = if fits { line } else { branches.join(&format!("\n{:column$}|", "")) };
        format!("{before}({choice})")
    }

    /// The actions that are on no transition.
    fn idle_actions(&self) -> Vec<Label> {
        let mut is_used = vec![false; 1 + self.actions.len()];
        self.lts.transitions().for_each(|transition| is_used[transition.label.index()] = true);
        let labels = self.lts.alphabet().iter().map(|(action, _)| Label::visible(action));
        labels.filter(|label| !is_used[label.index()]).collect()
    }

    /// Labels of FSP for some labels of the system; the hidden one is last.
    fn spell(&self, labels: &[Label]) -> Vec<String> {
        let distinct: BTreeSet<Label> = labels.iter().copied().collect();
        let mut by_mark: BTreeMap<&str, Vec<&[Part<'_>]>> = BTreeMap::new();
        for action in distinct.iter().filter_map(|label| label.action()) {
            by_mark.entry(self.mark(action)).or_default().push(&self.actions[action.index()]);
        }
        let mut spelt = Vec::new();
        for (mark, names) in by_mark.iter().rev() {
            spelt.extend(spell_set(names).into_iter().map(|label| label + mark));
        }
        if distinct.contains(&Label::TAU) {
            spelt.push(self.silent.clone());
        }
        spelt
    }
}

impl Writer<'_> {
    /// The mark behind an action.
    fn mark(&self, action: ActionId) -> &'static str {
        match self.roles.map(|roles| roles[action.index()]) {
            Some(Role::Input) => "?",
            Some(Role::Output) => "!",
            Some(Role::Internal) | None => "",
        }
    }
}

/// Appends a set to a definition: on its last line if there is enough space.
fn add_set(text: &mut String, operator: &str, labels: &[String]) {
    let column = last_column(text) + operator.len();
    let length: usize = labels.iter().map(|label| label.len() + 2).sum();
    if column + length < WIDTH {
        text.push_str(operator);
        text.push_str(&set(labels, column, ""));
    } else {
        let _ = write!(text, "\n   {operator}{}", set(labels, 3 + operator.len(), ""));
    }
}

/// A set that begins in a column, on as many lines as it needs, followed by `rest`.
fn set(labels: &[String], column: usize, rest: &str) -> String {
    let mut text = "{".to_owned();
    let mut next = column + 1;
    for (i, label) in labels.iter().enumerate() {
        let is_last = i + 1 == labels.len();
        let separator = if is_last { "}" } else { "," };
        let length = label.len() + separator.len();
        // After the last one there may also be `),`.
        let needed = 1 + length + if is_last { rest.len() + 2 } else { 0 };
        if i > 0 && next + needed > WIDTH {
            let _ = write!(text, "\n{:1$}", "", column + 1);
            next = column + 1;
        } else if i > 0 {
            text.push(' ');
            next += 1;
        }
        text.push_str(label);
        text.push_str(separator);
        next += length;
    }
    text.push_str(rest);
    text
}

/// The column after a text.
fn last_column(text: &str) -> usize {
    text.len() - text.rfind('\n').map_or(0, |end| end + 1)
}

/// A name for each state of a trimmed system: the initial one has the name of the process.
fn name_states(process: &str, lts: &Lts) -> Vec<StateName> {
    // The names of the local processes must differ only from the name of the process.
    let prefix = if is_numbered(process, "Q") { "S" } else { "Q" };
    let sink = if is_numbered(process, "SINK") { "REST" } else { "SINK" };
    let mut locals = 0;
    let mut sinks = 0;
    let name = |state: StateId| match Some(state) {
        _ if state == lts.initial() => StateName::Local(0, process.to_owned()),
        special if special == lts.error() => StateName::Error,
        special if special == lts.end() => StateName::End,
        _ if lts.edges(state).is_empty() => StateName::Stop,
        _ if is_sink(lts, state) => {
            sinks += 1;
            let number = if sinks == 1 { String::new() } else { sinks.to_string() };
            StateName::Sink(sinks, format!("{sink}{number}"))
        }
        _ => {
            locals += 1;
            StateName::Local(locals, format!("{prefix}{locals}"))
        }
    };
    lts.states().map(name).collect()
}

/// Whether a name is a stem, possibly followed by a number.
fn is_numbered(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a state allows every action and never leaves.
fn is_sink(lts: &Lts, state: StateId) -> bool {
    let stays = |edge: &Edge| edge.target == state && !edge.label.is_tau();
    lts.edges(state).len() == lts.alphabet().len() && lts.edges(state).iter().all(stays)
}

/// A name that no action has, and whose hiding affects no other action.
fn silent_action(alphabet: &Alphabet) -> String {
    let taken: FxHashSet<&str> = alphabet.names().filter_map(|name| name.split('.').next()).collect();
    let numbered = (1..).map(|number| format!("silent{number}"));
    std::iter::once("silent".to_owned())
        .chain(numbered)
        .find(|name| !taken.contains(&**name))
        .expect("there are more numbers than actions")
}
