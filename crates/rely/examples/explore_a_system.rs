//! Explores a transition system that is given by a successor function: the puzzle of the wolf, the goat and the cabbage. The
//! error state is where something is eaten; the shortest way across the river is a shortest trace.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use std::ops::ControlFlow;

use rely::Budget;
use rely::explore::{Alphabet, Label, Outcome, Search, StateId, Successor, System, Visitor};
use rely::lts::ComponentId;

/// Whether the farmer, the wolf, the goat and the cabbage are on the far bank: a bit each.
struct River(Alphabet);

const FARMER: u64 = 1;
const GOAT: u64 = 4;
const ALL: u64 = 15;
const PASSENGERS: [(&str, u64); 4] = [("alone", 0), ("wolf", 2), ("goat", GOAT), ("cabbage", 8)];

/// Whether something is eaten: the goat is with the wolf or the cabbage, and the farmer is not there.
fn is_meal(state: u64) -> bool {
    let is_with_goat = |who: u64| (state & who != 0) == (state & GOAT != 0);
    !is_with_goat(FARMER) && (is_with_goat(2) || is_with_goat(8))
}

impl System for River {
    type Cursor = ();

    fn words(&self) -> usize {
        1
    }

    fn cursor(&self) {}

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        state[0] = 0;
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        (): &mut (),
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (name, passenger) in PASSENGERS {
            let is_here = (state[0] & passenger != 0) == (state[0] & FARMER != 0);
            if passenger != 0 && !is_here {
                continue;
            }
            let label = Label::visible(self.0.get(name).expect("the alphabet has all passengers"));
            let after = state[0] ^ FARMER ^ passenger;
            match is_meal(after) {
                true => visit(label, Successor::Error(ComponentId::from_raw(0)))?,
                false => visit(label, Successor::State(&[after]))?,
            }
        }
        ControlFlow::Continue(())
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        false
    }

    fn alphabet(&self) -> &Alphabet {
        &self.0
    }
}

/// Stops when all are across.
#[derive(Default)]
struct Across(Option<StateId>);

impl Visitor for Across {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        if words[0] == ALL {
            self.0 = Some(state);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.0.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn main() -> Result<(), rely::Exhausted> {
    let river = River(PASSENGERS.iter().map(|(name, _)| *name).collect());
    let mut search = Search::new(&river);
    let mut across = Across::default();
    let outcome = search.run(&Budget::UNLIMITED, &mut across)?;
    assert_ne!(outcome, Outcome::Complete, "there is a way");
    let goal = across.0.expect("the search stops where everybody is across");
    let way = search.try_trace_to(goal, &Budget::UNLIMITED)?;
    let names: Vec<&str> = way.iter().map(|step| river.0.label_name(step.label)).collect();
    println!("{}", names.join(", "));
    assert_eq!(names.len(), 7);
    Ok(())
}
