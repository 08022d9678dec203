//! The commands of a program, grouped by what triggers them.
//!
//! For each unit with silent commands, each action and each tick there are *menus*: the commands that a unit may
//! choose from. Many guards begin with "the slot has this value", as those of a machine with control states. If all
//! guards of a menu do so for the same slot, only the commands for its current value are looked at. The guards of the
//! others are false, and they are defined, since a conjunction is not evaluated further once its first part is false.

use rely_base::{Id, Label};
use rely_lts::{
    Binary, ComponentId, Expression, ExpressionId, Outcome, Program, Target, Tick, TickId, Trigger, UnitId,
};

use super::code::{Code, Entry, Writer, always_defined, slot_is};
use super::layout::Layout;

/// A program, compiled.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) code: Code,
    pub(super) commands: Vec<Command>,
    pub(super) assignments: Vec<Assignment>,
    /// The silent commands of the units that have some.
    pub(super) alone: Vec<Menu>,
    /// What units do together, by action.
    pub(super) together: Vec<Joint>,
    pub(super) ticks: Vec<Joint>,
    pub(super) end: Option<Entry>,
}

/// A command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command {
    /// The first of its assignments, and where they end.
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) outcome: Outcome,
}

/// An assignment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment {
    /// The slot, or the first one of an array.
    pub(super) slot: u32,
    /// The index and the number of the elements, for an array.
    pub(super) index: Option<(Entry, u32)>,
    pub(super) value: Entry,
}

/// What a unit can choose from.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub(super) unit: ComponentId,
    /// Whether the step is impossible if no command is enabled; otherwise the unit then does nothing in the step.
    pub(super) is_required: bool,
    /// Whether all guards are defined in every state.
    is_defined: bool,
    commands: Vec<Candidate>,
    by_value: Option<ByValue>,
}

/// A command that may be enabled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) command: u32,
    /// The part of the guard that remains to be evaluated; `None` if the command is enabled.
    pub(super) guard: Option<Entry>,
}

/// The commands of a menu, by the value of a slot that their guards require.
#[derive(Clone, Debug)]
struct ByValue {
    slot: usize,
    /// The commands for the value at position p are from `starts[p]` to `starts[p + 1]` in the list of the menu.
    starts: Vec<u32>,
}

impl Menu {
    /// The commands whose guards may be true in a state, in the order of the unit.
    #[inline]
    pub(super) fn candidates(&self, layout: &Layout, state: &[u64]) -> &[Candidate] {
        match &self.by_value {
            None => &self.commands,
            Some(ByValue { slot, starts }) => {
                let position = layout.position(*slot, state) as usize;
                &self.commands[starts[position] as usize..starts[position + 1] as usize]
            }
        }
    }
}

/// A step of several units.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// The label, in the program's alphabet.
    pub(super) label: Label,
    /// The guard of a tick, and the unit whose fault it is where the guard is undefined.
    pub(super) guard: Option<(Entry, ComponentId)>,
    /// What the units choose from, in their order.
    pub(super) menus: Vec<Menu>,
    /// From this menu on, all guards are defined in every state.
    pub(super) defined_from: usize,
}

impl Joint {
    fn new(label: Label, guard: Option<(Entry, ComponentId)>, menus: Vec<Menu>) -> Self {
        let defined_from = menus.iter().rposition(|menu| !menu.is_defined).map_or(0, |last| last + 1);
        Self { label, guard, menus, defined_from }
    }

    /// Whether the step is never possible, and none of its guards can be undefined.
    fn is_idle(&self) -> bool {
        self.defined_from == 0 && self.menus.iter().any(|menu| menu.is_required && menu.commands.is_empty())
    }
}

impl Plan {
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        Compiler::new(program, layout).compile()
    }
}

