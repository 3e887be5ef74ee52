//! Numbers and bytes as characters.
//!
//! The characters are printable ASCII that means itself in every kind of string literal, whatever quotes a minifier
//! chooses, and in a script inside HTML.
//!
//! Engines run this the first time with their quickest compiler, which inlines nothing: what is called for nearly every
//! character is marked for rustc to inline, and what is not is kept out of its way.

/// The characters: a digit is a place here.
const CHARACTERS: &[u8; COUNT as usize] =
    b" !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/// How many characters there are.
const COUNT: u64 = 89;

/// The digits below this one end a number, and those from it on go before the last one. With as many, what is frequent
/// takes one character, and a compressor's contexts (six bits of the last character) tell them all apart.
const ENDS: u64 = 64;

/// In the frame a byte is its own character, if that is below this one; each other takes two characters.
const PREFIX: u8 = b'|';

/// The digit of each character.
static DIGITS: [u8; 128] = {
    let mut digits = [0; 128];
    let mut digit = 0;
    while digit < CHARACTERS.len() {
        digits[CHARACTERS[digit] as usize] = digit as u8;
        digit += 1;
    }
    digits
};

/// Reads a stream from its beginning. Behind its end stand spaces, whatever was asked for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reader<'a> {
    text: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text }
    }

    /// Takes what stands first, so many characters, as a stream of its own.
    pub(crate) fn split(&mut self, length: usize) -> Self {
        let (first, rest) = self.text.split_at_checked(length).unwrap_or((self.text, &[]));
        self.text = rest;
        Self::new(first)
    }

    #[inline(always)]
    fn character(&mut self) -> u8 {
        let Some((character, rest)) = self.text.split_first() else { return b' ' };
        self.text = rest;
        *character
    }

    #[inline(always)]
    fn digit(&mut self) -> u64 {
        DIGITS[usize::from(self.character() & 0x7f)].into()
    }

    /// A number.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> u64 {
        let digit = self.digit();
        if digit < ENDS { digit } else { self.longer_number(digit) }
    }

    /// A number that begins with this digit, which doesn't end it.
    #[inline(never)]
    fn longer_number(&mut self, mut digit: u64) -> u64 {
        let mut before = 0_u64;
        while digit >= ENDS {
            before = before.wrapping_mul(COUNT - ENDS).wrapping_add(digit - ENDS + 1);
            digit = self.digit();
        }
        before.wrapping_mul(ENDS).wrapping_add(digit)
    }

    /// A number as small as lengths and places are.
    #[inline(always)]
    pub(crate) fn small(&mut self) -> usize {
        self.number() as usize
    }

    /// A byte of the frame.
    pub(crate) fn byte(&mut self) -> u8 {
        let character = self.character();
        if character < PREFIX {
            return character;
        }
        let prefix = u64::from(character - PREFIX);
        (prefix * COUNT + self.digit()) as u8
    }
}

/// Writes a number.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn push_number(number: u64, text: &mut String) {
    let mut characters = vec![character(number % ENDS)];
    let mut before = number / ENDS;
    while before > 0 {
        before -= 1;
        characters.push(character(ENDS + before % (COUNT - ENDS)));
        before /= COUNT - ENDS;
    }
    text.extend(characters.iter().rev());
}

/// Writes a byte of the frame.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn push_byte(byte: u8, text: &mut String) {
    if byte < PREFIX && CHARACTERS.contains(&byte) {
        text.push(byte.into());
    } else {
        text.push((PREFIX + byte / COUNT as u8).into());
        text.push(character((byte % COUNT as u8).into()));
    }
}

/// The character of a digit.
#[cfg(not(target_arch = "wasm32"))]
fn character(digit: u64) -> char {
    CHARACTERS[digit as usize].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(numbers: &[u64]) -> String {
        let mut text = String::new();
        numbers.iter().for_each(|number| push_number(*number, &mut text));
        text
    }

    #[test]
    fn a_number_comes_back_whatever_its_size() {
        let mut numbers: Vec<u64> = (0..20_000).collect();
        numbers.extend((0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit]).chain([u64::MAX]));
        let text = written(&numbers);
        let mut reader = Reader::new(text.as_bytes());
        assert!(numbers.iter().all(|number| reader.number() == *number));
    }

    #[test]
    fn small_numbers_take_one_character_and_the_next_ones_two() {
        assert_eq!(written(&(0..ENDS).collect::<Vec<_>>()).len(), 64);
        assert_eq!(written(&[ENDS]).len(), 2);
        assert_eq!(written(&[ENDS * (COUNT - ENDS + 1) - 1]).len(), 2);
    }

    #[test]
    fn a_byte_comes_back_and_text_stays_readable() {
        let mut text = String::new();
        (0..=u8::MAX).for_each(|byte| push_byte(byte, &mut text));
        let mut reader = Reader::new(text.as_bytes());
        assert!((0..=u8::MAX).all(|byte| reader.byte() == byte));
        assert!(text.contains("ABCDEFGHIJKLMNOPQRSTUVWXYZ") && text.contains("xyz{"));
    }

    #[test]
    fn no_character_has_a_meaning_in_a_literal() {
        let mut text = written(&(0..20_000).collect::<Vec<_>>());
        (0..=u8::MAX).for_each(|byte| push_byte(byte, &mut text));
        assert!(
            text.chars().all(|character| (' '..='~').contains(&character) && !"\"'`\\$<".contains(character))
        );
    }
}
