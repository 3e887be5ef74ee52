//! What the compiler has to say of a contract that it proved.

use crate::Place;

/// One thing that is worth a look, and no reason to fail a build or a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The compiler's stable name for the kind of it, `agent-surface(form-tool)` for example.
    pub code: String,
    /// What was found, in one sentence.
    pub message: String,
    /// What to do instead.
    pub help: Option<String>,
    /// Where; none for what concerns the build as a whole.
    pub place: Option<Place>,
    /// The same as the compiler draws it, with the lines around the place.
    pub frame: String,
}

impl Warning {
    /// The kind of it, as one word: `form-tool`.
    pub(crate) fn kind(&self) -> &str {
        let inside = self.code.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        inside.unwrap_or(&self.code)
    }

    /// `form-tool index.html:3:7 A form is a tool …`, without the place where there is none.
    pub(crate) fn describe(&self) -> String {
        match &self.place {
            Some(place) => format!("{} {place} {}", self.kind(), self.message),
            None => format!("{} {}", self.kind(), self.message),
        }
    }
}
