//! Operators over primitives, as ECMAScript defines them.

use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::value::Value;
use crate::number;

/// ToString of a primitive.
pub(super) fn to_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Undefined => "undefined".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number::to_string(*value),
        Value::String(text) => text.to_string(),
        _ => return None,
    })
}

/// ToNumber of a primitive that needs no parsing: a string's conversion has rules of its own, and a contract
/// has no use for them.
fn to_number(value: &Value) -> Option<f64> {
    match value {
        Value::Undefined => Some(f64::NAN),
        Value::Null => Some(0.0),
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        Value::Number(value) => Some(*value),
        _ => None,
    }
}

/// ToBoolean. An enum may be asked before its declaration is run, when it is `undefined`.
pub(super) fn is_truthy(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Undefined | Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => *value != 0.0 && !value.is_nan(),
        Value::String(text) => !text.is_empty(),
        Value::Unknown(_) | Value::Enum { .. } => return None,
        _ => true,
    })
}

pub(super) fn unary(operator: UnaryOperator, value: &Value) -> Option<Value> {
    Some(match operator {
        UnaryOperator::UnaryPlus => Value::Number(to_number(value)?),
        UnaryOperator::UnaryNegation => Value::Number(-to_number(value)?),
        UnaryOperator::LogicalNot => Value::Bool(!is_truthy(value)?),
        UnaryOperator::BitwiseNot => Value::Number(f64::from(!number::to_int32(to_number(value)?))),
        UnaryOperator::Void => Value::Undefined,
        UnaryOperator::Typeof => Value::String(
            match value {
                Value::Undefined => "undefined",
                Value::Null | Value::Array(_) | Value::Object(_) => "object",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                _ => return None,
            }
            .into(),
        ),
        UnaryOperator::Delete => return None,
    })
}

pub(super) fn binary(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    use BinaryOperator as Op;
    let arithmetic =
        |fold: fn(f64, f64) -> f64| Some(Value::Number(fold(to_number(left)?, to_number(right)?)));
    let bitwise = |fold: fn(i32, i32) -> i32| {
        let operands = (number::to_int32(to_number(left)?), number::to_int32(to_number(right)?));
        Some(Value::Number(f64::from(fold(operands.0, operands.1))))
    };
    match operator {
        Op::Addition => match (left, right) {
            (Value::String(_), _) | (_, Value::String(_)) => {
                Some(Value::String((to_text(left)? + &to_text(right)?).into()))
            }
            _ => arithmetic(|a, b| a + b),
        },
        Op::Subtraction => arithmetic(|a, b| a - b),
        Op::Multiplication => arithmetic(|a, b| a * b),
        Op::Division => arithmetic(|a, b| a / b),
        // Rust's `%` on doubles is C's fmod, as ECMAScript's is.
        Op::Remainder => arithmetic(|a, b| a % b),
        Op::BitwiseOR => bitwise(|a, b| a | b),
        Op::BitwiseAnd => bitwise(|a, b| a & b),
        Op::BitwiseXOR => bitwise(|a, b| a ^ b),
        Op::ShiftLeft => bitwise(|a, b| a.wrapping_shl(b.cast_unsigned() & 31)),
        Op::ShiftRight => bitwise(|a, b| a.wrapping_shr(b.cast_unsigned() & 31)),
        Op::ShiftRightZeroFill => {
            let operands = (number::to_int32(to_number(left)?), number::to_int32(to_number(right)?));
            let shifted = operands.0.cast_unsigned().wrapping_shr(operands.1.cast_unsigned() & 31);
            Some(Value::Number(f64::from(shifted)))
        }
        Op::StrictEquality => strict_equality(left, right).map(Value::Bool),
        Op::StrictInequality => strict_equality(left, right).map(|equal| Value::Bool(!equal)),
        Op::LessThan => compare(left, right, |a, b| a < b),
        Op::LessEqualThan => compare(left, right, |a, b| a <= b),
        Op::GreaterThan => compare(left, right, |a, b| a > b),
        Op::GreaterEqualThan => compare(left, right, |a, b| a >= b),
        // `**` may differ in the last bit between engines; `==` coerces; the rest needs objects.
        _ => None,
    }
}

fn strict_equality(left: &Value, right: &Value) -> Option<bool> {
    Some(match (left, right) {
        (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        #[expect(clippy::float_cmp, reason = "ECMAScript compares numbers exactly")]
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (a, b) if is_primitive(a) && is_primitive(b) => false,
        _ => return None,
    })
}

fn compare(left: &Value, right: &Value, holds: fn(f64, f64) -> bool) -> Option<Value> {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => Some(Value::Bool(holds(*a, *b))),
        _ => None,
    }
}

fn is_primitive(value: &Value) -> bool {
    matches!(value, Value::Undefined | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_))
}
