//! `check`: deadlock, safety, progress, assertions and divergence of targets.

use std::borrow::Cow;

use rely_base::{Budget, Id, Limits};
use rely_decide::{self as decide, Counterexample, Decision, Ending, Vacuity};
use rely_fsp::{Failure, ProgressProperty};
use rely_lts::{ComponentId, Network};
use rely_omega::{Assertion, AtomId, Proposition};

use crate::absent::absent_actions;
use crate::expect::Expectations;
use crate::explanation::exercised;
use crate::meaning::{Meaning, is_made_by};
use crate::parts::ids;
use crate::report::{CheckResult, CoverageResult, Finding, Kind, Level, Report, TraceStep, Verdict};
use crate::{Internal, Project};

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
}

impl CheckQuery {
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
    let mut results = Vec::new();
    for Asked { target: name, query, declared, also } in Asked::all(names, query, &declared, &expectations) {
        let target = meaning.target(&name);
        if meaning.has_errors() || !unknown.is_empty() {
            continue;
        }
        let (query, declared) = (query.as_ref(), declared.as_ref());
        let checker = Checker { query, declared, also: &also, budget, patience: PATIENCE, target: &name };
        match (&target, &exhausted) {
            (Err(Failure::Exhausted(exhausted)), _) | (_, Some(exhausted)) => {
                results.extend(checker.unknown(&exhausted.to_string()));
            }
            (Ok(target), None) => results.extend(checker.run(&target.network)?),
            (Err(Failure::Errors), None) => {}
        }
    }
    let failed = meaning.has_errors();
    let only_properties_fail = readable && meaning.error_count() == errors_of_properties;
    let mut findings = meaning.findings();
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

/// At least so many states are looked at for an assertion when something else has been found to be violated.
const PATIENCE: usize = decide::Inquiry::USUAL.patience;

/// Checks one target.
struct Checker<'a> {
    query: &'a CheckQuery,
    declared: &'a Declared,
    /// Properties that are asked for beyond the query.
    also: &'a [String],
    budget: Budget<'a>,
    /// See [`PATIENCE`].
    patience: usize,
    /// The name of the target.
    target: &'a str,
}

