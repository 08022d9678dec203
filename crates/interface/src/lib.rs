//! Interface automata: parts that say which actions they send and receive, and when they can take what is sent.
//!
//! A [`System`] is made of parts that are interface automata ([`rely_lts::InterfaceAutomaton`]). An input that is not
//! possible in a state must not come there.
//!
//! - [`check_compatible`] asks whether some part sends what another cannot take, and [`environment`] which environments
//!   keep an open system from it;
//! - [`check_refinement`] asks whether an automaton can take the place of another: it accepts at least the inputs, and
//!   sends at most the outputs;
//! - [`verify()`] proves compatibility, properties and refinement of a system from its parts, with an assumption that is
//!   constructed ([`weakest()`]) or learned;
//! - [`compose`], [`conjoin`], [`merge()`], [`determinised`] and [`quotient`] make new contracts from given ones;
//! - [`minimise()`] makes an automaton smaller without affecting any of these questions.
//!
//! All questions but one are questions about error states of a network of completed automata. The exception is refinement
//! of a specification that leaves a choice, which is a game.
//!
//! ```
//! use rely_base::{Budget, Label, StateId};
//! use rely_interface::{Part, Question, System, check_compatible};
//! use rely_lts::{InterfaceAutomaton, LtsBuilder, Role};
//!
//! // A sender that sends twice, and a receiver that can take one message.
//! let automaton = |messages: u32, role: Role| {
//!     let states = messages as usize + 1;
//!     let mut builder = LtsBuilder::with_states(["message"].into_iter().collect(), states);
//!     let message = Label::visible(builder.alphabet_mut().intern("message"));
//!     for i in 0..messages {
//!         builder.add_transition(StateId::from_raw(i), message, StateId::from_raw(i + 1));
//!     }
//!     InterfaceAutomaton::new(builder.build(), vec![role])
//! };
//! let sender = Part::new("SENDER", automaton(2, Role::Output));
//! let receiver = Part::new("RECEIVER", automaton(1, Role::Input));
//! let system = System::new(vec![sender, receiver], Vec::new()).expect("they can be composed");
//!
//! let found = check_compatible(&system, Question::default(), &Budget::UNLIMITED)?;
//! let blame = found.blame.expect("the second message cannot be taken");
//! assert_eq!((blame.action.as_str(), blame.receiver), ("message", (1, StateId::from_raw(1))));
//! # Ok::<(), rely_decide::ReplayError>(())
//! ```

mod algebra;
mod compatible;
mod completion;
mod composable;
mod evidence;
mod fault;
mod game;
mod merge;
mod minimise;
mod problem;
mod refinement;
mod system;
mod teacher;
mod verify;
mod view;
mod weakest;

pub use algebra::{Consistency, Refusal, check_consistent, compose, conjoin, determinised, quotient};
pub use compatible::{Blame, Compatibility, Environment, Question, Receptiveness, check_compatible};
pub use completion::{input_completion, output_completion};
pub use composable::{Clash, Conflict};
pub use evidence::simulation_evidence;
pub use fault::Fault;
pub use merge::merge;
pub use minimise::minimise;
pub use problem::{Aim, Inapplicable, Problem};
pub use refinement::{
    Failure, Method, Mismatch, Move, Offence, Refinement, Refutation, alternating_simulation,
    check_refinement, check_refinement_by_game,
};
pub use system::{Part, System};
pub use verify::{Answer, Plan, Proof, Refuted, Source, verify, verify_compatible};
pub use weakest::{environment, weakest};

pub use rely_assume::{Algorithm, Effort, Goal};
