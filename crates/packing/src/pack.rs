//! The way from a module to streams.

use std::{cmp::Reverse, collections::HashMap};

use anyhow::{Result, ensure};

use crate::{
    code::{push_byte, push_number},
    instructions::{Function, Instruction, Kind, Module, signed_value, value},
    stream::{Stream, adds},
    unpack::unpack,
};

/// Packs a module.
///
/// # Errors
/// The module can't be read, or wouldn't come back as it is: it has numbers that are longer than they need be, or more
/// of something than there is room for.
pub fn pack(module: &[u8]) -> Result<String> {
    let text = Streams::split(&Module::read(module)?)?.join();
    let mut back = vec![0; module.len()];
    unpack(text.as_bytes(), &mut back);
    ensure!(back == module, "the module would not come back as it is");
    Ok(text)
}

/// The text of each stream.
#[derive(Default)]
struct Streams([String; Stream::COUNT]);

impl Streams {
    /// Takes a module apart.
    fn split(module: &Module<'_>) -> Result<Self> {
        let mut streams = Self::default();
        for byte in module.before.iter().chain(module.after) {
            push_byte(*byte, streams.text(Stream::Frame));
        }
        streams.put(Stream::Table, module.before.len() as u64);
        streams.put(Stream::Table, module.functions.len() as u64);
        let rank_of = streams.rank_heads(module);
        for function in &module.functions {
            streams.put_function(function, &rank_of)?;
        }
        Ok(streams)
    }

    /// The lengths, and then the streams.
    fn join(self) -> String {
        let mut text = String::new();
        for stream in &self.0 {
            push_number(stream.len() as u64, &mut text);
        }
        text + &self.0.concat()
    }

    fn text(&mut self, stream: Stream) -> &mut String {
        &mut self.0[stream as usize]
    }

    fn put(&mut self, stream: Stream, number: u64) {
        push_number(number, self.text(stream));
    }

    /// Writes the table of heads, and returns where each one stands in it.
    fn rank_heads<'a>(&mut self, module: &Module<'a>) -> HashMap<&'a [u8], u64> {
        let mut counts: HashMap<&[u8], (usize, &Instruction<'_>)> = HashMap::new();
        for instruction in module.functions.iter().flat_map(|function| &function.instructions) {
            counts.entry(instruction.head).or_insert((0, instruction)).0 += 1;
        }
        let mut heads: Vec<_> = counts.into_iter().collect();
        heads.sort_unstable_by_key(|(head, (count, _))| (Reverse(*count), *head));
        for (head, (_, instruction)) in &heads {
            self.put(Stream::Table, head.len() as u64);
            for byte in *head {
                self.put(Stream::Table, (*byte).into());
            }
            self.put(Stream::Table, instruction.operands.len() as u64);
            self.put(Stream::Table, stream_of(instruction.kind) as u64);
        }
        self.put(Stream::Table, 0);
        heads.into_iter().zip(0..).map(|((head, _), rank)| (head, rank)).collect()
    }

    fn put_function(&mut self, function: &Function<'_>, rank_of: &HashMap<&[u8], u64>) -> Result<()> {
        self.put(Stream::Declarations, function.declarations.len() as u64);
        for (count, kind) in &function.declarations {
            self.put(Stream::Declarations, *count as u64);
            self.put(Stream::Declarations, (*kind).into());
        }
        let mut recent = Recent::default();
        let following = function.instructions.iter().skip(1).map(Some).chain([None]);
        for (instruction, next) in function.instructions.iter().zip(following) {
            self.put(Stream::Heads, rank_of[instruction.head]);
            let stream = match instruction.kind {
                Kind::Constants if next.is_some_and(|next| adds(next.head[0])) => Stream::Distances,
                kind => stream_of(kind),
            };
            for operand in &instruction.operands {
                let number = match stream {
                    Stream::Locals => recent.rank(value(operand)) as u64,
                    Stream::Constants | Stream::Distances | Stream::LongConstants => {
                        double(signed_value(operand))
                    }
                    _ => value(operand) as u64,
                };
                self.put(stream, number);
            }
        }
        Ok(())
    }
}

