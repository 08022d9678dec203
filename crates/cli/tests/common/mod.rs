//! How the tests of the command line run `rely`: every run has a deadline, so that what hangs fails, and neither reads
//! the terminal nor the results that the user keeps.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// No run takes longer, on a slow machine that has other things to do.
const DEADLINE: Duration = Duration::from_secs(120);

/// The address space of a line of a shell, in KiB. The stack of the program, which is hardly used, is part of it.
const ADDRESS_SPACE: u32 = 4_000_000;

/// What a run of `rely` gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
    pub(crate) took: Duration,
    /// The most bytes that the process had in memory, as far as that was seen; nothing where the system does not tell.
    pub(crate) peak_bytes: Option<usize>,
}

impl Run {
    /// The one object on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {:?}, {:?}", self.stdout, self.stderr))
    }

    /// The first result of the object.
    #[track_caller]
    pub(crate) fn result(&self) -> Value {
        self.json()["results"][0].clone()
    }

    /// The codes of the diagnostics of the object.
    #[track_caller]
    pub(crate) fn codes(&self) -> Vec<String> {
        let report = self.json();
        let diagnostics = report["diagnostics"].as_array().expect("diagnostics").clone();
        diagnostics.iter().map(|one| one["code"].as_str().expect("a code").to_owned()).collect()
    }
}

/// A run that has not ended.
pub(crate) struct Running {
    child: Child,
    start: Instant,
    /// Those who read standard output and standard error, so that a run never waits for them.
    readers: [JoinHandle<Vec<u8>>; 2],
    /// Whoever writes standard input.
    writer: JoinHandle<()>,
}

impl Running {
    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(sent.expect("kill is there").success(), "there is no process to be sent {name}");
    }

    /// Ends the run at once; what it gave is of no interest.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it is still running");
        self.child.wait().expect("it has ended");
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn end(mut self) -> Run {
        let mut peak_bytes = None;
        let status = loop {
            match self.child.try_wait().expect("the process is a child of this one") {
                Some(status) => break status,
                None if self.start.elapsed() > DEADLINE => {
                    self.child.kill().expect("the process is a child of this one");
                    panic!("it hangs");
                }
                None => {
                    peak_bytes = peak_bytes_of(self.id()).or(peak_bytes);
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        };
        let took = self.start.elapsed();
        self.writer.join().expect("the input is written");
        let read = |reader: JoinHandle<Vec<u8>>| {
            String::from_utf8(reader.join().expect("the output is read")).expect("UTF-8")
        };
        let [stdout, stderr] = self.readers.map(read);
        Run { stdout, stderr, status: status.code().expect("nobody kills it"), took, peak_bytes }
    }
}

/// The most bytes that a process has had in memory so far, where the system tells.
fn peak_bytes_of(process: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Starts a command, and gives it an input.
pub(crate) fn start(mut command: Command, input: &[u8]) -> Running {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program is there");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    // A program that does not read its input is no mistake.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let readers = [
        reader(child.stdout.take().expect("standard output is piped")),
        reader(child.stderr.take().expect("standard error is piped")),
    ];
    Running { child, start: Instant::now(), readers, writer }
}

fn reader(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// `rely` with arguments.
pub(crate) fn command<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rely"));
    command.args(arguments).env("RELY_CACHE", "");
    command
}

/// A line of a shell, in which `rely` is the program; in the folder for tests, with limited memory.
pub(crate) fn shell(line: &str) -> Command {
    let mut command = Command::new("bash");
    let limited = format!("ulimit -v {ADDRESS_SPACE}; {}", line.replace("rely ", "\"$0\" "));
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_rely")]).current_dir(place());
    command.env("RELY_CACHE", "");
    command
}

/// Runs `rely`.
#[track_caller]
pub(crate) fn rely(arguments: &[&str]) -> Run {
    start(command(arguments), b"").end()
}

/// Runs `rely` on an input.
#[track_caller]
pub(crate) fn rely_reading(arguments: &[&str], input: &[u8]) -> Run {
    start(command(arguments), input).end()
}

/// Runs a line of a shell.
#[track_caller]
pub(crate) fn run(line: &str) -> Run {
    start(shell(line), b"").end()
}

/// The path of a model that rely ships.
pub(crate) fn model(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).display().to_string()
}

/// The folder for the files of this run of the tests. Two runs at once, in two terminals, would otherwise read from each
/// other's pipes and write over each other's files. What earlier runs have left there is removed after a while.
pub(crate) fn place() -> PathBuf {
    const A_WHILE: Duration = Duration::from_secs(60 * 60);
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let own = all.join(format!("run-{}", std::process::id()));
    if own.is_dir() {
        return own;
    }
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let is_run = entry.file_name().to_string_lossy().starts_with("run-");
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|at| at.elapsed().ok());
        if is_run && age.is_some_and(|age| age > A_WHILE) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    std::fs::create_dir_all(&own).expect("the folder for tests can be written to");
    own
}

/// A new folder for the files of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = place().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    folder
}

/// A file for a test; its path.
pub(crate) fn file_in(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder for tests can be written to");
    path.display().to_string()
}

/// The fields of an object.
pub(crate) fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}
