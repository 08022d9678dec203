//! The questions about one target, and the answers so far.
//!
//! Questions share the time that is allowed ([`in_turns`]): one that takes more than its share is asked again when the others
//! have had theirs, with more of it. What was answered stays answered.

use std::cell::OnceCell;

use rely_base::{Budget, Exhausted};
use rely_decide::{Explored, Reachability};
use rely_lts::{Behaviour, ComponentId, Network, Observation};
use rely_model::Commitments;
use rely_omega::{Commitment, Justice, Scheduling};

use super::by_parts;
use super::checker::Checker;
use crate::report::{CheckResult, Kind, Verdict};
use crate::states::StateNaming;
use crate::turns::in_turns;
use crate::{Internal, Project};

/// What is asked about a target in one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Whether there is a deadlock, and whether there is an error.
    Reachability {
        deadlock: bool,
        safety: bool,
    },
    /// Whether the property process with this number, from a file of properties, is ever broken.
    Property(usize),
    /// Whether the property with this number, which the text declares of the target, is ever broken.
    Declared(usize),
    /// The commitment with this number among all of the target.
    Commitment(usize),
    /// All progress properties, or the progress of every action.
    Progress,
    /// The assertion with this number.
    Assertion(usize),
    Divergence,
}

impl Question {
    /// The question without the parts that some results settle; each other question has one part.
    fn without(self, settled: impl Fn(&str) -> bool) -> Self {
        match self {
            Self::Reachability { deadlock, safety } => Self::Reachability {
                deadlock: deadlock && !settled("deadlock"),
                safety: safety && !settled("safety"),
            },
            other => other,
        }
    }
}

/// What answers say that other questions about the same target can use.
#[derive(Default)]
pub(super) struct Known {
    /// What was explored until an error was found, if one is reachable.
    pub(super) error: Option<Explored>,
    /// Whether no error is reachable.
    is_safe: bool,
    /// The fewest states after which a question before the current one was found to be violated.
    pub(super) violated_after: Option<usize>,
}

impl Known {
    /// Notes what was found about errors.
    pub(super) fn note(&mut self, found: &Reachability) {
        if found.can_fail {
            self.error = Some(found.safety.explored);
        }
        self.is_safe |= found.safety.verdict.holds();
    }

    /// Whether there is no use in looking for an error: it is known whether there is one, or another violation has ended
    /// the search for it.
    pub(super) fn is_settled(&self) -> bool {
        self.error.is_some() || self.is_safe || self.violated_after.is_some()
    }
}

/// A property that the text declares of a target, and the target while it watches.
pub(super) struct Watched {
    pub(super) name: String,
    pub(super) behaviour: Behaviour,
    /// The part that fails where the property is broken.
    pub(super) watcher: ComponentId,
    /// The names of the states, those of the watching part among them.
    pub(super) states: OnceCell<StateNaming>,
    /// The line of the text that defines the property, if there is one.
    pub(super) definition: Option<String>,
}

/// The questions about one target, and the answers so far.
pub(super) struct Inquest<'a> {
    checker: Checker<'a>,
    behaviour: Behaviour,
    project: Option<&'a Project>,
    /// The network with reduced components, if it is a network, large, and that makes it much smaller.
    ///
    /// The two are strongly bisimilar, so the answers are the same, but for [`Checker::depends_on_states`]. Traces
    /// are looked for in the components as they are written, as long as the limits allow it.
    condensed: Option<Behaviour>,
    /// The properties that the text declares of the target.
    watched: Vec<Watched>,
    /// What the target commits itself to, and how its processes take turns.
    commitments: Vec<Commitment<Observation>>,
    scheduling: Scheduling,
    questions: Vec<Question>,
    /// By question.
    answers: Vec<Vec<CheckResult>>,
    /// The questions that need more time.
    open: Vec<usize>,
    known: Known,
}

impl<'a> Inquest<'a> {
    /// Nothing has been asked yet.
    pub(super) fn new(checker: Checker<'a>, behaviour: Behaviour, budget: &Budget<'_>) -> Self {
        let questions = checker.questions();
        Self {
            checker,
            condensed: condensed(&behaviour, budget),
            behaviour,
            project: None,
            answers: vec![Vec::new(); questions.len()],
            open: (0..questions.len()).collect(),
            watched: Vec::new(),
            commitments: Vec::new(),
            scheduling: Scheduling::default(),
            questions,
            known: Known::default(),
        }
    }

    /// The target is a composite of this project as it is written there, so that it can be shown part by part, too.
    pub(super) fn within(mut self, project: &'a Project) -> Self {
        self.project = Some(project);
        self
    }

