//! Handles: numbers that stand for values on this side of the boundary.

/// Values by handle. Handles begin at 1, so that 0 can say "none"; a closed one is given out again.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    /// Keeps a value and returns its handle. Memory ends long before the handles do.
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(handle) => {
                self.slots[handle as usize - 1] = Some(value);
                handle
            }
            None => {
                self.slots.push(Some(value));
                self.slots.len() as u32
            }
        }
    }

    pub(crate) fn get(&self, handle: u32) -> Option<&T> {
        self.slots.get((handle as usize).checked_sub(1)?)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, handle: u32) -> Option<&mut T> {
        self.slots.get_mut((handle as usize).checked_sub(1)?)?.as_mut()
    }

    pub(crate) fn remove(&mut self, handle: u32) -> Option<T> {
        let value = self.slots.get_mut((handle as usize).checked_sub(1)?)?.take()?;
        self.free.push(handle);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[test]
    fn a_handle_stands_for_its_value_until_it_is_closed() {
        let mut slots = Slots::new();
        let (a, b) = (slots.insert('a'), slots.insert('b'));
        assert_eq!((slots.get(a), slots.get(b)), (Some(&'a'), Some(&'b')));
        assert_eq!(slots.remove(a), Some('a'));
        assert_eq!(slots.get(a), None);
        assert_eq!(slots.remove(a), None);
    }

    #[test]
    fn closed_handles_are_given_out_again_and_zero_never_is() {
        let mut slots = Slots::new();
        let first = slots.insert('a');
        slots.remove(first);
        assert_eq!(slots.insert('b'), first);
        assert_eq!(slots.insert('c'), 2);
        assert_eq!(slots.get(0), None);
    }
}
