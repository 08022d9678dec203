//! Events that count their signals.

use rely_runtime::event;

use crate::Fault;
use crate::sync::{Condvar, Mutex, MutexGuard};

/// An event: how often it has been signalled.
#[derive(Debug)]
pub struct Signals {
    name: &'static str,
    fault: Fault,
    count: Mutex<Count>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Count {
    signals: u64,
    is_stopped: bool,
}

impl Signals {
    /// An event with a name, which has not been signalled yet.
    pub fn new(name: &'static str, fault: Fault) -> Self {
        Self { name, fault, count: Mutex::new(Count::default()), changed: Condvar::new() }
    }

    /// Wakes whoever waits.
    pub fn signal(&self) {
        let mut count = self.lock();
        event!("signal", self.name);
        count.signals += 1;
        if self.fault != Fault::SilentSignal {
            self.changed.notify_all();
        }
    }

    /// Waits for a signal, if there was none after the first ones that were `noticed`.
    pub(crate) fn wait_beyond(&self, noticed: u64) {
        let count = self.lock();
        let has_news = self.look(&count, noticed);
        if self.fault == Fault::HastyWait {
            drop(count);
            if !has_news {
                self.wait(self.lock());
            }
        } else if !has_news {
            self.wait(count);
        }
    }

    /// How many signals there were; nothing if nobody is to wait any more.
    pub(crate) fn notice(&self) -> Option<u64> {
        let count = self.lock();
        if count.is_stopped {
            return None;
        }
        event!("notice", self.name);
        Some(count.signals)
    }

    /// Whoever waits goes on. This is no event of the design.
    pub fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    fn look(&self, count: &Count, noticed: u64) -> bool {
        let has_news = count.signals > noticed;
        event!("look", self.name, has_news);
        has_news
    }

    /// Waits for the next signal.
    fn wait(&self, mut count: MutexGuard<'_, Count>) {
        event!("wait", self.name);
        let before = count.signals;
        while count.signals == before && !count.is_stopped {
            count = self.changed.wait(count).expect("nobody panics with the mutex");
        }
        if !count.is_stopped {
            event!("wake", self.name);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.count.lock().expect("nobody panics with the mutex")
    }
}
