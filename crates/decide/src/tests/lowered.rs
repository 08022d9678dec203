//! Systems of other languages, written as programs by hand: what a front end would give, and what is decided about it.

use rely_base::{Budget, Id, Label, StateId};
use rely_certificate::{Claim, Property, check};
use rely_lts::{
    Array, Binary, ComponentId, Expression, ExpressionId, Lifetime, LtsBuilder, Outcome, Program,
    ProgramBuilder, Slot, SlotId, Target, TickId, Trigger, UnitId, Values,
};
use rely_omega::{Assertion, AtomId, Fairness, Formula, Proposition};

use crate::{
    Ending, Unknown, Verdict, certify, check_divergence, check_ltl, check_reachability, check_units,
};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// Judges what is certified of a property that holds.
fn certified(program: &Program, property: &Property<'_>) {
    let evidence = certify(program, property, &ANY).unwrap();
    let claim = Claim::new("SYS", program, property, evidence);
    assert_eq!(check(&claim, program, property, &ANY), Ok(()), "{}", property.statement());
}

fn names(values: &[&str]) -> Values {
    Values::Named(values.iter().map(|&name| name.to_owned()).collect())
}

/// A task of an Ada program: a control point, and a statement for each that leads to the next one.
struct Task<'b> {
    builder: &'b mut ProgramBuilder,
    unit: UnitId,
    name: &'static str,
    point: SlotId,
    next: i64,
}

impl<'b> Task<'b> {
    fn new(builder: &'b mut ProgramBuilder, name: &'static str) -> Self {
        let point = builder.slot(format!("{name}.at"), Values::Range(0, 10), 0);
        let unit = builder.unit(name);
        Self { builder, unit, name, point, next: 0 }
    }

    /// A statement with an action: where it leads to, and what it assigns.
    fn statement(
        &mut self,
        action: &str,
        to: i64,
        condition: Option<ExpressionId>,
        set: Option<(SlotId, i64)>,
    ) {
        let action = self.builder.action(action);
        let here = self.builder.is(self.point, self.next);
        let guard = condition.map_or(here, |condition| self.builder.and(here, condition));
        let to = self.builder.constant(to);
        let set = set.map(|(slot, value)| (slot, self.builder.constant(value)));
        let mut command =
            self.builder.command(self.unit, Trigger::Action(action), guard).assign(self.point, to);
        if let Some((slot, value)) = set {
            command = command.assign(slot, value);
        }
        let _ = command;
    }

    fn assign(&mut self, variable: SlotId, value: i64) {
        let shown = if value == 1 { "true" } else { "false" };
        let action = format!("{}.x={shown}", self.name);
        self.statement(&action, self.next + 1, None, Some((variable, value)));
        self.next += 1;
    }

    fn rendezvous(&mut self, entry: &str) {
        self.statement(entry, self.next + 1, None, None);
        self.next += 1;
    }

    /// `if x then entry end if`: tests of x are actions of the task.
    fn if_then(&mut self, variable: SlotId, entry: &str) {
        for (value, shown, to) in [(1, "true", self.next + 1), (2, "false", self.next + 2)] {
            let is = self.builder.is(variable, value);
            let action = format!("{}.x=={shown}", self.name);
            self.statement(&action, to, Some(is), None);
        }
        self.next += 1;
        self.rendezvous(entry);
    }

    /// Where the task has come to its end.
    fn end(&mut self) -> ExpressionId {
        self.builder.is(self.point, self.next)
    }
}

