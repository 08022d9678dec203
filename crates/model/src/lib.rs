//! What a text describes, in the same words for all front ends.
//!
//! **Problem.** Processes in FSP, tasks in Ada, reactive machines and message components are written in languages of their
//! own. What is asked about them is the same: does a target deadlock, does it satisfy its properties, what does a part of
//! it rely on?
//!
//! **Idea.** A front end turns a text into plain data. A [`Target`] is something that can be analysed: its behaviour, and a
//! [`Part`] for each component, which says what the component is and where it comes from. Nothing here searches, and
//! nothing here knows a language.
//!
//! - [`FrontEnd`], [`Model`], [`Elaboration`]: what a language has to offer;
//! - [`Declaration`]: what a text declares, by name and place;
//! - [`SystemFiles`]: files that hold a transition system;
//! - [`Target`], [`Part`], [`Origin`]: what is analysed, and what it is made of;
//! - [`PartName`], [`PartTable`]: what parts are called, and what a component is by its name;
//! - [`OpenComponents`], [`Assumption`]: components alone, and what they assume;
//! - [`StateNames`]: what the states of a part are called;
//! - [`Commitments`]: temporal statements under assumptions that a target is to satisfy;
//! - [`Mined`]: what is true of the interface of a component in its environment;
//! - [`FlowModel`]: a graph that all runs of a target are paths of;
//! - [`Naming`]: the names of events, where they are not those of actions;
//! - [`Signature`]: which actions an interface automaton receives and sends;
//! - [`Failure`]: why there is no target;
//! - [`compose`]: a target as one transition system.

mod commitments;
mod compose;
mod declaration;
mod flow;
mod front_end;
mod mined;
mod naming;
mod open;
mod origin;
mod part_name;
mod signature;
mod state_names;
mod system_file;
mod target;

pub use commitments::{Commitments, Composition, PartCommitments, Ports};
pub use compose::{compose, kept_by_minimal, reduced};
pub use declaration::{Declaration, DeclarationKind, properties_within, rests_on};
pub use flow::{FlowEvent, FlowModel};
pub use front_end::{Comment, Elaboration, FrontEnd, IsWanted, Loader, Model, Reading};
pub use mined::{Mined, MinedRule};
pub use naming::{Ambiguous, END_OF_EXECUTION, End, Naming};
pub use open::{Assumption, Environment, OpenComponents, WatchedTarget};
pub use origin::{Mixture, Origin, Watched};
pub use part_name::{Instance, PartName, PartTable, Scope, definition_meant};
pub use signature::{Conflict, PartsConflict, Signature, Use};
pub use state_names::StateNames;
pub use system_file::{SystemFile, SystemFiles, stem};
pub use target::{DEFAULT, Failure, Part, PartKind, Places, Reduction, Target};
