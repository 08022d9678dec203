//! `verify`: a system is proved from its parts.

mod ask;
mod by_flow;
mod composed;
mod earlier;
mod evidence;
mod packaged;
mod piecewise;
mod questions;
mod remembered;
mod vacuous;

use rely_assume::{Algorithm, Alphabets, Answer, Answered, Hints, Memory, Rule, Strategy, Unrealised};
use rely_base::{Budget, Diagnostic, Exhausted};
use rely_certificate::Certificate;
use rely_lts::Behaviour;

use crate::cause::cause;
use crate::check::{no_flow, unknown_constraints};
use crate::doubts::unchecked;
use crate::engine::Constraints;
use crate::expect::Expectations;
use crate::explain::FAILS_BESIDE;
use crate::explanation::{Details, Explanation, Material, Trail, add_sources, exercised, identities};
use crate::goals::ERROR;
use crate::meaning::Meaning;
use crate::parts::{Library, ids};
use crate::report::{Finding, Level, ProofAssumption, Report, TraceStep, Verdict, VerifyResult};
use crate::repository::Packages;
use crate::reuse::{self, History, Known};
use crate::turns::in_turns;
use crate::{Internal, Project};

use ask::by_last_proof;
use evidence::{Claimed, product};
use questions::{Question, Questions, Trouble};
use remembered::{REJECTED, Remembered};

pub(crate) use piecewise::nothing_fails;

/// What to prove, and how.
#[derive(Clone)]
pub struct VerifyQuery<'a> {
    /// The system.
    pub system: String,
    /// The properties; every property process among the parts of the system if there are none.
    pub properties: Vec<String>,
    /// The parts of the first group; chosen if there are none.
    pub left: Vec<String>,
    /// The rule.
    pub rule: Rule,
    /// How to prove.
    pub strategy: Strategy,
    /// How to learn.
    pub algorithm: Algorithm,
    /// Over which actions assumptions are looked for.
    pub alphabets: Alphabets,
    /// What is wanted beyond the answers.
    pub details: Details,
    /// The constraints, if the proof is to be about flow graphs.
    pub by_flow: Option<Constraints>,
    /// Whether certificates are wanted. Without, a reduction is claimed with the search of a product as its evidence,
    /// which costs nothing to write.
    pub certify: bool,
    /// The milliseconds since some moment.
    pub clock: &'a dyn Fn() -> u64,
}

impl VerifyQuery<'_> {
    /// The strategy in the user's words. `chain` and its like are the strategy `learn` with a rule of this name.
    fn strategy_asked_for(&self) -> String {
        match self.strategy.uses_a_rule() {
            true => format!("{} with the rule {}", self.strategy.name(), self.rule),
            false => self.strategy.name().to_owned(),
        }
    }
}

impl VerifyQuery<'static> {
    /// The question whether a system meets all of its properties, in whatever way, without a clock.
    pub fn about(system: &str) -> Self {
        Self {
            system: system.to_owned(),
            properties: Vec::new(),
            left: Vec::new(),
            rule: Rule::Simple,
            strategy: Strategy::Auto,
            algorithm: Algorithm::default(),
            alphabets: Alphabets::Whole,
            details: Details::default(),
            by_flow: None,
            certify: false,
            clock: &|| 0,
        }
    }
}

/// The answers, and the claims that can be certified.
pub struct Verified {
    /// The answers.
    pub report: Report<VerifyResult>,
    /// What holds, with its evidence.
    pub certificate: Certificate,
    /// The explanations of the answers, in the same order, if they were asked for.
    pub explanations: Vec<Explanation>,
}

impl Verified {
    /// No answers, because of what was found in the input.
    fn without_answers(findings: Vec<Finding>) -> Self {
        Self {
            report: Report::new("verify", Vec::new(), findings),
            certificate: Certificate::new(Vec::new()),
            explanations: Vec::new(),
        }
    }
}

/// Proves the properties of a system, or finds runs that break them.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn verify(project: &Project, query: &VerifyQuery<'_>, budget: Budget<'_>) -> Result<Verified, Internal> {
    verify_with_memory(project, query, None, budget)
}

