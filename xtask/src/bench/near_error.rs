//! Progress beside a near error: asking for it as well takes at most twice the time of asking for safety alone.
//!
//! LTSA stops at the error; whoever has one to mend does not want to wait for what is known about progress beside it. The
//! targets are those of the corpus that can fail, and shapes in which a search for terminal sets could go astray: many
//! states around an error that is one step away, or several, terminal sets near and far. Every question is asked on one
//! thread, and the quickest of a few runs counts.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use rely_session::Project;

use crate::corpus::answers::Answers;
use crate::corpus::effort::{self, Effort, effort};

const RUNS: usize = 9;

/// Models in which an error is near, each with a target S.
const SHAPES: [(&str, &str); 6] = [
    (
        "an error beside a terminal set",
        "P = (z -> G | a -> b -> ERROR), G = (a -> G). ||S = (P). progress PB = {b}",
    ),
    (
        "a million states, an error at the first step",
        "C = C[0], C[i:0..9] = (up -> C[(i+1)%10] | down -> C[(i+9)%10]). B = (bad -> ERROR).
         ||S = (forall[k:1..6] c[k]:C || B). progress UP = {c[1].up}",
    ),
    (
        "a million states, an error at the fourth step",
        "C = C[0], C[i:0..9] = (up -> C[(i+1)%10] | down -> C[(i+9)%10]). B = (w -> x -> y -> bad -> ERROR).
         ||S = (forall[k:1..6] c[k]:C || B). progress UP = {c[1].up}",
    ),
    (
        "a violated property, and a component that may stop",
        "C = C[0], C[i:0..9] = (up -> C[(i+1)%10] | down -> C[(i+9)%10]). L = (go -> L | stop -> STOP).
         property P = (c[1].up -> c[1].down -> P).
         ||S = (forall[k:1..6] c[k]:C || L || P). progress GO = {go}",
    ),
    (
        "philosophers that fail before they starve",
        "FORK = (get -> put -> FORK). PHIL = (right.get -> left.get -> eat -> left.put -> right.put -> PHIL).
         property P = (phil[0].eat -> phil[1].eat -> P).
         ||S = (forall[i:0..6] (phil[i]:PHIL || {phil[i].left, phil[(i+6)%7].right}::FORK) || P). progress EAT = {phil[0].eat}",
    ),
    (
        "a pipeline that fails at its end",
        "STAGE = (in -> out -> STAGE). SINK = (take -> SINK | take -> ERROR).
         ||S = (forall[i:1..10] s[i]:STAGE || SINK) /{take/s[10].out, forall[i:1..9] {s[i+1].in/s[i].out}}.
         progress TAKE = {take}",
    ),
];

pub(crate) fn run(corpus: Option<&Path>) -> Result<()> {
    let mut efforts = Vec::new();
    for (name, text) in SHAPES {
        let project =
            Project::new("shape.lts", text, Box::new(|_| Err("a shape imports nothing".to_owned())));
        efforts
            .push(effort(&project, name, "S", RUNS).with_context(|| format!("{name}: no error is found"))?);
    }
    if let Some(corpus) = corpus {
        efforts.extend(of_corpus(corpus)?);
    }
    efforts.sort_by(|one, other| ratio(other).total_cmp(&ratio(one)));
    println!("{:>8} {:>12} {:>12}  target", "ratio", "safety", "and progress");
    for effort @ Effort { target, times: (alone, both), .. } in &efforts {
        println!("{:>8.2} {alone:>12.1?} {both:>12.1?}  {target}", ratio(effort));
    }
    let slower = efforts.iter().filter(|effort| ratio(effort) > 2.0).count();
    println!("{} targets, {slower} of them above twice the time of safety alone", efforts.len());
    ensure!(slower == 0, "asking for progress as well takes more than twice the time");
    Ok(())
}

fn of_corpus(folder: &Path) -> Result<Vec<Effort>> {
    let text = std::fs::read_to_string(folder.join("ltsa-answers.json")).context("ltsa-answers.json")?;
    let answers: Answers = serde_json::from_str(&text).context("ltsa-answers.json")?;
    let mut efforts = Vec::new();
    for (path, expected) in &answers.files {
        efforts.extend(effort::file(&folder.join("models").join(path), path, expected, RUNS));
    }
    Ok(efforts)
}

fn ratio(effort: &Effort) -> f64 {
    effort.times.1.as_secs_f64() / effort.times.0.as_secs_f64()
}
