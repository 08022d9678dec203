//! Studies on the command line: every run once, resumed, divided, put together, and the documents made of it.

mod common;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use common::{Run, rely};

/// A folder of its own for a test; it goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rely-study-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        std::fs::write(path.join("ring.lts"), RING).expect("a temporary file can be written");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        let path = self.0.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// `rely study` on the ring.
    fn study(&self, output: &str, arguments: &[&str]) -> Run {
        let (model, output) = (self.path("ring.lts"), self.path(output));
        rely(&[&["study", &model, "--system", "RING", "-o", &output], arguments].concat())
    }

    /// The results of `rely study --json`, without what is not the same each time.
    fn results(&self, output: &str, arguments: &[&str]) -> Vec<Value> {
        let Run { stdout, stderr, .. } = self.study(output, &[arguments, &["--json"]].concat());
        timeless(&stdout, &stderr)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn timeless(stdout: &str, stderr: &str) -> Vec<Value> {
    let mut report: Value =
        serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    let results = report["results"].as_array_mut().expect("results");
    for result in results.iter_mut() {
        let fields = result.as_object_mut().expect("an object");
        assert!(fields.remove("time_ms").is_some_and(|time| time.as_f64().is_some_and(|time| time >= 0.0)));
    }
    results.clone()
}

/// Nodes pass a token round; a property that holds and one that does not.
const RING: &str = "\
const N = 2
const Spare = 1
range Node = 0..N-1
NODE(I=0) = if I == 0 then HAS else WAITS,
HAS   = (work -> pass[(I + 1) % N] -> WAITS),
WAITS = (pass[I] -> HAS).
||RING = (forall [i:Node] n[i]:NODE(i)) / {forall [i:Node] {pass[i] / n[Node].pass[i]}}.
property ORDER = (n[0].work -> n[1].work -> ORDER) + {n[Node].work}.
property WRONG = (n[1].work -> WRONG) + {n[0].work}.
property PASSED = (n[0].work -> pass[1] -> PASSED).
";

const AXES: [&str; 4] = ["--size", "N=2..3", "--strategy", "monolithic,auto,learn"];

fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_run_is_done_once() {
    let folder = Folder::new("once");
    let Run { stdout, stderr, status, .. } = folder.study("out", &[&AXES[..], &["--json"]].concat());
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("rely: 1/18 ") && stderr.contains("rely: 18/18 "), "{stderr}");
    let results = timeless(&stdout, &stderr);
    assert_eq!(results.len(), 3 * 2 * 3);
    assert_eq!(results.len(), folder.read("out/results.jsonl").lines().count());
    let with = |property: &str, size: i32, strategy: &str| {
        let is_meant = |result: &&Value| {
            result["property"] == property && result["size"] == size && result["strategy"] == strategy
        };
        results.iter().find(is_meant).unwrap_or_else(|| panic!("no {property} {size} {strategy}"))
    };
    let first = with("ORDER", 2, "monolithic");
    assert_eq!((&first["verdict"], &first["peak_states"]), (&json!("holds"), &json!(4)));
    assert_eq!(
        (&first["system"], &first["parameter"], &first["repeat"]),
        (&json!("RING"), &json!("N"), &json!(1))
    );
    assert_eq!(with("WRONG", 3, "auto")["verdict"], "violated");
    assert_eq!(with("ORDER", 3, "learn")["verdict"], "violated");
    assert!(with("PASSED", 2, "learn")["assumptions"].as_array().is_some_and(|sizes| !sizes.is_empty()));
    // Nothing is computed again, and the answer is the same.
    let Run { stdout: again, stderr, .. } = folder.study("out", &[&AXES[..], &["--json"]].concat());
    assert_eq!((timeless(&again, &stderr), stderr.as_str()), (results, ""));
    assert_eq!(again, stdout);
}

#[test]
fn what_was_studied_without_reuse_is_studied_again_with_it() {
    let folder = Folder::new("reuse-again");
    let has_reuse = |run: &Run| {
        let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let results = answer["results"].as_array().expect("results").clone();
        results.iter().filter(|result| !result["reuse"].is_null()).count()
    };
    let without = folder.study("out", &[&AXES[..], &["--json"]].concat());
    assert_eq!(has_reuse(&without), 0);
    let with = folder.study("out", &[&AXES[..], &["--json", "--reuse"]].concat());
    let fresh = folder.study("fresh", &[&AXES[..], &["--json", "--reuse"]].concat());
    assert!(has_reuse(&fresh) > 0 && has_reuse(&with) == has_reuse(&fresh), "{}", with.stdout);
    // And then it is there.
    assert_eq!(folder.study("out", &[&AXES[..], &["--json", "--reuse"]].concat()).stdout, with.stdout);
}