/// Proves the properties of a system, with the help of what was found out before.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn verify_with_memory(
    project: &Project,
    query: &VerifyQuery<'_>,
    memory: Option<&dyn Memory>,
    budget: Budget<'_>,
) -> Result<Verified, Internal> {
    verify_with_packages(project, query, memory, None, budget)
}

/// Proves the properties of a system, also from packaged components: their evidence is judged before it is believed.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn verify_with_packages(
    project: &Project,
    query: &VerifyQuery<'_>,
    memory: Option<&dyn Memory>,
    packages: Option<&dyn Packages>,
    budget: Budget<'_>,
) -> Result<Verified, Internal> {
    as_expected(project, &query.system, budget, || answered(project, query, (memory, packages), budget))
}

/// The answers, with the verdicts that the model expects. Where it expects what does not exist, that is the answer.
pub(crate) fn as_expected(
    project: &Project,
    system: &str,
    budget: Budget<'_>,
    answers: impl FnOnce() -> Result<Verified, Internal>,
) -> Result<Verified, Internal> {
    let mut meaning = Meaning::of(project, budget);
    let (expectations, nonsense) = Expectations::read(project, &mut meaning);
    if nonsense.iter().any(Diagnostic::is_error) {
        nonsense.into_iter().for_each(|finding| meaning.report(finding));
        // The other errors of the system are to be reported, too.
        let _ = meaning.target(system);
        return Ok(Verified::without_answers(meaning.findings()));
    }
    let mut verified = answers()?;
    expectations.judge(&mut verified.report.results);
    let warnings = nonsense.iter().map(|warning| Finding::new(project, warning));
    verified.report.diagnostics.extend(warnings);
    Ok(verified)
}

fn answered(
    project: &Project,
    query: &VerifyQuery<'_>,
    (memory, packages): (Option<&dyn Memory>, Option<&dyn Packages>),
    budget: Budget<'_>,
) -> Result<Verified, Internal> {
    if let Some(verified) = composed::answered(project, query, packages, budget)? {
        return Ok(verified);
    }
    let mut library = Library::of(std::slice::from_ref(project), budget);
    let questions = Questions::read(project, &mut library, query, &budget);
    let failed = library.has_errors();
    let warnings = std::mem::take(&mut library.warnings);
    let warnings_inside = std::mem::take(&mut library.warnings_inside);
    let unchecked = match query.properties.is_empty() {
        true => unchecked(project, &|_| false, true),
        false => None,
    };
    let mut findings = library.findings();
    let report = |results, findings| Verified {
        report: Report::new("verify", results, findings),
        certificate: Certificate::new(Vec::new()),
        explanations: Vec::new(),
    };
    let questions = match questions {
        Ok(questions) if !failed => questions,
        Ok(_) | Err(Trouble::Errors) => return Ok(report(Vec::new(), findings)),
        Err(Trouble::Finding(finding)) => {
            // Where the file itself has errors, this is one of their consequences.
            if !failed {
                findings.push(Finding { file: project.name().to_owned(), ..*finding });
            }
            return Ok(report(Vec::new(), findings));
        }
        Err(Trouble::Unbuilt(exhausted, properties)) => {
            let reason = format!("a part that has to be built first: {exhausted}");
            let unknown = |property: &String| {
                let result = blank(query, property);
                VerifyResult { reason: Some(reason.clone()), ..result }
            };
            return Ok(report(properties.iter().map(unknown).collect(), findings));
        }
    };
    if let Some(choice) = &query.by_flow {
        let (answers, found) = answers_by_flow(project, query, choice, &questions, budget)?;
        findings.extend(found);
        let mut claims = Vec::new();
        let mut explanations = Vec::new();
        let mut results = Vec::new();
        for by_flow::Answer { mut result, explanation, claim } in answers {
            result.warnings.splice(0..0, warnings.iter().cloned());
            if let Some(Claimed { claim, warning }) = claim {
                result.warnings.extend(warning);
                claims.push(claim);
            }
            explanations.extend(explanation);
            results.push(result);
        }
        let mut verified = report(results, findings);
        verified.certificate = Certificate::new(claims);
        verified.explanations = explanations;
        add_sources(&mut verified.explanations, project, &questions.table);
        return Ok(verified);
    }
    let mut results = Vec::new();
    let mut claims = Vec::new();
    let mut explanations = Vec::new();
    let answers = questions.answers(query, memory, budget)?;
    for (question, (reported, time_ms)) in questions.questions.iter().zip(answers) {
        let Reported { mut result, claim: claimed, trail } = reported;
        let (claim, warning) = claimed.map(|Claimed { claim, warning }| (claim, warning)).unzip();
        result.time_ms = time_ms;
        result.warnings.splice(0..0, warnings.iter().cloned());
        if question.name == ERROR {
            result.warnings.extend(warnings_inside.iter().cloned());
        }
        result.warnings.extend(questions.vacuity(question, &result, &budget));
        result.warnings.extend(warning.flatten());
        let mut explanation = questions.detail(question, query, &mut result, &trail, &budget)?;
        if let (Some(explanation), Some(claim)) = (&mut explanation, &claim) {
            explanation.identities = identities(std::slice::from_ref(claim));
        }
        explanations.extend(explanation);
        results.push(result);
        claims.extend(claim);
    }
    add_sources(&mut explanations, project, &questions.table);
    if results.iter().any(|result| result.verdict == Verdict::Holds) {
        findings.extend(questions.warning(project.name()));
    }
    findings.extend(unchecked);
    let report = Report::new("verify", results, findings);
    Ok(Verified { report, certificate: Certificate::new(claims), explanations })
}