/// The elevator: a car and its controller share a variable that both assign before they meet, and that neither should assign
/// after it. If the controller `forgets`, it assigns the variable once more between opening and closing the doors.
fn elevator(forgets: bool) -> Program {
    let mut builder = ProgramBuilder::new();
    let x = builder.slot("x", names(&["unknown", "true", "false"]), 0);
    let mut car = Task::new(&mut builder, "car");
    car.assign(x, 1);
    car.rendezvous("sync");
    car.if_then(x, "open");
    car.if_then(x, "close");
    car.rendezvous("move");
    let car_ends = car.end();
    let mut controller = Task::new(&mut builder, "controller");
    controller.assign(x, 2);
    controller.rendezvous("sync");
    controller.if_then(x, "open");
    if forgets {
        controller.assign(x, 2);
    }
    controller.if_then(x, "close");
    controller.rendezvous("move");
    let controller_ends = controller.end();
    let end = builder.and(car_ends, controller_ends);
    builder.end(end);
    // The car does not move with open doors.
    let mut doors = LtsBuilder::with_states(["open", "close", "move"].into_iter().collect(), 2);
    let [open, close, go] =
        ["open", "close", "move"].map(|name| Label::visible(doors.alphabet_mut().intern(name)));
    let error = doors.error_state();
    let [closed, opened] = [0, 1].map(StateId::from_raw);
    for (from, label, to) in [
        (closed, close, closed),
        (closed, go, closed),
        (closed, open, opened),
        (opened, open, opened),
        (opened, close, closed),
        (opened, go, error),
    ] {
        doors.add_transition(from, label, to);
    }
    builder.component("DOORS", &doors.build());
    builder.build().unwrap()
}

#[test]
fn an_elevator_with_a_shared_variable() {
    let program = elevator(false);
    let found = check_reachability(&program, &ANY).unwrap();
    assert!(found.deadlock.verdict.holds() && found.safety.verdict.holds(), "{found:?}");
    // Both assign in either order: 5 states. The last value counts: with true, both test, open, test, close and move in 10
    // states; with false, each passes by the two entries on its own, in 9 states, and both move.
    assert_eq!(found.safety.explored.states, 5 + 10 + 10);
    for property in [Property::Deadlock, Property::Safety, Property::Divergence] {
        certified(&program, &property);
    }

    let forgetful = elevator(true);
    let found = check_reachability(&forgetful, &ANY).unwrap();
    let run = found.safety.verdict.counterexample().expect("the doors stay open");
    let expected = [
        "controller.x=false",
        "car.x=true",
        "sync",
        "car.x==true",
        "controller.x==true",
        "open",
        "controller.x=false",
        "car.x==false",
        "controller.x==false",
        "move",
    ];
    assert_eq!((run.trace.len(), run.ending), (expected.len(), Ending::Error(ComponentId::from_index(2))));
    let mut steps = run.trace_names();
    steps.sort_unstable();
    let mut sorted = expected;
    sorted.sort_unstable();
    assert_eq!(steps, sorted);
    assert_eq!(forgetful.show(&forgetful.values(&run.trace[9].before), false).matches("x=false").count(), 1);
}

/// The level monitor of the steam boiler. External events arrive in a stable configuration; then all machines move at once,
/// microstep by microstep, as long as there are events; an event lasts for one microstep.
struct Water {
    builder: ProgramBuilder,
    microstep: TickId,
}

impl Water {
    /// Commands of a machine: where an event is there, others are sent.
    fn reacts(&mut self, unit: UnitId, to: SlotId, sends: &[SlotId]) {
        let guard = self.builder.is(to, 1);
        self.reacts_if(unit, guard, sends);
    }

    fn reacts_if(&mut self, unit: UnitId, guard: ExpressionId, sends: &[SlotId]) {
        let yes = self.builder.constant(1);
        let command = self.builder.command(unit, Trigger::Tick(self.microstep), guard);
        let _ = sends.iter().fold(command, |command, &event| command.assign(event, yes));
    }
}

