//! Measures for commitments: see the judge's `check/commitment.rs` for what they have to satisfy.
//!
//! **Idea.** Level by level. On the first level all steps are considered; the class of a situation is its strongly
//! connected component, which no step leaves for one with a greater number. A component with steps of its own
//! requests some pair that it does not answer, or a run would break the commitment: choose such a pair. Steps that
//! request it need nothing more. Without these steps the component splits into smaller ones, which are the classes of
//! the next level; until no step is left.
//!
//! **Complexity.** Each level removes the requests of a pair in each component, so there are at most as many levels
//! as pairs, and each is linear in the steps.

use std::cell::RefCell;

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rely_certificate::{Acceptor, Measure, Reading, StateTable};
use rely_explore::{Composite, Graph, Machine, SccIndex};
use rely_lts::{Observation, Program};
use rely_omega::{AtomId, AtomSet, Colours, Commitment, Justice, Scheduling};

use super::numbered::Numbered;
use crate::commitment::product::{Coloured, Reader, Situations};

/// The measures for the automata of violations of the claim, in order. If the commitment does not hold there is no
/// measure, and the result satisfies no rule.
pub(super) fn measures(
    program: &Program,
    commitment: &Commitment<Observation>,
    scheduling: &Scheduling,
    budget: &Budget<'_>,
) -> Result<Vec<Measure>, Exhausted> {
    let machine = Machine::transparent(program);
    let mut measures = Vec::new();
    for violations in Acceptor::of_violations(&commitment.claim) {
        let mut acceptors: Vec<Acceptor> = commitment.assuming.iter().map(Acceptor::of).collect();
        acceptors.push(violations);
        measures.push(measure(&machine, (commitment, scheduling), acceptors, budget)?);
    }
    Ok(measures)
}

fn measure(
    machine: &Machine<'_>,
    (commitment, scheduling): (&Commitment<Observation>, &Scheduling),
    acceptors: Vec<Acceptor>,
    budget: &Budget<'_>,
) -> Result<Measure, Exhausted> {
    let exhausted = RefCell::new(None);
    let (mut readers, mut pairs) = (Vec::new(), 0);
    for acceptor in acceptors {
        let own = acceptor.pair_count();
        readers.push(Numbering::new(acceptor, pairs, budget, &exhausted));
        pairs += own;
    }
    let first = colours(pairs);
    let product = Situations::new(machine, &commitment.propositions, scheduling, &readers, first[0]);
    let (graph, search) = Graph::explore(&product, budget)?;
    if let Some(exhausted) = exhausted.take() {
        return Err(exhausted);
    }
    let kinds = product.kinds();
    let coloured = Coloured { graph: &graph, kinds: &kinds };
    let mut all: Vec<Pair> =
        (0..pairs).map(colours).map(|[request, answer]| Pair { request: Some(request), answer }).collect();
    for process in 0..scheduling.processes.len() {
        // The two colours of a process are exchanged.
        let [answer, request] = colours(pairs + process);
        all.push(match scheduling.justice {
            Justice::None => Pair { request: None, answer },
            Justice::Weak => Pair { request: Some(ALWAYS), answer },
            Justice::Strong => Pair { request: Some(request), answer },
        });
    }
    let levels = levels(&coloured, &all, budget, search.bytes())?;
    let slots = machine.width();
    let width = readers.iter().map(|reader| reader.acceptor.width()).sum::<usize>() + slots;
    let mut table = StateTable::new(width, 2 * levels.len());
    for state in graph.states() {
        let words = search.states().get(state);
        let automata =
            (0..readers.len()).flat_map(|it| readers[it].states.state(product.automaton(words, it)));
        let place = machine.numbers(&words[..rely_explore::System::words(machine)]);
        let notes = levels.iter().flat_map(|level| level[state.index()]);
        table.push(automata.chain(place).chain(notes).collect::<Vec<u32>>());
        if state.index().is_multiple_of(Budget::INTERVAL) {
            let bytes = search.bytes() + graph.bytes() + table.bytes();
            budget.check(&Progress { states: graph.state_count(), bytes, ..Progress::default() })?;
        }
    }
    table.sort();
    let levels = u32::try_from(levels.len()).expect("there are few pairs");
    Ok(Measure { levels, states: table.encode() })
}

/// The colours of the request and the answer of a pair.
fn colours(pair: usize) -> [u32; 2] {
    let first = u32::try_from(2 * pair).expect("there are few pairs");
    [first, first + 1]
}

/// The request that every step makes.
const ALWAYS: u32 = u32::MAX;

/// A pair, by the colours of its request (`None` if it is never requested) and of its answer.
#[derive(Clone, Copy)]
struct Pair {
    request: Option<u32>,
    answer: u32,
}

impl Pair {
    fn is_requested(&self, colours: &Colours) -> bool {
        self.request.is_some_and(|request| request == ALWAYS || colours.contains(request))
    }
}