/// The answers by flow graphs, and what is wrong with the question.
fn answers_by_flow(
    project: &Project,
    query: &VerifyQuery<'_>,
    choice: &Constraints,
    questions: &Questions,
    budget: Budget<'_>,
) -> Result<(Vec<by_flow::Answer>, Vec<Finding>), Internal> {
    let mut meaning = Meaning::of(project, budget);
    let mut results = Vec::new();
    if !meaning.has_flow() {
        meaning.report(no_flow());
        return Ok((results, meaning.findings()));
    }
    let Ok(model) = meaning.flow(&query.system) else { return Ok((results, meaning.findings())) };
    let unknown = unknown_constraints(choice, &*model);
    if !unknown.is_empty() {
        unknown.into_iter().for_each(|diagnostic| meaning.report(diagnostic));
        return Ok((results, meaning.findings()));
    }
    for (number, question) in questions.questions.iter().enumerate() {
        let started = (query.clock)();
        let share = budget.share_of_time(questions.questions.len() - number);
        let mut answer = questions.by_flow(question, query, (project, &*model), choice, share)?;
        answer.result.time_ms = (query.clock)().saturating_sub(started);
        results.push(answer);
    }
    Ok((results, Vec::new()))
}

impl Questions {
    /// Warns of parts that can fail by themselves, about which nothing is asked: an answer says nothing about what comes
    /// after that.
    fn warning(&self, file: &str) -> Option<Finding> {
        if self.fails_beside.is_empty() {
            return None;
        }
        let names = self.fails_beside.join(", ");
        let message = format!("{names} can fail by itself: only runs up to that are considered");
        let mut finding = Finding::about(file, FAILS_BESIDE, &message);
        finding.severity = Level::Warning;
        finding.help = Some("add `--property ERROR` to ask whether it does".to_owned());
        Some(finding)
    }

    /// The answers to all questions, which share the time that is allowed, each with the milliseconds that it took.
    fn answers(
        &self,
        query: &VerifyQuery<'_>,
        memory: Option<&dyn Memory>,
        budget: Budget<'_>,
    ) -> Result<Vec<(Reported, u64)>, Internal> {
        let mut answers: Vec<Option<(Reported, u64)>> = self.questions.iter().map(|_| None).collect();
        let is_known = |reported: &Reported| reported.result.verdict != Verdict::Unknown;
        in_turns(0..answers.len(), budget, |number, share| {
            let started = (query.clock)();
            let mut reported = self.answer(&self.questions[number], query, memory, share)?;
            let mut time_ms = (query.clock)().saturating_sub(started);
            // The share may have ended while the certificate was written, so that there may be a better one.
            let is_settled = !share.is_out_of_time() || is_known(&reported) && !query.certify;
            if let Some((earlier, time)) = answers[number].take() {
                time_ms += time;
                reported = if is_known(&earlier) && !is_known(&reported) { earlier } else { reported };
            }
            answers[number] = Some((reported, time_ms));
            Ok::<bool, Internal>(is_settled)
        })?;
        Ok(answers.into_iter().flatten().collect())
    }