/// The monitor, with the number of microsteps of each macrostep in a slot. A careless one takes the reading at the limit for
/// low and normal at once.
fn water(is_careless: bool) -> Program {
    let mut builder = ProgramBuilder::new();
    let reading = builder.slot_with(Slot {
        name: "reading".to_owned(),
        values: Values::Range(-1, 5),
        initial: -1,
        lifetime: Lifetime::Momentary,
    });
    let micro = builder.slot("ms", Values::Range(0, 4), 0);
    let [below, within, above, broken] =
        ["below", "within", "above", "broken"].map(|name| builder.event(name));
    let [low, ok, high, fail] =
        ["level_low", "level_ok", "level_high", "level_fail"].map(|name| builder.event(name));
    let failed = builder.slot("failed", Values::Boolean, 0);
    let stable = builder.is(micro, 0);
    let [filter, level, environment, clock, watch] =
        ["FILTER", "LEVEL", "ENVIRONMENT", "CLOCK", "WATCH"].map(|name| builder.unit(name));
    // A macrostep begins with a reading, goes on while there are events, and ends.
    let start = builder.action("start");
    let begin = builder.tick(Some(start), stable);
    let events = [below, within, above, broken, low, ok, high, fail];
    let present: Vec<ExpressionId> = events.iter().map(|&event| builder.is(event, 1)).collect();
    let (none, now) = (builder.constant(-1), builder.value(reading));
    let read = builder.binary(Binary::NotEqual, now, none);
    let busy = builder.any(present.into_iter().chain([read]));
    let (moving, quiet) = (builder.not(stable), builder.not(busy));
    let goes_on = builder.and(moving, busy);
    let microstep = builder.tick(None, goes_on);
    let done = builder.and(moving, quiet);
    let end = builder.action("end");
    let finish = builder.tick(Some(end), done);
    let (always, zero, one) = (builder.constant(1), builder.constant(0), builder.constant(1));
    for value in 0..=5 {
        let value = builder.constant(value);
        builder.command(environment, Trigger::Tick(begin), always).assign(reading, value);
    }
    let count = builder.value(micro);
    let more = builder.add(count, one);
    builder.command(clock, Trigger::Tick(begin), always).assign(micro, one);
    builder.command(clock, Trigger::Tick(microstep), always).assign(micro, more);
    builder.command(clock, Trigger::Tick(finish), always).assign(micro, zero);
    let mut water = Water { builder, microstep };
    // The filter compares, the level machine reports.
    let limit = if is_careless { 2 } else { 1 };
    for (event, range) in [(below, 0..=limit), (within, 2..=3), (above, 4..=4), (broken, 5..=5)] {
        let is_one_of: Vec<ExpressionId> = range.map(|value| water.builder.is(reading, value)).collect();
        let guard = water.builder.any(is_one_of);
        water.reacts_if(filter, guard, &[event]);
    }
    if is_careless {
        // Both at once, as a machine with two transitions that are not exclusive may do in two machines.
        let guard = water.builder.is(reading, 2);
        water.reacts_if(filter, guard, &[below, within]);
    }
    for (event, report) in [(below, low), (within, ok), (above, high), (broken, fail)] {
        water.reacts(level, event, &[report]);
    }
    if is_careless {
        let both = [below, within].map(|event| water.builder.is(event, 1));
        let guard = water.builder.and(both[0], both[1]);
        water.reacts_if(level, guard, &[low, ok]);
    }
    water.reacts(watch, fail, &[failed]);
    // At most one range is reported.
    let Water { mut builder, microstep } = water;
    let reports = [low, ok, high].map(|event| builder.is(event, 1));
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let guard = builder.and(reports[one], reports[other]);
        builder.command(watch, Trigger::Tick(microstep), guard).outcome(Outcome::Fail);
    }
    builder.build().unwrap()
}

#[test]
fn a_level_monitor_that_works_in_microsteps() {
    let program = water(false);
    let found = check_reachability(&program, &ANY).unwrap();
    assert!(found.deadlock.verdict.holds() && found.safety.verdict.holds(), "{found:?}");
    assert!(check_divergence(&program, &ANY).unwrap().verdict.holds(), "every macrostep ends");
    for property in [Property::Deadlock, Property::Safety, Property::Divergence] {
        certified(&program, &property);
    }
    // Every macrostep comes to its end, whatever is read.
    let [started, ended] = ["start", "end"].map(|name| Proposition::Action(vec![name.to_owned()]));
    let [start, end] = [0, 1].map(|atom| Formula::Atom(AtomId::from_raw(atom)));
    let assertion = Assertion {
        name: "ENDS".to_owned(),
        formula: start.implies(end.eventually()).always(),
        propositions: vec![started, ended],
        extension: Vec::new(),
    };
    for fairness in [Fairness::None, Fairness::Choice, Fairness::Random] {
        let decision = check_ltl(&program, &assertion, fairness, &ANY).unwrap().decision;
        assert!(decision.verdict.holds(), "{decision:?}");
        certified(&program, &Property::Assertion { assertion: &assertion, fairness });
    }

    let careless = check_reachability(&water(true), &ANY).unwrap();
    let run = careless.safety.verdict.counterexample().expect("two ranges are reported");
    // The reading, the comparison, the report, and the microstep in which the report is seen.
    assert_eq!(run.trace_names(), ["start", "tau", "tau", "tau"]);
    assert_eq!((run.ending, run.fault), (Ending::Error(ComponentId::from_index(4)), None));
    assert_eq!(run.trace[1].movers.len(), 4, "the machines that move in microsteps, and the clock");
}

