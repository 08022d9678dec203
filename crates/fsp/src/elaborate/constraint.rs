//! Formulas used as processes, and processes that come from other files.
//!
//! A safety formula over actions and fluents is a deterministic process over the actions that it mentions: its state
//! is that of the formula's monitor together with the fluents that hold. `ltl_property` sends what the formula forbids
//! to the error state; `constraint` has no transition for it. Actions that the formula does not mention are not in the
//! alphabet, so `X` speaks about the next action of the formula, and not of the system.
//!
//! An `assert` has a different meaning: there every step of the system counts, including silent ones and those that
//! the formula does not mention, and a run that stops goes on silently for ever. So it can be used as a process only
//! if such steps make no difference: the automaton over the actions of the formula *and a silent step* is minimised,
//! and each silent step has to lead from a state to itself. Then no state depends on how often others have moved, and
//! stopping breaks nothing.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Exhausted, Id, Label, Limits, Resource, Span, StateId};
use rely_lts::equivalence::{self, Equivalence};
use rely_lts::{Lts, LtsBuilder, Role, format, operators};
use rely_model::{Failure, Origin, Signature};
use rely_omega::{Assertion, AtomId, Fluents, Formula, Monitor, MonitorState, Proposition};
use rustc_hash::FxHashMap;

use super::definitions::instance_name;
use super::scope::Value;
use super::{Built, Elaborator, Fallible, Reported, codes};
use crate::ast::{AssertDef, AssertKind, Call, ImportDef};

/// The bytes of a state of such a process while it is built: its number by monitor and fluents, and its place in the
/// work list.
const STATE_BYTES: usize = 256;

/// The bytes of a transition while the process is made: in the builder's list, in the system that is made of it, and in
/// what the monitor remembers.
const TRANSITION_BYTES: usize = 32;

/// Maximum number of states in the translation of a formula that is used as a process.
const MAX_TRANSLATION: usize = 1 << 18;

impl<'a> Elaborator<'a> {
    /// The process of a `constraint` or `ltl_property`.
    pub(super) fn constraint(
        &mut self,
        def: &'a AssertDef,
        call: &Call,
        arguments: Option<&[Value]>,
    ) -> Fallible<Built> {
        self.used.insert(Arc::clone(&def.name.text));
        let instance = instance_name(&def.name.text, arguments);
        if let Some(built) = self.recall(&instance) {
            return Ok(built);
        }
        self.build(instance, |elaborator, _| elaborator.build_constraint(def, call, arguments))
    }

    fn build_constraint(
        &mut self,
        def: &'a AssertDef,
        call: &Call,
        arguments: Option<&[Value]>,
    ) -> Fallible<Built> {
        let scope = self.parameters(&def.name, &def.params, arguments, call.span)?;
        let mut assertion = self.assertion_in(def, &scope, call.span)?;
        let is_safety = rely_omega::is_safety(&assertion.formula, &self.translation_budget());
        if !self.unless_too_large(is_safety, def.span)?
            && !self.is_safety_of_actions(&mut assertion, def.span)?
        {
            let message = format!("`{}` is not a safety formula", def.name.text);
            let help = match def.kind {
                AssertKind::Assert => "no finite sequence of actions violates it; `rely check` judges it",
                AssertKind::Constraint | AssertKind::Property => {
                    "no finite sequence of actions violates it; use `assert` to check it"
                }
            };
            return Err(
                self.report(Diagnostic::error(codes::NOT_SAFETY, def.name.span, message).with_help(help))
            );
        }
        let counts_silence = def.kind == AssertKind::Assert;
        let property = self.automaton(&assertion, counts_silence, def.span)?;
        let property = equivalence::minimise(&property, Equivalence::Strong, &self.budget)?;
        let lts = match def.kind {
            AssertKind::Constraint => operators::without_error(&property),
            AssertKind::Property => property,
            AssertKind::Assert => match without_idle_silence(&property) {
                Some(property) => property,
                None => return Err(self.sees_other_steps(def)),
            },
        };
        Ok(Built::formula(Arc::new(lts)))
    }

