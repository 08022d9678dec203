//! The number of states and transitions, from the diagram of the reachable states.
//!
//! A transition is a triple of source, label and target, all ways to fail being one target and all ways to have
//! terminated another. So with R the reachable states and T those of them that have terminated, a label has as many
//! transitions as there are pairs (s, t) of R × R with t ∉ T, states with a step into T, and states with a step into the
//! error state.
//!
//! The pairs of one event are counted without being built: from a state there are as many as the product of the numbers
//! of targets of the participants. Pairs of two events with the same label, which only silent ones have, may coincide;
//! where they may, the pairs are built, as a diagram with two levels for each component.

use std::collections::BTreeMap;

use rely_base::{ActionId, Budget, Exhausted};
use rely_lts::Network;
use rustc_hash::FxHashMap;

use super::events::{Event, Events, Local};
use super::forest::{Edge, Forest, Node};
use super::saturation::reachable;
use crate::Size;

/// The maximum number of components of a network; it bounds the depth of recursion.
const LEVELS: usize = 512;

/// What a diagram says about a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counted {
    /// The numbers of states and transitions.
    Size {
        /// The numbers.
        size: Size,
        /// The bytes that the diagram took.
        bytes: usize,
    },
    /// There are more states or transitions than 64 bits can count.
    TooMany,
    /// There is no diagram of a network with priority or very many components.
    NoDiagram,
}

/// Counts the states and transitions of a network, seen from outside, without visiting them. Nodes of the diagram count as
/// states for the budget.
///
/// # Errors
/// The limit of the budget that was met.
pub fn count_by_diagram(network: &Network, budget: &Budget<'_>) -> Result<Counted, Exhausted> {
    let components = network.components();
    if network.priority().is_some() || components.len() > LEVELS {
        return Ok(Counted::NoDiagram);
    }
    if components.iter().any(|component| component.lts.error() == Some(component.lts.initial())) {
        let size = Size { states: 0, transitions: 0, error_reachable: true, cut: None };
        return Ok(Counted::Size { size, bytes: 0 });
    }
    let events = Events::new(network);
    let mut forest = Forest::new(events.bytes(), *budget);
    let size = Sizer::new(network, &events, &mut forest)?.size()?;
    Ok(size.map_or(Counted::TooMany, |size| Counted::Size { size, bytes: forest.bytes() }))
}

struct Sizer<'a, 'b> {
    forest: &'a mut Forest<'b>,
    events: &'a Events,
    /// All reachable states, and those that have terminated.
    reachable: Node,
    terminated: Node,
    /// How many tuples the nodes have.
    counts: FxHashMap<Node, u64>,
}

impl<'a, 'b> Sizer<'a, 'b> {
    fn new(network: &Network, events: &'a Events, forest: &'a mut Forest<'b>) -> Result<Self, Exhausted> {
        let lts = |level: usize| &*network.components()[events.order[level]].lts;
        let levels = events.order.len();
        let initial: Vec<u32> = (0..levels).map(|level| lts(level).initial().raw()).collect();
        let reachable = reachable(forest, events, &initial)?;
        let mut sizer =
            Self { forest, events, reachable, terminated: Node::EMPTY, counts: FxHashMap::default() };
        if network.can_terminate() {
            let ends = (0..levels).filter_map(|level| Some((level, vec![lts(level).end()?.raw()])));
            let ends: Vec<(usize, Vec<u32>)> = ends.collect();
            let mut left = sizer.within(reachable, &ends)?;
            for event in &events.events {
                let moving = sizer.enabled(event, left)?;
                left = sizer.forest.difference(left, moving)?;
            }
            sizer.terminated = left;
        }
        Ok(sizer)
    }

