//! How much memory there is for an analysis.
//!
//! A program that takes more than there is gets killed, or aborts, and what it has found so far is lost. So there is a
//! limit even where no `--max-memory` was given: what the system can give at the start, less a reserve for what the
//! analyses do not count. Where the system does not tell, there is none.
//!
//! What `ulimit -v` allows is a limit also where `--max-memory` allows more: beyond it the program cannot go on. It
//! counts addresses, also those that are not used: the stacks and heaps of threads, and the old place of a table while
//! it moves to a new one. So only half of what is left of it is for analyses.

use std::fs::read_to_string;
use std::num::NonZeroUsize;

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
    fn the_system_tells_what_it_has() {
        assert_eq!(kibibytes("MemFree:  5 kB\nMemAvailable:   16 kB\n", "MemAvailable:"), Some(16 << 10));
        assert_eq!(kibibytes("MemFree:  5 kB\n", "MemAvailable:"), None);
        let limits =
            |soft: &str| format!("Limit  Soft  Hard  Units\nMax address space  {soft}  unlimited bytes\n");
        assert_eq!(address_space(&limits("1536000000")), Some(1_536_000_000));
        assert_eq!(address_space(&limits("unlimited")), None);
    }
}
