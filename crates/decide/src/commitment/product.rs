//! Programs with automata that read their runs.
//!
//! A *situation* is a state of a program and one of each automaton. A step of the program makes a letter, of what can be
//! observed just after it, which every automaton reads; where one cannot read it, no run that matters goes on. A state
//! without steps goes on with a step in which nothing happens.
//!
//! **Colours.** The labels of the product stand for pairs of an action and a set of colours: those of the automata, and two for each
//! process. *Rested* or moved: the process takes the step, or it could not. *Ready*: it could. So weak fairness is that the
//! first is passed again and again, and strong fairness that this is so if the second is.
//!
//! The automata are those of the engine, or, where evidence is made, those of the judge.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_explore::{Conditions, Graph, Machine, MachineCursor, Successor, System};
use rely_lts::{ComponentId, ExpressionId, Observation};
use rely_omega::{Acceptance, AtomId, AtomSet, ColouredGraph, Colours, Justice, Scheduling};
use rustc_hash::FxHashMap;

/// An automaton that reads letters. Its states are numbers.
pub(crate) trait Reader {
    /// The state before the first letter.
    fn initial(&self) -> u32;

    /// How many bits a state takes.
    fn bits(&self) -> u32;

    /// The states that a letter leads to, with the colours of the step.
    fn read(&self, state: u32, letter: &AtomSet) -> Vec<(u32, Colours)>;

    /// Whether some letter can be read of which only some atoms are known. If that is hard to say, it can.
    fn may_read(&self, state: u32, known: &dyn Fn(AtomId) -> Option<bool>) -> bool;
}

/// What a step of the product is: an action of the program or a silent step, and colours.
pub(crate) type Kind = (Label, Colours);

/// The product.
pub(crate) struct Situations<'a, R> {
    machine: &'a Machine<'a>,
    propositions: &'a [Observation],
    scheduling: &'a Scheduling,
    readers: &'a [R],
    /// For each action, the process that it belongs to.
    owners: Vec<Option<usize>>,
    /// For each action, the atoms that it makes true.
    events: Vec<AtomSet>,
    /// The atoms that stand for conditions, and their expressions.
    conditions: Vec<(AtomId, ExpressionId)>,
    /// For each reader, the word that its state is in and the first bit.
    places: Vec<(usize, u32)>,
    words: usize,
    /// The colour of "rested or moved" of the first process; "ready" comes next.
    first_colour: u32,
    kinds: RefCell<Kinds>,
    alphabet: Alphabet,
}

/// The labels of the product, by number, and back.
#[derive(Default)]
struct Kinds {
    list: Vec<Kind>,
    numbers: FxHashMap<Kind, u32>,
}

/// What the product needs besides a state.
pub(crate) struct SituationCursor {
    machine: MachineCursor,
    conditions: Conditions,
    next: Vec<u64>,
    steps: Vec<(Label, Option<ComponentId>, bool, usize)>,
    targets: Vec<u64>,
}

impl<'a, R: Reader> Situations<'a, R> {
    /// The product of a program with automata whose colours are below `first_colour`.
    pub(crate) fn new(
        machine: &'a Machine<'a>,
        propositions: &'a [Observation],
        scheduling: &'a Scheduling,
        readers: &'a [R],
        first_colour: u32,
    ) -> Self {
        let actions = machine.alphabet().len();
        let mut owners = vec![None; actions];
        for (process, own) in scheduling.processes.iter().enumerate() {
            own.iter().for_each(|action| owners[action.index()] = Some(process));
        }
        let (mut events, mut conditions) = (vec![AtomSet::new(); actions], Vec::new());
        for (number, observation) in propositions.iter().enumerate() {
            let atom = AtomId::from_index(number);
            match observation {
                Observation::Actions(actions) => {
                    actions.iter().for_each(|action| events[action.index()].insert(atom));
                }
                Observation::Condition(expression) => conditions.push((atom, *expression)),
            }
        }
        let (mut places, mut word, mut bit) = (Vec::new(), machine.words(), 0);
        for reader in readers {
            if bit + reader.bits() > u64::BITS {
                (word, bit) = (word + 1, 0);
            }
            places.push((word, bit));
            bit += reader.bits();
        }
        Self {
            machine,
            propositions,
            scheduling,
            readers,
            owners,
            events,
            conditions,
            words: word + usize::from(bit > 0),
            places,
            first_colour,
            kinds: RefCell::default(),
            alphabet: Alphabet::default(),
        }
    }

