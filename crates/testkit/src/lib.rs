//! Generators of random systems and naive twins of the algorithms, for tests only.
