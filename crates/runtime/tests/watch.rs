//! Watches against a naive twin, racing threads, and what every reaction does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rely_runtime::{
    Answer, Automaton, Design, End, EventKey, LEFT, NO_ACTION, Reaction, Refused, Unknown, VIOLATED,
    ValueRange, Watch, event, install_here, locked,
};

const DIGEST: u64 = 7;

/// Two threads take a lock; the first reads values from 0 to 2 there; `log` belongs to any thread.
static DESIGN: Design = Design {
    name: "lock",
    digest: DIGEST,
    actions: &[
        "log",
        "one.lock",
        "one.read.0",
        "one.read.1",
        "one.read.2",
        "one.unlock",
        "two.lock",
        "two.unlock",
    ],
    events: &[
        EventKey { method: "lock", object: "m", thread: "one", values: &[], actions: &[1] },
        EventKey { method: "lock", object: "m", thread: "two", values: &[], actions: &[6] },
        EventKey { method: "log", object: "m", thread: "*", values: &[], actions: &[0] },
        EventKey {
            method: "read",
            object: "m",
            thread: "one",
            values: &[ValueRange(0, 2)],
            actions: &[2, 3, 4],
        },
        EventKey {
            method: "read",
            object: "m",
            thread: "two",
            values: &[ValueRange(0, 1), ValueRange(5, 6)],
            actions: &[NO_ACTION, 2, 3, NO_ACTION],
        },
        EventKey { method: "unlock", object: "m", thread: "one", values: &[], actions: &[5] },
        EventKey { method: "unlock", object: "m", thread: "two", values: &[], actions: &[7] },
    ],
};

const X: u32 = VIOLATED;

/// Who holds the lock gives it back, and nobody else takes it.
static MUTEX: Automaton = Automaton {
    name: "MUTEX",
    digest: DIGEST,
    #[rustfmt::skip]
    next: &[
        0, 1, 0, 0, 0, X, 2, X,
        1, X, 1, 1, 1, 0, X, X,
        2, X, 2, 2, 2, X, X, 0,
    ],
    starts_violated: false,
};

/// Nobody reads 2. After a 1, nothing matters.
static SMALL: Automaton =
    Automaton { name: "SMALL", digest: DIGEST, next: &[0, 0, 0, LEFT, X, 0, 0, 0], starts_violated: false };

