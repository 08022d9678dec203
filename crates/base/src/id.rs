//! Ids are 32-bit and typed by what they point at; only the container that owns the things makes them.

/// An index into a container of a fixed kind of thing.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The id of the thing at `index`.
    ///
    /// # Panics
    /// When `index` does not fit 32 bits: containers refuse to grow that far before they make an id.
    fn from_index(index: usize) -> Self;

    /// The position of the thing in its container.
    fn index(self) -> usize;
}

/// Defines a typed 32-bit id.
#[macro_export]
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("containers stay below 2^32 elements"))
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $name {
            /// The id as a plain number, for packed tables and file formats.
            #[inline]
            pub const fn raw(self) -> u32 {
                self.0
            }

            /// The id with the given number, for packed tables and file formats.
            #[inline]
            pub const fn from_raw(raw: u32) -> Self {
                Self(raw)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

define_id! {
    /// A state of a transition system.
    StateId
}
