//! The changes between two contracts.

use std::collections::BTreeMap;

use agent_surface_json::Json;
use agent_surface_manifest::{
    Confirmation, Contract, Entry, ExternalContract, Manifest, PolicyAttachment, format::field,
};

use crate::{Change, ChangeKind, Class, Subject, moves, schema_change};

/// The field of a row about a capability as a whole.
const CAPABILITY: &str = "capability";

/// The field of a row about a dependency as a whole.
const CONTRIBUTION: &str = "contribution";

/// The field of the row that says that nothing but the order of the entries differs.
const ORDER: &str = "order";

/// What makes `after` of `before`, the rows that most need a reviewer first.
///
/// Two contracts with different hashes differ in at least one row. Without an older contract every capability is
/// new.
#[must_use]
pub fn compare(before: Option<&Manifest>, after: &Manifest) -> Vec<Change> {
    let mut changes = Vec::new();
    let old = before.map(Manifest::capabilities).unwrap_or_default();
    compare_entries(old, after.capabilities(), &mut changes);
    compare_contributions(
        before.map(Manifest::external_contracts).unwrap_or_default(),
        after.external_contracts(),
        &mut changes,
    );
    if let Some(before) = before {
        compare_wholes(before, after, &mut changes);
    }
    changes
        .sort_by(|a, b| (a.class, &a.subject, a.kind, a.field).cmp(&(b.class, &b.subject, b.kind, b.field)));
    changes
}

fn compare_entries(before: &[Entry], after: &[Entry], changes: &mut Vec<Change>) {
    let key = |entry: &Entry| {
        let Contract { declaration_id, capability_id, .. } = &entry.contract;
        (declaration_id.clone(), capability_id.clone())
    };
    let old: BTreeMap<_, _> = before.iter().map(|entry| (key(entry), entry)).collect();
    let new: BTreeMap<_, _> = after.iter().map(|entry| (key(entry), entry)).collect();
    for (key, entry) in &new {
        if let Some(earlier) = old.get(key) {
            compare_fields(earlier, entry, changes);
        }
    }
    let only = |these: &BTreeMap<_, _>, those: &BTreeMap<_, _>| {
        these.iter().filter(|(key, _)| !those.contains_key(*key)).map(|(_, entry)| *entry).collect()
    };
    let moves::Pairing { moved, removed, added } = moves::pair(only(&old, &new), only(&new, &old));
    for (earlier, entry) in moved {
        changes.push(Change {
            class: Class::Neutral,
            subject: subject_of(entry),
            kind: ChangeKind::Moved,
            field: CAPABILITY,
            before: Some(earlier.contract.declaration_id.as_str().into()),
            after: Some(entry.contract.declaration_id.as_str().into()),
            differences: Vec::new(),
        });
        compare_fields(earlier, entry, changes);
    }
    changes.extend(removed.into_iter().map(|entry| Change {
        class: Class::Narrowing,
        subject: subject_of(entry),
        kind: ChangeKind::Removed,
        field: CAPABILITY,
        before: Some(entry.to_json()),
        after: None,
        differences: Vec::new(),
    }));
    changes.extend(added.into_iter().map(|entry| Change {
        class: Class::Widening,
        subject: subject_of(entry),
        kind: ChangeKind::Added,
        field: CAPABILITY,
        before: None,
        after: Some(entry.to_json()),
        differences: Vec::new(),
    }));
}

fn subject_of(entry: &Entry) -> Subject {
    let Contract { declaration_id, capability_id, .. } = entry.contract.clone();
    Subject::Capability { declaration_id, capability_id }
}

/// Notes each field that differs. The declaration and its file are not among them: they tell a move.
fn compare_fields(before: &Entry, after: &Entry, changes: &mut Vec<Change>) {
    let subject = &subject_of(after);
    let (old, new) = (&before.contract, &after.contract);
    let mut note = |field, class, before: Option<Json>, after: Option<Json>| {
        if before != after {
            changes.push(Change::of_field(subject, field, class, before, after));
        }
    };
    note(
        field::CONFIRMATION,
        by_order(effective_confirmation(old), effective_confirmation(new)),
        old.confirmation.map(|it| it.as_str().into()),
        new.confirmation.map(|it| it.as_str().into()),
    );
    note(
        field::DESCRIPTION,
        Class::Neutral,
        Some(old.description.as_str().into()),
        Some(new.description.as_str().into()),
    );
    note(
        field::EFFECT,
        by_order(old.effect, new.effect),
        Some(old.effect.as_str().into()),
        Some(new.effect.as_str().into()),
    );
    note(field::KIND, Class::Neutral, Some(old.kind.as_str().into()), Some(new.kind.as_str().into()));
    note(
        field::POLICIES,
        by_policies(old.policies.as_deref().unwrap_or_default(), new.policies.as_deref().unwrap_or_default()),
        policies_json(old.policies.as_deref()),
        policies_json(new.policies.as_deref()),
    );
    note(field::TAGS, Class::Neutral, old.tags.clone().map(Json::from), new.tags.clone().map(Json::from));
    note(
        field::TARGETS,
        by_targets(&before.targets, &after.targets),
        Some(before.targets.clone().into()),
        Some(after.targets.clone().into()),
    );
    changes.extend(schema_change::of_input(subject, old.input_schema.as_ref(), new.input_schema.as_ref()));
    changes.extend(schema_change::of_output(subject, old.output_schema.as_ref(), new.output_schema.as_ref()));
}

