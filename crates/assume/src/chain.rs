//! Chains of assumptions: ⟨A₁⟩ M₁ ⟨G⟩, ⟨A₂⟩ M₂ ⟨A₁⟩, …, ⟨true⟩ Mₙ ⟨Aₙ₋₁⟩.
//!
//! **Problem.** Find assumptions that make all premises true, or a sequence of actions by which the system fails. The
//! simple rule is a chain of two; the alternating and the circular rule are chains in which a group occurs again.
//!
//! **Source.** [Giannakopoulou, Păsăreanu, Barringer 2003] for constructed assumptions, where an assumption becomes the
//! property of the next component; [Cobleigh, Giannakopoulou, Păsăreanu 2003] for learned ones.
//!
//! **Idea.** Whether the rest of the chain guarantees an assumption is the same question again, with the assumption as
//! the goal and one group less. A constructed assumption is the weakest one, so if the rest breaks it, the system
//! fails. A learned one may be too strong: what the rest does against it is put to the first group; if that fails, the
//! system does, and otherwise the learner has a counterexample. If on the other hand the first group fails within the
//! assumption, it is too weak, and what it failed by is the counterexample.
//!
//! **Invariants.** The teacher's language is that of the weakest assumption, which is prefix-closed; learning ends at it
//! at the latest, and usually before.
//!
//! **Termination and cost.** At most as many conjectures as the weakest assumption has states, each with two premises;
//! for longer chains the levels multiply, which warm starts alleviate: a level starts from what it learned last.
//!
//! **Callers.** `verify.rs`, for every rule but the symmetric one. Over which alphabet an assumption is looked for is
//! decided in `alphabet.rs`; the other ways to find one are in `separate.rs` and `abstraction.rs`.

use rely_automata::Dfa;
use rely_base::{ActionId, Alphabet, Budget, Exhausted, Progress};
use rely_explore::{Belief, Product, Subsets};
use rely_learn::{Algorithm, Settings, Teacher, Word, learn};
use rely_lts::{Component, Network};

use crate::premise::{Sequence, failures, projected};
use crate::problem::interface;
use crate::realise::{failing_after, only_sequence};
use crate::weakest::{Requirement, Variant, everything, weakest};
use crate::{Alphabets, Assumption, Effort, Goal, Method, Plan};

/// How many counterexamples a teacher gathers in one sweep.
pub(crate) const HARVEST: usize = 8;

/// The answer to a chain.
pub(crate) enum Solved {
    /// The assumptions, in order of the premises.
    Proved(Vec<Assumption>),
    /// Sequences of visible actions by which the groups of the chain, together, break the goal.
    Refuted(Vec<Sequence>),
}

/// What came of looking for assumptions over an alphabet.
pub(crate) enum Assumed {
    /// The assumptions from a position on, in order.
    Proved(Vec<Assumption>),
    /// A sequence of the groups that follow: as far as the alphabet shows, the goal may fail by it. Over the whole
    /// interface this means that it does.
    Conflict(Sequence),
    /// Every assumption would be larger than allowed.
    Larger,
}

/// A chain of groups, each on its own.
pub(crate) struct Chain<'a> {
    /// The components of each group.
    pub(crate) groups: &'a [Vec<Component>],
    /// The groups in the order of the premises.
    pub(crate) sequence: Vec<usize>,
    pub(crate) method: Method,
    pub(crate) alphabets: Alphabets,
    pub(crate) most_words: Option<usize>,
    pub(crate) budget: &'a Budget<'a>,
    pub(crate) effort: Effort,
    /// What was learned last at each position.
    pub(crate) memory: Vec<Option<Dfa>>,
    /// The bytes that learners hold who wait for an answer from the positions after theirs.
    pub(crate) held: usize,
}

impl<'a> Chain<'a> {
    pub(crate) fn new(
        groups: &'a [Vec<Component>],
        sequence: Vec<usize>,
        plan: &Plan,
        budget: &'a Budget<'a>,
    ) -> Self {
        let memory = vec![None; sequence.len()];
        let Plan { method, alphabets, most_words, .. } = *plan;
        let effort = Effort::default();
        Self { groups, sequence, method, alphabets, most_words, budget, effort, memory, held: 0 }
    }

