//! A module taken apart into streams of like things.
//!
//! In a module an opcode stands beside the number of a variable, and that beside an address; a compressor that
//! foretells the next byte from the last ones learns little from such neighbours. Sorted by what they are, opcodes
//! follow opcodes and variables variables, and the same module compresses to a seventh less.
//! `npm/core/src/kernel/assemble.ts` puts it together again.

use std::{cmp::Reverse, collections::HashMap};

use anyhow::{Result, ensure};

use super::instructions::{Function, Instruction, Kind, Module, value};

/// The streams; `assemble.ts` has the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// What is no function.
    Frame,
    /// The table of heads, the most frequent first: how many bytes, the bytes, how many operands, their stream.
    Table,
    /// The head of each instruction, as a number of the table.
    Heads,
    /// The local variables that functions declare.
    Declarations,
    /// Each variable as its rank among those of the function, the one that was used last being the first.
    Locals,
    /// Numbers of 32 bits.
    Constants,
    /// Those that are added or subtracted at once: distances.
    Distances,
    /// Numbers of 64 bits.
    LongConstants,
    /// Where memory is read and written, behind the address.
    Offsets,
    /// Where branches lead.
    Labels,
    /// Which function is called.
    Functions,
}

/// How many streams there are.
const COUNT: usize = Stream::Functions as usize + 1;

/// The opcodes before which a constant is a distance: `i32.add` and `i32.sub`.
const ADDITIONS: [u8; 2] = [0x6a, 0x6b];

/// A module in streams.
pub(super) struct Streams {
    /// How many bytes of [`Stream::Frame`] stand before the functions.
    pub(super) before: usize,
    /// How many functions there are.
    pub(super) functions: usize,
    /// The bytes of each stream.
    pub(super) bytes: [Vec<u8>; COUNT],
}

impl Streams {
    /// Takes a module apart.
    ///
    /// # Errors
    /// The module can't be read, or has numbers that are longer than they need be, which would be lost.
    pub(super) fn split(bytes: &[u8]) -> Result<Self> {
        let module = Module::read(bytes)?;
        let mut streams = Self {
            before: module.before.len(),
            functions: module.functions.len(),
            bytes: Default::default(),
        };
        streams.put(Stream::Frame, module.before);
        streams.put(Stream::Frame, module.after);
        let rank_of = streams.rank_heads(&module);
        for function in &module.functions {
            streams.put_function(function, &rank_of)?;
        }
        ensure!(
            joined_length(&module) == bytes.len(),
            "a length in the module is written with more bytes than it needs"
        );
        Ok(streams)
    }

    fn put(&mut self, stream: Stream, bytes: &[u8]) {
        self.bytes[stream as usize].extend(bytes);
    }

    fn put_number(&mut self, stream: Stream, number: usize) {
        self.put(stream, &leb(number));
    }

    /// Writes the table of heads, and returns where each one stands in it.
    fn rank_heads<'a>(&mut self, module: &Module<'a>) -> HashMap<&'a [u8], usize> {
        let mut counts: HashMap<&[u8], (usize, &Instruction<'_>)> = HashMap::new();
        for instruction in module.functions.iter().flat_map(|function| &function.instructions) {
            counts.entry(instruction.head).or_insert((0, instruction)).0 += 1;
        }
        let mut heads: Vec<_> = counts.into_iter().collect();
        heads.sort_unstable_by_key(|(head, (count, _))| (Reverse(*count), *head));
        for (head, (_, instruction)) in &heads {
            self.put_number(Stream::Table, head.len());
            self.put(Stream::Table, head);
            self.put_number(Stream::Table, instruction.operands.len());
            self.put_number(Stream::Table, stream_of(instruction.kind) as usize);
        }
        self.put_number(Stream::Table, 0);
        heads.into_iter().enumerate().map(|(rank, (head, _))| (head, rank)).collect()
    }

    fn put_function(&mut self, function: &Function<'_>, rank_of: &HashMap<&[u8], usize>) -> Result<()> {
        self.put(Stream::Declarations, function.declarations);
        let mut recent = Recent::default();
        let following = function.instructions.iter().skip(1).map(Some).chain([None]);
        for (instruction, next) in function.instructions.iter().zip(following) {
            self.put_number(Stream::Heads, rank_of[instruction.head]);
            let stream = match instruction.kind {
                Kind::Constants if next.is_some_and(|next| ADDITIONS.contains(&next.head[0])) => {
                    Stream::Distances
                }
                kind => stream_of(kind),
            };
            for operand in &instruction.operands {
                if stream == Stream::Locals {
                    let local = value(operand);
                    ensure!(leb(local) == *operand, "a variable has a longer number than it needs");
                    self.put_number(stream, recent.rank(local));
                } else {
                    self.put(stream, operand);
                }
            }
        }
        Ok(())
    }
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

