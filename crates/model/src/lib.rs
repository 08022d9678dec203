//! What a text describes, in a form shared by all front ends.
//!
//! **Problem.** Processes in FSP, tasks in Ada, reactive machines and message components are written in languages of their
//! own. What is asked about them is the same: does a target deadlock, does it satisfy its properties, what does a part of
//! it rely on?
//!
//! **Idea.** A front end turns a text into plain data. A [`Target`] is something that can be analysed: its behaviour, and a
//! [`Part`] for each component, which says what the component is and where it comes from. Nothing here searches, and
//! nothing here depends on a language.
//!
//! - [`FrontEnd`], [`Model`], [`Elaboration`]: what a language has to offer;
//! - [`Declaration`]: what a text declares, by name and place;
//! - [`NameUse`]: what the names in a text mean, for editors;
//! - [`SystemFiles`]: files that hold a transition system;
//! - [`Target`], [`Part`], [`Origin`]: what is analysed, and what it is made of;
//! - [`PartName`], [`PartTable`]: names of parts, and the part that a component name stands for;
//! - [`OpenComponents`], [`Assumption`]: components alone, and what they assume;
//! - [`StateNames`]: the names of the states of a part;
//! - [`Commitments`]: temporal statements under assumptions that a target is to satisfy;
//! - [`Mined`]: rules that hold at the interface of a component in its environment;
//! - [`FlowModel`]: a graph such that every run of a target is a path of it;
//! - [`Naming`]: the names of events, if they differ from those of actions;
//! - [`Events`]: what statements of another text may say of a target;
//! - [`Signature`]: which actions an interface automaton receives and sends;
//! - [`Failure`]: why there is no target;
//! - [`compose`]: a target as one transition system.

mod commitments;
mod compose;
mod declaration;
mod diagram;
mod events;
mod flow;
mod front_end;
mod mined;
mod names;
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
pub use diagram::Diagram;
pub use events::Events;
pub use flow::{FlowConstraint, FlowEvent, FlowModel, FlowPath, FlowSlice, OpenSlice};
pub use front_end::{Comment, Elaboration, FrontEnd, IsWanted, Loader, Model, Reading};
pub use mined::{Mined, MinedRule};
pub use names::{NameClass, NameUse};
pub use naming::{Ambiguous, END_OF_EXECUTION, End, Naming};
pub use open::{Assumption, Environment, OpenComponents, WatchedTarget, Window};
pub use origin::{Mixture, Origin, Watched};
pub use part_name::{Instance, PartName, PartTable, Scope, definition_meant};
pub use signature::{Conflict, PartsConflict, Signature, Use};
pub use state_names::StateNames;
pub use system_file::{SystemFile, SystemFiles, stem};
pub use target::{DEFAULT, Failure, Part, PartKind, Places, Reduction, Target};
