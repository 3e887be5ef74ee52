//! Static analysis of contract macros.
