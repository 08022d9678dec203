//! `cargo xtask bench learners FOLDER`: how much our learners ask, against AALpy's on the same automata.
//!
//! The folder has automata (`*.dfa`) and what AALpy's learners needed for them (`aalpy.json`): queries, letters in them,
//! rounds and CPU seconds, with an exact equivalence oracle that returns one shortest counterexample a round. Ours get
//! the same oracle, and are counted the same way: a query is a run from a reset that shows the answer after every
//! letter. Counts are exact and the same on every machine; times are not, and AALpy's were taken
//! in another run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use rely_automata::Dfa;
use rely_base::{ActionId, Id, StateId};
use rely_learn::{Algorithm, Counts, ExactTeacher, Settings, Teacher, Word, learn};
use serde::Deserialize;

use super::measure::cpu_milliseconds;

/// How many counterexamples are given in a round if it is several.
const MANY: usize = 20;

/// A learner is run again until all its runs together have taken this many milliseconds, or [`RUNS`] times: systems count
/// the time on a processor in ticks of several milliseconds.
const ENOUGH: f64 = 50.0;
const RUNS: u32 = 50;

/// What AALpy needed.
#[derive(Deserialize)]
struct Peer {
    runs: Vec<PeerRun>,
}

/// What one of AALpy's learners needed for one automaton.
#[derive(Deserialize)]
struct PeerRun {
    file: String,
    algo: String,
    mq: usize,
    mq_steps: usize,
    eq_rounds: usize,
    learner_cpu_s: Option<f64>,
}

/// What the learners of a configuration needed on all automata.
#[derive(Default)]
struct Summary {
    files: usize,
    /// On how many automata we asked no more queries and no more letters than the least of AALpy's learners, taken
    /// apart.
    won: usize,
    /// The same against the one learner that asked the fewest queries.
    won_against_best: usize,
    /// Sums of logarithms of our share of the least queries and letters.
    queries: f64,
    letters: f64,
    conjectures: usize,
    milliseconds: f64,
}

/// How the learners are run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// As AALpy's: nothing is known about the language, one shortest counterexample a round.
    Plain,
    /// Languages that are prefix-closed are known to be.
    PrefixClosed,
    /// Many counterexamples a round.
    Many,
}