    fn answer(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        memory: Option<&dyn Memory>,
        budget: Budget<'_>,
    ) -> Result<Reported, Internal> {
        // What is remembered is about the parts of the problem. With priority they say nothing about the whole, and where one
        // of them can fail, its failure ends a run.
        let is_whole = self.network.priority().is_none() && question.faulty_parts().next().is_none();
        let memory = memory.filter(|_| is_whole);
        let history = memory
            .and_then(|memory| History::of(memory, query, (&question.name, &question.problem), &self.table));
        let Some(history) = history else {
            let hints = Hints { sketch_from: query.details.explanation.then_some(0), start: None };
            let answered = self.ask(question, query, &hints, budget)?;
            return Ok(self.reported(question, query, answered, &budget));
        };
        let remembered = self.remembered(&history, question, query, budget)?;
        if let Remembered::True(reported) = remembered {
            if reported.result.verdict == Verdict::Holds {
                history.make_last();
            }
            return Ok(*reported);
        }
        let mut last_proof = match history.last_proof(&budget) {
            Ok(last_proof) => last_proof,
            // If a limit ends the look at the past, it ends what comes after as well, which then says so.
            Err(Unrealised::Exhausted(_)) => None,
            Err(Unrealised::Mistake(mistake)) => return Err(mistake.into()),
        };
        let answered = match last_proof.as_mut().and_then(by_last_proof) {
            Some(answered) => answered,
            None => {
                let start = last_proof.as_ref().and_then(|last| last.start.clone());
                // A sketch of a quick answer is only of use on a page.
                let sketch_from = Some(if query.details.explanation { 0 } else { reuse::QUICK });
                let mut answered = self.ask(question, query, &Hints { sketch_from, start }, budget)?;
                answered.effort.add(last_proof.as_ref().map(|last| last.effort).unwrap_or_default());
                answered
            }
        };
        let mut reported = self.reported(question, query, answered, &budget);
        history.remember(&reported.result, &reported.trail, last_proof.as_ref());
        if matches!(remembered, Remembered::False) {
            reported.result.warnings.push(REJECTED.to_owned());
        }
        if let Some(last_proof) = last_proof {
            reported.result.reused = Some(last_proof.reused);
            reported.result.broken_assumption = last_proof.broken;
        }
        Ok(reported)
    }

    /// What is told because the same question was answered before. A store that is not trusted is not believed.
    fn remembered(
        &self,
        history: &History<'_>,
        question: &Question,
        query: &VerifyQuery<'_>,
        budget: Budget<'_>,
    ) -> Result<Remembered, Internal> {
        let Some(known) = history.answer() else { return Ok(Remembered::Open) };
        if !history.memory.is_trusted() {
            return self.judge_remembered(question, query, known, history.memory, budget);
        }
        let Some(trail) = earlier::trail_of(&known, question, query, &budget)? else {
            return Ok(Remembered::Open);
        };
        let Known { result, proof, .. } = known;
        let claim = match result.verdict {
            Verdict::Holds => Some(self.claim_of_known(question, query, &result, proof.as_ref(), budget)?),
            Verdict::Violated | Verdict::Unknown => None,
        };
        Ok(Remembered::True(Box::new(Reported { result, claim, trail })))
    }

