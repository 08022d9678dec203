//! `verify` with the rules for interface automata: IA-Compat, IA-Prop, IA-AltRef, and the hybrid of the first two.

mod groups;
mod refusal;

use std::fmt;

use rely_assume::Effort;
use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{Certificate, Claim};
use rely_decide::{Counterexample, ReplayError, Verdict as Decided};
use rely_explore::{Product, count};
use rely_interface::{
    Aim, Answer, Blame, Fault, Inapplicable, Plan, Problem, Proof, Refuted, Source, verify as prove,
    verify_compatible,
};
use rely_lts::{InterfaceAutomaton, Network};
use rely_model::{Failure, PartTable};

use crate::explanation::{
    Details, Explanation, InterfaceTrail, add_sources, exercised, explain_interfaces, identities,
};
use crate::meaning::Meaning;
use crate::report::{Finding, Illegal, ProofAssumption, Report, TraceStep, Verdict, VerifyResult};
use crate::subject::{Scene, Subject, Unread, Wanted};
use crate::turns::in_turns;
use crate::verify::{Verified, as_expected};
use crate::{Algorithm, Internal, Project, explain};

use groups::groups;

/// A rule for interface automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterfaceRule {
    /// The parts are compatible.
    Compat,
    /// The parts are compatible, and with that a property is not broken.
    Prop,
    /// The parts refine a specification together.
    AltRef,
    /// The parts are compatible and a property is not broken, with a single assumption.
    Hybrid,
}

impl InterfaceRule {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Compat, Self::Prop, Self::AltRef, Self::Hybrid];

    /// The rule with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compat => "ia-compat",
            Self::Prop => "ia-prop",
            Self::AltRef => "ia-altref",
            Self::Hybrid => "ia-hybrid",
        }
    }
}

impl fmt::Display for InterfaceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where the answer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InterfaceMethod {
    /// The rule, with the weakest assumption.
    #[default]
    Direct,
    /// The rule, with an assumption that is learned.
    Learn(Algorithm),
    /// The product of everything, without a rule.
    Monolithic,
}

impl InterfaceMethod {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Learn(_) => "learn",
            Self::Monolithic => "monolithic",
        }
    }
}

/// What to prove of interface automata, and how.
pub struct InterfaceQuery<'a> {
    /// The system.
    pub system: String,
    /// The properties, for the rules about one; every property process among the parts if there are none.
    pub properties: Vec<String>,
    /// The specification, for IA-AltRef.
    pub specification: String,
    /// The parts of the first group; the first operand of the system if there are none.
    pub left: Vec<String>,
    /// The rule.
    pub rule: InterfaceRule,
    /// Where the answer comes from.
    pub method: InterfaceMethod,
    /// Whether an open system is asked about in every environment that keeps to its inputs.
    pub every_environment: bool,
    /// Whether an automaton may take internal steps before it takes what is sent to it.
    pub weak: bool,
    /// Whether the states of the premises are counted.
    pub sizes: bool,
    /// Whether evidence is wanted that takes another search.
    pub certify: bool,
    /// What is wanted beyond the answers.
    pub details: Details,
    /// The milliseconds since some moment.
    pub clock: &'a dyn Fn() -> u64,
}

/// Proves that interface automata are compatible, meet properties, or refine a specification; or finds runs against it.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn verify_interface(
    project: &Project,
    query: &InterfaceQuery<'_>,
    budget: Budget<'_>,
) -> Result<Verified, Internal> {
    as_expected(project, &query.system, budget, || answered(project, query, budget))
}

