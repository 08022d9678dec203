//! Interface automata on the command line: the fields of the JSON, the exit statuses, and what is written to files.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Runs `rely`; standard output, standard error and the exit status.
fn rely(arguments: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_rely")).args(arguments).output().expect("rely starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code().expect("rely is not killed"))
}

/// The only result of a report, and the exit status.
fn result(arguments: &[&str]) -> (Value, i32) {
    let (stdout, stderr, status) = rely(&[arguments, &["--json"]].concat());
    let report: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    assert_eq!((&report["schema"], &report["command"]), (&json!("rely/1"), &json!(arguments[0])));
    assert_eq!(report["results"].as_array().map(Vec::len), Some(1), "{stdout}");
    (report["results"][0].clone(), status)
}

fn model(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).display().to_string()
}

/// A file of its own for a test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rely-interfaces-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file can be written");
    path
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
    let (stdout, stderr, status) =
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
            assert_eq!(rely(&["convert", &model(name), "--target", target, "-o", &first]).2, 0);
            assert_eq!(rely(&["convert", &first, "-o", &second]).2, 0);
            let read = |path| std::fs::read_to_string(path).expect("it was written");
            assert_eq!(read(&first), read(&second));
            let dot = file(&format!("{target}.dot"), "").display().to_string();
            assert_eq!(rely(&["draw", &first, "-o", &dot]).2, 0);
            assert!(read(&dot).contains("?\"]") || read(&dot).contains("!\"]"), "{}", read(&dot));
        }
    }
}

#[test]
fn bad_questions_are_errors_and_limits_are_limits() {
    let messaging = model("messaging.lts");
    for (components, code) in [("MSG,NOBODY", "E0315"), ("USR,USR", "E0329"), ("C_1,E_BAD", "E0329")] {
        let (stdout, stderr, status) =
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
        let (_, stderr, status) = rely(arguments);
        assert!(status == 3 && stderr.contains("E0005"), "{stderr}");
    }
    let docking = model("docking.lts");
    for arguments in [
        ["compatible", &docking, "--components", "ARD", "--max-states", "100"].as_slice(),
        &["compatible", &docking, "--components", "ORBITAL_STATE", "--environment", "--max-states", "100"],
        &["refines", &docking, "--implementation", "ARD", "--specification", "ARD", "--max-states", "100"],
        &["compatible", &docking, "--components", "ARD", "--timeout", "0s"],
    ] {
        let (stdout, stderr, status) = rely(arguments);
        assert_eq!(status, 4, "{arguments:?}: {stdout}{stderr}");
    }
    assert_eq!(rely(&["compatible", &messaging]).2, 2);
    assert_eq!(rely(&["refines", &messaging, "--implementation", "ENV"]).2, 2);
    assert_eq!(rely(&["compatible", &messaging, "--components", "MSG,USR", "--environment", "x.exe"]).2, 2);
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
        assert_eq!(rely(&[&check[..], &small[..]].concat()).2, expected, "{target}");
    }
}
