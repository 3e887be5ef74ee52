//! Text for people and agents.

use agent_surface_json::push_integer;

/// `text`, or its beginning and an ellipsis where it is longer than `max` characters.
pub(crate) fn truncate(text: &str, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// `value` in decimal digits.
pub(crate) fn decimal(value: u64) -> String {
    let mut text = String::new();
    push_integer(value, &mut text);
    text
}

/// How long JavaScript says that `text` is.
pub(crate) fn utf16_len(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_too_long_is_cut() {
        assert_eq!(truncate("abc", 3), "abc");
        assert_eq!(truncate("abcd", 3), "ab…");
        assert_eq!(truncate("äöüß", 3), "äö…");
        assert_eq!(truncate("", 0), "");
    }

    #[test]
    fn length_is_counted_in_utf16_code_units() {
        assert_eq!([utf16_len("abc"), utf16_len("é"), utf16_len("😀")], [3, 1, 2]);
    }
}
