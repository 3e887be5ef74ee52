//! What each change of a contract means.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use agent_surface_manifest::{
    Confirmation, Contract, Digest, Effect, Entry, ExternalContract, Kind, Manifest, Phase, PolicyAttachment,
    Route,
};
use agent_surface_review::{Class, compare};
use support::{action, capability_of, changes, json, manifest, places, procedure, rows};

fn policy(name: &str, phase: Option<Phase>) -> PolicyAttachment {
    PolicyAttachment { name: name.into(), phase }
}

#[test]
fn a_contract_has_not_changed_since_itself() {
    let contract = manifest([action("up"), procedure()]);
    assert_eq!(compare(Some(&contract), &contract), []);
    assert!(places(&contract).get("src/counter.ts#counter", "view:counter.up").is_some());
}

#[test]
fn without_an_older_contract_every_capability_widens() {
    let changes = compare(None, &manifest([action("up"), procedure()]));
    assert_eq!(rows(&changes), ["widening added capability", "widening added capability"]);
}

#[test]
fn a_new_capability_widens_and_one_that_is_gone_narrows() {
    let (one, two) = (manifest([action("up")]), manifest([action("up"), action("down")]));
    let added = compare(Some(&one), &two);
    assert_eq!(rows(&added), ["widening added capability"]);
    assert_eq!(capability_of(&added[0]), Some("view:counter.down"));
    assert!(added[0].after.is_some() && added[0].before.is_none());
    assert_eq!(rows(&compare(Some(&two), &one)), ["narrowing removed capability"]);
}

#[test]
fn a_weaker_confirmation_widens_and_a_stronger_one_narrows() {
    let with = |confirmation| Contract { confirmation, ..procedure() };
    let (required, optional) = (Some(Confirmation::Required), Some(Confirmation::Optional));
    assert_eq!(rows(&changes(with(required), with(optional))), ["widening changed confirmation"]);
    assert_eq!(rows(&changes(with(optional), with(required))), ["narrowing changed confirmation"]);
}

#[test]
fn a_confirmation_that_is_not_stated_is_that_of_the_effect() {
    let with = |confirmation| Contract { confirmation, ..procedure() };
    assert_eq!(
        rows(&changes(with(None), with(Some(Confirmation::Optional)))),
        ["widening changed confirmation"],
        "a destructive procedure asks, unless it says otherwise"
    );
    assert_eq!(
        rows(&changes(with(None), with(Some(Confirmation::Required)))),
        ["neutral changed confirmation"]
    );
}

#[test]
fn a_lower_effect_widens_and_a_higher_one_narrows() {
    let with = |effect| Contract { effect, ..procedure() };
    let (low, high) = (with(Effect::ServerMutation), with(Effect::Destructive));
    assert_eq!(rows(&changes(high.clone(), low.clone())), ["widening changed effect"]);
    assert_eq!(rows(&changes(low, high)), ["narrowing changed effect"]);
}

#[test]
fn a_policy_that_is_gone_widens_whatever_came_for_it() {
    let with = |policies: Vec<_>| Contract { policies: Some(policies), ..action("up") };
    let (auth, audit) = (policy("auth", None), policy("audit", None));
    let early = policy("auth", Some(Phase::Authorize));
    for (before, after, expected) in [
        (vec![auth.clone()], vec![], "widening changed policies"),
        (vec![], vec![auth.clone()], "narrowing changed policies"),
        (vec![auth.clone()], vec![audit.clone()], "widening changed policies"),
        (vec![early], vec![auth.clone()], "widening changed policies"),
        (vec![auth.clone(), audit.clone()], vec![audit, auth], "neutral changed policies"),
    ] {
        assert_eq!(rows(&changes(with(before), with(after))), [expected]);
    }
}

#[test]
fn a_new_target_widens_whatever_went_for_it() {
    let with = |targets: &[&str]| {
        let entries = targets.iter().map(|target| action("up").seal(*target)).collect();
        Manifest::assemble(entries, Vec::new()).unwrap()
    };
    let class = |before: &[&str], after: &[&str]| rows(&compare(Some(&with(before)), &with(after)));
    assert_eq!(class(&["web"], &["desktop", "web"]), ["widening changed targets"]);
    assert_eq!(class(&["desktop", "web"], &["web"]), ["narrowing changed targets"]);
    assert_eq!(class(&["desktop"], &["web"]), ["widening changed targets"]);
}

#[test]
fn words_and_labels_are_neutral() {
    let after = Contract { description: "New words".into(), tags: Some(vec!["new".into()]), ..action("up") };
    assert_eq!(rows(&changes(action("up"), after)), ["neutral changed description", "neutral changed tags"]);
}

#[test]
fn a_capability_that_moved_is_one_row() {
    let elsewhere = |declaration_id: &str, origin: &str| Contract {
        declaration_id: declaration_id.into(),
        origin: origin.into(),
        ..action("up")
    };
    for moved in [
        elsewhere("src/views/counter.ts#counter", "src/views/counter.ts"),
        elsewhere("src/counter.ts#counterContract", "src/counter.ts"),
    ] {
        let found = changes(action("up"), moved.clone());
        assert_eq!(rows(&found), ["neutral moved capability"]);
        assert_eq!(found[0].before.as_ref().unwrap().as_str(), Some("src/counter.ts#counter"));
        assert_eq!(found[0].after.as_ref().unwrap().as_str(), Some(&*moved.declaration_id));
    }
}

#[test]
fn what_changed_on_the_way_has_rows_of_its_own() {
    let moved = Contract {
        declaration_id: "src/b.ts#disable".into(),
        origin: "src/b.ts".into(),
        confirmation: Some(Confirmation::Optional),
        ..procedure()
    };
    let found = changes(procedure(), moved);
    assert_eq!(rows(&found), ["widening changed confirmation", "neutral moved capability"]);
}

