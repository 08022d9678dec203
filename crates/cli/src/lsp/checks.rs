//! Verdicts, looked for in a thread of their own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use rely_base::{Observer, Progress, Resource};
use rely_session::report::{AnyReport, CheckResult, Report};
use rely_session::{CheckQuery, Query, Request, Workspace};

use super::Event;
use crate::args::Global;
use crate::memory;

/// How long a check may take where no limit was given.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a check may take.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    pub(super) time: Duration,
    bytes: Option<usize>,
    states: Option<usize>,
}

impl Allowed {
    pub(super) fn by(global: &Global) -> Self {
        Self {
            time: global.timeout.unwrap_or(PATIENCE),
            bytes: memory::limit(global.max_memory),
            states: global.max_states,
        }
    }
}

/// What a thread has found.
pub(crate) enum Found {
    /// How many states have been reached.
    Progress(String, usize),
    /// The answers about a text, or why there are none.
    Answers {
        uri: String,
        about: Arc<BTreeMap<String, String>>,
        answers: Result<Report<CheckResult>, String>,
    },
}

/// A check that is going on.
pub(super) struct Running {
    pub(super) uri: String,
    cancel: Arc<AtomicBool>,
}

impl Running {
    /// Checks a text among others, in a thread.
    pub(super) fn start(
        uri: &str,
        texts: Arc<BTreeMap<String, String>>,
        allowed: Allowed,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        let cancel = Arc::new(AtomicBool::new(false));
        let watch = Watch {
            start: Instant::now(),
            allowed,
            cancel: Arc::clone(&cancel),
            told: AtomicUsize::new(0),
            uri: uri.to_owned(),
            events: events.clone(),
        };
        let (name, about) = (uri.to_owned(), Arc::clone(&texts));
        let work = move || {
            let check = std::panic::AssertUnwindSafe(|| check(&name, &texts, &watch));
            let answers = std::panic::catch_unwind(check)
                .unwrap_or_else(|_| Err("there is a mistake in rely: this check has failed".to_owned()));
            // Where nobody listens any more, the server has ended.
            let _ = events.send(Event::Found(Found::Answers { uri: name, about, answers }));
        };
        let stack = memory::stack(crate::STACK);
        std::thread::Builder::new().name("check".to_owned()).stack_size(stack).spawn(work)?;
        Ok(Self { uri: uri.to_owned(), cancel })
    }

    pub(super) fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

fn check(uri: &str, texts: &BTreeMap<String, String>, watch: &Watch) -> Result<Report<CheckResult>, String> {
    let mut workspace = Workspace::default();
    for (name, text) in texts {
        workspace.set(name.clone(), text.clone());
    }
    let request = Request {
        file: uri.to_owned(),
        properties: None,
        define: BTreeMap::new(),
        max_states: watch.allowed.states,
        max_bytes: watch.allowed.bytes,
        query: Query::Check(CheckQuery::default()),
    };
    match workspace.ask(&request, Some(watch)) {
        Ok(AnyReport::Check(report)) => Ok(report),
        Ok(_) => Err("the answer is one to another question".to_owned()),
        Err(internal) => Err(internal.to_string()),
    }
}

/// Ends a check when it is cancelled or has taken too long, and tells how far it has come.
struct Watch {
    start: Instant,
    allowed: Allowed,
    cancel: Arc<AtomicBool>,
    /// For how many tenths of a second progress has been told.
    told: AtomicUsize,
    uri: String,
    events: Sender<Event>,
}

impl Observer for Watch {
    fn observe(&self, progress: &Progress) -> Option<Resource> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Resource::Cancelled);
        }
        let elapsed = self.start.elapsed();
        let tenths = usize::try_from(elapsed.as_millis() / 100).unwrap_or(usize::MAX);
        if self.told.fetch_max(tenths, Ordering::Relaxed) + 2 < tenths {
            let _ = self.events.send(Event::Found(Found::Progress(self.uri.clone(), progress.states)));
        }
        (elapsed > self.allowed.time).then_some(Resource::Time)
    }

    fn time_used(&self) -> Option<f64> {
        let time = self.allowed.time;
        Some(if time.is_zero() { 1.0 } else { self.start.elapsed().div_duration_f64(time) })
    }
}

/// Ends what is done while somebody types, if it takes too long.
pub(super) struct Brief(pub(super) Instant);

impl Observer for Brief {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        const LONGEST: Duration = Duration::from_millis(500);
        (self.0.elapsed() > LONGEST).then_some(Resource::Time)
    }
}
