//! Looks at many things of which some are not known yet. None of these stops at the first that is missing: whatever
//! else is missing is asked for in the same round of questions.

/// The first that is found; the outer none while the host must answer first.
pub(crate) fn find_first<I, T>(
    items: impl IntoIterator<Item = I>,
    mut look: impl FnMut(I) -> Option<Option<T>>,
) -> Option<Option<T>> {
    let mut is_waiting = false;
    for item in items {
        match look(item) {
            None => is_waiting = true,
            Some(None) => {}
            Some(found) => return Some(found),
        }
    }
    (!is_waiting).then_some(None)
}

/// Whether it is so of any; none while the host must answer first.
pub(crate) fn is_any<I>(
    items: impl IntoIterator<Item = I>,
    mut look: impl FnMut(I) -> Option<bool>,
) -> Option<bool> {
    let found = find_first(items, |item| look(item).map(|is_so| is_so.then_some(())))?;
    Some(found.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_looked_at_before_anybody_waits() {
        let mut seen = Vec::new();
        let result = is_any([1, 2, 3], |item| {
            seen.push(item);
            (item != 1).then_some(false)
        });
        assert_eq!((result, seen), (None, vec![1, 2, 3]));
    }

    #[test]
    fn what_is_found_needs_no_answer_to_the_rest() {
        assert_eq!(find_first([1, 2], |item| (item != 1).then_some(Some(item))), Some(Some(2)));
        assert_eq!(is_any([false, false], Some), Some(false));
        assert_eq!(is_any([false, true], Some), Some(true));
    }
}
