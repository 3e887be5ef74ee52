//! Room for recursion that follows the app, from value to value and from module to module, and not a single text.

/// The stack that must be left for one more step before it gets more, and how much more.
const LEAST: usize = 128 * 1024;
const MORE: usize = 2 * 1024 * 1024;

/// Takes one more step, on a stack of its own where the one that there is runs out.
pub(crate) fn with_more<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEAST, MORE, step)
}
