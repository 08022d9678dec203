//! Faulty models of many kinds: what `rely check` prints is enough to name the cause. `faulty/causes.txt` has the causes, apart
//! from the models, and for each what has to be said for it.

mod common;

use std::path::Path;

#[test]
fn the_output_alone_names_the_cause() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty");
    let causes = std::fs::read_to_string(folder.join("causes.txt")).expect("the causes are there");
    let lines: Vec<&str> = causes.lines().filter(|line| line.contains('|')).skip(1).collect();
    let mut missing = Vec::new();
    for line in &lines {
        let [file, cause, wanted] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("not FILE | CAUSE | WORDS: {line}");
        };
        let path = folder.join(file.trim()).display().to_string();
        let run = common::rely(&["check", &path]);
        let said = format!("{}{}", run.stderr, run.stdout);
        assert_eq!(run.status, 1, "{file}: {said}");
        let absent = wanted.split(';').map(str::trim).filter(|words| !said.contains(words));
        missing.extend(absent.map(|words| format!("{file}({cause}): {words:?} is not in\n{said}")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let models = entries.filter(|entry| entry.as_ref().is_ok_and(|it| it.file_name() != "causes.txt"));
    assert_eq!(models.count(), lines.len(), "every model has its cause");
}

/// Applies every fix of a report to a text, from the last place to the first.
fn mended(text: &str, report: &serde_json::Value) -> (String, usize) {
    let findings = report["diagnostics"].as_array().expect("diagnostics");
    let all = findings.iter().filter_map(|finding| finding["fixes"].as_array()?.first());
    let number =
        |value: &serde_json::Value| usize::try_from(value.as_u64().expect("a number")).expect("small");
    let mut fixes: Vec<(usize, usize, &str)> = all
        .map(|fix| {
            let written = fix["text"].as_str().expect("a text");
            (number(&fix["bytes"][0]), number(&fix["bytes"][1]), written)
        })
        .collect();
    fixes.sort();
    let mut text = text.to_owned();
    for (start, end, written) in fixes.iter().rev() {
        text.replace_range(start..end, written);
    }
    (text, fixes.len())
}

#[test]
fn what_fixes_say_mends_a_text() {
    let folder = common::folder("fixes");
    let wrong =
        "const N = 4 \\ 2\nLIGHT = (on => off -> LIGTH).\nlamp = (up -> lamp).\n||S = (LIGHT || LIHGT).\n";
    let file = common::file_in(&folder, "fixes.lts", wrong);
    let mut text = wrong.to_owned();
    let mut applied = 0;
    for _ in 0..5 {
        let run = common::rely(&["check", &file, "--json"]);
        let (next, fixes) = mended(&text, &run.json());
        if fixes == 0 {
            break;
        }
        applied += fixes;
        text = next;
        common::file_in(&folder, "fixes.lts", &text);
    }
    assert!(applied >= 4, "{applied} fixes were offered, and the text is now\n{text}");
    let run = common::rely(&["check", &file]);
    assert!(run.status <= 1, "{}\n{text}", run.stderr);
}
