//! Ids that nobody can guess, from randomness that the host gives once.

use agent_surface_manifest::Digest;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The largest multiple of 62 that a byte holds: bytes from here on would favour the first letters.
const FAIR: u8 = 248;

/// A generator of random text: SHA-256 over the entropy and a counter. Who knows the ids it gave can't tell the next.
pub(crate) struct Tokens {
    entropy: [u8; 32],
    counter: u64,
    block: [u8; 32],
    used: usize,
}

impl Tokens {
    pub(crate) fn new(entropy: [u8; 32]) -> Self {
        Self { entropy, counter: 0, block: [0; 32], used: 32 }
    }

    /// `length` characters of base 62, each nearly 6 bits of chance.
    pub(crate) fn text(&mut self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        while text.len() < length {
            let byte = self.byte();
            if byte < FAIR {
                text.push(BASE62[usize::from(byte % 62)].into());
            }
        }
        text
    }

    fn byte(&mut self) -> u8 {
        if self.used == self.block.len() {
            let mut input = [0; 40];
            input[..32].copy_from_slice(&self.entropy);
            input[32..].copy_from_slice(&self.counter.to_le_bytes());
            self.block = *Digest::of(input).as_bytes();
            self.counter += 1;
            self.used = 0;
        }
        let byte = self.block[self.used];
        self.used += 1;
        byte
    }
}

/// `value` in base 36, filled up to `width` with zeros.
pub(crate) fn base36(mut value: u32, width: usize) -> String {
    let mut digits = Vec::with_capacity(width);
    while value > 0 || digits.len() < width {
        digits.push(char::from(BASE36[(value % 36) as usize]));
        value /= 36;
    }
    digits.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_entropy_gives_the_same_ids_and_other_entropy_others() {
        let ids = |entropy| {
            let mut tokens = Tokens::new([entropy; 32]);
            [tokens.text(22), tokens.text(12), tokens.text(12)]
        };
        assert_eq!(ids(1), ids(1));
        assert_ne!(ids(1), ids(2));
        let [surface, first, second] = ids(1);
        assert_eq!((surface.len(), first.len()), (22, 12));
        assert_ne!(first, second);
    }

    #[test]
    fn every_letter_comes_up_about_as_often_as_any_other() {
        let text = Tokens::new([7; 32]).text(62_000);
        for letter in BASE62 {
            let count = text.bytes().filter(|byte| byte == letter).count();
            assert!((850..1150).contains(&count), "{} came up {count} times", char::from(*letter));
        }
    }

    #[test]
    fn base_36_is_filled_up_with_zeros() {
        for (value, text) in [(0, "0000"), (35, "000z"), (36, "0010"), (u32::MAX, "1z141z3")] {
            assert_eq!(base36(value, 4), text);
        }
    }
}