/// What the runtime goes by: the contract's word, or that of its effect.
fn effective_confirmation(contract: &Contract) -> Confirmation {
    contract.confirmation.unwrap_or(contract.effect.defaults().confirmation)
}

/// Less is widening: a weaker confirmation holds back less, and a lower effect passes what a higher one would not.
fn by_order<T: Ord>(before: T, after: T) -> Class {
    match after.cmp(&before) {
        std::cmp::Ordering::Less => Class::Widening,
        std::cmp::Ordering::Equal => Class::Neutral,
        std::cmp::Ordering::Greater => Class::Narrowing,
    }
}

/// A policy that is gone is widening, whatever came in its place.
fn by_policies(before: &[PolicyAttachment], after: &[PolicyAttachment]) -> Class {
    if before.iter().any(|policy| !after.contains(policy)) {
        Class::Widening
    } else if after.iter().any(|policy| !before.contains(policy)) {
        Class::Narrowing
    } else {
        Class::Neutral
    }
}

/// A target that is new is widening, whatever went for it.
fn by_targets(before: &[String], after: &[String]) -> Class {
    if after.iter().any(|target| !before.contains(target)) {
        Class::Widening
    } else if before.iter().any(|target| !after.contains(target)) {
        Class::Narrowing
    } else {
        Class::Neutral
    }
}

fn policies_json(policies: Option<&[PolicyAttachment]>) -> Option<Json> {
    policies.map(|policies| policies.iter().map(PolicyAttachment::to_json).collect::<Vec<_>>().into())
}

fn compare_contributions(before: &[ExternalContract], after: &[ExternalContract], changes: &mut Vec<Change>) {
    let named = |contracts: &[ExternalContract]| {
        let mut by_package: BTreeMap<String, Vec<Json>> = BTreeMap::new();
        for contract in contracts {
            by_package.entry(contract.package.clone()).or_default().push(contract.to_json());
        }
        by_package
    };
    let (old, new) = (named(before), named(after));
    let mut note = |package: &str, kind, class, before: Option<&Vec<Json>>, after: Option<&Vec<Json>>| {
        changes.push(Change {
            class,
            subject: Subject::Package(package.to_owned()),
            kind,
            field: CONTRIBUTION,
            before: before.cloned().map(Json::from),
            after: after.cloned().map(Json::from),
            differences: Vec::new(),
        });
    };
    for (package, contracts) in &old {
        match new.get(package) {
            None => note(package, ChangeKind::Removed, Class::Narrowing, Some(contracts), None),
            // What it declares has rows of its own; that another digest was approved is a fact of its own.
            Some(now) if now != contracts => {
                note(package, ChangeKind::Changed, Class::Changed, Some(contracts), Some(now));
            }
            Some(_) => {}
        }
    }
    for (package, contracts) in new.iter().filter(|(package, _)| !old.contains_key(*package)) {
        note(package, ChangeKind::Added, Class::Widening, None, Some(contracts));
    }
}

/// Notes what the hash covers beside entries and dependencies: the rules by which the contract was made, and,
/// where nothing else is left to tell two hashes apart, the order.
fn compare_wholes(before: &Manifest, after: &Manifest, changes: &mut Vec<Change>) {
    let (old, new) = (before.compiler_version(), after.compiler_version());
    if old != new {
        changes.push(Change::of_field(
            &Subject::Contract,
            field::COMPILER_VERSION,
            Class::Neutral,
            Some(old.into()),
            Some(new.into()),
        ));
    }
    if changes.is_empty() && before.hash() != after.hash() {
        changes.push(Change::of_field(&Subject::Contract, ORDER, Class::Neutral, None, None));
    }
}
