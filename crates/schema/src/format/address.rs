//! Addresses of the Internet, as `std::net` reads them. Its parsers make values that nobody needs here, of three times the
//! code.

/// Whether `text` is an IPv4 address: four numbers of one byte, without leading zeros.
pub(super) fn is_ipv4(text: &str) -> bool {
    let is_byte = |part: &str| {
        (1..=3).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part.len() == 1 || !part.starts_with('0'))
            && (part.len() < 3 || part <= "255")
    };
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Whether `text` is an IPv6 address (RFC 4291, 2.2), without a zone.
pub(super) fn is_ipv6(text: &str) -> bool {
    match text.as_bytes().windows(2).position(|pair| pair == b"::") {
        None => count_groups(text, true) == Some(8),
        // The colons stand for one group at least; in dotted form are the last ones only.
        Some(at) => match (count_groups(&text[..at], false), count_groups(&text[at + 2..], true)) {
            (Some(before), Some(after)) => before + after <= 7,
            _ => false,
        },
    }
}

/// How many groups of 16 bits there are, between colons; the last two of an address may be an IPv4 address.
fn count_groups(text: &str, may_be_dotted: bool) -> Option<usize> {
    if text.is_empty() {
        return Some(0);
    }
    let (mut count, mut dotted) = (0, false);
    for part in text.split(':') {
        let is_group = (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        if dotted || !(is_group || may_be_dotted && is_ipv4(part)) {
            return None;
        }
        dotted = !is_group;
        count += if dotted { 2 } else { 1 };
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::{is_ipv4, is_ipv6};

    #[test]
    fn an_address_has_all_its_groups_or_two_colons_for_the_rest() {
        for text in
            ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4"]
        {
            assert!(is_ipv6(text), "{text}");
        }
        for text in [
            "",
            ":",
            ":::",
            "1:2:3:4:5:6:7",
            "::2:3:4:5:6:7:8:9",
            "1.2.3.4::",
            "1::2::3",
            "::1.2.3.4:5",
            "12345::",
        ] {
            assert!(!is_ipv6(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_standard_library_reads_the_same_addresses(
            text in "((25[0-9]|[0-9]{1,3})\\.){2,4}(25[0-9]|0?[0-9]{1,2})|([0-9a-fA-F]{0,4}:){0,8}(:[0-9a-f]{0,5}){0,8}|\
                     ([0-9]{1,2}:){0,7}:?([0-9]:){0,6}([0-9]{1,3}\\.){3}[0-9]{1,3}"
        ) {
            prop_assert_eq!(is_ipv4(&text), text.parse::<Ipv4Addr>().is_ok());
            prop_assert_eq!(is_ipv6(&text), text.parse::<Ipv6Addr>().is_ok());
        }
    }
}
