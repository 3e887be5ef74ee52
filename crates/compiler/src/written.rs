//! What other plugins made of a module, and the way back to what its author wrote, along a source map.

use std::rc::Rc;

use oxc_sourcemap::SourceMap;
use oxc_span::Span;

use crate::module::Module;
use crate::problem::Place;

/// A module as other plugins left it.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) module: Rc<Module>,
    /// The way back to its author's text, where a plugin's source map shows one.
    pub(crate) written: Option<Written>,
}

/// An author's text and the map that leads to it.
#[derive(Debug)]
pub(crate) struct Written {
    /// The author's module: a text to show, and no facts.
    author: Rc<Module>,
    map: SourceMap<'static>,
    /// Which of the map's sources the author's text is.
    source: u32,
}

impl Written {
    /// Reads the map of a module. `disk` is the text of the module's file, if it has one. None for a map that
    /// leads anywhere else: where a plugin made none, what a bundler hands out begins after that plugin.
    pub(crate) fn read(map: &str, module: &Module, disk: Option<&str>) -> Option<Self> {
        let map = SourceMap::from_json_string(map).ok()?.into_owned();
        let (source, text) = map.get_source_contents().enumerate().find_map(|(index, text)| {
            let text = text.filter(|text| disk.is_none_or(|disk| disk == *text))?;
            Some((u32::try_from(index).ok()?, text.to_owned()))
        })?;
        let id = module.id.split('?').next().unwrap_or(&module.id);
        let author = Module::to_show(id, &module.origin, &text);
        Some(Self { author: Rc::new(author), map, source })
    }

    /// The author's place of a place in the module. None for what no author wrote.
    pub(crate) fn place_of(&self, place: &Place) -> Option<Place> {
        let (line, column) = place.position();
        let (line, column) = (line - 1, column - 1);
        let token = self.map.lookup_token(&self.map.generate_lookup_table(), line, column)?;
        if token.get_source_id()? != self.source || token.get_dst_line() != line {
            return None;
        }
        let text = self.author.source.as_ref();
        let compiled = place.module.source.as_ref();
        let from = offset_of(text, token.get_src_line(), token.get_src_col())?;
        let marked = compiled.get(place.span.start as usize..place.span.end as usize)?;
        // A map need not have a segment for every token: what follows one is found by what stands there.
        let passed =
            compiled.get(offset_of(compiled, line, token.get_dst_col())?..place.span.start as usize)?;
        let word = first_word(marked);
        let start = match text[from..].strip_prefix(passed) {
            Some(rest) if rest.starts_with(word) => from + passed.len(),
            _ => from + text[from..].lines().next()?.find(word)?,
        };
        let length = if text[start..].starts_with(marked) { marked.len() } else { word.len() };
        let (start, length) = (u32::try_from(start).ok()?, u32::try_from(length).ok()?);
        Some(Place { module: Rc::clone(&self.author), span: Span::sized(start, length) })
    }
}

/// The name or the character that a text begins with.
fn first_word(text: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let name = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let length = name.max(text.chars().next().map_or(0, char::len_utf8));
    &text[..length]
}

/// The byte offset of a line and a column, both from 0, the column in UTF-16 code units.
fn offset_of(text: &str, line: u32, column: u32) -> Option<usize> {
    let start = match line {
        0 => 0,
        _ => text.match_indices('\n').nth(line as usize - 1)?.0 + 1,
    };
    let mut units = 0;
    for (offset, letter) in text[start..].char_indices() {
        if units >= column {
            return Some(start + offset);
        }
        if letter == '\n' {
            return None;
        }
        units += u32::try_from(letter.len_utf16()).unwrap_or(2);
    }
    (units >= column).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(source: &str) -> Rc<Module> {
        Rc::new(Module::to_show("/app/page.md", "page.md", source))
    }

    /// From `x = "é😀" + call(one)` in a file of two lines to the same on one line, with a segment for `x` only.
    const MAP: &str = r##"{"version":3,"names":[],"sources":["page.md"],"sourcesContent":["# Title\nx = \"é😀\" + call(one)"],"mappings":"AACA"}"##;

    #[test]
    fn a_place_is_found_beyond_its_segment_as_long_as_the_texts_agree() {
        let compiled = module("x = \"é😀\" + call(one)");
        let written = Written::read(MAP, &compiled, None).unwrap();
        let start = u32::try_from(compiled.source.find("call").unwrap()).unwrap();
        let place = written.place_of(&Place { module: compiled, span: Span::sized(start, 9) }).unwrap();
        assert_eq!(place.position(), (2, 13));
        let marked = &place.module.source[place.span.start as usize..place.span.end as usize];
        assert_eq!(marked, "call(one)");
    }

    #[test]
    fn where_the_texts_part_the_word_itself_is_looked_for_in_the_authors_line() {
        let place = |text: &str, word: &str| {
            let compiled = module(text);
            let start = u32::try_from(text.find(word).unwrap()).unwrap();
            let length = u32::try_from(text.len()).unwrap() - start;
            Written::read(MAP, &compiled, None)?
                .place_of(&Place { module: compiled, span: Span::sized(start, length) })
        };
        assert_eq!(place("x=call(two)", "call").unwrap().position(), (2, 13));
        assert_eq!(place("x=other(two)", "other").map(|place| place.position()), None);
    }

    #[test]
    fn a_map_to_another_text_than_the_file_has_leads_nowhere() {
        assert!(Written::read(MAP, &module("x"), Some("# Title")).is_none());
        assert!(Written::read("{}", &module("x"), None).is_none());
        assert!(
            Written::read(r#"{"version":3,"names":[],"sources":[],"mappings":""}"#, &module("x"), None)
                .is_none()
        );
    }

    #[test]
    fn an_offset_counts_code_units_and_stays_in_its_line() {
        assert_eq!(offset_of("a\né😀b", 1, 3), Some(8));
        assert_eq!(offset_of("a\nb", 0, 2), None);
        assert_eq!(offset_of("a\nb", 2, 0), None);
        assert_eq!(offset_of("a", 0, 1), Some(1));
    }
}
