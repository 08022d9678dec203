//! The pieces of a reduction, and what their actions do.
//!
//! There are many pieces with many actions, and all of them are looked at after every composition, although most have not
//! changed. So a piece knows its actions by numbers that all pieces have in common, and what each of them does in it.

use std::sync::Arc;

use rely_base::{ActionId, Alphabet, Id};
use rely_lts::Lts;

use super::table::fingerprint;

/// What was composed so far of the goal and of parts.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) lts: Arc<Lts>,
    /// Which piece it is; a piece that was changed is another one.
    pub(super) id: usize,
    /// What it has in common with its copies.
    pub(super) fingerprint: u64,
    /// Whether it is as small as it can be made.
    pub(super) is_reduced: bool,
    /// Whether the history of the reduction holds the same system.
    pub(super) is_in_history: bool,
    /// The parts of the problem that it was made of.
    pub(super) parts: Vec<usize>,
    /// For each action of its alphabet, the number that all pieces know it by, and what it does.
    pub(super) actions: Vec<(ActionId, Effect)>,
}

impl Piece {
    /// A piece that has not been reduced. The names of its actions are added to those of all pieces.
    pub(super) fn new(lts: Arc<Lts>, id: usize, parts: Vec<usize>, names: &mut Alphabet) -> Self {
        let mut piece = Self {
            lts,
            id,
            fingerprint: 0,
            is_reduced: false,
            is_in_history: false,
            parts,
            actions: Vec::new(),
        };
        piece.look_again(names);
        piece
    }

    /// Replaces the behaviour of the piece by `lts`, which is as small as it can be made.
    pub(super) fn reduced_to(&mut self, lts: Arc<Lts>, names: &mut Alphabet) {
        self.lts = lts;
        (self.is_reduced, self.is_in_history) = (true, false);
        self.look_again(names);
    }

    fn look_again(&mut self, names: &mut Alphabet) {
        let own = names.adopt_all(self.lts.alphabet());
        self.actions = own.into_iter().zip(effects(&self.lts)).collect();
        self.fingerprint = fingerprint(&self.lts);
    }
}

/// What an action does in a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// No transition has it.
    Never,
    /// It leads from every state to itself, and nowhere else.
    Neutral,
    /// It leads from some states to themselves, and nowhere else.
    Idle,
    /// It leads from some state to another.
    Moves,
}

/// What the actions of a system do, in the order of its alphabet.
pub(super) fn effects(lts: &Lts) -> impl Iterator<Item = Effect> + use<> {
    let mut loops = vec![0_usize; lts.alphabet().len()];
    let mut moves = vec![false; lts.alphabet().len()];
    for transition in lts.transitions() {
        if let Some(action) = transition.label.action() {
            let is_loop = transition.source == transition.target;
            loops[action.index()] += usize::from(is_loop);
            moves[action.index()] |= !is_loop;
        }
    }
    let states = lts.proper_state_count();
    loops.into_iter().zip(moves).map(move |effect| match effect {
        (_, true) => Effect::Moves,
        (0, false) => Effect::Never,
        (loops, false) if loops == states => Effect::Neutral,
        (_, false) => Effect::Idle,
    })
}

/// By action, the pieces that have it, by place.
pub(super) struct Owners {
    /// The places of action `a` are `places[starts[a] .. starts[a + 1]]`.
    starts: Vec<usize>,
    places: Vec<usize>,
}

impl Owners {
    /// The owners of each of `actions` actions.
    pub(super) fn of(pieces: &[Piece], actions: usize) -> Self {
        let all =
            || pieces.iter().enumerate().flat_map(|(i, piece)| piece.actions.iter().map(move |a| (i, a.0)));
        // Counted one place further on, so that they are moved to where they belong while they are filled in.
        let mut starts = vec![0; actions + 2];
        all().for_each(|(_, action)| starts[action.index() + 2] += 1);
        (1..starts.len()).for_each(|action| starts[action] += starts[action - 1]);
        let mut places = vec![0; starts[actions + 1]];
        for (place, action) in all() {
            let next = &mut starts[action.index() + 1];
            places[*next] = place;
            *next += 1;
        }
        Self { starts, places }
    }

    /// Who has an action.
    pub(super) fn having(&self, action: ActionId) -> &[usize] {
        &self.places[self.starts[action.index()]..self.starts[action.index() + 1]]
    }

    /// Which of the pieces share actions with the first, themselves or through others.
    pub(super) fn connected_with_first(&self, pieces: &[Piece]) -> Vec<bool> {
        let mut is_followed = vec![false; self.starts.len() - 2];
        let mut is_connected = vec![false; pieces.len()];
        is_connected[0] = true;
        let mut open = vec![0];
        while let Some(place) = open.pop() {
            for &(action, _) in &pieces[place].actions {
                if std::mem::replace(&mut is_followed[action.index()], true) {
                    continue;
                }
                for &other in self.having(action) {
                    if !std::mem::replace(&mut is_connected[other], true) {
                        open.push(other);
                    }
                }
            }
        }
        is_connected
    }

    /// For each action, who has it.
    pub(super) fn all(&self) -> impl Iterator<Item = &[usize]> + '_ {
        (0..self.starts.len() - 2).map(|action| self.having(ActionId::from_index(action)))
    }
}
