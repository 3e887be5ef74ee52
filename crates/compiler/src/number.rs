//! ECMAScript's conversions of numbers.

/// `String(value)`.
pub(crate) fn to_string(value: f64) -> String {
    ryu_js::Buffer::new().format(value).to_owned()
}

/// `value | 0`: ECMAScript's ToInt32.
pub(crate) fn to_int32(value: f64) -> i32 {
    if !value.is_finite() {
        return 0;
    }
    let modulus = 4_294_967_296.0;
    let wrapped = value.trunc().rem_euclid(modulus);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 <= wrapped < 2^32")]
    let bits = wrapped as u32;
    bits.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_int32_wraps_as_the_language_says() {
        for (value, expected) in [
            (0.0, 0),
            (-1.0, -1),
            (1.9, 1),
            (-1.9, -1),
            (2_147_483_648.0, i32::MIN),
            (4_294_967_296.0, 0),
            (-2_147_483_649.0, i32::MAX),
            (f64::NAN, 0),
            (f64::INFINITY, 0),
        ] {
            assert_eq!(to_int32(value), expected, "{value}");
        }
    }
}
