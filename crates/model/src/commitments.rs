//! The commitments of a target.

use rely_base::{ActionId, Id};
use rely_lts::{Observation, Program};
use rely_omega::{AtomSet, Commitment, Justice, Scheduling};

/// The commitments of a target whose behaviour is a program, and the processes that take turns in it.
#[derive(Clone, Debug, Default)]
pub struct Commitments {
    /// Commitments that every target of the language has, under the names of kinds of properties or other fixed
    /// names. One that is called `deadlock` or `safety` stands for that question.
    pub general: Vec<Commitment<Observation>>,
    /// The commitments that the text declares, in order.
    pub list: Vec<Commitment<Observation>>,
    /// The actions of each process.
    pub processes: Vec<Vec<ActionId>>,
}

impl Commitments {
    /// No commitments yet of a program whose actions take turns: each action is a process of its own, so that fairness is about actions.
    pub fn of_actions(program: &Program) -> Self {
        let actions = (0..program.alphabet().len()).map(ActionId::from_index);
        Self { processes: actions.map(|action| vec![action]).collect(), ..Self::default() }
    }

    /// All commitments, the general ones first.
    pub fn all(&self) -> impl Iterator<Item = &Commitment<Observation>> {
        self.general.iter().chain(&self.list)
    }

    /// How the processes take turns.
    pub fn scheduling(&self, justice: Justice) -> Scheduling {
        Scheduling { justice, processes: self.processes.clone() }
    }
}

/// A composition, with the data that proofs from properties of its parts need. All statements are over one list of
/// atoms.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The commitments of the composition itself.
    pub goals: Vec<Commitment<Observation>>,
    /// The commitments of its parts.
    pub parts: Vec<PartCommitments>,
    /// The meaning of the atoms.
    pub propositions: Vec<Observation>,
    /// The names of the atoms.
    pub names: Vec<String>,
    /// The events of each step of the composition, and its name.
    pub letters: Vec<(String, AtomSet)>,
    /// Why a run of the composition may not be a run of a part, if that is possible.
    pub doubt: Option<String>,
}

/// The commitments of a part of a composition.
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