struct Compiler<'p> {
    program: &'p Program,
    layout: &'p Layout,
    writer: Writer<'p>,
    is_defined: Vec<bool>,
    /// For each unit, the number of its first command.
    first_command: Vec<u32>,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, layout: &'p Layout) -> Self {
        let commands = program.units().iter().flat_map(|unit| &unit.commands);
        let used = commands.flat_map(|command| {
            let assigned = command.assignments.iter().flat_map(|it| match it.target {
                Target::Slot(_) => [Some(it.value), None],
                Target::Element(_, index) => [Some(index), Some(it.value)],
            });
            assigned.flatten().chain([command.guard])
        });
        let used = used.chain(program.ticks().iter().map(|tick| tick.guard)).chain(program.end());
        let writer = Writer::new(program, used);
        let first_command = program.units().iter().scan(0, |next, unit| {
            let first = *next;
            *next += number(unit.commands.len());
            Some(first)
        });
        let first_command = first_command.collect();
        Self { program, layout, writer, is_defined: always_defined(program), first_command }
    }

    fn compile(mut self) -> Plan {
        let program = self.program;
        let (mut commands, mut assignments) = (Vec::new(), Vec::new());
        for command in program.units().iter().flat_map(|unit| &unit.commands) {
            let first = number(assignments.len());
            for it in &command.assignments {
                let (slot, index) = match it.target {
                    Target::Slot(slot) => (slot, None),
                    Target::Element(array, index) => {
                        (array.first, Some((self.writer.add(index), array.length)))
                    }
                };
                assignments.push(Assignment { slot: slot.raw(), index, value: self.writer.add(it.value) });
            }
            let last = number(assignments.len());
            commands.push(Command { first, last, outcome: command.outcome });
        }
        let units = || (0..program.units().len()).map(UnitId::from_index);
        let alone: Vec<Menu> = units().map(|unit| self.menu(unit, Trigger::Silent, false)).collect();
        let alone = alone.into_iter().filter(|menu| !menu.commands.is_empty()).collect();
        let together = self.together();
        let ticks = self.ticks();
        let end = program.end().map(|end| self.writer.add(end));
        Plan { code: self.writer.finish(), commands, assignments, alone, together, ticks, end }
    }

    fn together(&mut self) -> Vec<Joint> {
        let program = self.program;
        let mut joints = Vec::new();
        for (action, _) in program.alphabet().iter() {
            let participants = program.participants(action);
            if participants.is_empty() || program.is_ticked(action) {
                continue;
            }
            let menus = participants.iter().map(|&unit| self.menu(unit, Trigger::Action(action), true));
            joints.push(Joint::new(Label::visible(action), None, menus.collect()));
        }
        joints.retain(|joint| !joint.is_idle());
        joints
    }

    fn ticks(&mut self) -> Vec<Joint> {
        let program = self.program;
        let ids = (0..program.ticks().len()).map(TickId::from_index);
        let tick = |(id, tick): (TickId, &Tick)| {
            let first = tick.members.first().map_or(0, |member| member.index());
            let guard = self.writer.add(tick.guard);
            let menus = movers_of(program, tick).into_iter().map(|unit| {
                match (tick.members.binary_search(&unit), tick.action) {
                    (Err(_), Some(action)) => self.menu(unit, Trigger::Action(action), true),
                    _ => self.menu(unit, Trigger::Tick(id), false),
                }
            });
            let menus = menus.collect();
            let label = tick.action.map_or(Label::TAU, Label::visible);
            Joint::new(label, Some((guard, ComponentId::from_index(first))), menus)
        };
        ids.zip(program.ticks()).map(tick).collect()
    }

    /// The commands of a unit with a trigger.
    fn menu(&mut self, unit: UnitId, trigger: Trigger, is_required: bool) -> Menu {
        let own = &self.program.units()[unit.index()].commands;
        let chosen: Vec<usize> = (0..own.len()).filter(|&i| own[i].trigger == trigger).collect();
        let first = self.first_command[unit.index()];
        let is_defined = chosen.iter().all(|&i| self.is_defined[own[i].guard.index()]);
        let asked: Option<Vec<(u32, i64)>> = chosen.iter().map(|&i| self.asked_value(own[i].guard)).collect();
        let slot = asked.as_ref().and_then(|asked| self.common_slot(asked));
        let mut commands: Vec<Candidate> = chosen
            .iter()
            .map(|&i| Candidate {
                command: first + number(i),
                guard: self.left_to_ask(own[i].guard, slot.is_some()),
            })
            .collect();
        let by_value = asked.zip(slot).map(|(asked, slot)| self.by_value(slot, &asked, &mut commands));
        let unit = ComponentId::from_index(unit.index());
        Menu { unit, is_required, is_defined, commands, by_value }
    }

    /// The slot and the value that a guard requires first.
    fn asked_value(&self, mut guard: ExpressionId) -> Option<(u32, i64)> {
        loop {
            match self.program.expression(guard) {
                Expression::Binary(Binary::And, first, _) => guard = first,
                other => return slot_is(self.program, other),
            }
        }
    }

    /// What remains of a guard to evaluate. If `is_asked`, its first requirement is known to be met.
    fn left_to_ask(&mut self, guard: ExpressionId, is_asked: bool) -> Option<Entry> {
        let it = self.program.expression(guard);
        let is_true = match it {
            Expression::Constant(value) => value != 0,
            _ => is_asked && slot_is(self.program, it).is_some(),
        };
        (!is_true).then(|| self.writer.add(guard))
    }

    /// The slot that all of the commands require a value of, if it has few enough values for a table.
    fn common_slot(&self, asked: &[(u32, i64)]) -> Option<usize> {
        /// The maximum size of a table: `SMALL` entries, or `TIMES` entries per command, whichever is larger.
        const SMALL: u64 = 64;
        const TIMES: u64 = 8;
        let &(slot, _) = asked.first()?;
        let values = self.program.slots()[slot as usize].values.count();
        let is_same = asked.iter().all(|&(other, _)| other == slot);
        (is_same && values <= SMALL.max(TIMES * asked.len() as u64)).then_some(slot as usize)
    }

    /// Sorts commands by the value of a slot that they require.
    fn by_value(&self, slot: usize, asked: &[(u32, i64)], commands: &mut Vec<Candidate>) -> ByValue {
        // Commands that ask for a value that the slot does not have are never enabled.
        let mut placed: Vec<(u32, Candidate)> = asked
            .iter()
            .zip(commands.iter())
            .filter_map(|(&(_, value), &command)| Some((self.layout.position_of(slot, value)?, command)))
            .collect();
        placed.sort_by_key(|&(position, _)| position);
        let before = |position: u64| number(placed.partition_point(|&(at, _)| u64::from(at) < position));
        let starts = (0..=self.program.slots()[slot].values.count()).map(before).collect();
        *commands = placed.iter().map(|&(_, command)| command).collect();
        ByValue { slot, starts }
    }
}

/// The units that move with a tick: its members, and those that have its action; in order.
pub(super) fn movers_of(program: &Program, tick: &Tick) -> Vec<UnitId> {
    let sharing = tick.action.map_or(&[][..], |action| program.participants(action));
    let mut movers = [&tick.members[..], sharing].concat();
    movers.sort_unstable();
    movers.dedup();
    movers
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a program has fewer commands")
}