    /// Whether the groups from a position on, together, meet a goal.
    pub(crate) fn solve(&mut self, position: usize, goal: &Goal) -> Result<Solved, Exhausted> {
        if goal.components.iter().all(|component| component.lts.error().is_none()) {
            return Ok(Solved::Proved(self.nothing_assumed(position, goal)));
        }
        if position + 1 == self.sequence.len() {
            let components = self.group(position).iter().chain(&goal.components).cloned().collect();
            let found = failures(components, HARVEST, self.budget, &mut self.effort)?;
            return Ok(if found.is_empty() { Solved::Proved(Vec::new()) } else { Solved::Refuted(found) });
        }
        let whole = interface(self.group(position), goal, &self.environment(position));
        self.assume_over_some(position, goal, &whole)
    }

    /// Looks for assumptions over an alphabet, which is a part of the interface.
    pub(crate) fn assume(
        &mut self,
        position: usize,
        goal: &Goal,
        alphabet: &Alphabet,
    ) -> Result<Assumed, Exhausted> {
        match self.method {
            Method::Direct => self.construct(position, goal, alphabet),
            Method::Learn(algorithm) => self.learn(position, goal, alphabet, algorithm, usize::MAX),
            Method::Separate => self.separate(position, goal, alphabet),
            Method::Abstract => self.abstract_environment(position, goal, alphabet),
        }
    }

    /// The assumptions from a position on when the goal cannot fail.
    fn nothing_assumed(&self, position: usize, goal: &Goal) -> Vec<Assumption> {
        let mut goal = goal.clone();
        let mut assumptions = Vec::new();
        for at in position..self.sequence.len() - 1 {
            let assumption = everything(&interface(self.group(at), &goal, &self.environment(at)));
            goal = Goal::property(assumption.property("A"));
            assumptions.push(assumption);
        }
        assumptions
    }

    fn construct(&mut self, position: usize, goal: &Goal, alphabet: &Alphabet) -> Result<Assumed, Exhausted> {
        let group = &self.groups[self.sequence[position]];
        let (requirement, _) =
            weakest(group, goal, alphabet, Variant::Weakest, self.budget, &mut self.effort)
                .map_err(|interrupted| interrupted.exhausted)?;
        let assumption = match requirement {
            Requirement::Nothing => everything(alphabet),
            Requirement::Impossible => return Ok(Assumed::Conflict(Sequence::new())),
            Requirement::Assumption(assumption) => assumption,
        };
        self.guaranteed(position, assumption)
    }

    /// The assumptions from a position on whose first one is given, if the groups that follow guarantee it.
    pub(crate) fn guaranteed(&mut self, position: usize, first: Assumption) -> Result<Assumed, Exhausted> {
        Ok(match self.solve(position + 1, &next_goal(&first))? {
            Solved::Proved(rest) => Assumed::Proved([vec![first], rest].concat()),
            Solved::Refuted(mut sequences) => Assumed::Conflict(sequences.swap_remove(0)),
        })
    }

    /// Learns assumptions, the first of which has less than `less_than` states.
    pub(crate) fn learn(
        &mut self,
        position: usize,
        goal: &Goal,
        alphabet: &Alphabet,
        algorithm: Algorithm,
        less_than: usize,
    ) -> Result<Assumed, Exhausted> {
        let network = self.with_goal(position, goal);
        let product = Product::transparent(&network);
        let mut subsets = Subsets::new(&product, letters_of(&network, alphabet));
        let start = subsets.initial(self.budget)?;
        if start == Belief::Error {
            return Ok(Assumed::Conflict(Sequence::new()));
        }
        let memory = self.memory[position].take().filter(|dfa| dfa.letter_count() == alphabet.len());
        let mut teacher = ChainTeacher {
            chain: self,
            position,
            goal,
            alphabet,
            subsets,
            start,
            less_than,
            proved: Vec::new(),
            last: None,
            held: 0,
        };
        let settings = Settings::prefix_closed(algorithm);
        let learned = learn(&settings, alphabet.len(), &mut teacher, memory.as_ref());
        let ChainTeacher { subsets, proved, last, .. } = teacher;
        let held = subsets.state_count().max(subsets.subset_count());
        self.effort.held(held);
        self.memory[position] = last.or(memory);
        match learned {
            Ok(_) => Ok(Assumed::Proved(proved)),
            Err(stop) => stop.into_assumed(),
        }
    }

    /// A group and the goal.
    pub(crate) fn with_goal(&self, position: usize, goal: &Goal) -> Network {
        Network::new(self.group(position).iter().chain(&goal.components).cloned().collect())
    }

