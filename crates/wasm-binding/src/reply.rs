//! What a call that refuses answers, as JSON.

use agent_surface_json::{Json, Object};
use agent_surface_manifest::ManifestError;
use agent_surface_schema as schema;
use agent_surface_schema::Issue;

/// Why something that an app handed in is not accepted; JavaScript throws it as `AgentSurfaceDefinitionError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of defect.
    pub code: Code,
    /// The sentence for the app's developer.
    pub message: String,
}

/// The codes of `AgentSurfaceDefinitionError` that this module gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// `INVALID_DEFINITION`
    InvalidDefinition,
    /// `DUPLICATE_CAPABILITY`
    DuplicateCapability,
    /// `UNSUPPORTED_SCHEMA`
    UnsupportedSchema,
}

impl Code {
    /// The code as JavaScript spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidDefinition => "INVALID_DEFINITION",
            Self::DuplicateCapability => "DUPLICATE_CAPABILITY",
            Self::UnsupportedSchema => "UNSUPPORTED_SCHEMA",
        }
    }
}

impl Refusal {
    /// `{"code":…,"message":…}`
    #[must_use]
    pub fn to_json(&self) -> Json {
        let members = [("code", self.code.as_str()), ("message", &self.message)];
        members.into_iter().collect::<Object>().into()
    }
}

impl From<ManifestError> for Refusal {
    fn from(error: ManifestError) -> Self {
        let code = match error {
            ManifestError::Duplicate { .. } => Code::DuplicateCapability,
            _ => Code::InvalidDefinition,
        };
        Self { code, message: error.message() }
    }
}

impl From<Vec<schema::Refusal>> for Refusal {
    fn from(refusals: Vec<schema::Refusal>) -> Self {
        let reasons: Vec<String> = refusals.iter().map(schema::Refusal::message).collect();
        Self { code: Code::UnsupportedSchema, message: reasons.join("; ") }
    }
}

/// `[{"message":…,"path":…}]`
#[must_use]
pub fn issues_to_json(issues: Vec<Issue>) -> Json {
    let to_object = |issue: Issue| [("path", issue.path), ("message", issue.message)].into_iter().collect();
    issues.into_iter().map(to_object).collect::<Vec<Object>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_replies_with_code_and_message() {
        let refusal = Refusal { code: Code::DuplicateCapability, message: "twice".to_owned() };
        assert_eq!(refusal.to_json().to_canonical(), r#"{"code":"DUPLICATE_CAPABILITY","message":"twice"}"#);
    }

    #[test]
    fn issues_reply_with_path_and_message() {
        let issue = Issue { path: "rows[2].id".to_owned(), message: "is required".to_owned() };
        let reply = issues_to_json(vec![issue]).to_canonical();
        assert_eq!(reply, r#"[{"message":"is required","path":"rows[2].id"}]"#);
    }
}
