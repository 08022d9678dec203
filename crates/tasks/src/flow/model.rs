//! The flow model as those see it who look for constraints and for tasks to follow.

use std::sync::Arc;

use rely_base::{Budget, Exhausted, Label};
use rely_lts::operators::trim;
use rely_lts::{Lts, Network};
use rely_model::{FlowConstraint, FlowEvent, FlowModel, FlowPath, FlowSlice, OpenSlice};

use super::graph::NodeId;
use super::trace_flow::Shown;
use super::{Flow, seen_by};
use crate::exact::{Action, Unfoldings};

/// A program with the automata of all variables and tasks.
pub(crate) struct Constrained {
    program: Arc<Unfoldings>,
    constraints: Arc<[FlowConstraint]>,
}

impl Constrained {
    pub(crate) fn new(program: Unfoldings) -> Self {
        let mut constraints: Vec<FlowConstraint> = Vec::new();
        for (name, lts) in &program.variables {
            let threads = writers(&program, lts);
            constraints.push(FlowConstraint { name: name.clone(), threads, variable: Some(lts.clone()) });
        }
        for (task, name) in program.task_names.iter().enumerate() {
            constraints.push(FlowConstraint { name: name.clone(), threads: vec![task], variable: None });
        }
        Self { program: Arc::new(program), constraints: constraints.into() }
    }

    /// The task whose control flow a constraint is.
    fn task(constraints: &[FlowConstraint], number: usize) -> Option<usize> {
        let constraint = constraints.get(number)?;
        constraint.variable.is_none().then(|| constraint.threads[0])
    }
}

/// The tasks that assign to a variable, given its automaton: those that change its state.
fn writers(program: &Unfoldings, variable: &Lts) -> Vec<usize> {
    let changes = |name: &str| {
        let label = variable.alphabet().get(name).map(Label::visible);
        variable.transitions().any(|it| Some(it.label) == label && it.source != it.target)
    };
    let is_write = |action: &Action| matches!(action, Action::Write { .. });
    let named =
        program.names.iter().filter(|(action, name)| is_write(action) && variable.alphabet().contains(name));
    let mut writers: Vec<usize> =
        named.filter(|(_, name)| changes(name)).flat_map(|(action, _)| action.tasks()).collect();
    writers.sort_unstable();
    writers.dedup();
    writers
}

impl FlowModel for Constrained {
    /// The tasks are the first components of the exact model.
    fn threads(&self) -> Vec<usize> {
        (0..self.program.tasks.len()).collect()
    }

    fn constraints(&self) -> &[FlowConstraint] {
        &self.constraints
    }

    fn threads_of(&self, action: &str) -> Vec<Vec<usize>> {
        let named = self.program.names.iter().filter(|(_, name)| **name == action);
        named.map(|(action, _)| action.tasks()).filter(|tasks| !tasks.is_empty()).collect()
    }

    fn slice(&self, threads: &[usize], budget: &Budget<'_>) -> Result<Box<dyn FlowSlice + '_>, Exhausted> {
        let flow = Flow::new(Arc::clone(&self.program), threads, budget)?;
        Ok(Box::new(Slice { flow, constraints: Arc::clone(&self.constraints) }))
    }
}

/// The flow model of some tasks, with the constraints of the program.
struct Slice {
    flow: Flow,
    constraints: Arc<[FlowConstraint]>,
}

impl Slice {
    /// A property and the automata of the variables among some constraints.
    fn automata<'a>(&'a self, property: &'a Lts, constraints: &[usize]) -> Vec<(&'a str, &'a Lts)> {
        let variables = constraints.iter().filter_map(|&number| {
            let constraint = &self.constraints[number];
            Some((&*constraint.name, constraint.variable.as_ref()?))
        });
        [("property", property)].into_iter().chain(variables).collect()
    }
}

impl FlowSlice for Slice {
    fn network(&self, property: &Lts, constraints: &[usize]) -> Network {
        let tasks = constraints.iter().filter_map(|&number| Constrained::task(&self.constraints, number));
        self.flow.beside(&self.automata(property, constraints), &tasks.collect::<Vec<_>>())
    }

    fn open(&self, seen: &[&Lts], constraints: &[usize]) -> OpenSlice {
        let own = constraints.iter().filter_map(|&number| Constrained::task(&self.constraints, number));
        let own: Vec<usize> = own.filter(|task| self.flow.tasks.contains(task)).collect();
        self.flow.open(&seen_by(seen.iter().copied()), &own)
    }

    fn path(&self, property: &Lts, constraints: &[usize], steps: &[(String, u32)]) -> FlowPath {
        let automata = self.automata(property, constraints);
        self.flow.path_of(steps, &seen_by(automata.into_iter().map(|(_, lts)| lts)))
    }

    fn graph(&self, thread: Option<usize>) -> Lts {
        let shown = Shown::new(&self.flow, |_| true);
        let actions: Vec<String> = shown.nodes().iter().map(|&node| Flow::action(node)).collect();
        let watched = actions.iter().map(String::as_str).collect();
        match thread {
            Some(task) => trim(&self.flow.task_automaton(task, &shown)),
            None => trim(&self.flow.trace_flow_graph(&shown, &watched)),
        }
    }

    fn node_count(&self) -> u32 {
        u32::try_from(self.flow.nodes().len()).unwrap_or(u32::MAX)
    }

    fn event(&self, node: u32) -> Option<FlowEvent> {
        self.flow.event_at(NodeId::from_raw(node))
    }
}
