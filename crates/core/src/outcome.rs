//! How an invocation ends.

use agent_surface_json::push_canonical_string;

use crate::ErrorPayload;

/// What came of an invocation.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It ran. The output is JSON text, where there is one.
    Ok(Option<String>),
    /// It failed.
    Error(ErrorPayload),
}

/// The answer to a request. A repetition gets the very same one.
#[derive(Clone, Debug, PartialEq)]
pub struct Settlement {
    /// The id of the invocation, given or made.
    pub invocation_id: String,
    /// What was asked for.
    pub capability_id: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The version of the surface by then.
    pub surface_version: u64,
    /// Whether the surface changed while it ran.
    pub surface_changed: bool,
}

impl Settlement {
    /// Appends the JSON form to `out`.
    pub fn push_json(&self, out: &mut String) {
        let mut member = |name: &str, value: &str| {
            out.push_str(name);
            push_canonical_string(value, out);
        };
        member("{\"invocationId\":", &self.invocation_id);
        member(",\"capabilityId\":", &self.capability_id);
        member(",\"surfaceVersion\":", &self.surface_version.to_string());
        if self.surface_changed {
            out.push_str(",\"surfaceChanged\":true");
        }
        match &self.outcome {
            Outcome::Ok(output) => {
                out.push_str(",\"status\":\"ok\"");
                if let Some(output) = output {
                    out.push_str(",\"output\":");
                    out.push_str(output);
                }
            }
            Outcome::Error(payload) => {
                out.push_str(",\"status\":\"error\",\"error\":");
                payload.to_json().push_canonical(out);
            }
        }
        out.push('}');
    }

    /// The error, if it failed.
    #[must_use]
    pub fn error(&self) -> Option<&ErrorPayload> {
        match &self.outcome {
            Outcome::Ok(_) => None,
            Outcome::Error(payload) => Some(payload),
        }
    }
}
