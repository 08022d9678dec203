//! What the searches need to know of a transition system.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Label};
use rely_lts::ComponentId;

use crate::Arrivals;

/// Where a transition of a [`System`] leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successor<'a> {
    /// To a state, given by its words.
    State(&'a [u64]),
    /// To the error state, which this component or unit reached.
    Error(ComponentId),
    /// Out of the bounds within which the system is explored, because of this unit. What comes after it is not known.
    Cut(ComponentId),
}

/// The move by which a state was found, as a [`System`] numbers its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival(pub(crate) u32);

impl Arrival {
    /// Nothing is known about how the state was found.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// A transition system that is given by its initial state and a successor function.
///
/// A state is a fixed number of machine words. The error state is not among them: reaching it is an event, and
/// nothing happens after it; nor is a run that leaves the bounds of what is explored. All answers are deterministic, the
/// order of successors included.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use rely_base::{Alphabet, Budget, Label};
/// use rely_explore::{Successor, System, count};
/// use rely_lts::ComponentId;
///
/// /// A counter that is increased until it overflows.
/// struct Counter(Alphabet);
///
/// impl System for Counter {
///     type Cursor = ();
///
///     fn words(&self) -> usize {
///         1
///     }
///
///     fn cursor(&self) {}
///
///     fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
///         state[0] = 0;
///         Ok(())
///     }
///
///     fn try_successors(
///         &self,
///         state: &[u64],
///         (): &mut (),
///         visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
///     ) -> ControlFlow<()> {
///         let up = Label::visible(self.0.get("up").expect("the alphabet has it"));
///         match state[0] {
///             0..=8 => visit(up, Successor::State(&[state[0] + 1])),
///             _ => visit(up, Successor::Error(ComponentId::from_raw(0))),
///         }
///     }
///
///     fn is_end(&self, _state: &[u64]) -> bool {
///         false
///     }
///
///     fn alphabet(&self) -> &Alphabet {
///         &self.0
///     }
/// }
///
/// let size = count(&Counter(["up"].into_iter().collect()), &Budget::UNLIMITED)?;
/// assert_eq!((size.states, size.transitions, size.error_reachable), (10, 10, true));
/// # Ok::<(), rely_base::Exhausted>(())
/// ```
pub trait System {
    /// Scratch space of one search, so that no successor needs an allocation.
    type Cursor: Send;

    /// The number of words of a state, at least one.
    fn words(&self) -> usize;

    /// Bytes of its tables for finding successors, and of the scratch space of one search.
    fn bytes(&self) -> usize {
        0
    }

    /// Fresh scratch space.
    fn cursor(&self) -> Self::Cursor;

    /// Writes the initial state.
    ///
    /// # Errors
    /// The component that starts in its error state, if there is one.
    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId>;

    /// Calls `visit` for each transition of a state, until it breaks. The same transition may be shown more than
    /// once.
    ///
    /// A state may have exponentially many transitions in the number of components, so a search with a budget has to
    /// be able to stop in the middle.
    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Calls `visit` for each transition of a state, in any order, with the number of the transition's own move;
    /// `arrival` is the move by which the state was found. The number is missing (the transition is *asleep*) if a
    /// search that finds states level by level need not look at the target, because another transition from a state
    /// that is no deeper leads there, too.
    fn try_awake(
        &self,
        state: &[u64],
        _arrival: Arrival,
        cursor: &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>, Option<Arrival>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.try_successors(state, cursor, &mut |label, successor| {
            visit(label, successor, Some(Arrival::UNKNOWN))
        })
    }

    /// Whether [`System::fan_out`] is quicker than [`System::try_awake`], and no state has too many transitions for it.
    fn can_fan_out(&self) -> bool {
        false
    }

    /// Like [`System::try_awake`], for searches that need not see each transition. Adds to `into` the targets that
    /// have to be looked up, and calls `show` for the transitions to these, for all into the error state and for all
    /// that are cut. Returns the number of all transitions. A search has to use either this or [`System::try_awake`]
    /// throughout, since they number moves differently.
    fn fan_out(
        &self,
        state: &[u64],
        arrival: Arrival,
        cursor: &mut Self::Cursor,
        into: &mut Arrivals,
        show: &mut impl FnMut(Label, Successor<'_>),
    ) -> usize {
        let mut count = 0;
        let _ = self.try_awake(state, arrival, cursor, &mut |label, successor, awake| {
            count += 1;
            match (successor, awake) {
                (Successor::State(_), None) => return ControlFlow::Continue(()),
                (Successor::State(target), Some(arrival)) => into.push(target, arrival),
                (Successor::Error(_) | Successor::Cut(_), _) => {}
            }
            show(label, successor);
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether no transition is shown twice, and of two transitions of a state with the same label, neither leads to the
    /// error state nor to where the system has terminated.
    fn has_distinct_transitions(&self) -> bool {
        false
    }

    /// Calls `visit` for each transition of a state.
    fn successors(
        &self,
        state: &[u64],
        cursor: &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>),
    ) {
        let all = self.try_successors(state, cursor, &mut |label, successor| {
            visit(label, successor);
            ControlFlow::Continue(())
        });
        debug_assert!(all.is_continue());
    }

    /// Whether a state that has no transition is successful termination rather than a deadlock.
    fn is_end(&self, state: &[u64]) -> bool;

    /// The names of the labels.
    fn alphabet(&self) -> &Alphabet;
}

/// Whether a state is successful termination: it has no transition, and is an end state.
pub fn is_terminated<S: System>(system: &S, state: &[u64], cursor: &mut S::Cursor) -> bool {
    if !system.is_end(state) {
        return false;
    }
    system.try_successors(state, cursor, &mut |_, _| ControlFlow::Break(())).is_continue()
}