#[test]
fn a_constant_has_one_value_or_several_sizes() {
    let folder = Folder::new("twice");
    let both = folder.study("out", &[&AXES[..], &["--define", "N=9"]].concat());
    assert_eq!(both.status, 2, "{}", both.stdout);
    assert!(both.stderr.contains("`N` has a value in --define and others in --size"), "{}", both.stderr);
}

#[test]
fn documents_are_written() {
    let folder = Folder::new("documents");
    let Run { stdout, stderr, .. } =
        folder.study("out", &[&AXES[..], &["--reuse", "--repeat", "2"]].concat());
    assert!(
        stdout.contains("36 runs: ") && stdout.contains("auto against monolithic on 3 subjects"),
        "{stdout}{stderr}"
    );
    let names = entries(&folder.0.join("out"));
    for name in [
        "report.md",
        "results.csv",
        "results.jsonl",
        "states-ring-order.svg",
        "scatter-states-auto.svg",
        "scatter-time-auto.svg",
        "ratio-states-learn.svg",
        "learning.svg",
    ] {
        assert!(names.contains(&name.to_owned()), "{name} is not among {names:?}");
    }
    let report = folder.read("out/report.md");
    for name in names.iter().filter(|name| name.ends_with(".svg")) {
        assert!(report.contains(&format!("]({name})")), "the report does not show {name}");
        let picture = folder.read(&format!("out/{name}"));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n") && !picture.contains("NaN"));
    }
    assert!(
        report.contains("| N | monolithic: states | time | auto: states | time | learn: states | time |")
    );
    assert!(report.contains("## Summary"));
    let csv = folder.read("out/results.csv");
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, vec![22; 37]);
}

#[test]
fn what_was_not_finished_is_done_again() {
    let folder = Folder::new("resume");
    let whole = folder.results("whole", &AXES);
    let lines: Vec<String> = folder.read("whole/results.jsonl").lines().map(str::to_owned).collect();
    std::fs::create_dir(folder.0.join("part")).expect("a folder can be made");
    // Killed in the middle of a line, or just before its end; or somebody has spoiled a line.
    let half = |line: &str| line[..line.len() / 2].to_owned();
    for (text, known, expected) in [
        (lines[..5].join("\n") + "\n" + &half(&lines[5]), 5, 1),
        (lines[..5].join("\n"), 5, 0),
        (half(&lines[0]), 0, 1),
        (String::new(), 0, 0),
        ("nonsense\n\u{1}\n".to_owned() + &lines[3] + "\n", 1, 2),
    ] {
        std::fs::write(folder.0.join("part/results.jsonl"), text).expect("a file can be written");
        let Run { stdout, stderr, .. } = folder.study("part", &[&AXES[..], &["--json"]].concat());
        assert_eq!(stderr.lines().filter(|line| line.contains("/18 ")).count(), 18 - known, "{stderr}");
        assert_eq!(timeless(&stdout, &stderr), whole);
        let written = folder.read("part/results.jsonl");
        let readable = written.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok());
        assert_eq!(readable.count(), 18);
        let damaged = stderr.lines().filter(|line| line.contains("is damaged")).count();
        assert_eq!(damaged, expected, "{stderr}");
    }
}

#[test]
fn damaged_results_are_named_whatever_is_asked_for() {
    let folder = Folder::new("damaged");
    folder.study("out", &AXES);
    let path = folder.0.join("out/results.jsonl");
    let mut lines: Vec<String> = folder.read("out/results.jsonl").lines().map(str::to_owned).collect();
    lines[2] = "{\"fil".to_owned();
    std::fs::write(&path, lines.join("\n") + "\n").expect("a file can be written");
    let (out, whole) = (folder.path("out"), folder.path("whole"));
    let place = format!("warning: {}, line 3 is damaged", path.display());
    for option in ["--quiet", "--json"] {
        let merged = rely(&["merge", &out, "-o", &whole, option]);
        assert!(
            merged.stderr.contains(&place) && merged.stderr.contains("missing here"),
            "{}",
            merged.stderr
        );
    }
    assert_eq!(folder.read("whole/results.jsonl").lines().count(), 17);
    let resumed = folder.study("out", &[&AXES[..], &["--quiet"]].concat());
    assert!(resumed.stderr.contains(&place) && resumed.stderr.contains("done again"), "{}", resumed.stderr);
    assert!(resumed.stdout.starts_with("18 runs"), "{}", resumed.stdout);
}

