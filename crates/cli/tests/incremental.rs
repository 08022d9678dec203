//! Results that are kept from one run to the next.

mod common;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use common::{Run, start};
use rely_repository::{DEFAULT_LIMIT, Key, Repository};

/// Ten components: an operator, two pumps and seven customers, the last of whom can be another one.
fn gas_station(last: &str) -> String {
    let text = std::fs::read_to_string(common::model("gas-station.lts")).expect("there is the model");
    let text = text.replace("const N = 2", "const N = 7");
    let text = text.replace("c[Customer]:CUSTOMER).", "c[1..6]:CUSTOMER || c[7]:LAST).");
    format!("{text}\nLAST = (arrive[p:Pump] -> {last}).\n")
}

const PAYS: &str = "prepay[p] -> start[p] -> stop[p] -> change[p] -> LAST";
const MAY_LEAVE: &str = "(prepay[p] -> start[p] -> stop[p] -> change[p] -> LAST | leave -> LAST)";
const PAYS_AGAIN: &str =
    "prepay[p] -> start[p] -> stop[p] -> (change[p] -> LAST | prepay[p] -> change[p] -> LAST)";

/// A folder for the files of a test, and for what is kept.
struct Bench {
    folder: PathBuf,
}

impl Bench {
    fn new(name: &str) -> Self {
        Self { folder: common::folder(&format!("incremental-{name}")) }
    }

    fn command(&self, text: &str, arguments: &[&str]) -> Command {
        std::fs::write(self.folder.join("model.lts"), text).expect("a file of ours");
        self.command_again(arguments)
    }

    /// The same on the text that is there already, which another process may be reading.
    fn command_again(&self, arguments: &[&str]) -> Command {
        let mut command = common::command(&["verify", "model.lts", "--system", "SYSTEM", "--json"]);
        command.args(arguments).current_dir(&self.folder);
        command
    }

    fn run(&self, text: &str, arguments: &[&str]) -> Run {
        start(self.command(text, arguments), b"").end()
    }

    /// The first result, with what is kept and believed.
    fn kept(&self, text: &str, arguments: &[&str]) -> Value {
        self.run(text, &[arguments, TRUSTED].concat()).result()
    }

    /// The first result, with what is kept and judged before it is believed.
    fn judged(&self, text: &str, arguments: &[&str]) -> Value {
        self.run(text, &[arguments, &["--cache", "kept"]].concat()).result()
    }

    fn store(&self) -> PathBuf {
        self.folder.join("kept/results-1.sqlite")
    }
}

/// Keeps results in a folder, and believes what is there.
const TRUSTED: &[&str] = &["--cache", "kept", "--trust-cache"];

/// A result without what may differ.
fn essence(mut result: Value) -> Value {
    let fields = result.as_object_mut().expect("a result is an object");
    fields.remove("reused");
    fields.remove("time_ms");
    result
}

const PROPERTY: &[&str] = &["--property", "A2_3_PUMP1_IN_TURN"];

#[test]
fn the_same_question_has_the_same_answer() {
    let bench = Bench::new("same");
    let text = gas_station(PAYS);
    for strategy in ["auto", "monolithic", "reduce", "learn", "chain", "direct"] {
        let arguments = [PROPERTY, &["--strategy", strategy]].concat();
        let fresh = bench.run(&text, &[&arguments[..], &["--no-cache"]].concat()).result();
        let first = bench.kept(&text, &arguments);
        let second = bench.kept(&text, &arguments);
        assert_eq!(first["reused"], Value::Null, "{strategy}");
        assert_eq!(second["reused"]["verdict"], true, "{strategy}");
        assert_eq!(essence(fresh.clone()), essence(first), "{strategy}");
        assert_eq!(essence(fresh), essence(second), "{strategy}");
    }
}

