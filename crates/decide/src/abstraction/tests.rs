//! Proofs from properties of parts: against all that short words say, and the circles of the literature.

use rely_base::{Budget, Id};
use rely_lts::{ExpressionId, Observation};
use rely_omega::{AtomId, AtomSet, Commitment, Formula, Statement, Template};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Abstraction, Offer, Outcome, prove};
use crate::commitment::prefix::safety;

const ANY: Budget<'static> = Budget::UNLIMITED;
const ATOMS: usize = 4;

fn atom(number: usize) -> Formula {
    Formula::atom(AtomId::from_index(number))
}

/// The last atom is a condition, the others are events, of which any may happen together.
struct World {
    propositions: Vec<Observation>,
    names: Vec<String>,
    letters: Vec<(String, AtomSet)>,
}

impl World {
    fn new() -> Self {
        let mut propositions = vec![Observation::Actions(Vec::new()); ATOMS - 1];
        propositions.push(Observation::Condition(ExpressionId::from_index(0)));
        let letter = |bits: usize| -> AtomSet {
            (0..ATOMS - 1).filter(|place| bits >> place & 1 == 1).map(AtomId::from_index).collect()
        };
        let letters = (0..1 << (ATOMS - 1)).map(|bits| (format!("l{bits}"), letter(bits))).collect();
        let names = ["p", "q", "r", "s"].map(str::to_owned).to_vec();
        Self { propositions, names, letters }
    }

    fn abstraction(&self) -> Abstraction<'_> {
        Abstraction { propositions: &self.propositions, names: &self.names, letters: &self.letters }
    }

    fn commitment(&self, claim: Statement, assuming: Vec<Statement>) -> Commitment<Observation> {
        let (propositions, names) = (self.propositions.clone(), self.names.clone());
        Commitment { name: "P".to_owned(), claim, assuming, propositions, names }
    }
}

fn statement(rng: &mut Rng) -> Statement {
    let mut condition = || match rng.below(4) {
        0 => atom(rng.below(ATOMS)).negated(),
        _ => atom(rng.below(ATOMS)),
    };
    let [e, d, f] = [condition(), condition(), condition()];
    Statement::Template(match rng.below(9) {
        0 | 1 => Template::Never(d),
        2 => Template::NeverUntilAfter(d, f),
        3 | 4 => Template::AfterNeverUntilAfter(e, d, f),
        5 => Template::AfterEventually(e, d),
        6 => Template::Repeatedly(e),
        7 => Template::Eventually(d),
        _ => Template::IfRepeatedlyRepeatedly(e, d),
    })
}

/// A word u·vᵚ.
struct Word {
    prefix: Vec<AtomSet>,
    cycle: Vec<AtomSet>,
}

impl Word {
    fn random(rng: &mut Rng) -> Self {
        let mut letters = |count: usize| -> Vec<AtomSet> {
            let letter = |bits: usize| {
                (0..ATOMS).filter(|place| bits >> place & 1 == 1).map(AtomId::from_index).collect()
            };
            (0..count).map(|_| letter(rng.below(1 << ATOMS) & rng.below(1 << ATOMS))).collect()
        };
        let prefix = letters(3);
        Self { prefix, cycle: letters(2) }
    }

    fn satisfies(&self, statement: &Statement) -> bool {
        statement.automaton(&ANY).expect("there is no limit").accepts(&self.prefix, &self.cycle)
    }

    /// The first letter by which a template for safety is broken; three rounds tell.
    fn broken_at(&self, template: &Template) -> Option<usize> {
        let acceptor = template.acceptor();
        let mut state = acceptor.initial[0];
        let rounds = std::iter::repeat_n(&self.cycle, 3).flatten();
        for (at, letter) in self.prefix.iter().chain(rounds).enumerate() {
            match acceptor.reading(state, letter).next() {
                Some(edge) => state = edge.target,
                None => return Some(at),
            }
        }
        None
    }

    /// Whether a run with this word could be one of a part that keeps its commitment, one step longer if it says so.
    fn keeps(&self, Offer { commitment, is_one_step, .. }: &Offer) -> bool {
        let is_kept = self.satisfies(&commitment.claim)
            || commitment.assuming.iter().any(|assumption| !self.satisfies(assumption));
        let Some(claim) = safety(&commitment.claim).filter(|_| *is_one_step) else { return is_kept };
        let broken = self.broken_at(claim);
        let first = commitment.assuming.iter().filter_map(safety).filter_map(|it| self.broken_at(it)).min();
        is_kept && broken.is_none_or(|at| first.is_some_and(|first| first < at))
    }
}

