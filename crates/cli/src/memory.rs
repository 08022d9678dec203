//! How much memory there is for an analysis when nobody has said.
//!
//! A program that takes more than there is gets killed, or aborts, and what it has found so far is lost. So there is a
//! limit even where no `--max-memory` was given: what the system can give at the start, less a reserve for what the
//! analyses do not count. Where the system does not tell, there is none.

use std::fs::read_to_string;

/// The limit on memory where none was given.
pub(crate) fn by_default() -> Option<usize> {
    let free = read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemAvailable:"));
    let status = read_to_string("/proc/self/status").ok();
    let taken = status.as_deref().and_then(|text| kibibytes(text, "VmSize:")).unwrap_or(0);
    let address_space = read_to_string("/proc/self/limits").ok().and_then(|text| address_space(&text));
    let group = read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let left = address_space.map(|bytes: usize| bytes.saturating_sub(taken));
    [free, left, group].into_iter().flatten().min().map(|bytes| bytes - bytes / 4)
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