fn answered(project: &Project, query: &InterfaceQuery<'_>, budget: Budget<'_>) -> Result<Verified, Internal> {
    let verified = |results, claims, findings| Verified {
        report: Report::new("verify", results, findings),
        certificate: Certificate::new(claims),
        explanations: Vec::new(),
    };
    let mut meaning = Meaning::of(project, budget);
    let questions = Questions::read(&mut meaning, project, query, &budget);
    let failed = meaning.has_errors();
    let mut findings = meaning.findings();
    let questions = match questions {
        Ok(questions) if !failed => questions,
        Err(Unread::Exhausted(exhausted)) if !failed => {
            let mut result = blank(query, "");
            result.property = query.properties.first().map_or(query.rule.name(), String::as_str).to_owned();
            result.reason = Some(format!("a part that has to be built first: {exhausted}"));
            return Ok(verified(vec![result], Vec::new(), findings));
        }
        Err(Unread::Errors(more)) => {
            let more = more.into_iter().map(|finding| finding.or_about(project.name()));
            findings.extend(more.filter(|finding| !findings.contains(finding)).collect::<Vec<_>>());
            return Ok(verified(Vec::new(), Vec::new(), findings));
        }
        Ok(_) | Err(Unread::Exhausted(_)) => return Ok(verified(Vec::new(), Vec::new(), findings)),
    };
    let (mut results, mut claims, mut explanations) = (Vec::new(), Vec::new(), Vec::new());
    let answers = questions.answers(query, budget)?;
    for ((subject, problem), answer) in questions.problems.iter().zip(answers) {
        let asked = InterfaceQuestion { subject, problem, query, groups: &questions.groups, budget: &budget };
        match answer {
            Ok((mut result, claimed, trail)) => {
                let mut explanation = asked.detail(&mut result, &trail)?;
                if let Some(explanation) = &mut explanation {
                    explanation.identities = identities(&claimed);
                }
                explanations.extend(explanation);
                results.push(result);
                // That the parts are compatible is claimed once, however many properties there are.
                let is_new = |claim: &Claim| !claims.contains(claim);
                claims.extend(claimed.into_iter().filter(is_new).collect::<Vec<_>>());
            }
            Err(inapplicable) => {
                findings.push(asked.refusal(&inapplicable).or_about(project.name()));
                return Ok(verified(Vec::new(), Vec::new(), findings));
            }
        }
    }
    add_sources(&mut explanations, project, &questions.table);
    Ok(Verified { explanations, ..verified(results, claims, findings) })
}

/// What is asked of one system.
struct Questions {
    problems: Vec<(Subject, Problem)>,
    groups: [Vec<usize>; 2],
    /// All parts of the system.
    table: PartTable,
}

impl Questions {
    /// The answers to all questions, which share the time that is allowed.
    fn answers(
        &self,
        query: &InterfaceQuery<'_>,
        budget: Budget<'_>,
    ) -> Result<Vec<Result<Reported, Inapplicable>>, Internal> {
        let mut answers: Vec<Option<Result<Reported, Inapplicable>>> =
            self.problems.iter().map(|_| None).collect();
        let mut known = None;
        in_turns(0..answers.len(), budget, |number, share| {
            let (subject, problem) = &self.problems[number];
            let asked = InterfaceQuestion { subject, problem, query, groups: &self.groups, budget: &share };
            let mut answer = asked.answer(&mut known)?;
            if share.is_out_of_time() {
                // With more time it may be known whether the parts are compatible.
                known.take_if(|known| matches!(known, Answer::Unknown(_)));
            }
            let is_unknown = matches!(&answer, Ok((result, ..)) if result.verdict == Verdict::Unknown);
            if let (Ok((result, ..)), Some(Ok((earlier, ..)))) = (&mut answer, &answers[number]) {
                result.time_ms += earlier.time_ms;
            }
            answers[number] = Some(answer);
            Ok::<bool, Internal>(!(is_unknown && share.is_out_of_time()))
        })?;
        Ok(answers.into_iter().flatten().collect())
    }
}

