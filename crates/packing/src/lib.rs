//! A WebAssembly module as text that a JavaScript file can hold, and that compresses better than the module.
//!
//! Base64 cuts bytes across its digits, so that what repeats in the module no longer repeats in the text: brotli is left
//! with a third more than the module itself compresses to. Nor is the module's own order a good one: an opcode stands
//! beside the number of a variable, and that beside an address, and a compressor that foretells the next byte from the
//! last ones learns little from such neighbours. So the module is taken apart into streams of like things, one character
//! for most of them, and compresses to a seventh less than its bytes do.
//!
//! [`pack`] is the way there, for the build. [`unpack`] is the way back, and this crate compiled to WebAssembly is little
//! more than that: a page runs it before it compiles the module. In JavaScript the same loops take four times as long,
//! since they are over before an engine has compiled them.
#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(target_arch = "wasm32")]
mod abi;
mod code;
#[cfg(not(target_arch = "wasm32"))]
mod instructions;
#[cfg(not(target_arch = "wasm32"))]
mod pack;
mod stream;
mod unpack;

#[cfg(not(target_arch = "wasm32"))]
pub use pack::pack;
pub use unpack::unpack;
