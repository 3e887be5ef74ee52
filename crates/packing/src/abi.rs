//! The edge: addresses and lengths become slices. `npm/core/src/kernel/unpack.ts` is the other side.
#![expect(unsafe_code, reason = "the one place where memory is shared with JavaScript")]

use core::{arch::wasm32::unreachable, panic::PanicInfo, slice};

use crate::unpack;

/// Unpacks the text of `length` bytes at `address`; the module, of `module_length` bytes, goes right behind it.
///
/// # Safety
/// JavaScript has grown the memory by as many bytes for this, and `address` is where it ended before.
#[unsafe(export_name = "unpack")]
unsafe extern "C" fn unpack_at(address: *mut u8, length: usize, module_length: usize) {
    // SAFETY: our caller promises that these bytes are there, and nobody else's.
    unsafe {
        let text = slice::from_raw_parts(address, length);
        let module = slice::from_raw_parts_mut(address.add(length), module_length);
        unpack(text, module);
    }
}

/// There is nobody to be told.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    unreachable()
}