/// A queue of messages: an array, of which the first elements are used.
#[derive(Clone, Copy)]
struct Queue {
    places: Array,
    length: SlotId,
}

impl Queue {
    fn new(builder: &mut ProgramBuilder, name: &str, capacity: u32, messages: &Values) -> Self {
        let places = builder.array(name, capacity, messages, 0);
        let length =
            builder.slot(format!("{name}.length"), Values::Range(0, i32::try_from(capacity).unwrap()), 0);
        Self { places, length }
    }

    /// The assignments that put a message at its end.
    fn put(self, builder: &mut ProgramBuilder, message: i64) -> [(Target, ExpressionId); 2] {
        let (length, one, message) =
            (builder.value(self.length), builder.constant(1), builder.constant(message));
        let more = builder.add(length, one);
        [(Target::Element(self.places, length), message), (Target::Slot(self.length), more)]
    }

    /// The assignments that take the first message away.
    fn take(self, builder: &mut ProgramBuilder) -> Vec<(Target, ExpressionId)> {
        let (length, one, nothing) = (builder.value(self.length), builder.constant(1), builder.constant(0));
        let less = builder.binary(Binary::Subtract, length, one);
        let place = |i: u32| SlotId::from_raw(self.places.first.raw() + i);
        let mut assignments = vec![(Target::Slot(self.length), less)];
        for i in 0..self.places.length {
            let next = if i + 1 < self.places.length { builder.value(place(i + 1)) } else { nothing };
            assignments.push((Target::Slot(place(i)), next));
        }
        assignments
    }

    fn starts_with(self, builder: &mut ProgramBuilder, message: i64) -> ExpressionId {
        builder.is(self.places.first, message)
    }

    fn is_full(self, builder: &mut ProgramBuilder) -> ExpressionId {
        builder.is(self.length, i64::from(self.places.length))
    }
}

/// Two processes with queues: on a tick of the clock, the application asks the converter, if it `remembers` whether it has
/// asked already; the converter answers after its interrupt. A queue that is full is where the exploration ends.
fn sensor(remembers: bool) -> Program {
    let messages = names(&["nothing", "tick", "request", "data"]);
    let mut builder = ProgramBuilder::new();
    let [app, adc] =
        ["app", "adc"].map(|name| Queue::new(&mut builder, &format!("{name}.queue"), 2, &messages));
    let pending = builder.slot("pending", Values::Boolean, 0);
    let waiting = builder.slot("app.waits", Values::Boolean, 0);
    let [clock, application, converter] = ["CLOCK", "APP", "ADC"].map(|name| builder.unit(name));
    let [tick, interrupt, output] = ["tick", "interrupt", "output"].map(|name| builder.action(name));
    // What a process sends when its queue for it is full leaves the bounds.
    let send = |builder: &mut ProgramBuilder,
                unit: UnitId,
                trigger: Trigger,
                guard: ExpressionId,
                (queue, message): (Queue, i64),
                more: Vec<(Target, ExpressionId)>| {
        let full = queue.is_full(builder);
        let (room, overflow) = (builder.not(full), builder.and(guard, full));
        let guard = builder.and(guard, room);
        let put = queue.put(builder, message);
        let command = builder.command(unit, trigger, guard);
        let _ =
            put.into_iter().chain(more).fold(command, |command, (target, value)| command.set(target, value));
        builder.command(unit, trigger, overflow).outcome(Outcome::Cut);
    };
    let (yes, no) = (builder.constant(1), builder.constant(0));
    // The clock waits until the application has looked at its last tick.
    let empty = builder.is(app.length, 0);
    send(&mut builder, clock, Trigger::Action(tick), empty, (app, 1), Vec::new());
    // The application.
    let on_tick = app.starts_with(&mut builder, 1);
    let taken = app.take(&mut builder);
    let asked = builder.is(waiting, 1);
    let (guard, busy) = match remembers {
        true => {
            let free = builder.not(asked);
            (builder.and(on_tick, free), Some(builder.and(on_tick, asked)))
        }
        false => (on_tick, None),
    };
    let more = taken.iter().copied().chain([(Target::Slot(waiting), yes)]).collect();
    send(&mut builder, application, Trigger::Silent, guard, (adc, 2), more);
    let idle = |builder: &mut ProgramBuilder, trigger, guard, more: &[(Target, ExpressionId)]| {
        let command = builder.command(application, trigger, guard);
        let all = taken.iter().chain(more);
        let _ = all.fold(command, |command, &(target, value)| command.set(target, value));
    };
    if let Some(busy) = busy {
        idle(&mut builder, Trigger::Silent, busy, &[]);
    }
    let on_data = app.starts_with(&mut builder, 3);
    idle(&mut builder, Trigger::Action(output), on_data, &[(Target::Slot(waiting), no)]);
    // The converter.
    let on_request = adc.starts_with(&mut builder, 2);
    let is_pending = builder.is(pending, 1);
    let free = builder.not(is_pending);
    let accepts = builder.and(on_request, free);
    let taken = adc.take(&mut builder);
    let command = builder.command(converter, Trigger::Silent, accepts).assign(pending, yes);
    let _ = taken.into_iter().fold(command, |command, (target, value)| command.set(target, value));
    let answer = vec![(Target::Slot(pending), no)];
    send(&mut builder, converter, Trigger::Action(interrupt), is_pending, (app, 3), answer);
    builder.build().unwrap()
}

