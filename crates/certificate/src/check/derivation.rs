//! Properties of a composition from properties of its parts: every step of a derivation is searched.
//!
//! **Problem.** A derivation says which properties of parts are used, and which statements each of their assumptions, and the claim, follow from.
//! Does the claim hold for the composition, if the parts have these properties?
//!
//! **Rule.** A run of the composition is a run of each part. So the claim of a premise is true on it if its assumptions are.
//! 1. *Induction over time.* A premise is inductive if its claim is about safety and holds one step longer than its assumptions about safety
//!    ([`holds_one_step_longer`]). Each of these assumptions has to follow, prefix by prefix, from claims of inductive premises and
//!    assumptions of the composition about safety. Then nothing can be broken first [McMillan 1999]. There is an inductive premise of every part, so that no part fails.
//! 2. *In turn.* Each assumption of every other premise has to follow from claims of premises before it, or inductive ones, and
//!    assumptions of the composition.
//! 3. The claim has to follow from claims of premises and assumptions of the composition. If it is to hold *one step longer* than these, it
//!    has to follow, prefix by prefix, from claims of inductive premises, where the assumptions may be broken by the last letter.
//!
//! *Follows*: no word over the letters of the composition, with any values of conditions, is read by the acceptors ([`Acceptor`]) of
//! some statements and by one of the violations of the other. The words are those of a graph of tuples of states; an accepting one
//! is looked for as a cycle that answers all pairs it requests, component by component: pairs that a component does not answer are not requested by
//! a cycle that counts, so the steps that request them are left out, and what is left is looked at again.
//!
//! Nothing of the engine is used: it proves the same with automata of its own (`rely_decide::prove`).

use std::collections::{HashMap, VecDeque};

use rely_base::{Budget, Id, Progress};
use rely_lts::Observation;
use rely_omega::{AtomId, AtomSet, Commitment, Statement};

use crate::derivation::{Composed, Derivation, Grounds};
use crate::{Acceptor, Interpreter, ProgramEnd, ProgramStep, Rejection};

/// The most conditions whose values are tried out.
const MOST_CONDITIONS: usize = 12;

/// Judges whether a derivation shows what a composition is to commit itself to, if the parts have the properties that it uses.
///
/// # Errors
/// Why it does not, or the limit that was met.
pub fn check_derivation(
    composed: &Composed<'_>,
    derivation: &Derivation,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let mut premises = Vec::new();
    for premise in &derivation.premises {
        let known = composed
            .parts
            .get(premise.part)
            .and_then(|own| own.iter().find(|it| it.name == premise.property));
        let own = known
            .ok_or_else(|| bad(format!("part {} has no property {}", premise.part, premise.property)))?;
        if premise.assumptions.len() != own.assuming.len() {
            return Err(bad(format!("{} has {} assumptions", premise.property, own.assuming.len())));
        }
        premises.push(own);
    }
    Judge { composed, derivation, premises, budget }.judge()
}

/// Judges whether the claim of a commitment holds one step longer than what it assumes about safety: no run breaks the claim by a
/// step before which no assumption was broken; and none fails or is cut by such a step.
///
/// # Errors
/// Why it does not, or the limit that was met.
pub fn holds_one_step_longer(
    program: &Interpreter<'_>,
    commitment: &Commitment<Observation>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let claim = safety(&commitment.claim)?;
    let delayed: Vec<Acceptor> =
        commitment.assuming.iter().filter(|it| is_safety(it)).map(Acceptor::of).collect();
    let places = program.program().slots().len();
    let mut found = Words::new(budget);
    let start: Vec<u32> = [read_nothing(&delayed), claim.initial(), program.initial()].concat();
    found.enter(start);
    let mut steps: Vec<ProgramStep> = Vec::new();
    while let Some(state) = found.next()? {
        let (states, place) = state.split_at(state.len() - places);
        steps.clear();
        program.steps(place, &mut |step| {
            steps.push(step.clone());
            Ok::<(), Rejection>(())
        })?;
        for step in &steps {
            let ProgramEnd::State(target) = &step.end else {
                return Err(bad(format!("{} does not show that the part does not fail", commitment.name)));
            };
            let observed = commitment.propositions.iter().enumerate();
            let is_true = |observation: &Observation| match observation {
                Observation::Actions(actions) => step.action.is_some_and(|action| actions.contains(&action)),
                Observation::Condition(condition) => program.holds(target, *condition),
            };
            let atoms = observed.filter(|(_, it)| is_true(it)).map(|(atom, _)| AtomId::from_index(atom));
            let letter: AtomSet = atoms.collect();
            let (assumed, own) = states.split_at(states.len() - 1);
            match one_letter(&delayed, assumed, (&claim, own), &letter, budget)? {
                Longer::Broken => {
                    let message = "is broken by a step before which no assumption was broken";
                    return Err(bad(format!("{} {message}", commitment.name)));
                }
                Longer::Over => {}
                Longer::To(mut next) => {
                    next.extend(target);
                    found.enter(next);
                }
            }
        }
    }
    Ok(())
}

