//! A second opinion: the same question asked of SPIN [Holzmann 2003].
//!
//! **Idea.** A program is written as Promela (`rely_lts::format::promela`), and somebody who can start other programs runs SPIN
//! on it. That nothing fails is believed. A trail is not: it says which actions occur, and among the runs of the program with
//! these actions one that fails is looked for, found in the usual way, replayed, and told in micro- and macrosteps. SPIN's
//! *violated* that our own semantics cannot follow is no answer.

use rely_base::{Budget, Id, Label, StateId};
use rely_lts::format::promela;
use rely_lts::{Behaviour, Component, ComponentId, LtsBuilder, Program, UnitId};

use super::checker::Checker;
use crate::Internal;
use crate::engine::Engine;
use crate::report::{CheckResult, Kind, Verdict};

/// Somebody who can run SPIN.
pub trait Spin {
    /// Looks for a run in which an assertion of a text in Promela fails. The name is one for files.
    ///
    /// # Errors
    /// Why there is no answer, as a sentence for the user.
    fn run(&self, name: &str, promela: &str, budget: &Budget<'_>) -> Result<SpinAnswer, String>;
}

/// What SPIN says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpinAnswer {
    /// The actions of a run in which an assertion fails, if there is one.
    pub trail: Option<Vec<String>>,
    /// States stored.
    pub states: usize,
    /// Transitions taken.
    pub transitions: usize,
}

/// The name of the unit that only lets the actions of a trail happen.
const TRAIL: &str = "trail";

impl Checker<'_> {
    /// Whether a unit of a program fails, or any if none is given, asked of SPIN; nothing if SPIN is not to be asked.
    pub(super) fn by_spin(
        &self,
        behaviour: &Behaviour,
        watcher: Option<ComponentId>,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<CheckResult>, Internal> {
        let (Some(spin), Some(program)) = (self.spin, behaviour.as_program()) else { return Ok(None) };
        let mut text = Vec::new();
        let title = format!("{}: {name}", self.target);
        let written = match watcher {
            None => promela::write(program, &title, &mut text),
            Some(watcher) => {
                promela::write_watched(program, UnitId::from_raw(watcher.raw()), &title, &mut text)
            }
        };
        let mut result = CheckResult { engine: Some(Engine::Spin), ..self.blank(Kind::Safety, name) };
        let unknown =
            |result, why: String| CheckResult { verdict: Verdict::Unknown, reason: Some(why), ..result };
        let (Ok(()), Ok(text)) = (written, String::from_utf8(text)) else {
            return Ok(Some(unknown(result, "the program could not be written as Promela".to_owned())));
        };
        let answer = match spin.run(&title, &text, budget) {
            Ok(answer) => answer,
            Err(why) => return Ok(Some(unknown(result, why))),
        };
        (result.states, result.transitions) = (answer.states, answer.transitions);
        let Some(trail) = answer.trail else { return Ok(Some(result)) };
        let followed = self.follow(program, watcher, name, &trail, budget)?;
        Ok(Some(match followed {
            Some(found) if found.verdict == Verdict::Violated => CheckResult {
                engine: Some(Engine::Spin),
                states: answer.states,
                transitions: answer.transitions,
                ..found
            },
            _ => unknown(result, "SPIN has found a run that could not be followed".to_owned()),
        }))
    }

    /// Looks for a run with the actions of a trail that fails.
    fn follow(
        &self,
        program: &Program,
        watcher: Option<ComponentId>,
        name: &str,
        trail: &[String],
        budget: &Budget<'_>,
    ) -> Result<Option<CheckResult>, Internal> {
        let mut chain = LtsBuilder::with_states(program.alphabet().clone(), 1);
        let mut state = StateId::from_raw(0);
        for action in trail {
            let Some(action) = program.alphabet().get(action) else { return Ok(None) };
            let next = chain.add_state();
            chain.add_transition(state, Label::visible(action), next);
            state = next;
        }
        let chain = Component { name: TRAIL.to_owned(), lts: chain.build().into() };
        let behaviour = Behaviour::Program(program.clone().watched_by(&chain));
        let mut result = match watcher {
            None => self.safety(&behaviour, budget)?,
            Some(watcher) => {
                // The trail is the first unit now.
                let (behaviour, first) = behaviour.with_watcher(ComponentId::from_index(watcher.index() + 1));
                self.watched(&behaviour, first, name, budget)?
            }
        };
        forget(&mut result, TRAIL);
        // It is a shortest one of those with the actions of the trail.
        result.shortest = false;
        Ok(Some(result))
    }
}

/// Leaves a part that is not in the text out of a run.
fn forget(result: &mut CheckResult, part: &str) {
    let Some(at) = result.components.iter().position(|name| name == part) else { return };
    result.components.remove(at);
    for step in &mut result.steps {
        step.components.retain(|&component| component != at);
        step.components.iter_mut().filter(|component| **component > at).for_each(|component| *component -= 1);
        step.changes.retain(|change| change.variable != part);
    }
}
