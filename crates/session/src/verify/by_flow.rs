//! `verify --engine flow`: assume-guarantee reasoning about the flow graphs of two groups of tasks.
//!
//! **Problem.** A proof from parts needs parts that are small. A group of tasks as it is has as many states as there are ways for
//! its tasks to be anywhere together.
//!
//! **Idea.** Each group is replaced by its flow graph, made a component: what one of its tasks does with a task of the other group
//! keeps its name, and so does what the property or a constraint sees; everything else is passed over. Every run of the
//! program is one of the two graphs beside each other, with the constraints, so a proof about these is one about the program, by
//! whatever rule. The other group is the environment: what the graph leaves open, it may do in any order.
//!
//! **The premises are not alike.** A variable that tasks of both groups touch belongs to the first group. So the first premise knows
//! its value, with the events of the second group that assign to it or test it among the actions of the assumption; the second
//! premise, about the second group alone, must not: without the assignments of the first group it would rule out what happens.
//!
//! A run that breaks the property may be none of the program: it is an answer only if a run of the program has the same events.
//!
//! *Source*: Cobleigh's dissertation on learned assumptions, 4.3.

use rely_assume::{Approach, Hints, Problem, Strategy, prove};
use rely_base::{Budget, Exhausted};
use rely_lts::operators::{hide, relabel};
use rely_lts::{Component, Lts, Network};
use rely_model::{FlowModel, Target, compose};

use super::evidence::Claimed;
use super::questions::{Question, Questions};
use super::{Reported, VerifyQuery, blank};
use crate::certify::{Rests, choose_evidence_in};
use crate::check::{Concrete, FlowSearch, made_concrete};
use crate::engine::Constraints;
use crate::explanation::{Explanation, Trail};
use crate::report::{TraceStep, Verdict, VerifyResult};
use crate::{Internal, Project};

/// A run is looked for among at most this many states; a run of the graphs fixes the order of all that the property sees.
const STATES_FOR_A_RUN: usize = 500_000;

/// Two groups of tasks, and the constraints, all by number.
struct Split {
    groups: [Vec<usize>; 2],
    constraints: Vec<usize>,
}

/// An answer by flow graphs, with what was asked for besides.
pub(super) struct Answer {
    pub(super) result: VerifyResult,
    pub(super) explanation: Option<Explanation>,
    /// What is claimed, if it holds and a certificate is wanted.
    pub(super) claim: Option<Claimed>,
}

impl Questions {
    /// The answer to a question by flow graphs.
    pub(super) fn by_flow(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        (project, model): (&Project, &dyn FlowModel),
        choice: &Constraints,
        budget: Budget<'_>,
    ) -> Result<Answer, Internal> {
        let unknown = |reason: &str| {
            let result = blank(query, &question.name);
            let result = VerifyResult { reason: Some(reason.to_owned()), ..result };
            Answer { result, explanation: None, claim: None }
        };
        let [goal] = &question.problem.goal.components[..] else {
            return Ok(unknown("flow analysis is about one property at a time"));
        };
        let split = self.split(goal, model, choice);
        if split.groups.iter().any(Vec::is_empty) {
            return Ok(unknown(
                "there are too few tasks to split: all of them, or none, are in the first group",
            ));
        }
        let (parts, left) = match self.flow_parts(&goal.lts, &split, model, &budget) {
            Ok(parts) => parts,
            Err(exhausted) => return Ok(unknown(&exhausted.to_string())),
        };
        let problem = Problem { parts, goal: question.problem.goal.clone(), composites: Vec::new() };
        let VerifyQuery { strategy, rule, algorithm, alphabets, .. } = *query;
        let approach = Approach { strategy, rule, algorithm, alphabets, left: &left };
        let answered = prove(&problem, &approach, &Hints::default(), &budget)?;
        let abstracted = Question {
            name: question.name.clone(),
            whole: problem.parts.clone(),
            problem,
            parts: Vec::new(),
            goal: Vec::new(),
            observers: Vec::new(),
        };
        let Reported { mut result, trail, .. } = self.reported(&abstracted, query, answered, &budget);
        let (mut explanation, mut claim) = (None, None);
        match result.verdict {
            Verdict::Holds => {
                let names: Vec<&str> = abstracted.whole.iter().map(|part| &*part.name).collect();
                result.reason = Some(format!("by flow analysis: the parts are {}", names.join(", ")));
                explanation = self.detail(&abstracted, query, &mut result, &trail, &budget)?;
                if query.certify {
                    claim = Some(self.claim_by_flow(question, query, project, &split, model, &budget));
                }
            }
            Verdict::Violated => self.concrete(goal, question, &mut result, &budget)?,
            Verdict::Unknown => {}
        }
        Ok(Answer { result, explanation, claim })
    }

