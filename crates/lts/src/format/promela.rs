//! Programs as Promela, the language of SPIN, so that results can be compared with a second tool.
//!
//! **Idea.** The text has one variable for each slot and one process, a loop whose body is atomic: it computes the
//! expressions that are used more than once, then takes one of the steps. SPIN therefore stores a state exactly where
//! the program has one. Within a step, new values go to hidden variables first, because all guards and expressions read the
//! values before the step.
//!
//! | in the program | in SPIN |
//! |---|---|
//! | a unit fails | an assertion fails; `fails NAME` is printed; if only one unit is asked about, the process ends where another one fails |
//! | a deadlock | an invalid end state |
//! | a run is cut | the process ends |
//! | a step with an action | `does NAME` is printed, which a replayed trail shows |
//!
//! Large programs need `spin -o3 -a`: without it SPIN merges the statements of a step, and gives up on long ones.
//!
//! **Limits.** Promela's numbers have 32 bits, so a number of more than 32 bits means something else there.
//!
//! Properties of the text: the same program gives the same text, and its length is linear in that of the program, but for
//! elements of arrays, which are written as a case distinction over the array.

use std::io::{self, Write};

use rely_base::{ActionId, Id};

use crate::program::{
    Array, Binary, Command, Expression, ExpressionId, Lifetime, Outcome, Program, Slot, SlotId, Target,
    TickId, Trigger, Unary, UnitId, Values,
};

/// Maximum nesting of expressions in the text. Higher ones are computed in parts, unless they may be undefined.
const MAX_HEIGHT: u32 = 30;

/// Writes a program under a name.
///
/// # Errors
/// When `out` fails.
pub fn write(program: &Program, name: &str, out: &mut impl Write) -> io::Result<()> {
    Writer::new(program, None, out).write(name)
}

/// Writes a program under a name, with an assertion that one of its units does not fail. Where another one does, the run
/// ends.
///
/// # Errors
/// When `out` fails.
pub fn write_watched(program: &Program, watcher: UnitId, name: &str, out: &mut impl Write) -> io::Result<()> {
    Writer::new(program, Some(watcher), out).write(name)
}

/// A text that is being written.
struct Writer<'p, W> {
    program: &'p Program,
    out: &'p mut W,
    /// The unit whose failures count, if not all do.
    watcher: Option<UnitId>,
    /// The names of the slots in the text.
    names: Vec<String>,
    /// Which expressions are computed once, before a step is chosen.
    is_shared: Vec<bool>,
}

/// A unit that takes part in a step, with the commands that it may take.
struct Mover<'p> {
    unit: UnitId,
    commands: Vec<&'p Command>,
    /// Whether it stays unchanged if no command is enabled.
    may_stutter: bool,
}

impl<'p, W: Write> Writer<'p, W> {
    fn new(program: &'p Program, watcher: Option<UnitId>, out: &'p mut W) -> Self {
        let expressions = program.expressions();
        let mut uses = vec![0_usize; expressions.len()];
        for operand in expressions.iter().flat_map(|expression| expression.operands()) {
            uses[operand.index()] += 1;
        }
        let commands = program.units().iter().flat_map(|unit| &unit.commands);
        for command in commands {
            uses[command.guard.index()] += 2;
        }
        // An expression that may be undefined is evaluated only where it is needed.
        let mut is_safe: Vec<bool> = Vec::with_capacity(expressions.len());
        let mut is_shared = Vec::with_capacity(expressions.len());
        // The height of the text of each expression, not counting shared parts.
        let mut height: Vec<u32> = Vec::with_capacity(expressions.len());
        for (expression, uses) in expressions.iter().zip(uses) {
            let is_defined = !matches!(
                expression,
                Expression::Element(..)
                    | Expression::Binary(Binary::Divide | Binary::Remainder | Binary::Modulo, ..)
            );
            let safe = is_defined && expression.operands().all(|operand| is_safe[operand.index()]);
            let is_leaf = matches!(expression, Expression::Constant(_) | Expression::Slot(_));
            let inner = expression.operands().map(|operand| height[operand.index()]).max().unwrap_or(0);
            let shared = safe && !is_leaf && (uses > 1 || inner >= MAX_HEIGHT);
            height.push(if shared { 0 } else { inner + 1 });
            is_shared.push(shared);
            is_safe.push(safe);
        }
        let names = program.slots().iter().enumerate().map(|(number, slot)| identifier(&slot.name, number));
        Self { program, out, watcher, names: names.collect(), is_shared }
    }

