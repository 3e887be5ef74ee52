//! URIs of RFC 3986: absolute, in ASCII, every part of its own characters.

use super::address::is_ipv6;

/// `URI`: a scheme, what it addresses, and possibly a query and a fragment.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let (rest, fragment) = cut(rest, '#');
    let (hierarchy, query) = cut(rest, '?');
    let (authority, path) = match hierarchy.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, hierarchy),
    };
    is_scheme(scheme)
        && authority.is_none_or(is_authority)
        && consists_of(path, b":@/")
        && [query, fragment].into_iter().flatten().all(|part| consists_of(part, b":@/?"))
}

/// What stands before the first `separator`, and what stands after it.
fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_authority(text: &str) -> bool {
    let (user, address) = match text.split_once('@') {
        Some((user, address)) => (user, address),
        None => ("", text),
    };
    // Inside its brackets an IP address has colons of its own.
    let (host, port) = match address.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((ip, port)) if is_ip_literal(ip) && (port.is_empty() || port.starts_with(':')) => {
                ("", port.strip_prefix(':'))
            }
            _ => return false,
        },
        None => cut(address, ':'),
    };
    consists_of(user, b":")
        && consists_of(host, b"")
        && port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What stands between the brackets: an IPv6 address, or `v`, a version and an address of the future.
fn is_ip_literal(text: &str) -> bool {
    let Some(future) = text.strip_prefix(['v', 'V']) else { return is_ipv6(text) };
    let Some((version, address)) = future.split_once('.') else { return false };
    !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !address.is_empty()
        && address.bytes().all(|byte| byte == b':' || is_plain(byte))
}

/// Whether there is nothing but `unreserved`, `sub-delims`, percent-encoded octets and the bytes of `also`.
fn consists_of(text: &str, also: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let allowed = match byte {
            b'%' => [bytes.next(), bytes.next()]
                .iter()
                .all(|digit| digit.is_some_and(|it| it.is_ascii_hexdigit())),
            _ => is_plain(byte) || also.contains(&byte),
        };
        if !allowed {
            return false;
        }
    }
    true
}

/// `unreserved` and `sub-delims`.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::is_uri;

    #[test]
    fn a_uri_has_a_scheme() {
        assert!(is_uri("https://example.com/a?b#c"));
        assert!(is_uri("urn:isbn:0451450523"));
        assert!(is_uri("mailto:joe@example.com"));
        assert!(is_uri("about:"));
        assert!(!is_uri("//example.com"));
        assert!(!is_uri("/a:b"));
        assert!(!is_uri("1a:b"));
        assert!(!is_uri(""));
    }

    #[test]
    fn an_authority_is_user_host_and_port() {
        assert!(is_uri("ftp://joe:pw@example.com:21/"));
        assert!(is_uri("ldap://[2001:db8::7]:389/c=GB?one"));
        assert!(is_uri("x://[v1.a:b]/"));
        assert!(is_uri("file:///etc/hosts"));
        assert!(!is_uri("http://a@b@c/"));
        assert!(!is_uri("http://example.com:80a/"));
        assert!(!is_uri("http://[::1"));
        assert!(!is_uri("http://[::1]80/"));
        assert!(!is_uri("http://[fe80::1%25en0]/"));
        assert!(!is_uri("http://[v.a]/"));
    }

    #[test]
    fn every_part_is_ascii_of_its_own_characters() {
        assert!(is_uri("http://example.com/%C3%A4?q=%20/?#/?"));
        assert!(!is_uri("http://example.com/ä"));
        assert!(!is_uri("http://example.com/a b"));
        assert!(!is_uri("http://example.com/%4"));
        assert!(!is_uri("http://example.com/%zz"));
        assert!(!is_uri("http://example.com/#a#b"));
        assert!(!is_uri("http://example.com/[a]"));
    }
}
