//! What became of pieces, for all who come to the same ones.
//!
//! **Problem.** The reduction of everything, the reduction of the parts inside of a localisation, and the next one after
//! more parts have been taken in, all begin with the same parts. As long as they compose the same pieces and hide the same
//! actions, they do the same work.
//!
//! And many parts are copies of one another, with other names for their actions.
//!
//! **Idea.** A table by content, which those who take turns have in common. What becomes of one or two pieces depends on
//! their transitions, on which actions are hidden, and on whether the goal is among them, so that is what they are looked
//! up by. It does not depend on who asks, nor on what else there is. What a single piece is reduced to does not even
//! depend on names.
//!
//! **Invariants.** Who finds something here has the same as who makes it: content is compared, a fingerprint only says
//! where to look. What was not made because of a limit is noted as well; a higher limit overrides it.
//!
//! **Complexity.** To look something up is linear in the pieces, a small part of reducing them. The table has at most
//! [`MOST_BYTES`], or an eighth of the limit on memory if that is less; what does not fit is not kept.
//!
//! **Callers.** [`super::Reduction`]; `auto` gives the same table to all of its reductions.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

use rely_base::Budget;
use rely_lts::Lts;
use rustc_hash::{FxHashMap, FxHasher};

use super::Trial;
use super::piece::Piece;

/// The most bytes of a table.
const MOST_BYTES: usize = 1 << 26;

/// What became of pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(Arc<Mutex<Rows>>);

#[derive(Debug, Default)]
struct Rows {
    /// What single pieces were reduced to.
    reduced: FxHashMap<Single, Arc<Lts>>,
    /// What became of the compositions of two.
    composed: FxHashMap<Pair, Trial>,
    /// The bytes of everything that is kept.
    bytes: usize,
    /// How often something was found.
    found: usize,
}

impl Table {
    /// What a single piece was reduced to, or a copy of it.
    pub(super) fn reduced(&self, piece: &Single) -> Option<Arc<Lts>> {
        let rows = &mut *self.rows();
        let found = rows.reduced.get(piece)?;
        rows.found += 1;
        let names = piece.lts.alphabet();
        Some(match found.alphabet().names().eq(names.names()) {
            true => Arc::clone(found),
            false => Arc::new(Lts::clone(found).with_names(names.clone())),
        })
    }

    /// Notes what a single piece was reduced to.
    pub(super) fn keep_reduced(&self, piece: Single, reduced: &Arc<Lts>, budget: &Budget<'_>) {
        // What has lost actions could not be given other names.
        if !reduced.alphabet().names().eq(piece.lts.alphabet().names()) {
            return;
        }
        let rows = &mut *self.rows();
        if rows.has_room_for(&[&piece.lts, reduced], budget) {
            rows.reduced.insert(piece, Arc::clone(reduced));
        }
    }

    /// What became of the composition of two pieces.
    pub(super) fn composed(&self, pair: &Pair) -> Option<Trial> {
        let rows = &mut *self.rows();
        let found = rows.composed.get(pair).cloned();
        rows.found += usize::from(matches!(found, Some(Trial::Made(..))));
        found
    }

    /// Notes what became of the composition of two pieces.
    pub(super) fn keep_composed(&self, pair: Pair, trial: &Trial, budget: &Budget<'_>) {
        let rows = &mut *self.rows();
        let [first, second] = &pair.operands;
        let has_room = match trial {
            Trial::Made(product, _) => rows.has_room_for(&[first, second, product], budget),
            Trial::Beyond(_) => rows.has_room_for(&[first, second], budget),
        };
        if has_room {
            rows.composed.insert(pair, trial.clone());
        }
    }

    /// The bytes of everything that is kept.
    pub(crate) fn bytes(&self) -> usize {
        self.rows().bytes
    }

    /// How often something was found that had been made before.
    #[cfg(test)]
    pub(super) fn found(&self) -> usize {
        self.rows().found
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().expect("nobody panics with the table in hand")
    }
}

impl Rows {
    /// Whether there is room for another row; if so, it is taken.
    fn has_room_for(&mut self, row: &[&Arc<Lts>], budget: &Budget<'_>) -> bool {
        let row: usize = row.iter().map(|lts| lts.bytes()).sum();
        let bytes = self.bytes.saturating_add(row);
        let has_room = bytes <= MOST_BYTES.min(budget.max_bytes() / 8);
        if has_room {
            self.bytes = bytes;
        }
        has_room
    }
}

