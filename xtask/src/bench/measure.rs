//! The time and the peak memory of another program, and the time of our own.
//!
//! A shell that has no other child reports the processor time of the program, which the load of the machine changes
//! less than the time on a clock; the memory is the peak that the kernel keeps for a process, read while it runs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// One run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Processor time, of the program and of the kernel for it.
    pub(crate) seconds: f64,
    /// Time on the clock.
    pub(crate) elapsed: f64,
    /// The most memory that it held at any moment.
    pub(crate) megabytes: f64,
}

/// Runs a program and gives what it took and what it printed. Files that are needed for it are made in `folder`.
pub(crate) fn measured(command: &Command, folder: &Path) -> Result<(Sample, String)> {
    measured_with(command, folder, &[0])
}

/// [`measured`], for a program that has not failed if its exit status is one of `fine`.
pub(crate) fn measured_with(command: &Command, folder: &Path, fine: &[i32]) -> Result<(Sample, String)> {
    let output_path = folder.join("output");
    let times_path = folder.join("times");
    // The first two arguments are files; `times` prints the time of the shell and, in its second line, of the program.
    let script = r#"output=$1; times=$2; shift 2; "$@" > "$output" & echo $!; wait $!; code=$?; times > "$times"; exit $code"#;
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(&output_path).arg(&times_path);
    shell.arg(command.get_program()).args(command.get_args());
    if let Some(current) = command.get_current_dir() {
        shell.current_dir(current);
    }
    let start = Instant::now();
    let mut child = shell.stdout(Stdio::piped()).spawn().context("a shell")?;
    let mut lines = String::new();
    let stdout = child.stdout.take().expect("the output is a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut lines)?;
    let mut kilobytes = 0;
    let status = loop {
        kilobytes = peak_kilobytes(lines.trim()).unwrap_or(0).max(kilobytes);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let elapsed = start.elapsed().as_secs_f64();
    let is_fine = status.code().is_some_and(|code| fine.contains(&code));
    ensure!(is_fine, "{:?} failed with {status}: {:?}", command.get_program(), command.get_args());
    let times = std::fs::read_to_string(&times_path).context("the times of the program")?;
    let seconds = children_seconds(&times).with_context(|| format!("unexpected times: {times}"))?;
    let output = std::fs::read_to_string(&output_path).context("the output of the program")?;
    Ok((Sample { seconds, elapsed, megabytes: kilobytes as f64 * 1024.0 / 1e6 }, output))
}

/// The time that this thread has spent on a processor, where the system says so; elsewhere, what the clock says.
pub(crate) fn cpu_milliseconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds / 1e6)
}

/// The peak memory of a process that is still running.
fn peak_kilobytes(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// From the output of `times`, such as `0m0.01s 0m0.00s`, in the second line the user and system time of children.
fn children_seconds(times: &str) -> Option<f64> {
    let seconds = |text: &str| {
        let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    times.lines().nth(1)?.split_whitespace().map(seconds).sum()
}

/// The value in the middle, of at least one.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The medians of several runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) seconds: f64,
    pub(crate) megabytes: f64,
    /// The fastest and the slowest run.
    range: (f64, f64),
}

impl Summary {
    /// Of at least one run.
    pub(crate) fn of(samples: &[Sample]) -> Self {
        let sorted = |value: fn(&Sample) -> f64| {
            let mut values: Vec<f64> = samples.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let (seconds, megabytes) = (sorted(|sample| sample.seconds), sorted(|sample| sample.megabytes));
        Self {
            seconds: seconds[seconds.len() / 2],
            megabytes: megabytes[megabytes.len() / 2],
            range: (seconds[0], seconds[seconds.len() - 1]),
        }
    }

    /// The median time with the fastest and the slowest.
    pub(crate) fn seconds_with_spread(&self) -> String {
        format!("{:.2} ({:.2}–{:.2})", self.seconds, self.range.0, self.range.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_shell() {
        assert_eq!(children_seconds("0m0.01s 0m0.00s\n1m2.50s 0m0.25s\n"), Some(62.75));
        assert_eq!(children_seconds("nothing"), None);
    }

    #[test]
    fn program_is_measured() {
        let folder = std::env::temp_dir().join(format!("rely-measure-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo seen; sleep 0.1"]);
        let (sample, output) = measured(&command, &folder).unwrap();
        assert_eq!(output, "seen\n");
        assert!(sample.megabytes > 0.1 && sample.seconds < 1.0, "{sample:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn median_of_three() {
        let sample = |seconds| Sample { seconds, elapsed: seconds, megabytes: 10.0 * seconds };
        let summary = Summary::of(&[sample(3.0), sample(1.0), sample(2.0)]);
        assert_eq!((summary.seconds, summary.megabytes), (2.0, 20.0));
        assert_eq!(summary.seconds_with_spread(), "2.00 (1.00–3.00)");
    }
}