    fn write(mut self, name: &str) -> io::Result<()> {
        writeln!(self.out, "/* {} */", comment(name))?;
        for (number, slot) in self.program.slots().iter().enumerate() {
            let kind = variable_type(&slot.values);
            let name = &self.names[number];
            writeln!(self.out, "{kind} {name} = {}; /* {} */", slot.initial, comment(&described(slot)))?;
        }
        writeln!(
            self.out,
            "/* The new value of each variable in a step, by its number, and whether it has one. */"
        )?;
        for number in 0..self.program.slots().len() {
            writeln!(self.out, "hidden int n{number}; hidden byte w{number};")?;
        }
        for number in (0..self.is_shared.len()).filter(|&number| self.is_shared[number]) {
            writeln!(self.out, "hidden int e{number};")?;
        }
        writeln!(self.out, "hidden int failed; hidden byte cut;\n\nactive proctype program() {{")?;
        writeln!(self.out, "  do\n  :: atomic {{")?;
        for number in (0..self.is_shared.len()).filter(|&number| self.is_shared[number]) {
            let text = self.operation(ExpressionId::from_index(number));
            writeln!(self.out, "    e{number} = {text};")?;
        }
        writeln!(self.out, "    if")?;
        self.steps()?;
        writeln!(self.out, "    :: else ->")?;
        let end = self.program.end().map_or_else(|| "false".to_owned(), |end| self.text(end));
        writeln!(self.out, "      if :: ({end}) -> break :: else -> false /* a deadlock */ fi")?;
        writeln!(self.out, "    fi\n  }}\n  od\n}}")
    }

    fn units(&self) -> impl Iterator<Item = UnitId> + use<W> {
        (0..self.program.units().len()).map(UnitId::from_index)
    }

