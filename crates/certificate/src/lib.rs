//! Certificates for verdicts that hold, and a second, naive implementation that re-checks them.
//!
//! A [`Certificate`] lists claims: a target, a property, and [`Evidence`]. Most evidence is a set of states with
//! conditions that are local to a state and its successors; a [`Decomposition`] is a rule with assumptions, whose
//! premises about parts of the network are searched, and a [`ReductionProof`] a list of systems that stand for parts.
//! [`check()`] judges a claim about a [`rely_lts::Network`] or a [`rely_lts::Program`]. It
//! computes successors from the definitions (`semantics/`), looks states up by bisection in
//! the sorted table of the certificate, has a translation of temporal logic (`violations.rs`) and a table of the rules
//! (`check/decomposition.rs`) of its own, and shares no code with the searches, automata and decisions of the engine.
//! It trusts only the model as the front end reads it. [`check_refinement`] judges that an interface automaton
//! refines another, by an alternating simulation.
//!
//! Nothing that a certificate says about its own origin matters for the proof: the evidence is judged on the network
//! and the property that the caller gives. Digests of the components and the text of the property serve to report
//! clearly that a certificate belongs to something else.

mod acceptor;
mod assumption;
mod base64;
mod certificate;
mod check;
mod closed;
mod completion;
mod decomposition;
mod derivation;
mod digest;
mod forms;
mod interface;
mod property;
mod reduction;
mod refinement;
mod rejection;
mod semantics;
mod table;
mod violations;

pub use acceptor::{Acceptor, Reading};
pub use assumption::Assumption;
pub use certificate::{
    Behaviour, Certificate, Claim, Evidence, FlowProof, Identity, Measure, SCHEMA, Unreadable,
};
pub use check::{
    check, check_derivation, check_refinement, holds_one_step_longer, is_about, is_searched_within,
    problem_of_premise, uncovered,
};
pub use closed::{closed, closed_program};
pub use completion::{InterfaceAim, InterfaceQuestion};
pub use decomposition::{Decomposition, Guarantee, Premise, PremiseReduction, Reference};
pub use derivation::{Composed, Derivation, Grounds, PartPremise};
pub use digest::Digest;
pub use interface::InterfaceProof;
pub use property::{Kind, Property};
pub use reduction::{Abstraction, ReductionProof, ReductionStep};
pub use refinement::Refinement;
pub use rejection::Rejection;
pub use semantics::{Interpreter, ProgramEnd, ProgramStep};
pub use table::{Malformed, StateTable, Table};
pub use violations::{Choice, Violations};

#[cfg(test)]
mod tests;
