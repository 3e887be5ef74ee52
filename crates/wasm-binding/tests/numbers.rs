//! In the browser module JavaScript reads and prints the numbers, elsewhere Rust does. Both must do it alike, or a
//! contract's hash would depend on where it is computed.
//!
//! The snapshot is a manifest full of numbers, hashed here. `npm/core/test/numbers.test.ts` has the browser
//! module verify it, which succeeds only if that prints every one of them the same way.

use agent_surface_json::{Json, Number, Object};
use agent_surface_manifest::{Contract, Effect, Kind, Manifest};

/// Where forms change: the ends of the doubles' range, of plain notation, and of exact integers.
const EDGES: [f64; 22] = [
    0.0,
    1.0,
    -1.0,
    0.1,
    1e-6,
    9.999_999_999_999_997e-7,
    1e-7,
    1e20,
    999_999_999_999_999_900_000.0,
    1e21,
    -1e21,
    1e22,
    1e23,
    123_456_789_012_345_680_000.0,
    9_007_199_254_740_991.0,
    9_007_199_254_740_992.0,
    f64::EPSILON,
    f64::MIN_POSITIVE,
    5e-324,
    2.225_073_858_507_201e-308,
    f64::MAX,
    f64::MIN,
];

#[test]
fn a_manifest_full_of_numbers_is_hashed_the_same_way_everywhere() {
    let numbers: Vec<Number> = EDGES.into_iter().chain(any_doubles(1000)).filter_map(Number::new).collect();
    assert!(numbers.len() > 1000);
    let mut schema = Object::new();
    schema.insert("enum", numbers.into_iter().map(Json::from).collect::<Vec<_>>());
    let contract = Contract {
        declaration_id: "src/numbers.ts#numbers".into(),
        capability_id: "view:test.numbers".into(),
        kind: Kind::Observation,
        description: "Numbers of every magnitude".into(),
        effect: Effect::Read,
        input_schema: None,
        output_schema: Some(schema.into()),
        confirmation: None,
        policies: None,
        tags: None,
        origin: "src/numbers.ts".into(),
    };
    let manifest = Manifest::assemble(vec![contract.seal("web-production")], Vec::new()).unwrap();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("numbers", manifest.to_json().to_canonical());
    });
}

/// Doubles of all bit patterns alike, always the same ones (SplitMix64).
fn any_doubles(count: usize) -> impl Iterator<Item = f64> {
    let mut state = 0_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        f64::from_bits(bits ^ (bits >> 31))
    })
    .take(count)
}
