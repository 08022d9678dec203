//! Runtime monitors: programs that watch the environment of a component and say when it breaks an assumption.
//!
//! *Problem*: an assumption says in which environments a component works. Not every environment can be verified before
//! the system runs; then its actions are watched while it runs [Giannakopoulou, Păsăreanu, Barringer 2003, section 1].
//!
//! *Idea*: an assumption is a deterministic automaton, so one state and a table are enough. [`generate`] writes the
//! table and the few functions around it in a language of the user's choice, without dependencies. A monitor is told
//! each action as it happens and answers:
//!
//! - *ok*: the action belongs to the alphabet and is allowed;
//! - *violated*: it belongs to the alphabet and is not allowed, or the assumption had been violated before;
//! - *left the model*: the assumption has nothing to say any more. The action is unknown; or it was allowed only because
//!   the component of the model never takes part in it there, so that nothing is forbidden from then on. A monitor that
//!   said *ok* for ever would claim to watch what it cannot see.
//!
//! A violated assumption stays violated, and what has left the model stays outside, until the monitor is reset. An action
//! is forbidden where it has no transition, and where its transition leads into the error state. An assumption that forbids
//! nothing at all is not left by an action that it knows. Events that do not concern the assumption are not to be told:
//! a monitor says which actions it knows.
//!
//! *Invariants*: the same system gives the same text, byte for byte. Whatever the names of model and actions are, the
//! text is a correct program. Actions have the numbers of their names in order, states are numbered breadth first.

mod c;
mod java;
mod names;
mod python;
mod rust;
mod table;
mod watch;

use rely_lts::Lts;

pub use crate::table::Table;
pub use crate::watch::{Next, WatchInput, WatchedAutomaton, WatchedEvent, generate_watch, watch_file_name};

/// The languages that monitors are written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    /// Rust, without the standard library.
    Rust,
    /// C99, as a header.
    C,
    /// Java 8 and later.
    Java,
    /// Python 3.6 and later.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rust, Self::C, Self::Java, Self::Python];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Java => "java",
            Self::Python => "python",
        }
    }
}

/// Why there is no monitor for a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmonitorable {
    /// It has silent steps, which a monitor cannot see.
    Silent,
    /// One action leads from one state to two.
    Nondeterministic {
        /// The action.
        action: String,
    },
    /// The language cannot hold the name of an action.
    Action {
        /// The language.
        language: Language,
        /// The name.
        name: String,
    },
    /// The table would be too large.
    TooLarge,
}

impl std::fmt::Display for Unmonitorable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Silent => f.write_str("the system has silent steps, which a monitor cannot see"),
            Self::Nondeterministic { action } => {
                write!(
                    f,
                    "the system is not deterministic: `{}` leads from one state to two",
                    action.escape_debug()
                )
            }
            Self::Action { language, name } => {
                let language = language.name();
                write!(f, "the name `{}` is not possible for a monitor in {language}", name.escape_debug())
            }
            Self::TooLarge => f.write_str("the system is too large for a monitor"),
        }
    }
}

impl std::error::Error for Unmonitorable {}

/// The text of a monitor for a deterministic system, in a language, with names made from a model's name.
///
/// ```
/// use rely_base::{Alphabet, Label};
/// use rely_lts::LtsBuilder;
/// use rely_monitor::{Language, file_name, generate};
///
/// let alphabet: Alphabet = ["acquire", "release"].into_iter().collect();
/// let mut builder = LtsBuilder::new(alphabet);
/// let (free, held) = (builder.add_state(), builder.add_state());
/// builder.add_transition(free, Label::from_raw(1), held);
/// builder.add_transition(held, Label::from_raw(2), free);
/// let text = generate(Language::Rust, "LOCK", &builder.build()).expect("it is deterministic");
/// assert!(text.contains("pub struct LockMonitor"));
/// assert_eq!(file_name(Language::Rust, "LOCK"), "lock_monitor.rs");
/// ```
///
/// # Errors
/// When the system is silent or nondeterministic somewhere, when the language cannot hold the name of an action, or when
/// the table would be too large.
pub fn generate(language: Language, name: &str, lts: &Lts) -> Result<String, Unmonitorable> {
    let table = Table::new(lts)?;
    match language {
        Language::Rust => Ok(rust::generate(name, &table)),
        Language::C => c::generate(name, &table),
        Language::Java => java::generate(name, &table),
        Language::Python => Ok(python::generate(name, &table)),
    }
}

/// What the file of a monitor is to be called. Java insists on it.
pub fn file_name(language: Language, name: &str) -> String {
    match language {
        Language::Rust => format!("{}.rs", names::snake_name(name)),
        Language::C => format!("{}.h", names::snake_name(name)),
        Language::Java => format!("{}.java", names::type_name(name)),
        Language::Python => format!("{}.py", names::snake_name(name)),
    }
}

/// The numbers of a row of a table.
fn row(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
