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
        // The part alone was checked, or a whole capability id with its plane.
        let is_whole_id = self.text.contains(':');
        let (wrong, allowed) = match self.rule {
            Rule::Length => ("is too long", "an id has at most 128 characters"),
            Rule::Plane => (
                "does not begin with a plane",
                "a capability id begins with `view:`, `domain:` or `external:`",
            ),
            Rule::ComponentType => (
                if is_whole_id { "does not have a component type" } else { "is no component type" },
                "a component type is one or more segments of `a-z`, `0-9` and `-`, each beginning with a letter, \
                 joined by dots, as in `devices.table`",
            ),
            Rule::Name => (
                if is_whole_id { "does not have a capability name" } else { "is no capability name" },
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str) -> Rule {
        CapabilityId::parse(id).unwrap_err().rule
    }

    #[test]
    fn a_view_id_is_a_component_type_and_the_name_after_the_last_dot() {
        assert_eq!(
            CapabilityId::parse("view:devices.data-table2.selectRows"),
            Ok(CapabilityId::View { component_type: "devices.data-table2", name: "selectRows" })
        );
        assert_eq!(view_id("devices.table", "open"), "view:devices.table.open");
    }

    #[test]
    fn a_domain_path_and_an_external_name_are_not_looked_into() {
        assert_eq!(CapabilityId::parse("domain:A.b_c..d:é"), Ok(CapabilityId::Domain { path: "A.b_c..d:é" }));
        assert_eq!(
            CapabilityId::parse("external:Export the report"),
            Ok(CapabilityId::External { text: "Export the report" })
        );
    }

    #[test]
    fn every_id_prints_as_it_was_parsed_and_knows_its_plane() {
        for (id, plane) in
            [("view:a.b.c", Plane::View), ("domain:a.b", Plane::Domain), ("external:a", Plane::External)]
        {
            let parsed = CapabilityId::parse(id).unwrap();
            assert_eq!(parsed.to_string(), id);
            assert_eq!(parsed.plane(), plane);
            assert!(id.starts_with(plane.as_str()));
        }
    }

    #[test]
    fn an_id_without_a_known_plane_is_refused() {
        for id in ["", "counter.value", "View:counter.value", "page:counter.value", ":a.b"] {
            assert_eq!(rule(id), Rule::Plane, "{id}");
        }
    }

    #[test]
    fn segments_begin_with_a_lower_case_letter_and_are_never_empty() {
        for component_type in ["", ".", "a.", ".a", "a..b", "A", "1a", "-a", "a_b", "aB", "é", "a b"] {
            assert_eq!(check_component_type(component_type).unwrap_err().rule, Rule::ComponentType);
            assert_eq!(rule(&view_id(component_type, "name")), Rule::ComponentType, "{component_type}");
        }
        for component_type in ["a", "a1", "a-", "a-1.b2.c"] {
            assert_eq!(check_component_type(component_type), Ok(()), "{component_type}");
        }
    }

    #[test]
    fn a_name_is_camel_case_without_dots_or_underscores() {
        for name in ["", "Open", "1st", "open_row", "open-row", "öffnen", "open row"] {
            assert_eq!(check_capability_name(name).unwrap_err().rule, Rule::Name, "{name}");
            assert_eq!(rule(&view_id("devices", name)), Rule::Name, "{name}");
        }
        assert_eq!(rule("view:value"), Rule::Name);
        assert_eq!(check_capability_name("openRow2"), Ok(()));
    }

    #[test]
    fn a_path_or_text_may_not_be_empty() {
        assert_eq!(rule("domain:"), Rule::Path);
        assert_eq!(rule("external:"), Rule::Text);
    }

    #[test]
    fn an_instance_id_is_letters_digits_dashes_and_underscores() {
        for id in ["default", "42", "_", "-a_B-9"] {
            assert_eq!(check_instance_id(id), Ok(()), "{id}");
        }
        for id in ["", "a.b", "a b", "é", "a:b"] {
            assert_eq!(check_instance_id(id).unwrap_err().rule, Rule::Instance, "{id}");
        }
    }

    #[test]
    fn an_id_has_at_most_128_utf16_code_units() {
        let longest = format!("domain:{}", "é".repeat(121));
        assert!(CapabilityId::parse(&longest).is_ok());
        assert_eq!(rule(&format!("{longest}x")), Rule::Length);
        assert_eq!(rule(&format!("domain:{}", "\u{1F602}".repeat(61))), Rule::Length);
        assert_eq!(check_component_type(&"a".repeat(129)).unwrap_err().rule, Rule::Length);
        assert_eq!(check_instance_id(&"a".repeat(128)), Ok(()));
        assert_eq!(check_instance_id(&"a".repeat(129)).unwrap_err().rule, Rule::Length);
    }

    #[test]
    fn the_error_says_what_is_wrong_and_what_is_allowed() {
        assert_eq!(
            check_instance_id("a b").unwrap_err().to_string(),
            "\"a b\" is not an instance id: an instance id is one or more letters, digits, `-` and `_`"
        );
    }
}
