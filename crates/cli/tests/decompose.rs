//! `rely decompose` on the command line: many units and absurd numbers end within limits, and files say what the text does.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{Run, file_in, folder, model, rely, run};

/// Units that share nothing: as many as one likes, and all splits are equally good.
const MANY: &str = "\
const N = 40
C = (a -> b -> C).
property P = (c[1].a -> c[1].b -> P).
||S = (forall [i:1..N] c[i]:C || P).
";

/// Units in a ring: each has to be composed with its neighbours.
const RING: &str = "\
const N = 40
C(I=1) = (go[I] -> go[I % N + 1] -> C).
property P = (go[1] -> go[2] -> P).
||S = (forall [i:1..N] C(i) || P).
";

/// Nothing with a limit of three seconds takes longer, on a slow machine.
const SOON: Duration = Duration::from_secs(15);

fn soon(line: &str) -> Run {
    let ended = run(line);
    assert!(ended.took < SOON, "{line}: {:?}", ended.took);
    assert!(!ended.stderr.contains("panicked"), "{line}: {}", ended.stderr);
    ended
}

#[test]
fn what_was_not_searched_has_no_size() {
    let folder = folder("decompose-priority");
    let text = "C = (a -> b -> C).\nproperty P = (a -> b -> P).\n||S = (C || P) >> {a}.\n";
    let path = file_in(&folder, "priority.lts", text);
    let ended = soon(&format!("rely decompose '{path}' --system S -p P"));
    assert!(!ended.stdout.contains("more than"), "{ended:?}");
}

#[test]
fn all_splits_are_not_listed_where_they_are_too_many() {
    let folder = folder("decompose-all");
    let path = file_in(&folder, "many.lts", MANY);
    let ask = |options: &str| soon(&format!("rely decompose '{path}' --system S -p P --timeout 3 {options}"));
    let refused = ask("--all --max-memory 100M");
    assert_eq!(refused.status, 4, "{refused:?}");
    assert!(
        refused.stdout.contains("1099511627774 splits cannot all be tried: the most is 1048576"),
        "{refused:?}"
    );
    assert_eq!(ask("--all --define N=300").status, 4);
    // As many as may be listed are tried until the time is over, and those are the partial result.
    let partial = ask("--all --define N=18 --json");
    let result = partial.result();
    assert_eq!((partial.status, &result["limit"]), (4, &"time ran out".into()), "{}", partial.stderr);
    assert!(
        result["tried"].as_u64().is_some_and(|tried| tried > 0 && tried < 262_142),
        "{}",
        result["tried"]
    );
    let most = ask("--most 1000000000000000 --define N=30");
    assert!(most.status == 0 || most.status == 4, "{most:?}");
}

#[test]
fn many_units_are_split_within_the_time() {
    let folder = folder("decompose-many");
    for (name, text) in [("many.lts", MANY), ("ring.lts", RING)] {
        let path = file_in(&folder, name, text);
        let ended = soon(&format!("rely decompose '{path}' --system S -p P --define N=300 --timeout 3"));
        assert!(ended.status == 0 || ended.status == 4, "{ended:?}");
    }
}

#[test]
fn more_groups_than_units_are_too_many() {
    let path = model("gas-station.lts");
    for groups in ["6", "200000000", "4000000000000", "18446744073709551615"] {
        let ended = soon(&format!(
            "rely decompose '{path}' --system SYSTEM -p A2_2_CUSTOMER1_IN_TURN --rule chain --groups {groups}"
        ));
        assert!(ended.status == 0 && ended.stdout.contains("there are too few parts to split"), "{ended:?}");
    }
}

#[test]
fn any_number_of_threads_will_do() {
    let path = model("philosophers.lts");
    let ask = |jobs: &str| soon(&format!("rely compose '{path}' --define N=7 -j {jobs}")).stdout;
    let one = ask("1");
    for jobs in ["2000", "18446744073709551615"] {
        assert_eq!(ask(jobs), one, "{jobs}");
    }
}

/// As in `rely verify`, a property inside of a composite is known by the prefix that it is under.
#[test]
fn properties_are_called_as_in_verify() {
    const NESTED: &str = "\
C = (a -> b -> C). D = (b -> a -> D) + {a, b}.
property P = (a -> b -> P).
||INNER = (C || P).
||S = (x:INNER || y:C).
";
    let folder = folder("decompose-names");
    let path = file_in(&folder, "nested.lts", NESTED);
    for name in ["x", "P", "INNER", "x:INNER.P"] {
        let verified = rely(&["verify", &path, "--system", "S", "-p", name]);
        let split = rely(&["decompose", &path, "--system", "S", "-p", name]);
        assert_eq!((verified.status, split.status), (0, 0), "{name}: {} {}", verified.stderr, split.stderr);
    }
    assert_eq!(rely(&["decompose", &path, "--system", "S", "-p", "y"]).status, 3, "y has no property");
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("it has been written");
    let cells = |line: &str| line.split(',').map(|cell| cell.trim_matches('"').to_owned()).collect();
    text.lines().map(cells).collect()
}

#[test]
fn files_have_a_row_for_each_size_and_say_which_numbers_are_bounds() {
    let folder = folder("decompose-files");
    let (csv, markdown) = (folder.join("g.csv"), folder.join("g.md"));
    let model = model("gas-station.lts");
    for path in [&csv, &markdown] {
        let output = path.display().to_string();
        let ended = rely(&[
            "decompose",
            &model,
            "--system",
            "SYSTEM",
            "-p",
            "A2_4_CHANGE_TO_WHO_PAID",
            "--method",
            "direct",
            "--generalise",
            "N=3..4",
            "--verify",
            "-o",
            &output,
        ]);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
    }
    let rows = rows(&csv);
    let column = |name: &str| rows[0].iter().position(|head| head == name).expect("there is such a column");
    assert_eq!(rows.len(), 1 + 30 + 2);
    let (size, peak, bound) = (column("size"), column("peak_states"), column("at_least"));
    let larger: Vec<(&str, &str)> = rows[31..].iter().map(|row| (&*row[size], &*row[peak])).collect();
    assert_eq!(larger, [("N=3", "64"), ("N=4", "105")]);
    let verdict = column("verdict");
    for row in &rows[1..] {
        assert_eq!(row[bound] == "true", row[verdict] == "unknown", "{row:?}");
        assert!(row[peak].parse::<usize>().is_ok(), "{row:?}");
    }
    let table = std::fs::read_to_string(markdown).expect("it has been written");
    let abandoned: Vec<&str> = table.lines().filter(|line| line.contains("| unknown |")).collect();
    assert!(abandoned.len() == 27 && abandoned.iter().all(|line| line.contains("| ≥ ")), "{table}");
    assert_eq!(table.lines().filter(|line| line.contains("| N=")).count(), 2);
}
