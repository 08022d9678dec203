//! What claims about components that fail say, alone and together.
//!
//! A claim about a goal says that the goal does not fail before anything else has (`check/goal.rs` of the judge). By
//! itself it says little: something else may fail. The theorem there says that claims whose goals together have every
//! component that can fail prove that *nothing* ever fails. Both are compared with a naive search here, over systems in
//! which most failures are failures of several components at once, and with evidence of every kind.
//!
//! Evidence is made twice: for the system as it is, and for one in which components outside of the goal are cut, which
//! means that they leave out the steps by which they would fail. To the judge the latter is worth nothing, unless what it
//! shows is true all the same. A judge that cuts would believe it.

mod evidence;
mod groups;
mod systems;

use std::collections::BTreeSet;

use rely_base::{Id, StateId};
use rely_lts::{ComponentId, Network};
use rely_testkit::naive::product::{NaiveProduct, breaks_beside};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::evidence::{Statement, Way, with_cut};
use crate::systems::{System, ids, some_of};

/// How a system fails, as a naive search finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failures {
    /// Nothing ever fails.
    Never,
    /// One component at a time.
    Single,
    /// Some first failure is one of several components at once, and another of a single one.
    Some,
    /// Every first failure is one of several components at once.
    Together,
}

impl Failures {
    fn of(network: &Network) -> Self {
        let failed = |tuple: &[StateId]| {
            let components = network.components().iter().zip(tuple);
            components.filter(|(component, state)| component.lts.error() == Some(**state)).count()
        };
        let product = NaiveProduct::new(network);
        let first: Vec<usize> = product.moves.keys().map(|tuple| failed(tuple)).filter(|&n| n > 0).collect();
        match (first.iter().all(|&n| n == 1), first.iter().all(|&n| n > 1)) {
            _ if first.is_empty() => Self::Never,
            (true, _) => Self::Single,
            (_, true) => Self::Together,
            _ => Self::Some,
        }
    }
}

/// All subsets with at least one member.
fn subsets(items: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (1..1_usize << items.len()).map(|set| {
        let members = items.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
        members.map(|(_, &item)| item).collect()
    })
}

/// How often what was met.
#[derive(Default, Debug)]
struct Counts {
    /// Systems by [`Failures`].
    never: usize,
    single: usize,
    some: usize,
    together: usize,
    /// Systems whose accepted claims have goals that cover everything that can fail, and there is something.
    covered: usize,
    /// Claims that are true, and false.
    claims: [usize; 2],
    /// By way, evidence that was accepted, for systems as they are and for cut ones.
    accepted: [[usize; 2]; Way::ALL.len()],
    /// By way, evidence from cut systems for claims that are false. A search by the judge needs no evidence.
    misleading: [usize; Way::ALL.len()],
}

impl Counts {
    fn system(&mut self, failures: Failures) {
        *match failures {
            Failures::Never => &mut self.never,
            Failures::Single => &mut self.single,
            Failures::Some => &mut self.some,
            Failures::Together => &mut self.together,
        } += 1;
    }

    fn are_enough(&self) -> bool {
        let is_unsafe = self.single + self.some + self.together;
        let most = 2 * (self.some + self.together) > is_unsafe && 3 * self.together > is_unsafe;
        let accepted = self.accepted.iter().all(|[honest, _]| *honest >= 20);
        let misleading = self.misleading[1..].iter().all(|&count| count >= 20);
        most && accepted && misleading && self.covered >= 200 && self.claims.iter().all(|&count| count >= 200)
    }
}

/// All claims about a system: for each goal, the observers that `verify` would set aside, or fewer.
fn statements<'s>(system: &'s System, rng: &'s mut Rng) -> impl Iterator<Item = Statement> + 's {
    let all = subsets(&system.failing()).collect::<Vec<_>>();
    all.into_iter().map(|mut goal| {
        // A component that cannot fail may be in a goal as well.
        let others: Vec<usize> = (0..system.len()).filter(|i| !goal.contains(i)).collect();
        if !others.is_empty() && rng.chance(1, 12) {
            let more = *rng.pick(&others);
            goal.push(more);
        }
        let mut observers = system.set_aside(&goal);
        if rng.chance(1, 3) {
            observers = some_of(rng, &observers);
        }
        Statement { goal: ids(&goal), observers: ids(&observers) }
    })
}

fn numbers(components: &[ComponentId]) -> Vec<usize> {
    components.iter().map(|id| id.index()).collect()
}

/// Whether evidence for a statement is accepted: that of a search by the judge, and that of another way, at random. What the
/// engine proves of the system as it is has to be accepted, and a search decides every statement.
fn is_accepted(
    system: &System,
    statement: &Statement,
    rng: &mut Rng,
    counts: &mut Counts,
    what: &str,
) -> bool {
    let network = &system.network;
    let is_broken = breaks_beside(network, &numbers(&statement.goal), &numbers(&statement.observers));
    counts.claims[usize::from(is_broken)] += 1;
    let is_other = |i: usize| !numbers(&statement.goal).contains(&i);
    let cut = with_cut(network, is_other);
    let mut believed = false;
    let random = 1 + rng.below(Way::ALL.len() - 1);
    for (i, is_cut) in [(0, false), (random, false), (random, true)] {
        let way = Way::ALL[i];
        let shown = if is_cut { &cut } else { network };
        let Some(evidence) = statement.prove(shown, way, rng) else { continue };
        let judgement = statement.judge(network, evidence);
        assert!(judgement.is_err() || !is_broken, "{what}, {way:?}: a false claim, cut {is_cut}");
        assert!(judgement.is_ok() || is_cut || is_broken, "{what}, {way:?}: {judgement:?}");
        counts.accepted[i][usize::from(is_cut)] += usize::from(judgement.is_ok());
        counts.misleading[i] += usize::from(is_cut && is_broken);
        believed |= judgement.is_ok();
    }
    believed
}

/// Claims that are accepted are true; and where they have goals that cover all components that can fail, none ever does.
///
/// The goals of *all* accepted claims are put together: if any choice of claims covers the system, these do.
#[test]
fn accepted_claims_that_cover_a_system_prove_that_nothing_fails() {
    let mut counts = Counts::default();
    for seed in seeds(1500) {
        let rng = &mut Rng::new(seed);
        let count = 2 + rng.below(4);
        let system = System::random(rng, count);
        let failures = Failures::of(&system.network);
        counts.system(failures);
        let mut covered: BTreeSet<usize> = BTreeSet::new();
        for statement in statements(&system, &mut rng.clone()).collect::<Vec<_>>() {
            let what = format!("seed {seed}, {statement:?}");
            if is_accepted(&system, &statement, rng, &mut counts, &what) {
                covered.extend(numbers(&statement.goal));
            }
        }
        let failing = system.failing();
        if failing.iter().all(|component| covered.contains(component)) {
            assert_eq!(failures, Failures::Never, "seed {seed}: claims cover a system that fails");
            counts.covered += usize::from(!failing.is_empty());
        } else {
            assert_ne!(failures, Failures::Never, "seed {seed}: a system that is safe is not covered");
        }
    }
    println!("{counts:?}");
    assert!(counts.are_enough() || is_single_seed(), "too few to mean anything: {counts:?}");
}
