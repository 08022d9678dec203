//! Which steps are enabled, as sets of bits.
//!
//! Problem: of the many steps of a network, actions and the silent ones of its components, find those that are enabled
//! in a state and need to be looked at, in less time than it takes to ask for each.
//!
//! Idea: give each step a bit. Each component allows a set of steps in its state, with those that it does not take part
//! in; the *and* of all these sets is the set of what is enabled. Components whose fields are next to each other are
//! looked up together, as a *chunk* of the state. The steps that are asleep (`moves.rs`) after the step by which the
//! state was found are a set, too, known beforehand, and are taken away at once. Only what is left is gone through, one
//! or two steps in most states: the next state is the *exclusive or* with a change for each participant, from a table.
//!
//! A step is *simple* if it never leads to more than one state, nor to the error state. The others are left to the
//! tables of the product.
//!
//! Invariants: first come the silent steps, of those components that have any, then the actions, by number. Bits that
//! stand for no step are never set.
//!
//! Cost: O(chunks × steps/64) for a state and O(participants) for a step that is looked at. The tables have an entry for
//! each value of each chunk, and one for each state and action of each component; where that is too much, or where a
//! step has too many ways, there is none of this.

use rely_base::{Id, Label};
use rely_lts::{ComponentId, Network};

use crate::tables::{ERROR, Tables};
use crate::{Arrival, bits};

/// The steps of a network.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    /// The words of a set of steps.
    width: usize,
    /// The steps that components without bits allow: those that have one state.
    possible: Vec<u64>,
    chunks: Vec<Chunk>,
    /// For each value of each chunk, a set: the steps that its components allow.
    allowed: Vec<u64>,
    steps: Vec<Step>,
    /// The participants of simple steps, those of one step next to each other.
    parts: Vec<Part>,
    /// For each part, and each state of its component, what changes.
    changes: Vec<u64>,
    simple: Vec<u64>,
    /// For each step, the set of steps that are asleep after it. The last set, for unknown arrivals, is empty.
    asleep: Vec<u64>,
    has_distinct_transitions: bool,
}

/// A step that is enabled.
pub(crate) enum Enabled<'a> {
    /// A simple step: the label that is shown, and the state that it leads to.
    Simple(Label, &'a [u64]),
    /// Another step: its leader, and the network's label.
    Other(ComponentId, Label),
}

/// Some bits of a word.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    word: usize,
    shift: u32,
    mask: u64,
    /// Where its sets begin.
    allowed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    leader: ComponentId,
    /// The network's label, and the one that is shown.
    label: Label,
    shown: Label,
    /// The range of its parts.
    parts: (usize, usize),
}

/// What one participant does.
#[derive(Clone, Copy, Debug)]
struct Part {
    word: usize,
    shift: u32,
    mask: u64,
    /// Where its changes begin.
    changes: usize,
}

/// Maximum number of bits of a chunk, unless a single component has more.
const CHUNK: u32 = 9;

/// Maximum number of steps of a network.
const MOST_STEPS: usize = 512;

/// Maximum number of ways to make a step in one state.
const MOST_WAYS: usize = 16;

/// Maximum number of words of the tables.
const MOST_WORDS: usize = 1 << 20;

impl Steps {
    /// The steps of a network, if it has no priority and the tables are not too large.
    pub(crate) fn new(network: &Network, tables: &Tables, shown: &[Label]) -> Option<Self> {
        let silent = tables.silent_components.clone();
        let count = silent.len() + network.alphabet().len();
        if network.priority().is_some() || count > MOST_STEPS {
            return None;
        }
        let width = bits::empty(count).len();
        let mut all = bits::empty(count);
        (0..count).for_each(|step| bits::insert(&mut all, step));
        let mut steps = Self {
            width,
            possible: all,
            chunks: Vec::new(),
            allowed: Vec::new(),
            steps: Vec::new(),
            parts: Vec::new(),
            changes: Vec::new(),
            simple: bits::empty(count),
            asleep: Vec::new(),
            has_distinct_transitions: true,
        };
        let compiler = Compiler { network, tables, shown, silent };
        compiler.add_chunks(&mut steps)?;
        compiler.add_steps(&mut steps)?;
        compiler.add_asleep(&mut steps);
        Some(steps)
    }

    /// See [`crate::System::has_distinct_transitions`].
    pub(crate) fn has_distinct_transitions(&self) -> bool {
        self.has_distinct_transitions
    }

