//! Certificates for verdicts that hold, and a second, naive implementation that re-checks them.
