//! A module read as far as the instructions of its functions: what repeats in it, told apart from what differs.

use anyhow::{Context as _, Result, bail, ensure};

/// The section of a module that holds the functions.
const CODE: u8 = 10;

/// A module around its functions.
pub(crate) struct Module<'a> {
    /// All that stands before the first function.
    pub(crate) before: &'a [u8],
    /// The functions, without their lengths.
    pub(crate) functions: Vec<Function<'a>>,
    /// All that stands behind the last one.
    pub(crate) after: &'a [u8],
}

/// One function's code.
pub(crate) struct Function<'a> {
    /// How many local variables there are of which type.
    pub(crate) declarations: Vec<(usize, u8)>,
    pub(crate) instructions: Vec<Instruction<'a>>,
}

/// One instruction.
pub(crate) struct Instruction<'a> {
    /// The opcode, and what of the operands says more about the operation than about this place: types, alignments,
    /// the number of labels, floating-point numbers.
    pub(crate) head: &'a [u8],
    /// What the other operands are.
    pub(crate) kind: Kind,
    /// The other operands, a LEB128 number each.
    pub(crate) operands: Vec<&'a [u8]>,
}

/// What the operands of an instruction are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Labels,
    Functions,
    Locals,
    Offsets,
    /// Of 32 bits.
    Constants,
    /// Of 64 bits.
    LongConstants,
}

impl<'a> Module<'a> {
    /// Reads a module.
    ///
    /// # Errors
    /// The module has no functions, is cut short, or has an instruction of an extension that is not known here.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader { bytes, at: 0 };
        // The magic number and the version.
        reader.take(8)?;
        while reader.byte()? != CODE {
            let length = reader.number()?;
            reader.take(length)?;
        }
        let length = reader.number()?;
        let end = reader.at + length;
        let count = reader.number()?;
        let before = &bytes[..reader.at];
        let functions = (0..count).map(|_| reader.function()).collect::<Result<_>>()?;
        ensure!(reader.at == end, "the functions of a module do not end with their section");
        Ok(Self { before, functions, after: &bytes[end..] })
    }
}

/// Reads a module from its beginning.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at + length).context("a module ends too early")?;
        self.at += length;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// The bytes of a LEB128 number.
    fn leb(&mut self) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte < 0x80).context("a number does not end")? + 1;
        self.take(length)
    }

    /// A LEB128 number that is not negative.
    fn number(&mut self) -> Result<usize> {
        Ok(value(self.leb()?))
    }

    fn function(&mut self) -> Result<Function<'a>> {
        let length = self.number()?;
        let end = self.at + length;
        let groups = self.number()?;
        let declarations = (0..groups).map(|_| Ok((self.number()?, self.byte()?))).collect::<Result<_>>()?;
        let mut instructions = Vec::new();
        while self.at < end {
            instructions.push(self.instruction()?);
        }
        Ok(Function { declarations, instructions })
    }

    fn instruction(&mut self) -> Result<Instruction<'a>> {
        let begin = self.at;
        let (kind, count) = self.head()?;
        let head = &self.bytes[begin..self.at];
        let operands = (0..count).map(|_| self.leb()).collect::<Result<_>>()?;
        Ok(Instruction { head, kind, operands })
    }

    /// Reads an instruction as far as its head goes, and says what comes then.
    /// (<https://webassembly.github.io/spec/core/binary/instructions.html>)
    fn head(&mut self) -> Result<(Kind, usize)> {
        let opcode = self.byte()?;
        Ok(match opcode {
            0x0c | 0x0d => (Kind::Labels, 1),
            0x0e => (Kind::Labels, self.number()? + 1),
            0x10 => (Kind::Functions, 1),
            0x20..=0x22 => (Kind::Locals, 1),
            0x28..=0x3e => {
                self.leb()?;
                (Kind::Offsets, 1)
            }
            0x41 => (Kind::Constants, 1),
            0x42 => (Kind::LongConstants, 1),
            _ => {
                self.whole(opcode)?;
                (Kind::Constants, 0)
            }
        })
    }

    /// Reads the rest of an instruction that is all head.
    fn whole(&mut self, opcode: u8) -> Result<()> {
        match opcode {
            // What ends or only computes has no operands.
            0x00 | 0x01 | 0x05 | 0x0b | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 => {}
            // The type of a block, a global variable, a memory.
            0x02..=0x04 | 0x23 | 0x24 | 0x3f | 0x40 => drop(self.leb()?),
            // The type of a function and the table it is in.
            0x11 => {
                self.leb()?;
                self.leb()?;
            }
            // `select` with types.
            0x1c => {
                let count = self.number()?;
                self.take(count)?;
            }
            0x43 => drop(self.take(4)?),
            0x44 => drop(self.take(8)?),
            0xfc => match self.number()? {
                // Saturating conversions.
                0..=7 => {}
                // `memory.copy` and `memory.fill`.
                10 => drop(self.take(2)?),
                11 => drop(self.take(1)?),
                other => bail!("the instruction fc {other} is not known here"),
            },
            _ => bail!("the instruction {opcode:02x} is not known here"),
        }
        Ok(())
    }
}

