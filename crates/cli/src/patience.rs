//! Waiting for files: with a clock, and with an ear for whoever asks to stop.
//!
//! A pipe that nobody writes to keeps its reader waiting, one that nobody reads keeps its writer waiting, and a signal
//! does not end that: the operating system begins the call anew. So whatever is no plain file is opened, read and written
//! by a thread of its own. When a limit is met the thread is abandoned, and the end of the program is its end.

use std::io::{Cursor, Error, ErrorKind, Read, Result, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Larger files are refused: reading them would only fill the memory.
pub(crate) const MAX_INPUT: u64 = 8 << 30;

/// Files that are not longer are read without a look at the clock.
const USUAL: u64 = 16 << 20;

/// How often somebody who waits looks at the limits.
const PAUSE: Duration = Duration::from_millis(20);

/// So long is waited for whoever is at the other end of a pipe, even if the time is over: a model of usual size is read in
/// any case, and what is to be said about a limit is said about its targets.
const GRACE: Duration = Duration::from_millis(200);

/// How much a thread reads or writes at once.
pub(crate) const CHUNK: usize = 64 << 10;

/// The limits that hold while a file is read or opened, before there is anything to analyse.
#[derive(Clone, Default)]
pub(crate) struct Patience {
    /// When the time is over.
    pub(crate) deadline: Option<Instant>,
    /// The memory that may be used.
    pub(crate) bytes: Option<usize>,
    /// Whether somebody has asked to stop.
    pub(crate) interrupted: Arc<AtomicBool>,
}

impl Patience {
    /// The same without a limit on memory.
    pub(crate) fn with_all_memory(&self) -> Self {
        Self { bytes: None, ..self.clone() }
    }

    /// The most bytes of one file.
    pub(crate) fn most(&self) -> u64 {
        self.bytes.map_or(MAX_INPUT, |bytes| MAX_INPUT.min(bytes as u64))
    }

    /// A reader that fails when a limit is met.
    pub(crate) fn limit<R: Read>(&self, input: R) -> Limited<'_, R> {
        Limited { patience: self, input, left: self.most() }
    }

    /// A reader of what may keep one waiting when it is opened or read.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn read_apart<R: Read>(
        &self,
        open: impl FnOnce() -> Result<R> + Send + 'static,
    ) -> Result<Awaited<'_>> {
        let (sender, chunks) = sync_channel(4);
        let work = move || match open() {
            Ok(input) => pass_on(input, &sender),
            // Nobody is there to hear it when the reader is gone.
            Err(error) => drop(sender.send(Err(error))),
        };
        std::thread::Builder::new().name("reader".to_owned()).spawn(work)?;
        Ok(Awaited { patience: self, chunks, chunk: Cursor::default() })
    }

    /// A writer to what may keep one waiting when it is opened or written to.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn write_apart<W: Write>(
        &self,
        open: impl FnOnce() -> Result<W> + Send + 'static,
    ) -> Result<Delivery<'_>> {
        let (parts, to_write) = sync_channel(1);
        let (sender, answers) = sync_channel(1);
        let work = move || match open() {
            Ok(output) => take_over(output, &to_write, &sender),
            // Nobody is there to hear it when the writer is gone.
            Err(error) => drop(sender.send(Err(error))),
        };
        std::thread::Builder::new().name("writer".to_owned()).spawn(work)?;
        Ok(Delivery { patience: self, parts: Some(parts), answers, met: None })
    }

    /// What a thread sends next; nothing if it has ended.
    fn wait_for<T>(&self, receiver: &Receiver<T>) -> Result<Option<T>> {
        let grace = Instant::now() + GRACE;
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(sent) => return Ok(Some(sent)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => self.check_interrupted()?,
            }
            if Instant::now() > grace {
                self.check_deadline()?;
            }
        }
    }

    fn check_interrupted(&self) -> Result<()> {
        match self.interrupted.load(Ordering::Relaxed) {
            true => Err(stopped("stopped on request".to_owned())),
            false => Ok(()),
        }
    }

    fn check_deadline(&self) -> Result<()> {
        match self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            true => Err(stopped("time ran out".to_owned())),
            false => Ok(()),
        }
    }
}

/// Sends everything that is read, until the end, an error, or nobody listens any more.
fn pass_on(mut input: impl Read, chunks: &SyncSender<Result<Vec<u8>>>) {
    loop {
        let chunk = next_chunk(&mut input);
        let is_last = chunk.as_ref().map_or(true, Vec::is_empty);
        if chunks.send(chunk).is_err() || is_last {
            return;
        }
    }
}

