//! Pictures of transition systems: a layered layout written as SVG.