/// The value of a LEB128 number that is not negative.
pub(crate) fn value(leb: &[u8]) -> usize {
    leb.iter().rev().fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f))
}

/// The value of a signed LEB128 number.
pub(crate) fn signed_value(leb: &[u8]) -> i64 {
    let bits = 7 * leb.len() as u32;
    let unused = 64_u32.saturating_sub(bits);
    (value(leb) as i64) << unused >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module whose one function has these declarations and instructions.
    fn module(code: &[u8]) -> Vec<u8> {
        let length = u8::try_from(code.len()).unwrap();
        let mut bytes = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0".to_vec();
        bytes.extend([CODE, length + 2, 1, length]);
        bytes.extend(code);
        bytes.extend(b"\x00\x02\x01n");
        bytes
    }

    #[test]
    fn a_module_is_what_stands_around_its_functions_and_they() {
        // One local i32; `i32.const 0x80`, `local.set 0`, `end`.
        let bytes = module(&[1, 1, 0x7f, 0x41, 0x80, 1, 0x21, 0, 0x0b]);
        let read = Module::read(&bytes).unwrap();
        assert!(read.before.ends_with(&[CODE, 11, 1]));
        assert_eq!(read.after, b"\x00\x02\x01n");
        let [function] = &read.functions[..] else { panic!() };
        assert_eq!(function.declarations, [(1, 0x7f)]);
        let heads: Vec<_> = function.instructions.iter().map(|instruction| instruction.head).collect();
        assert_eq!(heads, [[0x41], [0x21], [0x0b]]);
        assert_eq!(function.instructions[0].operands, [[0x80, 1]]);
        assert_eq!(function.instructions[1].kind, Kind::Locals);
    }

    #[test]
    fn a_head_has_the_alignment_and_the_number_of_labels() {
        // `i32.load align=4 offset=8`; `br_table 0 1 default 2`; `f64.const 0`.
        let code = [0, 0x28, 2, 8, 0x0e, 2, 0, 1, 2, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b];
        let bytes = module(&code);
        let read = Module::read(&bytes).unwrap();
        let instructions = &read.functions[0].instructions;
        assert_eq!(instructions[0].head, [0x28, 2]);
        assert_eq!(instructions[1].head, [0x0e, 2]);
        assert_eq!(instructions[1].operands, [[0], [1], [2]]);
        assert_eq!(instructions[2].head.len(), 9);
    }

    #[test]
    fn a_signed_number_has_its_sign_in_the_highest_bit() {
        assert_eq!(signed_value(&[0x3f]), 63);
        assert_eq!(signed_value(&[0x40]), -64);
        assert_eq!(signed_value(&[0x80, 0x7f]), -128);
        assert_eq!(signed_value(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]), i64::MAX);
        assert_eq!(signed_value(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f]), i64::MIN);
    }

    #[test]
    fn what_is_not_known_or_cut_short_is_refused() {
        assert!(Module::read(&module(&[0, 0xfd, 0x0b])).is_err(), "vectors");
        assert!(Module::read(&module(&[0, 0x0b])[..17]).is_err());
        assert!(Module::read(b"\0asm\x01\0\0\0").is_err(), "no functions");
    }
}
