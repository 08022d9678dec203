//! `check`: deadlock, safety, progress, assertions and divergence of targets.

mod inquest;

use std::borrow::Cow;

use rely_base::{Budget, Id, Limits};
use rely_decide::{self as decide, Counterexample, Decision, Ending, Vacuity};
use rely_fsp::{Failure, ProgressProperty};
use rely_lts::{ComponentId, Network};
use rely_omega::{Assertion, AtomId, Proposition};

use crate::doubts::{Doubts, unchecked, unused_fluents};
use crate::expect::Expectations;
use crate::explanation::exercised;
use crate::meaning::{Meaning, is_made_by};
use crate::parts::ids;
use crate::report::{
    CheckResult, CoverageResult, Fairness, Finding, Kind, Level, Report, TraceStep, Verdict,
};
use crate::{Internal, Project};

use inquest::{Inquest, Known, Question, ask_again};

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct CheckQuery {
    /// The targets; if there are none, every composite that no other uses, or all processes together.
    pub targets: Vec<String>,
    /// Whether composites inside of others are targets, too, where none are named.
    pub all_targets: bool,
    /// Kinds (`deadlock`, `safety`, `progress`, `ltl`, `divergence`) and names of properties; everything that the
    /// file declares if there are none.
    pub only: Vec<String>,
    /// Whether all states are to be looked at where some would do.
    pub no_reduction: bool,
    /// Whether it is to be said what was ever exercised, with the answer about safety.
    pub coverage: bool,
    /// Which runs assertions speak of.
    pub fairness: Fairness,
}

impl CheckQuery {
    /// Whether a property is asked for by a name, and not only with all others of its kind.
    fn names(&self, property: &str) -> bool {
        self.only.iter().any(|word| !KINDS.contains(&word.as_str()) && is_made_by(property, word))
    }

    fn wants_kind(&self, kind: &str) -> bool {
        self.only.is_empty() || self.asks_for(kind)
    }

    fn asks_for(&self, word: &str) -> bool {
        self.only.iter().any(|only| only == word)
    }

    /// Whether a property is wanted: by its kind, its name, or the name of a definition that makes it with indices.
    fn wants(&self, kind: &str, name: &str) -> bool {
        self.wants_kind(kind) || self.only.iter().any(|word| is_made_by(name, word))
    }

    /// Findings about what the query leaves unchecked, although its kind is asked for.
    fn unchecked(&self, project: &Project, meaning: &Meaning<'_>) -> Vec<Finding> {
        let (is_property, is_used) =
            (|name: &str| meaning.is_property(name), |name: &str| meaning.is_used(name));
        let are_chosen = !self.targets.is_empty();
        let mut findings = Vec::new();
        if self.wants_kind("safety") {
            findings.extend(unchecked(project, &is_property, &is_used, are_chosen));
        }
        if self.wants_kind("ltl") {
            findings.extend(unused_fluents(project, &|name| are_chosen || is_used(name)));
        }
        findings
    }

    /// Whether something that a definition makes is wanted.
    fn wants_of(&self, kind: &str, definition: &str) -> bool {
        self.wants_kind(kind) || self.only.iter().any(|word| is_made_by(word, definition))
    }
}

