//! FSP, the process algebra of LTSA: the lossless syntax tree, and its meaning as components and properties.

pub mod ast;