    fn commands(&self, unit: UnitId, trigger: Trigger) -> Vec<&'p Command> {
        let commands = self.program.units()[unit.index()].commands.iter();
        commands.filter(|command| command.trigger == trigger).collect()
    }

    /// All steps, as alternatives.
    fn steps(&mut self) -> io::Result<()> {
        for unit in self.units() {
            for command in self.commands(unit, Trigger::Silent) {
                self.step(None, None, &[Mover { unit, commands: vec![command], may_stutter: false }], false)?;
            }
        }
        let is_of_tick =
            |action: ActionId| self.program.ticks().iter().any(|tick| tick.action == Some(action));
        let actions: Vec<ActionId> = (0..self.program.alphabet().len()).map(ActionId::from_index).collect();
        for action in actions.into_iter().filter(|&action| !is_of_tick(action)).collect::<Vec<_>>() {
            let movers: Vec<Mover<'_>> = self
                .program
                .participants(action)
                .iter()
                .map(|&unit| self.participant(unit, action))
                .collect();
            if !movers.is_empty() {
                self.step(Some(action), None, &movers, false)?;
            }
        }
        for (number, tick) in self.program.ticks().iter().enumerate() {
            let id = TickId::from_index(number);
            let mut movers = Vec::new();
            for unit in self.units() {
                let takes_part = tick.action.is_some_and(|it| self.program.participants(it).contains(&unit));
                if tick.members.contains(&unit) {
                    let commands = self.commands(unit, Trigger::Tick(id));
                    movers.push(Mover { unit, commands, may_stutter: true });
                } else if let Some(action) = tick.action.filter(|_| takes_part) {
                    movers.push(self.participant(unit, action));
                }
            }
            self.step(tick.action, Some(tick.guard), &movers, true)?;
        }
        Ok(())
    }

    fn participant(&self, unit: UnitId, action: ActionId) -> Mover<'p> {
        Mover { unit, commands: self.commands(unit, Trigger::Action(action)), may_stutter: false }
    }

    /// One kind of step: its guard, the choice of a command in each unit, and the new values.
    fn step(
        &mut self,
        action: Option<ActionId>,
        guard: Option<ExpressionId>,
        movers: &[Mover<'_>],
        is_tick: bool,
    ) -> io::Result<()> {
        let mut conditions: Vec<String> = guard.map(|guard| self.text(guard)).into_iter().collect();
        for mover in movers.iter().filter(|mover| !mover.may_stutter) {
            let ready: Vec<String> = mover.commands.iter().map(|command| self.text(command.guard)).collect();
            conditions.push(if ready.is_empty() {
                "false".to_owned()
            } else {
                format!("({})", ready.join(" || "))
            });
        }
        let condition = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") };
        writeln!(self.out, "    :: ({condition}) ->")?;
        if let Some(action) = action {
            let name = string(self.program.alphabet().name(action));
            writeln!(self.out, "      printf(\"does {name}\\n\");")?;
        }
        let changed = self.changed(movers, is_tick);
        for &slot in &changed {
            let Slot { lifetime, initial, .. } = self.program.slots()[slot.index()];
            let number = slot.index();
            match is_tick && lifetime == Lifetime::Momentary {
                true => writeln!(self.out, "      n{number} = {initial}; w{number} = 0;")?,
                false => writeln!(self.out, "      n{number} = {}; w{number} = 0;", self.names[number])?,
            }
        }
        writeln!(self.out, "      failed = 0; cut = 0;")?;
        for mover in movers {
            self.choice(mover)?;
        }
        for unit in movers.iter().map(|mover| mover.unit) {
            let name = string(&self.program.units()[unit.index()].name);
            let number = unit.index() + 1;
            writeln!(
                self.out,
                "      if :: (failed == {number}) -> printf(\"fails {name}\\n\") :: else -> skip fi;"
            )?;
        }
        match self.watcher {
            None => writeln!(self.out, "      assert(failed == 0);")?,
            Some(watcher) => writeln!(self.out, "      assert(failed != {});", watcher.index() + 1)?,
        }
        writeln!(self.out, "      if :: (cut || failed) -> break :: else -> skip fi;")?;
        let commits: Vec<String> = changed
            .iter()
            .map(|slot| format!("{} = n{}", self.names[slot.index()], slot.index()))
            .chain(["skip".to_owned()])
            .collect();
        writeln!(self.out, "      {}", commits.join("; "))
    }

    /// The slots that a step may change, in order.
    fn changed(&self, movers: &[Mover<'_>], is_tick: bool) -> Vec<SlotId> {
        let mut changed: Vec<SlotId> = Vec::new();
        for assignment in
            movers.iter().flat_map(|mover| &mover.commands).flat_map(|command| &command.assignments)
        {
            match assignment.target {
                Target::Slot(slot) => changed.push(slot),
                Target::Element(array, _) => changed.extend(elements(array)),
            }
        }
        let slots = self.program.slots().iter().enumerate();
        let momentary = slots.filter(|(_, slot)| is_tick && slot.lifetime == Lifetime::Momentary);
        changed.extend(momentary.map(|(number, _)| SlotId::from_index(number)));
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// One unit takes one of its enabled commands.
    fn choice(&mut self, mover: &Mover<'_>) -> io::Result<()> {
        if mover.commands.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "      if")?;
        for command in &mover.commands {
            writeln!(self.out, "      :: ({}) ->", self.text(command.guard))?;
            let unit = mover.unit.index() + 1;
            match command.outcome {
                Outcome::Continue => {}
                Outcome::Cut => writeln!(self.out, "        cut = 1;")?,
                Outcome::Fail => writeln!(self.out, "        failed = (failed == 0 -> {unit} : failed);")?,
            }
            for assignment in &command.assignments {
                let value = self.text(assignment.value);
                match assignment.target {
                    Target::Slot(slot) => self.assign(slot, &value, unit)?,
                    Target::Element(array, index) => {
                        let index = self.text(index);
                        writeln!(self.out, "        if")?;
                        for (at, slot) in elements(array).enumerate() {
                            writeln!(self.out, "        :: ({index} == {at}) ->")?;
                            self.assign(slot, &value, unit)?;
                            writeln!(self.out, "        skip")?;
                        }
                        writeln!(
                            self.out,
                            "        :: else -> failed = (failed == 0 -> {unit} : failed)\n        fi;"
                        )?;
                    }
                }
            }
            writeln!(self.out, "        skip")?;
        }
        if mover.may_stutter {
            writeln!(self.out, "      :: else -> skip")?;
        }
        writeln!(self.out, "      fi;")
    }

    /// Assigns a new value to a slot. It is a failure of the unit if the slot does not have the value, or was
    /// assigned another.
    fn assign(&mut self, slot: SlotId, value: &str, unit: usize) -> io::Result<()> {
        let (number, (low, high)) = (slot.index(), self.program.slots()[slot.index()].values.bounds());
        let fault = format!("({value} < {low} || {value} > {high} || (w{number} && n{number} != {value}))");
        writeln!(self.out, "        failed = (failed == 0 && {fault} -> {unit} : failed);")?;
        writeln!(self.out, "        n{number} = {value}; w{number} = 1;")
    }

    /// How an expression is written where it is used.
    fn text(&self, id: ExpressionId) -> String {
        if self.is_shared[id.index()] { format!("e{}", id.raw()) } else { self.operation(id) }
    }

    /// An expression with its operands. What is not shared has one use and bounded height, so texts stay short; an
    /// expression that may be undefined is as high as in the model.
    fn operation(&self, id: ExpressionId) -> String {
        match self.program.expression(id) {
            Expression::Constant(value) => value.to_string(),
            Expression::Slot(slot) => self.names[slot.index()].clone(),
            Expression::Element(array, index) => {
                let index = self.text(index);
                let cases = elements(array).enumerate();
                let cases: String = cases
                    .map(|(at, slot)| format!("({index} == {at} -> {} : ", self.names[slot.index()]))
                    .collect();
                format!("{cases}1/0{}", ")".repeat(array.length as usize))
            }
            Expression::Unary(Unary::Not, operand) => format!("!({})", self.text(operand)),
            Expression::Unary(Unary::Negate, operand) => format!("(-({}))", self.text(operand)),
            Expression::If(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|it| self.text(it));
                format!("(({condition}) -> ({then}) : ({otherwise}))")
            }
            Expression::Binary(Binary::Modulo, left, right) => {
                let (left, right) = (self.text(left), self.text(right));
                format!("((({left}) % ({right}) + ({right})) % ({right}))")
            }
            Expression::Binary(operator, left, right) => {
                format!("({} {} {})", self.text(left), sign(operator), self.text(right))
            }
        }
    }
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder | Binary::Modulo => "%",
    }
}

/// The slots of an array.
fn elements(array: Array) -> impl Iterator<Item = SlotId> {
    (0..array.length).map(move |index| SlotId::from_raw(array.first.raw() + index))
}

/// A unique name for a slot: its own with unsuitable characters replaced, and its number.
fn identifier(name: &str, number: usize) -> String {
    let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("s_{}_{number}", word.trim_matches('_'))
}

/// The smallest type of Promela that has the values.
fn variable_type(values: &Values) -> &'static str {
    match values.bounds() {
        (0, 0..=1) => "bit",
        (0, ..=255) => "byte",
        (-32768.., ..=32767) => "short",
        _ => "int",
    }
}

/// The name of a slot, and its values if they have names.
fn described(slot: &Slot) -> String {
    match &slot.values {
        Values::Named(names) => format!("{}: {}", slot.name, names.join(", ")),
        _ => slot.name.clone(),
    }
}

/// A text inside of a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

/// A text inside of the string of a `printf`.
fn string(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"\\%".contains(c) || c == ' ';
    text.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}