#[test]
fn nothing_is_proved_that_a_word_refutes() {
    let world = World::new();
    let (mut proved, mut circular, mut longer) = (0, 0, 0);
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let pool: Vec<Statement> = (0..4).map(|_| statement(&mut rng)).collect();
        let mut offers = Vec::new();
        for number in 0..1 + rng.below(4) {
            let assuming = (0..rng.below(3)).map(|_| rng.pick(&pool).clone()).collect();
            let commitment = world.commitment(rng.pick(&pool).clone(), assuming);
            offers.push(Offer { part: number % 2, commitment, is_one_step: rng.chance(1, 2) });
        }
        let assuming = if rng.chance(1, 2) { vec![statement(&mut rng)] } else { Vec::new() };
        let goal = world.commitment(rng.pick(&pool).clone(), assuming);
        longer += usize::from(holds_longer(&world, &goal, &offers, &mut rng, seed));
        let outcome = prove(&world.abstraction(), &goal, &offers, false, &ANY).expect("runs can be replayed");
        let Outcome::Proved(proof) = outcome else { continue };
        proved += 1;
        let rests = |number: &usize| !offers[*number].commitment.assuming.is_empty();
        circular += usize::from(proof.one_step.iter().any(rests));
        for _ in 0..200 {
            let word = Word::random(&mut rng);
            let is_run = proof.used.iter().all(|&number| word.keeps(&offers[number]))
                && goal.assuming.iter().all(|assumption| word.satisfies(assumption));
            if is_run {
                assert!(word.satisfies(&goal.claim), "seed {seed}: {:?} breaks {}", word.prefix, goal.text());
            }
        }
    }
    assert!(
        proved > 60 && circular > 5 && longer > 10 || is_single_seed(),
        "too few: {proved}, {circular}, {longer}"
    );
}

/// Whether the claim is proved to hold one step longer than what is assumed. If so, no word breaks it before it breaks an assumption.
fn holds_longer(
    world: &World,
    goal: &Commitment<Observation>,
    offers: &[Offer],
    rng: &mut Rng,
    seed: u64,
) -> bool {
    let outcome = prove(&world.abstraction(), goal, offers, true, &ANY).expect("runs can be replayed");
    let Outcome::Proved(proof) = outcome else { return false };
    let claim = safety(&goal.claim).expect("nothing else holds longer than something");
    for _ in 0..200 {
        let word = Word::random(rng);
        let first = goal.assuming.iter().filter_map(safety).filter_map(|it| word.broken_at(it)).min();
        if proof.used.iter().all(|&number| word.keeps(&offers[number])) {
            let broken = word.broken_at(claim);
            let is_longer = broken.is_none_or(|at| first.is_some_and(|first| first < at));
            assert!(
                is_longer,
                "seed {seed}: {:?} breaks {} at {broken:?}, not after {first:?}",
                word.prefix,
                goal.text()
            );
        }
    }
    true
}

/// Two parts whose claims rest on each other.
fn circle(world: &World, one: &Statement, other: &Statement) -> Vec<Offer> {
    let offer = |part, claim: &Statement, assumption: &Statement| Offer {
        part,
        commitment: world.commitment(claim.clone(), vec![assumption.clone()]),
        is_one_step: true,
    };
    vec![offer(0, one, other), offer(1, other, one)]
}

#[test]
fn a_circle_of_safety_is_sound_and_one_of_liveness_is_refused() {
    let world = World::new();
    let never = |number| Statement::Template(Template::Never(atom(number)));
    let eventually = |number| Statement::Template(Template::Eventually(atom(number)));
    let offers = circle(&world, &never(0), &never(1));
    let goal = world.commitment(never(0), Vec::new());
    let Ok(Outcome::Proved(proof)) = prove(&world.abstraction(), &goal, &offers, false, &ANY) else {
        panic!("nothing can be broken first")
    };
    assert_eq!((proof.used, proof.one_step), (vec![0, 1], vec![0, 1]));
    // If one of them may break its claim in the very step that breaks the assumption, nothing follows.
    let mut at_once = offers;
    at_once[1].is_one_step = false;
    let open = prove(&world.abstraction(), &goal, &at_once, false, &ANY).expect("runs can be replayed");
    assert_eq!(open, Outcome::Open { missing: Vec::new(), circles: vec![vec![0, 1]] });
    // Eventually X if eventually Y, and the other way round: X and Y may stay false for ever.
    let offers = circle(&world, &eventually(0), &eventually(1));
    let goal = world.commitment(eventually(0), Vec::new());
    let open = prove(&world.abstraction(), &goal, &offers, false, &ANY).expect("runs can be replayed");
    assert_eq!(open, Outcome::Open { missing: Vec::new(), circles: vec![vec![0, 1]] });
}
