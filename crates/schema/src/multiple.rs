//! `multipleOf`, exactly.

use agent_surface_json::{Json, Number};

/// Whether `value` is an integer times `of`, both taken as the decimal numbers that their canonical form spells.
///
/// What an author writes as 0.0001 is not quite the double that stands for it, so neither a floating-point
/// remainder nor the exact value of the doubles finds that 0.0075 is a multiple. The shortest decimal that
/// denotes the double is what was written, and between decimals the question has an exact answer.
pub(crate) fn is_multiple(value: Number, of: Number) -> bool {
    let (value, of) = (Decimal::of(value), Decimal::of(of));
    if value.digits == 0 || of.digits == 0 {
        return value.digits == 0;
    }
    // The digits end in no zero, so they can't make up for a power of ten that the divisor has beyond theirs.
    let Ok(shift) = u32::try_from(value.exponent - of.exponent) else { return false };
    let mut remainder = value.digits % of.digits;
    for _ in 0..shift {
        if remainder == 0 {
            break;
        }
        remainder = remainder * 10 % of.digits;
    }
    remainder == 0
}

/// The magnitude `digits * 10^exponent`, where `digits` does not end in a zero unless it is zero.
struct Decimal {
    /// At most 17 decimal digits, which is what a double needs.
    digits: u64,
    exponent: i32,
}

impl Decimal {
    fn of(number: Number) -> Self {
        let text = Json::from(number).to_canonical();
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (mut digits, mut exponent) = (0, exponent.parse().unwrap_or(0));
        let (mut zeros, mut fraction) = (0, false);
        for byte in mantissa.bytes() {
            match byte {
                b'.' => {
                    fraction = true;
                    continue;
                }
                // Zeros wait: they count only once another digit follows.
                b'0' => zeros += 1,
                b'1'..=b'9' => {
                    digits = digits * 10_u64.pow(zeros + 1) + u64::from(byte - b'0');
                    zeros = 0;
                }
                // The sign has no part in divisibility.
                _ => continue,
            }
            exponent -= i32::from(fraction);
        }
        Self { digits, exponent: exponent + i32::try_from(zeros).unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::is_multiple;

    fn multiple(value: &str, of: &str) -> bool {
        let number = |text| parse(text).unwrap().as_number().unwrap();
        is_multiple(number(value), number(of))
    }

    #[test]
    fn decimals_divide_as_they_are_written() {
        assert!(multiple("0.0075", "0.0001"));
        assert!(!multiple("0.00751", "0.0001"));
        assert!(multiple("0.3", "0.1"));
        assert!(multiple("4.02", "0.01"));
        assert!(multiple("-4.5", "1.5"));
        assert!(!multiple("35", "1.5"));
    }

    #[test]
    fn zero_is_a_multiple_of_everything() {
        assert!(multiple("0", "0.0001"));
        assert!(multiple("-0", "1e300"));
    }

    #[test]
    fn magnitudes_far_apart_are_exact() {
        assert!(multiple("1e308", "0.5"));
        assert!(multiple("1e308", "1e-8"));
        assert!(multiple("12391239123", "1e-8"));
        assert!(!multiple("1e308", "0.123456789"));
        assert!(multiple("1.7976931348623157e308", "5e-324"));
        assert!(!multiple("5e-324", "1e308"));
        assert!(!multiple("1e20", "1e21"));
    }

    #[test]
    fn trailing_and_inner_zeros_are_digits_too() {
        assert!(multiple("123456789012345680000", "10000"));
        assert!(!multiple("123456789012345680000", "100000"));
        assert!(multiple("100200", "100"));
        assert!(multiple("0.000001", "0.0000001"));
        assert!(multiple("9007199254740993", "1"));
    }
}
