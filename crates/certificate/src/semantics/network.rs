//! Parallel composition, from its definition.
//!
//! A state is a tuple with a state of each component. An action is possible when every component that has it in its
//! alphabet has a transition with it; each of these takes one, and the others stay. A silent step is one of a single
//! component. With priority, where an action of the side that goes first is possible, those of the other side are not.
//! A tuple with a component in its error state is the error state of the network, and nothing is possible in it.

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{ComponentId, Edge, Lts, Network, Rank};

/// The composition of the components of a network.
pub(crate) struct Composition<'n> {
    network: &'n Network,
    /// For each action of the network, the components that have it, each with its own label for it.
    participants: Vec<Vec<(usize, Label)>>,
    /// For each action of the network, the participant that is ready for the fewest actions, on average over its
    /// states.
    leaders: Vec<usize>,
    can_terminate: bool,
    /// The effort of computing the steps of a tuple; the unit is taking one step.
    effort: usize,
}

/// What the participants of a step can do: for each its number and its transitions.
type Choices<'n> = Vec<(usize, &'n [Edge])>;

impl<'n> Composition<'n> {
    pub(crate) fn new(network: &'n Network) -> Self {
        let participants = vec![Vec::new(); network.alphabet().len()];
        let mut composition =
            Self { network, participants, leaders: Vec::new(), can_terminate: false, effort: 0 };
        for (i, component) in network.components().iter().enumerate() {
            for (action, name) in component.lts.alphabet().iter() {
                let of_network =
                    network.alphabet().get(name).expect("a network has all actions of its parts");
                composition.participants[of_network.index()].push((i, Label::visible(action)));
            }
        }
        let leader = |participants: &Vec<(usize, Label)>| {
            let average = |i: usize| composition.lts(i).transition_count() / composition.lts(i).state_count();
            participants.iter().map(|&(i, _)| i).min_by_key(|&i| average(i)).expect("somebody has the action")
        };
        composition.leaders = composition.participants.iter().map(leader).collect();
        let ends = |i: usize| composition.lts(i).end().is_some();
        composition.can_terminate = (0..composition.len()).any(ends)
            && composition.participants.iter().all(|participants| participants.iter().any(|&(i, _)| ends(i)));
        let looked_at = composition.participants.iter().map(Vec::len).sum::<usize>();
        composition.effort = (composition.len() + looked_at).div_ceil(16);
        composition
    }

