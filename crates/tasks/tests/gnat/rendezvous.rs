//! Calls of entries and `accept` statements, with what is written down about them.

use rely_base::Id;
use rely_tasks::hir::{Accept, Actual, AlternativeKind, EntryCall, Select};

use super::instrument::{HANDLER, Instrument, end, put, start};
use super::scan::{find, past_semicolon};

/// Strings put together, with dots between them.
fn joined(parts: &[String]) -> String {
    parts.join(" & \".\" & ")
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

impl Instrument<'_> {
    /// A call of an entry in a statement that begins at a place and ends at another.
    pub(super) fn entry_call(&mut self, at: usize, call: &EntryCall, past: usize) {
        let program = self.program;
        let entry = &program.entries[call.entry.index()];
        let mut door = vec![quoted(&program.groups[call.group.index()].name.text)];
        door.extend(call.index.as_ref().map(|index| self.hold(index)));
        door.push(quoted(&entry.name.text));
        door.extend(call.family.as_ref().map(|family| self.hold(family)));
        let (mut given, mut got) = (door.clone(), door);
        got.push(quoted("end"));
        let (mut before, mut declared, mut assigned) = (String::new(), String::new(), String::new());
        for (actual, &(mode, subtype)) in call.actuals.iter().zip(&entry.parameters) {
            let target = match actual {
                Actual::In(value) => {
                    given.push(self.hold(value));
                    continue;
                }
                Actual::Out(target) => target,
            };
            let ty = self.type_name(subtype);
            let mut name = self.text[start(target.span)..end(target.span)].to_owned();
            if self.is_shared(target.variable) {
                let (declare, assign) = self.stand_in(target, mode.is_in);
                name = format!("Rely_V_{}", self.slots);
                declared += &declare;
                assigned += &assign;
            }
            if mode.is_in {
                self.slots += 1;
                before += &format!("Rely_Log.Hold ({}, {ty}'Image ({name})); ", self.slots);
                given.push(format!("Rely_Log.Held ({})", self.slots));
            }
            got.push(format!("{ty}'Image ({name})"));
        }
        let mut after = put(&joined(&given));
        if entry.has_end {
            after += &put(&joined(&got));
        }
        self.edits.after(past_semicolon(self.text, end(call.span)), after + &assigned);
        if !declared.is_empty() {
            before = format!("declare{declared} begin {before}");
            self.edits.after(past, " end;");
        }
        self.edits.before(at, before);
    }

    pub(super) fn select(&mut self, select: &Select) {
        for alternative in &select.alternatives {
            alternative.guard.iter().for_each(|guard| self.expr(guard));
            if let AlternativeKind::Accept(accept) = &alternative.kind {
                self.accept(accept, end(alternative.span), accept.end != alternative.span);
            }
            self.statements(&alternative.body);
        }
        select.otherwise.iter().for_each(|otherwise| self.statements(otherwise));
    }

    /// An accept statement whose heading begins before a place.
    fn accept(&mut self, accept: &Accept, heading: usize, has_body: bool) {
        let program = self.program;
        let entry = &program.entries[accept.entry.index()];
        let mut door = vec![quoted(&entry.name.text)];
        door.extend(accept.family.as_ref().map(|family| self.hold(family)));
        let begun = put(&joined(&door));
        door.push(quoted("end"));
        let ended = if entry.has_end { put(&joined(&door)) } else { String::new() };
        if !has_body {
            return self.edits.after(past_semicolon(self.text, heading), begun + &ended);
        }
        let mut first = begun;
        for (&parameter, (mode, subtype)) in accept.parameters.iter().zip(&entry.parameters) {
            if mode.is_out && !mode.is_in {
                let name = &program.variables[parameter.index()].name.text;
                first += &format!(" {name} := {};", self.value(*subtype));
            }
        }
        self.edits.after(find(self.text, heading, "do") + 2, first);
        self.leaving.push(Some(ended.clone()));
        self.statements(&accept.body);
        self.leaving.pop();
        self.edits.before(start(accept.end), format!("{ended}{HANDLER}"));
    }
}
