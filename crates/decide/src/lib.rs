//! Decisions: deadlock, safety, progress, linear temporal logic, divergence.
