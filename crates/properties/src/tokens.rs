//! A text taken apart, roughly as JavaScript is: well enough to change it between its tokens.

use std::ops::Range;

/// What a token is, as far as changing it is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// White space or a comment.
    Blank,
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string, or a template without a look at what is in it.
    Text,
    /// Anything else, one character.
    Sign,
}

/// The tokens of a text, which together are all of it.
pub(crate) fn tokens(text: &str) -> Vec<(Token, Range<usize>)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            c if c.is_whitespace() => (Token::Blank, run(rest, char::is_whitespace)),
            '/' if rest.starts_with("//") => (Token::Blank, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                (Token::Blank, rest.find("*/").map_or(rest.len(), |end| end + 2))
            }
            '"' | '\'' | '`' => (Token::Text, quoted(rest, first)),
            c if c.is_ascii_digit() => {
                (Token::Number, run(rest, |c| c.is_alphanumeric() || matches!(c, '_' | '.')))
            }
            c if is_word(c) => (Token::Word, run(rest, is_word)),
            c => (Token::Sign, c.len_utf8()),
        };
        let at = text.len() - rest.len();
        found.push((token, at..at + length));
        rest = &rest[length..];
    }
    found
}

/// The parts of a text between a bracket and the one that closes it, both included.
pub(crate) fn groups(text: &str, tokens: &[(Token, Range<usize>)]) -> Vec<Range<usize>> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (token, range) in tokens {
        match (token, &text[range.clone()]) {
            (Token::Sign, "(" | "[" | "{") => open.push(range.start),
            (Token::Sign, ")" | "]" | "}") => {
                found.extend(open.pop().map(|start| start..range.end));
            }
            _ => {}
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// How many bytes of `text` are of one kind.
fn run(text: &str, is_of_kind: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_of_kind(c)).unwrap_or(text.len())
}

/// How long the string at the start of a text is. One that never ends, ends with its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' if quote != '`' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(Token, &str)> {
        tokens(text).into_iter().map(|(token, range)| (token, &text[range])).collect()
    }

    #[test]
    fn a_text_is_its_tokens() {
        use Token::{Blank, Number, Sign, Text, Word};
        assert_eq!(
            words("a1 // b\n=0x1_0+`c${\"`"),
            [
                (Word, "a1"),
                (Blank, " "),
                (Blank, "// b"),
                (Blank, "\n"),
                (Sign, "="),
                (Number, "0x1_0"),
                (Sign, "+"),
                (Text, "`c${\"`"),
            ]
        );
        assert_eq!(words("'\\'é' /* '"), [(Text, "'\\'é'"), (Blank, " "), (Blank, "/* '")]);
        assert_eq!(words("'a\nb"), [(Text, "'a"), (Blank, "\n"), (Word, "b")]);
    }

    #[test]
    fn brackets_in_strings_open_nothing() {
        let text = "f({ a: [\"(\"] }) ]";
        let found: Vec<&str> = groups(text, &tokens(text)).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["[\"(\"]", "{ a: [\"(\"] }", "({ a: [\"(\"] })"]);
    }
}