    /// What is claimed about the program. The judge follows the tasks of both groups with the constraints by itself, and
    /// knows nothing of the assumption; where it is not as precise as the graphs, it searches the program.
    fn claim_by_flow(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        project: &Project,
        split: &Split,
        model: &dyn FlowModel,
        budget: &Budget<'_>,
    ) -> Claimed {
        let search = |query: &VerifyQuery<'_>| {
            self.claim(question, query, Strategy::Monolithic, None, &Trail::default(), budget)
        };
        let mut claimed = search(&VerifyQuery { certify: false, ..query.clone() });
        let name_of = |component: &usize| self.network.components()[*component].name.clone();
        let constraints = split.constraints.iter().map(|&it| model.constraints()[it].name.clone()).collect();
        let rests = Rests { followed: split.groups.iter().flatten().map(name_of).collect(), constraints };
        match choose_evidence_in(project, &mut claimed.claim, &rests, *budget) {
            true => claimed,
            false => search(query),
        }
    }

    /// The first group is that of the user, or tasks that do everything which the property sees.
    fn split(&self, goal: &Component, model: &dyn FlowModel, choice: &Constraints) -> Split {
        let threads = model.threads();
        let name_of = |thread: &usize| self.network.components()[*thread].name.as_str();
        let first: Vec<usize> = match self.left.is_empty() {
            true => FlowSearch::cover(model, &goal.lts),
            false => threads
                .iter()
                .copied()
                .filter(|it| self.left.iter().any(|left| left == name_of(it)))
                .collect(),
        };
        let second = threads.iter().copied().filter(|thread| !first.contains(thread)).collect();
        let all = 0..model.constraints().len();
        let touches = |number: &usize| {
            let variable = model.constraints()[*number].variable.as_ref();
            variable.is_some_and(|lts| touched_by(lts, &first, model))
        };
        let constraints = match choice {
            Constraints::None => Vec::new(),
            Constraints::Auto => all.filter(touches).collect(),
            Constraints::Named(names) => {
                let named =
                    |number: &usize| names.iter().any(|name| FlowSearch::named(model, name).contains(number));
                all.filter(named).collect()
            }
        };
        Split { groups: [first, second], constraints }
    }

    /// The components that stand for the groups and constraints, and the names of those of the first group.
    fn flow_parts(
        &self,
        property: &Lts,
        split: &Split,
        model: &dyn FlowModel,
        budget: &Budget<'_>,
    ) -> Result<(Vec<Component>, Vec<String>), Exhausted> {
        let variables: Vec<(&str, &Lts)> = split
            .constraints
            .iter()
            .filter_map(|&number| {
                let constraint = &model.constraints()[number];
                Some((&*constraint.name, constraint.variable.as_ref()?))
            })
            .collect();
        let seen: Vec<&Lts> = [property].into_iter().chain(variables.iter().map(|(_, lts)| *lts)).collect();
        let mut parts = Vec::new();
        let mut left = Vec::new();
        for group in &split.groups {
            let open = model.slice(group, budget)?.open(&seen, &split.constraints);
            let names: Vec<&str> = group.iter().map(|&it| &*self.network.components()[it].name).collect();
            let name = names.join("+");
            let graph = compose(&Target::of_processes(&name, open.network), budget)?;
            let named = hide(&relabel(&graph, &open.names), |name| open.hidden.contains(name));
            if left.is_empty() {
                left.push(name.clone());
            }
            parts.push(Component::new(name, named));
        }
        for (name, lts) in variables {
            if touched_by(lts, &split.groups[0], model) {
                left.push(name.to_owned());
            }
            parts.push(Component::new(name, lts.clone()));
        }
        Ok((parts, left))
    }

    /// Looks for a run of the program with the events of a run of the graphs.
    fn concrete(
        &self,
        goal: &Component,
        question: &Question,
        result: &mut VerifyResult,
        budget: &Budget<'_>,
    ) -> Result<(), Internal> {
        let exact = Network::new(question.whole.clone());
        let names: Vec<&str> = result.trace.iter().map(String::as_str).collect();
        let found = made_concrete(&exact, goal, &names, STATES_FOR_A_RUN, budget)?;
        let what = match found {
            Concrete::Run(found) => {
                let (behaviour, run) = *found;
                result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
                let step = |step: &rely_decide::Step| TraceStep::new(step.clone(), &behaviour, &self.states);
                result.steps = run.trace.iter().map(step).collect();
                result.components = behaviour.part_names().into_iter().map(str::to_owned).collect();
                result.shortest = false;
                result.cause = None;
                return Ok(());
            }
            Concrete::None => "the path below is no run of the program",
            Concrete::Open => "it is not known whether the path below is a run of the program",
        };
        result.verdict = Verdict::Unknown;
        result.cause = None;
        result.reason = Some(format!("{what}; more constraints may rule it out"));
        Ok(())
    }
}

/// Whether a task of a group reads or writes a variable.
fn touched_by(variable: &Lts, group: &[usize], model: &dyn FlowModel) -> bool {
    let doers = variable.alphabet().names().flat_map(|name| model.threads_of(name));
    doers.flatten().any(|thread| group.contains(&thread))
}
