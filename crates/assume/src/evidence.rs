//! Proofs as the evidence of certificates.
//!
//! A proof is found on parts that have been reduced, but its premises are about languages over actions that the
//! reduction keeps, so they are true of the parts as they are written. The judge of [`rely_certificate`] knows the rules
//! by itself; here the premises are only written down. But they were searched on what the reduction left, and the judge has
//! nothing but the parts themselves. So a premise that is much work there gets a reduction of its own.

use rely_base::{Budget, Id};
use rely_certificate::{self as certificate, Decomposition, Evidence, PremiseReduction, Reference};
use rely_lts::{ComponentId, Network};

use crate::reduce::FEW;
use crate::{Guarantee, Judgeable, Premise, Problem, Proof, Whole};

/// The components of a network that become the parts of [`crate::Problem::new`] with the same arguments, in order.
pub fn parts_of(network: &Network, goal: &[ComponentId], observers: &[ComponentId]) -> Vec<ComponentId> {
    let components = (0..network.components().len()).map(ComponentId::from_index);
    components.filter(|component| !goal.contains(component) && !observers.contains(component)).collect()
}

impl Proof {
    /// The proof for a certificate about a network: which of its components each part of the problem is, and which
    /// make up the goal, both in order. A chain of one group is a search of the whole.
    pub fn evidence(&self, parts: &[ComponentId], goal: &[ComponentId]) -> Evidence {
        Evidence::Composition(self.decomposition(parts, goal))
    }

    /// The proof for a certificate, with reductions of those premises that would be more work to search. Also the number of
    /// premises for which neither is known to be little work, or a limit was met before that was known.
    pub fn reduced_evidence(&self, whole: &Whole<'_>, budget: &Budget<'_>) -> (Evidence, usize) {
        self.reduced_evidence_beyond(FEW, whole, budget)
    }

    /// [`Self::reduced_evidence`], where a premise with at most `few` states is searched in any case.
    fn reduced_evidence_beyond(
        &self,
        few: usize,
        whole: &Whole<'_>,
        budget: &Budget<'_>,
    ) -> (Evidence, usize) {
        let mut decomposition = self.decomposition(whole.parts, whole.goal);
        let mut dear = 0;
        for premise in 0..decomposition.premises.len() {
            match judgeable(whole.network, &decomposition, premise, few, budget) {
                Judgeable::ByReduction(proof) => {
                    decomposition.reductions.push(PremiseReduction { premise, proof });
                }
                Judgeable::ByProduct => {}
                Judgeable::Dear => dear += 1,
            }
        }
        (Evidence::Composition(decomposition), dear)
    }

    fn decomposition(&self, parts: &[ComponentId], goal: &[ComponentId]) -> Decomposition {
        let assumptions: Vec<certificate::Assumption> =
            self.assumptions.iter().map(|assumption| certificate::Assumption::of(assumption.lts())).collect();
        let numbers = |group: &Vec<usize>| group.iter().map(|&part| parts[part].index()).collect();
        let premises = self.rule.premises(self.groups.len());
        let groups: Vec<Vec<usize>> = self.groups.iter().map(numbers).collect();
        Decomposition {
            by: if groups.len() == 1 { "monolithic" } else { self.rule.name() }.to_owned(),
            goal: goal.iter().map(|component| component.index()).collect(),
            premises: premises.into_iter().map(|premise| written(premise, &groups, &assumptions)).collect(),
            groups,
            assumptions,
            reductions: Vec::new(),
        }
    }
}

/// How a premise is least work to judge.
fn judgeable(
    network: &Network,
    decomposition: &Decomposition,
    premise: usize,
    few: usize,
    budget: &Budget<'_>,
) -> Judgeable {
    match certificate::problem_of_premise(network, decomposition, premise, budget) {
        Ok(None) => Judgeable::ByProduct,
        Ok(Some((systems, goal))) => {
            let problem = Problem::new("", &systems, &goal, &[]);
            let parts = parts_of(&systems, &goal, &[]);
            let all: Vec<usize> = (0..parts.len()).collect();
            let whole = Whole { network: &systems, parts: &parts, goal: &goal };
            whole.evidence_beyond(few, &problem, &all, budget).unwrap_or(Judgeable::Dear)
        }
        Err(_) => Judgeable::Dear,
    }
}

