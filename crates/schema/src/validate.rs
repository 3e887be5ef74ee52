//! Validating a value.

use agent_surface_json::Json;

use crate::{Issue, Patterns};

/// Holds a value against a schema; no issues means that it is valid.
pub fn validate(_schema: &Json, _value: &Json, _patterns: &(impl Patterns + ?Sized)) -> Vec<Issue> {
    vec![Issue { path: String::new(), message: "the schema can't be applied".to_owned() }]
}