fn watch(automata: &[(&'static Automaton, Reaction)]) -> Watch {
    let mut builder = Watch::builder(&DESIGN);
    for &(automaton, reaction) in automata {
        builder = builder.with(automaton, reaction);
    }
    builder.build().expect("they belong together")
}

#[test]
fn an_event_is_known_by_method_object_thread_and_values() {
    assert_eq!(DESIGN.action("one", "read", "m", &[1]), Ok(3));
    assert_eq!(DESIGN.action("two", "read", "m", &[0, 6]), Ok(2));
    assert_eq!(DESIGN.action("two", "read", "m", &[1, 5]), Ok(3));
    for values in [&[0, 5][..], &[1, 6], &[2, 5], &[0], &[]] {
        assert_eq!(DESIGN.action("two", "read", "m", values), Err(Unknown::Values), "{values:?}");
    }
    assert_eq!(DESIGN.action("three", "log", "m", &[]), Ok(0));
    for (thread, method, object) in [("three", "read", "m"), ("one", "write", "m"), ("one", "read", "n")] {
        assert_eq!(DESIGN.action(thread, method, object, &[1]), Err(Unknown::Key));
    }
}

#[test]
fn ok_is_never_an_answer_after_an_unknown_event_or_outside_of_the_model() {
    let log = watch(&[(&MUTEX, Reaction::Log)]);
    assert_eq!(log.event_of("one", "lock", "m", &[]), Answer::Ok);
    assert_eq!(log.event_of("one", "write", "m", &[]), Answer::Unknown(Unknown::Key));
    assert_eq!(log.event_of("one", "unlock", "m", &[]), Answer::Unknown(Unknown::Key));
    assert_eq!(log.event_of("one", "unlock", "m", &[]), Answer::Violated(0));
    let left = watch(&[(&SMALL, Reaction::Log)]);
    assert_eq!(left.event_of("one", "read", "m", &[1]), Answer::Left(0));
    assert_eq!(left.event_of("one", "read", "m", &[2]), Answer::Left(0));
}

#[test]
fn an_event_that_breaks_both_breaks_only_the_assumption() {
    // The order in which they are added does not matter.
    for order in [[Reaction::Prune, Reaction::Check], [Reaction::Check, Reaction::Prune]] {
        let both = watch(&[(&SMALL, order[0]), (&SMALL, order[1])]);
        assert_eq!(both.event_of("one", "read", "m", &[2]), Answer::Ended(End::Pruned(0)));
        assert_eq!(both.event_of("one", "read", "m", &[2]), Answer::Ended(End::Pruned(0)));
        assert_eq!(both.report().complaint(), Some("SMALL is violated".to_owned()));
        assert_eq!(both.report().states, [VIOLATED, 0]);
    }
    // A property that fails before the event that prunes counts.
    let later = watch(&[(&MUTEX, Reaction::Prune), (&SMALL, Reaction::Check)]);
    let failed = catch_unwind(AssertUnwindSafe(|| later.event_of("one", "read", "m", &[2])));
    let message = failed.expect_err("it is checked").downcast::<String>().expect("a text");
    assert!(message.starts_with("SMALL is violated\n"), "{message}");
    assert_eq!(later.event_of("one", "unlock", "m", &[]), Answer::Ended(End::Failed));
}

#[test]
fn a_failure_shows_lanes_and_states() {
    let checked = watch(&[(&MUTEX, Reaction::Check)]);
    checked.event_of("one", "lock", "m", &[]);
    checked.event_of("zed", "log", "m", &[]);
    let failed = catch_unwind(AssertUnwindSafe(|| checked.event_of("two", "lock", "m", &[])));
    let message = failed.expect_err("it is checked").downcast::<String>().expect("a text");
    let expected = "\
MUTEX is violated
      one       zed  two       MUTEX
   1  one.lock                 1
   2            log            1
   3                 two.lock  violated
";
    assert_eq!(*message, expected);
    let unknown = watch(&[(&MUTEX, Reaction::Check)]);
    let failed = catch_unwind(AssertUnwindSafe(|| unknown.event_of("two", "steal", "m", &[3])));
    let message = failed.expect_err("it is unknown").downcast::<String>().expect("a text");
    assert!(message.starts_with("m.steal(3) is not known: no event"), "{message}");
}

#[test]
fn an_old_automaton_is_refused() {
    static OLD: Automaton = Automaton { digest: DIGEST + 1, ..MUTEX };
    static TORN: Automaton = Automaton { next: &[0, 1], ..MUTEX };
    let refused = |automaton| Watch::builder(&DESIGN).with(automaton, Reaction::Log).build().err();
    assert_eq!(refused(&OLD), Some(Refused::OtherDesign { automaton: "MUTEX" }));
    assert_eq!(refused(&TORN), Some(Refused::Malformed { automaton: "MUTEX" }));
    assert!(refused(&OLD).is_some_and(|reason| reason.to_string().contains("run `rely harness` again")));
}

#[test]
fn what_allows_nothing_is_violated_from_the_start() {
    static NEVER: Automaton = Automaton { next: &[], starts_violated: true, ..MUTEX };
    let pruned = watch(&[(&NEVER, Reaction::Prune)]);
    assert_eq!(pruned.event_of("one", "lock", "m", &[]), Answer::Ended(End::Pruned(0)));
    let checked = watch(&[(&NEVER, Reaction::Check)]);
    assert!(catch_unwind(AssertUnwindSafe(|| checked.event_of("one", "lock", "m", &[]))).is_err());
    assert_eq!(watch(&[(&NEVER, Reaction::Log)]).report().violated, Some(0));
}

#[test]
fn bounds_cut_and_old_steps_are_forgotten() {
    let bounded = Watch::builder(&DESIGN).with(&MUTEX, Reaction::Check).bound(2).build().expect("good");
    assert_eq!(bounded.event_of("one", "lock", "m", &[]), Answer::Ok);
    assert_eq!(bounded.event_of("one", "unlock", "m", &[]), Answer::Ok);
    assert_eq!(bounded.end(), None);
    assert_eq!(bounded.event_of("one", "unlock", "m", &[]), Answer::Ended(End::Cut));
    assert_eq!((bounded.events(), bounded.report().complaint()), (2, None));
    let short = Watch::builder(&DESIGN).with(&MUTEX, Reaction::Log).keep(2).build().expect("good");
    for method in ["lock", "unlock", "lock"] {
        short.event_of("two", method, "m", &[]);
    }
    let report = short.report();
    assert_eq!((report.forgotten, report.steps.len()), (1, 2));
    assert_eq!(report.to_string(), "      two         MUTEX\n   2  two.unlock  0\n   3  two.lock    2\n");
}

#[test]
fn logged_violations_are_counted_and_told_once() {
    let told = Arc::new(AtomicUsize::new(0));
    let teller = Arc::clone(&told);
    let log = Watch::builder(&DESIGN)
        .with(&MUTEX, Reaction::Log)
        .with(&SMALL, Reaction::Log)
        .on_violation(move |report| {
            assert!(report.complaint().is_some());
            teller.fetch_add(1, Ordering::SeqCst);
        })
        .build()
        .expect("good");
    for (method, values) in
        [("unlock", &[][..]), ("unlock", &[]), ("read", &[2]), ("read", &[9]), ("read", &[8])]
    {
        log.event_of("one", method, "m", values);
    }
    assert_eq!((told.load(Ordering::SeqCst), log.report().violations), (3, 5));
}

#[test]
fn guards_signal_after_locking_and_before_unlocking() {
    let watch = Arc::new(watch(&[(&MUTEX, Reaction::Check)]));
    let handle = std::thread::Builder::new().name("one".to_owned());
    let watched = Arc::clone(&watch);
    let run = move || {
        let _installed = install_here(Arc::clone(&watched));
        let mutex = Mutex::new(1_u8);
        let guard = locked!("m", mutex.lock().expect("nobody panics"));
        assert_eq!(event!("read", "m", *guard), Answer::Ok);
        let mut guard = guard.wait(|guard| guard);
        *guard += 1;
        drop(guard);
        assert_eq!(event!(in "two"; "lock", "m"), Answer::Ok);
        drop(_installed);
        assert_eq!(event!("unlock", "m"), Answer::Unwatched);
    };
    handle.spawn(run).expect("a thread").join().expect("no panic");
    let names: Vec<String> = watch.report().steps.into_iter().map(|step| step.event).collect();
    assert_eq!(names, ["one.lock", "one.read.1", "one.unlock", "one.lock", "one.unlock", "two.lock"]);
    let json = watch.report().steps[1].to_json();
    assert_eq!(json, r#"{"thread":"one","object":"m","method":"read","values":[1]}"#);
}

/// Eight threads race; each has its own names, so that every order of events is one that the design allows only if the
/// lock really is one. What was recorded is an order in which the naive twin agrees with every state.
#[test]
fn racing_threads_are_seen_in_one_order() {
    for round in 0..20 {
        let watch = Arc::new(watch(&[(&MUTEX, Reaction::Log), (&SMALL, Reaction::Log)]));
        let mutex = Mutex::new(());
        std::thread::scope(|scope| {
            for role in ["one", "two", "one", "two"] {
                let (watch, mutex) = (&watch, &mutex);
                scope.spawn(move || {
                    for _ in 0..50 {
                        let _guard = mutex.lock().expect("nobody panics");
                        watch.event_of(role, "lock", "m", &[]);
                        watch.event_of("anybody", "log", "m", &[]);
                        watch.event_of(role, "unlock", "m", &[]);
                    }
                });
            }
        });
        let report = watch.report();
        assert_eq!((report.steps.len(), report.complaint()), (600, None), "round {round}");
        let mut holder: Option<String> = None;
        for step in &report.steps {
            match step.method.as_str() {
                "lock" => assert_eq!(holder.replace(step.thread.clone()), None),
                "unlock" => assert_eq!(holder.take(), Some(step.thread.clone())),
                _ => assert!(holder.is_some()),
            }
        }
    }
}

/// All sequences of up to five events, against an interpreter written from the definition.
#[test]
fn all_short_traces_agree_with_the_definition() {
    let events: [(&str, &str, &[i64]); 7] = [
        ("one", "lock", &[]),
        ("one", "unlock", &[]),
        ("two", "lock", &[]),
        ("two", "unlock", &[]),
        ("one", "read", &[1]),
        ("one", "read", &[2]),
        ("one", "read", &[3]),
    ];
    let count = events.len();
    for length in 1..=5_u32 {
        for code in 0..count.pow(length) {
            let word: Vec<_> = (0..length).map(|i| events[code / count.pow(i) % count]).collect();
            let watch = watch(&[(&SMALL, Reaction::Log), (&MUTEX, Reaction::Prune)]);
            let answers: Vec<Answer> = word.iter().map(|&(t, m, v)| watch.event_of(t, m, "m", v)).collect();
            assert_eq!(answers, naive(&word), "{word:?}");
        }
    }
}

/// What the two automata mean, without tables. The assumption comes first.
fn naive(word: &[(&str, &str, &[i64])]) -> Vec<Answer> {
    let (mut holder, mut small, mut left, mut unknown, mut pruned) = (None, true, false, None, false);
    let answer = |&(thread, method, values): &(&'static str, &str, &[i64])| {
        if pruned {
            return Answer::Ended(End::Pruned(0));
        }
        match (method, values) {
            ("lock", _) => match holder {
                None => holder = Some(thread),
                Some(_) => pruned = true,
            },
            ("unlock", _) if holder == Some(thread) => holder = None,
            ("unlock", _) => pruned = true,
            (_, [1]) => left |= small,
            (_, [2]) => small &= left,
            _ => unknown = unknown.or(Some(Unknown::Values)),
        }
        match (pruned, small, unknown, left) {
            (true, ..) => Answer::Ended(End::Pruned(0)),
            (_, false, ..) => Answer::Violated(1),
            (_, _, Some(why), _) => Answer::Unknown(why),
            (.., true) => Answer::Left(1),
            _ => Answer::Ok,
        }
    };
    // The lifetimes of the words are those of the table above.
    let word: Vec<(&'static str, &str, &[i64])> =
        word.iter().map(|&(t, m, v)| (if t == "one" { "one" } else { "two" }, m, v)).collect();
    word.iter().map(answer).collect()
}