fn bad(what: String) -> Rejection {
    Rejection::BadDerivation(what)
}

fn is_safety(statement: &Statement) -> bool {
    matches!(statement, Statement::Template(template) if template.is_safety())
}

/// The acceptor of a statement about safety.
fn safety(statement: &Statement) -> Result<Acceptor, Rejection> {
    match is_safety(statement) {
        true => Ok(Acceptor::of(statement)),
        false => Err(bad("what is used by induction over time is no template for safety".to_owned())),
    }
}

fn read_nothing(acceptors: &[Acceptor]) -> Vec<u32> {
    acceptors.iter().flat_map(Acceptor::initial).collect()
}

/// What a letter does to statements about safety that may be broken by the last letter, and to a claim that may not.
enum Longer {
    /// It breaks the claim.
    Broken,
    /// It breaks one of the others: no letter after it counts.
    Over,
    /// The states after it, that of the claim last.
    To(Vec<u32>),
}

fn one_letter(
    delayed: &[Acceptor],
    states: &[u32],
    (claim, own): (&Acceptor, &[u32]),
    letter: &AtomSet,
    budget: &Budget<'_>,
) -> Result<Longer, Rejection> {
    let Some(claimed) = claim.read(own, letter, budget)?.pop() else { return Ok(Longer::Broken) };
    let mut next = Vec::new();
    for (acceptor, &state) in delayed.iter().zip(states) {
        match acceptor.read(&[state], letter, budget)?.pop() {
            Some(reading) => next.extend(reading.target),
            None => return Ok(Longer::Over),
        }
    }
    next.extend(claimed.target);
    Ok(Longer::To(next))
}

/// Tuples of states, each met once.
struct Words<'a> {
    budget: &'a Budget<'a>,
    numbers: HashMap<Vec<u32>, usize>,
    pending: VecDeque<Vec<u32>>,
}

impl<'a> Words<'a> {
    fn new(budget: &'a Budget<'a>) -> Self {
        Self { budget, numbers: HashMap::new(), pending: VecDeque::new() }
    }

    /// The number of a tuple, which is looked at later if it is new.
    fn enter(&mut self, state: Vec<u32>) -> usize {
        let fresh = self.numbers.len();
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        self.pending.push_back(state.clone());
        self.numbers.insert(state, fresh);
        fresh
    }

    /// The next tuple to look at, in the order of their numbers.
    fn next(&mut self) -> Result<Option<Vec<u32>>, Rejection> {
        let Some(state) = self.pending.pop_front() else { return Ok(None) };
        let states = self.numbers.len();
        let bytes = 3 * states * (size_of::<Vec<u32>>() + size_of_val(&state[..]));
        self.budget.check(&Progress { states, bytes, ..Progress::default() })?;
        Ok(Some(state))
    }
}

struct Judge<'a> {
    composed: &'a Composed<'a>,
    derivation: &'a Derivation,
    /// The properties of the premises.
    premises: Vec<&'a Commitment<Observation>>,
    budget: &'a Budget<'a>,
}