    /// Reports that an assertion cannot be used as a process.
    fn sees_other_steps(&mut self, def: &AssertDef) -> Reported {
        let name = &def.name.text;
        let message =
            format!("`{name}` depends on steps that it does not mention, so it is no property process");
        let help = format!(
            "`rely check --only {name}` judges it; `ltl_property {name} = ...` is the property of its own actions alone"
        );
        self.report(Diagnostic::error(codes::SEES_OTHER_STEPS, def.name.span, message).with_help(help))
    }

    /// The property process of an assertion that is a safety formula, and for which steps that it does not mention
    /// make no difference; `None` if there is no assertion with the name.
    ///
    /// # Errors
    /// As [`Elaborator::target`].
    pub fn assertion_as_property(&mut self, name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        let place = *self.definitions.assertion_places.get(name)?;
        let def = self.definitions.assertions[place];
        let call = Call { name: def.name.clone(), arguments: None, span: def.name.span };
        let built = self.constraint(def, &call, None);
        Some(self.unless_exhausted(built.map(|built| built.lts)))
    }

    /// Whether a formula is a safety formula for runs of actions, of which no two occur at once: `[]<>!(a && b)` says
    /// nothing about them. If it is, the fact that actions exclude each other is added to it, so that its monitor can
    /// use it.
    fn is_safety_of_actions(&mut self, assertion: &mut Assertion, span: Span) -> Fallible<bool> {
        let Some(known) = one_at_a_time(assertion) else { return Ok(false) };
        // The runs of actions are a closed set, so the formula is closed among them if it is closed with them.
        let formula = assertion.formula.clone().and(known.always());
        let is_safety = rely_omega::is_safety(&formula, &self.translation_budget());
        let is_safety = self.unless_too_large(is_safety, span)?;
        if is_safety {
            assertion.formula = formula;
        }
        Ok(is_safety)
    }

    /// The budget for the translation of a formula to an automaton. A formula whose automaton exceeds it is a mistake
    /// of the author, like a range that stands for too many labels.
    fn translation_budget(&self) -> Budget<'a> {
        self.budget.narrowed(Limits { states: Some(MAX_TRANSLATION), bytes: None })
    }

    /// The result of a translation, or a diagnostic that the formula is too large.
    fn unless_too_large<T>(&mut self, result: Result<T, Exhausted>, span: Span) -> Fallible<T> {
        let own_limit = |e: &Exhausted| e.resource == Resource::States && e.states > MAX_TRANSLATION;
        match result {
            Err(exhausted) if own_limit(&exhausted) => {
                let message = "the automaton of this formula is too large";
                let help =
                    "split it, or write the process by hand: every nested `X` may double the automaton";
                Err(self.report(Diagnostic::error(codes::TOO_LARGE, span, message).with_help(help)))
            }
            other => Ok(other?),
        }
    }

    /// The deterministic automaton of a safety formula over its own actions, and silent steps if they count, with the error
    /// state for bad prefixes.
    fn automaton(&mut self, assertion: &Assertion, counts_silence: bool, span: Span) -> Fallible<Lts> {
        const MOST_STATES: usize = 1 << 20;
        let alphabet = assertion.alphabet();
        let letters = assertion.compile(&alphabet);
        let monitor = Monitor::new(&assertion.formula, &self.translation_budget());
        let mut monitor = self.unless_too_large(monitor, span)?;
        let silence = counts_silence.then_some(Label::TAU);
        let actions = alphabet.iter().map(|(action, _)| Label::visible(action));
        let labels: Vec<Label> = silence.into_iter().chain(actions).collect();
        let mut builder = LtsBuilder::new(alphabet);
        let mut numbers: FxHashMap<(MonitorState, Fluents), StateId> = FxHashMap::default();
        let mut pending = Vec::new();
        let mut held = 0;
        let initial = builder.add_state();
        match monitor.initial() {
            Some(state) => {
                numbers.insert((state, letters.initial()), initial);
                pending.push((state, letters.initial(), initial));
            }
            // The formula is unsatisfiable, so the first action already breaks it.
            None => {
                let error = builder.error_state();
                labels.iter().for_each(|&label| builder.add_transition(initial, label, error));
            }
        }
        while let Some((state, fluents, source)) = pending.pop() {
            if builder.state_count() > MOST_STATES {
                return Err(self.too_large(span));
            }
            let bytes = STATE_BYTES + labels.len() * TRANSITION_BYTES;
            held += bytes;
            self.hold(bytes)?;
            self.spend(labels.len())?;
            for &label in &labels {
                let (after, letter) = letters.step(&fluents, label);
                let target = match monitor.step(state, &letter) {
                    None => builder.error_state(),
                    Some(next) => *numbers.entry((next, after.clone())).or_insert_with(|| {
                        let target = builder.add_state();
                        pending.push((next, after, target));
                        target
                    }),
                };
                builder.add_transition(source, label, target);
            }
        }
        let lts = builder.build();
        self.release(held);
        Ok(lts)
    }

    /// A process, or an interface automaton, that is read from an .aut or .json file.
    pub(super) fn import(&mut self, def: &'a ImportDef) -> Fallible<Built> {
        self.used.insert(Arc::clone(&def.name.text));
        let instance = def.name.text.to_string();
        if let Some(built) = self.recall(&instance) {
            return Ok(built);
        }
        self.build(instance, |elaborator, _| elaborator.read_import(def))
    }

    fn read_import(&mut self, def: &'a ImportDef) -> Fallible<Built> {
        let read = (self.loader)(&def.path.text).and_then(|bytes| read(&def.path.text, &bytes));
        match read {
            Ok((lts, roles)) => {
                let signature = |roles: Vec<Role>| Signature::of(lts.alphabet(), &roles, def.path.span);
                let signature = roles.map(|roles| Arc::new(signature(roles)));
                Ok(Built {
                    lts: Arc::new(operators::trim(&lts)),
                    signature,
                    states: None,
                    before_hiding: None,
                    origin: Origin::Process,
                })
            }
            Err(reason) => {
                let message = format!("cannot import `{}`: {reason}", def.path.text);
                Err(self.report(Diagnostic::error(codes::IMPORT, def.path.span, message)))
            }
        }
    }
}

