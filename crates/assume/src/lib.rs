//! Assume-guarantee reasoning: what components rely on, and how a whole is proved from its parts.
//!
//! A [`Problem`] has parts and a goal that must not fail. [`weakest`] constructs exactly what some components need of
//! their environment; [`learn_weakest`] finds the same by asking. A [`Rule`] says which premises prove a problem, and
//! [`verify()`] finds assumptions that make them true, or a run of the whole that fails.

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