fn next_chunk(input: &mut impl Read) -> Result<Vec<u8>> {
    let mut chunk = vec![0; CHUNK];
    loop {
        match input.read(&mut chunk) {
            Ok(count) => {
                chunk.truncate(count);
                return Ok(chunk);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes everything that is sent, until an error, or nobody sends any more. Every part is answered.
fn take_over(mut output: impl Write, parts: &Receiver<Vec<u8>>, answers: &SyncSender<Result<()>>) {
    for part in parts {
        let written = output.write_all(&part).and_then(|()| output.flush());
        let has_failed = written.is_err();
        if answers.send(written).is_err() || has_failed {
            return;
        }
    }
}

/// A limit was met while a file was read, written or opened.
#[derive(Debug)]
struct Stopped(String);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// The error of a limit.
pub(crate) fn stopped(reason: String) -> Error {
    Error::other(Stopped(reason))
}

/// Whether an error is that of a limit.
pub(crate) fn is_stopped(error: &anyhow::Error) -> bool {
    let inner = |error: &(dyn std::error::Error + 'static)| {
        error.downcast_ref::<Error>()?.get_ref().map(|inner| inner.is::<Stopped>())
    };
    error.chain().any(|error| inner(error) == Some(true))
}

/// A reader under limits.
pub(crate) struct Limited<'p, R> {
    patience: &'p Patience,
    input: R,
    /// The bytes that may still be read.
    left: u64,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.patience.check_interrupted()?;
        let most = self.patience.most();
        if most - self.left > USUAL {
            self.patience.check_deadline()?;
        }
        let count = self.input.read(buffer)?;
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| stopped(format!("it has more than {most} bytes")))?;
        Ok(count)
    }
}

/// A reader that waits for a thread which reads.
pub(crate) struct Awaited<'p> {
    patience: &'p Patience,
    /// What was read, part by part; an empty part is the end.
    chunks: Receiver<Result<Vec<u8>>>,
    /// What is left of the part that came last.
    chunk: Cursor<Vec<u8>>,
}

impl Read for Awaited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.chunk.read(buffer)?;
        if count > 0 || buffer.is_empty() {
            return Ok(count);
        }
        self.chunk = Cursor::new(self.patience.wait_for(&self.chunks)?.unwrap_or_else(|| Ok(Vec::new()))?);
        self.chunk.read(buffer)
    }
}

/// A writer that waits for a thread which writes. What is written to it is there when it returns.
pub(crate) struct Delivery<'p> {
    patience: &'p Patience,
    /// What is to be written, part by part; nothing once a part could not be.
    parts: Option<SyncSender<Vec<u8>>>,
    /// What has become of each part.
    answers: Receiver<Result<()>>,
    /// The limit that was met. Who writes may tell of it in words of their own only.
    met: Option<Error>,
}

impl Delivery<'_> {
    /// The error of the limit that was met while something was written, if one was.
    pub(crate) fn limit(&mut self) -> Option<Error> {
        self.met.take()
    }
}

impl Write for Delivery<'_> {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        let Some(parts) = self.parts.take() else { return Err(ErrorKind::BrokenPipe.into()) };
        // When the thread has ended already, its answer says why.
        let _ = parts.send(buffer.to_vec());
        match self.patience.wait_for(&self.answers) {
            Ok(answer) => answer.unwrap_or_else(|| Err(ErrorKind::Other.into()))?,
            Err(limit) => {
                let told = Error::other(limit.to_string());
                self.met = Some(limit);
                return Err(told);
            }
        }
        self.parts = Some(parts);
        Ok(buffer.len())
    }

    /// Waits until the output is open, at least.
    fn flush(&mut self) -> Result<()> {
        self.write(&[]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_reads_is_what_there_is() {
        let bytes: Vec<u8> =
            (0..3 * CHUNK + 7).map(|i| u8::try_from(i % 251).expect("it is small")).collect();
        let (patience, source) = (Patience::default(), bytes.clone());
        let mut read = Vec::new();
        let mut input = patience.read_apart(move || Ok(Cursor::new(source))).expect("there is a thread");
        input.read_to_end(&mut read).expect("nothing is wrong");
        assert_eq!(read, bytes);
        let mut failing = patience.read_apart(|| Err::<Cursor<Vec<u8>>, _>(ErrorKind::NotFound.into()));
        let error =
            failing.as_mut().expect("there is a thread").read_to_end(&mut read).expect_err("it failed");
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }

    /// A reader that never gives anything.
    struct Silent(Receiver<()>);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    /// A writer that never takes anything.
    struct Deaf(Receiver<()>);

    impl Write for Deaf {
        fn write(&mut self, _: &[u8]) -> Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_for_ever() {
        let (_sender, receiver) = std::sync::mpsc::channel();
        let late = Patience { deadline: Some(Instant::now()), ..Patience::default() };
        let mut input = late.read_apart(move || Ok(Silent(receiver))).expect("there is a thread");
        let error = input.read(&mut [0]).expect_err("the time is over");
        assert!(is_stopped(&error.into()));
        let asked = Patience { interrupted: Arc::new(AtomicBool::new(true)), ..Patience::default() };
        let (_sender, receiver) = std::sync::mpsc::channel();
        let mut output = asked.write_apart(move || Ok(Deaf(receiver))).expect("there is a thread");
        assert!(output.write_all(b"nobody takes it").is_err());
        assert!(is_stopped(&output.limit().expect("somebody has asked to stop").into()));
        // What has failed once is not waited for again.
        assert_eq!(output.write_all(b"more").expect_err("it has failed").kind(), ErrorKind::BrokenPipe);
    }
}