/// Checks the targets of a project.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn check(
    project: &Project,
    query: &CheckQuery,
    budget: Budget<'_>,
) -> Result<Report<CheckResult>, Internal> {
    let mut meaning = Meaning::of(project, budget);
    let names = meaning.wanted_targets(&query.targets, query.all_targets);
    let (expectations, nonsense) = Expectations::read(project, &meaning);
    nonsense.into_iter().for_each(|finding| meaning.report(finding));
    let readable = !meaning.has_errors();
    let declared = Declared::new(&mut meaning, query);
    let properties: Vec<&String> = query.only.iter().filter(|word| meaning.is_property(word)).collect();
    let errors_of_properties = meaning.error_count();
    let (declared, exhausted) = match declared {
        Ok(declared) => (declared, None),
        // Not even the questions are known; those that every target has go without an answer.
        Err(Failure::Exhausted(exhausted)) => (Declared::default(), Some(exhausted)),
        Err(Failure::Errors) => (Declared::default(), None),
    };
    if query.only.is_empty() && exhausted.is_none() && !meaning.has_errors() {
        expectations.report_unmade(project, &declared.names, &mut meaning);
    }
    let mut unknown = match exhausted.is_some() || meaning.has_errors() {
        true => Vec::new(),
        false => declared.unknown_names(query, project.name(), &properties),
    };
    // A target is checked as soon as it is built: one that takes all the time leaves the answers about those before it.
    let (mut inquests, mut targets) = (Vec::new(), Vec::new());
    let asked = Asked::all(names, query, &declared, &expectations);
    for (number, asked_about) in asked.iter().enumerate() {
        let Asked { target: name, query, declared, also } = asked_about;
        let target = meaning.target(name);
        if meaning.has_errors() || !unknown.is_empty() {
            continue;
        }
        let checker = Checker { query, declared, also, patience: PATIENCE, target: name };
        match (target, &exhausted) {
            (Err(Failure::Exhausted(exhausted)), _) => inquests.push(Inquest::unbuilt(checker, &exhausted)),
            (_, Some(exhausted)) => inquests.push(Inquest::unbuilt(checker, exhausted)),
            (Ok(target), None) => {
                let mut inquest = Inquest::new(checker, target.network.clone(), &budget);
                inquest.ask(budget.share_of_time(asked.len() - number))?;
                inquests.push(inquest);
                targets.push(Some((target, declared)));
                continue;
            }
            (Err(Failure::Errors), None) => continue,
        }
        targets.push(None);
    }
    ask_again(&mut inquests, budget)?;
    let mut results: Vec<CheckResult> = Vec::new();
    for (inquest, target) in inquests.into_iter().zip(&targets) {
        let mut answers: Vec<CheckResult> = inquest.into_results().collect();
        if let Some((target, declared)) = target {
            let Declared { progress, assertions, .. } = declared.as_ref();
            Doubts { target, progress, assertions, budget }.add(&mut answers);
        }
        results.extend(answers);
    }
    let failed = meaning.has_errors();
    let only_properties_fail = readable && meaning.error_count() == errors_of_properties;
    let unchecked = if failed { Vec::new() } else { query.unchecked(project, &meaning) };
    let mut findings = meaning.findings();
    findings.extend(unchecked);
    if failed {
        results.clear();
        if only_properties_fail {
            advise_to_go_on(&mut findings);
        }
    }
    findings.append(&mut unknown);
    expectations.judge(&mut results);
    Ok(Report::new("check", results, findings))
}

/// A target, and what is asked about it.
struct Asked<'a> {
    target: String,
    query: Cow<'a, CheckQuery>,
    declared: Cow<'a, Declared>,
    /// The properties of which something is expected: some kinds are checked only where they are asked for.
    also: Vec<String>,
}

impl<'a> Asked<'a> {
    /// The targets of a query, and the others of which something is expected that the query does not leave out.
    fn all(
        names: Vec<String>,
        query: &'a CheckQuery,
        declared: &'a Declared,
        expectations: &Expectations,
    ) -> Vec<Self> {
        let expected = |target: &str| -> Vec<String> {
            let properties = expectations.properties(target);
            properties.filter(|property| declared.is_asked(query, property)).map(str::to_owned).collect()
        };
        let is_other = |target: &&String| query.targets.is_empty() && !names.contains(target);
        let others: Vec<String> = expectations.targets().iter().filter(is_other).cloned().collect();
        let wanted = names.into_iter().map(|target| {
            let also = expected(&target);
            Asked { target, query: Cow::Borrowed(query), declared: Cow::Borrowed(declared), also }
        });
        let others = others.into_iter().filter_map(|target| {
            let only = Some(expected(&target)).filter(|only| !only.is_empty())?;
            let declared = Cow::Owned(declared.narrowed(&only));
            let query = Cow::Owned(CheckQuery { only, ..query.clone() });
            Some(Asked { target, query, declared, also: Vec::new() })
        });
        wanted.chain(others).collect()
    }
}

/// Says how to go on without the properties that have errors, where nothing else has.
fn advise_to_go_on(findings: &mut [Finding]) {
    const ADVICE: &str =
        "without it, `--only deadlock,safety` and the names of other properties can be checked";
    let Some(last) = findings.iter_mut().rfind(|finding| finding.severity == Level::Error) else { return };
    last.help = Some(last.help.take().map_or(ADVICE.to_owned(), |help| format!("{help}; {ADVICE}")));
}

/// The kinds of properties that a query can ask for.
const KINDS: [&str; 5] = ["deadlock", "safety", "progress", "ltl", "divergence"];