    /// Visits the enabled steps of a state in reverse order; `arrival` is the step by which the state was found.
    /// Sleeping steps are skipped if they are simple; other sleeping steps are visited without a number. Returns the
    /// number of enabled simple steps, visited or not.
    #[inline]
    pub(crate) fn for_each(
        &self,
        state: &[u64],
        arrival: Arrival,
        next: &mut [u64],
        mut visit: impl FnMut(Enabled<'_>, Option<Arrival>),
    ) -> usize {
        let arrival = (arrival.0 as usize).min(self.steps.len());
        let mut count = 0;
        for word in (0..self.width).rev() {
            let (enabled, simple) = (self.enabled(state, word), self.simple[word]);
            let awake = enabled & !self.asleep[arrival * self.width + word];
            count += (enabled & simple).count_ones() as usize;
            let mut rest = (awake & simple) | (enabled & !simple);
            while rest != 0 {
                let bit = rest.ilog2();
                rest ^= 1 << bit;
                let number = word * u64::BITS as usize + bit as usize;
                let own = Arrival(u32::try_from(number).unwrap_or(u32::MAX));
                let step = &self.steps[number];
                if simple & (1 << bit) != 0 {
                    self.make(step, state, next);
                    visit(Enabled::Simple(step.shown, next), Some(own));
                } else {
                    let own = (awake & (1 << bit) != 0).then_some(own);
                    visit(Enabled::Other(step.leader, step.label), own);
                }
            }
        }
        count
    }

    /// Writes where a simple step leads.
    #[inline]
    fn make(&self, step: &Step, state: &[u64], next: &mut [u64]) {
        next.copy_from_slice(state);
        for part in &self.parts[step.parts.0..step.parts.1] {
            let value = usize::try_from((state[part.word] >> part.shift) & part.mask);
            next[part.word] ^= self.changes[part.changes + value.unwrap_or(usize::MAX)];
        }
    }

    /// One word of the set of the steps that are enabled.
    #[inline]
    fn enabled(&self, state: &[u64], word: usize) -> u64 {
        self.chunks.iter().fold(self.possible[word], |set, chunk| {
            let value = usize::try_from((state[chunk.word] >> chunk.shift) & chunk.mask);
            set & self.allowed[chunk.allowed + value.unwrap_or(usize::MAX) * self.width + word]
        })
    }
}

struct Compiler<'a> {
    network: &'a Network,
    tables: &'a Tables,
    /// For each action of the network, the label that is shown.
    shown: &'a [Label],
    /// The components that make silent steps.
    silent: Vec<ComponentId>,
}

