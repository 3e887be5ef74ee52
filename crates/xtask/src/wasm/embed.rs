//! The module as text that a JavaScript file can hold, and that still compresses.
//!
//! Base64 cuts bytes across its digits, so that what repeats in the module no longer repeats in the text: brotli
//! is left with a third more than the module itself compresses to. Here the module is taken apart (see
//! [`super::streams`]), and every byte keeps a code of its own in its stream: one character for the common ones and
//! two for the others. `npm/core/src/kernel/unpack.ts` is the way back.

use std::{cmp::Reverse, fmt::Write as _, fs, path::Path};

use anyhow::{Context as _, Result};

use super::streams::{Stream, Streams};

/// The characters that begin a code of two, seldom in texts.
const PREFIXES: &str = "~|}";

/// Writes the TypeScript file that holds `bytes`. A file that is right already keeps its time stamp, so that
/// nothing after it is built again.
pub(super) fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    let text = source(bytes)?;
    if fs::read_to_string(file).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn source(module: &[u8]) -> Result<String> {
    let Streams { before, functions, bytes } = Streams::split(module)?;
    let alphabet = alphabet();
    let mut streams = String::new();
    for (number, bytes) in bytes.iter().enumerate() {
        let first = first_bytes(number, bytes, &alphabet);
        let code = encode(bytes, &first, &alphabet);
        let hex: String = first.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(streams, "    {{ first: \"{hex}\", code: \"{code}\" }},")?;
    }
    let alphabet: String = alphabet.into_iter().collect();
    Ok(format!(
        "// Made by `cargo xtask build` from crates/wasm-binding, and not committed.\n\n\
         /** The WebAssembly module; `assemble` reads it. */\n\
         export const PACKED = {{\n  \
         length: {length},\n  \
         before: {before},\n  \
         functions: {functions},\n  \
         prefixes: {prefixes},\n  \
         alphabet: \"{alphabet}\",\n  \
         streams: [\n{streams}  ],\n}};\n",
        length = module.len(),
        prefixes = PREFIXES.len(),
    ))
}

/// The characters of the code, prefixes first: printable ASCII that means itself in every kind of string literal,
/// whatever quotes a minifier chooses, and in a script inside HTML.
fn alphabet() -> Vec<char> {
    let others = (' '..='~').filter(|character| !"\"'`\\$<".contains(*character));
    PREFIXES.chars().chain(others.filter(|character| !PREFIXES.contains(*character))).collect()
}

/// Which bytes of a stream take one character each; without a choice it is the lowest.
fn first_bytes(stream: usize, bytes: &[u8], alphabet: &[char]) -> Vec<u8> {
    const FRAME: usize = Stream::Frame as usize;
    const CONSTANTS: usize = Stream::Constants as usize;
    const DISTANCES: usize = Stream::Distances as usize;
    const OFFSETS: usize = Stream::Offsets as usize;
    let singles = &alphabet[PREFIXES.len()..];
    match stream {
        // A character stands for itself: compressors know English.
        FRAME => singles.iter().map(|character| *character as u8).collect(),
        CONSTANTS | DISTANCES | OFFSETS => by_frequency(bytes).into_iter().take(singles.len()).collect(),
        // The others are numbers of which the lower ones are frequent by themselves.
        _ => Vec::new(),
    }
}

/// All 256 bytes, the most frequent first; among equals the lower one.
fn by_frequency(bytes: &[u8]) -> Vec<u8> {
    let mut counts = [0_usize; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let mut order: Vec<u8> = (0..=u8::MAX).collect();
    order.sort_by_key(|byte| Reverse(counts[usize::from(*byte)]));
    order
}

/// The code of each byte: those of `first` take a character each as far as there are any, then the others from the
/// lowest on; what is left over takes a prefix and a character.
fn encode(bytes: &[u8], first: &[u8], alphabet: &[char]) -> String {
    let (prefixes, singles) = alphabet.split_at(PREFIXES.len());
    let pairs =
        prefixes.iter().flat_map(|prefix| alphabet.iter().map(move |second| format!("{prefix}{second}")));
    let codes = singles.iter().map(char::to_string).chain(pairs);
    let others = (0..=u8::MAX).filter(|byte| !first.contains(byte));
    let mut code_of = vec![String::new(); 256];
    for (byte, code) in first.iter().copied().chain(others).zip(codes) {
        code_of[usize::from(byte)] = code;
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
        assert_eq!(&code[..10], " ".repeat(10), "the first character that is no prefix");
        let singles = alphabet().len() - PREFIXES.len();
        assert_eq!(code.len(), 10 + singles + 2 * (256 - singles));
    }

    #[test]
    fn every_byte_has_a_code_that_begins_no_other() {
        let bytes: Vec<u8> = (0..=255).collect();
        let alphabet = alphabet();
        let codes: HashSet<String> =
            bytes.iter().map(|byte| encode(&[*byte], &[200, 7], &alphabet)).collect();
        assert_eq!(codes.len(), 256);
        assert!(codes.iter().all(|code| code.len() == 1 || !codes.contains(&code[..1])));
    }

    #[test]
    fn the_order_does_not_hang_on_a_tie() {
        assert_eq!(by_frequency(&[9, 9, 3, 5])[..5], [9, 3, 5, 0, 1]);
    }

    #[test]
    fn text_stays_readable() {
        let bytes = b"is no text of JSON\0";
        let alphabet = alphabet();
        let first = first_bytes(Stream::Frame as usize, bytes, &alphabet);
        let code = encode(bytes, &first, &alphabet);
        assert!(code.starts_with("is no text of JSON"));
    }
}
