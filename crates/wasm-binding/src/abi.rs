//! The edge: addresses and lengths become text, results become replies. The crate's documentation has the table.
#![expect(unsafe_code, reason = "the one place where memory is shared with JavaScript")]

use std::cell::RefCell;
use std::process::abort;
use std::ptr;
use std::rc::Rc;

use agent_surface_json::Json;
use agent_surface_schema::Patterns;

use crate::calls;
use crate::desk::{Call, Desk, Reply};
use crate::reply::issues_to_json;
use crate::slots::Slots;

thread_local! {
    /// Where JavaScript writes the text of a call at the desk. Borrowed while that is answered.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Everything but the schemas. Borrowed while a call of it is answered: JavaScript that runs meanwhile (a regular
    /// expression, a number) is kept from calling it by the other side.
    static DESK: RefCell<Desk> = const { RefCell::new(Desk::new(browser_patterns)) };
    /// The open schemas. Never borrowed while JavaScript runs: it may call in again.
    static SCHEMAS: RefCell<Slots<Rc<Json>>> = const { RefCell::new(Slots::new()) };
}

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Takes `length` bytes of UTF-8 at `address` as the text of this call.
    fn reply(address: *const u8, length: usize);
    /// Takes `length` numbers at `address` as the numbers of this call.
    fn reply_numbers(address: *const i32, length: usize);
    /// Searches a text for an ECMAScript regular expression with the `u` flag: 1 found, 0 not, -1 no pattern.
    fn pattern_matches(pattern: *const u8, pattern_length: usize, text: *const u8, length: usize) -> i32;
}

/// Takes room for a text of `length` bytes. The next call that is given the address owns it.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    let bytes: Box<[u8]> = vec![0; length].into_boxed_slice();
    Box::into_raw(bytes).cast()
}

/// Takes room for the texts of the desk's calls, `length` bytes at least: until it is called again.
#[unsafe(no_mangle)]
extern "C" fn scratch(length: usize) -> *mut u8 {
    SCRATCH.with_borrow_mut(|bytes| {
        bytes.resize(length.max(bytes.len()), 0);
        bytes.as_mut_ptr()
    })
}

/// Answers a call at the desk, whose text is the first `length` bytes of [`scratch`]: see [`Desk::answer`].
#[unsafe(no_mangle)]
extern "C" fn answer(call: u32, handle: u32, key: u32, now: f64, length: usize) -> f64 {
    let mut reply = Reply::default();
    let number = SCRATCH.with_borrow(|bytes| {
        let text =
            bytes.get(..length).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_else(|| abort());
        DESK.with_borrow_mut(|desk| desk.answer(Call { call, handle, key, now, text }, &mut reply))
    });
    if !reply.text.is_empty() {
        // SAFETY: JavaScript reads the bytes before it returns, and the text lives until then.
        unsafe { self::reply(reply.text.as_ptr(), reply.text.len()) }
    }
    if !reply.numbers.is_empty() {
        // SAFETY: as with the text.
        unsafe { reply_numbers(reply.numbers.as_ptr(), reply.numbers.len()) }
    }
    number
}

/// Opens a schema.
///
/// # Safety
/// As [`take_text`].
#[unsafe(no_mangle)]
unsafe extern "C" fn schema_open(address: *mut u8, length: usize) -> u32 {
    // SAFETY: our caller promises the same.
    let text = unsafe { take_text(address, length) };
    match calls::read_schema(&text, &BrowserPatterns) {
        Ok(schema) => SCHEMAS.with_borrow_mut(|schemas| schemas.insert(Rc::new(schema))),
        Err(refusal) => {
            send(&refusal.to_json());
            0
        }
    }
}

/// Validates a value.
///
/// # Safety
/// As [`take_text`].
#[unsafe(no_mangle)]
unsafe extern "C" fn schema_validate(handle: u32, address: *mut u8, length: usize) -> u32 {
    // SAFETY: our caller promises the same.
    let text = unsafe { take_text(address, length) };
    let Some(schema) = SCHEMAS.with_borrow(|schemas| schemas.get(handle).cloned()) else { abort() };
    let issues = calls::validate_text(&schema, &text, &BrowserPatterns);
    if issues.is_empty() {
        return 0;
    }
    send(&issues_to_json(issues));
    1
}

/// Closes a schema.
#[unsafe(no_mangle)]
extern "C" fn schema_close(handle: u32) {
    if SCHEMAS.with_borrow_mut(|schemas| schemas.remove(handle)).is_none() {
        abort();
    }
}

/// The text that JavaScript wrote at `address`, owned from here on.
///
/// # Safety
/// `address` comes from [`alloc`] with this `length`, and no call has been given it yet.
unsafe fn take_text(address: *mut u8, length: usize) -> String {
    // SAFETY: `alloc` made this very slice, and nobody else owns it by now.
    let bytes = unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(address, length)) };
    // JavaScript's encoder writes nothing but UTF-8, so other bytes were not its.
    String::from_utf8(bytes.into_vec()).unwrap_or_else(|_| abort())
}

fn send(value: &Json) {
    let text = value.to_canonical();
    // SAFETY: JavaScript reads the bytes before it returns, and the text lives until then.
    unsafe { reply(text.as_ptr(), text.len()) }
}

fn browser_patterns() -> Box<dyn Patterns> {
    Box::new(BrowserPatterns)
}

/// The engine's own regular expressions.
struct BrowserPatterns;

impl Patterns for BrowserPatterns {
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        // SAFETY: JavaScript reads both slices before it returns, and writes to neither.
        match unsafe { pattern_matches(pattern.as_ptr(), pattern.len(), text.as_ptr(), text.len()) } {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}
