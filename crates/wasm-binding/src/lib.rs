//! The browser module.