    /// Asks about these properties, too, after deadlock and safety of the target itself.
    pub(super) fn ask_also(&mut self, watched: Vec<Watched>) {
        let first =
            self.questions.iter().take_while(|it| matches!(it, Question::Reachability { .. })).count();
        self.questions.splice(first..first, (0..watched.len()).map(Question::Declared));
        self.answers = vec![Vec::new(); self.questions.len()];
        self.open = (0..self.questions.len()).collect();
        self.watched = watched;
    }

    /// Who asks.
    pub(super) fn checker(&self) -> Checker<'a> {
        self.checker
    }

    /// The target as it is written.
    pub(super) fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// The questions whose answers were looked for here.
    pub(super) fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The properties that the text declares.
    pub(super) fn watched(&self) -> &[Watched] {
        &self.watched
    }

    /// The answers so far, by question.
    pub(super) fn answers(&self) -> &[Vec<CheckResult>] {
        &self.answers
    }

    /// The answers, to add to them.
    pub(super) fn answers_mut(&mut self) -> &mut [Vec<CheckResult>] {
        &mut self.answers
    }

    /// Asks about these commitments, too. A general one that is called like another question takes its place.
    pub(super) fn ask_of(&mut self, commitments: Commitments, justice: Justice) {
        let query = self.checker.query;
        self.scheduling = commitments.scheduling(justice);
        let names: Vec<String> = commitments.general.iter().map(|it| it.name.clone()).collect();
        let is_general = |kind: &str| names.iter().any(|name| name == kind);
        let kind = |name: &str| match name {
            "deadlock" => "deadlock",
            _ if is_general(name) => "safety",
            _ => "ltl",
        };
        let wanted = commitments.general.into_iter().chain(commitments.list);
        self.commitments = wanted.filter(|it| query.wants(kind(&it.name), &it.name)).collect();
        for question in &mut self.questions {
            *question = question.without(is_general);
        }
        let nothing = Question::Reachability { deadlock: false, safety: false };
        self.questions.retain(|question| *question != nothing);
        self.questions.extend((0..self.commitments.len()).map(Question::Commitment));
        self.answers = vec![Vec::new(); self.questions.len()];
        self.open = (0..self.questions.len()).collect();
    }

    /// About a target of which a part could not be built: there is no answer.
    pub(super) fn unbuilt(checker: Checker<'a>, exhausted: &Exhausted) -> Self {
        Self::settled(checker, checker.unknown(&exhausted.to_string()))
    }

    /// With answers that were found elsewhere.
    pub(super) fn settled(checker: Checker<'a>, answers: Vec<CheckResult>) -> Self {
        Self {
            checker,
            behaviour: Network::new(Vec::new()).into(),
            project: None,
            condensed: None,
            watched: Vec::new(),
            commitments: Vec::new(),
            scheduling: Scheduling::default(),
            questions: Vec::new(),
            answers: vec![answers],
            open: Vec::new(),
            known: Known::default(),
        }
    }

    /// Asks the open questions.
    pub(super) fn ask(&mut self, budget: Budget<'_>) -> Result<(), Internal> {
        let open = std::mem::take(&mut self.open);
        self.open = in_turns(open, budget, |number, share| self.settle(number, &share))?;
        Ok(())
    }

    /// The answers, in the order of the questions.
    pub(super) fn into_results(self) -> impl Iterator<Item = CheckResult> {
        self.answers.into_iter().flatten()
    }

    /// Asks a question, once more or for the first time; whether more time would be of no use.
    fn settle(&mut self, number: usize, budget: &Budget<'_>) -> Result<bool, Internal> {
        let old = std::mem::take(&mut self.answers[number]);
        let is_decided = |result: &CheckResult| result.verdict != Verdict::Unknown;
        let question =
            self.questions[number].without(|name| old.iter().any(|it| it.property == name && is_decided(it)));
        let before = self.answers[..number].iter().flatten();
        let violated = before.filter(|result| result.verdict == Verdict::Violated);
        self.known.violated_after = violated.map(|result| result.states).min();
        let new = self.answer(question, budget)?;
        self.answers[number] = if old.is_empty() { new } else { merged(old, new, is_decided) };
        let is_open = !self.answers[number].iter().all(is_decided);
        Ok(!(is_open && budget.is_out_of_time()))
    }

    /// Answers a question; about deadlock and safety of a large network in the steps of `by_parts.rs`.
    fn answer(&mut self, question: Question, budget: &Budget<'_>) -> Result<Vec<CheckResult>, Internal> {
        let Question::Reachability { safety: true, .. } = question else {
            return self.answer_at_once(question, budget);
        };
        let applies = by_parts::applies_to(&self.behaviour, budget).is_some();
        let Some(project) = self.project.filter(|_| applies) else {
            return self.answer_at_once(question, budget);
        };
        let first = self.answer_at_once(question, &by_parts::first_search(budget))?;
        let is_open = |kind: Kind| first.iter().any(|result| result.kind == kind && result.met_limit);
        if !is_open(Kind::Safety) && !is_open(Kind::Deadlock) {
            return Ok(first);
        }
        let found = match (is_open(Kind::Safety), by_parts::applies_to(&self.behaviour, budget)) {
            (true, Some(network)) => {
                self.checker.safety_by_parts(project, &self.behaviour, network, budget)?
            }
            _ => None,
        };
        let Some(safety) = found else { return self.answer_at_once(question, budget) };
        let deadlock = first.into_iter().find(|result| result.kind == Kind::Deadlock);
        let deadlock = match deadlock.filter(|result| result.met_limit) {
            None => None,
            Some(open) if safety.verdict == Verdict::Violated => Some(by_parts::given_up(open)),
            Some(_) => {
                self.known.is_safe = true;
                let rest = Question::Reachability { deadlock: true, safety: false };
                self.answer_at_once(rest, budget)?.pop().map(by_parts::needs_the_whole)
            }
        };
        Ok(deadlock.into_iter().chain([safety]).collect())
    }

    /// Answers a question; first, where it promises to be much quicker, about the network with reduced components.
    fn answer_at_once(
        &mut self,
        question: Question,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        let Self { checker, behaviour, condensed, watched, known, .. } = self;
        if let Question::Declared(number) = question {
            let Watched { name, behaviour, watcher, states, definition } = &watched[number];
            let checker = Checker { states, ..*checker };
            let mut answer = match checker.by_spin(behaviour, Some(*watcher), name, budget)? {
                Some(answer) => answer,
                None => checker.watched(behaviour, *watcher, name, budget)?,
            };
            answer.formula = definition.clone().filter(|_| !answer.trace.is_empty());
            return Ok(vec![answer]);
        }
        if let Question::Commitment(number) = question {
            let asked = (&self.commitments[number], &self.scheduling);
            return Ok(vec![self.checker.commitment(&self.behaviour, asked, budget)?]);
        }
        let Some(condensed) = condensed else { return checker.ask(behaviour, question, known, budget) };
        let mut quick = checker.ask(condensed, question, known, budget)?;
        quick.iter_mut().for_each(|result| result.equivalent_states_merged = true);
        let is_final = |result: &CheckResult| result.is_final;
        if quick.iter().all(is_final) {
            return Ok(quick);
        }
        let rest = question.without(|name| quick.iter().any(|it| it.property == name && is_final(it)));
        let mut full = checker.ask(behaviour, rest, known, budget)?;
        let is_doubtful = |name: &str| {
            quick.iter().any(|result| result.property == name && checker.depends_on_states(result))
        };
        full.retain(|result| result.verdict != Verdict::Unknown || is_doubtful(&result.property));
        Ok(merged(quick, full, is_final))
    }
}

