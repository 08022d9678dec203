//! A run in a process of its own: its memory can be measured, and if it dies, only it is lost.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rely_session::report::{Report, StudyResult, StudyRun};
use rely_session::study::lost;

use super::Outcome;
use crate::args::Study;
use crate::context::{Context, Exit};
use crate::watch::Watch;

/// How long a process that should have ended is waited for.
const GRACE: Duration = Duration::from_secs(10);

/// How long a process has to end by itself when this one is asked to stop. It may not have heard of it.
const TO_END: Duration = Duration::from_secs(1);

/// Performs a run in a process.
pub(super) fn perform(
    context: &Context,
    verb: &Study,
    run: &StudyRun,
    watch: &Watch,
) -> anyhow::Result<Outcome> {
    let mut child = start(context, verb, run)?;
    let mut stdout = child.stdout.take().expect("standard output is piped");
    // The pipe is emptied while the process runs, so that it never waits for somebody who waits for it.
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let ended = wait(&mut child, context.global.timeout.map(|timeout| timeout * 2 + GRACE), watch)?;
    let text = reader.join().ok().and_then(Result::ok).unwrap_or_default();
    Ok(match ended {
        _ if watch.is_interrupted() => Outcome::Interrupted,
        None => Outcome::Done(Box::new(lost(run, "time ran out, and the process had to be ended"))),
        Some(status) => outcome(run, status, &text),
    })
}

fn outcome(run: &StudyRun, status: ExitStatus, text: &str) -> Outcome {
    match (status.code(), serde_json::from_str::<StudyResult>(text)) {
        (Some(0), Ok(result)) => Outcome::Done(Box::new(result)),
        (Some(code), _) if code == Exit::Errors as i32 => match serde_json::from_str::<Report<()>>(text) {
            Ok(report) => Outcome::Errors(report.diagnostics),
            Err(_) => Outcome::Errors(Vec::new()),
        },
        (Some(code), _) => {
            Outcome::Done(Box::new(lost(run, &format!("the process ended with status {code}"))))
        }
        (None, _) => Outcome::Done(Box::new(lost(run, "the process was killed"))),
    }
}

fn start(context: &Context, verb: &Study, run: &StudyRun) -> anyhow::Result<Child> {
    let program = std::env::current_exe().context("cannot find the own program")?;
    let mut command = Command::new(program);
    command.args(["study", "--quiet", "--json", "--single"]).arg(serde_json::to_string(run)?);
    if verb.reuse {
        command.arg("--reuse");
    }
    let global = &context.global;
    if let Some(timeout) = global.timeout {
        command.arg("--timeout").arg(format!("{}ms", timeout.as_millis()));
    }
    if let Some(bytes) = global.max_memory {
        command.arg("--max-memory").arg(bytes.to_string());
    }
    if let Some(states) = global.max_states {
        command.arg("--max-states").arg(states.to_string());
    }
    if let Some(jobs) = global.jobs {
        command.arg("--jobs").arg(jobs.to_string());
    }
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    child.context("cannot start a process for a run")
}

/// Waits for the end of a process; nothing if it had to be killed because its time was over.
fn wait(child: &mut Child, patience: Option<Duration>, watch: &Watch) -> anyhow::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut interrupted: Option<Instant> = None;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a process")? {
            return Ok(Some(status));
        }
        // Ctrl-C reaches the process as well, which then ends by itself.
        if watch.is_interrupted() && interrupted.is_none() {
            interrupted = Some(Instant::now());
        }
        let is_late = patience.is_some_and(|patience| start.elapsed() > patience);
        if is_late || interrupted.is_some_and(|since| since.elapsed() > TO_END) {
            child.kill().context("cannot end a process")?;
            child.wait().context("cannot wait for a process")?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The most memory that this process has held so far, where the operating system tells.
pub(super) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