    pub(crate) fn network(&self) -> &'n Network {
        self.network
    }

    /// The effort of computing the steps of a tuple; the unit is taking one step.
    pub(crate) fn effort(&self) -> usize {
        self.effort
    }

    /// The number of components.
    pub(crate) fn len(&self) -> usize {
        self.network.components().len()
    }

    fn lts(&self, component: usize) -> &'n Lts {
        &self.network.components()[component].lts
    }

    pub(crate) fn initial(&self) -> Vec<u32> {
        (0..self.len()).map(|i| self.lts(i).initial().raw()).collect()
    }

    /// Whether the numbers are states of the components.
    pub(crate) fn is_tuple(&self, tuple: &[u32]) -> bool {
        tuple.len() == self.len() && (0..self.len()).all(|i| (tuple[i] as usize) < self.lts(i).state_count())
    }

    /// The first component that is in its error state.
    pub(crate) fn failed(&self, tuple: &[u32]) -> Option<usize> {
        (0..self.len()).find(|&i| self.lts(i).error() == Some(StateId::from_raw(tuple[i])))
    }

    /// Whether a tuple where nothing is possible is the end: all components that have an end state are in it, there is
    /// one, and no action belongs only to components that have none.
    pub(crate) fn is_end(&self, tuple: &[u32]) -> bool {
        self.can_terminate
            && (0..self.len()).all(|i| self.lts(i).end().is_none_or(|end| end.raw() == tuple[i]))
    }

    /// Calls `visit` with the action, or nothing for a silent step, and the target of every step of a tuple.
    pub(crate) fn steps<E>(
        &self,
        tuple: &[u32],
        visit: &mut impl FnMut(Option<ActionId>, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.steps_of(tuple, |_| true, visit)
    }

    /// Calls `visit` like [`Composition::steps`], but only for steps that some of these components take part in.
    pub(crate) fn steps_of<E>(
        &self,
        tuple: &[u32],
        is_meant: impl Fn(usize) -> bool,
        visit: &mut impl FnMut(Option<ActionId>, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.failed(tuple).is_some() {
            return Ok(());
        }
        let mut possible = self.silent_steps(tuple);
        possible.extend(self.joint_steps(tuple));
        self.keep_preferred(&mut possible);
        possible.retain(|(_, choices)| choices.iter().any(|&(i, _)| is_meant(i)));
        for (action, choices) in &possible {
            each_target(tuple, choices, &mut |target| visit(*action, target))?;
        }
        Ok(())
    }

    /// The components that have an action in their alphabets, in order.
    pub(crate) fn participants(&self, action: ActionId) -> impl Iterator<Item = usize> {
        self.participants[action.index()].iter().map(|&(i, _)| i)
    }

    /// The participants of an action that have no transition with it in a tuple.
    pub(crate) fn refusing(&self, tuple: &[u32], action: ActionId) -> impl Iterator<Item = usize> {
        let is_ready =
            |i: usize, label: Label| !self.lts(i).edges_with(StateId::from_raw(tuple[i]), label).is_empty();
        let refusing =
            self.participants[action.index()].iter().filter(move |&&(i, label)| !is_ready(i, label));
        refusing.map(|&(i, _)| i)
    }

    /// Whether no component refuses an action; priority is ignored.
    pub(crate) fn is_possible(&self, tuple: &[u32], action: ActionId) -> bool {
        self.refusing(tuple, action).next().is_none()
    }

    fn silent_steps(&self, tuple: &[u32]) -> Vec<(Option<ActionId>, Choices<'n>)> {
        let silent = |i: usize| (i, self.lts(i).edges_with(StateId::from_raw(tuple[i]), Label::TAU));
        (0..self.len())
            .map(silent)
            .filter(|(_, edges)| !edges.is_empty())
            .map(|choice| (None, vec![choice]))
            .collect()
    }

    fn joint_steps(&self, tuple: &[u32]) -> Vec<(Option<ActionId>, Choices<'n>)> {
        let mut possible = Vec::new();
        for action in self.offered(tuple) {
            let participants = &self.participants[action.index()];
            let edges =
                |&(i, label): &(usize, Label)| self.lts(i).edges_with(StateId::from_raw(tuple[i]), label);
            if participants.iter().all(|participant| !edges(participant).is_empty()) {
                let choices = participants.iter().map(|participant| (participant.0, edges(participant)));
                possible.push((Some(action), choices.collect()));
            }
        }
        possible
    }

    /// The actions, in order, for which their leaders are ready: no others are possible.
    fn offered(&self, tuple: &[u32]) -> Vec<ActionId> {
        let mut offered = Vec::new();
        for (i, &state) in tuple.iter().enumerate() {
            let own = self.network.actions_of(ComponentId::from_index(i));
            let edges = self.lts(i).edges(StateId::from_raw(state));
            let actions =
                edges.iter().filter_map(|edge| edge.label.action()).map(|action| own[action.index()]);
            offered.extend(actions.filter(|action| self.leaders[action.index()] == i));
        }
        offered.sort_unstable();
        offered.dedup();
        offered
    }

    fn keep_preferred(&self, possible: &mut Vec<(Option<ActionId>, Choices<'n>)>) {
        let Some(priority) = self.network.priority() else { return };
        // The network's own actions are ordered; those that came with further components are not.
        let goes_first = |action: &Option<ActionId>| -> Option<bool> {
            let named = match action {
                Some(action) => *priority.actions.get(action.index())?,
                None => false,
            };
            Some(named == (priority.rank == Rank::High))
        };
        if possible.iter().any(|(action, _)| goes_first(action) == Some(true)) {
            possible.retain(|(action, _)| goes_first(action) != Some(false));
        }
    }
}

/// Calls `visit` with the tuple after every combination of choices.
fn each_target<E>(
    tuple: &[u32],
    choices: &Choices<'_>,
    visit: &mut impl FnMut(&[u32]) -> Result<(), E>,
) -> Result<(), E> {
    let mut chosen = vec![0; choices.len()];
    let mut target = tuple.to_vec();
    loop {
        for (&(i, edges), &choice) in choices.iter().zip(&chosen) {
            let edge: &Edge = &edges[choice];
            target[i] = edge.target.raw();
        }
        visit(&target)?;
        // The next combination: count up, the last participant first.
        let Some(place) = (0..choices.len()).rev().find(|&place| chosen[place] + 1 < choices[place].1.len())
        else {
            return Ok(());
        };
        chosen[place] += 1;
        chosen[place + 1..].fill(0);
    }
}
