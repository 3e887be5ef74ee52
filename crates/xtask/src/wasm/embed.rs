//! The module as text that a JavaScript file can hold, and that still compresses.
//!
//! Base64 cuts bytes across its digits, so that what repeats in the module no longer repeats in the text: brotli
//! is left with a third more than the module itself compresses to. Here every byte keeps a code of its own, one
//! character for the common ones and two for the others; the text is 6 % longer than the module and compresses
//! to within 4 % of it. `npm/core/src/kernel/unpack.ts` is the way back.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};

/// How many characters begin a code of two.
const PREFIXES: usize = 3;

/// Writes the TypeScript file that holds `bytes`. A file that is right already keeps its time stamp, so that
/// nothing after it is built again.
pub(super) fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    let text = source(bytes);
    if fs::read_to_string(file).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn source(bytes: &[u8]) -> String {
    let order = by_frequency(bytes);
    let hex: String = order.iter().map(|byte| format!("{byte:02x}")).collect();
    let alphabet = alphabet();
    let code = encode(bytes, &order, &alphabet);
    let alphabet: String = alphabet.into_iter().collect();
    format!(
        "// Made by `cargo xtask build` from crates/wasm-binding, and not committed.\n\n\
         /** The WebAssembly module; `unpack` reads it. */\n\
         export const PACKED = {{\n  \
         length: {length},\n  \
         prefixes: {PREFIXES},\n  \
         alphabet: \"{alphabet}\",\n  \
         bytes: \"{hex}\",\n  \
         code: \"{code}\",\n}};\n",
        length = bytes.len(),
    )
}

/// The characters of the code: printable ASCII that means itself in every kind of string literal, whatever quotes
/// a minifier chooses, and in a script inside HTML.
fn alphabet() -> Vec<char> {
    (' '..='~').filter(|character| !"\"'`\\$<".contains(*character)).collect()
}

/// All 256 bytes, the most frequent first; among equals the lower one.
fn by_frequency(bytes: &[u8]) -> Vec<u8> {
    let mut counts = [0_usize; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let mut order: Vec<u8> = (0..=u8::MAX).collect();
    order.sort_by_key(|byte| std::cmp::Reverse(counts[usize::from(*byte)]));
    order
}

/// The code of each byte: the first of `order` take a character each, the others a prefix and a character.
fn encode(bytes: &[u8], order: &[u8], alphabet: &[char]) -> String {
    let (prefixes, singles) = alphabet.split_at(PREFIXES);
    let pairs =
        prefixes.iter().flat_map(|prefix| alphabet.iter().map(move |second| format!("{prefix}{second}")));
    let codes = singles.iter().map(char::to_string).chain(pairs);
    let mut code_of = vec![String::new(); 256];
    for (byte, code) in order.iter().zip(codes) {
        code_of[usize::from(*byte)] = code;
    }
    bytes.iter().map(|byte| code_of[usize::from(*byte)].as_str()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn common_bytes_take_one_character_and_rare_ones_two() {
        let bytes: Vec<u8> = std::iter::repeat_n(7, 10).chain(0..=255).collect();
        let code = encode(&bytes, &by_frequency(&bytes), &alphabet());
        assert_eq!(&code[..10], "%".repeat(10), "the first character that is no prefix");
        let singles = alphabet().len() - PREFIXES;
        assert_eq!(code.len(), 10 + singles + 2 * (256 - singles));
    }

    #[test]
    fn every_byte_has_a_code_that_begins_no_other() {
        let bytes: Vec<u8> = (0..=255).collect();
        let (order, alphabet) = (by_frequency(&bytes), alphabet());
        let codes: HashSet<String> = bytes.iter().map(|byte| encode(&[*byte], &order, &alphabet)).collect();
        assert_eq!(codes.len(), 256);
        assert!(codes.iter().all(|code| code.len() == 1 || !codes.contains(&code[..1])));
    }

    #[test]
    fn the_order_does_not_hang_on_a_tie() {
        assert_eq!(by_frequency(&[9, 9, 3, 5])[..5], [9, 3, 5, 0, 1]);
    }
}
