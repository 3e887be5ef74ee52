//! Capabilities that are declared elsewhere now: one move instead of a removal and an addition.

use std::collections::BTreeMap;

use agent_surface_manifest::{Contract, Entry};

/// What is left of two lists of entries once those that moved are paired.
pub(crate) struct Pairing<'a> {
    /// Each with the entry it became.
    pub(crate) moved: Vec<(&'a Entry, &'a Entry)>,
    /// Those that became nothing.
    pub(crate) removed: Vec<&'a Entry>,
    /// Those that were nothing before.
    pub(crate) added: Vec<&'a Entry>,
}

/// How sure a pairing is: an agent knows a capability by its id, so that must be the same in each.
const RULES: [fn(&Contract, &Contract) -> bool; 4] = [
    // Nothing but the place is different.
    |a, b| is_same_but_for_place(a, b),
    // The variable kept its name, and the file did not.
    |a, b| variable_of(a) == variable_of(b),
    // The file is the same, and the variable has another name.
    |a, b| a.origin == b.origin,
    |_, _| true,
];

/// Pairs entries of declarations that only the older contract has with such that only the newer one has.
///
/// Several declarations may have one capability id, so the surest pairs are made first; each list keeps its order
/// otherwise.
pub(crate) fn pair<'a>(mut removed: Vec<&'a Entry>, mut added: Vec<&'a Entry>) -> Pairing<'a> {
    let mut moved = Vec::new();
    for rule in RULES {
        let mut candidates: BTreeMap<&str, Vec<&'a Entry>> = BTreeMap::new();
        for entry in added.drain(..) {
            candidates.entry(&entry.contract.capability_id).or_default().push(entry);
        }
        removed.retain(|before| {
            let Some(found) = candidates.get_mut(before.contract.capability_id.as_str()) else { return true };
            let Some(at) = found.iter().position(|after| rule(&before.contract, &after.contract)) else {
                return true;
            };
            moved.push((*before, found.remove(at)));
            false
        });
        added = candidates.into_values().flatten().collect();
    }
    Pairing { moved, removed, added }
}

fn variable_of(contract: &Contract) -> &str {
    contract.declaration_id.rsplit_once('#').map_or("", |(_, variable)| variable)
}

fn is_same_but_for_place(a: &Contract, b: &Contract) -> bool {
    let (declaration_id, origin) = (b.declaration_id.clone(), b.origin.clone());
    Contract { declaration_id, origin, ..a.clone() } == *b
}
