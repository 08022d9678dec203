//! The data of a certificate, and its format.

use std::fmt;

use rely_lts::BehaviourRef;
use serde::{Deserialize, Serialize};

use crate::{Decomposition, Derivation, Digest, InterfaceProof, Kind, Property, ReductionProof, Table};

/// The version of the format of certificates.
pub const SCHEMA: &str = "rely/certificate/2";

/// The previous version. Claims about properties had another meaning, and kinds of fairness were not known.
const FORMER: &str = "rely/certificate/1";

/// Claims about targets of a model, each with its evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The version of the format.
    pub schema: String,
    /// What is claimed.
    pub claims: Vec<Claim>,
}

/// That a property holds for a target, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The target.
    pub target: String,
    /// What the claim is about.
    pub kind: Kind,
    /// The name of the property.
    pub property: String,
    /// What the property says.
    pub statement: String,
    /// What a target is made of.
    #[serde(default)]
    pub behaviour: Behaviour,
    /// The components of the target, or the units of a program, in order.
    pub components: Vec<Identity>,
    /// The digest of the rest: priority and hiding of a network; slots, ticks, end and hiding of a program.
    pub operators: Digest,
    /// Why it holds.
    pub evidence: Evidence,
}

/// The kind of behaviour of a target. It decides how the rest of a claim is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Behaviour {
    /// Transition systems that run in parallel and synchronise on the actions they share.
    #[default]
    Network,
    /// Units of guarded commands over slots. The numbers of a state are the positions of the slots' values.
    Program,
}

impl Behaviour {
    /// What a behaviour is made of.
    pub(crate) fn of(behaviour: BehaviourRef<'_>) -> Self {
        match behaviour {
            BehaviourRef::Network(_) => Self::Network,
            BehaviourRef::Program(_) => Self::Program,
        }
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Network => "network",
            Self::Program => "program",
        })
    }
}

/// What identifies a component or a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// How many states it has, the error state included; 0 for a unit, which has none of its own.
    pub states: usize,
    /// How many transitions or commands it has.
    pub transitions: usize,
    /// The digest of its transition system, or of its commands.
    pub digest: Digest,
}

/// Why a property holds. The rule of each kind of evidence is explained where it is checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "lowercase")]
pub enum Evidence {
    /// For deadlock and safety, and for units that must not fail: an inductive invariant. A key is a state of each
    /// component, or a position of each slot.
    Invariant {
        /// The states.
        states: Table,
    },
    /// For progress and divergence: an inductive invariant with a rank for each state, which is the one note.
    Ranks {
        /// The states and their ranks.
        states: Table,
    },
    /// For assertions: for each conjunct of the formula an inductive invariant of the product with the automaton of
    /// its violations ([`crate::Violations`]). A key is a state of the automaton, the value of each fluent, and the
    /// state of each component; the notes are the class and the rank.
    Automata {
        /// The states of the product for each conjunct, with their classes and ranks.
        conjuncts: Vec<Table>,
    },
    /// For commitments: for each automaton of violations of the claim, a measure of the situations that are reachable.
    Measures {
        /// One for each automaton, in order.
        measures: Vec<Measure>,
    },
    /// For commitments of a composition: how the claim follows from properties of the parts, which other claims are about.
    Derivation(Derivation),
    /// For components that must not fail: premises about groups of the other components, with assumptions between
    /// them.
    Composition(Decomposition),
    /// For safety: premises about two groups of components, with an interface between them.
    Interface(InterfaceProof),
    /// For components that must not fail: systems that stand for parts of the network, until nothing is left that can
    /// fail.
    Reduction(ReductionProof),
    /// For components that must not fail: the components that run in parallel, and those whose states matter.
    Flow(FlowProof),
    /// For refinement of interface automata: an alternating simulation. A key is a state of the implementation and one of
    /// the specification.
    Simulation {
        /// The pairs.
        pairs: Table,
    },
}

