//! What the streams are.

/// A stream of like things: numbers, but for the frame, which is bytes.
///
/// A text is the length of each stream in the order of their numbers, and then the streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "there it is mostly numbers, from the table"))]
pub(crate) enum Stream {
    /// The bytes that are no function: first what stands before the functions, then what stands behind them.
    Frame,
    /// How many bytes stand before the functions and how many functions there are; then the heads, the most frequent
    /// first: how many bytes, the bytes, how many operands, and their stream. No bytes end it.
    Table,
    /// The head of each instruction, as its place in the table.
    Heads,
    /// The local variables that functions declare: how many groups; of each, how many variables and their type.
    Declarations,
    /// Each variable as its rank among those of the function, the one that was used last being the first.
    Locals,
    /// Where memory is read and written, behind the address.
    Offsets,
    /// Where branches lead.
    Labels,
    /// Which function is called.
    Functions,
    /// Signed numbers of 32 bits, as those that follow.
    Constants,
    /// Those that are added or subtracted at once: distances.
    Distances,
    /// Signed numbers of 64 bits.
    LongConstants,
}

impl Stream {
    /// How many streams there are.
    pub(crate) const COUNT: usize = Self::LongConstants as usize + 1;
}

/// The opcode that ends a block or a function.
pub(crate) const END: u8 = 0x0b;

/// Whether an opcode begins a block: `block`, `loop` and `if`.
pub(crate) fn begins_block(opcode: u8) -> bool {
    matches!(opcode, 0x02..=0x04)
}

/// Whether a constant before this opcode is a distance: `i32.add` and `i32.sub`.
pub(crate) fn adds(opcode: u8) -> bool {
    matches!(opcode, 0x6a | 0x6b)
}
