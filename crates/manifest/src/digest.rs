//! SHA-256 digests, spelled as 64 lower-case hexadecimal digits.

use std::fmt;

use sha2::Digest as _;

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What stands for a digest that is not known yet: nothing has this one.
    pub(crate) const BLANK: Self = Self([0; 32]);

    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The digest that 64 lower-case hexadecimal digits spell; `None` for any other text.
    ///
    /// Upper case is refused because a hash is compared as text elsewhere: one digest has one spelling.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 2 * bytes.len() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(Self(bytes))
    }

    /// The 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        let mut out = String::with_capacity(64);
        self.push_hex(&mut out);
        out
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Appends the hexadecimal digits to `out`.
    pub(crate) fn push_hex(self, out: &mut String) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for byte in self.0 {
            out.push(DIGITS[usize::from(byte >> 4)].into());
            out.push(DIGITS[usize::from(byte & 15)].into());
        }
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Hashes text that arrives in pieces.
#[derive(Default)]
pub(crate) struct Hasher(sha2::Sha256);

impl Hasher {
    pub(crate) fn push(&mut self, text: &str) {
        self.0.update(text);
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn it_is_sha_256_in_lower_case_hex() {
        assert_eq!(Digest::of("abc").to_hex(), ABC);
        assert_eq!(Digest::from_hex(ABC), Some(Digest::of("abc")));
    }

    #[test]
    fn text_in_pieces_has_the_digest_of_the_whole() {
        let mut hasher = Hasher::default();
        hasher.push("a");
        hasher.push("");
        hasher.push("bc");
        assert_eq!(hasher.finish().to_hex(), ABC);
    }

    #[test]
    fn any_other_spelling_is_no_digest() {
        for text in ["", "ba78", &ABC.to_uppercase(), &format!("{ABC}0"), &ABC.replace('b', "g")] {
            assert_eq!(Digest::from_hex(text), None, "{text}");
        }
        assert_eq!(Digest::from_hex(&"é".repeat(32)), None);
    }
}