/// The properties that the file declares and the query asks for.
#[derive(Clone, Default)]
struct Declared {
    /// The names of all properties.
    names: Vec<String>,
    progress: Vec<ProgressProperty>,
    /// Whether the file declares no progress property at all.
    no_progress: bool,
    assertions: Vec<Assertion>,
}

impl Declared {
    /// Fails if one that is asked for has errors or a limit is met.
    fn new(meaning: &mut Meaning<'_>, query: &CheckQuery) -> Result<Self, Failure> {
        let progress = meaning.progress_properties(&|name| query.wants_of("progress", name));
        let assertions = meaning.assertions(&|name| query.wants_of("ltl", name));
        let (progress, assertions) = (progress?, assertions?);
        let names = progress.iter().map(|property| &property.name);
        Ok(Self {
            names: names.chain(assertions.iter().map(|assertion| &assertion.name)).cloned().collect(),
            no_progress: progress.is_empty(),
            progress: progress
                .into_iter()
                .filter(|property| query.wants("progress", &property.name))
                .collect(),
            assertions: assertions
                .into_iter()
                .filter(|assertion| query.wants("ltl", &assertion.name))
                .collect(),
        })
    }
}

impl Declared {
    /// Whether a query leaves room for a property about which something is expected.
    fn is_asked(&self, query: &CheckQuery, property: &str) -> bool {
        match property {
            "deadlock" | "safety" | "divergence" => query.wants_kind(property),
            "progress" if self.no_progress => query.wants_kind(property),
            _ => {
                self.progress.iter().any(|progress| progress.name == property)
                    || self.assertions.iter().any(|assertion| assertion.name == property)
            }
        }
    }

    /// Only the properties with some names.
    fn narrowed(&self, names: &[String]) -> Self {
        let mut narrowed = self.clone();
        narrowed.progress.retain(|property| names.contains(&property.name));
        narrowed.assertions.retain(|assertion| names.contains(&assertion.name));
        narrowed
    }

    /// Says which words of a query are neither kinds nor names of properties.
    fn unknown_names(&self, query: &CheckQuery, file: &str, properties: &[&String]) -> Vec<Finding> {
        let known = |word: &&String| {
            KINDS.contains(&word.as_str()) || self.names.iter().any(|name| is_made_by(name, word))
        };
        let unknown = query.only.iter().filter(|word| !known(word));
        let finding = |word: &String| {
            let message = format!("there is no property `{word}` to check");
            let mut finding = Finding::about(file, crate::explain::NO_SUCH_PROPERTY, &message);
            finding.help = Some(self.advice(word, properties.contains(&word)));
            finding
        };
        unknown.map(finding).collect()
    }

    /// What could have been meant by a word that names nothing to check.
    fn advice(&self, word: &str, is_property: bool) -> String {
        if is_property {
            return format!(
                "`{word}` is a property process, which is part of `safety` where it is composed: `rely \
                 check --only safety`, or `rely verify --property {word}`"
            );
        }
        let choices: Vec<&str> = KINDS.into_iter().chain(self.names.iter().map(String::as_str)).collect();
        format!("there are {}", choices.join(", "))
    }
}

/// What is said of a violation of fair choice that has no probability.
const HOLDS_AT_RANDOM: &str = "if choices are made at random, it holds almost surely: see --fairness random";

/// At least so many states are looked at for an assertion when something else has been found to be violated.
const PATIENCE: usize = decide::Inquiry::USUAL.patience;

/// Checks one target.
#[derive(Clone, Copy)]
struct Checker<'a> {
    query: &'a CheckQuery,
    declared: &'a Declared,
    /// Properties that are asked for beyond the query.
    also: &'a [String],
    /// See [`PATIENCE`].
    patience: usize,
    /// The name of the target.
    target: &'a str,
}

