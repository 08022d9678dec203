//! The one façade: projects, queries and reports, plain data in and out.