    /// The condition that says that a run is fair to all processes.
    pub(crate) fn fairness(&self) -> Acceptance {
        let processes = 0..u32::try_from(self.scheduling.processes.len()).unwrap_or(u32::MAX);
        let moves = |process: u32| Acceptance::Inf(self.first_colour + 2 * process);
        let is_ready = |process: u32| Acceptance::Fin(self.first_colour + 2 * process + 1);
        match self.scheduling.justice {
            Justice::None => Acceptance::True,
            Justice::Weak => Acceptance::all(processes.map(moves)),
            Justice::Strong => {
                Acceptance::all(processes.map(|process| Acceptance::any([is_ready(process), moves(process)])))
            }
        }
    }

    /// The state of an automaton in a situation.
    pub(crate) fn automaton(&self, state: &[u64], reader: usize) -> u32 {
        let (word, bit) = self.places[reader];
        let mask = (1_u64 << self.readers[reader].bits()) - 1;
        u32::try_from(state[word] >> bit & mask).expect("states of automata have at most 32 bits")
    }

    fn put(&self, state: &mut [u64], reader: usize, number: u32) {
        let (word, bit) = self.places[reader];
        let mask = (1_u64 << self.readers[reader].bits()) - 1;
        state[word] = state[word] & !(mask << bit) | u64::from(number) << bit;
    }

    /// What the labels of the product stand for, in order.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        self.kinds.borrow().list.clone()
    }

    fn label(&self, kind: Kind) -> Label {
        let Kinds { list, numbers } = &mut *self.kinds.borrow_mut();
        let fresh = u32::try_from(list.len()).expect("ids have 32 bits");
        let number = *numbers.entry(kind.clone()).or_insert(fresh);
        if number == fresh {
            list.push(kind);
        }
        Label::visible(ActionId::from_raw(number))
    }

    /// The colours of a step of a process, or of nobody, where some are ready.
    fn fair_colours(&self, ready: &[bool], mover: Option<usize>) -> Colours {
        let mut colours = Colours::none();
        if self.scheduling.justice == Justice::None {
            return colours;
        }
        for (process, &is_ready) in ready.iter().enumerate() {
            let first = self.first_colour + 2 * u32::try_from(process).unwrap_or(u32::MAX / 4);
            let moves = mover == Some(process);
            let is_just = match self.scheduling.justice {
                Justice::Strong => moves,
                Justice::None | Justice::Weak => moves || !is_ready,
            };
            if is_just {
                colours.insert(first);
            }
            if is_ready {
                colours.insert(first + 1);
            }
        }
        colours
    }

    /// What is true just after a step, in a state of the machine.
    fn letter(&self, label: Label, state: &[u64], conditions: &mut Conditions) -> AtomSet {
        let mut letter = label.action().map_or_else(AtomSet::new, |it| self.events[it.index()].clone());
        self.machine.met(conditions, state, |number| letter.insert(self.conditions[number].0));
        letter
    }

    /// Whether all automata may read a step whose end is not known.
    fn may_read(&self, state: &[u64], label: Label) -> bool {
        let known = |atom: AtomId| match &self.propositions[atom.index()] {
            Observation::Condition(_) => None,
            Observation::Actions(actions) => {
                Some(label.action().is_some_and(|action| actions.contains(&action)))
            }
        };
        let mut readers = self.readers.iter().enumerate();
        readers.all(|(number, reader)| reader.may_read(self.automaton(state, number), &known))
    }

    /// Shows what the automata make of a step to a state of the machine, which is at the start of `next`.
    fn show(
        &self,
        state: &[u64],
        (label, fair, letter): (Label, &Colours, &AtomSet),
        next: &mut [u64],
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let readings: Vec<Vec<(u32, Colours)>> = (0..self.readers.len())
            .map(|number| self.readers[number].read(self.automaton(state, number), letter))
            .collect();
        if readings.iter().any(Vec::is_empty) {
            return ControlFlow::Continue(());
        }
        let mut chosen = vec![0; readings.len()];
        loop {
            let mut colours = fair.clone();
            for (number, (readings, &choice)) in readings.iter().zip(&chosen).enumerate() {
                self.put(next, number, readings[choice].0);
                colours.insert_all(&readings[choice].1);
            }
            visit(self.label((label, colours)), Successor::State(next))?;
            // The next combination, the last automaton fastest.
            let Some(place) = (0..chosen.len()).rev().find(|&it| chosen[it] + 1 < readings[it].len()) else {
                return ControlFlow::Continue(());
            };
            chosen[place] += 1;
            chosen[place + 1..].fill(0);
        }
    }
}