impl Checker<'_> {
    /// The questions, in the order of their answers.
    fn questions(&self) -> Vec<Question> {
        let (deadlock, safety) = (self.query.wants_kind("deadlock"), self.query.wants_kind("safety"));
        let reachability = (deadlock || safety).then_some(Question::Reachability { deadlock, safety });
        let progress = match self.declared.no_progress {
            true => self.asks_for("progress"),
            false => !self.declared.progress.is_empty(),
        };
        let assertions = (0..self.declared.assertions.len()).map(Question::Assertion);
        let divergence = self.asks_for("divergence").then_some(Question::Divergence);
        let first = reachability.into_iter().chain(progress.then_some(Question::Progress));
        first.chain(assertions).chain(divergence).collect()
    }

    /// Asks a question about a network.
    fn ask(
        &self,
        network: &Network,
        question: Question,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        match question {
            Question::Reachability { deadlock, safety } => {
                self.reachability(network, self.inquiry(deadlock, safety), known, budget)
            }
            Question::Progress => self.progress(network, known, budget),
            Question::Assertion(number) => {
                Ok(vec![self.assertion(network, &self.declared.assertions[number], known, budget)?])
            }
            Question::Divergence => {
                let decision = decide::check_divergence(network, budget)?;
                Ok(vec![self.result(network, Kind::Divergence, "divergence", decision)])
            }
        }
    }

    /// Whether a kind is asked for that is not checked otherwise.
    fn asks_for(&self, kind: &str) -> bool {
        self.query.asks_for(kind) || self.also.iter().any(|word| word == kind)
    }

    /// How deadlocks and errors are looked for, as far as they are.
    fn inquiry(&self, deadlock: bool, safety: bool) -> decide::Inquiry {
        let mut inquiry = match self.query.no_reduction {
            true => decide::Inquiry::ALL_STATES,
            false => decide::Inquiry::USUAL,
        };
        (inquiry.deadlock, inquiry.safety) = (deadlock, safety);
        inquiry
    }

    fn reachability(
        &self,
        network: &Network,
        inquiry: decide::Inquiry,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        let found = inquiry.check(network, budget)?;
        known.note(&found);
        let mut results = Vec::new();
        if inquiry.deadlock {
            let mut result = self.result(network, Kind::Deadlock, "deadlock", found.deadlock);
            if found.can_fail {
                // A component may move in the step into the error alone.
                result.warnings.clear();
            }
            results.push(result);
        }
        if inquiry.safety {
            let mut result = self.result(network, Kind::Safety, "safety", found.safety);
            if self.query.coverage {
                result.coverage = Some(self.coverage(network, budget)?);
            }
            results.push(result);
        }
        results.iter_mut().for_each(|result| result.bytes = Some(found.bytes));
        Ok(results)
    }

    fn assertion(
        &self,
        network: &Network,
        assertion: &Assertion,
        known: &Known,
        whole: &Budget<'_>,
    ) -> Result<CheckResult, Internal> {
        let budget = self.budget_after(known, whole);
        let mut outcome = decide::check_ltl(network, assertion, self.query.fairness.into(), &budget)?;
        if budget.max_states() < whole.max_states() {
            outcome.decision.give_up();
        }
        let warnings = vacuous_premises(assertion, &outcome.decision);
        let mut result = self.result(network, Kind::Ltl, &assertion.name, outcome.decision);
        result.warnings = warnings;
        result.holds_at_random = outcome.holds_at_random;
        if outcome.holds_at_random {
            result.reason = Some(HOLDS_AT_RANDOM.to_owned());
        }
        if let Some(open) = &outcome.open {
            result.reason = Some(open.to_string());
        }
        Ok(result)
    }

    /// Whether a result of reduced components may be another one for the components as they are written.
    ///
    /// Fair choice is about states. A fair run is fair still where states that do the same are made one, so what holds
    /// there holds. But a run that is fair there may always make the same choice in one of two states that do the same:
    /// then there may be no such run of the components as they are written.
    fn depends_on_states(&self, result: &CheckResult) -> bool {
        result.kind == Kind::Ltl && self.query.fairness == Fairness::Choice && !result.cycle.is_empty()
    }

    /// The budget for an assertion. Where a violation is known, the target has to be mended anyway, and the search is given
    /// up after several times the states that it took, as it is for deadlocks and errors in one search.
    fn budget_after<'b>(&self, known: &Known, budget: &Budget<'b>) -> Budget<'b> {
        let Some(states) = known.violated_after else { return *budget };
        let most = self.patience.max(states.saturating_mul(4));
        budget.narrowed(Limits { states: Some(most), bytes: None })
    }

    /// What is exercised; whatever can fail is a property.
    fn coverage(&self, network: &Network, budget: &Budget<'_>) -> Result<CoverageResult, Internal> {
        let can_fail = |id: &ComponentId| network.components()[id.index()].lts.error().is_some();
        let properties: Vec<ComponentId> = ids(network).filter(can_fail).collect();
        exercised(network, &properties, budget)
    }

    /// Progress. Where an error is reachable it is looked for with a bounded effort, unless a property is asked for by name.
    fn progress(
        &self,
        network: &Network,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        let declared = &self.declared.progress;
        let in_all_states =
            self.query.no_reduction || declared.iter().any(|property| self.query.names(&property.name));
        let error = if in_all_states { None } else { self.reachable_error(network, known, budget)? };
        let inquiry =
            error.map_or(decide::ProgressInquiry::ALL_STATES, decide::ProgressInquiry::beside_error);
        if self.declared.no_progress {
            let decision = inquiry.check_every_action(network, budget)?;
            return Ok(vec![self.progress_result(network, "progress", "--no-reduction", decision)]);
        }
        let properties: Vec<decide::ProgressProperty> = declared
            .iter()
            .map(|property| decide::ProgressProperty {
                name: property.name.clone(),
                condition: property.condition.clone(),
                actions: property.actions.clone(),
            })
            .collect();
        let decisions = inquiry.check(network, &properties, budget)?;
        let mut results = Vec::new();
        for (property, decision) in declared.iter().zip(decisions) {
            let advice = format!("--only {}", property.name);
            results.push(self.progress_result(network, &property.name, &advice, decision));
        }
        Ok(results)
    }

    /// A result, with the advice how to have all states looked at where some were.
    fn progress_result(
        &self,
        network: &Network,
        name: &str,
        advice: &str,
        decision: Decision,
    ) -> CheckResult {
        let is_given_up = decision.verdict == decide::Verdict::Unknown(decide::Unknown::GivenUpBesideError);
        let mut result = self.result(network, Kind::Progress, name, decision);
        if let Some(reason) = result.reason.as_mut().filter(|_| is_given_up) {
            reason.push_str(&format!("; `{advice}` looks at all states"));
        }
        result
    }

    /// What was explored until an error was found, if one is reachable. If safety was not asked about, it is now: that takes
    /// less than looking at all states for progress.
    fn reachable_error(
        &self,
        network: &Network,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Option<decide::Explored>, Internal> {
        let can_fail = network.components().iter().any(|component| component.lts.error().is_some());
        if can_fail && !known.is_settled() {
            known.note(&self.inquiry(false, true).check(network, budget)?);
        }
        Ok(known.error)
    }

    /// The answers when a part of the target could not even be built.
    fn unknown(&self, reason: &str) -> Vec<CheckResult> {
        let always = [(Kind::Deadlock, "deadlock"), (Kind::Safety, "safety")];
        let mut questions: Vec<(Kind, &str)> =
            always.into_iter().filter(|(_, name)| self.query.wants_kind(name)).collect();
        questions.extend(self.declared.progress.iter().map(|property| (Kind::Progress, &*property.name)));
        questions.extend(self.declared.assertions.iter().map(|assertion| (Kind::Ltl, &*assertion.name)));
        if questions.is_empty() {
            // What was asked for is not known, but that there is no answer has to be said.
            questions.extend(always);
        }
        let unknown = |(kind, name): (Kind, &str)| {
            let reason = format!("a part that has to be built first: {reason}");
            CheckResult { verdict: Verdict::Unknown, reason: Some(reason), ..self.blank(kind, name) }
        };
        questions.into_iter().map(unknown).collect()
    }

    fn blank(&self, kind: Kind, property: &str) -> CheckResult {
        CheckResult {
            target: self.target.to_owned(),
            property: property.to_owned(),
            kind,
            verdict: Verdict::Holds,
            expected: None,
            violates: None,
            trace: Vec::new(),
            shortest: true,
            cycle: Vec::new(),
            fairness: self.query.fairness.unless_usual(kind),
            fair: true,
            holds_at_random: false,
            steps: Vec::new(),
            cycle_steps: Vec::new(),
            components: Vec::new(),
            reason: None,
            warnings: Vec::new(),
            coverage: None,
            states: 0,
            transitions: 0,
            equivalent_states_merged: false,
            is_final: false,
            bytes: None,
        }
    }

    fn result(&self, network: &Network, kind: Kind, property: &str, decision: Decision) -> CheckResult {
        let mut result = self.blank(kind, property);
        result.states = decision.explored.states;
        result.transitions = decision.explored.transitions;
        match decision.verdict {
            decide::Verdict::Holds(evidence) => {
                result.is_final = true;
                result.warnings =
                    evidence.vacuity.iter().filter_map(|vacuity| warning(network, kind, vacuity)).collect();
            }
            decide::Verdict::Violated(counterexample) => {
                result.verdict = Verdict::Violated;
                show(network, *counterexample, &mut result);
            }
            decide::Verdict::Unknown(reason) => {
                result.verdict = Verdict::Unknown;
                result.is_final = kind == Kind::Progress && reason == decide::Unknown::ErrorReachable;
                result.reason = Some(reason.to_string());
            }
        }
        result
    }
}

