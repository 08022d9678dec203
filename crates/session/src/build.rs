//! `compose`, `minimise`, `convert` and `draw`: targets as explicit transition systems.

use std::borrow::Cow;

use rely_base::{ActionId, Budget, Diagnostic, Exhausted, Id, Progress, Span};
use rely_explore::{Counted, Product};
use rely_lts::equivalence::{self, Equivalence};
use rely_lts::{InterfaceAutomaton, Lts, Role, format};
use rely_model::{Failure, Reduction, StateNames, Target};

use crate::Project;
use crate::explain::{LOST, NOT_KEPT};
use crate::languages;
use crate::meaning::Meaning;
use crate::report::{Finding, Level, Report, SizeResult};

/// The question: which targets to count, and how.
#[derive(Clone, Debug)]
pub struct ComposeQuery {
    /// The targets; if there are none, every composite that no other uses, or all processes together.
    pub targets: Vec<String>,
    /// Whether composites inside others are targets, too, if none are named.
    pub all_targets: bool,
    /// Whether to count by a decision diagram if possible, instead of visiting each state.
    pub diagram: bool,
}

/// The question: which targets to minimise, and how.
#[derive(Clone, Debug)]
pub struct MinimiseQuery {
    /// The targets; if there are none, every composite that no other uses, or all processes together.
    pub targets: Vec<String>,
    /// Whether composites inside others are targets, too, if none are named.
    pub all_targets: bool,
    /// The equivalence that is preserved.
    pub modulo: Modulo,
}

/// The equivalence that minimisation preserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Modulo {
    /// Observational equivalence for processes; for interface automata an equivalence that preserves all answers
    /// about compatibility and refinement ([`rely_interface::minimise()`]).
    #[default]
    Usual,
    /// The given equivalence, whatever it preserves.
    Chosen(Equivalence),
}

/// A file format of transition systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Aldebaran, with the silent action written as CADP does.
    Aut(format::aut::Tau),
    /// Graphviz.
    Dot,
    /// The format of mCRL2 in which states have values.
    Fsm,
    /// JSON.
    Json,
    /// FSP, as a process.
    Fsp,
}

/// A target as an explicit transition system.
#[derive(Clone, Debug)]
pub struct Built {
    /// The name of the target.
    pub target: String,
    /// The system, composed and reduced as the keywords before the target require.
    pub lts: Lts,
    /// The role of each action, if it is an interface automaton.
    pub roles: Option<Vec<Role>>,
    /// The names of the states, if it is a process whose states have names.
    pub states: Option<StateNames>,
    /// What was found in the input.
    pub findings: Vec<Finding>,
}

/// Why there is no system.
#[derive(Clone, Debug)]
pub enum Failed {
    /// The input has errors.
    Errors(Vec<Finding>),
    /// A limit was met.
    Exhausted(Exhausted, Vec<Finding>),
    /// A limit was met while a target was built; with what is known of the target.
    Unfinished(Box<SizeResult>, Vec<Finding>),
    /// No target was named, and there are several.
    Ambiguous(Vec<String>),
}

/// Counts the states and transitions of targets.
pub fn compose(project: &Project, query: &ComposeQuery, budget: Budget<'_>) -> Report<SizeResult> {
    sizes("compose", project, (&query.targets, query.all_targets), None, budget, |target| {
        if target.reduction != Reduction::default() {
            return Ok(Measured::of(&rely_model::compose(target, &budget)?));
        }
        let counted = match query.diagram {
            true => rely_explore::count_by_diagram(&target.behaviour, &budget)?,
            false => Counted::NoDiagram,
        };
        let (size, bytes) = match counted {
            Counted::Size { size, bytes } => (size, bytes),
            Counted::TooMany => return Err(Unmeasured::TooMany),
            Counted::NoDiagram => rely_explore::measure(&Product::new(&target.behaviour), &budget)?,
        };
        Ok(Measured {
            bytes: Some(bytes),
            states: size.states,
            transitions: size.transitions,
            alphabet: owned(target.behaviour.visible_alphabet().sorted_names()),
            error_reachable: size.error_reachable,
        })
    })
}

