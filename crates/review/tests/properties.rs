//! Comparing contracts, whatever is in them.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use agent_surface_manifest::{Confirmation, Contract, Effect, Kind, Manifest, PolicyAttachment};
use agent_surface_review::{ChangeKind, Class, compare};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use support::{action, json, rows};

/// Contracts of few capabilities and few declarations, so that two of them have much to say to each other.
fn manifest() -> impl Strategy<Value = Manifest> {
    prop::collection::btree_map((0..3_u8, 0..4_u8), (contract(), targets()), 0..6).prop_map(|entries| {
        let entries = entries.into_iter().map(|((declaration, name), (contract, targets))| {
            let contract = Contract {
                declaration_id: format!("src/{declaration}.ts#contract"),
                origin: format!("src/{declaration}.ts"),
                capability_id: format!("view:counter.name{name}"),
                ..contract
            };
            targets.into_iter().map(move |target| contract.clone().seal(target))
        });
        Manifest::assemble(entries.flatten().collect(), Vec::new()).unwrap()
    })
}

fn contract() -> impl Strategy<Value = Contract> {
    let schemas =
        [None, Some("{}"), Some(r#"{"type":"string"}"#), Some(r#"{"type":"string","maxLength":1}"#)];
    let confirmations = [None, Some(Confirmation::Never), Some(Confirmation::Required)];
    (
        select(Effect::ALL),
        select(confirmations.to_vec()),
        prop::option::of(subsequence(vec!["a", "b"], 0..=2)),
        select(schemas.to_vec()),
        select(schemas.to_vec()),
        select(vec!["One", "Two"]),
        prop::option::of(subsequence(vec!["x", "y"], 0..=2)),
    )
        .prop_map(|(effect, confirmation, policies, input, output, description, tags)| Contract {
            kind: Kind::External,
            effect,
            confirmation,
            policies: policies.map(|names| {
                let attach = |name: &str| PolicyAttachment { name: name.to_owned(), phase: None };
                names.into_iter().map(attach).collect()
            }),
            input_schema: input.map(json),
            output_schema: output.map(json),
            description: description.to_owned(),
            tags: tags.map(|tags| tags.into_iter().map(str::to_owned).collect()),
            ..action("x")
        })
}

fn targets() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(vec!["desktop", "web"], 1..=2)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_changed_since_itself(contract in manifest()) {
        prop_assert_eq!(compare(Some(&contract), &contract), []);
    }

    #[test]
    fn two_contracts_have_rows_exactly_where_they_have_other_hashes((a, b) in (manifest(), manifest())) {
        prop_assert_eq!(compare(Some(&a), &b).is_empty(), a.hash() == b.hash());
    }

    #[test]
    fn what_one_direction_adds_the_other_removes_and_a_move_is_one_both_ways((a, b) in (manifest(), manifest())) {
        let there = compare(Some(&a), &b);
        let back = compare(Some(&b), &a);
        let number = |changes: &[agent_surface_review::Change], kind| {
            changes.iter().filter(|change| change.kind == kind).count()
        };
        prop_assert_eq!(number(&there, ChangeKind::Added), number(&back, ChangeKind::Removed));
        prop_assert_eq!(number(&there, ChangeKind::Removed), number(&back, ChangeKind::Added));
        prop_assert_eq!(number(&there, ChangeKind::Moved), number(&back, ChangeKind::Moved));
    }

    #[test]
    fn a_capability_is_never_both_gone_and_new((a, b) in (manifest(), manifest())) {
        let changes = compare(Some(&a), &b);
        let of = |kind| {
            let these = changes.iter().filter(move |change| change.kind == kind);
            these.filter_map(support::capability_of).collect::<Vec<_>>()
        };
        let removed = of(ChangeKind::Removed);
        prop_assert!(of(ChangeKind::Added).iter().all(|id| !removed.contains(id)), "{:?}", rows(&changes));
    }

    #[test]
    fn the_way_back_from_a_narrowing_field_is_no_narrowing(
        (before, after) in (contract(), contract()),
    ) {
        let there = support::changes(before.clone(), after.clone());
        let back = support::changes(after, before);
        for change in there.iter().filter(|change| change.class == Class::Narrowing) {
            let reverse = back.iter().find(|other| other.field == change.field).unwrap();
            prop_assert!(matches!(reverse.class, Class::Widening | Class::Changed), "{:?}", reverse);
        }
    }
}
