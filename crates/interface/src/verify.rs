//! Proving the aim of a system from its parts.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], figure 3: IA-Compat (M₁ ~ A and M₂ ≼ A), IA-Prop (M₁ ‖ A ⊨ P and
//! M₂ ⊨ lts(A)), IA-AltRef (M₁ ~ A, M₁ ‖ A ≼ S and M₂ ≼ A), which the paper leaves to future work for open systems, and
//! the hybrid of the first two.
//!
//! **Idea.** The premises are questions about error states. IA-Compat, the hybrid and IA-AltRef have the same two: nothing
//! fails in M₁? ‖ G ‖ A?, and nothing fails in M₂? ‖ A!, where G is nothing, the property, or S!. IA-Prop has M₁ ‖ P ‖ A
//! and M₂ ‖ A with A completed, once the parts are known to be compatible.
//!
//! **Why it is sound.** Take a run of the whole by which something fails, up to the failure, and its projection to Σ.
//! Each letter that the second group has to take is accepted by A, or A? would fail in the first premise; each that
//! it controls is allowed by A, or A! would fail in the second. So A follows the run on both sides, and the component
//! that fails does so in a premise. A constraint that is in both groups takes its part of the run in each.
//!
//! **Callers.** `rely verify`.

use std::sync::Arc;

use rely_assume::{Algorithm, Effort, Unrealised, realise};
use rely_base::{ActionId, Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_decide::{Counterexample, ReplayError, Verdict, check_safety};
use rely_lts::{Component, InterfaceAutomaton, Lts, LtsBuilder, Network};

use crate::problem::Split;
use crate::teacher::{Sides, Stop, learned};
use crate::weakest::{First, Unsent, construct};
use crate::{Aim, Blame, Inapplicable, Problem};

/// Where an assumption comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The weakest one is constructed.
    Direct,
    /// It is learned, and learning ends as soon as it is good enough.
    Learn(Algorithm),
}

/// How to prove a problem.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the assumption comes from.
    pub source: Source,
    /// The parts of the two groups, by number; every part is in one of them.
    pub groups: [Vec<usize>; 2],
    /// Maximum number of words that a learner may ask.
    pub most_words: Option<usize>,
}

/// A proof: with this assumption, the premises of the rule are true.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The parts of the two groups, by number.
    pub groups: [Vec<usize>; 2],
    /// The assumption about the second group.
    pub assumption: InterfaceAutomaton,
    /// For a property alone, the proof that the parts are compatible.
    pub compatible: Option<Box<Self>>,
}

/// A run by which a system violates its aim.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The network of the run: [`Problem::network`], or that of compatibility if a property is asked and the parts
    /// are not even compatible.
    pub network: Network,
    /// The run, which has been replayed.
    pub run: Counterexample,
    /// The blame, if a part sends what another cannot take.
    pub blame: Option<Blame>,
}

/// The answer to a problem: the aim is met, or it is not.
pub type Answer = rely_assume::Answer<Proof, Refuted>;

/// Proves a problem by the rule for its aim, or finds a run that violates it.
///
/// For a property alone, compatibility is proved first: the assumption then is smaller.
///
/// # Errors
/// Why the rule cannot be applied; inside, a run that cannot be replayed, which is a mistake in the program.
pub fn verify(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget<'_>,
) -> Result<Result<(Answer, Effort), ReplayError>, Inapplicable> {
    let split = Split::new(problem, &plan.groups)?;
    if !matches!(problem.aim, Aim::Safe(_)) {
        return Ok(answered(problem, plan, &split, budget));
    }
    let before = Problem { aim: Aim::Compatible, ..problem.clone() };
    match verify(&before, plan, budget)? {
        Ok((Answer::Proved(proof), spent)) => {
            let answered = verify_compatible(problem, plan, &proof, budget)?;
            Ok(answered.map(|(answer, mut effort)| {
                effort.add(spent);
                (answer, effort)
            }))
        }
        other => Ok(other),
    }
}

/// Like [`verify`] for a property alone, of parts that have been proved compatible in the same groups. Several
/// properties can share the proof of compatibility.
///
/// # Errors
/// As [`verify`].
pub fn verify_compatible(
    problem: &Problem,
    plan: &Plan,
    compatible: &Proof,
    budget: &Budget<'_>,
) -> Result<Result<(Answer, Effort), ReplayError>, Inapplicable> {
    let split = Split::new(problem, &plan.groups)?;
    let compatible = Some(Box::new(compatible.clone()));
    Ok(answered(problem, plan, &split, budget).map(|(answer, effort)| match answer {
        Answer::Proved(proof) => (Answer::Proved(Proof { compatible, ..proof }), effort),
        other => (other, effort),
    }))
}