/// Shows a counterexample. A run can be long: its steps are given back as they are written down.
fn show(network: &Network, counterexample: Counterexample, result: &mut CheckResult) {
    result.trace = counterexample.trace_names().into_iter().map(str::to_owned).collect();
    result.shortest = counterexample.is_shortest;
    result.cycle = counterexample.cycle_names().into_iter().map(str::to_owned).collect();
    result.fair = counterexample.fair.is_some()
        || result.kind != Kind::Ltl
        || result.cycle.is_empty()
        || result.fairness == Some(Fairness::None);
    result.steps = counterexample.trace.into_iter().map(TraceStep::from).collect();
    result.cycle_steps = counterexample.cycle.into_iter().map(TraceStep::from).collect();
    result.components = network.components().iter().map(|component| component.name.clone()).collect();
    result.components.extend((!counterexample.free.is_empty()).then(|| "environment".to_owned()));
    if let Ending::Error(component) = counterexample.ending {
        result.violates = Some(name(network, component));
    }
    result.reason = match counterexample.ending {
        Ending::Terminated => Some("the target has ended".to_owned()),
        Ending::Deadlock if result.kind != Kind::Deadlock => Some("the target is stuck".to_owned()),
        Ending::Cycle if result.kind == Kind::Progress => Some(match counterexample.recurring.is_empty() {
            true => "only silent steps can occur any more".to_owned(),
            false => format!("only these can occur any more: {}", list(&counterexample.recurring)),
        }),
        _ => None,
    };
}