/// Which premises a statement may follow from.
#[derive(Clone, Copy)]
enum Allowed {
    /// The inductive ones.
    Inductive,
    /// Those before this one, and the inductive ones.
    Before(usize),
}

impl Judge<'_> {
    fn judge(&self) -> Result<(), Rejection> {
        let Derivation { premises, claim, longer } = self.derivation;
        for part in 0..self.composed.parts.len() {
            if !premises.iter().any(|premise| premise.part == part && premise.inductive) {
                return Err(bad(format!("no premise shows that part {part} does not fail")));
            }
        }
        for (number, premise) in premises.iter().enumerate() {
            let own = self.premises[number];
            if premise.inductive {
                safety(&own.claim)?;
            }
            for (assumption, from) in own.assuming.iter().zip(&premise.assumptions) {
                match premise.inductive {
                    // One that is not about safety is not made.
                    true if is_safety(assumption) => self.follows_by_prefixes(assumption, from, false)?,
                    true => {}
                    false => self.follows(assumption, from, number)?,
                }
            }
        }
        match longer {
            true => self.follows_by_prefixes(&self.composed.goal.claim, claim, true),
            false => self.follows(&self.composed.goal.claim, claim, premises.len()),
        }
    }

    /// The statements that something is said to follow from: claims of premises, and assumptions of the composition.
    fn statements(
        &self,
        from: &Grounds,
        allowed: Allowed,
    ) -> Result<(Vec<&Statement>, Vec<&Statement>), Rejection> {
        let (mut claims, mut assumed) = (Vec::new(), Vec::new());
        for &number in &from.premises {
            let premise = self.derivation.premises.get(number);
            let is_allowed = premise.is_some_and(|premise| match allowed {
                Allowed::Inductive => premise.inductive,
                Allowed::Before(turn) => premise.inductive || number < turn,
            });
            if !is_allowed {
                return Err(bad(format!(
                    "premise {number} may not be used where it is: premises would go round in a circle"
                )));
            }
            claims.push(&self.premises[number].claim);
        }
        for &number in &from.environment {
            let assumption = self.composed.goal.assuming.get(number);
            assumed.push(assumption.ok_or_else(|| bad(format!("there is no assumption {number}")))?);
        }
        Ok((claims, assumed))
    }

    /// Whether a statement is true of all words of which some others are true.
    fn follows(&self, statement: &Statement, from: &Grounds, turn: usize) -> Result<(), Rejection> {
        let (claims, assumed) = self.statements(from, Allowed::Before(turn))?;
        let given: Vec<&Statement> = claims.into_iter().chain(assumed).collect();
        if given.contains(&statement) {
            return Ok(());
        }
        let letters = self.letters(given.iter().copied().chain([statement]))?;
        let readers: Vec<Acceptor> = given.iter().map(|it| Acceptor::of(it)).collect();
        for violation in Acceptor::of_violations(statement) {
            let mut readers = readers.clone();
            readers.push(violation);
            if Product::explore(&readers, &letters, self.budget)?.accepts(self.budget)? {
                return Err(bad(format!("{} does not follow", self.composed.goal.show(statement))));
            }
        }
        Ok(())
    }

    /// Whether no prefix breaks a statement about safety and none of some others about safety. Those of the composition may be broken by the last
    /// letter if `longer`.
    fn follows_by_prefixes(
        &self,
        statement: &Statement,
        from: &Grounds,
        longer: bool,
    ) -> Result<(), Rejection> {
        let claim = safety(statement)?;
        let (claims, assumed) = self.statements(from, Allowed::Inductive)?;
        let is_given = claims.contains(&statement) || !longer && assumed.contains(&statement);
        let given: Vec<&Statement> =
            claims.iter().chain(&assumed).copied().filter(|it| is_safety(it)).collect();
        if is_given {
            return Ok(());
        }
        let delays = |it: &&Statement| longer && assumed.iter().any(|assumed| std::ptr::eq(*assumed, *it));
        let (delayed, exact): (Vec<&Statement>, Vec<&Statement>) = given.iter().copied().partition(delays);
        let letters = self.letters(given.into_iter().chain([statement]))?;
        let exact: Vec<Acceptor> = exact.into_iter().map(Acceptor::of).collect();
        let delayed: Vec<Acceptor> = delayed.into_iter().map(Acceptor::of).collect();
        let mut found = Words::new(self.budget);
        found.enter([read_nothing(&exact), read_nothing(&delayed), claim.initial()].concat());
        while let Some(state) = found.next()? {
            let (states, own) = state.split_at(state.len() - 1);
            let (kept, others) = states.split_at(exact.len());
            'letters: for letter in &letters {
                let mut next = Vec::new();
                for (acceptor, &state) in exact.iter().zip(kept) {
                    match acceptor.read(&[state], letter, self.budget)?.pop() {
                        Some(reading) => next.extend(reading.target),
                        None => continue 'letters,
                    }
                }
                match one_letter(&delayed, others, (&claim, own), letter, self.budget)? {
                    Longer::Broken => {
                        return Err(bad(format!("{} does not follow", self.composed.goal.show(statement))));
                    }
                    Longer::Over => {}
                    Longer::To(rest) => {
                        next.extend(rest);
                        found.enter(next);
                    }
                }
            }
        }
        Ok(())
    }

    /// The letters of steps of the composition, as far as some statements can tell them apart; that nothing happens is one of them.
    fn letters<'s>(
        &self,
        statements: impl Iterator<Item = &'s Statement>,
    ) -> Result<Vec<AtomSet>, Rejection> {
        let mut used = AtomSet::new();
        statements.for_each(|it| used.insert_all(&it.atoms()));
        let is_condition = |atom: &AtomId| {
            matches!(self.composed.propositions.get(atom.index()), Some(Observation::Condition(_)))
        };
        let conditions: Vec<AtomId> = used.iter().filter(is_condition).collect();
        if conditions.len() > MOST_CONDITIONS {
            return Err(bad(format!("more than {MOST_CONDITIONS} conditions are used in one step")));
        }
        let mut letters: Vec<AtomSet> = Vec::new();
        for events in std::iter::once(&AtomSet::new()).chain(self.composed.letters) {
            let events: AtomSet = events.iter().filter(|atom| used.contains(*atom)).collect();
            if letters.contains(&events) {
                continue;
            }
            letters.push(events);
        }
        let mut all = Vec::new();
        for events in letters {
            for values in 0..1_u32 << conditions.len() {
                let mut letter = events.clone();
                let chosen = conditions.iter().enumerate().filter(|(place, _)| values >> place & 1 == 1);
                chosen.for_each(|(_, &atom)| letter.insert(atom));
                all.push(letter);
            }
        }
        Ok(all)
    }
}