/// A store that others may have written to: proofs are judged, runs replayed, and the rest is computed again.
#[test]
fn what_is_not_trusted_is_judged_or_computed_again() {
    let bench = Bench::new("judged");
    let text = gas_station(PAYS);
    for (strategy, is_judged) in
        [("learn", true), ("chain", true), ("localise", false), ("monolithic", false), ("reduce", false)]
    {
        let arguments = [PROPERTY, &["--strategy", strategy]].concat();
        let first = bench.judged(&text, &arguments);
        let second = bench.judged(&text, &arguments);
        assert_eq!(essence(first), essence(second.clone()), "{strategy}");
        assert_eq!(second["reused"]["verdict"] == true, is_judged, "{strategy}: {second}");
        assert_ne!(second["reused"]["unchecked"], true, "{strategy}: {second}");
    }
    // After a change every premise is searched, with the assumptions that there are.
    let changed = bench.judged(&gas_station(PAYS_AGAIN), &[PROPERTY, &["--strategy", "chain"]].concat());
    assert_eq!((&changed["verdict"], &changed["queries"]), (&"holds".into(), &0.into()), "{changed}");
    assert_eq!(changed["reused"]["premises"], 0, "{changed}");
    assert_eq!(changed["reused"]["assumptions"], 3, "{changed}");
    // What a store that is trusted is believed is said.
    let arguments = [PROPERTY, &["--strategy", "learn"]].concat();
    assert_eq!(bench.kept(&text, &arguments)["reused"]["unchecked"], true);
    let shown = |more: &[&str]| {
        let mut command = common::command(&["verify", "model.lts", "--system", "SYSTEM", "--cache", "kept"]);
        command.args(&arguments).args(more).current_dir(&bench.folder);
        start(command, b"").end().stdout
    };
    assert!(shown(&["--trust-cache"]).contains("nothing has changed; remembered, not re-checked"));
    assert!(shown(&[]).contains("nothing has changed; its proof was checked again"));
}

/// The forger of `crates/session/tests/forged.rs` with a real store: the answers of two systems are exchanged.
#[test]
fn a_forged_store_is_not_believed() {
    let bench = Bench::new("forged");
    let (right, wrong) = (channel("send -> out -> ack -> OUT"), channel("send -> ack -> out -> OUT"));
    let arguments = ["--strategy", "learn", "--left", "IN"];
    let entries = |text: &str| -> Vec<(Key, Vec<u8>)> {
        let _ = std::fs::remove_dir_all(bench.folder.join("kept"));
        bench.judged(text, &arguments);
        let store = Repository::open(&bench.folder.join("kept"), DEFAULT_LIMIT).expect("there is a store");
        store.keys().into_iter().map(|key| (key, store.get(&key).expect("it has a value"))).collect()
    };
    let is_answer = |(_, value): &&(Key, Vec<u8>)| value.starts_with(b"{\"result\"");
    let answer = |entries: &[(Key, Vec<u8>)]| entries.iter().find(is_answer).expect("an answer").clone();
    let holds = answer(&entries(&right));
    let violated = answer(&entries(&wrong));
    // The store of the wrong system gets the answer of the right one, with a checksum that fits.
    let store = Repository::open(&bench.folder.join("kept"), DEFAULT_LIMIT).expect("there is a store");
    store.put(&[(violated.0, holds.1)]);
    drop(store);
    let believed = bench.kept(&wrong, &arguments);
    assert_eq!(believed["verdict"], "holds", "the forger is good enough");
    let run = bench.run(&wrong, &[&arguments[..], &["--cache", "kept"]].concat());
    assert_eq!((run.status, &run.result()["verdict"]), (1, &"violated".into()), "{}", run.stdout);
    assert!(run.result()["warnings"].to_string().contains("tampered"), "{}", run.stdout);
    // It was computed again, and the right answer is kept.
    assert_eq!(bench.kept(&wrong, &arguments)["verdict"], "violated");
}

/// What is in the folder is no store, or one that is made to be read for ever.
#[cfg(unix)]
#[test]
fn a_hostile_store_takes_neither_time_nor_memory() {
    let bench = Bench::new("hostile");
    let text = channel("send -> out -> ack -> OUT");
    let fresh = bench.run(&text, &["--no-cache"]).result();
    std::fs::create_dir_all(bench.folder.join("kept")).expect("a folder of ours");
    for target in ["/dev/zero", "/dev/full", "/dev"] {
        std::os::unix::fs::symlink(target, bench.store()).expect("a link");
        let run = bench.run(&text, &["--cache", "kept"]);
        assert_eq!(run.status, 3, "{target}: {}", run.stderr);
        assert!(run.stderr.contains("is no plain file"), "{target}: {}", run.stderr);
        std::fs::remove_file(bench.store()).expect("a link of ours");
    }
    // A gigabyte of nothing.
    std::fs::File::create(bench.store()).and_then(|file| file.set_len(1 << 30)).expect("a file with a hole");
    let run = bench.run(&text, &["--cache", "kept", "--max-memory", "50M"]);
    assert_eq!(essence(run.result()), essence(fresh), "{}", run.stderr);
}

