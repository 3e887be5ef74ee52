//! Wire names: capability ids as providers allow tools to be called, `[A-Za-z0-9_-]` and 64 characters at most.
//!
//! ```text
//! view:devices.table.selectRows            view_devices__table__selectRows
//! the same of instance `main`              view_devices__table__selectRows_at_main
//! longer, or with characters of its own    view_devices__table__…_0_<hash>
//! ```
//!
//! Only the first form is read back. For the others, whoever gave the names knows what they stand for.

use agent_surface_json::digits;
use agent_surface_manifest::ids::CapabilityId;

use crate::tokens::base36;

/// How long a wire name may be.
pub const MAX_WIRE_NAME: usize = 64;

/// What stands before a hash.
const HASHED: &str = "_0_";

/// What stands before an instance.
const INSTANCE: &str = "_at_";

/// How often names that are alike get a longer hash, before they are numbered.
const MAX_LEVEL: usize = 3;

/// What is to be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named<'a> {
    /// The capability.
    pub capability_id: &'a str,
    /// The instance, where several have the capability.
    pub instance_id: Option<&'a str>,
}

/// The wire name of a capability that no second instance has.
#[must_use]
pub fn encode_wire_name(capability_id: &str) -> String {
    encode(Named { capability_id, instance_id: None }, 0)
}

/// The capability that a wire name stands for, if the name alone tells.
#[must_use]
pub fn decode_wire_name(name: &str) -> Option<String> {
    let (plane, rest) = name.split_once('_')?;
    if !matches!(plane, "view" | "domain") {
        return None;
    }
    // Two underscores are a dot; more or less of them are no encoding of anything.
    let mut id = [plane, ":"].concat();
    for (number, part) in rest.split('_').enumerate() {
        match number % 2 {
            0 if !part.is_empty() => id.push_str(part),
            1 if part.is_empty() => id.push('.'),
            _ => return None,
        }
    }
    (CapabilityId::parse(&id).is_ok() && encode_wire_name(&id) == name).then_some(id)
}

/// The wire names of a catalogue, in the order of its entries: each its own, whatever the order.
#[must_use]
pub fn assign_wire_names(entries: &[Named<'_>]) -> Vec<String> {
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut levels = vec![0; sorted.len()];
    let mut names: Vec<String> = sorted.iter().map(|entry| encode(*entry, 0)).collect();
    for _ in 0..=MAX_LEVEL {
        for at in find_alike(&names) {
            levels[at] += 1;
            names[at] = encode(sorted[at], levels[at]);
        }
    }
    for (rank, at) in find_alike(&names).into_iter().enumerate() {
        names[at] = with_suffix(&names[at], &[HASHED, &digits(rank as u64)].concat());
    }
    let name_of = |entry: &Named<'_>| {
        sorted.binary_search(entry).map_or_else(|_| String::new(), |at| names[at].clone())
    };
    entries.iter().map(name_of).collect()
}

/// Where a name stands that stands elsewhere too, in order.
fn find_alike(names: &[String]) -> Vec<usize> {
    let mut by_name: Vec<usize> = (0..names.len()).collect();
    by_name.sort_unstable_by(|a, b| names[*a].cmp(&names[*b]));
    let mut alike: Vec<usize> =
        by_name.windows(2).filter(|pair| names[pair[0]] == names[pair[1]]).flatten().copied().collect();
    alike.sort_unstable();
    alike.dedup();
    alike
}

/// The name at a level: as it is at the lowest, if that is possible, and with an ever longer hash from there on.
fn encode(named: Named<'_>, level: usize) -> String {
    let (mut name, mut in_plane) = (String::new(), true);
    for character in named.capability_id.chars() {
        match character {
            ':' if in_plane => {
                name.push('_');
                in_plane = false;
            }
            '.' => name.push_str("__"),
            _ => name.push(character),
        }
    }
    if let Some(instance_id) = named.instance_id {
        name.push_str(INSTANCE);
        name.push_str(instance_id);
    }
    // An id with underscores of its own reads like one with dots, or like one of an instance.
    let faithful = !named.capability_id.contains('_') && name.bytes().all(is_safe);
    if level == 0 && faithful && name.len() <= MAX_WIRE_NAME {
        return name;
    }
    let name: String =
        name.chars().map(|it| if it.is_ascii() && is_safe(it as u8) { it } else { '-' }).collect();
    let seed =
        [named.capability_id, "#", named.instance_id.unwrap_or(""), "#", &digits(level as u64)].concat();
    with_suffix(&name, &[HASHED, &hash36(&seed, 7 + 2 * level)].concat())
}

