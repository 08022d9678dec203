//! `cargo xtask bench growth [--draw | PROGRAM]`: how time and memory grow with the number of transitions, of ours alone.
//!
//! The same families of networks are explored, and reduced, in sizes from 10⁴ to nearly 10⁸ transitions, on one thread.
//! What was measured is written to `xtask/src/bench/growth.txt`, and drawn for the book from there, once more
//! with `--draw`: a test compares the pictures with the numbers. Each run begins with the start of the program and, for reductions, with reading the file.
//!
//! The time is that of the processor, so that a busy machine matters less. What takes less than the shell can measure is
//! run many times.

mod picture;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use self::picture::{Panel, Series, picture};
use super::measure::{Sample, measured};
use super::networks::{Instance, System};
use super::{build, reductions};

/// Where the numbers are written down: in each line a question, a network, states, transitions, seconds and megabytes.
const FILE: &str = "xtask/src/bench/growth.txt";

/// Where the pictures are.
const PICTURES: &str = "docs/book/src/measured";

/// What is asked about a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Exploration,
    Branching,
    Strong,
}

const QUESTIONS: [Question; 3] = [Question::Exploration, Question::Branching, Question::Strong];

impl Question {
    fn name(self) -> &'static str {
        match self {
            Self::Exploration => "exploration",
            Self::Branching => "branching",
            Self::Strong => "strong",
        }
    }
}

/// One measurement.
#[derive(Clone, PartialEq, Debug)]
struct Point {
    question: Question,
    network: String,
    states: usize,
    transitions: usize,
    seconds: f64,
    megabytes: f64,
}

const fn phil(size: usize, states: usize, transitions: usize) -> Instance {
    Instance { system: System::Philosophers, size, states, transitions }
}

const fn ring(size: usize, states: usize, transitions: usize) -> Instance {
    Instance { system: System::Ring, size, states, transitions }
}

/// Each about six times as large as the one before it.
const NETWORKS: [Instance; 11] = [
    phil(5, 7_774, 34_240),
    phil(6, 46_656, 246_612),
    phil(7, 279_934, 1_726_256),
    phil(8, 1_679_616, 11_837_296),
    phil(9, 10_077_694, 79_901_712),
    ring(8, 3_072, 14_848),
    ring(10, 15_360, 89_600),
    ring(12, 73_728, 503_808),
    ring(14, 344_064, 2_695_168),
    ring(16, 1_572_864, 13_893_632),
    ring(18, 7_077_888, 69_599_232),
];

/// Measures the program that users run, or another one.
pub(super) fn run(root: &Path, program: Option<&Path>) -> Result<()> {
    let rely = match program {
        Some(program) => program.to_owned(),
        None => build(root)?,
    };
    let folder = std::env::temp_dir().join(format!("rely-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the systems")?;
    let points = measure_all(&rely, &folder);
    std::fs::remove_dir_all(&folder).context("the folder of the systems")?;
    let lines: String = points?.iter().map(|point| point.line() + "\n").collect();
    std::fs::write(root.join(FILE), lines).context(FILE)?;
    draw(root)
}

/// Draws what was measured last.
pub(super) fn draw(root: &Path) -> Result<()> {
    std::fs::create_dir_all(root.join(PICTURES)).context(PICTURES)?;
    for (name, svg) in pictures(&known(root)?) {
        std::fs::write(root.join(PICTURES).join(name), svg).context(name)?;
    }
    Ok(())
}

fn measure_all(rely: &Path, folder: &Path) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for network in &NETWORKS {
        for question in QUESTIONS {
            let sample = measure(question, network, rely, folder)?;
            let point = Point {
                question,
                network: network.to_string(),
                states: network.states,
                transitions: network.transitions,
                seconds: sample.seconds,
                megabytes: sample.megabytes,
            };
            println!("{}", point.line());
            points.push(point);
        }
    }
    points.sort_by_key(|point| point.question as usize);
    Ok(points)
}

fn measure(question: Question, network: &Instance, rely: &Path, folder: &Path) -> Result<Sample> {
    let mut command = Command::new(rely);
    let (model, system) = (folder.join("model.lts"), folder.join("system.aut"));
    match question {
        Question::Exploration => {
            std::fs::write(&model, network.fsp())?;
            command.arg("compose").arg(&model).args(["--target", "SYS"]);
        }
        Question::Branching | Question::Strong => {
            let visible = match question {
                Question::Strong => &[],
                _ => reductions::visible(network),
            };
            reductions::write_system(network, visible, rely, folder, &system)?;
            command.arg("minimise").arg(&system).args(["--equivalence", question.name()]);
        }
    }
    command.args(["--jobs", "1"]);
    best(&command, network.transitions, folder)
}

