//! The search loops: exploring implicit transition systems breadth first, with limits.