/// For each pair, whether a step requests it, and whether it answers it.
type Pairs = Vec<(bool, bool)>;

/// What some acceptors read together: for each tuple of states its steps.
struct Product {
    steps: Vec<Vec<(usize, Pairs)>>,
    pairs: usize,
}

impl Product {
    fn explore(readers: &[Acceptor], letters: &[AtomSet], budget: &Budget<'_>) -> Result<Self, Rejection> {
        let mut found = Words::new(budget);
        found.enter(read_nothing(readers));
        let mut steps: Vec<Vec<(usize, Pairs)>> = Vec::new();
        while let Some(state) = found.next()? {
            let mut own: Vec<(usize, Pairs)> = Vec::new();
            for letter in letters {
                let mut partial: Vec<(Vec<u32>, Pairs)> = vec![(Vec::new(), Vec::new())];
                let mut rest = &state[..];
                for reader in readers {
                    let (here, others) = rest.split_at(reader.width());
                    rest = others;
                    let readings = reader.read(here, letter, budget)?;
                    let longer = partial.iter().flat_map(|(target, pairs)| {
                        let with = |it: &crate::Reading| {
                            ([&target[..], &it.target].concat(), [&pairs[..], &it.pairs].concat())
                        };
                        readings.iter().map(with).collect::<Vec<_>>()
                    });
                    partial = longer.collect();
                }
                for (target, pairs) in partial {
                    let step = (found.enter(target), pairs);
                    if !own.contains(&step) {
                        own.push(step);
                    }
                }
            }
            steps.push(own);
        }
        Ok(Self { steps, pairs: readers.iter().map(Acceptor::pair_count).sum() })
    }

