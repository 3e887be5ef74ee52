//! The capability contract manifest.