/// A piece by itself, whatever its actions are called.
#[derive(Clone, Debug)]
pub(super) struct Single {
    lts: Arc<Lts>,
    /// Whether it has the goal in it.
    has_goal: bool,
    fingerprint: u64,
}

impl Single {
    /// A piece with its fingerprint.
    pub(super) fn new(lts: &Arc<Lts>, fingerprint: u64, has_goal: bool) -> Self {
        Self { lts: Arc::clone(lts), has_goal, fingerprint }
    }
}

impl PartialEq for Single {
    fn eq(&self, other: &Self) -> bool {
        (self.fingerprint, self.has_goal) == (other.fingerprint, other.has_goal)
            && self.lts.is_copy_of(&other.lts)
    }
}

impl Eq for Single {}

impl Hash for Single {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint);
    }
}

/// Two pieces that are composed.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    operands: [Arc<Lts>; 2],
    /// By action of the first, then of the second, whether it is hidden.
    is_hidden: Vec<bool>,
    /// Whether the first has the goal in it.
    has_goal: bool,
    fingerprint: u64,
}

impl Pair {
    /// Two pieces, and which of their actions are hidden.
    pub(super) fn new(pieces: [&Piece; 2], is_hidden: impl Fn(&str) -> bool, has_goal: bool) -> Self {
        let mut hasher = FxHasher::default();
        let mut hides = Vec::new();
        for piece in pieces {
            hasher.write_u64(piece.fingerprint);
            for name in piece.lts.alphabet().names() {
                name.hash(&mut hasher);
                hides.push(is_hidden(name));
            }
        }
        (&hides, has_goal).hash(&mut hasher);
        let operands = pieces.map(|piece| Arc::clone(&piece.lts));
        Self { operands, is_hidden: hides, has_goal, fingerprint: hasher.finish() }
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&Arc<Lts>, &Arc<Lts>)| Arc::ptr_eq(one, other) || one == other;
        (self.fingerprint, self.has_goal, &self.is_hidden)
            == (other.fingerprint, other.has_goal, &other.is_hidden)
            && self.operands.iter().zip(&other.operands).all(is_same)
    }
}

impl Eq for Pair {}

impl Hash for Pair {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint);
    }
}

