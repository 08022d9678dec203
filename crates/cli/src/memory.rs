//! How much memory there is for an analysis.
//!
//! A program that takes more than there is gets killed, or aborts, and what it has found so far is lost. So there is a
//! limit even where no `--max-memory` was given: what the system can give at the start, less a reserve for what the
//! analyses do not count. Where the system does not tell, there is none.
//!
//! What `ulimit -v` allows is a limit also where `--max-memory` allows more: beyond it the program cannot go on. It
//! counts addresses, also those that are not used: the stacks and heaps of threads, and the old place of a table while
//! it moves to a new one. So only half of what is left of it is for analyses.
//!
//! Analyses count what they hold. What the program takes is more: from the first large table that is freed on, the
//! allocator of glibc serves tables of up to 32 MB from its heap, of which it gives little back. That can be 90 MB after a
//! few searches, so where memory is limited it is told not to ([`restart_with_frugal_allocator`]). And the system is asked
//! now and then how much the program has in all ([`Resident`]).
//!
//! To start again is the smallest means to that end. Measured on `models/peterson.lts` with N = 5, whose tables grow and are
//! freed in turns: under `--max-memory 50M` the program takes 55 MB, and 79 MB where the heap serves tables of up to 32 MB;
//! under 200M it is 166 MB and 211 MB. An allocator of our own would be C code in a program that is pure Rust but for its
//! store, and would change what every search costs; tables that are counted less, or given back by hand, would have to be
//! so in every algorithm.

use std::fs::read_to_string;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The limit on memory, of which the user may have wanted another one.
pub(crate) fn limit(wanted: Option<usize>) -> Option<usize> {
    wanted.or_else(by_default).into_iter().chain(of_address_space()).min()
}

/// The limit on memory where none was given.
fn by_default() -> Option<usize> {
    let free = read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemAvailable:"));
    let group = read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    [free, group].into_iter().flatten().min().map(|bytes| bytes - bytes / 4)
}

/// Half of the address space that is left, if there is a limit on it.
fn of_address_space() -> Option<usize> {
    left().map(|bytes| bytes / 2)
}

/// The size of a large stack: the wanted one, or a quarter of the address space that is left.
pub(crate) fn stack(wanted: usize) -> usize {
    left().map_or(wanted, |bytes| wanted.min(bytes / 4))
}

/// How many threads there is room for, at least one.
pub(crate) fn most_threads() -> NonZeroUsize {
    /// The addresses that a thread reserves for its heap when it starts, and as many for what it does with them.
    const EACH: usize = 256 << 20;
    let more = left().map_or(usize::MAX, |bytes| bytes / EACH);
    NonZeroUsize::MIN.saturating_add(more)
}

/// The address space that is left, if there is a limit on it.
fn left() -> Option<usize> {
    let all = address_space(&read_to_string("/proc/self/limits").ok()?)?;
    let status = read_to_string("/proc/self/status").ok();
    let taken = status.as_deref().and_then(|text| kibibytes(text, "VmSize:")).unwrap_or(0);
    Some(all.saturating_sub(taken))
}

/// Starts the program again in its place, with an allocator that gives every large table back to the system as soon as it
/// is freed. It reads that from the environment when a program starts, and cannot be told later without unsafe code.
///
/// Returns if that has been done, or cannot be done: then the program is a little larger, and nothing else.
pub(crate) fn restart_with_frugal_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;

        const SETTING: &str = "MALLOC_MMAP_THRESHOLD_";
        const LARGE: usize = 1 << 20;
        if std::env::var_os(SETTING).is_some() {
            return;
        }
        let Ok(program) = std::env::current_exe() else { return };
        let mut words = std::env::args_os();
        let mut command = std::process::Command::new(program);
        if let Some(name) = words.next() {
            command.arg0(name);
        }
        // It comes back only if it fails.
        let _ = command.args(words).env(SETTING, LARGE.to_string()).exec();
    }
}

/// Whether there is a limit on the address space.
pub(crate) fn has_few_addresses() -> bool {
    left().is_some()
}

/// Sees that the program takes no more memory than it may, whatever its analyses count.
pub(crate) struct Resident {
    /// The most bytes that may be in memory, if there is a limit.
    most: Option<usize>,
    /// When the system was asked last, in milliseconds since the start.
    asked: AtomicU64,
}

impl Resident {
    /// With some room beside the limit on what analyses hold.
    pub(crate) fn within(limit: Option<usize>) -> Self {
        const ROOM: usize = 12 << 20;
        Self { most: limit.map(|bytes| bytes.saturating_add(ROOM)), asked: AtomicU64::new(0) }
    }

    /// The same limit, with a clock that starts now.
    pub(crate) fn restarted(&self) -> Self {
        Self { most: self.most, asked: AtomicU64::new(0) }
    }

    /// Whether the program takes more than it may. Nothing is asked again within a few milliseconds: to ask takes some
    /// microseconds, and an analysis takes some megabytes in that time.
    pub(crate) fn is_too_large(&self, elapsed: Duration) -> bool {
        const PAUSE: u64 = 4;
        let now = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let Some(most) = self.most.filter(|_| now >= self.asked.load(Ordering::Relaxed) + PAUSE) else {
            return false;
        };
        self.asked.store(now, Ordering::Relaxed);
        resident().is_some_and(|bytes| bytes > most)
    }
}

/// The bytes of this program that are in memory, where the system tells.
fn resident() -> Option<usize> {
    kibibytes(&read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The value of a line such as `MemAvailable:  16384 kB`, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<usize>().ok()?.checked_mul(1024)
}

/// What `ulimit -v` allows, if it does not allow everything.
fn address_space(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_looked_at_now_and_then() {
        let after = Duration::from_millis;
        // No program fits into nothing but the room beside it; tests do not run where the system does not tell.
        let narrow = Resident { most: Some(1), asked: AtomicU64::new(0) };
        let asked = [1, 10, 11, 20].map(|time| narrow.is_too_large(after(time)));
        assert_eq!(asked, [false, true, false, true].map(|known| known && resident().is_some()));
        assert!(!Resident::within(None).is_too_large(after(10)));
        assert!(!Resident::within(Some(1 << 40)).is_too_large(after(10)));
    }

    #[test]
    fn the_system_tells_what_it_has() {
        assert_eq!(kibibytes("MemFree:  5 kB\nMemAvailable:   16 kB\n", "MemAvailable:"), Some(16 << 10));
        assert_eq!(kibibytes("MemFree:  5 kB\n", "MemAvailable:"), None);
        let limits =
            |soft: &str| format!("Limit  Soft  Hard  Units\nMax address space  {soft}  unlimited bytes\n");
        assert_eq!(address_space(&limits("1536000000")), Some(1_536_000_000));
        assert_eq!(address_space(&limits("unlimited")), None);
    }
}
