//! How an invocation ends.

use agent_surface_json::ObjectWriter;

use crate::ErrorPayload;
use crate::text::decimal;

/// What came of an invocation.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It ran. The output is JSON text, where there is one.
    Ok(Option<String>),
    /// It failed.
    Error(ErrorPayload),
}

impl Outcome {
    /// Appends the JSON form to `out`.
    pub fn push_json(&self, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        self.push_members(&mut object);
        object.end();
    }

    fn push_members(&self, object: &mut ObjectWriter<'_>) {
        match self {
            Self::Ok(output) => {
                object.text("status", "ok");
                if let Some(output) = output {
                    object.raw("output", output);
                }
            }
            Self::Error(payload) => {
                object.text("status", "error");
                payload.push_json(object.member("error"));
            }
        }
    }
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
        let mut object = ObjectWriter::begin(out);
        object.text("invocationId", &self.invocation_id);
        object.text("capabilityId", &self.capability_id);
        object.text("surfaceVersion", &decimal(self.surface_version));
        if self.surface_changed {
            object.flag("surfaceChanged", true);
        }
        self.outcome.push_members(&mut object);
        object.end();
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