fn name(network: &Network, component: ComponentId) -> String {
    network.components()[component.index()].name.clone()
}

/// Some names, and how many more there are.
pub(crate) fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// What a way of holding vacuously means to the user; nothing where it has nothing to do with the question.
pub(crate) fn warning(network: &Network, kind: Kind, vacuity: &Vacuity) -> Option<String> {
    match vacuity {
        Vacuity::PropertyNeverActive(component) if kind == Kind::Safety => Some(format!(
            "property {} holds vacuously: none of its actions ever occurs",
            name(network, *component)
        )),
        Vacuity::ComponentNeverMoves(component) if kind == Kind::Deadlock => {
            Some(format!("component {} never does anything", name(network, *component)))
        }
        Vacuity::PropertyNeverActive(_) | Vacuity::ComponentNeverMoves(_) => None,
        Vacuity::ProgressWithoutActions => {
            Some("it holds vacuously: none of the actions exists, nor does the condition recur".to_owned())
        }
        Vacuity::ConditionWithoutActions => {
            Some("it holds vacuously: none of the actions of its condition exists".to_owned())
        }
        Vacuity::ConditionNeverRecurs => Some("it holds vacuously: its condition never recurs".to_owned()),
        Vacuity::PremiseNeverHolds(_) => None,
    }
}

/// An atom of an assertion in the user's words.
pub(crate) fn named(assertion: &Assertion, atom: AtomId) -> String {
    match &assertion.propositions[atom.index()] {
        Proposition::Fluent(fluent) => fluent.name.clone(),
        Proposition::Action(actions) if actions.len() == 1 => actions[0].clone(),
        Proposition::Action(actions) => format!("{{{}}}", list(actions)),
    }
}