#[test]
fn a_violation_is_kept_and_its_run_replayed() {
    let bench = Bench::new("violation");
    let text = gas_station(PAYS);
    let property = ["--property", "A2_4_CHANGE_TO_WHO_PAID"];
    let first = bench.kept(&text, &property);
    let second = bench.kept(&text, &property);
    assert_eq!(first["verdict"], second["verdict"]);
    assert_eq!(second["reused"]["verdict"], true);
    assert_eq!(essence(first), essence(second));
}

#[test]
fn after_a_change_only_what_it_touches_is_checked() {
    let bench = Bench::new("change");
    let arguments = [PROPERTY, &["--strategy", "chain"]].concat();
    assert_eq!(bench.kept(&gas_station(PAYS), &arguments)["verdict"], "holds");
    for last in [MAY_LEAVE, PAYS_AGAIN] {
        let again = bench.kept(&gas_station(last), &arguments);
        assert_eq!(again["verdict"], "holds");
        assert_eq!(again["reused"]["premises"], 3, "{again}");
        assert_eq!(again["premises"].as_array().map(Vec::len), Some(4));
        assert_eq!(again["reused"]["changed"], serde_json::json!(["c.7:LAST"]));
        assert_eq!(again["queries"], 0, "nothing is learned");
    }
}

#[test]
fn what_was_quick_is_done_again_unless_a_part_does_less() {
    let bench = Bench::new("reduce");
    let arguments = ["--property", "A2_1_ONE_AT_PUMP1", "--strategy", "reduce"];
    assert_eq!(bench.kept(&gas_station(PAYS), &arguments)["strategy"], "reduce");
    let again = bench.kept(&gas_station(MAY_LEAVE), &arguments);
    assert_eq!(again["verdict"], "holds");
    assert_eq!(again["reused"]["assumptions"], 1, "{again}");
    assert!(again["peak_states"].as_u64() < Some(100), "only the part is looked at: {again}");
    let third = bench.kept(&gas_station(PAYS_AGAIN), &arguments);
    assert_eq!((&third["verdict"], &third["strategy"]), (&"holds".into(), &"reduce".into()), "{third}");
    let fresh = bench.run(&gas_station(PAYS_AGAIN), &[&arguments[..], &["--no-cache"]].concat()).result();
    assert_eq!(third["peak_states"], fresh["peak_states"], "nothing was tried in vain");
}

/// An answer by reduction that took long leaves a chain of assumptions behind, which nobody has checked.
#[test]
fn what_a_long_reduction_leaves_behind_is_a_proof_after_a_change() {
    let bench = Bench::new("sketch");
    let arguments = ["--property", "A1_9_NOBODY_LEFT", "--strategy", "reduce"];
    let text = std::fs::read_to_string(common::model("chiron-multiple.lts")).expect("there is the model");
    let text = text.replace("const N = 2", "const N = 6");
    let artist = |more: &str| text.replace("(start -> JOIN[1])", &format!("(start -> JOIN[1] | {more})"));
    let first = bench.kept(&text, &arguments);
    assert_eq!(first["strategy"], "reduce");
    assert!(first["peak_states"].as_u64() >= Some(8192), "it was not quick: {first}");
    // New behaviour that the assumptions allow.
    let again = bench.kept(&artist("stop -> LEAVE[1]"), &arguments);
    assert_eq!((&again["verdict"], &again["rule"]), (&"holds".into(), &"chain".into()), "{again}");
    let assumptions = again["assumptions"].as_array().map_or(0, Vec::len);
    assert!(assumptions > 1, "{again}");
    assert_eq!(again["reused"]["assumptions"], assumptions);
    assert_eq!(again["reused"]["changed"].as_array().map(Vec::len), Some(6), "each artist: {again}");
    assert_eq!(again["broken_assumption"], Value::Null);
    // And behaviour that one of them forbids, although it does no harm.
    std::fs::remove_dir_all(bench.folder.join("kept")).expect("a folder of ours");
    bench.kept(&text, &arguments);
    let other = bench.kept(&artist("notify[Event] -> ARTIST"), &arguments);
    assert_eq!((&other["verdict"], &other["strategy"]), (&"holds".into(), &"reduce".into()), "{other}");
    assert_eq!(other["broken_assumption"]["fault"], "breached", "{other}");
    assert!(other["broken_assumption"]["index"].is_u64(), "an assumption of the chain: {other}");
}

