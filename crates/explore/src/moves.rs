//! Every move of a network, compiled to a guard and a change of the words of a state.
//!
//! Problem: the successors of a packed state, in a few operations each.
//!
//! Idea: fix, for an action, one transition of each participant. The action can be taken in this way where the fields
//! of the participants have the sources' values, and it changes them to the targets': `state & mask == value`, and
//! then `state ^ change`. The moves that an action's leader can make from one of its states are listed together, so
//! that only those are looked at that the leaders' current states allow. Where states have several words, a move has
//! a guard and a change for each word that it has to do with.
//!
//! Moves that have no component in common commute, which spares most lookups of a search: see [`Moves::is_asleep`].
//!
//! Source: the rule is the first step of sleep sets [Godefroid 1996]. It looks back one move only, so it needs no
//! set, and any predecessor will do.
//!
//! Invariants: moves are listed in the order of [`crate::Product`]: τ by component, then the actions by number, then
//! the targets of the participants, those of the last varying fastest.
//!
//! Cost: O(moves of the leaders' states) a state. An action has as many moves as there are combinations of its
//! participants' transitions; where that is too much, nothing is compiled.

use std::ops::{ControlFlow, Range};

use rely_base::{Id, Label};
use rely_lts::{ComponentId, Network};
use rustc_hash::FxHashMap;

use crate::Arrival;
use crate::packing::Field;
use crate::tables::{ERROR, Tables};

/// The compiled moves of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    /// The components that make silent moves, then those that lead actions.
    drivers: Vec<Driver>,
    /// The moves of row `r` are `moves[rows[r] .. rows[r + 1]]`.
    rows: Vec<u32>,
    moves: Vec<Move>,
    /// The guards and changes of moves for words other than their first.
    rest: Vec<Guard>,
}

/// A component whose state decides which moves are looked at.
#[derive(Clone, Copy, Debug)]
struct Driver {
    /// Its field.
    word: usize,
    shift: u32,
    mask: u64,
    /// The row of its state 0.
    row: usize,
}

/// One way to take an action.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The guard and the change for one word.
    first: Guard,
    /// The guards and changes for the other words, as a range of `rest`.
    rest: (u32, u32),
    /// The label as it is shown.
    label: Label,
    /// The component that reaches its error state, or [`NOBODY`].
    failing: ComponentId,
}

impl Move {
    /// Where it leads in a state of one word.
    #[inline]
    fn target(&self, state: u64) -> Result<u64, ComponentId> {
        match self.failing {
            NOBODY => Ok(state ^ self.first.change),
            failing => Err(failing),
        }
    }

    fn rest(&self) -> Range<usize> {
        self.rest.0 as usize..self.rest.1 as usize
    }
}

/// The guard and the change of a move for one word.
#[derive(Clone, Copy, Debug)]
struct Guard {
    word: usize,
    /// `state & mask == value` holds where the followers are in their sources.
    mask: u64,
    value: u64,
    /// The bits that change.
    change: u64,
    /// The fields of all participants.
    touched: u64,
}

impl Guard {
    #[inline]
    fn admits(&self, word: u64) -> bool {
        word & self.mask == self.value
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        self.word == other.word && self.touched & other.touched != 0
    }
}

/// Stands for no component.
const NOBODY: ComponentId = ComponentId::from_raw(u32::MAX);

/// Maximum number of moves of an action per state of its leader. Beyond this, looking up the followers' transitions
/// is faster than trying every move.
const MOST_OF_ACTION: usize = 16;

/// Maximum number of moves of a network.
const MOST: usize = 1 << 18;

