//! The way back from streams to a module.

use core::mem::swap;

use crate::{
    code::Reader,
    stream::{END, Stream, adds, begins_block},
};

/// The most bytes that the head of an instruction has: those of `f64.const`.
const MAX_HEAD: usize = 9;

/// The most heads that a table has.
const MAX_HEADS: usize = 512;

/// The most local variables that a function has.
const MAX_LOCALS: usize = 4096;

/// The most bytes that the length of a function takes.
const MAX_LENGTH: usize = 5;

/// Writes the module of a text into `module`, which is as long as the module is.
///
/// A text that is none, or is of another length, leaves bytes that are no module.
pub fn unpack(text: &[u8], module: &mut [u8]) {
    let mut text = Reader::new(text);
    let mut lengths = [0; Stream::COUNT];
    for length in &mut lengths {
        *length = text.small();
    }
    let mut streams = [Reader::default(); Stream::COUNT];
    for (stream, length) in streams.iter_mut().zip(lengths) {
        *stream = text.split(length);
    }
    let table = &mut streams[Stream::Table as usize];
    let (before, functions) = (table.small(), table.small());
    let heads = read_heads(table);
    let mut unpacker = Unpacker {
        streams,
        heads,
        next: 0,
        recent: Recent::default(),
        module: Writer { bytes: module, at: 0 },
    };
    unpacker.copy_frame(before);
    unpacker.next = unpacker.stream(Stream::Heads).small();
    for _ in 0..functions {
        if unpacker.module.is_full() {
            break;
        }
        unpacker.function();
    }
    unpacker.copy_frame(usize::MAX);
}

/// How instructions begin that are alike in all but their operands.
#[derive(Clone, Copy, Default)]
struct Head {
    bytes: [u8; MAX_HEAD],
    /// How many of the bytes there are.
    length: u8,
    /// The stream of the operands.
    stream: u8,
    operands: u16,
}

fn read_heads(table: &mut Reader<'_>) -> [Head; MAX_HEADS] {
    let mut heads = [Head::default(); MAX_HEADS];
    for head in &mut heads {
        head.length = table.small() as u8;
        if head.length == 0 {
            break;
        }
        for byte in head.bytes.iter_mut().take(head.length.into()) {
            *byte = table.small() as u8;
        }
        head.operands = table.small() as u16;
        head.stream = table.small() as u8;
    }
    heads
}

struct Unpacker<'a> {
    streams: [Reader<'a>; Stream::COUNT],
    heads: [Head; MAX_HEADS],
    /// The head of the next instruction, as its place in the table.
    next: usize,
    recent: Recent,
    module: Writer<'a>,
}

impl<'a> Unpacker<'a> {
    fn stream(&mut self, stream: Stream) -> &mut Reader<'a> {
        &mut self.streams[stream as usize]
    }

    /// Copies so many bytes of the frame, or as many as the module still takes.
    fn copy_frame(&mut self, length: usize) {
        for _ in 0..length {
            if self.module.is_full() {
                break;
            }
            let byte = self.stream(Stream::Frame).byte();
            self.module.byte(byte);
        }
    }

    fn function(&mut self) {
        let start = self.module.at;
        // Its length is known when it has been written; until then the function stands a bit too far back.
        self.module.at += MAX_LENGTH;
        let groups = self.stream(Stream::Declarations).number();
        self.module.number(groups);
        self.copy_numbers(Stream::Declarations as u8, groups.saturating_mul(2));
        self.recent.known = 0;
        let mut depth = 1;
        while depth > 0 && !self.module.is_full() {
            let head = &self.heads[self.next % MAX_HEADS];
            let opcode = head.bytes[0];
            if opcode == END {
                depth -= 1;
            } else if begins_block(opcode) {
                depth += 1;
            }
            self.module.byte(opcode);
            for byte in head.bytes.iter().take(head.length.into()).skip(1) {
                self.module.byte(*byte);
            }
            let (operands, stream) = (head.operands, head.stream);
            self.next = self.stream(Stream::Heads).small();
            if operands > 0 {
                self.operands(stream, operands);
            }
        }
        self.module.shorten(start);
    }

    /// Writes what comes behind a head, when the next one is known.
    #[inline(always)]
    fn operands(&mut self, stream: u8, count: u16) {
        const LOCALS: u8 = Stream::Locals as u8;
        const CONSTANTS: u8 = Stream::Constants as u8;
        match stream {
            LOCALS => {
                let rank = self.stream(Stream::Locals).small();
                let local = self.recent.recall(rank);
                self.module.number(local.into());
            }
            CONSTANTS if adds(self.heads[self.next % MAX_HEADS].bytes[0]) => {
                let number = self.stream(Stream::Distances).number();
                self.module.signed(number);
            }
            CONSTANTS.. => {
                let number = self.streams[usize::from(stream) % Stream::COUNT].number();
                self.module.signed(number);
            }
            _ => self.copy_numbers(stream, count.into()),
        }
    }

    fn copy_numbers(&mut self, stream: u8, count: u64) {
        for _ in 0..count {
            if self.module.is_full() {
                break;
            }
            let number = self.streams[usize::from(stream) % Stream::COUNT].number();
            self.module.number(number);
        }
    }
}

/// The variables of a function, the last used one first; those not yet used in the order of their numbers.
struct Recent {
    locals: [u16; MAX_LOCALS],
    /// How many of them are in their places.
    known: usize,
}

impl Default for Recent {
    fn default() -> Self {
        Self { locals: [0; MAX_LOCALS], known: 0 }
    }
}

impl Recent {
    /// The variable at a rank, which is first from then on.
    fn recall(&mut self, rank: usize) -> u16 {
        let rank = rank % MAX_LOCALS;
        while self.known <= rank {
            self.locals[self.known] = self.known as u16;
            self.known += 1;
        }
        let mut moved = self.locals[rank];
        for place in &mut self.locals[..=rank] {
            swap(place, &mut moved);
        }
        moved
    }
}

/// Writes the module from its beginning; what goes beyond its end is lost.
struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn is_full(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.at) {
            *place = byte;
        }
        self.at += 1;
    }

    /// LEB128 of a number that is not negative.
    #[inline(always)]
    fn number(&mut self, number: u64) {
        if number > 0x7f { self.longer_number(number) } else { self.byte(number as u8) }
    }

    #[inline(never)]
    fn longer_number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// LEB128 of a signed number, from its double, of which a negative one has the bits turned over.
    fn signed(&mut self, double: u64) {
        let mut number = (double >> 1) as i64 ^ -((double & 1) as i64);
        while !(-0x40..0x40).contains(&number) {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8 & 0x7f);
    }

    /// Puts the length before what has been written since `start`, where it was left room for.
    fn shorten(&mut self, start: usize) {
        let (from, end) = (start + MAX_LENGTH, self.at);
        self.at = start;
        self.number((end - from) as u64);
        let to = self.at;
        self.at += end - from;
        let end = end.min(self.bytes.len());
        if from <= end {
            self.bytes.copy_within(from..end, to);
        }
    }
}
