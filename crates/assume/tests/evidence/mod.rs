//! Evidence for claims that components do not fail, of every kind that there is, and what the judge says to it.

use std::sync::Arc;

use rely_assume::{
    Algorithm, Alphabets, Answer, Effort, Judgeable, Localisation, Method, Plan, Problem, Proof, Reduction,
    Rule, Whole, parts_of, verify,
};
use rely_base::{Budget, Id};
use rely_certificate::{
    Claim, Decomposition, Evidence, PremiseReduction, Property, ReductionProof, Rejection, check,
    problem_of_premise,
};
use rely_lts::{ComponentId, Lts, LtsBuilder, Network};
use rely_testkit::rng::Rng;

use crate::groups::random_groups;

pub(crate) const ANY: Budget<'static> = Budget::UNLIMITED;

/// Where evidence comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// The judge is left to search the whole network.
    Search,
    /// A rule with assumptions.
    Rule(Rule),
    /// A rule whose premises are shown by reductions.
    Reduced(Rule),
    /// A reduction of the whole network.
    Reduction,
    /// A reduction of the parts that matter.
    Localisation,
}

impl Way {
    pub(crate) const ALL: [Self; 15] = [
        Self::Search,
        Self::Reduction,
        Self::Localisation,
        Self::Rule(Rule::ALL[0]),
        Self::Rule(Rule::ALL[1]),
        Self::Rule(Rule::ALL[2]),
        Self::Rule(Rule::ALL[3]),
        Self::Rule(Rule::ALL[4]),
        Self::Rule(Rule::ALL[5]),
        Self::Reduced(Rule::ALL[0]),
        Self::Reduced(Rule::ALL[1]),
        Self::Reduced(Rule::ALL[2]),
        Self::Reduced(Rule::ALL[3]),
        Self::Reduced(Rule::ALL[4]),
        Self::Reduced(Rule::ALL[5]),
    ];
}

/// The statement that no component of a goal fails before anything else has, observers set aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    pub(crate) goal: Vec<ComponentId>,
    pub(crate) observers: Vec<ComponentId>,
}

impl Statement {
    /// What the judge says to evidence for the statement about a network.
    pub(crate) fn judge(&self, network: &Network, evidence: Evidence) -> Result<(), Rejection> {
        let property = Property::Unbroken { name: "P", components: &self.goal, observers: &self.observers };
        let claim = Claim::new("S", network, &property, evidence);
        check(&claim, network, &property, &ANY)
    }

    /// The question to the engine.
    pub(crate) fn problem(&self, network: &Network) -> Problem {
        Problem::new("P", network, &self.goal, &self.observers)
    }

    pub(crate) fn parts(&self, network: &Network) -> Vec<ComponentId> {
        parts_of(network, &self.goal, &self.observers)
    }

    /// Evidence that the engine finds in a way; nothing if the way does not lead to a proof. A search always does, and
    /// what comes of it is the judge's affair.
    pub(crate) fn prove(&self, network: &Network, way: Way, rng: &mut Rng) -> Option<Evidence> {
        let parts = self.parts(network);
        match way {
            Way::Search => {
                let components = network.components().len();
                let whole = Decomposition::monolithic(components, &self.goal, &self.observers);
                Some(Evidence::Composition(whole))
            }
            Way::Rule(rule) => Some(self.by_rule(network, rule, rng)?.evidence(&parts, &self.goal)),
            Way::Reduced(rule) => {
                let evidence = self.by_rule(network, rule, rng)?.evidence(&parts, &self.goal);
                let Evidence::Composition(decomposition) = evidence else { panic!("a rule was used") };
                Some(Evidence::Composition(with_reductions(network, decomposition)))
            }
            Way::Reduction => reduced(network, &self.problem(network), &parts, &self.goal),
            Way::Localisation => self.localised(network),
        }
    }

    /// A proof by a rule, for random groups of the parts.
    pub(crate) fn by_rule(&self, network: &Network, rule: Rule, rng: &mut Rng) -> Option<Proof> {
        let problem = self.problem(network);
        if problem.parts.len() < 2 {
            return None;
        }
        let groups = random_groups(rng, rule, problem.parts.len());
        let method = if rng.chance(1, 2) { Method::Direct } else { Method::Learn(Algorithm::LStar) };
        let plan = Plan { rule, method, groups, alphabets: Alphabets::Whole, most_words: None };
        plan.applies_to(&problem).ok()?;
        match verify(&problem, &plan, &ANY).expect("a run can be replayed").0 {
            Answer::Proved(proof) => Some(proof),
            Answer::Refuted(_) => None,
            Answer::Unknown(_) => panic!("there is no limit"),
        }
    }

    fn localised(&self, network: &Network) -> Option<Evidence> {
        let problem = self.problem(network);
        let mut localisation = Localisation::new(&problem);
        let outcome = localisation.run_for(usize::MAX, &problem, &ANY, &mut Effort::default());
        let Ok(Answer::Proved(())) = outcome else { return None };
        let whole = Whole { network, parts: &self.parts(network), goal: &self.goal };
        let inside: Vec<usize> = localisation.inside().collect();
        match whole.evidence_of_parts(&problem, &inside, &ANY).expect("there is no limit") {
            Judgeable::ByReduction(proof) => Some(Evidence::Reduction(proof)),
            Judgeable::ByProduct | Judgeable::Dear => None,
        }
    }
}

/// The evidence of a reduction, if it proves the problem.
fn reduced(
    network: &Network,
    problem: &Problem,
    parts: &[ComponentId],
    goal: &[ComponentId],
) -> Option<Evidence> {
    let mut reduction = Reduction::new(problem);
    if reduction.run(&ANY, &mut Effort::default()).expect("there is no limit") {
        return None;
    }
    let whole = Whole { network, parts, goal };
    let proof = whole.reduction_evidence(reduction.compositions(), &ANY).expect("there is no limit");
    Some(Evidence::Reduction(proof?))
}

/// The decomposition with a reduction for each premise that has one.
pub(crate) fn with_reductions(network: &Network, mut decomposition: Decomposition) -> Decomposition {
    for premise in 0..decomposition.premises.len() {
        decomposition.reductions.extend(
            reduction_of_premise(network, &decomposition, premise)
                .map(|proof| PremiseReduction { premise, proof }),
        );
    }
    decomposition
}

fn reduction_of_premise(
    network: &Network,
    decomposition: &Decomposition,
    premise: usize,
) -> Option<ReductionProof> {
    let (systems, goal) = problem_of_premise(network, decomposition, premise, &ANY).ok()??;
    let problem = Problem::new("", &systems, &goal, &[]);
    let parts = parts_of(&systems, &goal, &[]);
    match reduced(&systems, &problem, &parts, &goal)? {
        Evidence::Reduction(proof) => Some(proof),
        _ => panic!("it is the evidence of a reduction"),
    }
}

/// The network in which some components leave out the steps by which they would fail, and with them what others would do
/// in these steps. Nothing that is proved of it is a proof for the network as it is.
pub(crate) fn with_cut(network: &Network, is_cut: impl Fn(usize) -> bool) -> Network {
    network.clone().with_behaviours(|id, lts| match is_cut(id.index()) {
        true => Arc::new(cut(lts)),
        false => Arc::clone(lts),
    })
}

/// The component without the steps to its error state. States keep their numbers.
fn cut(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    for transition in lts.transitions().filter(|transition| Some(transition.target) != lts.error()) {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder.build()
}