    /// What is reported, and claimed.
    fn reported(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        answered: Answered,
        budget: &Budget<'_>,
    ) -> Reported {
        let mut result = blank(query, &question.name);
        let Answered { answer, strategy, groups, effort, reason, sketch, inside, compositions, .. } =
            answered;
        let mut trail = Trail { sketch, inside, compositions, groups, ..Trail::default() };
        let groups = &trail.groups;
        result.strategy = strategy.name().to_owned();
        result.reason = reason;
        result.peak_states = effort.peak_states;
        result.queries = effort.queries;
        result.conjectures = effort.conjectures;
        let names = |group: &Vec<usize>| -> Vec<String> {
            group.iter().map(|&part| question.problem.parts[part].name.clone()).collect()
        };
        if let Some((first, rest)) = groups.split_first() {
            let rule = if let Answer::Proved(Some(proof)) = &answer { proof.rule } else { query.rule };
            result.rule = Some(rule.name().to_owned());
            result.left = names(first);
            result.right = rest.iter().flat_map(names).collect();
            if rest.len() > 1 {
                result.groups = groups.iter().map(names).collect();
            }
        }
        let claim = match answer {
            Answer::Proved(proof) => {
                result.verdict = Verdict::Holds;
                // What is claimed is about the parts as they are.
                let is_exact = query.by_flow.is_none();
                let claim =
                    is_exact.then(|| self.claim(question, query, strategy, proof.as_ref(), &trail, budget));
                trail.proof.clone_from(&proof);
                let proof = proof.unwrap_or_else(|| product(question, &trail.inside));
                if !trail.groups.is_empty() {
                    let premises = proof.rule.premises(proof.groups.len());
                    result.premises = premises.iter().map(ToString::to_string).collect();
                }
                let size = |assumption: &rely_assume::Assumption| ProofAssumption {
                    states: assumption.state_count(),
                    alphabet: assumption.alphabet().sorted_names().into_iter().map(str::to_owned).collect(),
                };
                result.assumptions = proof.assumptions.iter().map(size).collect();
                claim
            }
            Answer::Refuted(run) => {
                result.verdict = Verdict::Violated;
                result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
                result.shortest = result.trace.len() < 2 || strategy.finds_shortest() && run.is_shortest;
                let closed = Behaviour::from(question.problem.network());
                let step = |step: &rely_decide::Step| TraceStep::new(step.clone(), &closed, &self.states);
                result.steps = run.trace.iter().map(step).collect();
                result.components = closed.part_names().into_iter().map(str::to_owned).collect();
                result.cause = cause(&closed, &run, &self.states);
                trail.run = Some(*run);
                None
            }
            Answer::Unknown(exhausted) => {
                // The step that met the limit may have been a small one among larger ones.
                let states = exhausted.states.max(effort.peak_states);
                result.reason = Some(Exhausted { states, ..exhausted }.to_string());
                None
            }
        };
        Reported { result, claim, trail }
    }

    /// Adds what is wanted beyond an answer: what was exercised, and an explanation.
    fn detail(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        result: &mut VerifyResult,
        trail: &Trail,
        budget: &Budget<'_>,
    ) -> Result<Option<Explanation>, Internal> {
        if !query.details.coverage && !query.details.explanation {
            return Ok(None);
        }
        let network = self.closed(question);
        let goal: Vec<_> = ids(&network).skip(question.problem.parts.len()).collect();
        let coverage = exercised(&network, &goal, budget)?;
        if query.details.coverage {
            result.coverage = Some(coverage.clone());
        }
        let explain = || -> Result<Explanation, Internal> {
            let fails_beside = question.faulty_parts().map(|part| part.name.clone()).collect();
            let material =
                Material { problem: &question.problem, network: &network, result, trail, fails_beside };
            let mut explanation = material.explained(&query.strategy_asked_for(), coverage, budget)?;
            if result.verdict == Verdict::Holds {
                explanation.warnings.extend(self.warning("").map(|finding| finding.message));
            }
            Ok(explanation)
        };
        let explanation = query.details.explanation.then(explain).transpose()?;
        if let Some(explanation) = &explanation {
            // The premises have been counted for the page, also those that the rule has not searched.
            result.peak_states = explanation.peak_states;
        }
        Ok(explanation)
    }
}

/// An answer as it is reported, what is claimed, and what there is to explain it with.
struct Reported {
    result: VerifyResult,
    claim: Option<Claimed>,
    trail: Trail,
}

fn blank(query: &VerifyQuery<'_>, property: &str) -> VerifyResult {
    VerifyResult::unknown(&query.system, property, query.strategy.name())
}