/// The premises of an assertion that never hold, in the user's words.
fn vacuous_premises(assertion: &Assertion, decision: &Decision) -> Vec<String> {
    let decide::Verdict::Holds(evidence) = &decision.verdict else { return Vec::new() };
    let name = |atom: AtomId| named(assertion, atom);
    let premises = evidence.vacuity.iter().filter_map(|vacuity| match vacuity {
        Vacuity::PremiseNeverHolds(premise) => Some(premise.display(name).to_string()),
        _ => None,
    });
    premises.map(|premise| format!("it holds vacuously: its premise {premise} never holds")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter with a way into deadlock after a step, beside another one; the assertions need all of their states.
    const MODEL: &str = "\
const N = 20
range R = 0..N
COUNT = COUNT[0], COUNT[i:R] = (when (i < N) up -> COUNT[i + 1] | when (i == N) stay -> COUNT[i] | stop -> STOP).
||S = (a:COUNT || b:COUNT).
assert LIVE = []<>a.stay
assert SAFE = []!a.stay
";

    fn results(patience: usize, budget: Budget<'_>, only: &str) -> Vec<CheckResult> {
        let only = only.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        results_of(MODEL, &CheckQuery { only, ..CheckQuery::default() }, patience, budget)
    }

    fn results_of(model: &str, query: &CheckQuery, patience: usize, budget: Budget<'_>) -> Vec<CheckResult> {
        let project = Project::new("m.lts", model, Box::new(|_| Err("nothing".to_owned())));
        let mut meaning = Meaning::of(&project, budget);
        let target = meaning.target("S").expect("the model is right");
        let declared = Declared::new(&mut meaning, query).expect("the model is right");
        let checker = Checker { query, declared: &declared, also: &[], patience, target: "S" };
        let mut inquest = Inquest::new(checker, target.network, &budget);
        inquest.ask(budget).expect("runs can be replayed");
        inquest.into_results().collect()
    }

    #[test]
    fn fair_choice_in_reduced_components_violates_nothing() {
        // Two states that do the same: in one state a and b in turn would be fair, but in two each has to do both.
        let model = |copies: usize| {
            format!(
                "COIN = (a -> FLIP | b -> FLIP), FLIP = (a -> COIN | b -> COIN).\n\
                 ||S = ([1..{copies}]:COIN).\n\
                 assert TURNS = !([]([1].a -> X (![1].a U [1].b)) && []([1].b -> X (![1].b U [1].a)))"
            )
        };
        let verdict = |copies: usize, fairness: Fairness, limit: Option<usize>| {
            let query = CheckQuery { only: vec!["ltl".to_owned()], fairness, ..CheckQuery::default() };
            let budget = Budget::new(Limits { states: limit, bytes: None }, None);
            results_of(&model(copies), &query, PATIENCE, budget)[0].verdict
        };
        use Verdict::{Holds, Unknown, Violated};
        assert_eq!(verdict(2, Fairness::Choice, None), Holds);
        // With many copies the states are too many, but not those of the reduced components.
        assert_eq!(verdict(24, Fairness::Choice, Some(1000)), Unknown);
        // The others are about actions only.
        assert_eq!(verdict(24, Fairness::None, Some(1000)), Violated);
        assert_eq!(verdict(24, Fairness::Random, Some(1000)), Holds);
    }

    #[test]
    fn an_assertion_is_given_up_when_something_else_is_violated() {
        let told = |results: &[CheckResult]| -> Vec<(String, Verdict)> {
            results.iter().map(|result| (result.property.clone(), result.verdict)).collect()
        };
        let names = ["deadlock", "safety", "LIVE", "SAFE"].map(str::to_owned);
        let expected = |verdicts: [Verdict; 4]| names.iter().cloned().zip(verdicts).collect::<Vec<_>>();
        use Verdict::{Holds, Unknown, Violated};
        let patient = results(PATIENCE, Budget::UNLIMITED, "");
        assert_eq!(told(&patient), expected([Violated, Holds, Violated, Violated]));
        let hasty = results(30, Budget::UNLIMITED, "");
        assert_eq!(told(&hasty)[2..], expected([Violated, Holds, Unknown, Unknown])[2..]);
        for result in &hasty[2..] {
            let reason = result.reason.as_deref().expect("a reason");
            assert!(reason.contains("ask for it alone"), "{reason}");
            assert!(result.states > 30, "{} states", result.states);
        }
        // Alone, an assertion is searched for to the end.
        assert_eq!(told(&results(30, Budget::UNLIMITED, "LIVE"))[0].1, Violated);
        // A limit of the user's is told as such.
        let limits = Limits { states: Some(25), bytes: None };
        for result in &results(30, Budget::new(limits, None), "")[2..] {
            let reason = result.reason.as_deref().expect("a reason");
            assert!(reason.contains("limit on states"), "{reason}");
        }
    }
}
