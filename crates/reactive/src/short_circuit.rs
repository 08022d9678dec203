//! The short cut that the literature takes through the configurations of an environment. It loses some: for measuring only.
//!
//! **Problem.** Different configurations of an environment often go on in the same way. Which of them need not be followed?
//!
//! **Source.** The optimisation of [de la Riva, Tuya 2006] for the extraction of rules: a microstep is not computed again if
//! the same transitions were enabled in a microstep with the same number before.
//!
//! **Idea.** The search of `environment.rs`, but a microstep is taken only if its *key*, the number of the microstep and the set
//! of enabled transitions, is new. A macrostep in which nothing is enabled may always end or wait.
//!
//! **What it loses.** The key does not say in which states the machines are that stand still. They may matter in a later
//! microstep, or in a later macrostep; what happens then is met by the first configuration with the key only. So
//! configurations are lost, and rules are found that are false: `tests/short_circuit.rs` has the smallest example, and counts.
//! Nothing that answers a question uses this.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Label};
use rely_explore::{Conditions, Machine, Successor, System as Explored};
use rely_lts::ComponentId as Unit;
use rustc_hash::FxHashMap;

use crate::configurations::{Observer, Past, TooManyEvents};
use crate::environment::{Unmined, show_all};
use crate::mine::{Mined, mine};
use crate::program::{COUNTED, Layout, Lowered};
use crate::system::{ComponentId, System};

/// What mining finds in the environment of a component if it takes the short cut, and how many states it looks at. The rules
/// may be false.
///
/// # Errors
/// When the interface has too many events, or a limit is met.
pub fn mine_with_short_cut(
    system: &System,
    component: ComponentId,
    budget: &Budget<'_>,
) -> Result<(Mined, usize), Unmined> {
    let observed = Observer::new(system, component, Past::None, COUNTED);
    let (Lowered { program, layout, .. }, observer) =
        observed.map_err(|TooManyEvents(events)| Unmined::TooManyEvents(events))?;
    let machine = Machine::transparent(&program);
    let conditions = machine.conditions(&layout.enabled);
    let short = ShortCut { machine: &machine, layout: &layout, conditions };
    let (found, states) = show_all(&short, &machine, observer, budget)?;
    Ok((mine(found), states))
}

/// A program without those microsteps whose key is known.
struct ShortCut<'a, 'p> {
    machine: &'a Machine<'p>,
    layout: &'a Layout,
    /// Whether each transition is enabled.
    conditions: Conditions,
}

/// The scratch space of the program, and the keys that are known, each with the state that it was first met in: the search may
/// ask for the successors of a state more than once.
struct Scratch<'p> {
    inner: <Machine<'p> as Explored>::Cursor,
    conditions: Conditions,
    known: FxHashMap<(i64, Vec<u32>), Vec<u64>>,
}

impl<'p> Scratch<'p> {
    /// Whether a state may take its microstep: nothing is enabled, or its key is new.
    fn is_new(&mut self, short: &ShortCut<'_, 'p>, state: &[u64]) -> bool {
        let mut enabled = Vec::new();
        short.machine.met(&mut self.conditions, state, |number| {
            enabled.extend(u32::try_from(number).ok());
        });
        let key = (short.machine.value(state, short.layout.microstep), enabled);
        key.1.is_empty() || self.known.entry(key).or_insert_with(|| state.to_vec()) == state
    }
}

impl<'p> Explored for ShortCut<'_, 'p> {
    type Cursor = Scratch<'p>;

    fn words(&self) -> usize {
        self.machine.words()
    }

    fn cursor(&self) -> Scratch<'p> {
        let (inner, conditions) = (self.machine.cursor(), self.conditions.clone());
        Scratch { inner, conditions, known: FxHashMap::default() }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), Unit> {
        self.machine.initial(state)
    }

    fn try_successors(
        &self,
        state: &[u64],
        scratch: &mut Scratch<'p>,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let is_new = scratch.is_new(self, state);
        self.machine.try_successors(state, &mut scratch.inner, &mut |label, successor| {
            // Microsteps are the only silent steps.
            if label == Label::TAU && !is_new { ControlFlow::Continue(()) } else { visit(label, successor) }
        })
    }

    fn is_end(&self, state: &[u64]) -> bool {
        self.machine.is_end(state)
    }

    fn alphabet(&self) -> &Alphabet {
        self.machine.alphabet()
    }
}