/// A search of the group of the changed part takes many times the states that the proof with the kept assumption does.
#[test]
fn a_part_that_does_less_costs_less_than_a_search_of_its_group() {
    let bench = Bench::new("less");
    let arguments = ["--property", "A2_1_ONE_AT_PUMP1", "--rule", "simple"];
    let first = bench.kept(&gas_station(PAYS), &arguments);
    assert!(first["peak_states"].as_u64() > Some(2_000), "{first}");
    let again = bench.kept(&gas_station(MAY_LEAVE), &arguments);
    assert_eq!((&again["verdict"], &again["strategy"]), (&"holds".into(), &"learn".into()));
    assert_eq!(again["reused"]["premises"], 1, "{again}");
    assert!(again["peak_states"].as_u64() < Some(100), "{again}");
}

#[test]
fn a_proof_that_reuses_assumptions_is_certified() {
    let bench = Bench::new("certified");
    let arguments = [PROPERTY, &["--strategy", "chain"]].concat();
    bench.kept(&gas_station(PAYS), &arguments);
    for round in ["changed", "known"] {
        let certificate = [&arguments[..], &["--certificate", "proof.cert"]].concat();
        let again = bench.kept(&gas_station(PAYS_AGAIN), &certificate);
        assert_eq!(again["verdict"], "holds", "{round}");
        let mut judge = common::command(&["certify", "proof.cert", "model.lts"]);
        judge.current_dir(&bench.folder);
        let judged = start(judge, b"").end();
        assert_eq!(judged.status, 0, "{round}: {}", judged.stdout);
    }
}

fn channel(out: &str) -> String {
    format!(
        "IN = (in -> send -> ack -> IN).\nOUT = ({out}).\nproperty ORDER = (in -> out -> ORDER).\n\
         ||SYSTEM = (IN || OUT || ORDER).\n"
    )
}

#[test]
fn a_change_that_breaks_a_proof_names_the_assumption() {
    let bench = Bench::new("broken");
    let arguments = ["--strategy", "learn", "--left", "IN"];
    assert_eq!(bench.kept(&channel("send -> out -> ack -> OUT"), &arguments)["verdict"], "holds");
    let broken = bench.kept(&channel("send -> ack -> out -> OUT"), &arguments);
    assert_eq!(broken["verdict"], "violated");
    assert_eq!(broken["broken_assumption"]["index"], 1, "{broken}");
    assert_eq!(broken["broken_assumption"]["fault"], "breached");
    assert_eq!(broken["broken_assumption"]["parts"], serde_json::json!(["OUT"]));
    assert_eq!(broken["broken_assumption"]["trace"], serde_json::json!(["send", "ack"]));
    // What nobody else shares is shown as well.
    let checks = bench.kept(&channel("send -> check -> ack -> out -> OUT"), &arguments);
    assert_eq!(checks["broken_assumption"]["trace"], serde_json::json!(["send", "check", "ack"]), "{checks}");
    // The next version is compared with the one that was right.
    let mended = bench.kept(&channel("send -> rest -> out -> ack -> OUT"), &arguments);
    assert_eq!(mended["verdict"], "holds");
    assert_eq!(mended["reused"]["premises"], 1);
    // Without a proof by a rule, the assumption is what the part did.
    assert_eq!(bench.kept(&channel("send -> out -> ack -> OUT"), &[])["verdict"], "holds");
    let surprise = bench.kept(&channel("send -> ack -> out -> OUT"), &[]);
    assert_eq!(surprise["broken_assumption"]["trace"], serde_json::json!(["send", "ack"]), "{surprise}");
}

/// A lock for two workers.
fn mutex(worker: &str) -> String {
    format!(
        "W = ({worker} -> W).\nM = ({{a,b}}.lock -> {{a,b}}.unlock -> M).\n\
         property EX = (a.enter -> a.leave -> EX | b.enter -> b.leave -> EX).\n\
         ||SYSTEM = (a:W || b:W || M || EX).\n"
    )
}

