//! Watching an analysis: the progress bar, the clock, and Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use rely_base::{Budget, Limits, Observer, Progress, Resource, printable};

use crate::args::Global;
use crate::memory::{self, Resident};
use crate::patience::Patience;

/// How long an analysis runs before a progress bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows how far an analysis has come, and stops it when the time is over or somebody presses Ctrl-C.
pub(crate) struct Watch {
    start: Instant,
    timeout: Option<Duration>,
    limits: Limits,
    /// What the program may take in all.
    resident: Resident,
    threads: NonZeroUsize,
    interrupted: Arc<AtomicBool>,
    /// Absent when standard error is no terminal.
    bar: Option<ProgressBar>,
    /// Which of several analyses this is; empty if there is one only.
    label: String,
}

impl Watch {
    /// Starts the clock.
    pub(crate) fn new(global: &Global, interactive: bool) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler Ctrl-C ends the program at once, which is the next best thing.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                // The second time somebody means it.
                std::process::exit(4);
            }
        });
        let bar = interactive.then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        let memory = memory::limit(global.max_memory);
        Self {
            start: Instant::now(),
            timeout: global.timeout,
            limits: Limits { states: global.max_states, bytes: memory.map(for_analysis) },
            resident: Resident::within(memory),
            threads: threads(global.jobs, available_cores()).min(memory::most_threads()),
            interrupted,
            bar,
            label: String::new(),
        }
    }

    /// A watch for one of several analyses: with the same limits, and a clock that starts now.
    pub(crate) fn restarted(&self, label: &str) -> Self {
        let label = printable(label).into_owned();
        if let Some(bar) = &self.bar {
            bar.set_message(label.clone());
            bar.tick();
        }
        let (interrupted, bar) = (Arc::clone(&self.interrupted), self.bar.clone());
        let resident = self.resident.restarted();
        Self { start: Instant::now(), interrupted, bar, resident, label: label + " ", ..*self }
    }

    /// A watch with the same limits that shows no progress.
    pub(crate) fn silent(&self) -> Self {
        let interrupted = Arc::clone(&self.interrupted);
        Self { interrupted, bar: None, resident: self.resident.restarted(), label: String::new(), ..*self }
    }

    /// The limits while files are read.
    pub(crate) fn patience(&self) -> Patience {
        Patience {
            deadline: self.timeout.and_then(|timeout| self.start.checked_add(timeout)),
            bytes: self.limits.bytes,
            interrupted: Arc::clone(&self.interrupted),
        }
    }

    /// Whether somebody has pressed Ctrl-C.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether progress is shown in place.
    pub(crate) fn is_interactive(&self) -> bool {
        self.bar.is_some()
    }

    /// The budget of an analysis under watch.
    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget::new(self.limits, Some(self)).with_threads(self.threads)
    }

    /// Takes the progress bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// What is left of the memory for an analysis, when the program itself has taken its part. Of less than a few dozen
/// megabytes the part would be most, and whoever sets such a limit wants to see what happens.
fn for_analysis(bytes: usize) -> usize {
    const OWN: usize = 6 << 20;
    const LEAST: usize = 32 << 20;
    if bytes < LEAST { bytes } else { bytes - OWN }
}

/// How many threads work when `wanted` are asked for and there are `cores` cores. More than a few for each core only wait
/// for each other and take memory; results do not depend on it.
fn threads(wanted: Option<NonZeroUsize>, cores: NonZeroUsize) -> NonZeroUsize {
    const MOST_PER_CORE: usize = 4;
    let most = cores.saturating_mul(NonZeroUsize::MIN.saturating_add(MOST_PER_CORE - 1));
    wanted.map_or(cores, |wanted| wanted.min(most))
}

fn available_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

impl Observer for Watch {
    fn observe(&self, progress: &Progress) -> Option<Resource> {
        let elapsed = self.start.elapsed();
        if let Some(bar) = self.bar.as_ref().filter(|_| elapsed > PATIENCE) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate for the eye")]
            let rate = (progress.states as f64 / elapsed.as_secs_f64()) as u64;
            bar.set_message(format!(
                "{}{} states ({}/s), {} transitions, frontier {}, {}",
                self.label,
                HumanCount(progress.states as u64),
                HumanCount(rate),
                HumanCount(progress.transitions as u64),
                HumanCount(progress.frontier as u64),
                HumanBytes(progress.bytes as u64),
            ));
            bar.tick();
        }
        if self.is_interrupted() {
            return Some(Resource::Cancelled);
        }
        if self.timeout.is_some_and(|timeout| elapsed > timeout) {
            return Some(Resource::Time);
        }
        self.resident.is_too_large(elapsed).then_some(Resource::Memory)
    }

    fn time_used(&self) -> Option<f64> {
        let timeout = self.timeout?;
        Some(if timeout.is_zero() { 1.0 } else { self.start.elapsed().div_duration_f64(timeout) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_a_few_for_each_core() {
        let number = |number| NonZeroUsize::new(number).expect("not zero");
        let of_two_cores = |wanted: Option<usize>| threads(wanted.map(number), number(2)).get();
        assert_eq!(of_two_cores(None), 2);
        assert_eq!(
            [1, 3, 8, 9, 100_000, usize::MAX].map(|wanted| of_two_cores(Some(wanted))),
            [1, 3, 8, 8, 8, 8]
        );
        assert_eq!(threads(None, NonZeroUsize::MAX), NonZeroUsize::MAX);
    }
}
