//! The exact model: a program as a network of components.
//!
//! Each task is a component, whose states are places in its code together with the values of its own variables. Each
//! shared variable, and each element of a shared array, is a component whose states are its values. What they do together
//! are actions: a rendezvous is an action of caller and acceptor, a read or write one of task and variable.
//!
//! **Rendezvous.** A call and an `accept` are one action. If some `accept` of the entry has a body, or a parameter is
//! `out`, a second action is the end of the rendezvous. In-values are part of the first action, out-values of the second.
//! Entry queues are unordered: of several callers any may be next.
//!
//! **Else.** `select … else` looks whether a call is waiting, and a conditional call whether the task waits for it. Whoever
//! is not waiting says so by an action that both take, in all states but those in which it waits. Where it matters whether
//! a task waits, it begins to wait by a silent step of its own, so that it can be found before that. `delay` may be over
//! at any time, and a timed call may be given up at any time.
//!
//! **Ending.** A task that has come to its end takes the action `task.end`. All tasks then leave together, when every one
//! has ended or waits at an open `terminate`; only then is the network at its end. So a program is at its end if and only
//! if all its tasks are, and calls of tasks that have ended are found (`Tasking_Error`).
//!
//! **Errors.** Constraint_Error, Tasking_Error and Program_Error lead to the error state of the task.
//!
//! **Undefined values.** A variable without an initial value has any value of its type; which one it has is decided when it
//! is read first.
//!
//! **What is silent.** Local steps cannot be noticed by others, so a chain of them is no step at all. Only a loop of local
//! steps is a silent cycle, and the choice of an undefined value of a local variable is a silent step.

mod action;
mod assemble;
mod exchange;
mod races;
mod tasks;
mod unfold;

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Exhausted};
use rely_lts::{Component, Network};
use rely_model::{Failure, Naming, Places, StateNames};

pub(crate) use action::Action;
pub(crate) use assemble::Unfoldings;
pub(crate) use tasks::TaskId;
pub(crate) use unfold::{Goal, Unfolded};

use crate::flow::Flow;
use crate::hir::Program;

/// A program as a network, with the names of its events and places in its text.
#[derive(Clone, Debug)]
pub struct Exact {
    /// The components: the tasks in the order of their declaration, the main procedure last, then the shared variables.
    pub network: Network,
    /// The names of its events.
    pub naming: Naming,
    /// For each component that is a task, where its states are in the text.
    pub places: Vec<Arc<Places>>,
    /// The action by which all tasks leave together, if they can: where an execution ends.
    pub end: Option<String>,
    /// The variables for which tasks may race.
    races: Vec<races::Race>,
}

impl Exact {
    /// The names of the properties that there is no data race, one for each variable for which tasks may race.
    pub fn race_names(&self) -> impl Iterator<Item = &str> {
        self.races.iter().map(|race| &*race.name)
    }

    /// The property with such a name, over the actions of the network, and the names of its states.
    ///
    /// # Errors
    /// When it does not fit into the budget.
    pub fn race(
        &self,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<(Component, StateNames)>, Exhausted> {
        let race = self.races.iter().find(|race| race.name == name);
        race.map(|race| race.property(self.network.alphabet(), budget)).transpose()
    }
}

/// Why there is no network.
#[derive(Clone, Debug)]
pub enum Refused {
    /// The program has mistakes that are found only when its values are looked at.
    Mistakes(Vec<Diagnostic>),
    /// A limit was met.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Refused {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<&Refused> for Failure {
    fn from(refused: &Refused) -> Self {
        match refused {
            Refused::Mistakes(_) => Self::Errors,
            Refused::Exhausted(exhausted) => Self::Exhausted(exhausted.clone()),
        }
    }
}

/// The network of a program.
///
/// # Errors
/// When a variable without initial value has too many values, an event has the name of something else, or a limit is met.
pub fn exact(program: &Program, budget: &Budget<'_>) -> Result<Exact, Refused> {
    let tasks = tasks::Tasks::new(program);
    let (unfolded, exchange) = exchange::unfold_all(&tasks, budget)?;
    assemble::assemble(&tasks, unfolded, &exchange)
}

/// The flow model of a program.
///
/// # Errors
/// As for [`exact`].
pub fn flow(program: &Program, budget: &Budget<'_>) -> Result<Flow, Refused> {
    let unfoldings = unfoldings(program, budget)?;
    let tasks: Vec<usize> = (0..unfoldings.tasks.len()).collect();
    Ok(Flow::new(Arc::new(unfoldings), &tasks, budget)?)
}

/// The tasks of a program, unfolded, and its variables.
pub(crate) fn unfoldings(program: &Program, budget: &Budget<'_>) -> Result<Unfoldings, Refused> {
    let tasks = tasks::Tasks::new(program);
    let (unfolded, exchange) = exchange::unfold_all(&tasks, budget)?;
    assemble::unfoldings(&tasks, unfolded, &exchange)
}
