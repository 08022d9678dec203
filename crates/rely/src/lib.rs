//! rely verifies systems that are built from components: it checks them, finds out what a component needs of its
//! environment, and proves large systems piece by piece. This crate is rely as a library; the command line is a thin layer
//! over it.
//!
//! A [`Project`] is a text. A question about it, such as [`check`], [`assume`] or [`verify`], is answered with a report of
//! plain data: verdicts with traces, and what is wrong with the text. Nothing here reads files, looks at the clock, or
//! prints; limits and cancellation are in the [`Budget`].
//!
//! ```
//! use rely::report::Verdict;
//! use rely::{Budget, CheckQuery, Project, check};
//!
//! let text = "
//!     LOCK = (acquire -> release -> LOCK).
//!     USER = (acquire -> work -> release -> USER).
//!     property MUTEX = ({a, b}.acquire -> {a, b}.release -> MUTEX).
//!     ||SYSTEM = ({a, b}:USER || {a, b}::LOCK || MUTEX).
//! ";
//! let project = Project::new("lock.lts", text, Box::new(|_| Err("there are no other files".into())));
//! let report = check(&project, &CheckQuery::default(), Budget::UNLIMITED)?;
//! for result in &report.results {
//!     assert_eq!(result.verdict, Verdict::Holds, "{}: {:?}", result.property, result.trace);
//! }
//! # Ok::<(), rely::Internal>(())
//! ```
//!
//! # What else there is
//!
//! - [`FrontEnd`] and [`Languages`]: a language of your own, with everything that can be asked.
//! - [`lts`]: transition systems, networks and programs, their operators and equivalences, and file formats.
//! - [`explore`]: searches of transition systems that are given by a successor function of your own.
//! - [`learn`]: learners of automata, for a teacher of your own.
//! - [`mod@certificate`]: the judge that re-checks certificates with code of its own.
//!
//! The folder `examples` of this crate has a program for each of them.
//!
//! # Stability
//!
//! The JSON form of [`report`]s is stable: fields are added and keep their meaning. The Rust interface of this crate is
//! stable within a minor version; the modules that are named after crates (`lts`, `explore`, `learn`, `certificate`) follow
//! the engine and may change with any minor version.

pub use rely_base::{Budget, Exhausted, Limits, Observer, Progress, Resource};
pub use rely_model::{Elaboration, Model};
pub use rely_session::*;

/// Judging certificates, independently of everything that made them.
pub mod certificate {
    pub use rely_certificate::*;
}

/// Exploring transition systems.
pub mod explore {
    pub use rely_base::{Alphabet, Label, StateId};
    pub use rely_explore::*;
}

/// Learning automata from a teacher.
pub mod learn {
    pub use rely_automata::Dfa;
    pub use rely_base::{ActionId, Id};
    pub use rely_learn::*;
}

/// Transition systems, networks and programs.
pub mod lts {
    pub use rely_base::{ActionId, Alphabet, Id, Label, StateId};
    pub use rely_lts::*;
}