/// Counts the states and transitions of targets after minimising them.
pub fn minimise(project: &Project, query: &MinimiseQuery, budget: Budget<'_>) -> Report<SizeResult> {
    sizes("minimise", project, (&query.targets, query.all_targets), Some(query.modulo), budget, |target| {
        Ok(Measured::of(&compose_and_minimise(target, query.modulo, &budget)?))
    })
}

/// Why the size of a target is not known.
enum Unmeasured {
    Exhausted(Exhausted),
    /// There are more states or transitions than 64 bits can count.
    TooMany,
}

impl From<Exhausted> for Unmeasured {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Unmeasured {
    fn result(&self, target: &str) -> SizeResult {
        match self {
            Self::Exhausted(exhausted) => SizeResult::unfinished(target, exhausted),
            Self::TooMany => SizeResult {
                target: target.to_owned(),
                states: 0,
                transitions: 0,
                alphabet: None,
                error_reachable: None,
                reason: Some("there are more states or transitions than 64 bits can count".to_owned()),
                bytes: None,
            },
        }
    }
}

/// Builds a target, and minimises it if asked; if no target is named, there has to be only one.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which target is meant.
pub fn build(
    project: &Project,
    target: Option<&str>,
    modulo: Option<Modulo>,
    budget: Budget<'_>,
) -> Result<Built, Failed> {
    let mut meaning = Meaning::of(project, budget);
    let only = match target {
        Some(name) => Some(name.to_owned()),
        None => match meaning.only_process() {
            Some(name) => Some(name),
            None => only(meaning.default_targets())?,
        },
    };
    // If the text could not be read there is no target, and the findings say why.
    let Some(name) = only else { return Err(Failed::Errors(meaning.findings())) };
    let target = meaning.target(&name);
    if let (Ok(target), Some(modulo)) = (&target, modulo) {
        warn_of_lost_inputs(&mut meaning, target, modulo);
    }
    let failed = meaning.has_errors();
    let findings = meaning.findings();
    let built = match target {
        Err(Failure::Errors) => return Err(Failed::Errors(findings)),
        Err(Failure::Exhausted(exhausted)) => Err(exhausted),
        Ok(_) if failed => return Err(Failed::Errors(findings)),
        Ok(target) => {
            let lts = match modulo {
                None => rely_model::compose(&target, &budget),
                Some(modulo) => compose_and_minimise(&target, modulo, &budget),
            };
            lts.map(|lts| (state_names(&target, &lts), lts, target.signature()))
        }
    };
    match built {
        Ok((states, lts, None)) => Ok(Built { target: name, lts, roles: None, states, findings }),
        Ok((states, lts, Some(signature))) => {
            let automaton = signature.automaton(lts);
            let roles = Some(automaton.roles().to_vec());
            Ok(Built { target: name, lts: automaton.into_lts(), roles, states, findings })
        }
        Err(exhausted) => {
            Err(Failed::Unfinished(Box::new(SizeResult::unfinished(&name, &exhausted)), findings))
        }
    }
}

/// The minimal system of a target. All equivalences are coarser than strong bisimilarity, so the components are reduced
/// before the product is built: the result is the same.
fn compose_and_minimise(target: &Target, modulo: Modulo, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    if let Some(lts) = as_system(target) {
        // No states are explored here, but the limit on states applies nevertheless.
        let progress = Progress { states: lts.proper_state_count(), ..Progress::default() };
        budget.check(&progress)?;
        return minimal(lts, target, modulo, budget);
    }
    let condensed = Target { behaviour: target.behaviour.condensed(budget)?, ..target.clone() };
    minimal(&rely_model::compose(&condensed, budget)?, target, modulo, budget)
}

/// The minimal system of a target that has been composed.
fn minimal(lts: &Lts, target: &Target, modulo: Modulo, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    match (modulo, target.signature()) {
        (Modulo::Chosen(equivalence), _) => equivalence::minimise(lts, equivalence, budget),
        (Modulo::Usual, None) => equivalence::minimise(lts, Equivalence::Weak, budget),
        (Modulo::Usual, Some(signature)) => {
            let minimal = rely_interface::minimise(&signature.automaton(lts.clone()), budget)?;
            Ok(minimal.into_lts())
        }
    }
}

/// Warns if a minimised interface automaton need not take inputs at once that the original takes at once.
fn warn_of_lost_inputs(meaning: &mut Meaning<'_>, target: &Target, modulo: Modulo) {
    let Modulo::Chosen(equivalence) = modulo else { return };
    if equivalence == Equivalence::Strong || !target.is_interface() {
        return;
    }
    let (name, chosen) = (&target.name, equivalence.name());
    let message =
        format!("`{name}` is an interface automaton, and `{chosen}` does not keep where it takes its inputs");
    let help = "leave out --equivalence, or use `strong`, to get an automaton that is compatible with the same partners";
    meaning.report(Diagnostic::warning(NOT_KEPT, Span::new(0, 0), message).with_help(help));
}

/// The only component of a target that consists of nothing else, such as a file in .aut format.
fn as_system(target: &Target) -> Option<&Lts> {
    let network = &target.behaviour;
    let is_plain =
        !network.has_hidden() && network.priority().is_none() && target.reduction == Reduction::default();
    match network.components() {
        [component] if is_plain => Some(&component.lts),
        _ => None,
    }
}

fn only(mut names: Vec<String>) -> Result<Option<String>, Failed> {
    match names.len() {
        0 | 1 => Ok(names.pop()),
        _ => Err(Failed::Ambiguous(names)),
    }
}

impl Built {
    /// The size of the system.
    pub fn size(&self) -> SizeResult {
        Measured::of(&self.lts).result(&self.target)
    }

