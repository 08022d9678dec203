//! Queues: putting messages in, taking them out, and what becomes of those that nobody takes.
//!
//! A queue is its length and its cells, the head first. Cells beyond the last message are 0, so that equal queues are equal
//! states.

use rely_lts::{Binary, ExpressionId, Outcome, SlotId, Target, Trigger, Unary, UnitId};

use super::emit::{Draft, Writer};
use super::naming::Naming;
use super::term;
use super::values::{all_values, position, takes};
use super::{Layout, Overflow, Reason, Refused, Step, Unexpected};
use crate::component::{MessageRef, Pattern};

impl Writer<'_> {
    /// Adds a command that also puts the messages of a step for this process into its queue; and one for the case that
    /// the queue is full.
    pub(super) fn with_room(
        &mut self,
        number: usize,
        step: &Step,
        unit: UnitId,
        mut draft: Draft,
    ) -> Result<(), Refused> {
        let codes = self.codes_for(number, step);
        if codes.is_empty() {
            return self.add(unit, draft);
        }
        let layout = self.layouts[number].clone();
        let count = i64::try_from(codes.len()).unwrap_or(i64::MAX);
        let length = term::opaque(self.program.value(layout.length));
        let most = term::constant(&mut self.program, i64::from(layout.cells.length) - count);
        let has_room = term::binary(&mut self.program, Binary::LessOrEqual, length, most);
        let is_full = term::unary(&mut self.program, Unary::Not, has_room);
        let full = self.program.and(draft.guard, is_full.id);
        let outcome = match self.options.overflow {
            Overflow::Cut => Outcome::Cut,
            Overflow::Fail => Outcome::Fail,
        };
        let end = Some((outcome, Reason::Overflow { process: number }));
        let overflow =
            Draft { trigger: draft.trigger, guard: full, assignments: Vec::new(), end, place: draft.place };
        draft.guard = self.program.and(draft.guard, has_room.id);
        for (offset, code) in codes.iter().enumerate() {
            let offset = term::constant(&mut self.program, i64::try_from(offset).unwrap_or(i64::MAX));
            let position = match offset.constant {
                Some(0) => length,
                _ => term::binary(&mut self.program, Binary::Add, length, offset),
            };
            let code = self.program.constant(i64::from(*code));
            draft.assignments.push((Target::Element(layout.cells, position.id), code));
        }
        let count = term::constant(&mut self.program, count);
        let longer = term::binary(&mut self.program, Binary::Add, length, count);
        draft.assignments.push((Target::Slot(layout.length), longer.id));
        self.add(unit, draft)?;
        self.add(unit, overflow)
    }

    /// What a step puts into the queue of a process, in order.
    fn codes_for(&self, number: usize, step: &Step) -> Vec<i32> {
        let Step::Sent { messages, .. } = step else { return Vec::new() };
        let mut codes = Vec::new();
        for message in messages {
            for to in message.deliveries.iter().filter(|to| to.process == number) {
                codes.push(self.code(*to, &message.values));
            }
        }
        codes
    }

    fn code(&self, to: MessageRef, values: &[i32]) -> i32 {
        let params = &self.component.processes[to.process].messages[to.message].params;
        self.layouts[to.process].codes[to.message] + position(params, values)
    }

    /// The commands that take messages from the head of the queue.
    pub(super) fn receive(&mut self, number: usize, naming: &mut Naming<'_>) -> Result<(), Refused> {
        let process = &self.component.processes[number];
        for transition in &process.transitions {
            let to = MessageRef { process: number, message: transition.message };
            for values in all_values(&process.messages[transition.message].params) {
                let fits = |(pattern, value): (&Pattern, &i32)| !matches!(pattern, Pattern::Match(it) if it != value);
                if !transition.patterns.iter().zip(&values).all(fits) {
                    continue;
                }
                let action = self.action(&Step::Received(to, values.clone()), naming);
                let layout = self.layouts[number].clone();
                let guard = self.at_head(number, &[transition.from], to, &values);
                let target = layout.entering[transition.to].unwrap_or(layout.waiting[transition.to]);
                let target = self.program.constant(i64::from(target));
                let mut assignments = vec![(Target::Slot(layout.control), target)];
                for (pattern, value) in transition.patterns.iter().zip(&values) {
                    if let Pattern::Bind(variable) = pattern {
                        let value = self.program.constant(i64::from(*value));
                        assignments.push((Target::Slot(layout.variables[*variable]), value));
                    }
                }
                self.dequeue(&layout, &mut assignments);
                let (trigger, place) = (Trigger::Action(action), Some(transition.place));
                self.add(self.units[number], Draft { trigger, guard, assignments, end: None, place })?;
            }
        }
        Ok(())
    }

    /// What becomes of heads that no transition takes.
    pub(super) fn wait(&mut self, number: usize, naming: &mut Naming<'_>) -> Result<(), Refused> {
        if self.options.unexpected == Unexpected::Wait {
            return Ok(());
        }
        let process = &self.component.processes[number];
        for message in 0..process.messages.len() {
            let to = MessageRef { process: number, message };
            for values in all_values(&process.messages[message].params) {
                let refusing: Vec<usize> = (0..process.states.len())
                    .filter(|&state| !takes(process, state, message, &values))
                    .collect();
                if refusing.is_empty() {
                    continue;
                }
                let guard = self.at_head(number, &refusing, to, &values);
                let layout = self.layouts[number].clone();
                let mut assignments = Vec::new();
                let (step, end) = match self.options.unexpected {
                    Unexpected::Fail => {
                        let end = Some((Outcome::Fail, Reason::Unexpected(to)));
                        (Step::Unexpected(to, values), end)
                    }
                    _ => {
                        self.dequeue(&layout, &mut assignments);
                        (Step::Dropped(to, values), None)
                    }
                };
                let trigger = Trigger::Action(self.action(&step, naming));
                let place = Some(process.messages[message].place);
                self.add(self.units[number], Draft { trigger, guard, assignments, end, place })?;
            }
        }
        Ok(())
    }

    /// Whether a process waits in one of some states with a message at the head of its queue.
    fn at_head(&mut self, number: usize, states: &[usize], to: MessageRef, values: &[i32]) -> ExpressionId {
        let layout = self.layouts[number].clone();
        let waits: Vec<ExpressionId> = states
            .iter()
            .map(|&state| self.program.is(layout.control, i64::from(layout.waiting[state])))
            .collect();
        let waits = self.program.any(waits);
        let code = self.code(to, values);
        let head = self.program.is(layout.cells.first, i64::from(code));
        self.program.and(waits, head)
    }

    /// Moves the messages of a queue one place to the head.
    fn dequeue(&mut self, layout: &Layout, assignments: &mut Vec<(Target, ExpressionId)>) {
        let cell = |index: u32| SlotId::from_raw(layout.cells.first.raw() + index);
        for index in 0..layout.cells.length {
            let next = match index + 1 < layout.cells.length {
                true => self.program.value(cell(index + 1)),
                false => self.program.constant(0),
            };
            assignments.push((Target::Slot(cell(index)), next));
        }
        let (length, one) = (self.program.value(layout.length), self.program.constant(1));
        let shorter = self.program.binary(Binary::Subtract, length, one);
        assignments.push((Target::Slot(layout.length), shorter));
    }

    /// Whether some message waits for ever; and whether, besides, no process is ready.
    pub(super) fn stuck(&mut self, lost: &[ExpressionId]) -> (ExpressionId, ExpressionId) {
        let mut any = term::constant(&mut self.program, 0);
        let mut none_ready = term::constant(&mut self.program, 1);
        for (number, &lost) in lost.iter().enumerate() {
            let lost = term::opaque(lost);
            any = term::binary(&mut self.program, Binary::Or, any, lost);
            let (control, length) = (self.layouts[number].control, self.layouts[number].length);
            let control = term::opaque(self.program.value(control));
            let length = term::opaque(self.program.value(length));
            let mut rests = term::is(&mut self.program, length, 0);
            rests = term::binary(&mut self.program, Binary::Or, rests, lost);
            for entering in self.layouts[number].entering.clone().into_iter().flatten() {
                let enters = term::is(&mut self.program, control, i64::from(entering));
                let not = term::unary(&mut self.program, Unary::Not, enters);
                rests = term::binary(&mut self.program, Binary::And, rests, not);
            }
            none_ready = term::binary(&mut self.program, Binary::And, none_ready, rests);
        }
        let stuck = term::binary(&mut self.program, Binary::And, none_ready, any);
        (any.id, stuck.id)
    }

    /// Whether the head of a queue is a message that no transition of the state takes.
    pub(super) fn lost(&mut self, number: usize) -> ExpressionId {
        let process = &self.component.processes[number];
        let mut cases = Vec::new();
        for message in 0..process.messages.len() {
            let to = MessageRef { process: number, message };
            for values in all_values(&process.messages[message].params) {
                let refusing: Vec<usize> = (0..process.states.len())
                    .filter(|&state| !takes(process, state, message, &values))
                    .collect();
                if !refusing.is_empty() {
                    cases.push(self.at_head(number, &refusing, to, &values));
                }
            }
        }
        self.program.any(cases)
    }
}
