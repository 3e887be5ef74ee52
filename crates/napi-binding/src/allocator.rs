//! Where the addon's memory comes from. A bundler has an allocator of its own beside it.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Gives what was freed back to the system, which mimalloc otherwise keeps for whoever allocates next: here that may be
/// nobody, for as long as a bundler writes its chunks.
#[allow(unsafe_code, reason = "the call is foreign, and sound on any thread at any time")]
pub(crate) fn give_back() {
    // SAFETY: it takes no pointer, and touches no block that is in use.
    unsafe { libmimalloc_sys::mi_collect(true) };
}