    /// The interface automaton, if it is one.
    fn automaton(&self) -> Option<InterfaceAutomaton> {
        self.roles.as_ref().map(|roles| InterfaceAutomaton::new(self.lts.clone(), roles.clone()))
    }

    /// The system for formats that have only names: the names of actions of an interface automaton have marks.
    pub(crate) fn marked(&self) -> Cow<'_, Lts> {
        match self.automaton() {
            None => Cow::Borrowed(&self.lts),
            Some(automaton) => Cow::Owned(format::marked(&automaton)),
        }
    }

    /// The actions that a format cannot represent, because they are never taken. Internal actions of an interface
    /// automaton are not counted.
    fn lost_actions(&self) -> Vec<String> {
        let mut is_taken = vec![false; self.lts.alphabet().len()];
        for action in self.lts.transitions().filter_map(|transition| transition.label.action()) {
            is_taken[action.index()] = true;
        }
        let role = |action: ActionId| self.roles.as_ref().map(|roles| roles[action.index()]);
        let is_lost = |action: ActionId| !is_taken[action.index()] && role(action) != Some(Role::Internal);
        let mark = |action: ActionId| role(action).map_or(String::new(), |role| role.mark().to_string());
        let names = self.lts.alphabet().iter().filter(|&(action, _)| is_lost(action));
        names.map(|(action, name)| format!("{name}{}", mark(action))).collect()
    }

    /// Warns of what is lost when the system is written to a file: .aut and .fsm have transitions only, and cannot
    /// represent END or actions that are never taken; .fsm has no error state either.
    pub fn lost(&self, format: Format, file: &str) -> Option<Finding> {
        let ending = match format {
            Format::Aut(_) => ".aut",
            Format::Fsm => ".fsm",
            Format::Dot | Format::Json | Format::Fsp => return None,
        };
        let mut lost = Vec::new();
        if format == Format::Fsm && self.lts.error().is_some() {
            lost.push("for ERROR, which becomes a deadlock".to_owned());
        }
        if self.lts.end().is_some() {
            lost.push("for END, which becomes a deadlock".to_owned());
        }
        let actions = self.lost_actions();
        if !actions.is_empty() {
            lost.push(format!("for actions that are never taken: {}", actions.join(", ")));
        }
        if lost.is_empty() {
            return None;
        }
        let what = lost.join(", and none ");
        let mut finding = Finding::about(file, LOST, &format!("{ending} has no place {what}"));
        finding.severity = Level::Warning;
        finding.help = Some(".json and .fsp have".to_owned());
        Some(finding)
    }
}

