//! From unfolded tasks to components: actions get names, variables get states, and whoever is not waiting says so.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use rely_base::{Alphabet, Diagnostic, Id, Label, Span, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network};
use rustc_hash::FxHashMap;

use super::action::Action;
use super::exchange::{Offers, initial_value};
use super::races::races;
use super::tasks::{CellId, TaskId, Tasks};
use super::unfold::{Goal, State, Unfolded};
use super::{Exact, Refused};
use crate::codes;
use rely_model::{End, Naming, Places};

/// Unfolded tasks with the names of their actions, for the flow model.
#[derive(Clone, Debug)]
pub(crate) struct Unfoldings {
    /// The tasks.
    pub(crate) tasks: Vec<Unfolded>,
    /// Their names.
    pub(crate) task_names: Vec<String>,
    /// The names of the actions.
    pub(crate) names: BTreeMap<Action, String>,
    /// The names of events.
    pub(crate) naming: Naming,
    /// The components of the shared variables, by name.
    pub(crate) variables: Vec<(String, Lts)>,
}

/// The tasks and variables, with names for what they do.
pub(super) fn unfoldings(
    tasks: &Tasks<'_>,
    unfolded: Vec<Unfolded>,
    offers: &Offers,
) -> Result<Unfoldings, Refused> {
    let assembler = Assembler::new(tasks, unfolded)?;
    Ok(Unfoldings {
        variables: assembler.variables(offers),
        task_names: tasks.ids().map(|task| tasks.name(task).to_owned()).collect(),
        tasks: assembler.unfolded,
        names: assembler.names,
        naming: assembler.naming,
    })
}

/// Puts the components together.
pub(super) fn assemble(
    tasks: &Tasks<'_>,
    unfolded: Vec<Unfolded>,
    offers: &Offers,
) -> Result<Exact, Refused> {
    let assembler = Assembler::new(tasks, unfolded)?;
    let mut components = Vec::new();
    let mut places = Vec::new();
    for task in tasks.ids() {
        let (lts, place) = assembler.task(task);
        components.push(Component::new(tasks.name(task), lts));
        places.push(Arc::new(place));
    }
    let variables = assembler.variables(offers);
    components.extend(variables.into_iter().map(|(name, lts)| Component::new(name, lts)));
    let hidden: BTreeSet<&str> =
        assembler.actions.iter().filter(|a| a.is_auxiliary()).map(|a| &*assembler.names[a]).collect();
    let network = Network::new(components).with_hidden(|name| hidden.contains(name));
    let end = assembler.names.get(&Action::Terminate).cloned();
    let races = races(tasks, &assembler.names);
    Ok(Exact { network, naming: assembler.naming, places, end, races })
}

/// A task that never ends cannot be found to have ended.
fn drop_impossible(unfolded: &mut [Unfolded]) {
    let ends: Vec<bool> = unfolded.iter().map(|task| task.states.iter().any(|state| state.is_done)).collect();
    for state in unfolded.iter_mut().flat_map(|task| &mut task.states) {
        state.steps.retain(|(action, ..)| match action {
            Some(Action::Gone { acceptor, .. }) => ends[acceptor.index()],
            _ => true,
        });
    }
}

/// Gives every action a name of its own.
fn name(
    tasks: &Tasks<'_>,
    actions: &BTreeSet<Action>,
) -> Result<(BTreeMap<Action, String>, Naming), Refused> {
    let mut owners: BTreeMap<String, BTreeSet<Option<TaskId>>> = BTreeMap::new();
    // What kind of action has a name.
    let mut kinds: FxHashMap<String, Discriminant<Action>> = FxHashMap::default();
    let mut clashes = BTreeSet::new();
    for action in actions {
        let (owner, short) = action.short_name(tasks);
        let kind = discriminant(action);
        if *kinds.entry(short.clone()).or_insert(kind) != kind {
            clashes.insert(short.clone());
        }
        owners.entry(short).or_default().insert(owner);
    }
    if let Some(clash) = clashes.first() {
        let message = format!("\"{clash}\" is the name of another event of the program");
        let diagnostic = Diagnostic::error(codes::EVENT, tasks.program.name.span, message)
            .with_help("give the mark, entry or value another name");
        return Err(Refused::Mistakes(vec![diagnostic]));
    }
    let mut names = BTreeMap::new();
    let mut naming = Naming::default();
    naming.end = End::Never;
    for action in actions {
        let (owner, short) = action.short_name(tasks);
        let long = owner.map(|owner| format!("{}.{short}", tasks.name(owner)));
        let name = match &long {
            Some(long) if owners[&short].len() > 1 => long.clone(),
            _ => short.clone(),
        };
        if *action == Action::Terminate {
            naming.end = End::By(name.clone());
            naming.add(short, &name);
        } else {
            naming.show_as(&name, short.clone());
            if let Some(without) = action.name_without_values(tasks) {
                naming.add(without.clone(), &name);
                naming.add(format!("{}.{without}", owner.map_or("", |owner| tasks.name(owner))), &name);
            }
            naming.add(short, &name);
            if let Some(long) = long {
                naming.add(long, &name);
            }
        }
        names.insert(action.clone(), name);
    }
    Ok((names, naming))
}

