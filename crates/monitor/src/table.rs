//! The table that a monitor walks through: for each state and action the next state.

use rely_base::{Id, Label, StateId};
use rely_lts::{Lts, operators};

use crate::Unmonitorable;

/// The most entries that a table may have.
const MAX_ENTRIES: usize = 1 << 24;

/// A deterministic automaton as a table.
///
/// The states that can be reached have the numbers from 0, which is the initial one, breadth first. The number behind
/// the last one stands for *violated*: there a forbidden action leads, and it has no row. The number after that stands for
/// *left the model*, and has no row, either: there an action leads after which nothing is forbidden any more, unless
/// nothing is forbidden from the start. A system that begins in the error state has no rows at all, and 0 is *violated*.
/// Actions have the numbers of their names in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The names of the actions, in the order of their UTF-8 bytes, which is the order of code points, too.
    pub actions: Vec<String>,
    /// For each state, the next state of each action.
    pub rows: Vec<Vec<usize>>,
}

/// A type of numbers that all states fit in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// 8 bits.
    Eight,
    /// 16 bits.
    Sixteen,
    /// 32 bits.
    ThirtyTwo,
}

impl Table {
    /// The table of a system.
    ///
    /// # Errors
    /// When the system is silent or nondeterministic somewhere, or too large.
    pub fn new(lts: &Lts) -> Result<Self, Unmonitorable> {
        let lts = operators::trim(lts);
        if lts.has_tau() {
            return Err(Unmonitorable::Silent);
        }
        if let Some(action) = nondeterministic_action(&lts) {
            return Err(Unmonitorable::Nondeterministic { action });
        }
        if lts.state_count().saturating_mul(lts.alphabet().len()) > MAX_ENTRIES {
            return Err(Unmonitorable::TooLarge);
        }
        let mut actions: Vec<(&str, Label)> =
            lts.alphabet().iter().map(|(action, name)| (name, Label::visible(action))).collect();
        actions.sort_unstable();
        // The error state comes last when a system has been trimmed, so its number is the one for *violated*.
        let violated = lts.proper_state_count();
        let next = |state: StateId, label: Label| match lts.edges_with(state, label) {
            [edge, ..] => edge.target.index(),
            [] => violated,
        };
        let proper = lts.states().filter(|&state| Some(state) != lts.error());
        let rows: Vec<Vec<usize>> =
            proper.map(|state| actions.iter().map(|&(_, label)| next(state, label)).collect()).collect();
        let actions = actions.into_iter().map(|(name, _)| name.to_owned()).collect();
        Ok(Self { actions, rows: without_harmless(rows) })
    }

    /// The number that stands for *violated*.
    pub fn violated(&self) -> usize {
        self.rows.len()
    }

    /// The number that stands for *left the model*.
    pub fn left(&self) -> usize {
        self.rows.len() + 1
    }

    /// The smallest numbers that all states fit in.
    pub(crate) fn width(&self) -> Width {
        match self.left() {
            0..=0xFF => Width::Eight,
            0x100..=0xFFFF => Width::Sixteen,
            _ => Width::ThirtyTwo,
        }
    }

    /// How large it is, in words.
    pub(crate) fn size(&self) -> String {
        let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        format!("{}, {}", count(self.rows.len(), "state"), count(self.actions.len(), "action"))
    }
}

/// The rows without those of states from which no sequence of actions leads to a violation; whatever led there leads out of
/// the model. All rows stay if that is so from the start.
fn without_harmless(rows: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let violated = rows.len();
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); violated + 1];
    for (state, row) in rows.iter().enumerate() {
        row.iter().for_each(|&next| sources[next].push(state));
    }
    let mut can_be_violated = vec![false; violated + 1];
    let mut pending = vec![violated];
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut can_be_violated[state], true) {
            pending.append(&mut sources[state]);
        }
    }
    if !can_be_violated[0] {
        return rows;
    }
    // The states that stay are numbered in their order, and *violated* comes behind them.
    let kept = can_be_violated.iter().filter(|&&kept| kept).count();
    let mut numbers = Vec::new();
    let mut next = 0;
    for &is_kept in &can_be_violated {
        numbers.push(if is_kept { next } else { kept });
        next += usize::from(is_kept);
    }
    let rows = rows.into_iter().zip(&can_be_violated).filter(|&(_, &is_kept)| is_kept);
    rows.map(|(row, _)| row.into_iter().map(|next| numbers[next]).collect()).collect()
}

/// The name of an action that leads from one state to two, if there is one.
fn nondeterministic_action(lts: &Lts) -> Option<String> {
    let twice = |state: StateId| lts.edges(state).windows(2).find(|pair| pair[0].label == pair[1].label);
    let pair = lts.states().find_map(twice)?;
    Some(lts.alphabet().label_name(pair[0].label).to_owned())
}
