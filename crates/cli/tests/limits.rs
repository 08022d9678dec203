//! Every verb keeps to its limits: memory, states and time.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{Run, file_in, folder, model, run};

/// A limit was met.
const LIMIT: i32 = 4;

/// What a process may take beside the limit on memory: the program itself, and what the allocator does not give back.
const BESIDE: usize = 20 << 20;

/// Mutual exclusion of five tasks: neither the product nor what becomes of it by reduction is small.
fn peterson(options: &str) -> Run {
    let model = model("peterson.lts");
    let question = "--system SYSTEM --property A3_1_MUTUAL_EXCLUSION --define N=5";
    run(&format!("exec rely verify {model} {question} {options}"))
}

#[test]
fn strategies_keep_to_their_memory() {
    for (megabytes, strategies) in
        [(50, ["auto", "localise", "reduce", "monolithic"].as_slice()), (80, &["auto"])]
    {
        for strategy in strategies {
            let ended = peterson(&format!("--strategy {strategy} --max-memory {megabytes}M"));
            assert_eq!(ended.status, LIMIT, "{ended:?}");
            assert!(ended.stdout.contains("unknown: memory ran out after"), "{ended:?}");
            let most = (megabytes << 20) + BESIDE;
            assert!(ended.peak_bytes.is_none_or(|peak| peak <= most), "{strategy} {megabytes}: {ended:?}");
        }
    }
}

#[test]
fn strategies_end_where_there_are_few_addresses() {
    let model = model("peterson.lts");
    let question = "--system SYSTEM --property A3_1_MUTUAL_EXCLUSION --define N=5";
    for strategy in ["auto", "localise", "reduce"] {
        let line = format!("ulimit -v 350000; exec rely verify {model} {question} --strategy {strategy}");
        let ended = run(&line);
        assert_eq!(ended.status, LIMIT, "{strategy}: {ended:?}");
        assert!(ended.stdout.contains("unknown: memory ran out after"), "{strategy}: {ended:?}");
    }
}

/// Interface automata of few states, two of which have many together.
const AUTOMATA: &str = "\
interface IN = S[0], S[i:0..24] = (take? -> give! -> S[(i + 1) % 25]).
interface OUT = S[0], S[i:0..23] = (take! -> give? -> S[(i + 1) % 24]).
||BOTH = (IN || OUT).
interface X = S[0], S[i:0..9] = (x[i]? -> S[(i + 1) % 10]).
interface Y = S[0], S[i:0..9] = (y[i]? -> S[(i + 1) % 10]).
";

/// Mutual exclusion of three tasks, which takes some thousand states.
const SYSTEM: &str = "{m} --define N=3 --system SYSTEM --property A3_1_MUTUAL_EXCLUSION";

/// Questions of every verb that searches, which need more than [`MOST_STATES`] states; `{…}` are files, and [`SYSTEM`].
const QUESTIONS: [&str; 27] = [
    "check {m} --define N=3 -t SYSTEM",
    "check {m} --define N=3 -t SYSTEM --no-reduction",
    "assume {m} --define N=3 -c SYSTEM -p A3_1_MUTUAL_EXCLUSION",
    "assume {m} --define N=3 -c SYSTEM -p A3_1_MUTUAL_EXCLUSION --method learn",
    "verify {s}",
    "verify {s} --strategy monolithic",
    "verify {s} --strategy localise",
    "verify {s} --strategy reduce",
    "verify {s} --strategy direct",
    "verify {s} --strategy learn",
    "verify {s} --strategy separate",
    "verify {s} --strategy abstract",
    "verify {s} --rule chain",
    "verify {s} --rule symmetric",
    "verify {s} --rule circular",
    "verify {i} --system BOTH --rule ia-compat --strategy monolithic",
    "decompose {s}",
    "study {s} -o {o}-study",
    "compatible {i} -c IN,OUT",
    "refines {i} -i BOTH -s BOTH",
    "contract compose {i} --operands X,Y",
    "compose {m} --define N=3 -t SYSTEM",
    "minimise {m} --define N=3 -t SYSTEM",
    "convert {m} --define N=3 -t SYSTEM -o {o}.aut",
    "draw {m} --define N=3 -t SYSTEM -o {o}.svg --minimise",
    "monitor {m} --define N=3 -t SYSTEM -l c -o {o}.c",
    "retrieve {n} {m} --define N=3",
];

