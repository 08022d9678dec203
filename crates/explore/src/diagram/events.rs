//! The steps of a network as products of relations on single components.

use rely_base::{ActionId, Exhausted, Id};
use rely_lts::{ComponentId, Lts, Network, Transition};
use rustc_hash::FxHashMap;

use super::forest::{Edge, Forest, Node};
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
    /// The action; `None` if the event is silent.
    pub(super) label: Option<ActionId>,
    /// What the event does to each participant, by level, the first level first.
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

    /// The edges of a node that a participant can follow, in no order. A wide node has many more than a step has sources.
    pub(super) fn edges(&self, forest: &mut Forest<'_>, node: Node) -> Result<Vec<Edge>, Exhausted> {
        let width = forest.width(node);
        forest.work(width.min(self.targets.len()))?;
        if self.targets.len() < width {
            let edges = self.sources().map(|source| (source, forest.child(node, source)));
            return Ok(edges.filter(|edge| !edge.1.is_empty()).collect());
        }
        let edges = (0..width).map(|index| forest.edge(node, index));
        Ok(edges.filter(|edge| self.targets.contains_key(&edge.0)).collect())
    }

    /// The states that take part in the event, in order.
    pub(super) fn enabled(&self) -> Vec<u32> {
        let mut enabled: Vec<u32> = self.sources().chain(self.fails.iter().copied()).collect();
        enabled.sort_unstable();
        enabled
    }

    /// What each label does to a component; silent steps are at 0, action `a` of the component at `a + 1`.
    fn of_all(lts: &Lts, level: usize) -> Vec<Self> {
        let none = || Self { level, targets: FxHashMap::default(), fails: Vec::new() };
        let mut locals: Vec<Self> = (0..=lts.alphabet().len()).map(|_| none()).collect();
        for Transition { source, label, target } in lts.transitions() {
            let local = &mut locals[label.index()];
            match Some(target) == lts.error() {
                true => local.fails.push(source.raw()),
                false => local.targets.entry(source.raw()).or_default().push(target.raw()),
            }
        }
        locals
    }
}

impl Event {
    /// Whether two events may lead from one state to the same state: participants of one of them stay where they are, and
    /// those of both do the same.
    pub(super) fn may_coincide(&self, other: &Self) -> bool {
        let has = |one: &Local, target_of: &dyn Fn(u32, u32) -> bool| {
            one.targets
                .iter()
                .any(|(&source, targets)| targets.iter().any(|&target| target_of(source, target)))
        };
        let stays = |local: &Local| has(local, &|source, target| source == target);
        let agree =
            |one: &Local, other: &Local| has(one, &|source, target| other.targets(source).contains(&target));
        let partner = |event: &'_ Self, level: usize| event.steps.iter().position(|step| step.level == level);
        self.steps.iter().all(|step| match partner(other, step.level) {
            Some(index) => agree(step, &other.steps[index]),
            None => stays(step),
        }) && other.steps.iter().all(|step| partner(self, step.level).is_some() || stays(step))
    }
}

impl Events {
    /// Approximate number of bytes held.
    pub(super) fn bytes(&self) -> usize {
        /// A source in its table with its list of targets, and a target.
        const PER_SOURCE: usize = 64;
        const PER_TARGET: usize = size_of::<u32>();
        let local = |local: &Local| {
            let targets: usize = local.targets.values().map(Vec::len).sum();
            size_of::<Local>() + local.targets.len() * PER_SOURCE + targets * PER_TARGET
        };
        self.events.iter().flat_map(|event| &event.steps).map(local).sum()
    }

    /// The events of a network without priority.
    pub(super) fn new(network: &Network) -> Self {
        let components = network.components();
        let actions = (0..network.alphabet().len()).map(ActionId::from_index);
        let participants = |action| network.participants(action).iter().map(|component| component.index());
        let meetings: Vec<Vec<usize>> =
            actions.clone().map(|action| participants(action).collect()).collect();
        let order = order(components.len(), &meetings);
        let level = inverse(&order);
        let event = |action| {
            let label = (!network.is_hidden(action)).then_some(action);
            Event { label, steps: Vec::new() }
        };
        let mut events: Vec<Event> = actions.map(event).collect();
        for (index, component) in components.iter().enumerate() {
            let mut locals = Local::of_all(&component.lts, level[index]).into_iter();
            let silent = locals.next().filter(|_| component.lts.has_tau());
            events.extend(silent.map(|silent| Event { label: None, steps: vec![silent] }));
            for (&action, local) in network.actions_of(ComponentId::from_index(index)).iter().zip(locals) {
                events[action.index()].steps.push(local);
            }
        }
        events.iter_mut().for_each(|event| event.steps.sort_unstable_by_key(|step| step.level));
        Self { order, events }
    }
}