#[test]
fn processes_with_queues_that_are_bounded() {
    let program = sensor(true);
    let found = check_reachability(&program, &ANY).unwrap();
    assert!(found.deadlock.verdict.holds() && found.safety.verdict.holds(), "{found:?}");
    for property in [Property::Deadlock, Property::Safety, Property::Divergence] {
        certified(&program, &property);
    }
    let output = ["output".to_owned()];
    certified(&program, &Property::Progress { name: "OUTPUT", condition: None, actions: &output });

    // Requests that pile up leave the bounds: nothing is said of what comes after, and nothing is certified.
    let careless = sensor(false);
    let found = check_reachability(&careless, &ANY).unwrap();
    for decision in [&found.deadlock, &found.safety] {
        let Verdict::Unknown(Unknown::Cut(unit)) = &decision.verdict else { panic!("{decision:?}") };
        assert_eq!(careless.units()[unit.index()].name, "APP");
        assert!(Unknown::Cut(*unit).describe(&careless).contains("within which APP is explored"));
    }
    let units: Vec<ComponentId> = (0..3).map(ComponentId::from_raw).collect();
    let decision = check_units(&careless, &units, &ANY).unwrap();
    assert!(matches!(decision.verdict, Verdict::Unknown(Unknown::Cut(_))));
    let evidence = certify(&careless, &Property::Safety, &ANY).unwrap();
    let claim = Claim::new("SYS", &careless, &Property::Safety, evidence);
    let rejection = check(&claim, &careless, &Property::Safety, &ANY).unwrap_err().to_string();
    assert!(rejection.contains("leads APP out of its bounds"), "{rejection}");
}

#[test]
fn expressions_of_conditions_have_their_values() {
    // The maximum of two numbers, as a reactive machine would compute it.
    let mut builder = ProgramBuilder::new();
    let [x, y] = ["x", "y"].map(|name| builder.slot(name, Values::Range(-3, 3), -3));
    let [one, other] = [x, y].map(|slot| builder.value(slot));
    let less = builder.less(one, other);
    let greatest = builder.expression(Expression::If(less, other, one));
    let unit = builder.unit("U");
    let always = builder.constant(1);
    let three = builder.constant(3);
    builder.command(unit, Trigger::Silent, always).assign(y, three);
    builder.command(unit, Trigger::Silent, always).assign(x, greatest);
    let program = builder.build().unwrap();
    let explored = check_reachability(&program, &ANY).unwrap().safety.explored;
    assert_eq!(explored.states, 3);
}
