//! The weakest assumption of components and a goal, by learning.
//!
//! **Problem.** That of `weakest.rs`, without building the product of the components first.
//!
//! **Idea.** The teacher follows a word through all runs at once, as far as the learner asks. A hypothesis is compared
//! with what is really possible by walking both at the same time, breadth first: the first difference is a shortest
//! counterexample, and a few more are gathered on the way.
//!
//! **Invariants.** The result is the minimal automaton of the weakest assumption, the same as that of the construction.
//!
//! **Callers.** `rely assume --method learn`.

use rely_automata::Dfa;
use rely_base::{ActionId, Alphabet, Budget, Exhausted, Progress, StateId};
use rely_explore::{Belief, Product, Subsets};
use rely_learn::{Algorithm, Learned, Settings, Teacher, Word, learn};
use rely_lts::{Component, Network};

use crate::chain::{HARVEST, letters_of};
use crate::{Assumption, Effort, Goal, Requirement};

/// A hypothesis of a learner, and what the teacher said to it.
#[derive(Clone, Debug)]
pub struct Conjecture {
    /// The assumption that it would be; nothing if it lets no environment do anything.
    pub assumption: Option<Assumption>,
    /// A shortest sequence of actions about which it is wrong; nothing if it was accepted.
    pub counterexample: Option<Vec<String>>,
    /// Whether it allows the counterexample, so that components could fail. Otherwise it forbids it for no reason.
    pub is_too_weak: bool,
}

/// How many conjectures are kept, and up to how many states each.
const KEPT: (usize, usize) = (100, 1_000);

/// The weakest assumption over an interface under which components meet a goal, learned. The conjectures on the way there
/// are added to `conjectures`, the first ones if they are many.
///
/// # Errors
/// The limit of the budget that was met.
pub fn learn_weakest(
    components: &[Component],
    goal: &Goal,
    interface: &Alphabet,
    algorithm: Algorithm,
    budget: &Budget<'_>,
    (effort, conjectures): (&mut Effort, &mut Vec<Conjecture>),
) -> Result<Requirement, Exhausted> {
    let network = Network::new(components.iter().chain(&goal.components).cloned().collect());
    // An action that nobody has changes nothing, and is not worth asking about.
    let known: Alphabet = interface.names().filter(|name| network.alphabet().contains(name)).collect();
    let product = Product::transparent(&network);
    let mut subsets = Subsets::new(&product, letters_of(&network, &known));
    let start = subsets.initial(budget)?;
    if start == Belief::Error {
        return Ok(Requirement::Impossible);
    }
    let mut teacher = WeakestTeacher { subsets, start, known: &known, budget, queries: 0, conjectures };
    let learned = learn(&Settings::prefix_closed(algorithm), known.len(), &mut teacher, None);
    let WeakestTeacher { subsets, queries, .. } = teacher;
    effort.queries += queries;
    effort.held(subsets.state_count().max(subsets.subset_count()));
    let Learned { hypothesis, counts } = learned?;
    effort.conjectures += counts.conjectures;
    Ok(requirement(&hypothesis, &known, interface))
}

/// What an automaton over the actions that matter requires over the whole interface.
fn requirement(dfa: &Dfa, known: &Alphabet, interface: &Alphabet) -> Requirement {
    let letters: Vec<Option<ActionId>> = interface.names().map(|name| known.get(name)).collect();
    let step = |state: &StateId, letter: ActionId| {
        letters[rely_base::Id::index(letter)].map_or(*state, |letter| dfa.step(*state, letter))
    };
    let accepts = |state: &StateId| dfa.is_accepting(*state);
    let whole = Dfa::reachable(interface.len(), dfa.initial(), accepts, step).minimise();
    match Assumption::of_dfa(interface, &whole) {
        None => Requirement::Impossible,
        Some(assumption) if assumption.sink() == Some(assumption.lts().initial()) => Requirement::Nothing,
        Some(assumption) => Requirement::Assumption(assumption),
    }
}

/// Teaches exactly the weakest assumption.
struct WeakestTeacher<'s, 'b> {
    subsets: Subsets<'s, Product<'s>>,
    start: Belief,
    /// The letters.
    known: &'b Alphabet,
    budget: &'b Budget<'b>,
    queries: usize,
    conjectures: &'b mut Vec<Conjecture>,
}

impl WeakestTeacher<'_, '_> {
    /// Keeps a hypothesis, and the first of the words about which it is wrong.
    fn keep(&mut self, hypothesis: &Dfa, wrong: &[Word]) {
        let (most, largest) = KEPT;
        if self.conjectures.len() == most || hypothesis.state_count() > largest {
            return;
        }
        let name = |&letter: &ActionId| self.known.name(letter).to_owned();
        self.conjectures.push(Conjecture {
            assumption: Assumption::of_dfa(self.known, hypothesis),
            counterexample: wrong.first().map(|word| word.iter().map(name).collect()),
            is_too_weak: wrong.first().is_some_and(|word| hypothesis.accepts(word)),
        });
    }
}

impl Teacher for WeakestTeacher<'_, '_> {
    type Place = Belief;
    type Stop = Exhausted;

    fn start(&mut self) -> Result<Belief, Exhausted> {
        Ok(self.start)
    }

    fn step(&mut self, from: &Belief, letter: ActionId) -> Result<Belief, Exhausted> {
        self.subsets.step(*from, letter, self.budget)
    }

    fn accepts(&mut self, place: &Belief) -> Result<bool, Exhausted> {
        self.queries += 1;
        Ok(*place != Belief::Error)
    }

    fn learner_holds(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let (states, bytes) = (self.subsets.state_count(), bytes + self.subsets.bytes());
        self.budget.check(&Progress { states, bytes, ..Progress::default() })
    }

    /// Words on which the hypothesis and the truth differ, a shortest one first.
    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Exhausted> {
        let wrong = self.subsets.disagreements(
            (self.known.len(), HARVEST),
            hypothesis.initial(),
            |state| hypothesis.is_accepting(state),
            |state, letter| hypothesis.step(state, letter),
            self.budget,
        )?;
        self.keep(hypothesis, &wrong);
        Ok(wrong)
    }
}