/// Rendezvous that nobody asks for, and ends that no task comes to. They are names that properties may use, and actions
/// that never happen.
fn never_happening(tasks: &Tasks<'_>, naming: &mut Naming) -> Vec<(TaskId, String)> {
    let mut never = Vec::new();
    for task in tasks.ids() {
        let doors = tasks.doors(task).map(|door| door.name(tasks));
        for name in doors.chain([format!("{}.end", tasks.name(task))]) {
            if naming.actions(&name).next().is_none() {
                naming.add(name.clone(), &name);
                never.push((task, name));
            }
        }
    }
    never
}

struct Assembler<'t, 'p> {
    tasks: &'t Tasks<'p>,
    unfolded: Vec<Unfolded>,
    actions: BTreeSet<Action>,
    names: BTreeMap<Action, String>,
    naming: Naming,
    /// Events of the text that never happen, with the tasks that would take part.
    never: Vec<(TaskId, String)>,
    /// Whether all tasks leave together.
    together: bool,
}

impl<'t, 'p> Assembler<'t, 'p> {
    fn new(tasks: &'t Tasks<'p>, mut unfolded: Vec<Unfolded>) -> Result<Self, Refused> {
        drop_impossible(&mut unfolded);
        let steps = unfolded.iter().flat_map(|task| &task.states).flat_map(|state| &state.steps);
        let mut actions: BTreeSet<Action> = steps.filter_map(|(action, ..)| action.clone()).collect();
        // All tasks leave together where all can leave, where somebody may wait for that, or notice that another has ended.
        let together = unfolded.iter().all(Unfolded::can_end)
            || actions.iter().any(|action| matches!(action, Action::Terminate | Action::Gone { .. }));
        if together {
            actions.insert(Action::Terminate);
        }
        for task in tasks.ids() {
            let marks = tasks.marks(task).map(|name| Action::Event { task, name: Arc::clone(name) });
            actions.extend(marks);
        }
        let (names, mut naming) = name(tasks, &actions)?;
        let never = never_happening(tasks, &mut naming);
        Ok(Self { tasks, unfolded, actions, names, naming, never, together })
    }

    /// The components of the shared variables that somebody uses, with their names.
    fn variables(&self, offers: &Offers) -> Vec<(String, Lts)> {
        let cells = (0..self.tasks.cell_variables.len()).map(CellId::from_index);
        cells.filter_map(|cell| Some((self.tasks.cell_name(cell), self.cell(cell, offers)?))).collect()
    }

    /// Whether a task takes part in an action.
    fn takes_part(&self, task: TaskId, action: &Action) -> bool {
        match action {
            Action::Begin { caller, door, .. }
            | Action::Finish { caller, door, .. }
            | Action::Refused { caller, door } => *caller == task || door.acceptor == task,
            Action::Gone { caller, acceptor } => *caller == task || *acceptor == task,
            Action::Read { task: actor, .. }
            | Action::Write { task: actor, .. }
            | Action::Event { task: actor, .. }
            | Action::End { task: actor }
            | Action::Fault { task: actor, .. } => *actor == task,
            Action::Idle { acceptor, doors } => {
                let waits = |state: &State| state.waits.is_some_and(|door| doors.contains(&door));
                *acceptor == task || self.unfolded[task.index()].states.iter().any(waits)
            }
            Action::Terminate => true,
        }
    }