/// The least time of several runs, or the mean of many where one is too short; and the most memory.
fn best(command: &Command, transitions: usize, folder: &Path) -> Result<Sample> {
    const MANY: usize = 20;
    let repeat = r#"i=0; while [ $i -lt 20 ]; do "$@" || exit 1; i=$((i+1)); done"#;
    let runs = if transitions > 50_000_000 { 1 } else { 3 };
    let mut best = measured(command, folder)?.0;
    for _ in 1..runs {
        let (sample, _) = measured(command, folder)?;
        best.seconds = best.seconds.min(sample.seconds);
        best.megabytes = best.megabytes.max(sample.megabytes);
    }
    if best.seconds < 0.1 {
        let mut shell = Command::new("sh");
        shell.args(["-c", repeat, "sh"]).arg(command.get_program()).args(command.get_args());
        best.seconds = measured(&shell, folder)?.0.seconds / MANY as f64;
    }
    Ok(best)
}

impl Point {
    fn line(&self) -> String {
        let Self { question, network, states, transitions, seconds, megabytes } = self;
        format!("{} {network} {states} {transitions} {seconds:.4} {megabytes:.1}", question.name())
    }

    fn read(line: &str) -> Result<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [question, network, states, transitions, seconds, megabytes] = words[..] else {
            anyhow::bail!("a line of {FILE} has six words: {line}");
        };
        let question = QUESTIONS.into_iter().find(|known| known.name() == question);
        Ok(Self {
            question: question.context("a question that is asked")?,
            network: network.to_owned(),
            states: states.parse()?,
            transitions: transitions.parse()?,
            seconds: seconds.parse()?,
            megabytes: megabytes.parse()?,
        })
    }
}

/// The pictures of the book, with their names.
fn pictures(points: &[Point]) -> Vec<(&'static str, String)> {
    let of = |questions: &[Question], family: fn(&Point) -> f64| -> Vec<Series> {
        let kinds = questions.iter().flat_map(|&question| {
            [("philosophers", "phil"), ("ring", "ring")].map(|(name, prefix)| (question, name, prefix))
        });
        kinds
            .map(|(question, name, prefix)| {
                let chosen = points
                    .iter()
                    .filter(|point| point.question == question && point.network.starts_with(prefix));
                let name = match questions.len() {
                    1 => name.to_owned(),
                    _ => format!("{name}, {}", question.name()),
                };
                let value = |point: &Point| {
                    let (n, m) = (point.states as f64, point.transitions as f64);
                    (m, family(point), m * n.log2())
                };
                Series { name, points: chosen.map(value).collect() }
            })
            .collect()
    };
    let panels = |questions: &[Question]| {
        [
            Panel { title: "processor time in seconds", series: of(questions, |point| point.seconds) },
            Panel { title: "peak memory in megabytes", series: of(questions, |point| point.megabytes) },
        ]
    };
    vec![
        ("growth-exploration.svg", picture(&panels(&[Question::Exploration]))),
        ("growth-reduction.svg", picture(&panels(&[Question::Branching, Question::Strong]))),
    ]
}

/// What was measured last.
fn known(root: &Path) -> Result<Vec<Point>> {
    let text = std::fs::read_to_string(root.join(FILE)).context(FILE)?;
    text.lines().map(Point::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_the_book_show_what_was_measured() {
        let root = crate::root();
        let points = known(&root).unwrap();
        assert!(!points.is_empty(), "{FILE} is empty");
        for (name, svg) in pictures(&points) {
            let kept = std::fs::read_to_string(root.join(PICTURES).join(name)).unwrap();
            assert_eq!(kept, svg, "{name}: `cargo xtask bench growth` draws it");
        }
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        let line = "strong ring8 3072 14848 0.0123 4.5";
        let point = Point::read(line).unwrap();
        assert_eq!((point.question, point.transitions), (Question::Strong, 14_848));
        assert_eq!(point.line(), line);
        assert!(Point::read("strong ring8").is_err() && Point::read("weak a 1 1 1 1").is_err());
    }
}