#[test]
fn copies_of_one_process_are_one_change() {
    let bench = Bench::new("copies");
    let arguments = ["--rule", "simple", "--left", "M"];
    assert_eq!(bench.kept(&mutex("lock -> enter -> leave -> unlock"), &arguments)["verdict"], "holds");
    let thinks = bench.kept(&mutex("think -> lock -> enter -> leave -> unlock"), &arguments);
    assert_eq!(thinks["verdict"], "holds");
    assert_eq!(thinks["reused"]["changed"], serde_json::json!(["a:W", "b:W"]), "{thinks}");
    assert_eq!((&thinks["reused"]["premises"], &thinks["reused"]["assumptions"]), (&1.into(), &1.into()));
    assert_eq!(thinks["queries"], 0, "nothing is learned");
    let enters = bench.kept(&mutex("enter -> lock -> leave -> unlock"), &arguments);
    assert_eq!(enters["verdict"], "violated");
    assert_eq!(enters["broken_assumption"]["index"], 1, "{enters}");
    assert_eq!(enters["broken_assumption"]["parts"], serde_json::json!(["a:W", "b:W"]));
}

#[test]
fn a_change_that_is_undone_makes_the_proof_before_it_the_last_one() {
    let bench = Bench::new("undone");
    let arguments = ["--rule", "simple", "--left", "IN"];
    let first = channel("send -> out -> ack -> OUT");
    let second = channel("send -> check -> out -> ack -> OUT");
    let third = first.replace("(in -> send", "(in -> log -> send");
    for text in [&first, &second, &first] {
        assert_eq!(bench.kept(text, &arguments)["verdict"], "holds");
    }
    let again = bench.kept(&third, &arguments);
    assert_eq!(again["reused"]["changed"], serde_json::json!(["IN"]), "{again}");
    assert_eq!((&again["reused"]["premises"], &again["reused"]["assumptions"]), (&1.into(), &1.into()));
}

#[test]
fn what_is_known_is_told_whatever_the_limits_are() {
    let bench = Bench::new("limits");
    let text = channel("send -> out -> ack -> OUT");
    let fresh = bench.kept(&text, &[]);
    for limit in [["--timeout", "0"], ["--max-states", "0"]] {
        // An answer that is known takes no search: a limit cannot end one.
        let known = bench.run(&text, &[&limit[..], TRUSTED].concat());
        assert_eq!(known.status, 0, "{limit:?}: {}", known.stderr);
        assert_eq!(essence(known.result()), essence(fresh.clone()), "{limit:?}");
        let unknown = bench.run(&text, &[&limit[..], &["--no-cache"]].concat());
        assert_eq!((unknown.status, &unknown.result()["verdict"]), (4, &"unknown".into()), "{limit:?}");
    }
    // What could not be found within the limits is not kept.
    let slower = channel("send -> rest -> out -> ack -> OUT");
    let unknown = bench.run(&slower, &[&["--timeout", "0"], TRUSTED].concat());
    assert_eq!(unknown.status, 4, "{}", unknown.stdout);
    assert_eq!(bench.kept(&slower, &[])["verdict"], "holds");
}

#[test]
fn what_changed_is_told() {
    let bench = Bench::new("told");
    let text = channel("send -> out -> ack -> OUT");
    let more = text.replace("IN || OUT ||", "IN || OUT || MORE ||") + "MORE = (rest -> MORE).\n";
    assert_eq!(bench.kept(&more, &["--strategy", "learn"])["verdict"], "holds");
    let again = bench.kept(&text, &["--strategy", "learn"]);
    assert_eq!(again["reused"]["removed"], serde_json::json!(["MORE"]), "{again}");
    let new = text.replace("IN || OUT ||", "IN || OUT || NEW ||") + "NEW = (rest -> more -> NEW).\n";
    let again = bench.kept(&new, &["--strategy", "learn"]);
    assert_eq!(again["reused"]["added"], serde_json::json!(["NEW"]), "{again}");
    assert_eq!(again["reused"]["changed"], Value::Null, "{again}");
    let other = text.replace("(in -> out -> ORDER)", "(in -> out -> ORDER | out -> ORDER)");
    let again = bench.kept(&other, &["--strategy", "learn"]);
    assert_eq!(again["reused"]["property_changed"], true, "{again}");
}

