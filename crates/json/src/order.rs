//! The one order of strings in this project: by UTF-16 code unit, as ECMAScript's `<` and RFC 8785 have it.

use std::cmp::Ordering;

/// Compares two strings by UTF-16 code unit.
///
/// It differs from Rust's own order (by code point) only where one string has a character outside the Basic
/// Multilingual Plane and the other one of U+E000 to U+FFFF at the same place: a surrogate is the smaller.
#[must_use]
pub fn cmp_utf16(a: &str, b: &str) -> Ordering {
    let first_difference = a.bytes().zip(b.bytes()).position(|(x, y)| x != y);
    match first_difference {
        // One is a prefix of the other: the same prefix in either encoding.
        None => a.len().cmp(&b.len()),
        Some(at) if a.as_bytes()[at].is_ascii() || b.as_bytes()[at].is_ascii() => {
            a.as_bytes()[at].cmp(&b.as_bytes()[at])
        }
        Some(_) => a.encode_utf16().cmp(b.encode_utf16()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surrogate_pair_sorts_before_a_late_bmp_character() {
        assert_eq!(cmp_utf16("\u{1F600}", "\u{FB33}"), Ordering::Less);
        assert_eq!("\u{1F600}".cmp("\u{FB33}"), Ordering::Greater);
    }

    #[test]
    fn a_prefix_is_smaller() {
        assert_eq!(cmp_utf16("a", "ab"), Ordering::Less);
        assert_eq!(cmp_utf16("", ""), Ordering::Equal);
    }

    proptest::proptest! {
        #[test]
        fn it_is_the_order_of_the_utf16_code_units(a in "\\PC*", b in "\\PC*") {
            let (left, right): (Vec<u16>, Vec<u16>) = (a.encode_utf16().collect(), b.encode_utf16().collect());
            proptest::prop_assert_eq!(cmp_utf16(&a, &b), left.cmp(&right));
        }
    }
}