pub(super) fn run(folder: &Path) -> Result<()> {
    let peer = std::fs::read_to_string(folder.join("aalpy.json")).context("aalpy.json")?;
    let peer: Peer = serde_json::from_str(&peer).context("aalpy.json")?;
    let mut runs: BTreeMap<&str, Vec<&PeerRun>> = BTreeMap::new();
    for run in &peer.runs {
        runs.entry(&run.file).or_default().push(run);
    }
    let automata = runs
        .into_iter()
        .map(|(file, runs)| {
            let text = std::fs::read_to_string(folder.join(file)).context(file.to_owned())?;
            Ok((file, parse(&text).with_context(|| format!("{file} is not an automaton"))?, runs))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut summaries = Vec::new();
    for manner in [Manner::Plain, Manner::PrefixClosed, Manner::Many] {
        for algorithm in Algorithm::ALL {
            let mut summary = Summary::default();
            print_header(manner, algorithm);
            for (file, dfa, runs) in &automata {
                if manner != Manner::PrefixClosed || dfa.is_prefix_closed() {
                    compare(file, dfa, runs, (algorithm, manner), &mut summary)?;
                }
            }
            summaries.push((manner, algorithm, summary));
        }
    }
    // 24 of 28.
    let goal = automata.len() - automata.len() / 7;
    println!("\nOur share of AALpy's fewest queries and letters (geometric means):");
    for (manner, algorithm, summary) in &summaries {
        print_summary(*manner, *algorithm, summary);
    }
    let ours = summaries.iter().filter(|(manner, ..)| *manner == Manner::Plain);
    let won = ours.map(|(_, _, summary)| summary.won).max().unwrap_or_default();
    ensure!(won >= goal, "the best learner won on {won} automata, not on {goal}");
    Ok(())
}

/// Learns one automaton and prints a line of the table.
fn compare(
    file: &str,
    dfa: &Dfa,
    peers: &[&PeerRun],
    (algorithm, manner): (Algorithm, Manner),
    summary: &mut Summary,
) -> Result<()> {
    let minimal = dfa.minimise();
    let settings = Settings { algorithm, prefix_closed: manner == Manner::PrefixClosed };
    let start = cpu_milliseconds();
    let mut counts = Counts::default();
    let mut runs = 0;
    while runs < RUNS && (runs == 0 || cpu_milliseconds() - start < ENOUGH) {
        let Ok(learned) = match manner {
            Manner::Many => learn(&settings, dfa.letter_count(), &mut Generous { dfa }, None),
            Manner::Plain | Manner::PrefixClosed => {
                learn(&settings, dfa.letter_count(), &mut ExactTeacher::new(dfa), None)
            }
        };
        ensure!(learned.hypothesis == minimal, "{algorithm:?} did not learn {file}");
        counts = learned.counts;
        runs += 1;
    }
    let milliseconds = (cpu_milliseconds() - start) / f64::from(runs);
    let least_queries = peers.iter().map(|run| run.mq).min().context("no run")?;
    let least_letters = peers.iter().map(|run| run.mq_steps).min().context("no run")?;
    let best = peers.iter().min_by_key(|run| (run.mq, run.mq_steps)).context("no run")?;
    let won = counts.queries <= least_queries && counts.letters <= least_letters;
    let won_against_best = counts.queries <= best.mq && counts.letters <= best.mq_steps;
    let seconds = peers.iter().filter_map(|run| run.learner_cpu_s).reduce(f64::min);
    summary.files += 1;
    summary.won += usize::from(won);
    summary.won_against_best += usize::from(won_against_best);
    summary.queries += (counts.queries as f64 / least_queries as f64).ln();
    summary.letters += (counts.letters as f64 / least_letters as f64).ln();
    summary.conjectures += counts.conjectures;
    summary.milliseconds += milliseconds;
    println!(
        "{:<16}{:>5}{:>4}{:>9}{:>9}{:>7}{:>9.1}{:>10}{:>9}{:>7}{:>9}  {:<14}{}",
        file.trim_end_matches(".dfa"),
        minimal.state_count(),
        dfa.letter_count(),
        counts.queries,
        counts.letters,
        counts.conjectures,
        milliseconds,
        least_queries,
        least_letters,
        best.eq_rounds,
        seconds.map_or_else(|| "?".to_owned(), |seconds| format!("{:.1}", seconds * 1e3)),
        best.algo,
        if won { "won" } else { "lost" },
    );
    Ok(())
}

fn title(manner: Manner, algorithm: Algorithm) -> String {
    let how = match manner {
        Manner::Plain => "",
        Manner::PrefixClosed => ", prefix-closed languages known to be",
        Manner::Many => ", many counterexamples a round",
    };
    format!("{algorithm:?}{how}")
}

fn print_header(manner: Manner, algorithm: Algorithm) {
    println!("\n{}", title(manner, algorithm));
    println!(
        "{:<16}{:>5}{:>4}{:>9}{:>9}{:>7}{:>9}{:>10}{:>9}{:>7}{:>9}  {:<14}",
        "automaton",
        "n",
        "k",
        "queries",
        "letters",
        "conj.",
        "CPU ms",
        "AALpy q.",
        "letters",
        "conj.",
        "CPU ms",
        "by"
    );
}

fn print_summary(manner: Manner, algorithm: Algorithm, summary: &Summary) {
    let mean = |sum: f64| (sum / summary.files as f64).exp();
    println!(
        "{:<60} queries {:.2}, letters {:.2}; won {} of {} against each minimum, {} against the best learner; \
         {} conjectures, {:.0} CPU ms",
        title(manner, algorithm),
        mean(summary.queries),
        mean(summary.letters),
        summary.won,
        summary.files,
        summary.won_against_best,
        summary.conjectures,
        summary.milliseconds,
    );
}

/// Reads `states n`, `alphabet k`, `initial s`, `accepting …`, `transitions`, and a row of targets for each state.
fn parse(text: &str) -> Result<Dfa> {
    let mut lines = text.lines();
    let mut numbers = |key: &str| -> Result<Vec<usize>> {
        let line =
            lines.next().and_then(|line| line.strip_prefix(key)).with_context(|| format!("no {key}"))?;
        line.split_whitespace().map(|number| Ok(number.parse()?)).collect()
    };
    let mut number =
        |key: &str| numbers(key)?.first().copied().with_context(|| format!("no number of {key}"));
    let (states, letters, initial) = (number("states")?, number("alphabet")?, number("initial")?);
    let accepting: BTreeSet<usize> = numbers("accepting")?.into_iter().collect();
    numbers("transitions")?;
    let targets = lines
        .flat_map(str::split_whitespace)
        .map(|target| Ok(target.parse()?))
        .collect::<Result<Vec<usize>>>()?;
    ensure!(targets.len() == states * letters, "{} targets, not {states} · {letters}", targets.len());
    ensure!(targets.iter().chain([&initial]).all(|&state| state < states), "a target does not exist");
    let accepting = (0..states).map(|state| accepting.contains(&state)).collect();
    let targets = targets.into_iter().map(StateId::from_index).collect();
    Ok(Dfa::new(letters, StateId::from_index(initial), accepting, targets))
}

/// Teaches an automaton with many counterexamples a round: the first ones of a breadth-first search of the product.
struct Generous<'a> {
    dfa: &'a Dfa,
}

impl Teacher for Generous<'_> {
    type Place = StateId;
    type Stop = Infallible;

    fn start(&mut self) -> Result<StateId, Infallible> {
        Ok(self.dfa.initial())
    }

    fn step(&mut self, from: &StateId, letter: ActionId) -> Result<StateId, Infallible> {
        Ok(self.dfa.step(*from, letter))
    }

    fn accepts(&mut self, place: &StateId) -> Result<bool, Infallible> {
        Ok(self.dfa.is_accepting(*place))
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Infallible> {
        let start = (self.dfa.initial(), hypothesis.initial());
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, Word::new())]);
        let mut found = Vec::new();
        while let Some(((p, q), word)) = queue.pop_front() {
            if self.dfa.is_accepting(p) != hypothesis.is_accepting(q) {
                found.push(word.clone());
                if found.len() == MANY {
                    break;
                }
            }
            for letter in self.dfa.letters() {
                let next = (self.dfa.step(p, letter), hypothesis.step(q, letter));
                if seen.insert(next) {
                    queue.push_back((next, [&word[..], &[letter]].concat()));
                }
            }
        }
        Ok(found)
    }
}
