//! Which commands of a program are ever taken.
//!
//! A command that is never taken is dead: its guard is never true, or other units are never ready for its action. As
//! for networks, a search suffices that looks at each state but not at the targets of its steps, since in a step that
//! is possible every unit may take each of its enabled commands.

use std::ops::ControlFlow;

use rely_base::{Budget, Id, Label, StateId};
use rely_explore::{Composite, Machine, MachineCursor, MoveEnd, Search, System, Visitor};
use rely_lts::{ComponentId, Program, UnitId};

use crate::counterexample::steps_to;
use crate::replay::replay_steps;
use crate::{Explored, ReplayError, Sight, Step, Witness};

/// What was exercised in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramCoverage {
    /// By unit and command, whether it is taken in some run; a step that fails or is cut counts, too.
    pub commands: Vec<Vec<bool>>,
    /// By action of the program, whether it occurs.
    pub actions: Vec<bool>,
    /// What was explored.
    pub explored: Explored,
    /// Whether everything was explored, so that what was not exercised cannot be.
    pub is_exhaustive: bool,
    /// A shortest run whose last step a unit of the goal takes part in, if there is one that leads to a state.
    pub witness: Option<Witness>,
}

/// Computes what is exercised in a program, and a witness for the units of a goal. If a limit is met, or a run leaves
/// the bounds within which the program is explored, the result is marked as not exhaustive.
///
/// # Errors
/// A witness that could not be replayed: a mistake in the program.
pub fn program_coverage(
    program: &Program,
    goal: &[ComponentId],
    budget: &Budget<'_>,
) -> Result<ProgramCoverage, ReplayError> {
    let machine = Machine::transparent(program);
    let mut search = Search::new(&machine);
    let commands = program.units().iter().map(|unit| unit.commands.len()).sum();
    let mut marks = Marks {
        machine: &machine,
        cursor: machine.cursor(),
        goal,
        taken: vec![false; commands],
        seen: vec![false; 1 + program.alphabet().len()],
        is_cut: false,
        is_worth: false,
        moved: None,
    };
    let outcome = search.run(budget, &mut marks);
    let Marks { taken, mut seen, is_cut, moved, .. } = marks;
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    // A witness that does not fit into the budget is left out.
    let witness = moved.and_then(|(source, last, goal)| {
        let mut steps = steps_to(&machine, &mut search, source, budget, 0).ok()?;
        steps.push(last);
        Some(Witness { steps, sight: Sight::Moved { goal } })
    });
    if let Some(witness) = &witness {
        replay_steps(program.into(), &witness.steps)?;
    }
    seen.remove(Label::TAU.index());
    let mut taken = taken.into_iter();
    let commands = program.units().iter().map(|unit| taken.by_ref().take(unit.commands.len()).collect());
    let commands = commands.collect();
    let is_exhaustive = outcome.is_ok() && !is_cut;
    Ok(ProgramCoverage { commands, actions: seen, explored, is_exhaustive, witness })
}

/// Collects what is exercised while a program is searched.
struct Marks<'p> {
    machine: &'p Machine<'p>,
    cursor: MachineCursor,
    goal: &'p [ComponentId],
    /// By command, numbered through all units, whether it is taken.
    taken: Vec<bool>,
    /// By label, whether it occurs.
    seen: Vec<bool>,
    is_cut: bool,
    /// Whether a unit of the goal may take part in a step of the current state.
    is_worth: bool,
    /// The first step to a state that a unit of the goal takes part in: where it starts, and the unit.
    moved: Option<(StateId, Step, ComponentId)>,
}

impl Marks<'_> {
    /// Whether a unit of the goal may take part in a step with a label.
    fn may_move(&self, label: Label) -> bool {
        let program = self.machine.program();
        let may = |unit: &ComponentId| {
            let id = UnitId::from_index(unit.index());
            let is_member = program.ticks().iter().any(|tick| tick.members.contains(&id));
            is_member || label.action().is_none_or(|action| program.participants(action).contains(&id))
        };
        self.goal.iter().any(may)
    }

    /// The first step of a state to another that a unit of the goal takes part in.
    fn first_move(&self, words: &[u64]) -> Option<(Step, ComponentId)> {
        let mut found = None;
        let _ = self.machine.try_moves(words, &mut |it| {
            let goal = self.goal.iter().find(|goal| it.movers.contains(goal));
            if let (Some(&goal), MoveEnd::State(after)) = (goal, it.end) {
                let action = self.machine.alphabet().label_name(it.label).to_owned();
                let (movers, before) = (it.movers, self.machine.numbers(words));
                found = Some((Step { action, movers, before, after, fluents: Vec::new() }, goal));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }
}

impl Visitor for Marks<'_> {
    fn transition(&mut self, _source: StateId, label: Label, _target: StateId) {
        self.seen[label.index()] = true;
        self.is_worth = self.is_worth || (self.moved.is_none() && self.may_move(label));
    }

    fn error(&mut self, _source: Option<StateId>, label: Label, _component: ComponentId) {
        self.seen[label.index()] = true;
    }

    fn cut(&mut self, _source: StateId, label: Label, _component: ComponentId) {
        self.seen[label.index()] = true;
        self.is_cut = true;
    }

    fn expanded(&mut self, state: StateId, words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if std::mem::take(&mut self.is_worth) && self.moved.is_none() {
            self.moved = self.first_move(words).map(|(step, goal)| (state, step, goal));
        }
        self.machine.mark_taken(words, &mut self.cursor, &mut self.taken);
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        self.taken.len()
    }
}