    pub(crate) fn group(&self, position: usize) -> &'a [Component] {
        &self.groups[self.sequence[position]]
    }

    /// The components that come after a position, those of its own group left out.
    pub(crate) fn environment(&self, position: usize) -> Vec<Component> {
        let own = self.sequence[position];
        let mut groups: Vec<usize> =
            self.sequence[position + 1..].iter().copied().filter(|&group| group != own).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.into_iter().flat_map(|group| self.groups[group].iter().cloned()).collect()
    }

    /// What a group and the goal do when the goal fails and the alphabet shows the sequence, or a beginning of it;
    /// nothing if the goal does not fail then.
    pub(crate) fn failure(
        &mut self,
        position: usize,
        goal: &Goal,
        alphabet: &Alphabet,
        shown: &[String],
    ) -> Result<Option<Sequence>, Exhausted> {
        let mut components = self.group(position).to_vec();
        components.extend(goal.components.iter().cloned());
        components.push(only_sequence(shown, alphabet));
        Ok(failures(components, 1, self.budget, &mut self.effort)?.pop())
    }

    /// A sequence of the groups after a position, together with what the group itself does meanwhile until the goal
    /// fails; nothing if the goal does not fail by it.
    pub(crate) fn extended(
        &mut self,
        position: usize,
        goal: &Goal,
        interface: &Alphabet,
        sequence: &[String],
    ) -> Result<Option<Sequence>, Exhausted> {
        let environment = crate::problem::alphabet_of(&self.environment(position));
        let outside = projected(sequence, &environment);
        let inside = self.failure(position, goal, interface, &projected(&outside, interface))?;
        Ok(inside.map(|inside| interleaved(&inside, &outside, interface)))
    }

    /// What the groups after a position do when an alphabet shows a sequence, which they can.
    pub(crate) fn showing(
        &mut self,
        position: usize,
        alphabet: &Alphabet,
        shown: &[String],
    ) -> Result<Sequence, Exhausted> {
        if shown.is_empty() {
            return Ok(Sequence::new());
        }
        let mut components = self.environment(position);
        components.push(failing_after(shown, alphabet));
        let mut found = failures(components, 1, self.budget, &mut self.effort)?;
        Ok(found.pop().expect("the sequence is one that the groups can show"))
    }
}

/// The goal of the groups that follow.
fn next_goal(assumption: &Assumption) -> Goal {
    let property = assumption.property("A");
    Goal::property(match assumption.sink() == Some(assumption.lts().initial()) {
        // An assumption that allows everything cannot be broken, and says so by having no error state.
        true => assumption.component("A"),
        false => property,
    })
}

/// By label of a network, the letter that an alphabet has for it.
pub(crate) fn letters_of(network: &Network, alphabet: &Alphabet) -> Vec<Option<ActionId>> {
    std::iter::once(None).chain(network.alphabet().names().map(|name| alphabet.get(name))).collect()
}

/// Two sequences that agree on the actions they share, as one; it ends where the first ends.
pub(crate) fn interleaved(inside: &[String], outside: &[String], shared: &Alphabet) -> Sequence {
    let mut merged = Sequence::new();
    let mut outside = outside.iter();
    for action in inside {
        if shared.contains(action) {
            let before = outside.by_ref().take_while(|&other| !shared.contains(other));
            merged.extend(before.cloned());
        }
        merged.push(action.clone());
    }
    merged
}

/// Why learning ends before its assumption is known.
pub(crate) enum Stop {
    /// The groups that follow can do a sequence by which the goal may fail.
    Conflict(Sequence),
    /// The assumption would be larger than allowed.
    Larger,
    /// A limit was met.
    Exhausted(Exhausted),
}

