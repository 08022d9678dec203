//! A small deterministic source of random numbers: splitmix64 [Steele, Lea, Flood 2014].

/// Random numbers that are the same for the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The source with a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is no number below 0");
        usize::try_from(self.next_u64() % n as u64).expect("the remainder is below a usize")
    }

    /// Whether something happens that has a chance of `num` in `den`.
    pub fn chance(&mut self, num: usize, den: usize) -> bool {
        self.below(den) < num
    }

    /// One of the items.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The seeds of a random test: the first `count`, or a multiple of that if the environment variable `SEEDS_TIMES` is
/// set; or the one seed given by `SEED`, to repeat a failure.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    match number("SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..count * number("SEEDS_TIMES").unwrap_or(1),
    }
}

/// Whether only one seed is tested, so that counts over all seeds mean nothing.
pub fn is_single_seed() -> bool {
    std::env::var_os("SEED").is_some()
}
