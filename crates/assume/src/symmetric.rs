//! The symmetric rule: ⟨Aᵢ⟩ Mᵢ ⟨P⟩ for every i, and no sequence that breaks P is outside of all Aᵢ.
//!
//! **Problem.** Find such assumptions, or a sequence of actions by which the system breaks the property P.
//!
//! **Source.** [Barringer, Giannakopoulou, Păsăreanu 2003], where the last premise is written with complements:
//! L(co-A₁ ‖ … ‖ co-Aₙ) ⊆ L(P).
//!
//! **Idea.** One learner for each group, one inside the other. A hypothesis that meets its own premise lets the next
//! learner begin; when all do, the last premise is asked. A sequence against it is put to every group: a group that can
//! take it without breaking P has an assumption that is too strong, and its learner goes on; if all groups break P by
//! it, so does the system, because they agree on everything they share.
//!
//! **Side condition.** αP ⊆ αAᵢ, and αAᵢ contains what Mᵢ shares with the others. P must be an observer.
//!
//! **Callers.** `verify.rs`.

use std::ops::ControlFlow;
use std::sync::Arc;

use rely_automata::Dfa;
use rely_base::{ActionId, Alphabet, Budget, Exhausted, Label, Progress, StateId};
use rely_explore::{Belief, Product, Search, Subsets, System, Visitor, generate};
use rely_learn::{Settings, Teacher, Word, learn};
use rely_lts::{Component, Lts, LtsBuilder, Network};

use crate::chain::{HARVEST, Solved, interleaved, letters_of};
use crate::premise::{Sequence, failures, projected};
use crate::problem::alphabet_of;
use crate::realise::only_sequence;
use crate::weakest::{Requirement, Variant, everything, weakest};
use crate::{Assumption, Effort, Goal, Method, Plan};

