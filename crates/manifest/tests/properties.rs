//! What holds for every manifest.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::collections::BTreeMap;

use agent_surface_json::{Json, Object};
use agent_surface_manifest::{
    Confirmation, Contract, Digest, Effect, Entry, ExternalContract, Kind, Manifest, Phase, PolicyAttachment,
    Route,
};
use proptest::{
    collection::{btree_map, btree_set, vec},
    option,
    prelude::*,
    sample::{Index, select, subsequence},
};

const TARGETS: [&str; 3] = ["web-production", "web-staging", "\u{1F602}"];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{1,3}", any::<String>(), "[\u{E000}\u{FFFF}\u{10000}\"\n]{1,3}"]
}

fn schemas() -> impl Strategy<Value = Json> {
    let member = prop_oneof![
        any::<i32>().prop_map(Json::from),
        any::<bool>().prop_map(Json::from),
        Just(Json::Null),
        vec(texts(), 0..3).prop_map(Json::from),
        btree_map(texts(), texts(), 0..3).prop_map(|it| Json::from(it.into_iter().collect::<Object>())),
    ];
    btree_map(texts(), member, 0..4).prop_map(|members| Json::from(members.into_iter().collect::<Object>()))
}

fn policies() -> impl Strategy<Value = PolicyAttachment> {
    (texts(), option::of(select(Phase::ALL))).prop_map(|(name, phase)| PolicyAttachment { name, phase })
}

fn contracts() -> impl Strategy<Value = Contract> {
    let kind_and_effect =
        select(Kind::ALL).prop_flat_map(|kind| (Just(kind), select::<Effect>(kind.allowed_effects())));
    (
        ("[a-b\u{FFFF}\u{10000}]{1,2}", "[a-b]{1,2}", texts(), texts()),
        kind_and_effect,
        (option::of(schemas()), option::of(schemas()), option::of(select(Confirmation::ALL))),
        (option::of(vec(policies(), 0..3)), option::of(vec(texts(), 0..3))),
    )
        .prop_map(
            |(texts, (kind, effect), (input_schema, output_schema, confirmation), (policies, tags))| {
                let (declaration_id, capability_id, description, origin) = texts;
                Contract {
                    declaration_id,
                    capability_id,
                    kind,
                    description,
                    effect,
                    input_schema,
                    output_schema,
                    confirmation,
                    policies,
                    tags,
                    origin,
                }
            },
        )
}

fn digests() -> impl Strategy<Value = Digest> {
    any::<u8>().prop_map(|byte| Digest::of([byte]))
}

fn external_contracts() -> impl Strategy<Value = ExternalContract> {
    (texts(), texts(), select(Route::ALL), digests(), digests()).prop_map(
        |(package, source, route, contract_digest, expected_digest)| ExternalContract {
            package,
            source,
            route,
            contract_digest,
            expected_digest,
        },
    )
}

/// Contracts of different keys, each with the targets that contain it.
fn declarations() -> impl Strategy<Value = Vec<(Contract, Vec<&'static str>)>> {
    vec((contracts(), subsequence(TARGETS.to_vec(), 1..=TARGETS.len())), 0..8).prop_map(|declarations| {
        let by_key: BTreeMap<_, _> = declarations
            .into_iter()
            .map(|it| ((it.0.declaration_id.clone(), it.0.capability_id.clone()), it))
            .collect();
        by_key.into_values().collect()
    })
}

/// One entry for each target of each declaration, as the builds of the targets make them.
fn seal(declarations: Vec<(Contract, Vec<&'static str>)>) -> Vec<Entry> {
    declarations
        .into_iter()
        .flat_map(|(contract, targets)| targets.into_iter().map(move |target| contract.clone().seal(target)))
        .collect()
}

fn manifests() -> impl Strategy<Value = Manifest> {
    (declarations(), vec(external_contracts(), 0..3))
        .prop_map(|(declarations, external)| Manifest::assemble(seal(declarations), external).unwrap())
}

/// One place of a document, as the steps that lead to it.
type Path = Vec<Step>;

#[derive(Clone, Debug)]
enum Step {
    Member(String),
    Item(usize),
}

fn places(value: &Json, here: &Path, out: &mut Vec<Path>) {
    out.push(here.clone());
    let mut descend = |step: Step, inner: &Json| {
        let mut path = here.clone();
        path.push(step);
        places(inner, &path, out);
    };
    match value {
        Json::Object(object) => {
            object.iter().for_each(|(key, inner)| descend(Step::Member(key.into()), inner));
        }
        Json::Array(items) => items.iter().enumerate().for_each(|(at, inner)| descend(Step::Item(at), inner)),
        _ => {}
    }
}

fn place<'a>(value: &'a mut Json, path: &[Step]) -> &'a mut Json {
    path.iter().fold(value, |value, step| match (value, step) {
        (Json::Object(object), Step::Member(key)) => object.get_mut(key).unwrap(),
        (Json::Array(items), Step::Item(index)) => &mut items[*index],
        _ => unreachable!("the path was taken from this document"),
    })
}

