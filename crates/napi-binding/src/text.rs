//! Source text on its way from JavaScript, whose strings can hold what UTF-8 cannot.

use napi::{Error, JsString, Result, Status};

/// The text of a module.
///
/// # Errors
/// It is no string, or it has a lone surrogate. Node would hand over U+FFFD in its place: what is analysed would
/// then not be what ships.
pub(crate) fn read_source(source: JsString<'_>, id: &str) -> Result<String> {
    let text = source
        .into_utf8()
        .map_err(|_| Error::new(Status::StringExpected, format!("the source of {id} is not a string")))?
        .into_owned()?;
    // Only a text that has one now can have had a lone surrogate, and hardly any has.
    if text.contains(char::REPLACEMENT_CHARACTER)
        && let Some(offset) = find_lone_surrogate(&source.into_utf16()?)
    {
        return Err(Error::new(
            Status::InvalidArg,
            format!("{id} has a lone surrogate at offset {offset}: such a text has no UTF-8 form"),
        ));
    }
    Ok(text)
}

/// The place of the first surrogate that is not one of a pair, in code units.
fn find_lone_surrogate(units: &[u16]) -> Option<usize> {
    let mut offset = 0;
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(char) => offset += char.len_utf16(),
            Err(_) => return Some(offset),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find_lone_surrogate;

    #[test]
    fn a_surrogate_is_lone_unless_its_other_half_follows() {
        assert_eq!(find_lone_surrogate(&[0x61, 0xD83D, 0xDE00]), None);
        assert_eq!(find_lone_surrogate(&[0xD83D, 0xDE00, 0xD83D, 0x61]), Some(2));
        assert_eq!(find_lone_surrogate(&[0x61, 0xDE00]), Some(1));
        assert_eq!(find_lone_surrogate(&[0xFFFD]), None);
    }
}
