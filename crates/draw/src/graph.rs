//! What is to be drawn: states with their sizes, and arrows with their labels wrapped.

use rely_base::{Id, Label, StateId};
use rely_lts::Lts;
use rely_lts::format::bundles;

use crate::layout::Role;
use crate::text::{self, Text};

/// The radius of an ordinary state.
const RADIUS: f64 = 16.0;
/// The radius of the error state, which has a word in it.
const ERROR_RADIUS: f64 = 25.0;

rely_base::define_id! {
    /// An arrow of a graph.
    ArrowId
}

/// A state with its looks.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) role: Role,
    pub(crate) radius: f64,
    /// The arrow from the state to itself.
    pub(crate) self_loop: Option<ArrowId>,
}

/// All transitions from one state to another.
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    pub(crate) source: StateId,
    pub(crate) target: StateId,
    /// Their labels, sorted.
    pub(crate) labels: Vec<Label>,
    /// The names of the labels, in the same order.
    pub(crate) names: Vec<String>,
    /// The names as they are shown.
    pub(crate) text: Text,
}

impl Arrow {
    pub(crate) fn is_self_loop(&self) -> bool {
        self.source == self.target
    }
}

/// The states by number, and the arrows sorted by source and target.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) initial: StateId,
}

impl Graph {
    pub(crate) fn new(lts: &Lts) -> Self {
        let mut nodes: Vec<Node> = lts.states().map(|state| node(lts, state)).collect();
        let mut arrows = Vec::new();
        for source in lts.states() {
            for bundle in bundles(lts, source) {
                if bundle.target == source {
                    nodes[source.index()].self_loop = Some(ArrowId::from_index(arrows.len()));
                }
                let names: Vec<String> = bundle.labels.iter().map(|&label| name(lts, label)).collect();
                let text = Text::wrapped(&names);
                arrows.push(Arrow { source, target: bundle.target, labels: bundle.labels, names, text });
            }
        }
        Self { nodes, arrows, initial: lts.initial() }
    }

    /// Whether there is an arrow from one state to another.
    pub(crate) fn has_arrow(&self, source: StateId, target: StateId) -> bool {
        self.arrows.binary_search_by_key(&(source, target), |arrow| (arrow.source, arrow.target)).is_ok()
    }

    /// The arrows between different states.
    pub(crate) fn proper_arrows(&self) -> impl Iterator<Item = (ArrowId, &Arrow)> + '_ {
        let numbered = self.arrows.iter().enumerate();
        numbered.filter(|(_, arrow)| !arrow.is_self_loop()).map(|(i, arrow)| (ArrowId::from_index(i), arrow))
    }
}

fn node(lts: &Lts, state: StateId) -> Node {
    let role = if Some(state) == lts.error() {
        Role::Error
    } else if Some(state) == lts.end() {
        Role::End
    } else if lts.edges(state).is_empty() {
        Role::Stuck
    } else {
        Role::Ordinary
    };
    let radius = if role == Role::Error { ERROR_RADIUS } else { RADIUS };
    Node { role, radius, self_loop: None }
}

fn name(lts: &Lts, label: Label) -> String {
    label.action().map_or_else(|| "τ".to_owned(), |action| text::visible(lts.alphabet().name(action)))
}