    /// The size; `None` if a number exceeds 64 bits.
    fn size(mut self) -> Result<Option<Size>, Exhausted> {
        let mut by_label: BTreeMap<Option<ActionId>, Vec<&Event>> = BTreeMap::new();
        for event in &self.events.events {
            by_label.entry(event.label).or_default().push(event);
        }
        let (mut transitions, mut error_reachable) = (Some(0_u64), false);
        for events in by_label.values() {
            let mut failing = Node::EMPTY;
            let mut ending = Node::EMPTY;
            for event in events {
                let fails = self.failing(event)?;
                failing = self.forest.union(failing, fails)?;
                let ends = self.sources(event, self.terminated)?;
                ending = self.forest.union(ending, ends)?;
            }
            error_reachable |= !failing.is_empty();
            let all = self.pairs(events, Node::ALL)?;
            let ended = self.pairs(events, self.terminated)?;
            transitions = (|| {
                let proper = all?.checked_sub(ended?)?;
                let (ending, failing) = (self.count(ending)?, self.count(failing)?);
                transitions?.checked_add(proper)?.checked_add(ending)?.checked_add(failing)
            })();
        }
        Ok((|| {
            let ends = self.count(self.terminated)?;
            let states = self.count(self.reachable)? - ends.saturating_sub(1);
            let number = |count: u64| usize::try_from(count).ok();
            Some(Size {
                states: number(states)?,
                transitions: number(transitions?)?,
                error_reachable,
                cut: None,
            })
        })())
    }

    fn count(&mut self, node: Node) -> Option<u64> {
        self.forest.count(node, &mut self.counts)
    }

    /// The states of a set in which each given level has one of the given values. Values are in order.
    fn within(&mut self, set: Node, allowed: &[(usize, Vec<u32>)]) -> Result<Node, Exhausted> {
        Within { forest: self.forest, known: FxHashMap::default() }.at(0, set, allowed)
    }

    /// The states of a set in which an event is enabled.
    fn enabled(&mut self, event: &Event, set: Node) -> Result<Node, Exhausted> {
        let allowed: Vec<_> = event.steps.iter().map(|step| (step.level, step.enabled())).collect();
        self.within(set, &allowed)
    }

    /// The reachable states in which an event leads to the error state.
    fn failing(&mut self, event: &Event) -> Result<Node, Exhausted> {
        if event.steps.iter().all(|step| step.fails.is_empty()) {
            return Ok(Node::EMPTY);
        }
        let enabled = self.enabled(event, self.reachable)?;
        let mut failing = Node::EMPTY;
        for step in &event.steps {
            let fails = self.within(enabled, &[(step.level, step.fails.clone())])?;
            failing = self.forest.union(failing, fails)?;
        }
        Ok(failing)
    }

    /// The reachable states from which an event may lead into a set.
    fn sources(&mut self, event: &Event, targets: Node) -> Result<Node, Exhausted> {
        Steps { forest: self.forest, known: FxHashMap::default(), with_targets: false }.at(
            0,
            &event.steps,
            self.reachable,
            targets,
        )
    }

    /// The number of pairs (s, t) with s reachable, t in `targets`, and one of `events` (which have the same label)
    /// leading from s to t.
    fn pairs(&mut self, events: &[&Event], targets: Node) -> Result<Option<u64>, Exhausted> {
        if targets.is_empty() {
            return Ok(Some(0));
        }
        if !self.may_coincide(events)? {
            let mut sum = Some(0_u64);
            for event in events {
                let weight =
                    Weights { forest: self.forest, counts: &mut self.counts, known: FxHashMap::default() }
                        .at(0, &event.steps, self.reachable, targets)?;
                sum = sum.zip(weight).and_then(|(sum, weight)| sum.checked_add(weight));
            }
            return Ok(sum);
        }
        let mut pairs = Node::EMPTY;
        for event in events {
            let own = Steps { forest: self.forest, known: FxHashMap::default(), with_targets: true }.at(
                0,
                &event.steps,
                self.reachable,
                targets,
            )?;
            pairs = self.forest.union(pairs, own)?;
        }
        Ok(self.count(pairs))
    }

