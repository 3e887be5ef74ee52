//! Numbers as JSON and ECMAScript share them: finite doubles, printed the one way ECMAScript prints them.
//!
//! Rust's float parser and printer cost about 20 kB compressed in a browser that already has both, so on
//! `wasm32` the host lends its own through two imports. `tests/` of the wasm binding proves that both print
//! alike.

use std::fmt;

/// A finite double. Negative zero is stored as zero, which is how its canonical form reads.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Number(f64);

impl Number {
    /// The number, or `None` for NaN and the infinities, which JSON cannot carry.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns -0 into 0 and changes nothing else.
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// The double itself.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Whether the number has no fractional part (`1.0` counts, as JSON Schema's `integer` has it).
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.0 % 1.0 == 0.0
    }

    /// The number that a JSON literal denotes, or `None` where it lies beyond a double's range.
    ///
    /// `literal` must match the grammar of RFC 8259; the parser has checked that.
    pub(crate) fn from_literal(literal: &str) -> Option<Self> {
        Self::new(host::parse(literal))
    }

    /// Appends the ECMAScript form (`Number::toString`) to `out`.
    pub(crate) fn print_into(self, out: &mut String) {
        host::print(self.0, out);
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.print_into(&mut text);
        f.write_str(&text)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(f64::from(value))
    }
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self(f64::from(value))
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod host {
    pub(super) fn parse(literal: &str) -> f64 {
        literal.parse().unwrap_or(f64::NAN)
    }

    pub(super) fn print(value: f64, out: &mut String) {
        out.push_str(ryu_js::Buffer::new().format_finite(value));
    }
}

#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "the two imports are the FFI edge to the engine's own number conversion")]
mod host {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// `Number(text)` over `len` bytes of ASCII at `ptr`.
        fn number_parse(ptr: *const u8, len: usize) -> f64;
        /// Writes `String(value)`, at most 32 bytes of ASCII, at `ptr` and returns its length.
        fn number_print(value: f64, ptr: *mut u8) -> usize;
    }

    pub(super) fn parse(literal: &str) -> f64 {
        // SAFETY: the host reads `len` bytes of a live string slice and keeps no reference to it.
        unsafe { number_parse(literal.as_ptr(), literal.len()) }
    }

    pub(super) fn print(value: f64, out: &mut String) {
        // ECMAScript's longest form is 25 characters (`-1.2345678901234567e-300` and its kind).
        let mut buffer = [0u8; 32];
        // SAFETY: the host writes at most 32 bytes, and `buffer` has them.
        let len = unsafe { number_print(value, buffer.as_mut_ptr()) };
        out.extend(buffer.iter().take(len).copied().map(char::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(value: f64) -> String {
        Number::new(value).unwrap().to_string()
    }

    #[test]
    fn what_json_cannot_carry_is_no_number() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Number::new(value), None);
        }
    }

    #[test]
    fn negative_zero_is_stored_and_printed_as_zero() {
        assert_eq!(Number::new(-0.0).unwrap().get().to_bits(), 0);
        assert_eq!(print(-0.0), "0");
    }

    #[test]
    fn the_exponent_appears_where_ecmascript_has_it() {
        for (value, text) in [
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (123e-20, "1.23e-18"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (-1.5, "-1.5"),
            (333_333_333.333_333_3, "333333333.3333333"),
        ] {
            assert_eq!(print(value), text);
        }
    }

    #[test]
    fn a_number_without_a_fraction_is_an_integer_however_large() {
        for (value, integer) in [(1.0, true), (-3.0, true), (1e300, true), (0.5, false), (5e-324, false)] {
            assert_eq!(Number::new(value).unwrap().is_integer(), integer, "{value}");
        }
    }
}
