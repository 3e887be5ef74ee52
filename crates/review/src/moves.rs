//! Capabilities that are declared elsewhere now: one move instead of a removal and an addition.

use std::collections::{BTreeMap, VecDeque};

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

/// What the entries of a pair have in common, the surest first: an agent knows a capability by its id, so that is the same in
/// each.
const RULES: [fn(&Contract) -> String; 4] = [
    // Nothing but the place is different.
    without_place,
    // The variable kept its name, and the file did not.
    |contract| variable_of(contract).to_owned(),
    // The file is the same, and the variable has another name.
    |contract| contract.origin.clone(),
    |_| String::new(),
];

/// Pairs entries of declarations that only the older contract has with such that only the newer one has.
///
/// Several declarations may have one capability id, so the surest pairs are made first; each list keeps its order
/// otherwise.
pub(crate) fn pair<'a>(mut removed: Vec<&'a Entry>, mut added: Vec<&'a Entry>) -> Pairing<'a> {
    let mut moved = Vec::new();
    for rule in RULES {
        let key = |entry: &'a Entry| (entry.contract.capability_id.as_str(), rule(&entry.contract));
        let mut candidates: BTreeMap<_, VecDeque<usize>> = BTreeMap::new();
        for (at, entry) in added.iter().enumerate() {
            candidates.entry(key(entry)).or_default().push_back(at);
        }
        let mut is_paired = vec![false; added.len()];
        removed.retain(|before| {
            let found = candidates.get_mut(&key(before)).and_then(VecDeque::pop_front);
            let Some(at) = found else { return true };
            moved.push((*before, added[at]));
            is_paired[at] = true;
            false
        });
        let mut is_paired = is_paired.into_iter();
        added.retain(|_| is_paired.next() == Some(false));
    }
    Pairing { moved, removed, added }
}

fn variable_of(contract: &Contract) -> &str {
    contract.declaration_id.rsplit_once('#').map_or("", |(_, variable)| variable)
}

/// All that a contract says but where it is declared.
fn without_place(contract: &Contract) -> String {
    let (declaration_id, origin) = (String::new(), String::new());
    Contract { declaration_id, origin, ..contract.clone() }.hash().to_hex()
}
