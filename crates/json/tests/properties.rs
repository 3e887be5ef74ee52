//! What holds for every JSON value and every text.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use agent_surface_json::{Json, Number, Object, parse};
use proptest::{collection::vec, prelude::*};

/// Every finite double is as likely as another one: the strategy draws bit patterns, not magnitudes.
fn doubles() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |value| value.is_finite())
}

/// Doubles of every size, and the whole and decimal numbers that people write.
fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![
        doubles(),
        any::<i32>().prop_map(f64::from),
        any::<i64>().prop_map(|value| value as f64),
        (any::<i32>(), 0..12i32).prop_map(|(digits, point)| f64::from(digits) / 10f64.powi(point)),
    ]
}

/// Strings with what JSON must escape and what sorts differently in UTF-8 and UTF-16.
fn strings() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{0,3}",
        any::<String>(),
        "[\"\\\\/\u{0}-\u{1F}\u{7F}\u{D7FF}\u{E000}\u{FFFF}\u{10000}]{0,6}"
    ]
}

fn values() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        numbers().prop_map(|value| Json::from(Number::new(value).unwrap())),
        strings().prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::from),
            vec((strings(), inner), 0..6)
                .prop_map(|members| Json::from(members.into_iter().collect::<Object>())),
        ]
    })
}

fn to_serde(value: &Json) -> serde_json::Value {
    match value {
        Json::Null => serde_json::Value::Null,
        Json::Bool(value) => (*value).into(),
        Json::Number(number) => number.get().into(),
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(to_serde).collect(),
        Json::Object(object) => object.iter().map(|(key, value)| (key, to_serde(value))).collect(),
    }
}

/// `Number::toString` as ECMA-262 (6.1.6.1.20) describes it, over digits that Rust's own printing finds: a way
/// to the same text that shares no code with ours.
fn ecmascript(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let shortest = format!("{:e}", value.abs());
    // Of two shortest forms at the same distance Rust takes the greater and ECMAScript the even one, as exact
    // rounding to that many digits does.
    let digit_count = shortest.split_once('e').unwrap().0.replace('.', "").len();
    let rounded = format!("{:.*e}", digit_count - 1, value.abs());
    let reads_back = rounded.parse() == Ok(value.abs());
    let scientific = if reads_back { rounded } else { shortest };
    let (mantissa, exponent) = scientific.split_once('e').unwrap();
    let digits = mantissa.replace('.', "");
    let k = i32::try_from(digits.len()).unwrap();
    let n = exponent.parse::<i32>().unwrap() + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap());
    let unsigned = if k <= n && n <= 21 {
        digits + &zeros(n - k)
    } else if 0 < n && n <= 21 {
        let (whole, fraction) = digits.split_at(usize::try_from(n).unwrap());
        format!("{whole}.{fraction}")
    } else if -6 < n && n <= 0 {
        format!("0.{}{digits}", zeros(-n))
    } else {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{first}{point}{rest}e{:+}", n - 1)
    };
    format!("{sign}{unsigned}")
}

#[test]
fn of_two_shortest_forms_the_even_one_is_printed() {
    let exactly_between = 902_822_261_971_462.0 + 0.25;
    assert_eq!(ecmascript(exactly_between), "902822261971462.2");
    assert_eq!(Number::new(exactly_between).unwrap().to_string(), "902822261971462.2");
}

proptest! {
    #[test]
    fn the_canonical_form_is_that_of_an_independent_implementation(value in values()) {
        let expected = serde_json_canonicalizer::to_string(&to_serde(&value)).unwrap();
        prop_assert_eq!(value.to_canonical(), expected);
    }

    #[test]
    fn every_text_that_serde_json_takes_has_the_canonical_form_it_has_there(value in values(), pretty: bool) {
        let theirs = to_serde(&value);
        let text = if pretty { serde_json::to_string_pretty(&theirs) } else { serde_json::to_string(&theirs) }.unwrap();
        prop_assert_eq!(parse(&text), Ok(value));
    }

    #[test]
    fn a_number_prints_as_ecmascript_specifies(value in numbers()) {
        prop_assert_eq!(Number::new(value).unwrap().to_string(), ecmascript(value));
    }

    #[test]
    fn a_printed_number_reads_back_to_the_bit(value in doubles()) {
        let text = Number::new(value).unwrap().to_string();
        prop_assert_eq!(parse(&text).unwrap().as_number().unwrap().get().to_bits(), (value + 0.0).to_bits());
    }

    #[test]
    fn parsing_undoes_printing(value in values()) {
        prop_assert_eq!(&parse(&value.to_canonical()).unwrap(), &value);
        prop_assert_eq!(&parse(&value.to_pretty()).unwrap(), &value);
    }

    #[test]
    fn the_canonical_form_of_a_canonical_form_is_itself(value in values()) {
        let text = value.to_canonical();
        prop_assert_eq!(parse(&text).unwrap().to_canonical(), text);
    }

    #[test]
    fn any_text_is_read_or_refused_within_its_bounds(text in any::<String>()) {
        if let Err(error) = parse(&text) {
            prop_assert!(error.offset <= text.len());
        }
    }

    #[test]
    fn text_of_json_characters_is_read_or_refused_as_serde_json_does(text in "[\\[\\]{}:,\"\\\\u0-9eE+.ntrlsfa -]{0,12}") {
        // Where the two part on purpose: repeated keys, and what serde_json keeps of a number's sign.
        let ours = parse(&text);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match ours {
            Ok(value) => prop_assert_eq!(
                value.to_canonical(),
                serde_json_canonicalizer::to_string(&theirs.unwrap()).unwrap()
            ),
            Err(error) if error.kind == agent_surface_json::ParseErrorKind::DuplicateKey => {
                prop_assert!(theirs.is_ok());
            }
            Err(error) => prop_assert!(theirs.is_err(), "{} of {:?}", error, text),
        }
    }

    #[test]
    fn damaged_json_is_read_or_refused_within_its_bounds(
        value in values(),
        pretty: bool,
        at in any::<prop::sample::Index>(),
        damage in prop_oneof![Just(String::new()), "[\\[\\]{}:,\"\\\\eu0-9 .+-]", any::<char>().prop_map(String::from)],
        removed in 0..3usize,
    ) {
        let text = if pretty { value.to_pretty() } else { value.to_canonical() };
        let characters: Vec<char> = text.chars().collect();
        let at = at.index(characters.len());
        let end = (at + removed).min(characters.len());
        let damaged: String =
            characters[..at].iter().copied().chain(damage.chars()).chain(characters[end..].iter().copied()).collect();
        match parse(&damaged) {
            Ok(read) => prop_assert_eq!(parse(&read.to_canonical()), Ok(read)),
            Err(error) => prop_assert!(error.offset <= damaged.len()),
        }
    }
}