/// A premise with the components of its group and the digests of the assumptions that it speaks about.
fn written(
    premise: Premise,
    groups: &[Vec<usize>],
    assumptions: &[certificate::Assumption],
) -> certificate::Premise {
    let reference = |assumption: usize| Decomposition::reference(assumptions, assumption);
    match premise {
        Premise::Triple { assumes, group, guarantees } => certificate::Premise::Triple {
            assumes: assumes.map(reference),
            group,
            components: groups[group].clone(),
            guarantees: match guarantees {
                Guarantee::Goal => certificate::Guarantee::Goal,
                Guarantee::Conjunct(half) => certificate::Guarantee::Half(half),
                Guarantee::Assumption(assumption) => certificate::Guarantee::Within(reference(assumption)),
            },
        },
        Premise::NoneOutside => {
            let all: Vec<Reference> = (0..assumptions.len()).map(reference).collect();
            certificate::Premise::Outside(all)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rely_base::Budget;
    use rely_certificate::{Claim, Property, Rejection, check};
    use rely_lts::Component;
    use rely_testkit::networks::{self, Shape};
    use rely_testkit::rng::{Rng, is_single_seed, seeds};

    use super::*;
    use crate::{Algorithm, Alphabets, Answer, Method, Plan, Problem, Rule, verify};

    const ACTIONS: &[&str] = &["a", "b", "c", "d"];

    /// A property process, another one that is left out, and components that may fail and have actions of their own.
    fn network(rng: &mut Rng) -> Network {
        let shape =
            Shape { components: 2, states: 3, actions: &["a", "b", "c", "d", "e", "f"], ..Shape::FULL };
        let component = |name: &str, lts| Component { name: name.to_owned(), lts: Arc::new(lts) };
        let mut components = vec![component("P", networks::property(rng, 3, ACTIONS))];
        components.extend((0..2 + rng.below(2)).map(|_| component("M", networks::component(rng, &shape))));
        components.push(component("Q", networks::property(rng, 3, ACTIONS)));
        Network::new(components)
    }

    fn judge(network: &Network, goal: &[ComponentId], evidence: Evidence) -> Result<(), Rejection> {
        let property = Property::Unbroken { name: "P", components: goal, observers: &[] };
        let claim = Claim::new("S", network, &property, evidence);
        check(&claim, network, &property, &Budget::UNLIMITED)
    }

    #[test]
    fn every_proof_is_certified() {
        let methods = [Method::Direct, Method::Learn(Algorithm::LStar)];
        let mut proved = [0; Rule::ALL.len()];
        let mut reduced = 0;
        for seed in seeds(400) {
            let network = network(&mut Rng::new(seed));
            let last = network.components().len() - 1;
            let (first, last) = (ComponentId::from_index(0), ComponentId::from_index(last));
            // The second property is left out, or it must not be broken, either.
            let (goal, observers) = match seed % 2 {
                0 => (vec![first], vec![last]),
                _ => (vec![first, last], Vec::new()),
            };
            let problem = Problem::new("P", &network, &goal, &observers);
            let parts = parts_of(&network, &goal, &observers);
            assert_eq!(parts.len(), problem.parts.len());
            for (i, rule) in Rule::ALL.into_iter().enumerate() {
                let groups = match problem.parts.len() {
                    3 if rule.is_binary() => vec![vec![0, 2], vec![1]],
                    n => (0..n).map(|part| vec![part]).collect(),
                };
                for method in methods {
                    let plan = Plan {
                        rule,
                        method,
                        groups: groups.clone(),
                        alphabets: Alphabets::Whole,
                        most_words: None,
                    };
                    assert_eq!(plan.applies_to(&problem), Ok(()));
                    let (answer, _) = verify(&problem, &plan, &Budget::UNLIMITED).expect("no mistake");
                    let Answer::Proved(proof) = answer else { continue };
                    let judgement = judge(&network, &goal, proof.evidence(&parts, &goal));
                    assert_eq!(judgement, Ok(()), "seed {seed}, {plan:?}");
                    let whole = Whole { network: &network, parts: &parts, goal: &goal };
                    let (evidence, _) = proof.reduced_evidence_beyond(0, &whole, &Budget::UNLIMITED);
                    let Evidence::Composition(written) = &evidence else { panic!("it is a decomposition") };
                    reduced += written.reductions.len();
                    let judgement = judge(&network, &goal, evidence);
                    assert_eq!(judgement, Ok(()), "seed {seed}, {plan:?}, reduced");
                    proved[i] += 1;
                }
            }
        }
        let enough = proved.iter().all(|&count| count >= 100);
        assert!(enough && reduced > 300 || is_single_seed(), "too few: {proved:?}, {reduced}");
    }
}
