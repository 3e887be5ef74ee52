//! Changes to a program that leave most of it whole, so that what is tried is what the analyser would look at.

use std::ops::Range;

use agent_surface_soundness::generate;

use crate::seeds::program_texts;
use crate::tokens::{Token, groups, tokens};

/// What a value may be wrapped in; `X` is the value.
const FRAMES: [&str; 18] = [
    "(X)",
    "[X][0]",
    "{ a: X }.a",
    "({ ...X })",
    "[...X]",
    "`a${X}`",
    "(X as const)",
    "(X satisfies unknown)",
    "X!",
    "(1 ? X : 0)",
    "(null ?? X)",
    "(X || X)",
    "Object.freeze(X)",
    "(() => X)()",
    "X?.a",
    "-X",
    "(0, X)",
    "JSON.parse(X)",
];

/// What may take the place of a token, or stand before one.
const WORDS: [&str; 40] = [
    "undefined",
    "null",
    "NaN",
    "this",
    "const",
    "let",
    "var",
    "export",
    "export default",
    "enum",
    "namespace",
    "import",
    "as const",
    "await",
    "typeof",
    "void",
    "delete",
    "...",
    "?.",
    "??",
    "=",
    "+=",
    "=>",
    ",",
    ";",
    "__proto__",
    "constructor",
    "Object",
    "JSON",
    "require",
    "import.meta.env",
    "\"__proto__\"",
    "\"\\ud800\"",
    "1e400",
    "0x10n",
    "-0",
    "[,]",
    "{}",
    "/x/g",
    "`${",
];

/// Statements that change or hide something; `N` is a name of the program.
const STATEMENTS: [&str; 14] = [
    "N = 1;",
    "N.a = 1;",
    "N.push(1);",
    "delete N.a;",
    "Object.assign(N, { a: 1 });",
    "const { a, ...rest } = N;",
    "export { N as other };",
    "export * from \"./main\";",
    "import * as again from \"./main\";",
    "enum N { A = 1, B }",
    "namespace N { export const a = 1; }",
    "{ const N = 1; void N; }",
    "function N() {}",
    "export const late = () => { N.a = 1; };",
];

/// SplitMix64: the fuzzer gives a number, and the same number makes the same change.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound.max(1) as u64).unwrap_or(0)
    }

    fn of<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

/// Changes programs, with parts of other programs at hand.
pub struct Mutator {
    /// Lines of fixtures and tests.
    lines: Vec<String>,
    /// What stands in brackets in them.
    groups: Vec<String>,
}

impl Default for Mutator {
    fn default() -> Self {
        Self::new()
    }
}

impl Mutator {
    /// A mutator that takes parts from the fixtures of this checkout, if they are there.
    #[must_use]
    pub fn new() -> Self {
        let mut mutator = Self { lines: Vec::new(), groups: Vec::new() };
        for text in program_texts() {
            let inside = groups(&text, &tokens(&text));
            mutator.groups.extend(inside.into_iter().map(|range| text[range].to_owned()));
            mutator.lines.extend(text.lines().filter(|line| line.len() > 1).map(str::to_owned));
        }
        mutator
    }

    /// A program a little different from `text`. The same `seed` makes the same of it.
    #[must_use]
    pub fn mutate(&self, text: &str, seed: u32) -> String {
        let mut random = Random(u64::from(seed));
        let mut text = text.to_owned();
        for _ in 0..=random.below(3) {
            text = self.change(&text, &mut random);
        }
        text
    }

    fn change(&self, text: &str, random: &mut Random) -> String {
        let tokens = tokens(text);
        let solid: Vec<_> = tokens.iter().filter(|(token, _)| *token != Token::Blank).collect();
        let Some((kind, range)) = random.of(&solid).copied().cloned() else {
            return generate(random.below(1 << 20) as u64).to_string();
        };
        let inside = groups(text, &tokens);
        match random.below(14) {
            0 => replace(text, range, ""),
            1 => match random.of(&inside) {
                Some(group) => replace(text, group.start + 1..group.end - 1, ""),
                None => replace(text, range, ""),
            },
            2 => {
                let alike: Vec<_> = solid.iter().filter(|(other, _)| *other == kind).collect();
                let other = random.of(&alike).map_or("", |(_, other)| &text[other.clone()]);
                replace(text, range, other)
            }
            3 => replace(text, range, random.of(&WORDS).copied().unwrap_or_default()),
            4 => {
                let word = random.of(&WORDS).copied().unwrap_or_default();
                replace(text, range.start..range.start, &format!("{word} "))
            }
            5 | 6 => {
                let values: Vec<_> =
                    solid.iter().filter(|(token, _)| *token != Token::Sign).map(|(_, range)| range).collect();
                let whole =
                    if random.below(2) == 0 { random.of(&values).copied() } else { random.of(&inside) };
                let whole = whole.unwrap_or(&range).clone();
                let frame = random.of(&FRAMES).copied().unwrap_or("X");
                let framed = frame.replace('X', &text[whole.clone()]);
                replace(text, whole, &framed)
            }
            7 | 8 => {
                let Some(group) = random.of(&inside) else { return text.to_owned() };
                let alike = |other: &&str| other.starts_with(&text[group.start..=group.start]);
                let own: Vec<&str> = inside.iter().map(|range| &text[range.clone()]).filter(alike).collect();
                let other = match random.below(3) {
                    0 => random.of(&own).copied(),
                    _ => random.of(&self.groups).map(String::as_str).filter(alike),
                };
                replace(text, group.clone(), other.unwrap_or_default())
            }
            9 => insert_line(text, random, |random| random.of(&self.lines).cloned().unwrap_or_default()),
            10 => {
                let words: Vec<_> = solid.iter().filter(|(token, _)| *token == Token::Word).collect();
                let name = random.of(&words).map_or("value", |(_, range)| &text[range.clone()]).to_owned();
                insert_line(text, random, |random| {
                    random.of(&STATEMENTS).map_or_else(String::new, |line| line.replace('N', &name))
                })
            }
            11 => {
                let lines: Vec<&str> = text.lines().collect();
                let line = random.of(&lines).map_or_else(String::new, |line| (*line).to_owned());
                insert_line(text, random, |_| line)
            }
            12 => {
                let mut lines: Vec<&str> = text.lines().collect();
                let at = random.below(lines.len());
                let line = lines.remove(at);
                if random.below(2) == 0 {
                    lines.insert(random.below(lines.len() + 1), line);
                }
                lines.join("\n")
            }
            _ => {
                let other = generate(random.below(1 << 20) as u64).to_string();
                let lines: Vec<&str> = other.lines().collect();
                let line = random.of(&lines).map_or_else(String::new, |line| (*line).to_owned());
                insert_line(text, random, |_| line)
            }
        }
    }
}

fn replace(text: &str, range: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

fn insert_line(text: &str, random: &mut Random, line: impl FnOnce(&mut Random) -> String) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = random.below(lines.len() + 1);
    let line = line(random);
    lines.insert(at, &line);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_change_each_time() {
        let mutator = Mutator::new();
        let program = generate(2).to_string();
        for seed in 0..500 {
            assert_eq!(mutator.mutate(&program, seed), mutator.mutate(&program, seed));
        }
    }

    #[test]
    fn any_text_can_be_changed() {
        let mutator = Mutator::new();
        let mut text = String::new();
        for seed in 0..2000 {
            text = mutator.mutate(&text, seed);
            if text.len() > 4096 {
                text = "é`${\u{2028}\"".to_owned();
            }
        }
    }
}