    /// Whether some cycle answers every pair that it requests.
    fn accepts(&self, budget: &Budget<'_>) -> Result<bool, Rejection> {
        let mut pending = vec![((0..self.steps.len()).collect::<Vec<usize>>(), vec![false; self.pairs])];
        while let Some((states, without)) = pending.pop() {
            budget.check(&Progress { states: self.steps.len(), ..Progress::default() })?;
            for component in self.components(&states, &without) {
                let is_inside = |state: &usize| component.binary_search(state).is_ok();
                let mut seen: Option<Pairs> = None;
                for &state in &component {
                    for (target, pairs) in self.allowed(state, &without) {
                        if is_inside(target) {
                            let seen = seen.get_or_insert_with(|| vec![(false, false); self.pairs]);
                            for (seen, pair) in seen.iter_mut().zip(pairs) {
                                *seen = (seen.0 || pair.0, seen.1 || pair.1);
                            }
                        }
                    }
                }
                // A component without steps has no cycle.
                let Some(seen) = seen else { continue };
                let mut fewer = without.clone();
                let unanswered =
                    seen.iter().enumerate().filter(|(_, (requested, answered))| *requested && !answered);
                unanswered.for_each(|(pair, _)| fewer[pair] = true);
                if fewer == without {
                    return Ok(true);
                }
                pending.push((component, fewer));
            }
        }
        Ok(false)
    }

    /// The steps of a state that request none of some pairs.
    fn allowed<'s>(
        &'s self,
        state: usize,
        without: &'s [bool],
    ) -> impl Iterator<Item = (&'s usize, &'s Pairs)> {
        let is_allowed =
            move |pairs: &Pairs| !pairs.iter().zip(without).any(|(pair, &is_out)| is_out && pair.0);
        self.steps[state]
            .iter()
            .filter(move |(_, pairs)| is_allowed(pairs))
            .map(|(target, pairs)| (target, pairs))
    }

    /// The strongly connected components of some states, each sorted: forwards to find the order in which states are left, and
    /// backwards from those that were left last [Sharir 1981].
    fn components(&self, states: &[usize], without: &[bool]) -> Vec<Vec<usize>> {
        let place: HashMap<usize, usize> =
            states.iter().enumerate().map(|(place, &state)| (state, place)).collect();
        let mut onward: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
        for (source, &state) in states.iter().enumerate() {
            for target in self.allowed(state, without).filter_map(|(target, _)| place.get(target)) {
                onward[source].push(*target);
                back[*target].push(source);
            }
        }
        let everything: Vec<usize> = (0..states.len()).collect();
        let left: Vec<usize> = walk(&onward, &everything).into_iter().flatten().collect();
        let last_first: Vec<usize> = left.into_iter().rev().collect();
        let mut components = walk(&back, &last_first);
        for component in &mut components {
            component.iter_mut().for_each(|it| *it = states[*it]);
            component.sort_unstable();
        }
        components
    }
}

/// Grounds each start that was not met before, what it leads to that was not met before, in the order in which a search that goes depth first leaves it.
fn walk(steps: &[Vec<usize>], starts: &[usize]) -> Vec<Vec<usize>> {
    let mut is_met = vec![false; steps.len()];
    let mut trees = Vec::new();
    for &start in starts {
        if std::mem::replace(&mut is_met[start], true) {
            continue;
        }
        let (mut tree, mut path) = (Vec::new(), vec![(start, 0)]);
        while let Some((state, next)) = path.last_mut() {
            match steps[*state].get(*next) {
                Some(&target) => {
                    *next += 1;
                    if !std::mem::replace(&mut is_met[target], true) {
                        path.push((target, 0));
                    }
                }
                None => {
                    tree.push(*state);
                    path.pop();
                }
            }
        }
        trees.push(tree);
    }
    trees
}