/// Writes a system in a format.
///
/// # Errors
/// When the system cannot be written in the format, or the writer fails.
pub fn write(built: &Built, format: Format, out: &mut impl std::io::Write) -> Result<(), String> {
    match format {
        Format::Aut(tau) => {
            let spelling = format::aut::Spelling { tau, ..format::aut::Spelling::default() };
            format::aut::write(&built.marked(), spelling, out).map_err(|error| error.to_string())
        }
        Format::Dot => {
            format::dot::write(&built.marked(), &built.target, out).map_err(|error| error.to_string())
        }
        Format::Fsm => format::fsm::write(&built.marked(), out).map_err(|error| error.to_string()),
        Format::Json => match built.automaton() {
            Some(automaton) => format::json::write_interface(&automaton, out),
            None => format::json::write(&built.lts, out),
        }
        .map_err(|error| error.to_string()),
        Format::Fsp => {
            let text = match built.automaton() {
                Some(automaton) => languages::write_interface(&built.target, &automaton),
                None => languages::write(&built.target, &built.lts),
            };
            let text = text.map_err(|error| error.to_string())?;
            out.write_all(text.as_bytes()).map_err(|error| error.to_string())
        }
    }
}

/// The names of the states, if the system was built from a target of one component and has the states of this
/// component.
fn state_names(target: &Target, lts: &Lts) -> Option<StateNames> {
    let [component] = target.behaviour.components() else { return None };
    let names = target.parts.first()?.states.as_ref()?;
    component.lts.is_copy_of(lts).then(|| StateNames::clone(names))
}

/// The numbers of a [`SizeResult`].
struct Measured {
    states: usize,
    transitions: usize,
    alphabet: Vec<String>,
    error_reachable: bool,
    /// Bytes that the states took, if they were only counted.
    bytes: Option<usize>,
}

impl Measured {
    fn of(lts: &Lts) -> Self {
        Self {
            states: lts.proper_state_count(),
            transitions: lts.transition_count(),
            alphabet: owned(lts.alphabet().sorted_names()),
            error_reachable: lts.error().is_some(),
            bytes: None,
        }
    }

    fn result(self, target: &str) -> SizeResult {
        SizeResult {
            target: target.to_owned(),
            states: self.states,
            transitions: self.transitions,
            alphabet: Some(self.alphabet),
            error_reachable: Some(self.error_reachable),
            reason: None,
            bytes: self.bytes,
        }
    }
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn sizes(
    command: &str,
    project: &Project,
    (targets, all_targets): (&[String], bool),
    modulo: Option<Modulo>,
    budget: Budget<'_>,
    measure: impl Fn(&Target) -> Result<Measured, Unmeasured>,
) -> Report<SizeResult> {
    let mut meaning = Meaning::of(project, budget);
    let names = meaning.wanted_targets(targets, all_targets);
    // Each target is measured when it is built: if one takes all the time, there are answers for those before it.
    let mut results = Vec::new();
    for name in &names {
        let target = meaning.target(name);
        if meaning.has_errors() {
            continue;
        }
        if let (Ok(target), Some(modulo)) = (&target, modulo) {
            warn_of_lost_inputs(&mut meaning, target, modulo);
        }
        let measured = match target {
            Ok(target) => measure(&target),
            Err(Failure::Exhausted(exhausted)) => Err(exhausted.into()),
            Err(Failure::Errors) => continue,
        };
        results.push(match measured {
            Ok(measured) => measured.result(name),
            Err(unmeasured) => unmeasured.result(name),
        });
    }
    if meaning.has_errors() {
        results.clear();
    }
    Report::new(command, results, meaning.findings())
}
