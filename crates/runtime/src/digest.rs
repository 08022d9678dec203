//! Digests of texts, by which an old monitor is told from a new design.

/// The digest of some texts: FNV-1a with 64 bits over each, and over its length.
///
/// It finds changes that happened, not those that somebody has forged.
pub const fn digest(texts: &[&[u8]]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    let mut i = 0;
    while i < texts.len() {
        let text = texts[i];
        let mut j = 0;
        while j < text.len() {
            hash = (hash ^ text[j] as u64).wrapping_mul(PRIME);
            j += 1;
        }
        // The length keeps "ab", "c" apart from "a", "bc".
        hash = (hash ^ text.len() as u64 ^ (1 << 63)).wrapping_mul(PRIME);
        i += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn texts_are_told_apart() {
        let all =
            [digest(&[]), digest(&[b""]), digest(&[b"a", b"bc"]), digest(&[b"ab", b"c"]), digest(&[b"abc"])];
        for (i, one) in all.iter().enumerate() {
            assert_eq!(all.iter().filter(|other| *other == one).count(), 1, "{i}");
        }
        // The published value of FNV-1a for "a", before its length is added.
        assert_eq!(
            (0xCBF2_9CE4_8422_2325_u64 ^ 0x61).wrapping_mul(0x0000_0100_0000_01B3),
            0xAF63_DC4C_8601_EC8C
        );
    }
}
