//! What a target commits itself to.

use rely_base::ActionId;
use rely_lts::Observation;
use rely_omega::{AtomSet, Commitment, Justice, Scheduling};

/// The commitments of a target whose behaviour is a program, and the processes that take turns in it.
#[derive(Clone, Debug, Default)]
pub struct Commitments {
    /// What is asked of every target of the language, under the names of kinds of properties or other fixed names. Where one is called
    /// `deadlock` or `safety`, it stands for that question.
    pub general: Vec<Commitment<Observation>>,
    /// The commitments that the text declares, in order.
    pub list: Vec<Commitment<Observation>>,
    /// The actions of each process.
    pub processes: Vec<Vec<ActionId>>,
}

impl Commitments {
    /// All commitments, the general ones first.
    pub fn all(&self) -> impl Iterator<Item = &Commitment<Observation>> {
        self.general.iter().chain(&self.list)
    }

    /// How the processes take turns.
    pub fn scheduling(&self, justice: Justice) -> Scheduling {
        Scheduling { justice, processes: self.processes.clone() }
    }
}

/// A composition, as far as proofs from properties of its parts need it. All statements are over one list of atoms.
#[derive(Clone, Debug)]
pub struct Composition {
    /// What the composition itself commits itself to.
    pub goals: Vec<Commitment<Observation>>,
    /// What its parts commit themselves to.
    pub parts: Vec<PartCommitments>,
    /// What the atoms stand for.
    pub propositions: Vec<Observation>,
    /// What they are called.
    pub names: Vec<String>,
    /// The events of each step of the composition, and its name.
    pub letters: Vec<(String, AtomSet)>,
    /// Why a run of the composition may be none of a part, if that is so.
    pub doubt: Option<String>,
}

/// What a part of a composition commits itself to.
#[derive(Clone, Debug)]
pub struct PartCommitments {
    /// The name of the part.
    pub name: String,
    /// The component that it is an instance of.
    pub component: String,
    /// Its properties, in the order in which the component declares them.
    pub commitments: Vec<Commitment<Observation>>,
}

/// The messages at the border of a component, with the types of their parameters, such as `Output(0..1)`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ports {
    /// Those that it takes.
    pub inputs: Vec<String>,
    /// Those that it gives.
    pub outputs: Vec<String>,
}