impl Questions {
    fn read(
        meaning: &mut Meaning<'_>,
        project: &Project,
        query: &InterfaceQuery<'_>,
        budget: &Budget<'_>,
    ) -> Result<Self, Unread> {
        let scene = match Scene::read(meaning, std::slice::from_ref(&query.system), budget) {
            Ok(scene) => scene,
            Err(Failure::Exhausted(exhausted)) => return Err(Unread::Exhausted(exhausted)),
            Err(Failure::Errors) => return Err(Unread::Errors(Vec::new())),
        };
        if scene.has_priority {
            let message = format!("`{}` has priority, which no rule allows for", query.system);
            return Err(error(explain::INAPPLICABLE, &message, "check it with `rely compatible`"));
        }
        let groups = groups(&scene.system, &scene.table, query)?;
        let mut problems = Vec::new();
        for wanted in wanted(&scene, query)? {
            let names = vec![query.system.clone()];
            let (every_environment, weak) = (query.every_environment, query.weak);
            let subject = Subject { names, wanted, every_environment, weak };
            let problem = subject.problem(&scene, meaning, project, budget)?;
            problems.push((subject, problem));
        }
        Ok(Self { problems, groups, table: scene.table })
    }
}

fn error(code: rely_base::Code, message: &str, help: &str) -> Unread {
    let mut finding = Finding::without_place(code, message);
    finding.help = Some(help.to_owned());
    Unread::Errors(vec![finding])
}

/// What is asked, for each property that is meant.
fn wanted(scene: &Scene, query: &InterfaceQuery<'_>) -> Result<Vec<Wanted>, Unread> {
    let about_properties: fn(String) -> Wanted = match query.rule {
        InterfaceRule::Compat => return Ok(vec![Wanted::Compatible]),
        InterfaceRule::AltRef => return Ok(vec![Wanted::Refines(query.specification.clone())]),
        InterfaceRule::Prop => Wanted::Safe,
        InterfaceRule::Hybrid => Wanted::CompatibleAndSafe,
    };
    let own = |name: &str| -> Vec<String> {
        let full = scene.observers.iter().map(|observer| &observer.name);
        full.filter(|full| scene.table.is_called(full, name)).cloned().collect()
    };
    let mut names: Vec<String> = match query.properties.is_empty() {
        true => scene.observers.iter().map(|observer| observer.name.clone()).collect(),
        false => Vec::new(),
    };
    for name in &query.properties {
        match own(name) {
            found if found.is_empty() => names.push(name.clone()),
            found => names.extend(found),
        }
    }
    let mut seen: Vec<String> = Vec::new();
    names.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(name.clone());
        is_new
    });
    if names.is_empty() {
        let message = format!("`{}` has no property", query.system);
        let help = "add a property process to the composition, or name one with --property";
        return Err(error(explain::NOTHING_TO_VERIFY, &message, help));
    }
    Ok(names.into_iter().map(about_properties).collect())
}

/// One question and how it is answered.
struct InterfaceQuestion<'a> {
    subject: &'a Subject,
    problem: &'a Problem,
    query: &'a InterfaceQuery<'a>,
    groups: &'a [Vec<usize>; 2],
    budget: &'a Budget<'a>,
}

/// An answer, what can be claimed, and what there is to explain it with.
type Reported = (VerifyResult, Vec<Claim>, InterfaceTrail);

