//! `simulate`: a target, step by step.

use std::collections::BTreeMap;

use rely_base::{Budget, Id, Label, StateId};
use rely_explore::{Product, Successor, System};
use rely_fsp::{Failure, Target};
use rely_lts::{ComponentId, Network, Role};

use crate::meaning::Meaning;
use crate::{Failed, Project, begin};

/// A step that is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The components that take part, by position.
    pub components: Vec<usize>,
    /// The component that reaches its error state by it.
    pub error: Option<usize>,
    /// Where it leads; nothing after an error.
    target: Option<Vec<u64>>,
}

/// A run of a target that grows and shrinks.
pub struct Simulation<'n> {
    product: Product<'n>,
    /// The initial state.
    initial: Vec<u64>,
    /// The steps so far.
    steps: Vec<Choice>,
}

/// The target to simulate; the only one there is if none is named.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which target is meant.
pub fn target(project: &Project, name: Option<&str>, budget: Budget<'_>) -> Result<Target, Failed> {
    let mut meaning = Meaning::of(project, budget);
    let name = match name {
        Some(name) => name.to_owned(),
        None => match &*meaning.default_targets() {
            [only] => only.clone(),
            [] => return Err(Failed::Errors(meaning.findings())),
            several => return Err(Failed::Ambiguous(several.to_vec())),
        },
    };
    let target = meaning.target(&name);
    let failed = meaning.has_errors();
    let target = target.and_then(|target| begin(&budget).map(|()| target).map_err(Failure::Exhausted));
    match target {
        Ok(target) if !failed => Ok(target),
        Err(Failure::Exhausted(exhausted)) => Err(Failed::Exhausted(exhausted, meaning.findings())),
        _ => Err(Failed::Errors(meaning.findings())),
    }
}

/// The marks of the actions of a target: `?`, `!` and `;` if it has interface automata, none otherwise.
pub fn marks(target: &Target) -> BTreeMap<String, char> {
    let Some(signature) = target.signature() else { return BTreeMap::new() };
    let role = |name: &str| signature.role(name).unwrap_or(Role::Internal);
    target.network.alphabet().names().map(|name| (name.to_owned(), role(name).mark())).collect()
}

impl<'n> Simulation<'n> {
    /// At the initial state of a network. Hidden actions are shown under their names.
    ///
    /// # Errors
    /// The component that starts in its error state.
    pub fn new(network: &'n Network) -> Result<Self, ComponentId> {
        let product = Product::transparent(network);
        let mut initial = vec![0; product.words()];
        product.initial(&mut initial)?;
        Ok(Self { product, initial, steps: Vec::new() })
    }

    /// The steps so far.
    pub fn steps(&self) -> &[Choice] {
        &self.steps
    }

    /// The component that has reached its error state, if one has: nothing is possible any more.
    pub fn error(&self) -> Option<usize> {
        self.steps.last().and_then(|step| step.error)
    }

    /// The state of each component; nothing after an error.
    pub fn states(&self) -> Option<Vec<StateId>> {
        self.current().map(|words| self.product.unpack(words))
    }

    /// What is possible now, sorted by action.
    pub fn choices(&self) -> Vec<Choice> {
        let Some(current) = self.current() else { return Vec::new() };
        let before = self.product.unpack(current);
        let mut choices = Vec::new();
        let mut cursor = self.product.cursor();
        self.product.successors(current, &mut cursor, &mut |label, successor| {
            choices.push(self.choice(&before, label, successor));
        });
        choices.sort_by(|a, b| a.action.cmp(&b.action).then_with(|| a.target.cmp(&b.target)));
        choices.dedup();
        choices
    }

    /// Whether the target has ended, if nothing is possible.
    pub fn has_ended(&self) -> bool {
        self.current().is_some_and(|words| self.product.is_end(words))
    }

    /// Takes a step.
    pub fn take(&mut self, choice: Choice) {
        self.steps.push(choice);
    }

    /// Takes the last step back; `false` at the start.
    pub fn undo(&mut self) -> bool {
        self.steps.pop().is_some()
    }

    /// Goes back to the start.
    pub fn restart(&mut self) {
        self.steps.clear();
    }

    fn current(&self) -> Option<&[u64]> {
        match self.steps.last() {
            None => Some(&self.initial),
            Some(step) => step.target.as_deref(),
        }
    }

    fn choice(&self, before: &[StateId], label: Label, successor: Successor<'_>) -> Choice {
        let network = self.product.network();
        let mut components: Vec<usize> = match label.action() {
            Some(action) => network.participants(action).iter().map(|component| component.index()).collect(),
            None => Vec::new(),
        };
        let (target, error) = match successor {
            Successor::State(words) => (Some(words.to_vec()), None),
            Successor::Error(component) => (None, Some(component.index())),
        };
        if label.is_tau() {
            // Only one component moves silently: the one whose state changes, or any if a silent step leads back.
            let after = target.as_deref().map(|words| self.product.unpack(words));
            let moved = after.and_then(|after| (0..before.len()).find(|&i| before[i] != after[i]));
            components.extend(error.or(moved));
        }
        Choice { action: self.product.alphabet().label_name(label).to_owned(), components, error, target }
    }
}
