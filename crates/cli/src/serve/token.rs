//! The token that a request has to have: 128 random bits.

use std::fmt::Write as _;
use std::io::Read;

use anyhow::Context as _;

/// A new token.
pub(super) fn new() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    let mut source = std::fs::File::open("/dev/urandom").context("there is no source of random numbers")?;
    source.read_exact(&mut bytes).context("there is no source of random numbers")?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

/// Whether two tokens are the same; how long that takes does not depend on where they differ.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ() {
        let (one, other) = (new().expect("random"), new().expect("random"));
        assert_eq!(one.len(), 32);
        assert!(
            is_same(&one, &one) && !is_same(&one, &other) && !is_same(&one, &one[..31]) && !is_same("", &one)
        );
    }
}
