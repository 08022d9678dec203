//! Random numbers that are the same for the same seed, on every machine: splitmix64 [Steele, Lea, Flood 2014], as in the
//! tests.

/// A source of random numbers.
pub(crate) struct Random(u64);

impl Random {
    /// The source with a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % n as u64).expect("a remainder of a usize")
    }
}
