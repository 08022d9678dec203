//! Every move of a network that packs into one word, compiled to a guard and a change of that word.
//!
//! Problem: the successors of a packed state, in a few operations each.
//!
//! Idea: fix, for an action, one transition of each participant. The action can be taken in this way where the fields
//! of the participants have the sources' values, and it changes them to the targets': `state & mask == value`, and
//! then `state ^ change`. The moves that an action's leader can make from one of its states are listed together, so
//! that only those are looked at that the leaders' current states allow.
//!
//! Invariants: moves are found in the order of [`crate::Product`]: τ by component, then the actions by number, then
//! the targets of the participants, those of the last varying fastest.
//!
//! Cost: O(moves of the leaders' states) a state. An action has as many moves as there are combinations of its
//! participants' transitions; where that is too much, nothing is compiled.

use std::ops::ControlFlow;

use rely_base::{Id, Label};
use rely_lts::{ComponentId, Network};
use rustc_hash::FxHashMap;

use crate::tables::{ERROR, Tables};

/// The compiled moves of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    /// The components that make silent moves, then those that lead actions.
    drivers: Vec<Driver>,
    /// The moves of row `r` are `moves[rows[r] .. rows[r + 1]]`.
    rows: Vec<u32>,
    moves: Vec<Move>,
}

/// A component whose state decides which moves are looked at.
#[derive(Clone, Copy, Debug)]
struct Driver {
    /// Its field.
    shift: u32,
    mask: u64,
    /// The row of its state 0.
    row: usize,
}

/// One way to take an action.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// Where the followers have to be.
    mask: u64,
    value: u64,
    /// What changes.
    change: u64,
    /// What is shown.
    label: Label,
    /// The component that reaches its error state, or [`NOBODY`].
    failing: ComponentId,
}

/// Stands for no component.
const NOBODY: ComponentId = ComponentId::from_raw(u32::MAX);

/// Of one state of a leader, an action may have so many moves: beyond that, looking for the followers' transitions
/// is faster than trying all.
const MOST_OF_ACTION: usize = 16;

/// A network may have so many moves in all.
const MOST: usize = 1 << 18;

impl Moves {
    /// The moves of a network, if its states are single words, it has no priority, and there are not too many.
    pub(crate) fn new(network: &Network, tables: &Tables, shown: &[Label]) -> Option<Self> {
        if tables.words != 1 || network.priority().is_some() {
            return None;
        }
        let mut compiler = Compiler { network, tables, shown, parts: parts(tables), moves: Self::default() };
        for component in 0..tables.fields.len() {
            compiler.add_driver(ComponentId::from_index(component), Compiler::add_silent)?;
        }
        for component in 0..tables.fields.len() {
            compiler.add_driver(ComponentId::from_index(component), Compiler::add_led)?;
        }
        compiler.moves.rows.push(position(compiler.moves.moves.len()));
        Some(compiler.moves)
    }