    /// Whether a task, as somebody who is not waiting, lets an action happen in a state.
    fn lets_happen(&self, task: TaskId, state: &State, action: &Action) -> bool {
        match action {
            Action::Refused { caller, door } => {
                *caller != task && !state.is_done && !state.ready.contains(door)
            }
            Action::Idle { acceptor, doors } => {
                *acceptor != task && state.waits.is_none_or(|door| !doors.contains(&door))
            }
            Action::Gone { caller, .. } => *caller != task && state.is_done,
            _ => false,
        }
    }

    fn task(&self, task: TaskId) -> (Lts, Places) {
        let states = &self.unfolded[task.index()].states;
        let own: Vec<&Action> = self.actions.iter().filter(|action| self.takes_part(task, action)).collect();
        let mut alphabet = Alphabet::new();
        let labels: BTreeMap<&Action, Label> = own
            .iter()
            .map(|&action| (action, Label::visible(alphabet.intern(&self.names[action]))))
            .collect();
        for (_, name) in self.never.iter().filter(|(of, _)| *of == task) {
            alphabet.intern(name);
        }
        let mut builder = LtsBuilder::with_states(alphabet, states.len());
        let done = states.iter().position(|state| state.is_done).map(StateId::from_index);
        // The end state is there even if it cannot be reached: a program whose task cannot end does not end.
        let end = match done {
            Some(done) if !self.together => done,
            _ => builder.add_state(),
        };
        builder.set_end(Some(end));
        let has_error =
            states.iter().any(|state| state.steps.iter().any(|(_, goal, _)| *goal == Goal::Error));
        let error = has_error.then(|| builder.error_state());
        let mut places =
            Places { states: states.iter().map(|state| state.span).collect(), ..Places::default() };
        let last = states.last().map_or(Span::new(0, 0), |state| state.span);
        places.states.resize(builder.state_count(), last);
        for (number, state) in states.iter().enumerate() {
            let from = StateId::from_index(number);
            for (action, goal, span) in &state.steps {
                let label = action.as_ref().map_or(Label::TAU, |action| labels[action]);
                let goal = match goal {
                    Goal::State(number) => StateId::from_index(*number),
                    Goal::End => end,
                    Goal::Error => error.unwrap_or(end),
                };
                builder.add_transition(from, label, goal);
                if let (Some(action), Some(span)) = (label.action(), span) {
                    places.steps.insert((from, action), *span);
                }
            }
            for action in own.iter().filter(|action| self.lets_happen(task, state, action)) {
                builder.add_transition(from, labels[*action], from);
            }
            if self.together && state.is_done {
                builder.add_transition(from, labels[&Action::Terminate], end);
            }
        }
        (builder.build(), places)
    }

    /// The component of a shared variable or element; nothing if nobody uses it.
    fn cell(&self, cell: CellId, offers: &Offers) -> Option<Lts> {
        let is_own = |action: &&Action| matches!(action, Action::Read { cell: of, .. } | Action::Write { cell: of, .. } if *of == cell);
        let own: Vec<&Action> = self.actions.iter().filter(is_own).collect();
        if own.is_empty() {
            return None;
        }
        let values: BTreeMap<i64, StateId> = offers
            .values(cell)
            .iter()
            .enumerate()
            .map(|(at, &value)| (value, StateId::from_index(at)))
            .collect();
        let mut alphabet = Alphabet::new();
        let labels: Vec<Label> =
            own.iter().map(|&action| Label::visible(alphabet.intern(&self.names[action]))).collect();
        let mut builder = LtsBuilder::with_states(alphabet, values.len());
        let initial = initial_value(self.tasks, cell);
        // Without an initial value, the first read decides.
        let unknown = initial.is_none().then(|| builder.add_state());
        builder.set_initial(match (initial, unknown) {
            (Some(value), _) => values[&value],
            (None, unknown) => unknown.unwrap_or(StateId::from_index(0)),
        });
        for (action, &label) in own.iter().zip(&labels) {
            match action {
                Action::Read { value, .. } => {
                    let state = values[value];
                    builder.add_transition(state, label, state);
                    if let Some(unknown) = unknown {
                        builder.add_transition(unknown, label, state);
                    }
                }
                Action::Write { value, .. } => {
                    for from in values.values().copied().chain(unknown) {
                        builder.add_transition(from, label, values[value]);
                    }
                }
                _ => {}
            }
        }
        Some(builder.build())
    }
}
