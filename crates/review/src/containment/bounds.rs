//! Keywords that compare by a number or by a word.

use agent_surface_json::{Json, Number, Object};
use agent_surface_schema::{NativePatterns, validate};

use super::branch::Branch;

/// One side of a range of numbers.
#[derive(Clone, Copy)]
struct Bound {
    value: f64,
    /// Whether the value itself is left out.
    exclusive: bool,
}

/// Which side of a range.
#[derive(Clone, Copy)]
enum Side {
    Lower,
    Upper,
}

impl Side {
    const fn keywords(self) -> [&'static str; 2] {
        match self {
            Self::Lower => ["minimum", "exclusiveMinimum"],
            Self::Upper => ["maximum", "exclusiveMaximum"],
        }
    }
}

impl Bound {
    /// Whether values that keep this bound keep the other.
    fn implies(self, other: Self, side: Side) -> bool {
        let (this, that) = match side {
            Side::Lower => (self.value, other.value),
            Side::Upper => (-self.value, -other.value),
        };
        this > that || this == that && (self.exclusive || !other.exclusive)
    }

    /// The bound that integers keep which keep this one. Beyond 2^53 adding one may change nothing, which leaves a
    /// weaker bound and is right too.
    fn of_integers(self, side: Side) -> Self {
        let value = match (side, self.exclusive) {
            (Side::Lower, true) => self.value.floor() + 1.0,
            (Side::Lower, false) => self.value.ceil(),
            (Side::Upper, true) => self.value.ceil() - 1.0,
            (Side::Upper, false) => self.value.floor(),
        };
        Self { value, exclusive: false }
    }
}

/// Whether ranges and divisors of the branch's numbers are within those of `outer`.
pub(super) fn numbers_within(branch: &Branch<'_>, outer: &Branch<'_>, patterns: &NativePatterns) -> bool {
    let integers = branch.integers();
    let keeps_side = |side: Side| {
        range_bounds(outer, side).all(|asked| {
            range_bounds(branch, side)
                .flat_map(|bound| [Some(bound), integers.then(|| bound.of_integers(side))])
                .flatten()
                .any(|bound| bound.implies(asked, side))
        })
    };
    keeps_side(Side::Lower)
        && keeps_side(Side::Upper)
        && outer.operands("multipleOf").all(|asked| {
            let guaranteed = |of: &Json| is_multiple(of, asked, patterns);
            branch.operands("multipleOf").any(guaranteed) || integers && is_one(asked)
        })
}

fn range_bounds(branch: &Branch<'_>, side: Side) -> impl Iterator<Item = Bound> {
    let [inclusive, exclusive] = side.keywords();
    let bounds = |keyword, exclusive| {
        let values = branch.operands(keyword).filter_map(Json::as_number);
        values.map(move |value| Bound { value: value.get(), exclusive })
    };
    bounds(inclusive, false).chain(bounds(exclusive, true))
}

/// Whether `of` is a multiple of `asked`, so that every multiple of the one is one of the other. The validator
/// decides, since its word counts at run time.
fn is_multiple(of: &Json, asked: &Json, patterns: &NativePatterns) -> bool {
    let schema: Object = [("multipleOf", asked.clone())].into_iter().collect();
    validate(&schema.into(), of, patterns).is_empty()
}

fn is_one(number: &Json) -> bool {
    number.as_number().map(Number::get) == Some(1.0)
}

/// Whether the branch's texts are as long as `outer` asks for.
pub(super) fn lengths_within(branch: &Branch<'_>, outer: &Branch<'_>) -> bool {
    sizes_within(branch, outer, "minLength", "maxLength")
}

/// Whether the branch's arrays have as many items as `outer` asks for, and each once if it asks for that.
pub(super) fn counts_within(branch: &Branch<'_>, outer: &Branch<'_>) -> bool {
    let is_set = |branch: &Branch<'_>| branch.operands("uniqueItems").any(|it| it.as_bool() == Some(true));
    sizes_within(branch, outer, "minItems", "maxItems")
        && (!is_set(outer) || is_set(branch) || most(branch, "maxItems").is_some_and(|most| most <= 1.0))
}

/// Whether the branch's arrays have no items, so that nothing said of items matters.
pub(super) fn is_always_empty(branch: &Branch<'_>) -> bool {
    most(branch, "maxItems") == Some(0.0)
}

fn sizes_within(branch: &Branch<'_>, outer: &Branch<'_>, min: &'static str, max: &'static str) -> bool {
    least(branch, min) >= least(outer, min)
        && match (most(branch, max), most(outer, max)) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(guaranteed), Some(asked)) => guaranteed <= asked,
        }
}

fn least(branch: &Branch<'_>, keyword: &'static str) -> f64 {
    branch.operands(keyword).filter_map(Json::as_number).map(Number::get).fold(0.0, f64::max)
}

fn most(branch: &Branch<'_>, keyword: &'static str) -> Option<f64> {
    branch.operands(keyword).filter_map(Json::as_number).map(Number::get).reduce(f64::min)
}

/// Whether the branch's texts have every form that `outer` asks for. One form is never shown to imply another.
pub(super) fn forms_within(branch: &Branch<'_>, outer: &Branch<'_>) -> bool {
    ["pattern", "format"]
        .into_iter()
        .all(|keyword| outer.operands(keyword).all(|asked| branch.operands(keyword).any(|it| it == asked)))
}
