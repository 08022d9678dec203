//! Assume-guarantee reasoning: what components rely on, and how a whole is proved from its parts.
//!
//! **Problem.** M₁ ‖ … ‖ Mₙ ⊨ P without building the product: a [`Problem`] has parts and a goal that must not fail.
//!
//! **Ideas**, from the simplest to the one that chooses among all:
//!
//! - [`weakest`] constructs exactly what some components need of their environment, and [`learn_weakest`] finds the same by
//!   asking; [`consequences`] says what that means for the components, [`certain`] which part of it is known at a limit.
//! - A [`Rule`] says which premises prove a problem. [`verify()`] finds assumptions that make them true, or a run of the
//!   whole that fails. [`promising_splits`] says which parts belong together.
//! - Without assumptions: the product of the [`Cone`] of influence, [`Localisation`], and [`reduce`].
//! - A [`Strategy`] is one of these ways, or all of them in turns; [`prove`] follows it.
//!
//! A proof is plain data, which the judge of `rely-certificate` checks without this crate; a refutation is a run of the
//! whole system that has been replayed.
//!
//! ```
//! use rely_assume::{Effort, Goal, Requirement, Variant, weakest};
//! use rely_base::{Alphabet, Budget, Label};
//! use rely_lts::{Component, LtsBuilder};
//!
//! // WRITER = (write -> WRITER).
//! let mut writer = LtsBuilder::new(["write"].into_iter().collect());
//! let write = Label::visible(writer.alphabet_mut().intern("write"));
//! let start = writer.add_state();
//! writer.add_transition(start, write, start);
//! // property ONCE = (write -> reset -> ONCE | reset -> ONCE).
//! let mut once = LtsBuilder::new(["write", "reset"].into_iter().collect());
//! let [write, reset] = ["write", "reset"].map(|name| Label::visible(once.alphabet_mut().intern(name)));
//! let (fresh, written) = (once.add_state(), once.add_state());
//! let error = once.error_state();
//! for (source, label, target) in
//!     [(fresh, write, written), (fresh, reset, fresh), (written, reset, fresh), (written, write, error)]
//! {
//!     once.add_transition(source, label, target);
//! }
//!
//! let writer = Component::new("WRITER", writer.build());
//! let goal = Goal::property(Component::new("ONCE", once.build()));
//! let interface: Alphabet = ["write", "reset"].into_iter().collect();
//! let (budget, mut effort) = (Budget::UNLIMITED, Effort::default());
//! let found = weakest(&[writer], &goal, &interface, Variant::Weakest, &budget, &mut effort);
//! let (requirement, _) = found.expect("there is no limit");
//! let Requirement::Assumption(assumption) = requirement else { panic!("some environments write twice") };
//! // After a write the environment must take part in no other one before it resets; what comes after that is free.
//! assert_eq!(assumption.alphabet().len(), 2);
//! assert!(assumption.state_count() >= 2);
//! ```

mod abstraction;
mod alphabet;
mod assumption;
mod auto;
mod backwards;
mod chain;
mod cone;
mod consequences;
mod deadlock;
mod decompose;
mod effort;
mod equality;
mod evidence;
mod learned;
mod localise;
mod partial;
mod premise;
mod problem;
mod realise;
mod reduce;
mod reuse;
mod rule;
mod separate;
mod split;
mod strategy;
mod symmetric;
mod verify;
mod weakest;

pub use alphabet::Alphabets;
pub use assumption::Assumption;
pub use auto::{Automatic, Way, automatic};
pub use cone::Cone;
pub use consequences::{Consequences, Sequel, consequences};
pub use decompose::{
    Attempt, Generalised, Split, Splitter, Table, Trial, Ungeneralised, Why, all_splits, count_splits,
    generalise, promising_splits,
};
pub use effort::Effort;
pub use equality::equality;
pub use evidence::parts_of;
pub use learned::{Conjecture, learn_weakest};
pub use localise::Localisation;
pub use partial::{Certain, Partial, certain};
pub use premise::failures;
pub use problem::{Goal, Problem, interface, outlives_a_failure};
pub use realise::{Unrealised, realise};
pub use reduce::{Composition, Judgeable, Reduction, Whole, reduce};
pub use reuse::{
    Again, Broken, Content, Inherited, Key, Matching, Memory, Surprise, check_after, check_again, fits,
    inherit, premises_to_remember,
};
pub use rule::{Guarantee, Premise, Rule};
pub use strategy::{Answered, Approach, Hints, Strategy, Unsuited, prove};
pub use symmetric::symmetric_interface;
pub use verify::{Answer, Inapplicable, Method, Plan, Proof, conjunct, monolithic, verify, verify_from};
pub use weakest::{Interrupted, Requirement, Steps, Variant, everything, weakest};

pub use rely_learn::Algorithm;