/// The system without its silent steps, if all of them lead from a state to itself.
fn without_idle_silence(lts: &Lts) -> Option<Lts> {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions() {
        match transition.label.is_tau() {
            true if transition.source != transition.target => return None,
            true => {}
            false => builder.add_transition(transition.source, transition.label, transition.target),
        }
    }
    Some(builder.build())
}

/// Which atoms can hold in one step: those of one action, or none of the actions that the formula names. Fluents are
/// left open. `None` if this says nothing, or would be too large.
fn one_at_a_time(assertion: &Assertion) -> Option<Formula> {
    const MOST: usize = 32;
    let propositions = assertion.propositions.iter().enumerate();
    let atoms: Vec<(AtomId, &[String])> = propositions
        .filter_map(|(i, proposition)| match proposition {
            Proposition::Action(actions) => Some((AtomId::from_index(i), actions.as_slice())),
            Proposition::Fluent(_) => None,
        })
        .collect();
    if atoms.len() < 2 || atoms.len() > MOST {
        return None;
    }
    let alphabet = assertion.alphabet();
    let holding = |name: &str| -> Vec<bool> {
        atoms.iter().map(|(_, actions)| actions.iter().any(|action| action == name)).collect()
    };
    let mut steps: Vec<Vec<bool>> = alphabet.names().map(holding).collect();
    steps.push(vec![false; atoms.len()]);
    steps.sort_unstable();
    steps.dedup();
    let literal = |(&(atom, _), &holds): (&(AtomId, &[String]), &bool)| {
        let atom = Formula::atom(atom);
        if holds { atom } else { atom.negated() }
    };
    let step = |holding: &Vec<bool>| Formula::all(atoms.iter().zip(holding).map(literal));
    (steps.len() <= MOST).then(|| Formula::any(steps.iter().map(step)))
}

/// The system in a file, whose ending determines the format, and its roles if it is an interface automaton.
fn read(path: &str, bytes: &[u8]) -> Result<(Lts, Option<Vec<Role>>), String> {
    if path.to_ascii_lowercase().ends_with(".json") {
        return format::json::read_with_roles(bytes).map_err(|errors| first(&errors));
    }
    format::aut::read(bytes).map(format::unmarked).map_err(|errors| first(&errors))
}

/// The first of several errors.
fn first(errors: &[impl ToString]) -> String {
    errors.first().map_or_else(|| "it cannot be read".to_owned(), ToString::to_string)
}