impl Moves {
    /// The moves of a network; `None` if it has a priority or there are too many moves.
    pub(crate) fn new(network: &Network, tables: &Tables, shown: &[Label]) -> Option<Self> {
        if network.priority().is_some() {
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

    /// Calls `visit` for each move of a state of one word, in order: with its label, and the state or the failing
    /// component that it leads to.
    #[inline]
    pub(crate) fn try_each(
        &self,
        state: u64,
        visit: &mut impl FnMut(Label, Result<u64, ComponentId>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for driver in &self.drivers {
            for candidate in &self.moves[self.moves_of(driver, state)] {
                if candidate.first.admits(state) {
                    visit(candidate.label, candidate.target(state))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Like [`Moves::try_each`] in reverse order; `visit` also gets the number of the move, or nothing if it is
    /// asleep.
    #[inline]
    pub(crate) fn try_awake(
        &self,
        state: u64,
        arrival: Arrival,
        visit: &mut impl FnMut(Label, Result<u64, ComponentId>, Option<Arrival>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let touched = self.moves.get(arrival.0 as usize).map_or(u64::MAX, |last| last.first.touched);
        for driver in self.drivers.iter().rev() {
            for number in self.moves_of(driver, state).rev() {
                let candidate = &self.moves[number];
                if !candidate.first.admits(state) {
                    continue;
                }
                let number = position(number);
                let asleep = number > arrival.0 && candidate.first.touched & touched == 0;
                visit(candidate.label, candidate.target(state), (!asleep).then_some(Arrival(number)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Like [`Moves::try_each`] for states of any number of words. `next` is scratch space.
    pub(crate) fn try_each_wide(
        &self,
        state: &[u64],
        next: &mut [u64],
        visit: &mut impl FnMut(Label, Result<&[u64], ComponentId>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        next.copy_from_slice(state);
        for driver in &self.drivers {
            for number in self.moves_of(driver, state[driver.word]) {
                if self.admits(number, state) {
                    let label = self.moves[number].label;
                    self.make(number, next, |target| visit(label, target))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Like [`Moves::try_awake`] for states of any number of words. `next` is scratch space.
    pub(crate) fn try_awake_wide(
        &self,
        state: &[u64],
        arrival: Arrival,
        next: &mut [u64],
        visit: &mut impl FnMut(Label, Result<&[u64], ComponentId>, Option<Arrival>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        next.copy_from_slice(state);
        for driver in self.drivers.iter().rev() {
            for number in self.moves_of(driver, state[driver.word]).rev() {
                if self.admits(number, state) {
                    let label = self.moves[number].label;
                    let awake = !self.is_asleep(number, arrival);
                    let own = awake.then_some(Arrival(position(number)));
                    self.make(number, next, |target| visit(label, target, own))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn admits(&self, number: usize, state: &[u64]) -> bool {
        let candidate = &self.moves[number];
        let admits = |guard: &Guard| guard.admits(state[guard.word]);
        admits(&candidate.first) && self.rest[candidate.rest()].iter().all(admits)
    }

    /// Calls `visit` with the state that a move leads to. `state` is changed for the call and restored after it.
    #[inline]
    fn make(
        &self,
        number: usize,
        state: &mut [u64],
        visit: impl FnOnce(Result<&[u64], ComponentId>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let taken = &self.moves[number];
        if taken.failing != NOBODY {
            return visit(Err(taken.failing));
        }
        let change = |state: &mut [u64]| {
            state[taken.first.word] ^= taken.first.change;
            self.rest[taken.rest()].iter().for_each(|guard| state[guard.word] ^= guard.change);
        };
        change(state);
        let flow = visit(Ok(state));
        change(state);
        flow
    }

    /// The numbers of the moves that a driver lists for a state, whose word at the driver's field is given.
    #[inline]
    fn moves_of(&self, driver: &Driver, word: u64) -> Range<usize> {
        let row = driver.row + usize::try_from((word >> driver.shift) & driver.mask).unwrap_or(usize::MAX);
        self.rows[row] as usize..self.rows[row + 1] as usize
    }

    /// Whether the search can skip the target of move b in a state t that was found by move a. It can if b has a
    /// larger number than a and they have no component in common.
    ///
    /// Why this is sound: let t be found from s, one level before. Then b is also possible in s, and leads to a state
    /// v that is no deeper than t; from v, a leads to the same state as b does from t. If a is skipped in v, this is
    /// because of a move with a smaller number, to which the argument applies again; as numbers decrease, some move
    /// is not skipped in the end. So every state is found, and at the same depth. The argument holds for every
    /// predecessor of t. The smaller a is, the more moves are skipped; therefore moves are visited in reverse order,
    /// so that most states are found by their smallest move first.
    fn is_asleep(&self, number: usize, arrival: Arrival) -> bool {
        let Some(last) = self.moves.get(arrival.0 as usize).filter(|_| number > arrival.0 as usize) else {
            return false;
        };
        let candidate = &self.moves[number];
        let guards = |of: &Move| [of.first].into_iter().chain(self.rest[of.rest()].iter().copied());
        !guards(candidate).any(|guard| guards(last).any(|other| guard.overlaps(&other)))
    }
}

/// The transition of one participant, as a part of a move.
#[derive(Clone, Copy)]
struct Part {
    component: ComponentId,
    /// Where it has to be. A driver's own state is known and needs no guard.
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
    /// Adds a driver for a component, and the moves that `add` lists for each of its states, if there are any.
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
        let Field { word, shift, mask, .. } = field;
        self.moves.drivers.push(Driver { word, shift, mask, row: rows_before });
        Some(())
    }

    /// Adds the silent moves of a component from the state of a row.
    fn add_silent(&mut self, component: ComponentId, row: usize) -> Option<()> {
        for group in self.tables.silent(row) {
            for part in own_parts(self.tables, component, group) {
                self.add_move(Label::TAU, &[part])?;
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
                self.add_move(self.shown[action.index()], &way)?;
            }
        }
        Some(())
    }

    /// Adds a move, unless there are too many.
    fn add_move(&mut self, label: Label, parts: &[Part]) -> Option<()> {
        let mut guards: Vec<Guard> = Vec::new();
        for part in parts {
            let Field { word, shift, mask: bits, .. } = self.tables.fields[part.component.index()];
            let guard = match guards.iter_mut().find(|guard| guard.word == word) {
                Some(guard) => guard,
                None => {
                    guards.push(Guard { word, mask: 0, value: 0, change: 0, touched: 0 });
                    guards.last_mut().expect("it was just pushed")
                }
            };
            guard.mask |= part.mask;
            guard.value |= part.value;
            guard.change ^= part.change;
            guard.touched |= bits << shift;
        }
        let failing = parts.iter().find(|part| part.change == ERROR);
        let first = self.moves.rest.len();
        self.moves.rest.extend(&guards[1..]);
        self.moves.moves.push(Move {
            first: guards[0],
            rest: (position(first), position(self.moves.rest.len())),
            label,
            failing: failing.map_or(NOBODY, |part| part.component),
        });
        (self.moves.moves.len() <= MOST).then_some(())
    }
}

/// The transitions of a driver.
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
    u32::try_from(index).expect("there are not many moves")
}