#[test]
fn figures_of_other_results_go_away() {
    let folder = Folder::new("outdated");
    folder.study("out", &["--size", "N=2..3", "--strategy", "monolithic,auto"]);
    let old = "states-ring-order.svg";
    let own = ["states-mine.svg", "notes.svg"];
    for name in own {
        std::fs::write(folder.0.join("out").join(name), "<svg/>").expect("a file can be written");
    }
    assert!(entries(&folder.0.join("out")).contains(&old.to_owned()));
    // Another version of the model, of which another property is asked.
    std::fs::write(folder.0.join("ring.lts"), RING.to_owned() + "// changed\n")
        .expect("a file can be written");
    folder.study("out", &["--size", "N=2..3", "--strategy", "monolithic", "--property", "WRONG"]);
    let names = entries(&folder.0.join("out"));
    assert!(!names.contains(&old.to_owned()), "{names:?}");
    assert!(names.contains(&"states-ring-wrong.svg".to_owned()), "{names:?}");
    assert!(own.iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
}

#[test]
fn generalised_splits_stand_beside_the_best_ones() {
    let folder = Folder::new("generalised");
    let axes = ["--size", "N=2..4", "--property", "PASSED", "--strategy", "monolithic,learn"];
    let results = folder.results("out", &[&axes[..], &["--split", "all,generalised"]].concat());
    let generalised: Vec<&Value> = results.iter().filter(|result| result["generalised"] == true).collect();
    assert_eq!(generalised.iter().map(|result| &result["size"]).collect::<Vec<_>>(), [2, 3, 4]);
    assert!(generalised.iter().all(|result| result["strategy"] == "learn" && result["verdict"] == "holds"));
    // Each is one of all splits of its size, so it is at most as good as the best one.
    let states = |result: &Value| result["peak_states"].as_u64().expect("a number");
    for one in &generalised {
        let same = |other: &&Value| {
            other["size"] == one["size"] && other["strategy"] == "learn" && other["generalised"].is_null()
        };
        let all: Vec<&Value> = results.iter().filter(same).collect();
        let twin = all.iter().find(|other| other["split"] == one["split"]).expect("it is among all");
        assert_eq!(states(twin), states(one));
        assert!(all.iter().map(|other| states(other)).min().is_some_and(|best| best <= states(one)));
    }
    let report = folder.read("out/report.md");
    let heads = "| N | monolithic: states | time | learn, best split: states | time | split \
                 | learn, generalised split: states | time | split |";
    assert!(report.contains(heads), "{report}");
    assert!(report.contains("(best of 2) |") && report.contains("(best of 14) |"), "{report}");
    assert!(report.contains("## learn, generalised split against monolithic"), "{report}");
    assert!(entries(&folder.0.join("out")).contains(&"scatter-states-learn-generalised.svg".to_owned()));
    // By themselves they are a third as many lines.
    let alone = folder.results("alone", &[&axes[..], &["--split", "generalised"]].concat());
    assert_eq!(alone.len(), 6);
    assert_eq!(alone.iter().filter(|result| result["generalised"] == true).count(), 3);
}

#[test]
fn another_model_or_other_limits_are_other_results() {
    let folder = Folder::new("changed");
    let axes = ["--size", "N=2..3", "--property", "ORDER", "--strategy", "monolithic"];
    let computed = |arguments: &[&str]| {
        let Run { stderr, .. } = folder.study("out", &[&axes[..], arguments].concat());
        stderr.lines().filter(|line| line.contains("/2 ")).count()
    };
    assert_eq!(computed(&["--max-states", "3"]), 2);
    assert_eq!(computed(&["--max-states", "3"]), 0);
    let result = &folder.results("out", &[&axes[..], &["--max-states", "3"]].concat())[0];
    assert_eq!((&result["verdict"], &result["limits"]["states"]), (&json!("unknown"), &json!(3)));
    assert!(result["reason"].as_str().is_some_and(|reason| reason.contains("limit on states")));
    assert_eq!(computed(&[]), 2);
    // An answer is an answer under any limits.
    assert_eq!(computed(&["--max-states", "3"]), 0);
    assert_eq!(computed(&["--define", "Spare=2"]), 2);
    std::fs::write(folder.0.join("ring.lts"), RING.to_owned() + "// changed\n")
        .expect("a file can be written");
    assert_eq!(computed(&[]), 2);
}

#[test]
fn shards_together_are_the_whole() {
    let folder = Folder::new("shards");
    let whole = folder.results("whole", &AXES);
    let mut count = 0;
    for part in ["1/2", "2/2"] {
        let output = format!("part-{}", &part[..1]);
        let results = folder.results(&output, &[&AXES[..], &["--shard", part]].concat());
        assert!(!results.is_empty() && results.len() < whole.len());
        count += results.len();
    }
    assert_eq!(count, whole.len());
    let (one, two, merged) = (folder.path("part-1"), folder.path("part-2"), folder.path("merged"));
    let Run { stdout, stderr, status, .. } = rely(&["merge", &one, &two, "-o", &merged, "--json"]);
    assert_eq!((status, timeless(&stdout, &stderr)), (1, whole));
    assert_eq!(entries(&folder.0.join("merged")), entries(&folder.0.join("whole")));
    // States do not depend on the time, so neither do these pictures.
    let picture = "states-ring-order.svg";
    assert_eq!(folder.read(&format!("merged/{picture}")), folder.read(&format!("whole/{picture}")));
    // The same again, with everything twice.
    let Run { stdout: again, stderr, .. } = rely(&["merge", &merged, &one, &two, "-o", &merged, "--json"]);
    assert_eq!(timeless(&again, &stderr), timeless(&stdout, &stderr));
}

#[test]
fn contradictions_are_found() {
    let folder = Folder::new("contradiction");
    folder.results("one", &AXES);
    let text = folder.read("one/results.jsonl");
    let merge_with = |text: &str| {
        std::fs::create_dir_all(folder.0.join("two")).expect("a folder can be made");
        std::fs::write(folder.0.join("two/results.jsonl"), text).expect("a file can be written");
        rely(&["merge", &folder.path("one"), &folder.path("two"), "-o", &folder.path("both")])
    };
    assert_eq!(merge_with(&text).status, 1);
    let Run { stderr, status, .. } = merge_with(&text.replacen("\"holds\"", "\"violated\"", 1));
    assert!(status == 3 && stderr.contains("holds in one place, violated in another"), "{stderr}");
    let Run { stderr, status, .. } = merge_with(&text.replace("\"model\":\"", "\"model\":\"0"));
    assert!(status == 3 && stderr.contains("different versions"), "{stderr}");
    // Strategies that disagree are a mistake of the program.
    let monolithic: String =
        text.lines().filter(|line| line.contains("\"strategy\":\"learn\"")).collect::<Vec<_>>().join("\n");
    let invented = monolithic
        .replace("\"strategy\":\"learn\"", "\"strategy\":\"reduce\"")
        .replace("\"holds\"", "\"violated\"");
    let Run { stderr, status, .. } = merge_with(&invented);
    assert!(status == 5 && stderr.contains("violated by reduce"), "{stderr}");
    let Run { stderr, status, .. } = rely(&["merge", &folder.path("none"), "-o", &folder.path("both")]);
    assert!(status == 3 && stderr.contains("results.jsonl"), "{stderr}");
}

#[test]
fn processes_of_their_own_give_the_same() {
    let folder = Folder::new("isolated");
    let axes = [
        "--size",
        "N=2",
        "--strategy",
        "monolithic,learn",
        "--timeout",
        "1m",
        "--max-memory",
        "1G",
        "-j",
        "1",
    ];
    let inside = folder.results("inside", &axes);
    let mut outside = folder.results("outside", &[&axes[..], &["--isolated"]].concat());
    for result in &mut outside {
        let bytes = result.as_object_mut().expect("an object").remove("peak_bytes");
        if cfg!(target_os = "linux") {
            assert!(bytes.is_some_and(|bytes| bytes.as_u64().is_some_and(|bytes| bytes > 1 << 18)));
        }
    }
    assert_eq!(inside, outside);
}

#[test]
fn the_baseline_chooses_the_size() {
    let folder = Folder::new("until");
    let axes =
        ["--size", "N=2..9", "--property", "WRONG,PASSED", "--strategy", "auto", "--until-states", "9"];
    let results = folder.results("out", &axes);
    let of = |property: &str, strategy: &str| -> Vec<(i64, u64)> {
        let own =
            results.iter().filter(|result| result["property"] == property && result["strategy"] == strategy);
        own.map(|result| (result["size"].as_i64().unwrap_or(0), result["peak_states"].as_u64().unwrap_or(0)))
            .collect()
    };
    let growing = of("PASSED", "monolithic");
    assert!(growing.len() > 1 && growing.len() < 8, "{growing:?}");
    let (last, before) = growing.split_last().expect("there are runs");
    assert!(last.1 > 9 && before.iter().all(|run| run.1 <= 9), "{growing:?}");
    assert_eq!(of("PASSED", "auto").len(), 1);
    assert_eq!(of("PASSED", "auto")[0].0, last.0);
}

#[test]
fn splits_constants_and_limits_are_axes() {
    let folder = Folder::new("axes");
    let all = folder.results(
        "all",
        &["--size", "N=3", "--property", "PASSED", "--strategy", "monolithic,learn", "--split", "all"],
    );
    // Three nodes: six ways to put some of them first, and one run without a split.
    assert_eq!(all.len(), 7);
    let splits: Vec<&Value> =
        all.iter().map(|result| &result["split"]).filter(|split| !split.is_null()).collect();
    assert_eq!(splits.len(), 6);
    assert!(splits.contains(&&json!(["n.0:NODE(0)", "n.2:NODE(2)"])), "{splits:?}");
    let two =
        folder.results("two", &["--size", "N=2,Spare=1..2", "--property", "PASSED", "--strategy", "auto"]);
    let constants: Vec<&Value> = two.iter().map(|result| &result["constants"]).collect();
    assert_eq!(constants, [&json!({"Spare": 1}), &json!({"Spare": 2})]);
    let limited = [
        "--size",
        "N=2..5",
        "--except",
        "WRONG",
        "--strategy",
        "monolithic",
        "--max-states",
        "6",
        "--stop-at-limit",
    ];
    let limited = folder.results("limited", &limited);
    let unknown = limited.iter().filter(|result| result["verdict"] == "unknown").count();
    assert!(unknown == 1 && limited.len() < 8, "{limited:?}");
}

#[test]
fn wrong_usage_says_what_is_wrong() {
    let folder = Folder::new("usage");
    for (arguments, status, message) in [
        (&["--size", "M=2..3"][..], 2, "has no constant `M`"),
        (&["--size", "N=3..2"], 2, "3..2 is empty"),
        (&["--size", "2..3"], 2, "write NAME=VALUES"),
        (&["--size", "N=2", "--size", "N=3"], 2, "`N` twice"),
        (&["--strategy", "magic"], 2, "there is no strategy `magic`"),
        (&["--shard", "3/2"], 2, "there is no part 3 of 2"),
        (&["--shard", "0/2"], 2, "there is no part 0 of 2"),
        (&["--repeat", "0"], 2, "--repeat"),
        (&["--except", "NOTHING"], 2, "no file has a property `NOTHING`"),
        (&["--except", "ORDER,WRONG,PASSED"], 2, "no property is left"),
        (&["--until-states", "10"], 2, "--until-states raises a size"),
        (&["--split", "all,n"], 2, "--split takes"),
        (&["--split", "all,chosen"], 2, "--split takes"),
        (&["--split", "generalised"], 2, "--split generalised needs sizes"),
        (&["--size", "N=2..9", "--split", "generalised", "--until-states", "9"], 2, "a size that is known"),
        (&["--repeat", "100000000000"], 2, "100,000,000,000 or more runs: a study has at most 1,000,000"),
        (&["--repeat", "18446744073709551615"], 2, "far too many runs"),
        (&["--repeat", "900000"], 2, "5,400,000 or more runs"),
        (&["--size", "N=2,Spare=1..9000,More=1..9000"], 2, "81,000,000 or more runs"),
        (&["--size", "N=1000000000000"], 2, "is too large: the largest value is 2147483647"),
        (&["--define", "M=1"], 2, "has no constant `M`"),
        (&["--property", "NOTHING"], 3, "`NOTHING` is not defined"),
        (&["--size", "N=0..1"], 3, "is empty"),
        (&["--split", "nobody", "--strategy", "learn"], 3, "has no part `nobody`"),
    ] {
        let Run { stdout, stderr, status: exit, .. } = folder.study("out", arguments);
        assert!(exit == status && stderr.contains(message), "{arguments:?}: {exit} {stderr}{stdout}");
        let Run { stdout, status: exit, .. } =
            folder.study("out", &[arguments, &["--isolated", "--json"]].concat());
        assert_eq!(exit, status, "{arguments:?}");
        if status == 3 {
            let report: Value = serde_json::from_str(&stdout).expect("an object");
            assert!(report["diagnostics"].to_string().contains(message), "{arguments:?}: {stdout}");
        }
    }
    let Run { stderr, status, .. } = rely(&["study", "-", "--system", "S", "-o", &folder.path("out")]);
    assert!(status == 2 && stderr.contains("standard input"), "{stderr}");
    let missing = folder.path("missing.lts");
    let Run { stderr, status, .. } = rely(&["study", &missing, "--system", "S", "-o", &folder.path("out")]);
    assert!(status == 3 && stderr.contains("missing.lts"), "{stderr}");
}