/// What each of these may reach.
const MOST_STATES: u64 = 60;

/// The numbers of states that an object tells: fields, and words such as `after 60 states`.
fn told_states(value: &serde_json::Value) -> Vec<u64> {
    use serde_json::Value;
    match value {
        Value::Object(fields) => {
            let told = |(name, field): (&String, &Value)| match name.as_str() {
                "states" | "peak_states" => field.as_u64().into_iter().collect(),
                _ => told_states(field),
            };
            fields.iter().flat_map(told).collect()
        }
        Value::Array(items) => items.iter().flat_map(told_states).collect(),
        Value::String(text) => {
            let words: Vec<&str> = text.split(' ').collect();
            let counts =
                words.windows(3).filter(|words| words[0] == "after" && words[2].starts_with("state"));
            counts.filter_map(|words| words[1].parse().ok()).collect()
        }
        _ => Vec::new(),
    }
}

/// A step may find one state more than it may have, and then it ends.
#[test]
fn every_verb_keeps_to_its_states() {
    let desk = folder("limits-states");
    let (system, automata) = (model("peterson.lts"), file_in(&desk, "i.lts", AUTOMATA));
    let need = file_in(&desk, "need.fsp", "NEED = (t[1].enter -> t[1].leave -> NEED).\n");
    let [certificate, output] = ["c.cert", "out"].map(|name| desk.join(name).display().to_string());
    let certify =
        format!("rely check {system} --define N=3 -t SYSTEM --no-reduction --certificate {certificate}");
    assert_eq!(run(&certify).status, 0);
    for question in QUESTIONS {
        let mut line = question.replace("{s}", SYSTEM);
        for (short, name) in [("{m}", &system), ("{i}", &automata), ("{n}", &need), ("{o}", &output)] {
            line = line.replace(short, name);
        }
        let ended = run(&format!("rely {line} --max-states {MOST_STATES} --json"));
        assert_eq!(ended.status, LIMIT, "{line}: {ended:?}");
        let told = told_states(&ended.json());
        assert!(!told.is_empty(), "{line}: {ended:?}");
        assert!(told.iter().all(|&states| states <= MOST_STATES + 1), "{line}: {told:?} {ended:?}");
    }
    // A certificate lists its states, and so has more than the limit before it is judged.
    let judged = run(&format!("rely certify {certificate} {system} --define N=3 --max-states {MOST_STATES}"));
    assert_eq!((judged.status, &*judged.stdout), (LIMIT, ""), "{judged:?}");
}

/// To build this takes about as long as to minimise it, and what is left is too large for a picture. So a limit is met in
/// either, and never much later.
#[test]
fn minimised_pictures_keep_to_their_time() {
    let counters = "C = C[0], C[i:0..9] = (when (i < 9) up -> C[i+1] | when (i > 0) out[i] -> C[i]).\n\
                    ||S = (c[1..6]:C)\\{c[1..6].up}.\n";
    let desk = folder("limits-time");
    let (model, output) = (file_in(&desk, "counters.lts", counters), desk.join("out.svg"));
    let mut late = 0;
    for milliseconds in [100, 300, 600, 900, 1200] {
        let line = format!(
            "exec rely draw {model} -t S --minimise -o {} --timeout {milliseconds}ms",
            output.display()
        );
        let ended = run(&line);
        assert_eq!(ended.status, LIMIT, "{milliseconds}: {ended:?}");
        late += usize::from(ended.stderr.contains("time ran out"));
        let most = Duration::from_millis(milliseconds) + Duration::from_secs(3);
        assert!(ended.took < most, "{milliseconds}: {ended:?}");
        assert!(!output.exists(), "{milliseconds}");
    }
    assert!(late >= 2, "{late}");
}
