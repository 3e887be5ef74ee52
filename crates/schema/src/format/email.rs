//! Mailboxes of RFC 5321, 4.1.2, with the size limits of 4.5.3.1.

use super::address::{is_ipv4, is_ipv6};

/// `Mailbox`: a local part, `@`, and a domain or an address in brackets.
pub(super) fn is_mailbox(text: &str) -> bool {
    // Only a quoted local part can hold an `@`, and no domain can.
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    local.len() <= 64 && is_local_part(local) && (is_domain(domain) || is_address_literal(domain))
}

fn is_local_part(text: &str) -> bool {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').is_some_and(is_quoted_content),
        None => text.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atext)),
    }
}

/// What stands between the quotes: printable ASCII, in which `"` and `\` follow a backslash.
fn is_quoted_content(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let printable = match byte {
            b'\\' => bytes.next().is_some_and(|escaped| matches!(escaped, b' '..=b'~')),
            b'"' => false,
            _ => matches!(byte, b' '..=b'~'),
        };
        if !printable {
            return false;
        }
    }
    true
}

/// RFC 5322's `atext`.
fn is_atext(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

fn is_domain(text: &str) -> bool {
    text.len() <= 255 && text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// `[127.0.0.1]` or `[IPv6:::1]`; no other tag was ever registered.
fn is_address_literal(text: &str) -> bool {
    let Some(address) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    match address.split_at_checked(5) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => is_ipv6(address),
        _ => is_ipv4(address),
    }
}

#[cfg(test)]
mod tests {
    use super::is_mailbox;

    #[test]
    fn a_local_part_is_atoms_or_a_quoted_string() {
        assert!(is_mailbox("joe.bloggs+tag@example.com"));
        assert!(is_mailbox(r#""joe @ \"home\""@example.com"#));
        assert!(!is_mailbox("joe..bloggs@example.com"));
        assert!(!is_mailbox("joe bloggs@example.com"));
        assert!(!is_mailbox(r#""joe@example.com"#));
        assert!(!is_mailbox(r#""joe\"@example.com"#));
        assert!(!is_mailbox(r#""@example.com"#));
        assert!(!is_mailbox("@example.com"));
    }

    #[test]
    fn a_domain_is_labels_or_an_address() {
        assert!(is_mailbox("root@localhost"));
        assert!(is_mailbox("joe@[127.0.0.1]"));
        assert!(is_mailbox("joe@[ipv6:2001:db8::7]"));
        assert!(!is_mailbox("joe@[127.0.0.300]"));
        assert!(!is_mailbox("joe@[IPv6:127.0.0.1]"));
        assert!(!is_mailbox("joe@-example.com"));
        assert!(!is_mailbox("joe@example..com"));
        assert!(!is_mailbox("joe@exämple.com"));
        assert!(!is_mailbox("joe"));
    }

    #[test]
    fn a_mailbox_keeps_to_the_sizes_that_mail_can_carry() {
        let a = |count| "a".repeat(count);
        assert!(is_mailbox(&format!("{}@{}.com", a(64), a(63))));
        assert!(!is_mailbox(&format!("{}@example.com", a(65))));
        assert!(!is_mailbox(&format!("joe@{}.com", a(64))));
        assert!(!is_mailbox(&format!("joe@{}com", "example.".repeat(32))));
    }
}