/// A number that a system and its copies have in common, and others hardly ever.
pub(super) fn fingerprint(lts: &Lts) -> u64 {
    let mut hasher = FxHasher::default();
    (lts.alphabet().len(), lts.state_count(), lts.initial(), lts.error(), lts.end()).hash(&mut hasher);
    for transition in lts.transitions() {
        let [source, label, target] =
            [transition.source.raw(), transition.label.raw(), transition.target.raw()].map(u64::from);
        hasher.write_u64(source << 32 | target);
        hasher.write_u64(label);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use rely_base::{ActionId, Id, Label, StateId};
    use rely_lts::{Component, LtsBuilder};
    use rely_testkit::naive::assumption as naive;
    use rely_testkit::networks::{self, Shape};
    use rely_testkit::rng::{Rng, is_single_seed, seeds};

    use super::*;
    use crate::{Effort, Goal, Problem, Reduction};

    fn random_problem(rng: &mut Rng) -> Problem {
        let shape = Shape { components: 3, states: 4, errors: false, ..Shape::FULL };
        let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &shape)) };
        let parts = (0..5).map(part).collect();
        let property = networks::property(rng, 3, &["a", "b", "c", "d", "e"]);
        Problem {
            composites: Vec::new(),
            parts,
            goal: Goal::property(Component { name: "P".into(), lts: Arc::new(property) }),
        }
    }

    /// Some of the parts of a problem, in any order.
    fn some(rng: &mut Rng, problem: &Problem) -> Problem {
        let mut parts: Vec<Component> = Vec::new();
        for part in problem.parts.iter().filter(|_| rng.chance(2, 3)).cloned().collect::<Vec<_>>() {
            parts.insert(rng.below(parts.len() + 1), part);
        }
        Problem { composites: Vec::new(), parts, goal: problem.goal.clone() }
    }

    fn can_fail(table: &Table, problem: &Problem) -> bool {
        let mut reduction = Reduction::sharing(table.clone(), problem);
        reduction.run(&Budget::UNLIMITED, &mut Effort::default()).expect("there is no limit")
    }

    /// What is hidden in a system depends on its parts; so does what is found in the table.
    #[test]
    fn systems_with_parts_in_common_are_not_mistaken_for_each_other() {
        let mut found = 0;
        for seed in seeds(1500) {
            let rng = &mut Rng::new(seed);
            let problem = random_problem(rng);
            let table = Table::default();
            for _ in 0..6 {
                let system = some(rng, &problem);
                assert_eq!(can_fail(&table, &system), naive::fails(&system.components()), "seed {seed}");
            }
            found += table.found();
        }
        assert!(found > 0 || is_single_seed());
    }

    /// One part does what must not be done. The other part never lets it, and only without that one does nobody else
    /// have the actions of the goal and the first.
    #[test]
    fn what_was_hidden_for_some_is_not_hidden_for_all() {
        let part = |name: &str, transitions: &[(usize, &str, usize)]| Component {
            name: name.into(),
            lts: Arc::new(networks::from_transitions(2, transitions)),
        };
        let mut goal = LtsBuilder::with_states(["ask", "act"].into_iter().collect(), 2);
        let (error, [idle, asked]) = (goal.error_state(), [0, 1].map(StateId::from_index));
        let [ask, act] = [0, 1].map(|action| Label::visible(ActionId::from_index(action)));
        goal.add_transition(idle, ask, asked);
        goal.add_transition(asked, act, error);
        let goal = Goal::property(Component { name: "P".into(), lts: Arc::new(goal.build()) });
        let bold = part("BOLD", &[(0, "ask", 1), (1, "act", 0)]);
        let shy = part("SHY", &[(0, "act", 1), (1, "ask", 0)]);
        let table = Table::default();
        assert!(can_fail(
            &table,
            &Problem { composites: Vec::new(), parts: vec![bold.clone()], goal: goal.clone() }
        ));
        assert!(!can_fail(&table, &Problem { composites: Vec::new(), parts: vec![bold, shy], goal }));
    }

    #[test]
    fn copies_are_reduced_once_and_keep_their_names() {
        for seed in seeds(200) {
            let lts = networks::component(&mut Rng::new(seed), &Shape::FULL);
            let copy = |prefix: &str| Arc::new(rely_lts::operators::prefix(&lts, prefix));
            let table = Table::default();
            let [one, other] = ["x", "y"].map(|prefix| {
                let lts = copy(prefix);
                Single::new(&lts, fingerprint(&lts), false)
            });
            let made = [&one, &other].map(|single| Arc::new(minimised(&single.lts)));
            table.keep_reduced(one, &made[0], &Budget::UNLIMITED);
            assert_eq!(table.reduced(&other), Some(Arc::clone(&made[1])), "seed {seed}");
            let goal = Single { has_goal: true, ..other };
            assert_eq!(table.reduced(&goal), None, "seed {seed}: a goal is reduced in another way");
        }
    }

    fn minimised(lts: &Lts) -> Lts {
        super::super::reduced_part(lts, &Budget::UNLIMITED).expect("there is no limit")
    }

    #[test]
    fn the_same_system_is_reduced_once() {
        for seed in seeds(200) {
            let problem = random_problem(&mut Rng::new(seed));
            let table = Table::default();
            can_fail(&table, &problem);
            let made = |rows: &Rows| (rows.reduced.len(), rows.composed.len());
            let before = made(&table.rows());
            can_fail(&table, &problem);
            assert_eq!(made(&table.rows()), before, "seed {seed}");
            assert!(table.found() >= before.0, "seed {seed}");
        }
    }

    #[test]
    fn what_does_not_fit_is_not_kept() {
        let problem = random_problem(&mut Rng::new(1));
        let table = Table::default();
        let narrow = Budget::UNLIMITED.narrowed(rely_base::Limits { states: None, bytes: Some(2000) });
        let piece = Single::new(&problem.parts[0].lts, 0, false);
        for fingerprint in 0..100 {
            let piece = Single { fingerprint, ..piece.clone() };
            table.keep_reduced(piece, &problem.parts[0].lts, &narrow);
        }
        let rows = table.rows();
        assert!(rows.bytes <= 250 && rows.reduced.len() < 100, "{} rows", rows.reduced.len());
    }
}