/// Results; in the place of those that are not kept there are newer ones of the same properties, as far as there are any.
fn merged(
    old: Vec<CheckResult>,
    mut new: Vec<CheckResult>,
    is_kept: impl Fn(&CheckResult) -> bool,
) -> Vec<CheckResult> {
    let newer = |old: CheckResult| {
        let place = new.iter().position(|new| new.property == old.property).filter(|_| !is_kept(&old));
        place.map_or(old, |place| new.swap_remove(place))
    };
    old.into_iter().map(newer).collect()
}

/// Asks what is still open about some targets, with the time that is left.
pub(super) fn ask_again(inquests: &mut [Inquest<'_>], budget: Budget<'_>) -> Result<(), Internal> {
    let of = |(target, inquest): (usize, &Inquest<'_>)| -> Vec<(usize, usize)> {
        inquest.open.iter().map(|&question| (target, question)).collect()
    };
    let open: Vec<(usize, usize)> = inquests.iter().enumerate().flat_map(of).collect();
    if open.is_empty() || budget.is_out_of_time() {
        return Ok(());
    }
    in_turns(0..open.len(), budget, |number, share| {
        let (target, question) = open[number];
        inquests[target].settle(question, &share)
    })?;
    Ok(())
}

/// A network with reduced components, if it is large and that makes it much smaller.
fn condensed(behaviour: &Behaviour, budget: &Budget<'_>) -> Option<Behaviour> {
    const LARGE: f64 = 20.0;
    const MUCH: f64 = 4.0;
    let network = behaviour.as_network().filter(|network| network.potential() >= LARGE)?;
    let condensed = network.condensed(budget).ok()?;
    (condensed.potential() + MUCH <= network.potential()).then(|| condensed.into())
}

#[cfg(test)]
mod tests;