/// Three parts, so that one of them can be replaced or renamed.
const LOGGED: &str = "IN = (in -> send -> ack -> IN).\nOUT = (send -> out -> ack -> OUT).\n\
    LOG = (ack -> log -> LOG).\nproperty ORDER = (in -> out -> ORDER).\n\
    ||SYSTEM = (IN || OUT || LOG || ORDER).\n";

#[test]
fn a_part_that_is_replaced_is_in_the_group_of_the_old_one() {
    let bench = Bench::new("replaced");
    let simple = ["--rule", "simple"];
    let first = bench.kept(LOGGED, &simple);
    let careful = LOGGED
        .replace("OUT = (send -> out -> ack -> OUT)", "OUT2 = (send -> check -> out -> ack -> OUT2)")
        .replace("|| OUT ||", "|| OUT2 ||");
    let again = bench.kept(&careful, &simple);
    assert_eq!(again["broken_assumption"], Value::Null, "{again}");
    assert_eq!(again["assumptions"], first["assumptions"]);
    assert_eq!(again["reused"]["premises"], 1, "{again}");
    assert_eq!(again["reused"]["changed"], serde_json::json!(["OUT2"]));
    // One that does harm is blamed under its new name.
    let hasty = careful.replace("check -> out -> ack -> OUT2", "ack -> out -> OUT2");
    let broken = bench.kept(&hasty, &simple);
    assert_eq!(broken["verdict"], "violated");
    let parts = broken["broken_assumption"]["parts"].as_array().expect("there are parts");
    assert!(parts.contains(&"OUT2".into()), "{broken}");
}

fn ring(nodes: usize, last: &str) -> String {
    format!(
        "const N = {nodes}\nrange I = 0..N-1\nNODE(K=0) = if (K == 0) then HOLDING else WAITING,\n\
         HOLDING = (enter -> exit -> HOLDING | pass -> WAITING),\nWAITING = (take -> HOLDING).\n\
         LAZY(K=0) = (take -> (enter -> exit -> pass -> LAZY | pass -> LAZY)).\n\
         property EXCLUSION = (node[i:I].enter -> node[i].exit -> EXCLUSION).\n\
         ||SYSTEM = (forall[i:0..N-2] node[i]:NODE(i) || node[N-1]:{last} || EXCLUSION)\
         /{{forall[i:I] {{hand[i]/{{node[i].pass, node[(i+1)%N].take}}}}}}.\n"
    )
}

#[test]
fn no_assumption_is_blamed_where_the_groups_are_not_those_of_old() {
    let bench = Bench::new("ring");
    let simple = ["--rule", "simple"];
    for (now, removed) in
        [(ring(6, "LAZY(1)"), false), (ring(7, "NODE(1)"), false), (ring(5, "NODE(1)"), true)]
    {
        assert_eq!(bench.kept(&ring(6, "NODE(1)"), &simple)["verdict"], "holds");
        let again = bench.kept(&now, &simple);
        assert_eq!(again["verdict"], "holds");
        assert_eq!(again["broken_assumption"], Value::Null, "{again}");
        assert_eq!(again["reused"]["removed"] != Value::Null, removed, "{again}");
        let fresh = bench.run(&now, &["--rule", "simple", "--no-cache"]).result();
        assert_eq!(fresh["verdict"], again["verdict"]);
        std::fs::remove_dir_all(bench.folder.join("kept")).expect("a folder of ours");
    }
}