impl<R: Reader> System for Situations<'_, R> {
    type Cursor = SituationCursor;

    fn words(&self) -> usize {
        self.words
    }

    fn cursor(&self) -> SituationCursor {
        let expressions: Vec<ExpressionId> = self.conditions.iter().map(|(_, it)| *it).collect();
        SituationCursor {
            machine: self.machine.cursor(),
            conditions: self.machine.conditions(&expressions),
            next: vec![0; self.words],
            steps: Vec::new(),
            targets: Vec::new(),
        }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        state.fill(0);
        self.machine.initial(&mut state[..self.machine.words()])?;
        for (number, reader) in self.readers.iter().enumerate() {
            self.put(state, number, reader.initial());
        }
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut SituationCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let SituationCursor { machine, conditions, next, steps, targets } = cursor;
        steps.clear();
        targets.clear();
        let mut ready = vec![false; self.scheduling.processes.len()];
        let width = self.machine.words();
        // All steps are collected first: which processes are ready is known only after the last one.
        self.machine.successors(&state[..width], machine, &mut |label, successor| {
            if let Some(owner) = label.action().and_then(|action| self.owners[action.index()]) {
                ready[owner] = true;
            }
            match successor {
                Successor::State(target) => {
                    steps.push((label, None, false, targets.len()));
                    targets.extend_from_slice(target);
                }
                Successor::Error(unit) => steps.push((label, Some(unit), true, 0)),
                Successor::Cut(unit) => steps.push((label, Some(unit), false, 0)),
            }
        });
        if steps.is_empty() {
            steps.push((Label::TAU, None, false, 0));
            targets.extend_from_slice(&state[..width]);
        }
        for &(label, end, fails, start) in &*steps {
            let owner = label.action().and_then(|action| self.owners[action.index()]);
            if let Some(unit) = end {
                if self.may_read(state, label) {
                    let successor = if fails { Successor::Error(unit) } else { Successor::Cut(unit) };
                    visit(self.label((label, Colours::none())), successor)?;
                }
                continue;
            }
            next[..width].copy_from_slice(&targets[start..start + width]);
            next[width..].fill(0);
            let letter = self.letter(label, &next[..width], conditions);
            let fair = self.fair_colours(&ready, owner);
            self.show(state, (label, &fair, &letter), next, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        true
    }

    fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}

/// The graph of a product with the colours of its labels.
pub(crate) struct Coloured<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) kinds: &'g [Kind],
}

impl Coloured<'_> {
    /// The colours of a label.
    pub(crate) fn colours(&self, label: Label) -> &Colours {
        &self.kinds[label.action().expect("all labels of the product are visible").index()].1
    }
}

impl ColouredGraph for Coloured<'_> {
    fn state_count(&self) -> usize {
        self.graph.state_count()
    }

    fn initial(&self) -> Vec<usize> {
        if self.graph.state_count() == 0 { Vec::new() } else { vec![0] }
    }

    fn edge_count(&self, state: usize) -> usize {
        self.graph.edges(StateId::from_index(state)).len()
    }

    fn edge(&self, state: usize, number: usize) -> (usize, &Colours) {
        let edge = self.graph.edges(StateId::from_index(state))[number];
        (edge.target.index(), self.colours(edge.label))
    }
}
