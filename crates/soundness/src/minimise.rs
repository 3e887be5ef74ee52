//! Making a failing program smaller while it still fails.

use std::ops::Range;

use crate::program::{Module, Program};

/// How often the whole program is gone through at most.
const MAX_PASSES: usize = 8;

/// The smallest program found that still fails: first without modules, then without statements, then without
/// parts of them.
pub fn minimise(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    for _ in 0..MAX_PASSES {
        let before = best.clone();
        drop_modules(&mut best, &mut fails);
        drop_statements(&mut best, &mut fails);
        split_statements(&mut best, &mut fails);
        drop_parts(&mut best, &mut fails);
        if best == before {
            break;
        }
    }
    best
}

/// Takes `smaller` if it still fails.
fn try_smaller(best: &mut Program, smaller: Program, fails: &mut impl FnMut(&Program) -> bool) -> bool {
    let takes = smaller != *best && fails(&smaller);
    if takes {
        *best = smaller;
    }
    takes
}

fn drop_modules(best: &mut Program, fails: &mut impl FnMut(&Program) -> bool) {
    for index in (1..best.modules.len()).rev() {
        let mut smaller = best.clone();
        smaller.modules.remove(index);
        try_smaller(best, smaller, fails);
    }
}

/// Drops runs of statements, long ones first.
fn drop_statements(best: &mut Program, fails: &mut impl FnMut(&Program) -> bool) {
    for module in 0..best.modules.len() {
        let mut length = best.modules[module].statements.len();
        while length > 0 {
            let mut start = best.modules[module].statements.len();
            while start > 0 {
                start = start.saturating_sub(length);
                let mut smaller = best.clone();
                let statements = &mut smaller.modules[module].statements;
                let end = (start + length).min(statements.len());
                statements.drain(start..end);
                try_smaller(best, smaller, fails);
            }
            length /= 2;
        }
    }
}

/// Takes statements apart that were generated together.
fn split_statements(best: &mut Program, fails: &mut impl FnMut(&Program) -> bool) {
    let mut smaller = best.clone();
    for Module { statements, .. } in &mut smaller.modules {
        *statements = statements.iter().flat_map(|text| text.lines().map(str::to_owned)).collect();
    }
    try_smaller(best, smaller, fails);
}

/// Drops what stands between commas and brackets, or puts nothing much in its place.
fn drop_parts(best: &mut Program, fails: &mut impl FnMut(&Program) -> bool) {
    for module in 0..best.modules.len() {
        for statement in 0..best.modules[module].statements.len() {
            let mut skip = 0;
            loop {
                let text = best.modules[module].statements[statement].clone();
                let candidates = smaller_texts(&text);
                let taken = candidates.iter().enumerate().skip(skip).find(|(_, candidate)| {
                    let mut smaller = best.clone();
                    smaller.modules[module].statements[statement].clone_from(candidate);
                    fails(&smaller)
                });
                let Some((at, candidate)) = taken else { break };
                best.modules[module].statements[statement].clone_from(candidate);
                // What stood before has been tried on a text that differs only behind it.
                skip = at;
            }
        }
    }
}

/// Texts with one part less, the largest part first. Each is shorter, so that this comes to an end.
fn smaller_texts(text: &str) -> Vec<String> {
    let mut parts = parts(text);
    parts.sort_by_key(|(part, _)| (std::cmp::Reverse(part.len()), part.start));
    let mut texts = Vec::new();
    for (part, without_comma) in parts {
        texts.push(format!("{}{}", &text[..without_comma.start], &text[without_comma.end..]));
        let inside = &text[part.clone()];
        let key = inside.find(": ").map_or(0, |at| at + 2);
        let value = inside[key..].trim();
        if value.len() > 3 {
            for plain in ["0", "\"x\""] {
                texts.push(format!("{}{}{plain}{}", &text[..part.start], &inside[..key], &text[part.end..]));
            }
        }
        // `(x)` and `f(x)` to `x`.
        if part.start > 0
            && text.as_bytes()[part.start - 1] == b'('
            && text.as_bytes().get(part.end) == Some(&b')')
        {
            let word = text[..part.start - 1]
                .char_indices()
                .rev()
                .take_while(|(_, letter)| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_'))
                .last()
                .map_or(part.start - 1, |(at, _)| at);
            for start in [part.start - 1, word] {
                texts.push(format!("{}{inside}{}", &text[..start], &text[part.end + 1..]));
            }
        }
    }
    texts.retain(|candidate| candidate.len() < text.len());
    texts
}

/// The parts between brackets and commas: each alone, and with a comma that belongs to it.
fn parts(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // Where the open brackets' current parts begin, and whether a comma stands before.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            b'(' | b'[' | b'{' => open.push((at + 1, false)),
            b',' | b';' if !open.is_empty() => {
                if let Some(last) = open.last_mut() {
                    found.push((last.0..at, last.0..at + 1));
                    *last = (at + 1, true);
                }
            }
            b')' | b']' | b'}' => {
                if let Some((start, after_comma)) = open.pop() {
                    found.push((start..at, start - usize::from(after_comma)..at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found.retain(|(part, _)| {
        !part.is_empty() && text.is_char_boundary(part.start) && text.is_char_boundary(part.end)
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Bundler;

    #[test]
    fn what_the_failure_does_not_need_goes() {
        let module = |path: &str, lines: &[&str]| Module {
            path: path.to_owned(),
            statements: lines.iter().map(|&line| line.to_owned()).collect(),
        };
        let program = Program {
            bundler: Bundler::Compiled,
            modules: vec![
                module(
                    "src/main.ts",
                    &["a();", "const x = f({ one: [1, bad, 3], two: g(4, 5) });\nb();", "c();"],
                ),
                module("src/other.ts", &["d();"]),
            ],
        };
        let small = minimise(&program, |program| {
            let text = program.modules[0].text();
            text.contains("f(") && text.contains("bad")
        });
        assert_eq!(small.modules.len(), 1);
        assert_eq!(small.modules[0].statements, ["const x = f({ one: [ bad]});"]);
    }

    #[test]
    fn brackets_in_texts_are_no_brackets() {
        assert_eq!(smaller_texts("f(\"(,)\")"), ["f()", "f(0)", "f(\"x\")", "f\"(,)\"", "\"(,)\""]);
    }
}