#[test]
fn names_do_not_matter() {
    let bench = Bench::new("renamed");
    let renamed = |before: &str, now: &str| serde_json::json!([{ "before": before, "now": now }]);
    for arguments in [&["--rule", "simple"][..], &["--strategy", "reduce"], &[]] {
        let first = bench.kept(LOGGED, arguments);
        let part = bench.kept(&LOGGED.replace("OUT", "SENDER"), arguments);
        assert_eq!(part["reused"]["verdict"], true, "{part}");
        assert_eq!(part["reused"]["renamed"], renamed("OUT", "SENDER"), "{part}");
        let fresh = bench.run(&LOGGED.replace("OUT", "SENDER"), &[arguments, &["--no-cache"]].concat());
        assert_eq!(essence(fresh.result()), essence(part), "{arguments:?}");
        let property = bench.kept(&LOGGED.replace("ORDER", "TURNS"), arguments);
        assert_eq!(property["property"], "TURNS");
        assert_eq!(property["reused"]["renamed"], renamed("ORDER", "TURNS"), "{property}");
        // A system of another name is found, and what has changed in it as well.
        let other = |text: &str| {
            std::fs::write(bench.folder.join("model.lts"), text).expect("a file of ours");
            let mut command = common::command(&["verify", "model.lts", "--system", "OTHER", "--json"]);
            command.args(arguments).args(["--cache", "kept"]).current_dir(&bench.folder);
            start(command, b"").end().result()
        };
        let text = LOGGED.replace("||SYSTEM", "||OTHER");
        let system = other(&text);
        assert_eq!(system["reused"]["renamed"], renamed("SYSTEM", "OTHER"), "{system}");
        let changed = other(&text.replace("log -> LOG", "log -> rest -> LOG"));
        assert_eq!(changed["reused"]["changed"], serde_json::json!(["LOG"]), "{changed}");
        assert_eq!(first["verdict"], "holds");
    }
    // A run that fails has the new names as well.
    let hasty = LOGGED.replace("out -> ack -> OUT", "ack -> out -> OUT");
    bench.kept(&hasty, &[]);
    let broken = bench.run(&hasty.replace("OUT", "SENDER"), TRUSTED);
    assert_eq!(broken.status, 1);
    assert_eq!(broken.result()["reused"]["verdict"], true, "{}", broken.stdout);
    assert!(broken.result()["components"].to_string().contains("SENDER"), "{}", broken.stdout);
}

#[test]
fn a_damaged_store_is_begun_anew() {
    let bench = Bench::new("damaged");
    let text = gas_station(PAYS);
    let fresh = essence(bench.kept(&text, PROPERTY));
    let whole = std::fs::read(bench.store()).expect("results are kept");
    let mut garbled = whole.clone();
    garbled[20..4_000].fill(0xA5);
    for (what, damaged) in [("cut", &whole[..whole.len() / 2]), ("garbled", &garbled), ("text", b"no store")]
    {
        std::fs::write(bench.store(), damaged).expect("a file of ours");
        let run = bench.run(&text, &[PROPERTY, &["--cache", "kept"]].concat());
        assert_eq!(essence(run.result()), fresh, "{what}");
        assert!(run.stderr.contains("were damaged"), "{what}: {}", run.stderr);
        assert_eq!(bench.kept(&text, PROPERTY)["reused"]["verdict"], true, "{what}");
    }
}

#[test]
fn several_processes_share_a_store_and_one_may_be_killed() {
    let bench = Bench::new("shared");
    let text = gas_station(PAYS);
    let kept = ["--cache", "kept"];
    // Learning this takes minutes, so it is killed in the middle.
    let long = ["--property", "A2_1_ONE_AT_PUMP1", "--strategy", "circular"];
    let killed = start(bench.command(&text, &[&long[..], &kept].concat()), b"");
    let quick = || start(bench.command_again(&[PROPERTY, &kept].concat()), b"");
    let others: Vec<_> = (0..4).map(|_| quick()).collect();
    for other in others {
        let run = other.end();
        assert_eq!(run.result()["verdict"], "holds");
        assert!(run.stderr.is_empty(), "{}", run.stderr);
    }
    killed.kill();
    assert_eq!(bench.kept(&text, PROPERTY)["reused"]["verdict"], true);
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error_only_if_it_was_asked_for() {
    let bench = Bench::new("folder");
    std::fs::write(bench.folder.join("file"), "").expect("a file of ours");
    let text = channel("send -> out -> ack -> OUT");
    let asked = bench.run(&text, &["--cache", "file"]);
    assert_eq!(asked.status, 3, "{}", asked.stderr);
    let finding = &asked.json()["diagnostics"][0];
    assert_eq!(finding["file"], "file", "it is about the folder, not the model: {finding}");
    for folder in ["file", "there"] {
        let mut usual = bench.command(&text, &[]);
        usual.env("RELY_CACHE", folder);
        let usual = start(usual, b"").end();
        assert_eq!(usual.result()["verdict"], "holds", "{folder}");
        let warned = usual.stderr.starts_with("rely: RELY_CACHE: cannot keep results in file: ");
        assert_eq!(warned, folder == "file", "{}", usual.stderr);
    }
    assert!(bench.folder.join("there/results-1.sqlite").exists());
}
