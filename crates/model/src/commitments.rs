//! What a target commits itself to.

use rely_base::ActionId;
use rely_lts::Observation;
use rely_omega::{Commitment, Justice, Scheduling};

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