impl Checker<'_> {
    /// Asks the questions; first, where it promises to be much quicker, of the network with reduced components.
    ///
    /// The two networks are strongly bisimilar, so the answers are the same. Traces are looked for in the components
    /// as they are written, as long as the limits allow it.
    fn run(&self, network: &Network) -> Result<Vec<CheckResult>, Internal> {
        let Some(condensed) = self.condensed(network) else { return self.ask(network) };
        let quick = self.ask(&condensed)?;
        if quick.iter().all(|result| result.verdict == Verdict::Holds) {
            return Ok(quick);
        }
        let full = self.ask(network)?;
        let better = |(quick, full): (CheckResult, CheckResult)| {
            let settled = quick.verdict == Verdict::Holds || full.verdict == Verdict::Unknown;
            if settled { quick } else { full }
        };
        Ok(quick.into_iter().zip(full).map(better).collect())
    }

    /// The network with reduced components, if it is large and that makes it much smaller.
    fn condensed(&self, network: &Network) -> Option<Network> {
        const LARGE: f64 = 20.0;
        const MUCH: f64 = 4.0;
        if network.potential() < LARGE {
            return None;
        }
        let condensed = network.condensed(&self.budget).ok()?;
        (condensed.potential() + MUCH <= network.potential()).then_some(condensed)
    }

    /// Whether a kind is asked for that is not checked otherwise.
    fn asks_for(&self, kind: &str) -> bool {
        self.query.asks_for(kind) || self.also.iter().any(|word| word == kind)
    }

    fn ask(&self, network: &Network) -> Result<Vec<CheckResult>, Internal> {
        let mut results = Vec::new();
        let mut known = None;
        if self.query.wants_kind("deadlock") || self.query.wants_kind("safety") {
            let mut inquiry = match self.query.no_reduction {
                true => decide::Inquiry::ALL_STATES,
                false => decide::Inquiry::USUAL,
            };
            inquiry.deadlock = self.query.wants_kind("deadlock");
            inquiry.safety = self.query.wants_kind("safety");
            let reachability = inquiry.check(network, &self.budget)?;
            known = reachability.can_fail.then_some(Decision {
                verdict: decide::Verdict::Unknown(decide::Unknown::ErrorReachable),
                explored: reachability.safety.explored,
            });
            if self.query.wants_kind("deadlock") {
                let mut result = self.result(network, Kind::Deadlock, "deadlock", reachability.deadlock);
                if reachability.can_fail {
                    // A component may move in the step into the error alone.
                    result.warnings.clear();
                }
                results.push(result);
            }
            if self.query.wants_kind("safety") {
                let mut result = self.result(network, Kind::Safety, "safety", reachability.safety);
                if self.query.coverage {
                    result.coverage = Some(self.coverage(network)?);
                }
                results.push(result);
            }
            results.iter_mut().for_each(|result| result.bytes = Some(reachability.bytes));
        }
        results.extend(self.progress(network, known.as_ref())?);
        for assertion in &self.declared.assertions {
            let budget = self.budget_after(&results);
            let mut outcome = decide::check_ltl(network, assertion, &budget)?;
            if budget.max_states() < self.budget.max_states() {
                outcome.decision.give_up();
            }
            let warnings = vacuous_premises(assertion, &outcome.decision);
            let mut result = self.result(network, Kind::Ltl, &assertion.name, outcome.decision);
            result.warnings = warnings;
            if let Some(open) = &outcome.open {
                result.reason = Some(open.to_string());
            }
            if !outcome.free.is_empty() {
                result.warnings.insert(0, free_to_occur(&outcome.free));
            }
            results.push(result);
        }
        if self.asks_for("divergence") {
            let decision = decide::check_divergence(network, &self.budget)?;
            results.push(self.result(network, Kind::Divergence, "divergence", decision));
        }
        Ok(results)
    }

    /// The budget for an assertion. Where a violation is known, the target has to be mended anyway, and the search is given
    /// up after several times the states that it took, as it is for deadlocks and errors in one search.
    fn budget_after(&self, results: &[CheckResult]) -> Budget<'_> {
        let violated = results.iter().filter(|result| result.verdict == Verdict::Violated);
        let Some(states) = violated.map(|result| result.states).min() else { return self.budget };
        let most = self.patience.max(states.saturating_mul(4));
        self.budget.narrowed(Limits { states: Some(most), bytes: None })
    }

    /// What is exercised; whatever can fail is a property.
    fn coverage(&self, network: &Network) -> Result<CoverageResult, Internal> {
        let can_fail = |id: &ComponentId| network.components()[id.index()].lts.error().is_some();
        let properties: Vec<ComponentId> = ids(network).filter(can_fail).collect();
        exercised(network, &properties, &self.budget)
    }

    /// Progress; where an error is known to be reachable, that is all there is to say.
    fn progress(&self, network: &Network, known: Option<&Decision>) -> Result<Vec<CheckResult>, Internal> {
        if self.declared.no_progress {
            if !self.asks_for("progress") {
                return Ok(Vec::new());
            }
            let decision = match known {
                Some(known) => known.clone(),
                None => decide::check_default_progress(network, &self.budget)?,
            };
            return Ok(vec![self.result(network, Kind::Progress, "progress", decision)]);
        }
        let properties: Vec<decide::ProgressProperty> = self
            .declared
            .progress
            .iter()
            .map(|property| decide::ProgressProperty {
                name: property.name.clone(),
                condition: property.condition.clone(),
                actions: property.actions.clone(),
            })
            .collect();
        if properties.is_empty() {
            return Ok(Vec::new());
        }
        let decisions = match known {
            Some(known) => vec![known.clone(); properties.len()],
            None => decide::check_progress(network, &properties, &self.budget)?,
        };
        let mut results = Vec::new();
        for (property, decision) in self.declared.progress.iter().zip(decisions) {
            let mut result = self.result(network, Kind::Progress, &property.name, decision);
            // What holds for want of actions has a warning of its own.
            if result.warnings.is_empty() {
                result.warnings.extend(absent_actions(network, property));
            }
            results.push(result);
        }
        Ok(results)
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
            steps: Vec::new(),
            cycle_steps: Vec::new(),
            components: Vec::new(),
            reason: None,
            warnings: Vec::new(),
            coverage: None,
            states: 0,
            transitions: 0,
            bytes: None,
        }
    }

    fn result(&self, network: &Network, kind: Kind, property: &str, decision: Decision) -> CheckResult {
        let mut result = self.blank(kind, property);
        result.states = decision.explored.states;
        result.transitions = decision.explored.transitions;
        match decision.verdict {
            decide::Verdict::Holds(evidence) => {
                result.warnings =
                    evidence.vacuity.iter().filter_map(|vacuity| warning(network, kind, vacuity)).collect();
            }
            decide::Verdict::Violated(counterexample) => {
                result.verdict = Verdict::Violated;
                show(network, *counterexample, &mut result);
            }
            decide::Verdict::Unknown(reason) => {
                result.verdict = Verdict::Unknown;
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

/// What it means that no component has some actions.
pub(crate) fn free_to_occur(actions: &[String]) -> String {
    let are = if actions.len() == 1 { "it is" } else { "they are" };
    format!("no component has {}: {are} free to occur at any time", list(actions))
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
        Vacuity::PremiseNeverHolds(_) => None,
    }
}

/// The premises of an assertion that never hold, in the user's words.
fn vacuous_premises(assertion: &Assertion, decision: &Decision) -> Vec<String> {
    let decide::Verdict::Holds(evidence) = &decision.verdict else { return Vec::new() };
    let name = |atom: AtomId| match &assertion.propositions[atom.index()] {
        Proposition::Fluent(fluent) => fluent.name.clone(),
        Proposition::Action(actions) if actions.len() == 1 => actions[0].clone(),
        Proposition::Action(actions) => format!("{{{}}}", list(actions)),
    };
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
        let project = Project::new("m.lts", MODEL, Box::new(|_| Err("nothing".to_owned())));
        let only = only.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let query = CheckQuery { only, ..CheckQuery::default() };
        let mut meaning = Meaning::of(&project, budget);
        let target = meaning.target("S").expect("the model is right");
        let declared = Declared::new(&mut meaning, &query).expect("the model is right");
        let checker =
            Checker { query: &query, declared: &declared, also: &[], budget, patience, target: "S" };
        checker.run(&target.network).expect("runs can be replayed")
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
