//! Interface automata on the command line: the fields of the JSON, the exit statuses, and what is written to files.

mod common;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use common::{Run, model, rely};

/// The only result of a report, and the exit status.
fn result(arguments: &[&str]) -> (Value, i32) {
    let Run { stdout, stderr, status, .. } = rely(&[arguments, &["--json"]].concat());
    let report: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    assert_eq!((&report["schema"], &report["command"]), (&json!("rely/1"), &json!(arguments[0])));
    assert_eq!(report["results"].as_array().map(Vec::len), Some(1), "{stdout}");
    (report["results"][0].clone(), status)
}

/// A file of its own for a test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rely-interfaces-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file can be written");
    path
}

#[test]
fn contracts_may_use_any_names() {
    // B waits for what A never does; no name makes that a contradiction.
    for name in ["void[0]", "vord[0]"] {
        let text = format!(
            "interface A = (x! -> STOP) + {{{name}!, y!}}.\ninterface B = (x! -> {name}! -> y! -> B)."
        );
        let path = file(&format!("{}.lts", &name[..4]), &text);
        let path = path.display().to_string();
        assert_eq!(rely(&["contract", "consistent", &path, "--operands", "A,B"]).status, 0, "{name}");
    }
}

fn compatible(model: &str, components: &str) -> (Value, i32) {
    result(&["compatible", model, "--components", components])
}

#[test]
fn the_fields_of_compatible_are_a_contract() {
    let (bad, status) = compatible(&model("messaging.lts"), "MSG,USR,E_BAD");
    assert_eq!(status, 1);
    assert_eq!(bad["components"], json!(["MSG", "USR", "E_BAD"]));
    assert_eq!((&bad["open"], &bad["verdict"]), (&json!(false), &json!("violated")));
    assert_eq!(bad["trace"], json!(["msg", "send", "nack", "send", "nack", "fail"]));
    let illegal = &bad["illegal"];
    assert_eq!(
        (&illegal["action"], &illegal["sender"], &illegal["receiver"]),
        (&json!("fail"), &json!("MSG"), &json!("USR"))
    );
    let (good, status) = compatible(&model("messaging.lts"), "MSG,USR,ENV");
    assert_eq!((status, &good["verdict"], &good["open"]), (0, &json!("holds"), &json!(false)));
    assert_eq!((&good["trace"], &good["illegal"]), (&json!([]), &Value::Null));
    let (open, status) = compatible(&model("messaging.lts"), "SYS");
    assert_eq!((status, &open["verdict"], &open["open"]), (0, &json!("holds"), &json!(true)));
    assert_eq!(open["avoid"]["trace"], bad["trace"]);
}

#[test]
fn the_estimator_counts_too_far() {
    let estimator = model("estimator.lts");
    let trace = json!([
        "refresh",
        "sensor_good",
        "increment",
        "get_val",
        "return.1",
        "refresh",
        "sensor_good",
        "increment"
    ]);
    let (open, status) = compatible(&estimator, "COUNTER,ESTIMATOR");
    assert_eq!((status, &open["verdict"], &open["avoid"]["trace"]), (0, &json!("holds"), &trace));
    let every = ["compatible", &estimator, "--every-environment", "--components"];
    let (found, status) = result(&[&every[..], &["COUNTER,ESTIMATOR"]].concat());
    assert_eq!((status, &found["verdict"], &found["trace"]), (1, &json!("violated"), &trace));
    assert_eq!(found["illegal"]["receiver"], json!("COUNTER"));
    let (found, status) = result(&[&every[..], &["COUNTER,FIXED_ESTIMATOR"]].concat());
    assert_eq!((status, &found["verdict"]), (0, &json!("holds")));
}

