//! Stubborn sets: which steps of a tuple the judge has to follow, to find a failure wherever there is one.
//!
//! **Problem.** Components that have nothing to do with each other can take their steps in any order, and a search that
//! follows all orders sees far more tuples than the one that found the answer.
//!
//! **Source.** [Valmari 1991]. The engine has stubborn sets of its own; this is a second, plain implementation, and shares
//! nothing with it.
//!
//! **Idea.** For a tuple, a set C of components is *closed* if for every action a that some member of C has a transition
//! with in its present state
//! 1. if a is possible, all components that have a in their alphabets are in C;
//! 2. if a is not possible, some component that has a in its alphabet, and no transition with it in its present state, is
//!    in C.
//!
//! The steps of C are its silent steps and those with actions that its members take part in. A tuple whose steps are all
//! followed is *settled*, and so is one of which a step is followed to a tuple that has been settled before. If the steps of C
//! are followed, and no others, then
//! 3. one of them leads to a tuple that is looked at later than this one, or to a settled one; or else all steps of the
//!    tuple are followed.
//!
//! **Why it is sound.** Take a run from a tuple t that has been looked at to the first tuple in which a component has
//! failed. *As long as no step of C is taken in it, no member of C moves*: to move, a member would have to take part in an
//! action that it is ready for in t. That is possible in t, and then the step is one of C; or it is not, and then by 2 a
//! member that does not move is not ready for it. So there are two cases.
//! - Some step of the run is one of C. The first such step was possible in t, all its participants are in C by 1, and none
//!   of them moves before it. So it can be taken first, and the others after it, with the same moves of each component. It
//!   has been followed: it fails at once, or it leads to a tuple with a shorter run to a failure.
//! - No step of the run is one of C. Then no member of C moves in it. Every step of C can be taken first, and the run after
//!   it. By 3 one of them leads to a tuple that is looked at later, or to a settled one, with a run that is no longer; or
//!   all steps of t have been followed, the first one of the run among them.
//!
//! Each time the run gets shorter, or stays no longer. While it does not get shorter, the argument moves to a tuple
//! that is expanded later, of which there are finitely many, or to a settled one; and from there to one that was
//! settled before, until it comes to one of which all steps have been followed. So a failure is found. It is
//! essential that there is no priority, which makes actions depend on each other that have no component in common.
//!
//! **Complexity.** For each tuple, a closure for each component to begin with: at most the transitions of all
//! components in their present states, times the participants of each action.

use rely_base::{ActionId, Id, StateId};
use rely_lts::ComponentId;

use crate::semantics::network::Composition;

/// Chooses closed sets of components.
pub(super) struct Chooser<'c, 'n> {
    composition: &'c Composition<'n>,
    /// By action, whether it is possible.
    is_possible: Vec<bool>,
    /// By component, the actions that it has transitions with, and whether it has silent ones.
    offers: Vec<Vec<ActionId>>,
    is_silent: Vec<bool>,
    /// The work done for the current tuple; the unit is taking one of its steps.
    work: usize,
}

impl<'c, 'n> Chooser<'c, 'n> {
    pub(super) fn new(composition: &'c Composition<'n>) -> Self {
        let components = composition.len();
        Self {
            composition,
            is_possible: vec![false; composition.network().alphabet().len()],
            offers: vec![Vec::new(); components],
            is_silent: vec![false; components],
            work: 0,
        }
    }

    /// The members of a closed set that has few steps, and at least one; `None` if all steps are to be followed. Also
    /// the work that this took; the unit is taking a step.
    pub(super) fn choose(&mut self, tuple: &[u32]) -> (Option<Vec<bool>>, usize) {
        self.work = 0;
        self.look_at(tuple);
        let all = self.possible_steps(&vec![true; self.composition.len()]);
        let mut best: Option<(usize, Vec<bool>)> = None;
        let can_move =
            |&i: &usize| self.is_silent[i] || self.offers[i].iter().any(|&action| self.is_possible(action));
        let mut firsts: Vec<usize> = (0..self.composition.len()).filter(can_move).collect();
        // A component with few actions is likely to have a small set.
        firsts.sort_by_key(|&first| self.offers[first].len());
        let mut was_first = vec![false; self.composition.len()];
        for first in firsts {
            let closure = self.closure(first, &was_first, tuple);
            was_first[first] = true;
            let Some(members) = closure else { continue };
            let steps = self.possible_steps(&members);
            if best.as_ref().is_none_or(|&(fewest, _)| steps < fewest) {
                best = Some((steps, members));
            }
            if steps == 1 {
                break;
            }
        }
        (best.filter(|&(steps, _)| steps < all).map(|(_, members)| members), self.work.div_ceil(16))
    }

    fn is_possible(&self, action: ActionId) -> bool {
        self.is_possible[action.index()]
    }

    /// Computes what each component is ready for.
    fn look_at(&mut self, tuple: &[u32]) {
        self.is_possible.fill(false);
        for (i, &state) in tuple.iter().enumerate() {
            let network = self.composition.network();
            let edges = network.components()[i].lts.edges(StateId::from_raw(state));
            let own = network.actions_of(ComponentId::from_index(i));
            self.is_silent[i] = edges.iter().any(|edge| edge.label.is_tau());
            self.offers[i].clear();
            self.offers[i].extend(
                edges.iter().filter_map(|edge| edge.label.action()).map(|action| own[action.index()]),
            );
            self.offers[i].dedup();
        }
        for offers in &self.offers {
            for &action in offers {
                self.work += 1;
                // Once an action is found to be possible, the other participants need not compute it again.
                if !self.is_possible[action.index()] {
                    self.is_possible[action.index()] = self.composition.is_possible(tuple, action);
                    self.work += 1;
                }
            }
        }
    }

    /// A closed set that contains a component; if one of several components is needed, the first of them is taken.
    /// `None` if this one is a component from which another set has been made: the set would hardly be smaller than
    /// that.
    fn closure(&mut self, first: usize, was_first: &[bool], tuple: &[u32]) -> Option<Vec<bool>> {
        let mut members = vec![false; self.composition.len()];
        members[first] = true;
        let mut waiting = vec![first];
        let mut impossible: Vec<ActionId> = Vec::new();
        loop {
            if let Some(member) = waiting.pop() {
                for &action in &self.offers[member] {
                    self.work += 1;
                    if !self.is_possible(action) {
                        impossible.push(action);
                        continue;
                    }
                    for i in self.composition.participants(action) {
                        self.work += 1;
                        if was_first[i] {
                            return None;
                        }
                        if !std::mem::replace(&mut members[i], true) {
                            waiting.push(i);
                        }
                    }
                }
                continue;
            }
            // They are dealt with last, since by then a component that refuses the action may be in the set.
            let Some(action) = impossible.pop() else { return Some(members) };
            let refusing = || self.composition.refusing(tuple, action);
            self.work += 1;
            if !refusing().any(|i| members[i]) {
                let one = refusing().next().expect("what is not possible is refused by somebody");
                if was_first[one] {
                    return None;
                }
                members[one] = true;
                waiting.push(one);
            }
        }
    }

    /// The number of possible actions that members take part in, silent steps included.
    fn possible_steps(&mut self, members: &[bool]) -> usize {
        let of = |i: usize| {
            let visible = self.offers[i].iter().filter(|&&action| self.is_possible(action));
            // An action is counted at the first of its participants: in a closed set they are all members.
            let led = visible.filter(|&&action| self.composition.participants(action).next() == Some(i));
            usize::from(self.is_silent[i]) + led.count()
        };
        (0..members.len()).filter(|&i| members[i]).map(of).sum()
    }
}