impl InterfaceQuestion<'_> {
    /// Answers the question. Whether the parts are compatible is known after the first property that was asked about.
    fn answer(&self, known: &mut Option<Answer>) -> Result<Result<Reported, Inapplicable>, Internal> {
        let started = (self.query.clock)();
        let source = match self.query.method {
            InterfaceMethod::Direct => Source::Direct,
            InterfaceMethod::Learn(algorithm) => Source::Learn(algorithm),
            InterfaceMethod::Monolithic => {
                if let Err(inapplicable) = self.problem.well_posed() {
                    return Ok(Err(inapplicable));
                }
                return self.on_the_product(started).map(Ok);
            }
        };
        let plan = Plan { source, groups: self.groups.clone(), most_words: None };
        let (answer, effort) = match self.by_rule(&plan, known) {
            Err(inapplicable) => return Ok(Err(inapplicable)),
            Ok(answered) => answered?,
        };
        let mut result = self.blank(started, effort);
        result.rule = Some(self.query.rule.name().to_owned());
        let names = |group: &Vec<usize>| -> Vec<String> {
            group.iter().map(|&part| self.problem.system.parts()[part].name.clone()).collect()
        };
        [result.left, result.right] = [names(&self.groups[0]), names(&self.groups[1])];
        let (mut claims, mut trail) = (Vec::new(), InterfaceTrail::default());
        match answer {
            Answer::Proved(proof) => {
                result.verdict = Verdict::Holds;
                claims = self.tell(&mut result, &proof, &mut trail);
            }
            Answer::Refuted(refuted) => {
                let Refuted { network, run, blame } = *refuted;
                self.refute(&mut result, &network, &run, blame.as_ref());
                trail.run = Some((network, run));
            }
            Answer::Unknown(exhausted) => result.reason = Some(exhausted.to_string()),
        }
        Ok(Ok((result, claims, trail)))
    }

    fn by_rule(
        &self,
        plan: &Plan,
        known: &mut Option<Answer>,
    ) -> Result<Result<(Answer, Effort), ReplayError>, Inapplicable> {
        if !matches!(self.problem.aim, Aim::Safe(_)) {
            return prove(self.problem, plan, self.budget);
        }
        self.problem.well_posed()?;
        let mut spent = Effort::default();
        let before = match known.take() {
            Some(before) => before,
            None => {
                match prove(&Problem { aim: Aim::Compatible, ..self.problem.clone() }, plan, self.budget)? {
                    Err(mistake) => return Ok(Err(mistake)),
                    Ok((answer, effort)) => {
                        spent = effort;
                        answer
                    }
                }
            }
        };
        let answered = match &before {
            Answer::Proved(proof) => verify_compatible(self.problem, plan, proof, self.budget)?,
            other => Ok((other.clone(), Effort::default())),
        };
        *known = Some(before);
        Ok(answered.map(|(answer, mut effort)| {
            effort.add(spent);
            (answer, effort)
        }))
    }

    fn blank(&self, started: u64, effort: Effort) -> VerifyResult {
        let mut result = blank(self.query, self.subject.wanted.name());
        result.time_ms = (self.query.clock)().saturating_sub(started);
        result.peak_states = effort.peak_states;
        result.queries = effort.queries;
        result.conjectures = effort.conjectures;
        let is_optimistic =
            matches!(self.subject.wanted, Wanted::Compatible) && !self.query.every_environment;
        if is_optimistic && !self.problem.system.is_closed() {
            result.warnings.push(format!(
                "{} is open: it is asked whether some environment keeps it compatible",
                self.query.system
            ));
        }
        result
    }

    /// One search of the product of everything; for a property, it looks for incompatibility as well.
    fn on_the_product(&self, started: u64) -> Result<Reported, Internal> {
        let (subject, problem) = match (&self.subject.wanted, &self.problem.aim) {
            (Wanted::Safe(name), Aim::Safe(goal)) => (
                Subject { wanted: Wanted::CompatibleAndSafe(name.clone()), ..self.subject.clone() },
                Problem { aim: Aim::CompatibleAndSafe(goal.clone()), ..self.problem.clone() },
            ),
            _ => (self.subject.clone(), self.problem.clone()),
        };
        let (decision, blame) = problem.check(self.budget)?;
        let mut effort = Effort::default();
        effort.held(decision.explored.states);
        let mut result = self.blank(started, effort);
        let network = problem.network();
        let (mut claims, mut trail) = (Vec::new(), InterfaceTrail::default());
        match decision.verdict {
            Decided::Holds(_) => {
                result.verdict = Verdict::Holds;
                if self.query.certify {
                    match subject.claim_on_the_product(&network, self.budget) {
                        Ok(claim) => claims.push(claim),
                        Err(exhausted) => {
                            result.warnings.push(format!("there is no certificate: {exhausted}"));
                        }
                    }
                }
            }
            Decided::Violated(run) => {
                self.refute(&mut result, &network, &run, blame.as_ref());
                trail.run = Some((network, *run));
            }
            Decided::Unknown(reason) => result.reason = Some(reason.to_string()),
        }
        Ok((result, claims, trail))
    }

    /// Adds what is wanted beyond an answer.
    fn detail(
        &self,
        result: &mut VerifyResult,
        trail: &InterfaceTrail,
    ) -> Result<Option<Explanation>, Internal> {
        let Details { explanation, coverage } = self.query.details;
        if !explanation && !coverage {
            return Ok(None);
        }
        let exercised = exercised(&self.problem.network(), &self.problem.goal_components(), self.budget)?;
        if coverage {
            result.coverage = Some(exercised.clone());
        }
        let explain = || explain_interfaces(self.problem, result, trail, exercised, self.budget);
        Ok(explanation.then(explain))
    }

    /// Shows a proof. For a property alone it is two: that the parts are compatible comes first.
    fn tell(&self, result: &mut VerifyResult, proof: &Proof, trail: &mut InterfaceTrail) -> Vec<Claim> {
        let compatible = Problem { aim: Aim::Compatible, ..self.problem.clone() };
        let before = Subject { wanted: Wanted::Compatible, ..self.subject.clone() };
        let mut proofs = vec![(self.subject, self.problem, proof)];
        if let Some(first) = &proof.compatible {
            proofs.insert(0, (&before, &compatible, first));
        }
        let mut claims = Vec::new();
        for (i, (subject, problem, proof)) in proofs.into_iter().enumerate() {
            let assumption = format!("A{}", i + 1);
            let premises = problem.aim.premises().map(|premise| premise.replace('A', &assumption));
            result.premises.extend(premises);
            result.assumptions.push(size(&proof.assumption));
            if self.query.sizes {
                result.premise_states.extend(self.sizes(problem, proof).unwrap_or_default());
            }
            claims.push(subject.claim(problem, proof.evidence(problem)));
            trail.proofs.push((problem.clone(), proof.clone()));
        }
        claims
    }

    fn sizes(&self, problem: &Problem, proof: &Proof) -> Result<[usize; 2], Exhausted> {
        let [first, second] = proof.premises(problem);
        let states = |network| count(&Product::new(network), self.budget).map(|size| size.states);
        Ok([states(&first)?, states(&second)?])
    }

    fn refute(
        &self,
        result: &mut VerifyResult,
        network: &Network,
        run: &Counterexample,
        blame: Option<&Blame>,
    ) {
        result.verdict = Verdict::Violated;
        result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
        // A rule stops at the first run that breaks its assumption, and that may be a longer one.
        result.shortest = run.is_shortest && (result.rule.is_none() || run.trace.len() < 2);
        result.steps = run.trace.iter().map(TraceStep::of).collect();
        result.components = network.components().iter().map(|component| component.name.clone()).collect();
        let parts = self.problem.system.parts();
        result.reason = match blame {
            Some(blame) => Some(Illegal::of(&self.problem.system, blame).to_string()),
            None => match Fault::of(self.problem, run) {
                Some(Fault::InputRefused { action, receiver: (part, state) }) => Some(format!(
                    "the specification takes {action}?, and {} cannot take it in its state {}",
                    parts[part].name,
                    state.index()
                )),
                Some(Fault::OutputNotAllowed { action, sender: (part, state) }) => Some(format!(
                    "{} sends {action}! in its state {}, and the specification does not allow it",
                    parts[part].name,
                    state.index()
                )),
                Some(Fault::Incompatible(_) | Fault::PropertyBroken { .. }) | None => None,
            },
        };
    }
}

fn size(assumption: &InterfaceAutomaton) -> ProofAssumption {
    let lts = assumption.lts();
    let alphabet = lts.alphabet().sorted_names().into_iter().map(str::to_owned).collect();
    ProofAssumption { states: lts.proper_state_count(), alphabet }
}

fn blank(query: &InterfaceQuery<'_>, property: &str) -> VerifyResult {
    VerifyResult::unknown(&query.system, property, query.method.name())
}