    /// Calls `visit` with the label of each move and the state or the failing component that it leads to.
    #[inline]
    pub(crate) fn try_each(
        &self,
        state: u64,
        visit: &mut impl FnMut(Label, Result<u64, ComponentId>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for driver in &self.drivers {
            let row =
                driver.row + usize::try_from((state >> driver.shift) & driver.mask).unwrap_or(usize::MAX);
            for candidate in &self.moves[self.rows[row] as usize..self.rows[row + 1] as usize] {
                if state & candidate.mask != candidate.value {
                    continue;
                }
                let target = match candidate.failing {
                    NOBODY => Ok(state ^ candidate.change),
                    failing => Err(failing),
                };
                visit(candidate.label, target)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The transition of one participant, as a part of a move.
#[derive(Clone, Copy)]
struct Part {
    component: ComponentId,
    mask: u64,
    value: u64,
    change: u64,
}

struct Compiler<'a> {
    network: &'a Network,
    tables: &'a Tables,
    /// For each action of the network, the label that is shown.
    shown: &'a [Label],
    /// For each component and each action that it follows, its transitions.
    parts: FxHashMap<(ComponentId, Label), Vec<Part>>,
    moves: Moves,
}

impl Compiler<'_> {
    /// Adds the moves that a component makes or leads, if there are any.
    fn add_driver(
        &mut self,
        component: ComponentId,
        add: impl Fn(&mut Self, ComponentId, usize) -> Option<()>,
    ) -> Option<()> {
        let (rows_before, moves_before) = (self.moves.rows.len(), self.moves.moves.len());
        for row in self.tables.rows_of(component) {
            self.moves.rows.push(position(self.moves.moves.len()));
            add(self, component, row)?;
        }
        if self.moves.moves.len() == moves_before {
            self.moves.rows.truncate(rows_before);
            return Some(());
        }
        let field = self.tables.fields[component.index()];
        self.moves.drivers.push(Driver { shift: field.shift, mask: field.mask, row: rows_before });
        (self.moves.moves.len() <= MOST).then_some(())
    }

    /// Adds the silent moves of a component from the state of a row.
    fn add_silent(&mut self, component: ComponentId, row: usize) -> Option<()> {
        for group in self.tables.silent(row) {
            for part in own_parts(self.tables, component, group) {
                self.add_move(Label::TAU, &[part]);
            }
        }
        Some(())
    }

    /// Adds the moves that a component leads from the state of a row.
    fn add_led(&mut self, component: ComponentId, row: usize) -> Option<()> {
        for group in self.tables.led(row) {
            let label = self.tables.label(group);
            let action = label.action().expect("a component leads actions, not τ");
            let leader: Vec<Part> = own_parts(self.tables, component, group).collect();
            let mut ways: Vec<Vec<Part>> = leader.into_iter().map(|part| vec![part]).collect();
            for &follower in &self.network.participants(action)[1..] {
                let parts = self.parts.get(&(follower, label)).map_or(&[][..], Vec::as_slice);
                if ways.len() * parts.len() > MOST_OF_ACTION {
                    return None;
                }
                let extended = |way: &Vec<Part>| {
                    let way = way.clone();
                    parts.iter().map(move |&part| way.iter().copied().chain([part]).collect())
                };
                ways = ways.iter().flat_map(extended).collect();
            }
            for way in ways {
                self.add_move(self.shown[action.index()], &way);
            }
        }
        Some(())
    }

    fn add_move(&mut self, label: Label, parts: &[Part]) {
        let failing = parts.iter().find(|part| part.change == ERROR);
        self.moves.moves.push(Move {
            mask: parts.iter().fold(0, |mask, part| mask | part.mask),
            value: parts.iter().fold(0, |value, part| value | part.value),
            change: parts.iter().fold(0, |change, part| change ^ part.change),
            label,
            failing: failing.map_or(NOBODY, |part| part.component),
        });
    }
}

/// The transitions of a driver: its own state is known and needs no guard.
fn own_parts(tables: &Tables, component: ComponentId, group: u32) -> impl Iterator<Item = Part> + '_ {
    tables.targets(group).map(move |target| Part {
        component,
        mask: 0,
        value: 0,
        change: tables.change(target),
    })
}

/// The transitions of all followers.
fn parts(tables: &Tables) -> FxHashMap<(ComponentId, Label), Vec<Part>> {
    let mut parts: FxHashMap<(ComponentId, Label), Vec<Part>> = FxHashMap::default();
    for (i, field) in tables.fields.iter().enumerate() {
        let component = ComponentId::from_index(i);
        for (value, row) in (0..).zip(tables.rows_of(component)) {
            for group in tables.all_followed(row) {
                let (mask, value) = (field.mask << field.shift, value << field.shift);
                let targets = tables.targets(group);
                parts.entry((component, tables.label(group))).or_default().extend(
                    targets.map(|target| Part { component, mask, value, change: tables.change(target) }),
                );
            }
        }
    }
    parts
}

/// A position in one of the tables.
fn position(index: usize) -> u32 {
    u32::try_from(index).expect("there are at most 2^18 moves")
}