impl Compiler<'_> {
    /// Divides the state into chunks, and finds out what their values allow.
    fn add_chunks(&self, steps: &mut Steps) -> Option<()> {
        let fields = &self.tables.fields;
        let mut rest = 0..fields.len();
        while let Some(first) = rest.next() {
            let bits = |component: usize| fields[component].mask.count_ones();
            if bits(first) == 0 {
                let allowed = self.allowed_by(first, 0);
                steps.possible.iter_mut().zip(&allowed).for_each(|(set, allowed)| *set &= allowed);
                continue;
            }
            let mut together = vec![first];
            let mut width = bits(first);
            // Components without bits come later; the fields of the others are consecutive within a word.
            while let Some(next) = rest.clone().next()
                && bits(next) > 0
                && fields[next].word == fields[first].word
                && fields[next].shift == fields[first].shift + width
                && width + bits(next) <= CHUNK
            {
                together.push(next);
                width += bits(next);
                rest.next();
            }
            let chunk = Chunk {
                word: fields[first].word,
                shift: fields[first].shift,
                mask: (1 << width) - 1,
                allowed: steps.allowed.len(),
            };
            if steps.allowed.len() + (steps.width << width) > MOST_WORDS {
                return None;
            }
            steps.chunks.push(chunk);
            // For each of the components and each of its states, what it allows.
            let sets = |&component: &usize| -> Vec<Vec<u64>> {
                (0..1 << bits(component)).map(|own| self.allowed_by(component, own)).collect()
            };
            let allowed: Vec<Vec<Vec<u64>>> = together.iter().map(sets).collect();
            for value in 0..1_usize << width {
                let mut set = vec![u64::MAX; steps.width];
                for (&component, allowed) in together.iter().zip(&allowed) {
                    let shift = fields[component].shift - chunk.shift;
                    let own = (value >> shift) & ((1 << bits(component)) - 1);
                    set.iter_mut().zip(&allowed[own]).for_each(|(set, allowed)| *set &= allowed);
                }
                steps.allowed.extend(set);
            }
        }
        Some(())
    }

    /// The steps that a component allows in a state, given by its packed number; none if there is no such state.
    fn allowed_by(&self, component: usize, value: usize) -> Vec<u64> {
        let mut set = bits::empty(self.silent.len() + self.network.alphabet().len());
        let id = ComponentId::from_index(component);
        let Some(row) = self.tables.rows_of(id).nth(value) else { return set };
        set.fill(u64::MAX);
        if let Ok(step) = self.silent.binary_search(&id)
            && self.tables.silent(row).is_empty()
        {
            bits::remove(&mut set, step);
        }
        for &action in self.network.actions_of(id) {
            if !self.tables.has(row, Label::visible(action)) {
                bits::remove(&mut set, self.silent.len() + action.index());
            }
        }
        set
    }

    fn add_steps(&self, steps: &mut Steps) -> Option<()> {
        for &component in &self.silent {
            self.add_step(steps, Label::TAU, Label::TAU, &[component])?;
        }
        for (action, _) in self.network.alphabet().iter() {
            let shown = self.shown[action.index()];
            self.add_step(steps, Label::visible(action), shown, self.network.participants(action))?;
        }
        steps.has_distinct_transitions = self.have_distinct_transitions(steps);
        Some(())
    }

    fn add_step(
        &self,
        steps: &mut Steps,
        label: Label,
        shown: Label,
        participants: &[ComponentId],
    ) -> Option<()> {
        let first = steps.parts.len();
        let (mut ways, mut fails) = (1, false);
        for &component in participants {
            let field = self.tables.fields[component.index()];
            let rows = self.tables.rows_of(component);
            steps.parts.push(Part {
                word: field.word,
                shift: field.shift,
                mask: field.mask,
                changes: steps.changes.len(),
            });
            let mut most = 0;
            for row in rows {
                let targets = self.group(row, label).map_or(0..0, |group| self.tables.targets(group));
                most = most.max(targets.len());
                fails |= targets.clone().any(|target| self.tables.change(target) == ERROR);
                steps.changes.push(targets.map(|target| self.tables.change(target)).next().unwrap_or(0));
            }
            ways *= most;
            if ways > MOST_WAYS || steps.changes.len() > MOST_WORDS {
                return None;
            }
        }
        if ways <= 1 && !fails {
            bits::insert(&mut steps.simple, steps.steps.len());
        }
        steps.steps.push(Step { leader: participants[0], label, shown, parts: (first, steps.parts.len()) });
        Some(())
    }

    /// Whether no state has two transitions with the same label and the same target. It is so if each step has a
    /// label of its own and at most one target per state, or different targets: a component has no transition twice,
    /// so different ways lead to different states, unless they fail or terminate.
    fn have_distinct_transitions(&self, steps: &Steps) -> bool {
        let mut labels: Vec<Label> = steps.steps.iter().map(|step| step.shown).collect();
        labels.sort_unstable();
        let is_distinct = labels.is_sorted_by(|one, next| one < next);
        is_distinct && steps.steps.iter().all(|step| self.has_one_way(step) || self.has_different_ends(step))
    }

    fn has_one_way(&self, step: &Step) -> bool {
        self.groups(step).into_iter().all(|group| self.tables.targets(group).len() <= 1)
    }

    fn has_different_ends(&self, step: &Step) -> bool {
        let mut targets = self.groups(step).into_iter().flat_map(|group| self.tables.targets(group));
        !self.network.can_terminate() && !targets.any(|target| self.tables.change(target) == ERROR)
    }

    /// The transitions of all participants of a step in all their states.
    fn groups(&self, step: &Step) -> Vec<u32> {
        let rows = self.participants(step).iter().flat_map(|&component| self.tables.rows_of(component));
        rows.filter_map(|row| self.group(row, step.label)).collect()
    }

    /// The components that take part in a step.
    fn participants<'s>(&'s self, step: &'s Step) -> &'s [ComponentId] {
        let alone = std::slice::from_ref(&step.leader);
        step.label.action().map_or(alone, |action| self.network.participants(action))
    }

    /// The transitions of a component with a label in a state.
    fn group(&self, row: usize, label: Label) -> Option<u32> {
        self.tables.own(row, label).or_else(|| self.tables.followed(row, label))
    }

    /// Finds out which steps are asleep after which: those that come later and have no component in common.
    fn add_asleep(&self, steps: &mut Steps) {
        let count = steps.steps.len();
        let participants: Vec<&[ComponentId]> =
            steps.steps.iter().map(|step| self.participants(step)).collect();
        let mut asleep = Vec::with_capacity((count + 1) * steps.width);
        for last in 0..count {
            let mut set = bits::empty(count);
            for later in last + 1..count {
                if !participants[later].iter().any(|who| participants[last].contains(who)) {
                    bits::insert(&mut set, later);
                }
            }
            asleep.extend(set);
        }
        asleep.extend(bits::empty(count));
        steps.asleep = asleep;
    }
}

#[cfg(test)]
mod tests;