/// A proof by flow analysis. Components are given by number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FlowProof {
    /// The components that run in parallel.
    pub threads: Vec<usize>,
    /// The components whose states are tracked.
    pub kept: Vec<usize>,
}

/// Situations with the classes and pairs that show that no run of them breaks a commitment.
///
/// A key is the state of each acceptor ([`crate::Acceptor`]), the assumptions first, and the state of the program.
/// The notes are, for each level, a class, and the number of a pair counted from 1, or 0 for none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// How many levels there are.
    pub levels: u32,
    /// The situations.
    pub states: Table,
}

/// Why a text is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The line at which it ceases to be one, from 1; 0 if that is not known.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unreadable {}

impl Certificate {
    /// A certificate of claims.
    pub fn new(claims: Vec<Claim>) -> Self {
        Self { schema: SCHEMA.to_owned(), claims }
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// When the text is not JSON of this format and version.
    pub fn from_json(text: &[u8]) -> Result<Self, Unreadable> {
        let mut certificate: Self = serde_json::from_slice(text).map_err(|error| Unreadable {
            line: error.line(),
            column: error.column(),
            message: error.to_string(),
        })?;
        if ![SCHEMA, FORMER].contains(&certificate.schema.as_str()) {
            let message = format!("the format `{}` is not {SCHEMA}", certificate.schema);
            return Err(Unreadable { line: 0, column: 0, message });
        }
        if certificate.schema == FORMER {
            // The earlier version claimed assertions for runs with fair choice only.
            let assertions = certificate.claims.iter_mut().filter(|claim| claim.kind == Kind::Ltl);
            assertions.for_each(|claim| claim.statement.push_str("; fairness: choice"));
        }
        Ok(certificate)
    }

    /// Why a claim of an earlier version cannot be judged, whatever its evidence is.
    pub fn outdated(&self, claim: &Claim) -> Option<&'static str> {
        (self.schema == FORMER && claim.kind == Kind::Property).then_some(
            "a claim about a property in the format rely/certificate/1 says nothing about a step in which something \
             else fails as well; write the certificate anew with `rely verify --certificate`",
        )
    }

    /// Writes the certificate as JSON, a field on each line.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self).map_err(std::io::Error::from)?;
        out.write_all(b"\n")
    }
}

impl Claim {
    /// The claim that a property holds for a behaviour.
    pub fn new<'b>(
        target: &str,
        behaviour: impl Into<BehaviourRef<'b>>,
        property: &Property<'_>,
        evidence: Evidence,
    ) -> Self {
        let behaviour = behaviour.into();
        Self {
            target: target.to_owned(),
            kind: property.kind(),
            property: property.name().to_owned(),
            statement: property.statement(),
            behaviour: Behaviour::of(behaviour),
            components: Identity::all(behaviour),
            operators: Identity::rest(behaviour),
            evidence,
        }
    }
}

impl Identity {
    /// The identities of the components or units of a behaviour.
    pub(crate) fn all(behaviour: BehaviourRef<'_>) -> Vec<Self> {
        match behaviour {
            BehaviourRef::Network(network) => network.components().iter().map(Self::of).collect(),
            BehaviourRef::Program(program) => {
                let digests = Digest::of_units(program);
                let identity = |(unit, digest): (&rely_lts::Unit, Digest)| Self {
                    name: unit.name.clone(),
                    states: 0,
                    transitions: unit.commands.len(),
                    digest,
                };
                program.units().iter().zip(digests).map(identity).collect()
            }
        }
    }

    /// The digest of everything in a behaviour but its components or units.
    pub(crate) fn rest(behaviour: BehaviourRef<'_>) -> Digest {
        match behaviour {
            BehaviourRef::Network(network) => Digest::of_operators(network),
            BehaviourRef::Program(program) => Digest::of_frame(program),
        }
    }

    /// The identity of a component.
    pub fn of(component: &rely_lts::Component) -> Self {
        Self {
            name: component.name.clone(),
            states: component.lts.state_count(),
            transitions: component.lts.transition_count(),
            digest: Digest::of_lts(&component.lts),
        }
    }
}
