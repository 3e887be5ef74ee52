//! The grammar of ids: what a capability, a component type and an instance may be called.
//!
//! ```text
//! view:<component type>.<name>    the name is what follows the last dot
//! domain:<path>                   an oRPC path, which is not looked into
//! external:<text>                 what the provider calls it
//! ```

use std::fmt;

/// The longest capability id, component type or instance id, in UTF-16 code units.
pub const MAX_ID_LENGTH: usize = 128;

/// The part of the app that a capability belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plane {
    /// What is on the screen.
    View,
    /// What the server does.
    Domain,
    /// What a provider outside the app does.
    External,
}

impl Plane {
    /// How ids spell it, before the colon.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Domain => "domain",
            Self::External => "external",
        }
    }
}

/// A capability id, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapabilityId<'a> {
    /// `view:<component type>.<name>`
    View {
        /// Segments joined by dots.
        component_type: &'a str,
        /// The capability's own name.
        name: &'a str,
    },
    /// `domain:<path>`
    Domain {
        /// The path of the procedure.
        path: &'a str,
    },
    /// `external:<text>`
    External {
        /// The provider's name of the tool.
        text: &'a str,
    },
}

impl<'a> CapabilityId<'a> {
    /// Takes a capability id apart.
    ///
    /// # Errors
    /// The first rule of the grammar that `id` breaks.
    pub fn parse(id: &'a str) -> Result<Self, IdError> {
        let error = |rule| IdError::new(id, rule);
        check_length(id)?;
        let (plane, rest) = id.split_once(':').ok_or_else(|| error(Rule::Plane))?;
        match plane {
            "view" => {
                let (component_type, name) = rest.rsplit_once('.').ok_or_else(|| error(Rule::Name))?;
                if !is_component_type(component_type) {
                    return Err(error(Rule::ComponentType));
                }
                if !is_capability_name(name) {
                    return Err(error(Rule::Name));
                }
                Ok(Self::View { component_type, name })
            }
            "domain" if rest.is_empty() => Err(error(Rule::Path)),
            "domain" => Ok(Self::Domain { path: rest }),
            "external" if rest.is_empty() => Err(error(Rule::Text)),
            "external" => Ok(Self::External { text: rest }),
            _ => Err(error(Rule::Plane)),
        }
    }

    /// The plane it belongs to.
    #[must_use]
    pub const fn plane(&self) -> Plane {
        match self {
            Self::View { .. } => Plane::View,
            Self::Domain { .. } => Plane::Domain,
            Self::External { .. } => Plane::External,
        }
    }
}

impl fmt::Display for CapabilityId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = match self {
            Self::View { component_type, name } => ["view:", component_type, ".", name],
            Self::Domain { path } => ["domain:", path, "", ""],
            Self::External { text } => ["external:", text, "", ""],
        };
        parts.iter().try_for_each(|part| f.write_str(part))
    }
}

/// The id of a component's capability: `view:<component type>.<name>`, whatever the two are.
#[must_use]
pub fn view_id(component_type: &str, name: &str) -> String {
    ["view:", component_type, ".", name].concat()
}

/// Checks a component type.
///
/// # Errors
/// It is too long, or its segments are not `[a-z][a-z0-9-]*` joined by dots.
pub fn check_component_type(text: &str) -> Result<(), IdError> {
    check_length(text)?;
    if is_component_type(text) { Ok(()) } else { Err(IdError::new(text, Rule::ComponentType)) }
}

/// Checks the name of an observation or action.
///
/// # Errors
/// It is not `[a-z][A-Za-z0-9]*`.
pub fn check_capability_name(text: &str) -> Result<(), IdError> {
    if is_capability_name(text) { Ok(()) } else { Err(IdError::new(text, Rule::Name)) }
}

/// Checks the id of a component's instance.
///
/// # Errors
/// It is too long, or not `[A-Za-z0-9_-]+`.
pub fn check_instance_id(text: &str) -> Result<(), IdError> {
    check_length(text)?;
    let valid = !text.is_empty()
        && text.bytes().all(|byte| matches!(byte, b'_' | b'-') || byte.is_ascii_alphanumeric());
    if valid { Ok(()) } else { Err(IdError::new(text, Rule::Instance)) }
}

fn check_length(text: &str) -> Result<(), IdError> {
    // A UTF-16 form is never longer than the UTF-8 one: most ids need no counting.
    if text.len() > MAX_ID_LENGTH && text.encode_utf16().count() > MAX_ID_LENGTH {
        return Err(IdError::new(text, Rule::Length));
    }
    Ok(())
}

fn is_component_type(text: &str) -> bool {
    text.split('.').all(|segment| {
        segment.starts_with(|first: char| first.is_ascii_lowercase())
            && segment.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    })
}

fn is_capability_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A text that is not the id it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdError {
    /// The text.
    pub text: String,
    /// The rule that it breaks.
    pub rule: Rule,
}

/// A rule of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// An id has at most [`MAX_ID_LENGTH`] characters.
    Length,
    /// A capability id begins with its plane.
    Plane,
    /// A component type is segments joined by dots.
    ComponentType,
    /// A view capability ends in a name.
    Name,
    /// A domain capability has a path.
    Path,
    /// An external capability has a text.
    Text,
    /// An instance id is one word.
    Instance,
}

impl IdError {
    fn new(text: &str, rule: Rule) -> Self {
        Self { text: text.to_owned(), rule }
    }

    /// The sentence for people: what is wrong, and what is allowed.
    #[must_use]
    pub fn message(&self) -> String {
        let (wrong, allowed) = match self.rule {
            Rule::Length => ("is too long", "an id has at most 128 characters"),
            Rule::Plane => (
                "does not begin with a plane",
                "a capability id begins with `view:`, `domain:` or `external:`",
            ),
            Rule::ComponentType => (
                "does not have a component type",
                "a component type is one or more segments of `a-z`, `0-9` and `-`, each beginning with a letter, \
                 joined by dots, as in `devices.table`",
            ),
            Rule::Name => (
                "does not have a capability name",
                "a capability name is letters and digits, beginning with a lower-case letter, as in `selectRows`; \
                 in a capability id it follows the last dot",
            ),
            Rule::Path => ("does not have a path", "a domain id is `domain:` and the procedure's path"),
            Rule::Text => {
                ("does not name a tool", "an external id is `external:` and the provider's name of it")
            }
            Rule::Instance => {
                ("is not an instance id", "an instance id is one or more letters, digits, `-` and `_`")
            }
        };
        ["\"", &self.text, "\" ", wrong, ": ", allowed].concat()
    }
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for IdError {}