/// `name`, cut so that `suffix` fits. Both are ASCII.
fn with_suffix(name: &str, suffix: &str) -> String {
    let kept: String = name.chars().take(MAX_WIRE_NAME - suffix.len()).collect();
    kept + suffix
}

const fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// FNV-1a with 32 bits over UTF-16 code units, in base 36; another round with another seed for every 7 digits.
fn hash36(text: &str, length: usize) -> String {
    let mut digits = String::new();
    let mut round = 0;
    while digits.len() < length {
        let hash = text
            .encode_utf16()
            .fold(0x811c_9dc5 ^ round, |hash: u32, unit| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193));
        digits.push_str(&base36(hash, 7));
        round += 1;
    }
    digits.truncate(length);
    digits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn named<'a>(capability_id: &'a str, instance_id: Option<&'a str>) -> Named<'a> {
        Named { capability_id, instance_id }
    }

    #[test]
    fn a_plain_id_is_encoded_and_read_back() {
        for (id, name) in [
            ("view:devices.table.selectRows", "view_devices__table__selectRows"),
            ("domain:devices.disable", "domain_devices__disable"),
            ("view:at.a.a", "view_at__a__a"),
            ("domain:a.0.b", "domain_a__0__b"),
        ] {
            assert_eq!(encode_wire_name(id), name);
            assert_eq!(decode_wire_name(name).as_deref(), Some(id));
        }
    }

    #[test]
    fn what_is_no_faithful_encoding_is_not_read_back() {
        let long = encode_wire_name(&format!("domain:{}", "a".repeat(80)));
        let underscored = encode_wire_name("domain:read_state");
        for name in [
            "",
            "view",
            "view_",
            "view_a",
            "page_a__b",
            "view_a__B",
            "view_a___b",
            "view_a__b_at_main",
            "domain_a____b",
            "domain_a__",
            &long,
            &underscored,
        ] {
            assert_eq!(decode_wire_name(name), None, "{name}");
        }
    }

    #[test]
    fn every_name_fits_and_is_of_the_safe_alphabet() {
        for id in [
            "domain:a/b é😀 {}",
            &format!("view:{}.b", "a".repeat(120)),
            &format!("domain:{}", "é".repeat(100)),
            "external:Export the report",
        ] {
            let names =
                assign_wire_names(&[named(id, None), named(id, Some("x")), named(id, Some(&"y".repeat(99)))]);
            for name in &names {
                assert!(name.len() <= MAX_WIRE_NAME && name.bytes().all(is_safe), "{name}");
            }
            assert_eq!(BTreeSet::from_iter(&names).len(), 3);
        }
    }

    #[test]
    fn names_are_told_apart_whatever_the_order() {
        let entries = [
            named("domain:x_at_y", None),
            named("domain:x", Some("y")),
            named("domain:a__b", None),
            named("domain:a.b", None),
        ];
        let names = assign_wire_names(&entries);
        let reversed: Vec<_> = entries.iter().rev().copied().collect();
        let mut names_of_reversed = assign_wire_names(&reversed);
        names_of_reversed.reverse();
        assert_eq!(names, names_of_reversed);
        assert_eq!(BTreeSet::from_iter(&names).len(), entries.len());
        assert_eq!(names[3], "domain_a__b");
    }

    #[test]
    fn one_entry_twice_has_one_name() {
        let entry = named("view:a.b", None);
        let names = assign_wire_names(&[entry, entry]);
        assert_eq!(names[0], names[1]);
    }
}
