//! What a network can do, as products of relations on single components.

use rely_base::{ActionId, Id, Label};
use rely_lts::{Lts, Network};
use rustc_hash::FxHashMap;

use super::order::{inverse, order};

/// The levels of a diagram and the events between its tuples.
pub(super) struct Events {
    /// The component of each level.
    pub(super) order: Vec<usize>,
    /// The events, each with its label as it is seen from outside.
    pub(super) events: Vec<Event>,
}

/// An action of a network, or a silent step of a component.
pub(super) struct Event {
    /// The action, if it is visible.
    pub(super) label: Option<ActionId>,
    /// The participants by level, the first first.
    pub(super) steps: Vec<Local>,
}

/// What an event does to one participant.
pub(super) struct Local {
    pub(super) level: usize,
    /// The targets of each state that has some, without the error state.
    targets: FxHashMap<u32, Vec<u32>>,
    /// The states from which it leads to the error state, in order.
    pub(super) fails: Vec<u32>,
}

impl Local {
    /// Where a state may lead.
    pub(super) fn targets(&self, source: u32) -> &[u32] {
        self.targets.get(&source).map_or(&[], Vec::as_slice)
    }

    /// The states that have a target other than the error state, in no order.
    pub(super) fn sources(&self) -> impl Iterator<Item = u32> + '_ {
        self.targets.keys().copied()
    }

    /// The states that take part in the event, in order.
    pub(super) fn enabled(&self) -> Vec<u32> {
        let mut enabled: Vec<u32> = self.sources().chain(self.fails.iter().copied()).collect();
        enabled.sort_unstable();
        enabled
    }

    fn new(lts: &Lts, label: Label, level: usize) -> Self {
        let mut local = Self { level, targets: FxHashMap::default(), fails: Vec::new() };
        for source in lts.states().filter(|&state| Some(state) != lts.error()) {
            for edge in lts.edges_with(source, label) {
                match Some(edge.target) == lts.error() {
                    true => local.fails.push(source.raw()),
                    false => local.targets.entry(source.raw()).or_default().push(edge.target.raw()),
                }
            }
        }
        local
    }
}

impl Event {
    /// Whether two events may lead from one state to the same state: each participant of one alone does not move, and
    /// those of both may do the same.
    pub(super) fn may_coincide(&self, other: &Self) -> bool {
        let stays = |local: &Local| local.targets.iter().any(|(source, targets)| targets.contains(source));
        let partner = |event: &'_ Self, level: usize| event.steps.iter().position(|step| step.level == level);
        let meets = |one: &Local, other: &Local| {
            one.targets
                .iter()
                .any(|(source, targets)| targets.iter().any(|target| other.targets(*source).contains(target)))
        };
        self.steps.iter().all(|step| match partner(other, step.level) {
            Some(index) => meets(step, &other.steps[index]),
            None => stays(step),
        }) && other.steps.iter().all(|step| partner(self, step.level).is_some() || stays(step))
    }
}

impl Events {
    /// The events of a network without priority.
    pub(super) fn new(network: &Network) -> Self {
        let components = network.components();
        // Each event as its label, its participants, and the label that each of them has for it.
        let mut plans: Vec<(Option<ActionId>, Vec<(usize, Label)>)> = Vec::new();
        for (index, component) in components.iter().enumerate() {
            if component.lts.has_tau() {
                plans.push((None, vec![(index, Label::TAU)]));
            }
        }
        for (action, name) in network.alphabet().iter() {
            let participants = network.participants(action).iter().map(|participant| {
                let own = components[participant.index()].lts.alphabet().get(name);
                (participant.index(), Label::visible(own.expect("a participant has the action")))
            });
            let label = (!network.is_hidden(action)).then_some(action);
            plans.push((label, participants.collect()));
        }
        let meetings: Vec<Vec<usize>> =
            plans.iter().map(|plan| plan.1.iter().map(|participant| participant.0).collect()).collect();
        let order = order(components.len(), &meetings);
        let level = inverse(&order);
        let event = |(label, participants): &(Option<ActionId>, Vec<(usize, Label)>)| {
            let local =
                |&(index, label): &(usize, Label)| Local::new(&components[index].lts, label, level[index]);
            let mut steps: Vec<Local> = participants.iter().map(local).collect();
            steps.sort_unstable_by_key(|step| step.level);
            Event { label: *label, steps }
        };
        let events = plans.iter().map(event).collect();
        Self { order, events }
    }
}