/// For each level and each state, the class and the pair, counted from 1.
fn levels(
    coloured: &Coloured<'_>,
    pairs: &[Pair],
    budget: &Budget<'_>,
    held: usize,
) -> Result<Vec<Vec<[u32; 2]>>, Exhausted> {
    let graph = coloured.graph;
    let mut levels: Vec<Vec<[u32; 2]>> = Vec::new();
    loop {
        // Whether a step remains: on all levels so far, its ends are in one class, and it does not request the pair.
        let is_left = |state: StateId, label: Label, target: StateId| {
            levels.iter().all(|level| {
                let ([class, pair], [other, _]) = (level[state.index()], level[target.index()]);
                class == other && pair > 0 && !pairs[pair as usize - 1].is_requested(coloured.colours(label))
            })
        };
        let bytes = held + levels.len() * graph.state_count() * size_of::<[u32; 2]>();
        let scc = SccIndex::new(graph, |state, edge| is_left(state, edge.label, edge.target), budget, bytes)?;
        let mut seen: Vec<Option<Seen>> = vec![None; scc.count()];
        for state in graph.states() {
            for edge in graph.edges(state) {
                if scc.of(state) == scc.of(edge.target) && is_left(state, edge.label, edge.target) {
                    let here = seen[scc.of(state)].get_or_insert_with(|| Seen::new(pairs.len()));
                    here.add(pairs, coloured.colours(edge.label));
                }
            }
        }
        let pair = |component: usize| -> u32 {
            let Some(seen) = &seen[component] else { return 0 };
            seen.unanswered().map_or(0, |pair| u32::try_from(pair + 1).expect("there are few pairs"))
        };
        let chosen: Vec<u32> = (0..scc.count()).map(pair).collect();
        let class = |state: StateId| u32::try_from(scc.of(state)).expect("states have 32 bits");
        let level = graph.states().map(|state| [class(state), chosen[scc.of(state)]]).collect();
        let is_last = seen.iter().all(Option::is_none);
        // A component that answers all pairs that it requests has no measure: the commitment is broken.
        let is_broken = seen.iter().zip(&chosen).any(|(seen, pair)| seen.is_some() && *pair == 0);
        levels.push(level);
        if is_last || is_broken {
            return Ok(levels);
        }
    }
}

/// How many steps of a component request each pair, and whether one answers it.
#[derive(Clone)]
struct Seen(Vec<(usize, bool)>);

impl Seen {
    fn new(pairs: usize) -> Self {
        Self(vec![(0, false); pairs])
    }

    fn add(&mut self, pairs: &[Pair], colours: &Colours) {
        for (seen, pair) in self.0.iter_mut().zip(pairs) {
            seen.0 += usize::from(pair.is_requested(colours));
            seen.1 |= colours.contains(pair.answer);
        }
    }

    /// The pair that is not answered and is requested most often.
    fn unanswered(&self) -> Option<usize> {
        let open = self.0.iter().enumerate().filter(|(_, (requests, answered))| *requests > 0 && !answered);
        open.max_by_key(|(_, (requests, _))| *requests).map(|(pair, _)| pair)
    }
}

/// An acceptor of the judge, with its states numbered as they are met.
struct Numbering<'a> {
    acceptor: Acceptor,
    /// The number of its first pair.
    first: usize,
    budget: &'a Budget<'a>,
    states: Numbered,
    /// The limit that was met, if one was. No letter is read from then on.
    exhausted: &'a RefCell<Option<Exhausted>>,
}

impl<'a> Numbering<'a> {
    fn new(
        acceptor: Acceptor,
        first: usize,
        budget: &'a Budget<'a>,
        exhausted: &'a RefCell<Option<Exhausted>>,
    ) -> Self {
        let states = Numbered::from_initial(&acceptor.initial());
        Self { first, budget, states, exhausted, acceptor }
    }

    fn readings(&self, state: u32, letter: &AtomSet) -> Vec<Reading> {
        self.acceptor.read(&self.states.state(state), letter, self.budget).unwrap_or_else(|limit| {
            self.exhausted.replace(Some(limit));
            Vec::new()
        })
    }
}

impl Reader for Numbering<'_> {
    fn initial(&self) -> u32 {
        0
    }

    fn bits(&self) -> u32 {
        // Templates have three states; the number of states of formulas is not known in advance.
        if self.acceptor.width() == 1 { 2 } else { u32::BITS }
    }

    fn read(&self, state: u32, letter: &AtomSet) -> Vec<(u32, Colours)> {
        let mut read = Vec::new();
        for Reading { target, pairs } in self.readings(state, letter) {
            let mut passed = Colours::none();
            for (number, (request, answer)) in pairs.into_iter().enumerate() {
                let [requested, answered] = colours(self.first + number);
                if request {
                    passed.insert(requested);
                }
                if answer {
                    passed.insert(answered);
                }
            }
            read.push((self.states.number(&target), passed));
        }
        read
    }

    fn may_read(&self, _state: u32, _known: &dyn Fn(AtomId) -> Option<bool>) -> bool {
        // There is no measure for runs that are cut, so reading stops.
        false
    }
}