/// A signed number as one that is not negative: its double, with all bits turned over where it was negative.
fn double(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The stream of operands, wherever they stand.
fn stream_of(kind: Kind) -> Stream {
    match kind {
        Kind::Labels => Stream::Labels,
        Kind::Functions => Stream::Functions,
        Kind::Locals => Stream::Locals,
        Kind::Offsets => Stream::Offsets,
        Kind::Constants => Stream::Constants,
        Kind::LongConstants => Stream::LongConstants,
    }
}

/// The variables of a function, the last used one first; those not yet used in the order of their numbers.
#[derive(Default)]
struct Recent(Vec<usize>);

impl Recent {
    /// The place of a variable, which is first from then on.
    fn rank(&mut self, local: usize) -> usize {
        self.0.extend(self.0.len()..=local);
        let rank = self.0.iter().position(|other| *other == local).unwrap_or_default();
        self.0[..=rank].rotate_right(1);
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Reader;

    /// A module with one function of this code.
    fn module(code: &[u8]) -> Vec<u8> {
        let length = code.len() as u8;
        [&b"\0asm\x01\0\0\0\x0a"[..], &[length + 2, 1, length], code, b"\0\x02\x01n"].concat()
    }

    /// Two variables; `local.get 1`, `i32.const 4`, `i32.add`, `local.set 1`, `end`.
    const CODE: [u8; 11] = [1, 2, 0x7f, 0x20, 1, 0x41, 4, 0x6a, 0x21, 1, 0x0b];

    fn split(code: &[u8]) -> Streams {
        Streams::split(&Module::read(&module(code)).unwrap()).unwrap()
    }

    fn numbers(streams: &Streams, stream: Stream, count: usize) -> Vec<u64> {
        let mut reader = Reader::new(streams.0[stream as usize].as_bytes());
        (0..count).map(|_| reader.number()).collect()
    }

    #[test]
    fn like_stands_with_like() {
        let streams = split(&CODE);
        assert!(streams.0[Stream::Frame as usize].ends_with('n'));
        assert_eq!(numbers(&streams, Stream::Table, 2), [11, 1], "bytes before the functions, functions");
        assert_eq!(numbers(&streams, Stream::Declarations, 3), [1, 2, 0x7f]);
        assert_eq!(streams.0[Stream::Heads as usize].len(), 5);
        assert_eq!(numbers(&streams, Stream::Distances, 1), [double(4)], "it is added at once");
        assert!(streams.0[Stream::Constants as usize].is_empty());
    }

    #[test]
    fn a_variable_used_again_is_the_first() {
        assert_eq!(numbers(&split(&CODE), Stream::Locals, 2), [1, 0]);
        let mut recent = Recent::default();
        assert_eq!([3, 3, 0, 3].map(|local| recent.rank(local)), [3, 0, 1, 1]);
    }

    #[test]
    fn the_most_frequent_head_is_the_first_of_the_table() {
        let streams = split(&[0, 0x41, 1, 0x41, 2, 0x6a, 0x1a, 0x0b]);
        let constants = Stream::Constants as u64;
        assert_eq!(numbers(&streams, Stream::Table, 6)[2..], [1, 0x41, 1, constants]);
    }

    #[test]
    fn a_number_near_zero_is_small_whatever_its_sign() {
        assert_eq!([0, -1, 1, -2, i64::MAX, i64::MIN].map(double), [0, 1, 2, 3, u64::MAX - 1, u64::MAX]);
    }

    #[test]
    fn every_kind_of_operand_comes_back() {
        let code = [
            &[2, 1, 0x7f, 3, 0x7e][..],
            // A block with a branch and a table of them: `block`, `br 0`, `br_table 0 0 default 0`, `end`.
            &[0x02, 0x40, 0x0c, 0, 0x0e, 2, 0, 0, 0, 0x0b],
            // `call 300`, `i32.load align=2 offset=1000`, `f64.const`, `drop`.
            &[0x10, 0xac, 2, 0x28, 2, 0xe8, 7, 0x44, 1, 2, 3, 4, 5, 6, 7, 8, 0x1a],
            // `i32.const -129`, `i64.const` of the least number, `memory.copy`.
            &[
                0x41, 0xff, 0x7e, 0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, 0xfc, 10,
                0, 0,
            ],
            // `local.get 3`, `local.tee 0`, `i32.const 5`, `i32.sub`, `end`.
            &[0x20, 3, 0x22, 0, 0x41, 5, 0x6b, 0x0b],
        ];
        let module = module(&code.concat());
        let text = pack(&module).unwrap();
        let mut back = vec![0; module.len()];
        unpack(text.as_bytes(), &mut back);
        assert_eq!(back, module);
    }

    #[test]
    fn what_would_not_come_back_is_refused() {
        assert!(
            pack(&module(&[0, 0x20, 0x80, 0, 0x1a, 0x0b])).is_err(),
            "a variable's number is longer than it needs be"
        );
        let longer_length = [&b"\0asm\x01\0\0\0\x0a"[..], &[5, 1], &[0x82, 0, 0, 0x0b]].concat();
        assert!(pack(&longer_length).is_err());
    }

    #[test]
    fn a_text_that_was_cut_or_is_none_ends_all_the_same() {
        let module = module(&CODE);
        let text = pack(&module).unwrap();
        for length in 0..text.len() {
            unpack(&text.as_bytes()[..length], &mut vec![0; module.len()]);
        }
        unpack(&[b'~'; 100], &mut [0; 50]);
        unpack(text.as_bytes(), &mut []);
    }
}