/// How long the module is when each function's length is written as short as can be.
fn joined_length(module: &Module<'_>) -> usize {
    let length = |function: &Function<'_>| {
        let instructions = function.instructions.iter();
        let code: usize = instructions
            .map(|instruction| {
                instruction.head.len() + instruction.operands.iter().copied().map(<[u8]>::len).sum::<usize>()
            })
            .sum();
        let length = function.declarations.len() + code;
        leb(length).len() + length
    };
    module.before.len() + module.functions.iter().map(length).sum::<usize>() + module.after.len()
}

/// A number as LEB128.
fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with one function: two variables; `local.get 1`, `i32.const 4`, `i32.add`, `local.set 1`, `end`.
    fn module() -> Vec<u8> {
        let code = [1, 2, 0x7f, 0x20, 1, 0x41, 4, 0x6a, 0x21, 1, 0x0b];
        [&b"\0asm\x01\0\0\0\x0a"[..], &[13, 1, 11], &code, b"\0\x02\x01n"].concat()
    }

    #[test]
    fn like_stands_with_like() {
        let streams = Streams::split(&module()).unwrap();
        let of = |stream: Stream| &streams.bytes[stream as usize][..];
        assert_eq!((streams.before, streams.functions), (11, 1));
        assert_eq!(of(Stream::Frame), [&module()[..11], b"\0\x02\x01n"].concat());
        assert_eq!(of(Stream::Declarations), [1, 2, 0x7f]);
        assert_eq!(of(Stream::Heads).len(), 5);
        assert_eq!(of(Stream::Distances), [4], "it is added at once");
        assert!(of(Stream::Constants).is_empty());
    }

    #[test]
    fn a_variable_used_again_is_the_first() {
        let streams = Streams::split(&module()).unwrap();
        assert_eq!(streams.bytes[Stream::Locals as usize], [1, 0]);
        let mut recent = Recent::default();
        assert_eq!([3, 3, 0, 3].map(|local| recent.rank(local)), [3, 0, 1, 1]);
    }

    #[test]
    fn the_most_frequent_head_is_the_first_of_the_table() {
        let code = [0, 0x41, 1, 0x41, 2, 0x6a, 0x1a, 0x0b];
        let module = [&b"\0asm\x01\0\0\0\x0a"[..], &[10, 1, 8], &code].concat();
        let streams = Streams::split(&module).unwrap();
        let table = &streams.bytes[Stream::Table as usize];
        assert_eq!(table[..4], [1, 0x41, 1, Stream::Constants as u8]);
        assert_eq!(table.last(), Some(&0), "a head of no bytes ends it");
    }

    #[test]
    fn a_number_that_would_not_come_back_as_it_is_written_is_refused() {
        let longer_variable = [0, 0x20, 0x80, 0, 0x1a, 0x0b];
        let module = [&b"\0asm\x01\0\0\0\x0a"[..], &[8, 1, 6], &longer_variable].concat();
        assert!(Streams::split(&module).is_err());
        let longer_length = [0x82, 0, 0, 0x0b];
        let module = [&b"\0asm\x01\0\0\0\x0a"[..], &[5, 1], &longer_length].concat();
        assert!(Streams::split(&module).is_err());
    }
}