/// The assumptions of the groups, in order, or a sequence by which they break the goal, which is an observer.
pub(crate) fn solve(
    groups: &[Vec<Component>],
    goal: &Goal,
    plan: &Plan,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Solved, Exhausted> {
    let alphabets: Vec<Alphabet> = (0..groups.len()).map(|i| symmetric_interface(groups, goal, i)).collect();
    let with_goal =
        |group: &Vec<Component>| Network::new(group.iter().chain(&goal.components).cloned().collect());
    let networks: Vec<Network> = groups.iter().map(with_goal).collect();
    let products: Vec<Product<'_>> = networks.iter().map(Product::transparent).collect();
    let mut symmetric = Symmetric {
        groups,
        goal,
        alphabets: &alphabets,
        plan,
        budget,
        effort: Effort::default(),
        beliefs: Vec::new(),
        starts: Vec::new(),
        memory: vec![None; groups.len()],
        assumptions: Vec::new(),
        held: 0,
    };
    let solved = symmetric.run(&networks, &products);
    for beliefs in &symmetric.beliefs {
        symmetric.effort.held(beliefs.state_count().max(beliefs.subset_count()));
    }
    effort.add(symmetric.effort);
    solved
}

/// What a group shares with the others, and the actions of the goal; in dictionary order.
pub fn symmetric_interface(groups: &[Vec<Component>], goal: &Goal, group: usize) -> Alphabet {
    let others: Vec<Component> =
        groups.iter().enumerate().filter(|&(i, _)| i != group).flat_map(|(_, group)| group.clone()).collect();
    let (own, others, goal) = (alphabet_of(&groups[group]), alphabet_of(&others), goal.alphabet());
    let mut names: Vec<&str> = goal.names().chain(own.names().filter(|name| others.contains(name))).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().collect()
}

struct Symmetric<'a, 's> {
    groups: &'a [Vec<Component>],
    goal: &'a Goal,
    alphabets: &'a [Alphabet],
    plan: &'a Plan,
    budget: &'a Budget<'a>,
    effort: Effort,
    /// What each group and the goal may do after a word.
    beliefs: Vec<Subsets<'s, Product<'s>>>,
    starts: Vec<Belief>,
    /// What each learner learned last.
    memory: Vec<Option<Dfa>>,
    /// The assumptions that meet their own premises, from the first group on.
    assumptions: Vec<Assumption>,
    /// The bytes that learners hold who wait for those of the groups after theirs.
    held: usize,
}

/// What became of the groups from a level on.
enum Outcome {
    Proved,
    Refuted(Sequence),
    /// The assumption of a group, by number, rejects a word that it should not.
    TooStrong(usize, Word),
}

impl<'s> Symmetric<'_, 's> {
    fn run(&mut self, networks: &'s [Network], products: &'s [Product<'s>]) -> Result<Solved, Exhausted> {
        for (i, product) in products.iter().enumerate() {
            let mut beliefs = Subsets::new(product, letters_of(&networks[i], &self.alphabets[i]));
            let start = beliefs.initial(self.budget)?;
            self.beliefs.push(beliefs);
            self.starts.push(start);
            if start == Belief::Error {
                // The actions of the goal are all seen, so the goal has failed before anything happened.
                return Ok(Solved::Refuted(vec![Sequence::new()]));
            }
        }
        let outcome = match self.plan.method {
            Method::Direct => self.construct()?,
            Method::Learn(algorithm) => self.level(0, &Settings::prefix_closed(algorithm))?,
            Method::Separate | Method::Abstract => unreachable!("these apply to chains only"),
        };
        Ok(match outcome {
            Outcome::Proved => Solved::Proved(std::mem::take(&mut self.assumptions)),
            Outcome::Refuted(sequence) => Solved::Refuted(vec![sequence]),
            Outcome::TooStrong(..) => unreachable!("every counterexample has been used by its learner"),
        })
    }

    fn construct(&mut self) -> Result<Outcome, Exhausted> {
        for (group, alphabet) in self.groups.iter().zip(self.alphabets) {
            let (requirement, _) =
                weakest(group, self.goal, alphabet, Variant::Weakest, self.budget, &mut self.effort)
                    .map_err(|interrupted| interrupted.exhausted)?;
            self.assumptions.push(match requirement {
                Requirement::Assumption(assumption) => assumption,
                Requirement::Nothing => everything(alphabet),
                Requirement::Impossible => return Ok(Outcome::Refuted(Sequence::new())),
            });
        }
        self.judged()
    }

    /// Finds assumptions for the groups from a level on, given those before it.
    fn level(&mut self, level: usize, settings: &Settings) -> Result<Outcome, Exhausted> {
        if level == self.groups.len() {
            return self.judged();
        }
        let memory = self.memory[level].take();
        let letters = self.alphabets[level].len();
        let mut teacher = LevelTeacher { symmetric: self, level, settings: *settings, last: None, held: 0 };
        let learned = learn(settings, letters, &mut teacher, memory.as_ref());
        self.memory[level] = teacher.last.or(memory);
        match learned {
            Ok(_) => Ok(Outcome::Proved),
            Err(Stop::Exhausted(exhausted)) => Err(exhausted),
            Err(Stop::Outcome(outcome)) => Ok(outcome),
        }
    }

    /// The last premise, and whose fault it is if it does not hold.
    fn judged(&mut self) -> Result<Outcome, Exhausted> {
        let Some(sequence) = self.outside_of_all()? else { return Ok(Outcome::Proved) };
        for group in (0..self.groups.len()).rev() {
            let word: Word = sequence.iter().filter_map(|name| self.alphabets[group].get(name)).collect();
            if self.belief(group, &word)? != Belief::Error {
                return Ok(Outcome::TooStrong(group, word));
            }
        }
        let mut merged = sequence.clone();
        for (group, alphabet) in self.groups.iter().zip(self.alphabets) {
            let mut components = group.clone();
            components.extend(self.goal.components.iter().cloned());
            components.push(only_sequence(&projected(&sequence, alphabet), alphabet));
            let mut found = failures(components, 1, self.budget, &mut self.effort)?;
            let inside = found.pop().expect("the group breaks the goal by this sequence");
            merged = interleaved(&inside, &merged, alphabet);
        }
        Ok(Outcome::Refuted(merged))
    }

    fn belief(&mut self, group: usize, word: &[ActionId]) -> Result<Belief, Exhausted> {
        let mut belief = self.starts[group];
        for &letter in word {
            belief = self.beliefs[group].step(belief, letter, self.budget)?;
        }
        Ok(belief)
    }

    /// A shortest sequence that breaks the goal and is outside of all assumptions.
    fn outside_of_all(&mut self) -> Result<Option<Sequence>, Exhausted> {
        // A goal of several properties is broken when one of them is.
        let goal = generate(&Network::new(self.goal.components.clone()), self.budget)?;
        self.effort.held(goal.state_count());
        let assumptions = self.assumptions.iter().map(Rejecting::of_assumption);
        let goal = std::iter::once(Rejecting::of_property(&goal));
        let Some(automata) = goal.chain(assumptions).collect::<Option<Vec<Rejecting>>>() else {
            // One of them rejects nothing.
            return Ok(None);
        };
        let component =
            |automaton: &Rejecting| Component { name: String::new(), lts: Arc::clone(&automaton.lts) };
        let network = Network::new(automata.iter().map(component).collect());
        let product = Product::transparent(&network);
        let rejected: Vec<StateId> = automata.iter().map(|automaton| automaton.rejected).collect();
        let mut search = Search::new(&product);
        let mut visitor = Reaches { goal: product.pack(&rejected), found: None };
        let outcome = search.run(self.budget, &mut visitor);
        self.effort.held(search.states().len());
        let Some(state) = visitor.found else {
            outcome?;
            return Ok(None);
        };
        debug_assert_eq!(product.words(), visitor.goal.len());
        let labels = search.try_trace_to(state, self.budget)?.into_iter().map(|step| step.label);
        Ok(Some(labels.map(|label| network.alphabet().label_name(label).to_owned()).collect()))
    }
}

/// Ends a search at a state.
struct Reaches {
    goal: Vec<u64>,
    found: Option<StateId>,
}

impl Visitor for Reaches {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        if words == self.goal {
            self.found = Some(state);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The complement of a prefix-closed language: a complete system with a state that means *rejected*, which is never
/// left.
struct Rejecting {
    lts: Arc<Lts>,
    rejected: StateId,
}

impl Rejecting {
    /// Nothing if the property cannot be broken.
    fn of_property(lts: &Lts) -> Option<Self> {
        let rejected = lts.error()?;
        let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
        builder.set_initial(lts.initial());
        for transition in lts.transitions() {
            builder.add_transition(transition.source, transition.label, transition.target);
        }
        for (action, _) in lts.alphabet().iter() {
            builder.add_transition(rejected, Label::visible(action), rejected);
        }
        Some(Self { lts: Arc::new(builder.build()), rejected })
    }

    /// Nothing if the assumption allows everything.
    fn of_assumption(assumption: &Assumption) -> Option<Self> {
        match assumption.sink() == Some(assumption.lts().initial()) {
            true => None,
            false => Self::of_property(&assumption.property("A").lts),
        }
    }
}

/// Why a learner stops before its assumption is known.
enum Stop {
    Outcome(Outcome),
    Exhausted(Exhausted),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Teaches the weakest assumption of a group, and accepts any with which the groups after it find theirs.
struct LevelTeacher<'t, 'a, 's> {
    symmetric: &'t mut Symmetric<'a, 's>,
    level: usize,
    settings: Settings,
    /// The last hypothesis that was put to the groups after it.
    last: Option<Dfa>,
    /// The bytes that the learner holds.
    held: usize,
}

impl Teacher for LevelTeacher<'_, '_, '_> {
    type Place = Belief;
    type Stop = Stop;

    fn start(&mut self) -> Result<Belief, Stop> {
        Ok(self.symmetric.starts[self.level])
    }

    fn step(&mut self, from: &Belief, letter: ActionId) -> Result<Belief, Stop> {
        let budget = self.symmetric.budget;
        Ok(self.symmetric.beliefs[self.level].step(*from, letter, budget)?)
    }

    fn accepts(&mut self, place: &Belief) -> Result<bool, Stop> {
        self.symmetric.effort.asked(self.symmetric.plan.most_words)?;
        Ok(*place != Belief::Error)
    }

    fn learner_holds(&mut self, bytes: usize) -> Result<(), Stop> {
        self.held = bytes;
        let symmetric = &*self.symmetric;
        let subsets: usize = symmetric.beliefs.iter().map(Subsets::bytes).sum();
        let (states, bytes) = (symmetric.effort.peak_states, symmetric.held + bytes + subsets);
        // The number of states has its own limits.
        let states = states.min(symmetric.budget.max_states());
        Ok(symmetric.budget.check(&Progress { states, bytes, ..Progress::default() })?)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Stop> {
        let (symmetric, level) = (&mut *self.symmetric, self.level);
        symmetric.effort.conjectures += 1;
        symmetric.effort.held(hypothesis.state_count());
        let alphabet = &symmetric.alphabets[level];
        let assumption = Assumption::of_dfa(alphabet, hypothesis).expect("the empty word is accepted");
        let mut components = vec![assumption.component("A")];
        components.extend(symmetric.groups[level].iter().chain(&symmetric.goal.components).cloned());
        let found = failures(components, HARVEST, symmetric.budget, &mut symmetric.effort)?;
        if !found.is_empty() {
            let word = |sequence: &Sequence| sequence.iter().filter_map(|name| alphabet.get(name)).collect();
            return Ok(found.iter().map(word).collect());
        }
        self.last = Some(hypothesis.clone());
        symmetric.assumptions.truncate(level);
        symmetric.assumptions.push(assumption);
        symmetric.held += self.held;
        let outcome = symmetric.level(level + 1, &self.settings);
        symmetric.held -= self.held;
        match outcome? {
            Outcome::Proved => Ok(Vec::new()),
            Outcome::TooStrong(group, word) if group == level => {
                let rejected = (0..=word.len()).find(|&length| !hypothesis.accepts(&word[..length]));
                Ok(vec![word[..rejected.unwrap_or(word.len())].to_vec()])
            }
            outcome => Err(Stop::Outcome(outcome)),
        }
    }
}