#[test]
fn the_fields_of_refines_are_a_contract() {
    let messaging = model("messaging.lts");
    let refines = |implementation: &str, specification: &str| {
        result(&["refines", &messaging, "--implementation", implementation, "--specification", specification])
    };
    for specification in ["E_BAD", "E_GOOD", "C_3", "ENV"] {
        let (found, status) = refines("ENV", specification);
        assert_eq!((status, &found["verdict"]), (0, &json!("holds")), "{specification}");
        assert_eq!((&found["trace"], &found["reason"]), (&json!([]), &Value::Null));
    }
    let (found, status) = refines("E_BAD", "E_GOOD");
    assert_eq!((status, &found["verdict"]), (1, &json!("violated")));
    assert_eq!(found["trace"], json!(["send", "nack", "send", "nack"]));
    assert!(found["reason"].as_str().is_some_and(|reason| reason.starts_with("E_BAD sends nack!")));
    let (found, status) = refines("ENV", "C_1");
    assert_eq!((status, &found["verdict"], &found["trace"][0]), (1, &json!("violated"), &json!("send")));
    assert_eq!(refines("ENV", "MSG").1, 1);
}

#[test]
fn the_environment_is_written_and_can_be_used() {
    let messaging = model("messaging.lts");
    let path = file("environment.fsp", "").display().to_string();
    let Run { stdout, stderr, status, .. } =
        rely(&["compatible", &messaging, "--components", "MSG,USR", "--environment", &path]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let environment = std::fs::read_to_string(&path).expect("it was written");
    assert!(environment.starts_with("interface ENVIRONMENT = (send? -> "), "{environment}");
    let models = std::fs::read_to_string(&messaging).expect("a model can be read") + &environment;
    let together = file("together.lts", &models).display().to_string();
    assert_eq!(compatible(&together, "MSG,USR,ENVIRONMENT").1, 0);
    for (implementation, specification) in [("ENVIRONMENT", "E_GOOD"), ("E_GOOD", "ENVIRONMENT")] {
        let arguments =
            ["refines", &together, "--implementation", implementation, "--specification", specification];
        assert_eq!(result(&arguments).1, 0, "{implementation} {specification}");
    }
}

#[test]
fn what_is_converted_to_fsp_keeps_its_roles() {
    for (name, targets) in [
        ("messaging.lts", &["MSG", "USR", "ENV", "C_1", "SYS"][..]),
        ("estimator.lts", &["COUNTER", "ORBITAL_STATE"]),
    ] {
        for target in targets {
            let [first, second] = ["first.fsp", "second.fsp"]
                .map(|file_name| file(&format!("{target}-{file_name}"), "").display().to_string());
            assert_eq!(rely(&["convert", &model(name), "--target", target, "-o", &first]).status, 0);
            assert_eq!(rely(&["convert", &first, "-o", &second]).status, 0);
            let read = |path| std::fs::read_to_string(path).expect("it was written");
            assert_eq!(read(&first), read(&second));
            let dot = file(&format!("{target}.dot"), "").display().to_string();
            assert_eq!(rely(&["draw", &first, "-o", &dot]).status, 0);
            assert!(read(&dot).contains("?\"]") || read(&dot).contains("!\"]"), "{}", read(&dot));
        }
    }
}

/// What is written in a format is, read again, the same automaton: it is compatible with the same, refines the same,
/// and is written the same. Only `.aut` loses actions that are never taken, and says so.
#[test]
fn roles_are_kept_in_every_format() {
    let messaging = model("messaging.lts");
    let read = |path: &Path| std::fs::read_to_string(path).expect("it was written");
    let fsp = |path: &Path, name: &str| {
        let target = file(&format!("{name}.fsp"), "");
        assert_eq!(
            rely(&["convert", &path.display().to_string(), "-o", &target.display().to_string()]).status,
            0
        );
        read(&target)
    };
    for target in ["MSG", "ENV", "E_GOOD", "USR", "C_1"] {
        let loses = ["USR", "C_1"].contains(&target);
        let original = file(&format!("{target}.fsp"), "");
        let path = original.display().to_string();
        assert_eq!(rely(&["convert", &messaging, "--target", target, "-o", &path]).status, 0);
        for ending in ["aut", "json"] {
            let written = file(&format!("{target}.{ending}"), "");
            let path = written.display().to_string();
            let Run { stderr, status, .. } = rely(&["convert", &messaging, "--target", target, "-o", &path]);
            assert_eq!(status, 0);
            assert_eq!(
                stderr.contains("never taken"),
                loses && ending == "aut",
                "{target}.{ending}: {stderr}"
            );
            let again = fsp(&written, &format!("{target}-{ending}")).replace("DEFAULT", target);
            assert_eq!(again == read(&original), !loses || ending == "json", "{target}.{ending}: {again}");
            // A file is named by its stem.
            assert_eq!(result(&["refines", &path, "-i", target, "-s", target]).1, 0);
            let (found, _) = result(&["contract", "mirror", &path, "--operands", target]);
            assert_eq!(found["verdict"], json!("holds"));
        }
    }
}

#[test]
fn automata_are_imported_from_files_with_their_roles() {
    let messaging = model("messaging.lts");
    for (target, name) in [("E_BAD", "channel.aut"), ("USR", "user.json")] {
        let path = file(name, "").display().to_string();
        assert_eq!(rely(&["convert", &messaging, "--target", target, "-o", &path]).status, 0);
    }
    let text = "import CHANNEL = \"channel.aut\"\nimport USER = \"user.json\"\n
        interface MSG = (msg? -> send! -> (ack? -> OK | nack? -> send! -> (ack? -> OK | nack? -> fail! -> MSG))),
        OK = (ok! -> MSG).
        ||SYSTEM = (MSG || USER || CHANNEL).
        ||CLASH  = (USER || a:USER/{msg/a.msg}).";
    let path = file("imports.lts", text).display().to_string();
    let (found, status) = compatible(&path, "SYSTEM");
    assert_eq!((status, &found["open"]), (1, &json!(false)));
    assert_eq!(found["trace"], json!(["msg", "send", "nack", "send", "nack", "fail"]));
    let Run { stderr, status, .. } = rely(&["compatible", &path, "--components", "CLASH"]);
    assert!(status == 3 && stderr.contains("`msg` is an output of both"), "{stderr}");
    assert!(stderr.contains("imports.lts:2:15"), "{stderr}");
}

#[test]
fn bad_questions_are_errors_and_limits_are_limits() {
    let messaging = model("messaging.lts");
    for (components, code) in [("MSG,NOBODY", "E0315"), ("USR,USR", "E0329"), ("C_1,E_BAD", "E0329")] {
        let Run { stdout, stderr, status, .. } =
            rely(&["compatible", &messaging, "--components", components, "--json"]);
        let report: Value = serde_json::from_str(&stdout).expect("an object");
        assert_eq!((status, &report["results"]), (3, &json!([])), "{stderr}");
        assert_eq!(report["diagnostics"][0]["code"], json!(code), "{components}");
    }
    let philosophers = model("philosophers.lts");
    for arguments in [
        ["compatible", &philosophers, "--components", "PHIL,FORK"].as_slice(),
        &["refines", &philosophers, "--implementation", "PHIL", "--specification", "FORK"],
    ] {
        let Run { stderr, status, .. } = rely(arguments);
        assert!(status == 3 && stderr.contains("E0005"), "{stderr}");
    }
    let docking = model("docking.lts");
    for arguments in [
        ["compatible", &docking, "--components", "ARD", "--max-states", "100"].as_slice(),
        &["compatible", &docking, "--components", "ORBITAL_STATE", "--environment", "--max-states", "100"],
        &["refines", &docking, "--implementation", "ARD", "--specification", "ARD", "--max-states", "100"],
        &["compatible", &docking, "--components", "ARD", "--timeout", "0s"],
    ] {
        let Run { stdout, stderr, status, .. } = rely(arguments);
        assert_eq!(status, 4, "{arguments:?}: {stdout}{stderr}");
    }
    assert_eq!(rely(&["compatible", &messaging]).status, 2);
    assert_eq!(rely(&["refines", &messaging, "--implementation", "ENV"]).status, 2);
    assert_eq!(
        rely(&["compatible", &messaging, "--components", "MSG,USR", "--environment", "x.exe"]).status,
        2
    );
}

#[test]
fn the_docking_model_goes_wrong_where_it_should() {
    let docking = model("docking.lts");
    let small =
        ["--define", "MODES=1", "--define", "SENSORS=2", "--define", "QUANTITIES=1", "--define", "PULSES=1"];
    let compatible = |components: &str| {
        result(&[&["compatible", &docking, "--components", components], &small[..]].concat())
    };
    assert_eq!(compatible("ARD").1, 0);
    assert_eq!(compatible("LENIENT_ARD").1, 0);
    assert_eq!(compatible("ARD_MODES,ORBITAL_STATE_WITH_SENSORS").1, 0);
    let (found, status) = compatible("CARELESS_ARD");
    assert_eq!((status, &found["illegal"]["action"]), (1, &json!("count.1.increment")));
    for (target, expected) in [("CHECKED_ARD", 0), ("LENIENT_ARD", 1)] {
        let check = ["check", &docking, "--target", target, "--only", "safety"];
        assert_eq!(rely(&[&check[..], &small[..]].concat()).status, expected, "{target}");
    }
}

/// The smallest docking model.
const SMALL: [&str; 8] =
    ["--define", "MODES=1", "--define", "SENSORS=2", "--define", "QUANTITIES=1", "--define", "PULSES=1"];

/// What `verify` says with a rule for interface automata, and the exit status.
fn verify(model: &str, system: &str, rule: &str, more: &[&str]) -> (Value, i32) {
    result(&[&["verify", model, "--system", system, "--rule", rule], more].concat())
}

#[test]
fn the_fields_of_the_rules_are_a_contract() {
    let messaging = model("messaging.lts");
    let (good, status) = verify(&messaging, "SYSTEM", "ia-compat", &["--left", "MSG,USR"]);
    assert_eq!((status, &good["verdict"]), (0, &json!("holds")));
    assert_eq!((&good["system"], &good["property"]), (&json!("SYSTEM"), &json!("compatible")));
    assert_eq!((&good["strategy"], &good["rule"]), (&json!("direct"), &json!("ia-compat")));
    assert_eq!((&good["left"], &good["right"]), (&json!(["MSG", "USR"]), &json!(["ENV"])));
    assert_eq!(good["premises"], json!(["M1 ~ A1", "M2 ≼ A1"]));
    assert_eq!(good["assumptions"], json!([{ "states": 4, "alphabet": ["ack", "nack", "send"] }]));
    assert_eq!((&good["trace"], &good["queries"], &good["conjectures"]), (&json!([]), &json!(0), &json!(0)));
    assert!(good["peak_states"].is_u64() && good["time_ms"].is_u64() && good["reason"].is_null());

    let (bad, status) = verify(&messaging, "BAD_SYSTEM", "ia-compat", &["--left", "MSG,USR"]);
    assert_eq!((status, &bad["verdict"], &bad["assumptions"]), (1, &json!("violated"), &json!([])));
    assert_eq!(bad["trace"], json!(["msg", "send", "nack", "send", "nack", "fail"]));
    assert_eq!(bad["steps"].as_array().map(Vec::len), Some(6));
    let reason = bad["reason"].as_str().expect("somebody is to blame");
    assert!(reason.starts_with("MSG sends fail! in its state 6, and USR cannot take it"), "{reason}");

    let (found, status) = verify(&messaging, "BAD_SYSTEM", "ia-compat", &["--strategy", "monolithic"]);
    assert_eq!((status, &found["trace"], &found["rule"]), (1, &bad["trace"], &Value::Null));
    assert_eq!(found["reason"], bad["reason"]);
}

#[test]
fn learning_ends_with_the_good_environment() {
    let messaging = model("messaging.lts");
    for learner in ["lstar", "tree", "lsharp", "adaptive"] {
        let learn = ["--left", "MSG,USR", "--strategy", "learn", "--learner", learner];
        let path = file(&format!("{learner}.cert"), "").display().to_string();
        let arguments = [&learn[..], &["--certificate", &path]].concat();
        let (found, status) = verify(&messaging, "SYSTEM", "ia-compat", &arguments);
        assert_eq!((status, &found["assumptions"][0]["states"]), (0, &json!(4)), "{learner}");
        assert!(found["conjectures"].as_u64().is_some_and(|conjectures| (1..=4).contains(&conjectures)));
        let certificate = std::fs::read_to_string(&path).expect("it was written");
        let certificate: Value = serde_json::from_str(&certificate).expect("JSON");
        let assumption = &certificate["claims"][0]["evidence"]["assumption"];
        let transitions = json!(["0 send 1", "1 ack 0", "1 nack 2", "2 send 3", "3 ack 0"]);
        assert_eq!(assumption["transitions"], transitions, "E_GOOD: {assumption}");
        assert_eq!(certificate["claims"][0]["evidence"]["inputs"], json!(["send"]));
    }
}

#[test]
fn what_the_rules_prove_can_be_certified_and_changes_are_found() {
    let (docking, messaging) = (model("docking.lts"), model("messaging.lts"));
    let certify = |certificate: &str, model: &str, more: &[&str]| {
        rely(&[&["certify", certificate, model], more].concat())
    };
    for rule in ["ia-compat", "ia-prop", "ia-hybrid"] {
        for strategy in ["direct", "learn", "monolithic"] {
            let path = file(&format!("{rule}-{strategy}.cert"), "").display().to_string();
            let more = [&["--strategy", strategy, "--certificate", &path], &SMALL[..]].concat();
            assert_eq!(verify(&docking, "CHECKED_ARD", rule, &more).1, 0, "{rule} {strategy}");
            let Run { stdout, stderr, status, .. } = certify(&path, &docking, &SMALL);
            assert_eq!(status, 0, "{rule} {strategy}: {stdout}{stderr}");
            let Run { stdout, status, .. } = certify(&path, &docking, &["--define", "MODES=2"]);
            assert!(status == 1 && stdout.contains("another model"), "{stdout}");
        }
    }

    let path = file("messaging.cert", "").display().to_string();
    let more = ["--left", "MSG,USR", "--certificate", &path];
    assert_eq!(verify(&messaging, "SYSTEM", "ia-compat", &more).1, 0);
    let Run { stdout, status, .. } = certify(&path, &messaging, &[]);
    assert_eq!((status, &*stdout), (0, "SYSTEM: compatible certified\n"));
    let certificate = std::fs::read_to_string(&path).expect("it was written");
    for (what, from, to) in [
        ("another target", "SYSTEM: compatible", "BAD_SYSTEM: compatible"),
        ("no such system", "SYSTEM: compatible", "NOBODY: compatible"),
        ("no such specification", "SYSTEM: compatible", "SYSTEM: refines NOBODY"),
        ("an assumption that allows more", "3 ack 0", "3 nack 0"),
        (
            "another input",
            "\"send\"\n        ],\n        \"assumption\"",
            "\"ack\"\n        ],\n        \"assumption\"",
        ),
    ] {
        let tampered = certificate.replacen(from, to, 1);
        assert_ne!(tampered, certificate, "{what}: {certificate}");
        let path = file("tampered.cert", &tampered).display().to_string();
        let Run { stdout, stderr, status, .. } = certify(&path, &messaging, &[]);
        assert!(status == 1 && stdout.contains("rejected"), "{what}: {stdout}{stderr}");
    }
}

#[test]
fn compatible_writes_certificates() {
    let messaging = model("messaging.lts");
    for (components, more) in [("MSG,USR,ENV", &[][..]), ("SYS", &[]), ("SYSTEM", &["--weak"])] {
        let path = file("compatible.cert", "").display().to_string();
        let arguments =
            [&["compatible", &messaging, "--components", components, "--certificate", &path], more].concat();
        assert_eq!(result(&arguments).1, 0);
        let Run { stdout, stderr, status, .. } = rely(&["certify", &path, &messaging]);
        assert_eq!(status, 0, "{stdout}{stderr}");
        assert!(stdout.contains(": compatible") && stdout.ends_with("certified\n"), "{stdout}");
    }
}

#[test]
fn refines_writes_certificates() {
    let messaging = model("messaging.lts");
    let path = file("refines.cert", "").display().to_string();
    for specification in ["E_GOOD", "E_BAD"] {
        let arguments = ["refines", &messaging, "-i", "ENV", "-s", specification, "--certificate", &path];
        assert_eq!(result(&arguments).1, 0);
        let Run { stdout, stderr, status, .. } = rely(&["certify", &path, &messaging]);
        assert_eq!(status, 0, "{stdout}{stderr}");
        assert!(stdout.starts_with(&format!("ENV: in place of {specification}")), "{stdout}");
        let certificate = std::fs::read_to_string(&path).expect("it was written");
        let tampered = file("refines-tampered.cert", &certificate.replace("\"rows\": ", "\"rows\": 1"));
        assert_eq!(rely(&["certify", &tampered.display().to_string(), &messaging]).status, 1);
    }
    let Run { stderr, status, .. } =
        rely(&["refines", &messaging, "-i", "ENV", "-s", "C_1", "--certificate", &path]);
    assert_eq!((status, stderr.contains("no certificate is written")), (1, true), "{stderr}");
}

/// What is minimal is, read again, compatible with the same; observational equivalence is not enough, and says so.
#[test]
fn minimal_automata_take_inputs_where_they_did() {
    let text = "interface SLOW = (think -> call? -> note -> SLOW)\\{think, note}.
                interface CALLER = (call! -> CALLER).";
    let path = file("slow.lts", text).display().to_string();
    assert_eq!(compatible(&path, "SLOW,CALLER").1, 1);
    for (more, states, warned, status) in [
        (&[][..], 2, false, 1),
        (&["--equivalence", "strong"], 3, false, 1),
        (&["--equivalence", "weak"], 1, true, 0),
    ] {
        let target = file("minimal.fsp", "").display().to_string();
        let arguments = [&["minimise", &path, "--target", "SLOW"], more].concat();
        let Run { stderr, .. } = rely(&[&arguments[..], &["-o", &target]].concat());
        assert_eq!(stderr.contains("W0002"), warned, "{more:?}: {stderr}");
        assert_eq!(result(&arguments).0["states"], json!(states), "{more:?}");
        let minimal = std::fs::read_to_string(&target).expect("it was written");
        let again =
            file("again.lts", &(minimal + "interface CALLER = (call! -> CALLER).")).display().to_string();
        assert_eq!(compatible(&again, "SLOW,CALLER").1, status, "{more:?}");
    }
    let dot = file("slow.dot", "").display().to_string();
    assert_eq!(rely(&["draw", &path, "--target", "SLOW", "--minimise", "-o", &dot]).status, 0);
    assert!(std::fs::read_to_string(&dot).expect("it was written").contains("call?"));
}

#[test]
fn a_system_refines_a_specification_by_its_parts() {
    let path = file(
        "relay.lts",
        "interface FIRST  = (in? -> mid! -> FIRST).
         interface SECOND = (mid? -> out! -> SECOND).
         ||RELAY = (FIRST || SECOND).
         interface ONE    = (in? -> out! -> ONE).
         interface SILENT = (in? -> STOP) + {out!}.
         interface OTHER  = (in? -> back! -> OTHER).
         interface UNSURE = (in? -> out! -> UNSURE | in? -> in? -> UNSURE).",
    );
    let relay = path.display().to_string();
    let cert = file("relay.cert", "").display().to_string();
    let altref = |specification: &str| {
        verify(&relay, "RELAY", "ia-altref", &["--specification", specification, "--certificate", &cert])
    };
    let (found, status) = altref("ONE");
    assert_eq!((status, &found["verdict"], &found["property"]), (0, &json!("holds"), &json!("ONE")));
    let Run { stdout, status, .. } = rely(&["certify", &cert, &relay]);
    assert_eq!((status, &*stdout), (0, "RELAY: refines ONE certified\n"));
    let certificate = std::fs::read_to_string(&cert).expect("it was written");
    for (from, to) in [("0 mid 1", "0 mid 0"), ("0 mid 1", "0 out 1"), ("refines ONE", "refines SILENT")] {
        let tampered = certificate.replacen(from, to, 1);
        assert_ne!(tampered, certificate, "{certificate}");
        let path = file("tampered-relay.cert", &tampered).display().to_string();
        let Run { stdout, stderr, status, .. } = rely(&["certify", &path, &relay]);
        assert!(status == 1 && stdout.contains("rejected"), "{from}: {stdout}{stderr}");
    }
    let (found, status) = altref("SILENT");
    assert_eq!((status, &found["verdict"]), (1, &json!("violated")));
    assert!(found["reason"].as_str().is_some_and(|reason| reason.contains("out!")), "{found}");
    for specification in ["OTHER", "UNSURE", "NOBODY"] {
        let arguments =
            ["verify", &relay, "--system", "RELAY", "--rule", "ia-altref", "--specification", specification];
        let Run { stderr, status, .. } = rely(&arguments);
        assert!(status == 3 && (stderr.contains("E0006") || specification == "NOBODY"), "{stderr}");
    }
}

#[test]
fn rules_that_do_not_fit_are_errors() {
    let path = file(
        "misfits.lts",
        "interface A = (in? -> a! -> A).
         interface B = (a? -> B).
         CALM = (a -> rest -> CALM).
         property P = (in -> a -> P).
         ||OPEN = (A || B || P).
         interface C = (b! -> C).
         interface D = (b? -> a? -> D | a? -> D).
         interface E = (a! -> E).
         ||CALMED = (C || D || E || CALM).
         ||RANKED = (C || D || E) << {b}.
         ||ALONE = (C || x:D) << {b}.",
    );
    let misfits = path.display().to_string();
    let code = |arguments: &[&str]| {
        let Run { stdout, stderr, status, .. } = rely(&[&["verify", &misfits, "--json"], arguments].concat());
        let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
        (status, report["diagnostics"][0]["code"].as_str().unwrap_or_default().to_owned())
    };
    let error = |code: &str| (3, code.to_owned());
    for rule in ["ia-prop", "ia-hybrid"] {
        assert_eq!(code(&["--system", "OPEN", "--rule", rule]), error("E0006"), "{rule}");
        assert_eq!(code(&["--system", "OPEN", "--rule", rule, "--every-environment"]).0, 0, "{rule}");
        assert_eq!(code(&["--system", "OPEN", "--rule", rule, "--property", "NONE"]), error("E0315"));
    }
    // What the process `CALM` blocks is nobody's mistake, but `C` sends `b` twice.
    assert_eq!(code(&["--system", "CALMED", "--rule", "ia-compat"]).0, 1);
    let weak = ["--system", "OPEN", "--rule", "ia-prop", "--every-environment", "--weak"];
    assert_eq!(code(&weak), error("E0006"));
    assert_eq!(code(&[&weak[..], &["--strategy", "monolithic"]].concat()).0, 0);
    assert_eq!(code(&["--system", "RANKED", "--rule", "ia-compat"]), error("E0008"));
    assert_eq!(code(&["--system", "ALONE", "--rule", "ia-compat"]), error("E0006"));
    assert_eq!(code(&["--system", "A", "--rule", "ia-compat"]), error("E0006"));
    assert_eq!(code(&["--system", "OPEN", "--rule", "ia-compat", "--left", "A,B"]), error("E0006"));
    assert_eq!(code(&["--system", "OPEN", "--rule", "ia-compat", "--left", "C"]), error("E0004"));
    assert_eq!(code(&["--system", "CALM", "--rule", "ia-compat"]), error("E0005"));
    assert_eq!(code(&["--system", "CALMED", "--rule", "ia-prop"]), error("E0003"));
    for usage in [
        &["--rule", "ia-altref"][..],
        &["--rule", "ia-compat", "--specification", "A"],
        &["--rule", "ia-compat", "--property", "P"],
        &["--rule", "ia-compat", "--strategy", "reduce"],
        &["--rule", "simple", "--every-environment"],
        &["--rule", "simple", "--weak"],
        &["--rule", "ia-compat", "--refine-alphabet"],
    ] {
        let Run { stderr, status, .. } = rely(&[&["verify", &misfits, "--system", "OPEN"], usage].concat());
        assert_eq!(status, 2, "{usage:?}: {stderr}");
    }
    let docking = model("docking.lts");
    for strategy in ["direct", "learn", "monolithic"] {
        let limited = ["--strategy", strategy, "--max-states", "100"];
        let (found, status) = verify(&docking, "ARD", "ia-compat", &limited);
        assert_eq!((status, &found["verdict"]), (4, &json!("unknown")), "{strategy}");
        assert!(found["reason"].is_string());
    }
}

#[test]
fn contracts_are_combined() {
    let path = file(
        "shop.lts",
        "interface SHOP     = (order? -> pay? -> receipt! -> SHOP).
         interface CASHIER  = (pay? -> print! -> CASHIER).
         interface DELIVERS = (order? -> deliver! -> DELIVERS) + {receipt!}.
         interface ANSWERS  = (order? -> receipt! -> ANSWERS) + {deliver!}.
         interface EAGER    = (go! -> go! -> EAGER).
         interface LAZY     = (go? -> rest? -> LAZY).
         interface UNSURE   = (in? -> think -> out! -> UNSURE).",
    );
    let shop = path.display().to_string();
    let contract = |operation: &str, operands: &str, more: &[&str]| {
        let Run { stdout, stderr, status, .. } =
            rely(&[&["contract", operation, &shop, "--operands", operands, "--json"], more].concat());
        let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
        (report, status)
    };
    let missing = file("missing.fsp", "").display().to_string();
    let (report, status) = contract("quotient", "SHOP,CASHIER", &["-o", &missing]);
    let found = &report["results"][0];
    assert_eq!(
        (status, &report["command"], &found["operation"]),
        (0, &json!("contract"), &json!("quotient"))
    );
    assert_eq!(
        found["contract"],
        json!({ "states": 3, "transitions": 3, "inputs": ["order", "print"], "outputs": ["receipt"] })
    );
    // The law of the quotient: together with the part it refines the specification.
    let quotient = std::fs::read_to_string(&missing).expect("it was written");
    assert!(quotient.starts_with("interface QUOTIENT = (order? -> "), "{quotient}");
    let text = std::fs::read_to_string(&path).expect("it was written")
        + &quotient
        + "||BOTH = (CASHIER || QUOTIENT).";
    let together = file("both.lts", &text).display().to_string();
    let refines = ["refines", &together, "--implementation", "BOTH", "--specification", "SHOP"];
    assert_eq!(rely(&refines).status, 0);

    let (report, status) = contract("consistent", "DELIVERS,ANSWERS", &[]);
    assert_eq!((status, &report["results"][0]["dead_end"]), (1, &json!(["order"])));
    let (report, status) = contract("conjoin", "DELIVERS,ANSWERS", &[]);
    assert_eq!((status, &report["results"][0]["contract"]["states"]), (0, &json!(2)));
    let (report, status) = contract("merge", "SHOP,DELIVERS", &[]);
    assert_eq!((status, &report["results"][0]["contract"]["inputs"]), (0, &json!(["order", "pay"])));
    let (report, status) = contract("compose", "EAGER,LAZY", &[]);
    assert_eq!((status, &report["results"][0]["verdict"]), (1, &json!("violated")));
    let (report, status) = contract("mirror", "SHOP", &[]);
    assert_eq!((status, &report["results"][0]["contract"]["inputs"]), (0, &json!(["receipt"])));
    let (report, status) = contract("compose", "UNSURE", &[]);
    assert_eq!((status, &report["results"][0]["contract"]["states"]), (0, &json!(2)));
    for (operation, operands, code) in [
        ("conjoin", "SHOP,UNSURE", "E0007"),
        ("quotient", "UNSURE,SHOP", "E0007"),
        ("quotient", "LAZY,EAGER", "E0007"),
        ("merge", "LAZY,EAGER", "E0007"),
        ("merge", "SHOP,UNSURE", "E0007"),
        ("compose", "SHOP,SHOP", "E0329"),
        ("mirror", "NOBODY", "E0315"),
    ] {
        let (report, status) = contract(operation, operands, &[]);
        assert_eq!((status, &report["diagnostics"][0]["code"]), (3, &json!(code)), "{operation} {operands}");
    }
    assert_eq!(rely(&["contract", "mirror", &shop, "--operands", "SHOP,LAZY"]).status, 2);
    assert_eq!(rely(&["contract", "consistent", &shop, "--operands", "SHOP,LAZY", "-o", "x.fsp"]).status, 2);
    assert_eq!(rely(&["contract", "divide", &shop, "--operands", "SHOP,LAZY"]).status, 2);
}
