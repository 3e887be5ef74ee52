//! The JSON Schema subset of the contract format.
