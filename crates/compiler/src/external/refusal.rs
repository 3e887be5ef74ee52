//! Why a contract file is not to be believed.

use agent_surface_json::Json;

/// Why a contract file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What is wrong with the file, after its name.
    pub(crate) message: String,
    /// The byte offset in its text, where there is a place to show.
    pub(crate) offset: Option<usize>,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), offset: None }
    }

    /// Shows the place of a text of the file that occurs in it as a whole string.
    pub(crate) fn at_string(self, file: &str, string: &str) -> Self {
        let quoted = Json::from(string).to_canonical();
        Self { offset: file.find(&quoted), ..self }
    }
}
