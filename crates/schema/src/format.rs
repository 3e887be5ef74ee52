//! `format`: the five that the subset has, and asserts.

mod address;
mod date_time;
mod email;
mod uri;

/// A format of the subset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// RFC 3339 `full-date`.
    Date,
    /// RFC 3339 `date-time`.
    DateTime,
    /// RFC 5321 `Mailbox`.
    Email,
    /// RFC 3986 `URI`.
    Uri,
    /// RFC 9562, in its text form.
    Uuid,
}

impl Format {
    /// The format that is spelled `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "date-time" => Self::DateTime,
            "email" => Self::Email,
            "uri" => Self::Uri,
            "uuid" => Self::Uuid,
            _ => return None,
        })
    }

    /// Whether `text` is of this format.
    pub(crate) fn matches(self, text: &str) -> bool {
        match self {
            Self::Date => date_time::is_date(text),
            Self::DateTime => date_time::is_date_time(text),
            Self::Email => email::is_mailbox(text),
            Self::Uri => uri::is_uri(text),
            Self::Uuid => is_uuid(text),
        }
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn a_uuid_is_hex_digits_in_five_groups() {
        assert!(Format::Uuid.matches("2EB8AA08-aa98-11ea-b4aa-73B441D16380"));
        assert!(!Format::Uuid.matches("2eb8aa08-aa98-11ea-b4aa-73b441d1638"));
        assert!(!Format::Uuid.matches("2eb8aa08aa98-11ea-b4aa-73b441d16380-"));
        assert!(!Format::Uuid.matches("২eb8aa08-aa98-11ea-b4aa-73b441d163"));
    }

    #[test]
    fn only_the_five_formats_have_a_name() {
        for name in ["date", "date-time", "email", "uri", "uuid"] {
            assert!(Format::named(name).is_some(), "{name}");
        }
        assert_eq!(Format::named("hostname"), None);
        assert_eq!(Format::named("Date"), None);
    }
}
