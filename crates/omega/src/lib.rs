//! Linear temporal logic with fluents, and its translation to Büchi automata.
