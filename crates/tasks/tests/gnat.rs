//! Real executions: programs are compiled by GNAT and run under random delays, and the exact model has an execution in
//! which every task does what it did.

#[path = "gnat/acceptance.rs"]
mod acceptance;
mod common;
#[path = "gnat/compiler.rs"]
mod compiler;
#[path = "gnat/constructs.rs"]
mod constructs;
#[path = "gnat/edits.rs"]
mod edits;
#[path = "gnat/instrument.rs"]
mod instrument;
#[path = "common/random.rs"]
mod random;
#[path = "gnat/rendezvous.rs"]
mod rendezvous;
#[path = "gnat/scan.rs"]
mod scan;

use rely_base::{Budget, Limits};
use rely_tasks::{Exact, Refused, exact, parse, resolve};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use acceptance::{Ending, accepts};
use compiler::Batch;

/// A program that is run.
struct Subject {
    name: String,
    main: String,
    text: String,
    exact: Exact,
}

/// Runs programs some times each. Gives how many executions ended, failed and were stopped, and a line about all of it.
fn run(
    name: &str,
    subjects: &[Subject],
    units: &[(String, String)],
    times: u64,
    enough: usize,
) -> ([usize; 3], String) {
    let batch = Batch::new(name, units);
    let runs: Vec<(usize, u64)> =
        (0..subjects.len()).flat_map(|number| (0..times).map(move |seed| (number, seed))).collect();
    let executions = batch.run_all(&runs, |number| &subjects[number].main, enough);
    let mut counts = [0; 3];
    let (mut lines, mut changed, mut refused) = (0, 0, 0);
    for ((number, seed), execution) in runs.into_iter().zip(executions) {
        let subject = &subjects[number];
        let found = accepts(&subject.exact, &execution);
        assert_eq!(
            found,
            Ok(true),
            "{}, delays {seed}: the model has no such execution\n{execution:#?}\n{}",
            subject.name,
            subject.text
        );
        lines += execution.lines.values().map(Vec::len).sum::<usize>();
        counts[match execution.ending {
            Ending::Ended => 0,
            Ending::Failed => 1,
            Ending::Stopped => 2,
        }] += 1;
        // Two lines of a task in the other order are mostly no execution.
        let mut wrong = execution;
        let swapped = wrong.lines.values_mut().find(|lines| lines.len() > 1 && lines[0] != lines[1]);
        if let Some(lines) = swapped {
            lines.swap(0, 1);
            changed += 1;
            refused += usize::from(accepts(&subject.exact, &wrong) != Ok(true));
        }
    }
    let summary = format!(
        "{name}: {} programs, {} executions of {lines} lines: {} ended, {} failed, {} were stopped; \
         {refused} of {changed} refused with two lines swapped",
        subjects.len(),
        counts.iter().sum::<usize>(),
        counts[0],
        counts[1],
        counts[2]
    );
    assert!(2 * refused >= changed, "only {refused} of {changed} wrong executions were refused");
    (counts, summary)
}

/// A program, and the unit that runs it; nothing if its model is too large.
fn subject(name: &str, text: &str, number: usize, rng: &mut Rng) -> Option<(Subject, (String, String))> {
    let budget = Budget::new(Limits { states: Some(200_000), bytes: None }, None);
    let parse = parse(text);
    let program = resolve(&parse).program.unwrap_or_else(|| panic!("{name} is correct:\n{text}"));
    let exact = match exact(&program, &budget) {
        Ok(exact) => exact,
        Err(Refused::Exhausted(_)) => return None,
        Err(refused) => panic!("{name}: {refused:?}"),
    };
    let unit = format!("P{number}");
    let instrumented = instrument::instrument(text, &parse, &program, &unit, rng);
    let main = program.name.text.to_string();
    Some((Subject { name: name.to_owned(), main, text: text.to_owned(), exact }, (unit, instrumented)))
}

#[test]
fn random_programs_run_as_the_model_says() {
    if !compiler::is_there() {
        return;
    }
    let random = |seed: u64| {
        let mut rng = Rng::new(seed);
        let text = random::random_program(&mut rng);
        if is_single_seed() {
            println!("{text}");
        }
        subject(&format!("seed {seed}"), &text, usize::try_from(seed).unwrap_or(0), &mut rng)
    };
    let (subjects, units): (Vec<Subject>, Vec<(String, String)>) = seeds(24).filter_map(random).unzip();
    let ([ended, failed, stopped], summary) = run("random", &subjects, &units, 3, 60);
    println!("{summary}");
    let counts = constructs::count(subjects.iter().map(|subject| &*subject.text));
    println!("constructs, and in how many of these programs each occurs:\n{counts}");
    if !is_single_seed() {
        assert!(ended > 3 && failed > 3 && stopped > 3, "{ended} {failed} {stopped}");
    }
    // Few programs do not have everything.
    if subjects.len() >= 200 {
        assert_eq!(counts.missing(), [""; 0], "no program has these");
    }
}

#[test]
fn the_programs_in_models_run_as_the_model_says() {
    if !compiler::is_there() {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the models are there")
        .map(|file| file.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "adb"))
        .collect();
    files.sort();
    let read = |(number, path): (usize, &std::path::PathBuf)| {
        let text = std::fs::read_to_string(path).expect("it can be read");
        subject(&path.display().to_string(), &text, number, &mut Rng::new(number as u64))
    };
    let (subjects, units): (Vec<Subject>, Vec<(String, String)>) =
        files.iter().enumerate().filter_map(read).unzip();
    assert_eq!(subjects.len(), files.len(), "all models are small");
    println!("{}", run("models", &subjects, &units, 2, 120).1);
}