impl Stop {
    pub(crate) fn into_assumed(self) -> Result<Assumed, Exhausted> {
        match self {
            Self::Conflict(sequence) => Ok(Assumed::Conflict(sequence)),
            Self::Larger => Ok(Assumed::Larger),
            Self::Exhausted(exhausted) => Err(exhausted),
        }
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Teaches the weakest assumption of a position, and accepts any assumption with which the whole chain is proved.
pub(crate) struct ChainTeacher<'c, 'a, 'g, 's> {
    pub(crate) chain: &'c mut Chain<'a>,
    pub(crate) position: usize,
    pub(crate) goal: &'g Goal,
    pub(crate) alphabet: &'g Alphabet,
    /// What the group and the goal may do after a word.
    pub(crate) subsets: Subsets<'s, Product<'s>>,
    pub(crate) start: Belief,
    /// Hypotheses with this many states or more are not looked at: the weakest assumption is no larger.
    pub(crate) less_than: usize,
    /// The assumptions from this position on, once they are found.
    pub(crate) proved: Vec<Assumption>,
    /// The last hypothesis that was put to the groups that follow: a good one to start from when the goal is another one.
    pub(crate) last: Option<Dfa>,
    /// The bytes that the learner and the subsets hold.
    pub(crate) held: usize,
}

impl Teacher for ChainTeacher<'_, '_, '_, '_> {
    type Place = Belief;
    type Stop = Stop;

    fn start(&mut self) -> Result<Belief, Stop> {
        Ok(self.start)
    }

    fn step(&mut self, from: &Belief, letter: ActionId) -> Result<Belief, Stop> {
        Ok(self.subsets.step(*from, letter, self.chain.budget)?)
    }

    fn accepts(&mut self, place: &Belief) -> Result<bool, Stop> {
        self.chain.effort.asked(self.chain.most_words)?;
        Ok(*place != Belief::Error)
    }

    fn learner_holds(&mut self, bytes: usize) -> Result<(), Stop> {
        self.held = bytes + self.subsets.bytes();
        let (states, bytes) = (self.subsets.state_count(), self.chain.held + self.held);
        Ok(self.chain.budget.check(&Progress { states, bytes, ..Progress::default() })?)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Stop> {
        self.chain.effort.conjectures += 1;
        self.chain.effort.held(hypothesis.state_count());
        if hypothesis.states().filter(|&state| hypothesis.is_accepting(state)).count() >= self.less_than {
            return Err(Stop::Larger);
        }
        let assumption = Assumption::of_dfa(self.alphabet, hypothesis)
            .expect("the empty word is accepted, or learning would not have begun");
        let too_weak = self.failures_within(&assumption)?;
        if !too_weak.is_empty() {
            return Ok(too_weak);
        }
        self.last = Some(hypothesis.clone());
        self.chain.held += self.held;
        let solved = self.chain.solve(self.position + 1, &next_goal(&assumption));
        self.chain.held -= self.held;
        match solved? {
            Solved::Proved(rest) => {
                self.proved = [vec![assumption], rest].concat();
                Ok(Vec::new())
            }
            Solved::Refuted(sequences) => self.judged(hypothesis, &sequences),
        }
    }
}

impl ChainTeacher<'_, '_, '_, '_> {
    /// The first premise: words that the assumption allows and by which the goal fails.
    fn failures_within(&mut self, assumption: &Assumption) -> Result<Vec<Word>, Stop> {
        let chain = &mut *self.chain;
        let mut components = vec![assumption.component("A")];
        components.extend(chain.group(self.position).iter().chain(&self.goal.components).cloned());
        let found = failures(components, HARVEST, chain.budget, &mut chain.effort)?;
        Ok(found.iter().map(|sequence| self.word(sequence)).collect())
    }

    /// Whether sequences by which the rest breaks the assumption are the fault of the assumption or of the system.
    fn judged(&mut self, hypothesis: &Dfa, sequences: &[Sequence]) -> Result<Vec<Word>, Stop> {
        let mut too_strong = Vec::new();
        for sequence in sequences {
            let word = self.word(sequence);
            if self.belief(&word)? == Belief::Error {
                return Err(Stop::Conflict(sequence.clone()));
            }
            // The shortest prefix that is rejected: a hypothesis need not be prefix-closed.
            let rejected = (0..=word.len()).find(|&length| !hypothesis.accepts(&word[..length]));
            too_strong.push(word[..rejected.unwrap_or(word.len())].to_vec());
        }
        Ok(too_strong)
    }

    fn belief(&mut self, word: &[ActionId]) -> Result<Belief, Stop> {
        let mut belief = self.start;
        for &letter in word {
            belief = self.subsets.step(belief, letter, self.chain.budget)?;
        }
        Ok(belief)
    }

    /// What the interface shows of a sequence.
    fn word(&self, sequence: &[String]) -> Word {
        sequence.iter().filter_map(|name| self.alphabet.get(name)).collect()
    }
}