fn answered(
    problem: &Problem,
    plan: &Plan,
    split: &Split,
    budget: &Budget<'_>,
) -> Result<(Answer, Effort), ReplayError> {
    let mut effort = Effort::default();
    let answer = answer(problem, plan, split, budget, &mut effort)?;
    Ok((answer, effort))
}

fn answer(
    problem: &Problem,
    plan: &Plan,
    split: &Split,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Answer, ReplayError> {
    let sides = split.first(problem, budget, effort).and_then(|first| {
        let second = split.second(problem, budget, effort)?;
        Ok((first, second))
    });
    let (first, second) = match sides {
        Ok(sides) => sides,
        Err(exhausted) => return Ok(unknown(exhausted, effort)),
    };
    let unsent = Unsent::of(&problem.aim);
    let sides = Sides { split, first: &first, second: &second, unsent, budget };
    let found = match plan.source {
        Source::Direct => constructed(&sides, effort),
        Source::Learn(algorithm) => learned(&sides, algorithm, plan.most_words, effort),
    };
    match found {
        Ok(assumption) => {
            let assumption = InterfaceAutomaton::new(assumption, split.roles.clone());
            Ok(Answer::Proved(Proof { groups: plan.groups.clone(), assumption, compatible: None }))
        }
        Err(Stop::Exhausted(exhausted)) => Ok(unknown(exhausted, effort)),
        Err(Stop::Refuted(word)) => realised(problem, &sides, &word, effort),
    }
}

fn unknown(exhausted: Exhausted, effort: &mut Effort) -> Answer {
    effort.held(exhausted.states);
    Answer::Unknown(exhausted)
}

/// The weakest assumption, if the second group satisfies it.
fn constructed(sides: &Sides<'_>, effort: &mut Effort) -> Result<Lts, Stop> {
    let Sides { split, first, unsent, budget, .. } = *sides;
    let assumption = construct(&first.doomed, &split.letters, unsent, budget, effort)?;
    let assumption = assumption.ok_or(Stop::Refuted(Vec::new()))?;
    match sides.second_premise(&assumption, effort)?.into_iter().next() {
        None => Ok(assumption),
        Some(word) => Err(Stop::Refuted(word)),
    }
}

/// A run of the whole system that fails, that shows the given word at the interface, and that may continue with steps
/// that the first group takes on its own.
fn realised(
    problem: &Problem,
    sides: &Sides<'_>,
    word: &[ActionId],
    effort: &mut Effort,
) -> Result<Answer, ReplayError> {
    let letters = &sides.split.letters;
    let sequence = match unavoidable(sides, word)? {
        Ok(sequence) => sequence,
        Err(exhausted) => return Ok(unknown(exhausted, effort)),
    };
    let components = problem.components();
    match realise(&components, &sequence, letters, sides.budget, effort) {
        Ok(run) => {
            let blame = Blame::of(&problem.system, &run);
            Ok(Answer::Refuted(Box::new(Refuted { network: Network::new(components), run, blame })))
        }
        Err(Unrealised::Exhausted(exhausted)) => Ok(unknown(exhausted, effort)),
        Err(Unrealised::Mistake(mistake)) => Err(mistake),
    }
}

/// The word, extended by the actions that the second group has to take until the first group fails, if it does.
fn unavoidable(sides: &Sides<'_>, word: &[ActionId]) -> Result<Result<Vec<String>, Exhausted>, ReplayError> {
    let Sides { split, first: First { plain, .. }, budget, .. } = sides;
    let names =
        |word: &[ActionId]| word.iter().map(|&letter| split.letters.name(letter).to_owned()).collect();
    let path = word_then(word, &split.letters, |name| split.is_input(name));
    let members = vec![Component::new("M", Arc::clone(plain)), Component::new("WORD", path)];
    let network = Network::new(members);
    Ok(match check_safety(&network, budget)?.verdict {
        Verdict::Holds(_) => Ok(names(word)),
        Verdict::Violated(run) => {
            let shown = run.trace_names().into_iter().filter(|name| split.letters.contains(name));
            Ok(shown.map(str::to_owned).collect())
        }
        Verdict::Unknown(limit) => Err(limit.exhausted()),
    })
}

/// The system that allows a word, and then any sequence of the actions that satisfy `free`.
fn word_then(word: &[ActionId], alphabet: &Alphabet, free: impl Fn(&str) -> bool) -> Lts {
    let mut builder = LtsBuilder::with_states(alphabet.clone(), word.len() + 1);
    for (i, &letter) in word.iter().enumerate() {
        builder.add_transition(StateId::from_index(i), Label::visible(letter), StateId::from_index(i + 1));
    }
    let last = StateId::from_index(word.len());
    for (action, _) in alphabet.iter().filter(|(_, name)| free(name)) {
        builder.add_transition(last, Label::visible(action), last);
    }
    builder.build()
}