    /// Whether two of the events may lead from one state to the same state.
    fn may_coincide(&mut self, events: &[&Event]) -> Result<bool, Exhausted> {
        for (index, event) in events.iter().enumerate() {
            for other in &events[..index] {
                self.forest.work(event.steps.len() + other.steps.len())?;
                if event.may_coincide(other) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The part of a set that has certain values at certain levels.
struct Within<'a, 'b> {
    forest: &'a mut Forest<'b>,
    known: FxHashMap<Node, Node>,
}

impl Within<'_, '_> {
    fn at(&mut self, level: usize, set: Node, allowed: &[(usize, Vec<u32>)]) -> Result<Node, Exhausted> {
        let Some(((next, values), following)) = allowed.split_first() else { return Ok(set) };
        if set.is_empty() {
            return Ok(set);
        }
        if let Some(&known) = self.known.get(&set) {
            return Ok(known);
        }
        let mut edges = BTreeMap::new();
        if *next == level && values.len() < self.forest.width(set) {
            for &value in values {
                let child = self.forest.child(set, value);
                edges.insert(value, self.at(level + 1, child, following)?);
            }
        } else {
            self.forest.work(self.forest.width(set))?;
            for index in 0..self.forest.width(set) {
                let (value, child) = self.forest.edge(set, index);
                if *next != level {
                    edges.insert(value, self.at(level + 1, child, allowed)?);
                } else if values.binary_search(&value).is_ok() {
                    edges.insert(value, self.at(level + 1, child, following)?);
                }
            }
        }
        let within = self.forest.node(&edges)?;
        self.known.insert(set, within);
        Ok(within)
    }
}

/// The steps of an event from one set into another: their sources, or pairs of source and target with the two values of
/// a component one after the other.
struct Steps<'a, 'b> {
    forest: &'a mut Forest<'b>,
    known: FxHashMap<(Node, Node), Node>,
    with_targets: bool,
}

impl Steps<'_, '_> {
    fn at(&mut self, level: usize, steps: &[Local], from: Node, into: Node) -> Result<Node, Exhausted> {
        if from.is_empty() || into.is_empty() {
            return Ok(Node::EMPTY);
        }
        // Below the last level there is nothing left, and above it `ALL` occurs as the set of targets only.
        if from == Node::ALL || (steps.is_empty() && into == Node::ALL && !self.with_targets) {
            return Ok(from);
        }
        if let Some(&known) = self.known.get(&(from, into)) {
            return Ok(known);
        }
        let (local, following) = match steps.split_first() {
            Some((local, following)) if local.level == level => (Some(local), following),
            _ => (None, steps),
        };
        let mut edges = BTreeMap::new();
        for (value, child) in edges_of(self.forest, local, from)? {
            let alone = [value];
            let mut rest = BTreeMap::new();
            for &target in local.map_or(&alone[..], |local| local.targets(value)) {
                let into = self.forest.child(into, target);
                rest.insert(target, self.at(level + 1, following, child, into)?);
            }
            let rest = match self.with_targets {
                true => self.forest.node(&rest)?,
                false => {
                    let mut union = Node::EMPTY;
                    for node in rest.into_values() {
                        union = self.forest.union(union, node)?;
                    }
                    union
                }
            };
            edges.insert(value, rest);
        }
        let found = self.forest.node(&edges)?;
        self.known.insert((from, into), found);
        Ok(found)
    }
}

/// The edges of a node that a participant can follow, or all if the component does not take part.
fn edges_of(forest: &mut Forest<'_>, local: Option<&Local>, node: Node) -> Result<Vec<Edge>, Exhausted> {
    if let Some(local) = local {
        return local.edges(forest, node);
    }
    forest.work(forest.width(node))?;
    Ok((0..forest.width(node)).map(|index| forest.edge(node, index)).collect())
}

/// Counts the steps of an event from one set into another.
struct Weights<'a, 'b> {
    forest: &'a mut Forest<'b>,
    counts: &'a mut FxHashMap<Node, u64>,
    known: FxHashMap<(Node, Node), Option<u64>>,
}

impl Weights<'_, '_> {
    /// The number; `None` if it exceeds 64 bits.
    fn at(
        &mut self,
        level: usize,
        steps: &[Local],
        from: Node,
        into: Node,
    ) -> Result<Option<u64>, Exhausted> {
        if from.is_empty() || into.is_empty() {
            return Ok(Some(0));
        }
        if from == Node::ALL || (steps.is_empty() && into == Node::ALL) {
            return Ok(self.forest.count(from, self.counts));
        }
        if let Some(&known) = self.known.get(&(from, into)) {
            return Ok(known);
        }
        let (local, following) = match steps.split_first() {
            Some((local, following)) if local.level == level => (Some(local), following),
            _ => (None, steps),
        };
        let mut sum = Some(0_u64);
        for (value, child) in edges_of(self.forest, local, from)? {
            let alone = [value];
            for &target in local.map_or(&alone[..], |local| local.targets(value)) {
                let into = self.forest.child(into, target);
                let weight = self.at(level + 1, following, child, into)?;
                sum = sum.zip(weight).and_then(|(sum, weight)| sum.checked_add(weight));
            }
        }
        self.known.insert((from, into), sum);
        Ok(sum)
    }
}
