//! What is certain of a weakest assumption when its construction met a limit.
//!
//! **Problem.** Memory or time ends before the weakest assumption A of components and a goal is known. Which words are
//! certainly allowed by then, and which are certainly forbidden?
//!
//! **Source.** The construction of [Giannakopoulou, Păsăreanu, Barringer 2003] gives nothing unless it comes to its end,
//! which its authors call a weakness; their remedy is the hypothesis of a learner. A hypothesis may be wrong in both
//! directions. What follows is smaller, and never wrong.
//!
//! **Idea.** The subset construction, breadth first and on the fly, needs neither the whole product nor the whole
//! automaton: each set of states says of each action that it is an error, or which set comes next. What has not been
//! looked at when the limit is met is *open*. Forbid what is open, and the automaton allows less than A: it is
//! [`Partial::enough`]. Allow everything from there on, and it allows more than A: it is [`Partial::needed`].
//!
//! **Invariants.** L(enough) ⊆ L(A) ⊆ L(needed). So for every environment E that shares nothing but the interface:
//! E ⊨ enough implies E ‖ M ⊨ G, and E ‖ M ⊨ G implies E ⊨ needed. If nothing is open, both are A.
//!
//! **Complexity.** That of the part that is made: linear in its sets, actions, and the transitions of their states.
//!
//! **Callers.** `rely assume`, when the construction or the learner has met a limit.

use rely_base::{ActionId, Alphabet, Budget, Id, Label, StateId};
use rely_explore::{Belief, Product, Subsets};
use rely_lts::{LtsBuilder, Network};
use rustc_hash::FxHashMap;

use crate::chain::letters_of;
use crate::{Assumption, Effort, Requirement};

/// Two assumptions with the weakest one between them.
#[derive(Clone, Debug)]
pub struct Partial {
    /// What is certainly allowed: in every environment that satisfies it the goal is met.
    pub enough: Assumption,
    /// What is not certainly forbidden: in every environment that does not satisfy it the goal fails.
    pub needed: Assumption,
    /// How many sets of states were looked at.
    pub looked_at: usize,
    /// How many times a set and an action were left open.
    pub open: usize,
}

/// What is known of a weakest assumption.
#[derive(Clone, Debug)]
pub enum Certain {
    /// All of it: nothing was left open.
    All(Requirement),
    /// A part of it.
    Part(Partial),
    /// Not even what happens before the environment has done anything.
    Nothing,
}

/// As much of the weakest assumption of a network, over an interface, as a budget allows: the assumption under which no
/// component of the network reaches its error state.
pub fn certain(network: &Network, interface: &Alphabet, budget: &Budget<'_>, effort: &mut Effort) -> Certain {
    let product = Product::transparent(network);
    let mut subsets = Subsets::new(&product, letters_of(network, interface));
    let certain = match subsets.initial(budget) {
        Err(_) => Certain::Nothing,
        Ok(Belief::Error) => Certain::All(Requirement::Impossible),
        Ok(start) => {
            let known = interface.names().map(|name| network.alphabet().contains(name)).collect();
            let mut runner = Runner { rows: Vec::new(), numbers: FxHashMap::default(), known };
            runner.explore(&mut subsets, start, budget);
            runner.conclude(interface)
        }
    };
    effort.held(subsets.state_count().max(subsets.subset_count()));
    certain
}

/// Where an action leads from a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// To a set, by number.
    Set(StateId),
    /// To the error.
    Forbidden,
    /// Nobody knows.
    Open,
}

struct Runner {
    /// For each set that was looked at, by action of the interface, where it leads. Sets are numbered breadth first.
    rows: Vec<Vec<Next>>,
    /// The numbers of the sets.
    numbers: FxHashMap<Belief, StateId>,
    /// Which actions of the interface somebody has; the others change nothing.
    known: Vec<bool>,
}

impl Runner {
    /// Looks at sets until there are no more, or a limit is met.
    fn explore(&mut self, subsets: &mut Subsets<'_, Product<'_>>, start: Belief, budget: &Budget<'_>) {
        let mut order = vec![start];
        self.numbers.insert(start, StateId::from_index(0));
        let mut is_over = false;
        while let Some(&from) = order.get(self.rows.len()) {
            let mut row = vec![Next::Open; self.known.len()];
            for (i, next) in row.iter_mut().enumerate() {
                if !self.known[i] {
                    *next = Next::Set(StateId::from_index(self.rows.len()));
                } else if !is_over {
                    // The other actions of the set at which the limit is met may still be answered by what is there.
                    match subsets.step(from, ActionId::from_index(i), budget) {
                        Ok(Belief::Error) => *next = Next::Forbidden,
                        Ok(target) => {
                            let fresh = StateId::from_index(order.len());
                            let number = *self.numbers.entry(target).or_insert(fresh);
                            if number == fresh {
                                order.push(target);
                            }
                            *next = Next::Set(number);
                        }
                        Err(_) => {}
                    }
                }
            }
            is_over |= row.contains(&Next::Open);
            self.rows.push(row);
        }
    }

    fn conclude(&self, interface: &Alphabet) -> Certain {
        let open = self.rows.iter().flatten().filter(|&&next| next == Next::Open).count();
        let needed = self.assumption(interface, Open::Allowed);
        if open > 0 {
            let enough = self.assumption(interface, Open::Forbidden);
            let looked_at = self.rows.iter().filter(|row| row.iter().any(|&next| next != Next::Open)).count();
            return Certain::Part(Partial { enough, needed, looked_at, open });
        }
        let is_everything = needed.sink() == Some(needed.lts().initial());
        Certain::All(if is_everything { Requirement::Nothing } else { Requirement::Assumption(needed) })
    }

    /// The minimal automaton of what is allowed.
    fn assumption(&self, interface: &Alphabet, open: Open) -> Assumption {
        let sink = StateId::from_index(self.rows.len());
        let mut builder = LtsBuilder::with_states(interface.clone(), self.rows.len() + 1);
        let ends = vec![Next::Set(sink); interface.len()];
        for (source, row) in self.rows.iter().chain([&ends]).enumerate() {
            for (action, next) in row.iter().enumerate() {
                let target = match (next, open) {
                    (Next::Set(target), _) => *target,
                    (Next::Open, Open::Allowed) => sink,
                    (Next::Open, Open::Forbidden) | (Next::Forbidden, _) => continue,
                };
                let label = Label::visible(ActionId::from_index(action));
                builder.add_transition(StateId::from_index(source), label, target);
            }
        }
        Assumption::new(builder.build()).minimised()
    }
}

/// How what is open is taken.
#[derive(Clone, Copy)]
enum Open {
    Forbidden,
    Allowed,
}