/// Changes the value itself, in the way that `choice` picks of those that its kind has.
fn change(value: &mut Json, choice: Index) {
    match value {
        Json::Null => *value = Json::Bool(choice.index(2) == 0),
        Json::Bool(it) => *it = !*it,
        Json::Number(_) => *value = if choice.index(2) == 0 { Json::from(4711) } else { Json::from("4711") },
        Json::String(text) => match choice.index(3) {
            0 => text.push('x'),
            1 if !text.is_empty() => drop(text.pop()),
            _ => *value = Json::Null,
        },
        Json::Array(items) if items.is_empty() => items.push(Json::from("new")),
        Json::Array(items) => match choice.index(4) {
            0 => drop(items.pop()),
            1 => items.push(items[0].clone()),
            2 => items.rotate_left(1),
            _ => items.push(Json::from("new")),
        },
        Json::Object(object) => match choice.index(3) {
            0 if !object.is_empty() => {
                let key = object.keys().nth(choice.index(object.len())).unwrap().to_owned();
                object.remove(&key);
            }
            1 => drop(object.insert("confirmation", "never")),
            _ => drop(object.insert("another", Json::Null)),
        },
    }
}

fn accept(value: Json) -> bool {
    Manifest::from_json(value).is_ok_and(|manifest| manifest.verify().is_ok())
}

proptest! {
    #[test]
    fn what_is_assembled_verifies_and_comes_back_from_its_file(manifest in manifests()) {
        prop_assert_eq!(manifest.verify(), Ok(()));
        let read_back = Manifest::parse(&manifest.to_file_text()).unwrap();
        prop_assert_eq!(read_back.verify(), Ok(()));
        prop_assert_eq!(&read_back, &manifest);
        prop_assert_eq!(Manifest::parse(&manifest.to_json().to_canonical()), Ok(manifest));
    }

    #[test]
    fn the_hashes_are_those_of_the_canonical_json_and_a_newline(manifest in manifests()) {
        for entry in manifest.capabilities() {
            let Json::Object(mut contract) = entry.to_json() else { unreachable!("an entry is an object") };
            contract.remove("contractHash");
            contract.remove("targets");
            prop_assert_eq!(Digest::of(Json::from(contract).to_canonical() + "\n"), entry.contract_hash);
            prop_assert_eq!(entry.contract.hash(), entry.contract_hash);
        }
        let Json::Object(mut payload) = manifest.to_json() else { unreachable!("a manifest is an object") };
        payload.remove("hash");
        prop_assert_eq!(Digest::of(Json::from(payload).to_canonical() + "\n"), manifest.hash());
    }

    #[test]
    fn the_order_of_entries_and_contributions_does_not_matter(
        (entries, shuffled) in declarations().prop_map(seal).prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle())),
        (external, shuffled_external) in
            vec(external_contracts(), 0..4).prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle())),
    ) {
        let one = Manifest::assemble(entries, external).unwrap();
        let other = Manifest::assemble(shuffled, shuffled_external).unwrap();
        prop_assert_eq!(one.to_file_text(), other.to_file_text());
    }

    #[test]
    fn entries_stand_in_the_order_of_their_joined_keys(manifest in manifests()) {
        let keys: Vec<Vec<u16>> = manifest
            .capabilities()
            .iter()
            .map(|it| [&*it.contract.declaration_id, "\0", &it.contract.capability_id].concat().encode_utf16().collect())
            .collect();
        prop_assert!(keys.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn any_single_change_of_a_valid_manifest_is_refused(manifest in manifests(), at in any::<Index>(), choice in any::<Index>()) {
        let valid = manifest.to_json();
        let mut all = Vec::new();
        places(&valid, &Path::new(), &mut all);
        let mut changed = valid.clone();
        change(place(&mut changed, &all[at.index(all.len())]), choice);
        prop_assert_eq!(accept(changed.clone()), changed == valid, "{:?}", changed);
    }

    #[test]
    fn merging_the_manifests_of_the_targets_is_assembling_them_at_once(
        declarations in declarations(),
        external in vec(external_contracts(), 0..3),
        order in Just(TARGETS.to_vec()).prop_shuffle(),
    ) {
        let entries = seal(declarations);
        let of_target = |target: &&str| {
            let own = entries.iter().filter(|entry| entry.targets == [*target]).cloned().collect();
            Manifest::assemble(own, external.clone()).unwrap()
        };
        let merged = Manifest::merge(order.iter().map(of_target)).unwrap();
        prop_assert_eq!(merged, Manifest::assemble(entries.clone(), external.clone()).unwrap());
    }

    #[test]
    fn one_declaration_with_two_contents_is_refused_whatever_the_order(
        contract in contracts(),
        other in contracts(),
        targets in btree_set(select(&TARGETS[..]), 2),
    ) {
        let other = Contract {
            declaration_id: contract.declaration_id.clone(),
            capability_id: contract.capability_id.clone(),
            ..other
        };
        prop_assume!(contract != other);
        let targets = Vec::from_iter(targets);
        let (one, two) = (contract.seal(targets[0]), other.seal(targets[1]));
        let error = Manifest::assemble(vec![one.clone(), two.clone()], Vec::new()).unwrap_err();
        prop_assert_eq!(&error, &Manifest::assemble(vec![two.clone(), one.clone()], Vec::new()).unwrap_err());
        for entry in [one, two] {
            prop_assert!(error.message().contains(&entry.contract_hash.to_hex()));
            prop_assert!(error.message().contains(&entry.targets[0]));
        }
    }
}