#[test]
fn of_two_that_moved_each_is_paired_with_itself() {
    let declared = |declaration_id: &str, description: &str| Contract {
        declaration_id: declaration_id.into(),
        origin: declaration_id.split('#').next().unwrap().into(),
        description: description.into(),
        ..action("up")
    };
    let before = manifest([declared("src/a.ts#one", "First"), declared("src/a.ts#two", "Second")]);
    let after = manifest([declared("src/b.ts#x", "Second"), declared("src/b.ts#y", "First")]);
    let found = compare(Some(&before), &after);
    assert_eq!(rows(&found), ["neutral moved capability", "neutral moved capability"]);
    let pair = |at: usize| (found[at].before.clone().unwrap(), found[at].after.clone().unwrap());
    assert_eq!(pair(0), ("src/a.ts#two".into(), "src/b.ts#x".into()));
    assert_eq!(pair(1), ("src/a.ts#one".into(), "src/b.ts#y".into()));
}

#[test]
fn another_capability_is_no_move() {
    let renamed = Contract { declaration_id: "src/b.ts#b".into(), ..action("down") };
    assert_eq!(
        rows(&changes(action("up"), renamed)),
        ["widening added capability", "narrowing removed capability"]
    );
}

#[test]
fn a_schema_that_appears_or_goes_changes_what_bounds_a_value() {
    let with = |input: Option<&str>, output: Option<&str>| Contract {
        kind: Kind::Observation,
        effect: Effect::Read,
        input_schema: input.map(json),
        output_schema: output.map(json),
        ..action("value")
    };
    let class = |before, after| rows(&changes(before, after));
    assert_eq!(class(with(None, None), with(Some("{}"), None)), ["widening changed inputSchema"]);
    assert_eq!(class(with(Some("{}"), None), with(None, None)), ["changed changed inputSchema"]);
    assert_eq!(class(with(None, None), with(None, Some("{}"))), ["narrowing changed outputSchema"]);
    assert_eq!(class(with(None, Some("{}")), with(None, None)), ["widening changed outputSchema"]);
}

#[test]
fn a_schemas_row_says_where_the_two_differ() {
    let with = |input: &str| Contract { input_schema: Some(json(input)), ..action("set") };
    let found = changes(
        with(
            r#"{"properties":{"a":{"maximum":1},"b":{"anyOf":[{"const":1},{"const":2}]}},"required":["a"]}"#,
        ),
        with(
            r#"{"properties":{"a":{"maximum":2},"b":{"anyOf":[{"const":1},{"const":3}]}},"required":["a","b"]}"#,
        ),
    );
    let places: Vec<_> = found[0].differences.iter().map(|it| it.pointer.as_str()).collect();
    assert_eq!(places, ["/properties/a/maximum", "/properties/b/anyOf/1/const", "/required"]);
}

#[test]
fn a_dependency_that_contributes_has_rows_of_its_own() {
    let contribution = |digest: &str| ExternalContract {
        package: "@acme/charts".into(),
        source: "node_modules/@acme/charts".into(),
        route: Route::Source,
        contract_digest: Digest::of(digest),
        expected_digest: Digest::of(digest),
    };
    let with = |contributions: Vec<_>| {
        Manifest::assemble(vec![action("up").seal("web-production")], contributions).unwrap()
    };
    let (none, one, other) = (with(vec![]), with(vec![contribution("1")]), with(vec![contribution("2")]));
    assert_eq!(rows(&compare(Some(&none), &one)), ["widening added contribution"]);
    assert_eq!(rows(&compare(Some(&one), &none)), ["narrowing removed contribution"]);
    assert_eq!(rows(&compare(Some(&one), &other)), ["changed changed contribution"]);
}

#[test]
fn two_contracts_with_other_hashes_differ_in_a_row() {
    let contract = manifest([action("up"), action("down")]);
    let text = contract.to_file_text();
    let entries: Vec<Entry> = contract.capabilities().to_vec();
    let rehash = |manifest: &str| {
        let mut value = json(manifest);
        let Some(object) = (match &mut value {
            agent_surface_json::Json::Object(object) => Some(object),
            _ => None,
        }) else {
            panic!("a manifest is an object")
        };
        object.remove("hash");
        let hash = Digest::of(format!("{}\n", agent_surface_json::Json::from(object.clone()).to_canonical()));
        object.insert("hash", hash.to_hex());
        Manifest::from_json(value).unwrap()
    };
    let older = rehash(&text.replace("0.17.0", "0.16.0"));
    older.verify().unwrap();
    assert_eq!(rows(&compare(Some(&older), &contract)), ["neutral changed compilerVersion"]);

    let mut reversed = json(&text);
    if let agent_surface_json::Json::Object(object) = &mut reversed {
        let backwards: Vec<_> = entries.iter().rev().map(Entry::to_json).collect();
        object.insert("capabilities", backwards);
    }
    let reversed = rehash(&reversed.to_canonical());
    reversed.verify().unwrap();
    assert_eq!(rows(&compare(Some(&reversed), &contract)), ["neutral changed order"]);
}

#[test]
fn what_needs_a_reviewer_most_comes_first() {
    let before = manifest([action("up"), procedure()]);
    let after = manifest([
        Contract { description: "New words".into(), ..action("up") },
        Contract { confirmation: Some(Confirmation::Optional), ..procedure() },
    ]);
    let classes: Vec<Class> = compare(Some(&before), &after).iter().map(|it| it.class).collect();
    assert_eq!(classes, [Class::Widening, Class::Neutral]);
}
