//! A problem: one thing that is wrong at one place, said for a person.

use std::cmp::Ordering;
use std::rc::Rc;

use oxc_diagnostics::{
    Diagnostic as MietteDiagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource,
    OxcDiagnostic,
};
use oxc_span::Span;

use crate::message::{Diagnostic, Report, Severity};
use crate::module::Module;

/// Columns of a report.
const WIDTH: usize = 100;

/// How many problems are told one by one. Each is shown in the code around it, and nobody reads on for so long.
const MAX_TOLD: usize = 500;

/// The longest line that is shown in a frame.
const MAX_LINE: usize = 500;

/// A place in a module's text.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) module: Rc<Module>,
    pub(crate) span: Span,
}

/// What is wrong, where, and what to write instead.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// A stable name for the kind of problem.
    pub(crate) code: &'static str,
    pub(crate) place: Option<Place>,
    /// One sentence without a final stop.
    pub(crate) message: String,
    /// A few words at the marked place.
    pub(crate) label: String,
    /// What to write instead.
    pub(crate) help: String,
    /// A second place that belongs to the matter, and why.
    pub(crate) related: Option<(Place, String)>,
    pub(crate) severity: Severity,
}

impl Place {
    /// The file, relative to the root, with 1-based line and column in UTF-16 code units.
    pub(crate) fn position(&self) -> (u32, u32) {
        let source = self.module.source.as_ref();
        let offset = (self.span.start as usize).min(source.len());
        let (line, start) = self.module.line_at(offset);
        let column = source.get(start..offset).unwrap_or_default().encode_utf16().count() + 1;
        (u32::try_from(line + 1).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }

    /// Whether another place lies within this one.
    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.module.id == other.module.id && self.span.contains_inclusive(other.span)
    }

    /// Whether the line it begins in, and those around it, are short enough to be shown.
    fn fits_a_frame(&self) -> bool {
        let source = self.module.source.as_ref();
        let offset = self.span.start as usize;
        let (before, after) = source.split_at_checked(offset).unwrap_or((source, ""));
        let head = before.rsplit('\n').take(2).map(str::len);
        let tail = after.split('\n').take(2).map(str::len);
        head.chain(tail).all(|length| length <= MAX_LINE)
    }

    /// Its span, cut at the end of its first line: a contract may be a page long.
    fn visible_span(&self) -> Span {
        let range = self.span.start as usize..self.span.end as usize;
        let text = self.module.source.get(range).unwrap_or_default();
        let length = text.lines().next().unwrap_or_default().len();
        Span::sized(self.span.start, u32::try_from(length).unwrap_or(u32::MAX))
    }

    fn describe(&self) -> String {
        let (line, column) = self.position();
        format!("{}:{line}:{column}", self.module.origin)
    }

    fn key(&self) -> (&str, u32, u32) {
        (&self.module.origin, self.span.start, self.span.end)
    }
}

impl Problem {
    /// An error at a place.
    pub(crate) fn at(place: Place, code: &'static str, message: impl Into<String>) -> Self {
        Self { place: Some(place), ..Self::without_place(code, message) }
    }

    /// An error of the build as a whole.
    pub(crate) fn without_place(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            place: None,
            message: message.into(),
            label: String::new(),
            help: String::new(),
            related: None,
            severity: Severity::Error,
        }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    pub(crate) fn related(mut self, place: Place, why: impl Into<String>) -> Self {
        self.related = Some((place, why.into()));
        self
    }

    /// Found in code that nobody wrote, and whose author's text is not known.
    pub(crate) fn in_generated_code(mut self) -> Self {
        if !self.help.is_empty() {
            self.help.push(' ');
        }
        self.help +=
            "(The place is in what another plugin made of this file: no source map leads back from there.)";
        self
    }

    /// No reason to fail the build.
    pub(crate) fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The module it is about, by its name in the manifest.
    pub(crate) fn origin(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.module.origin.as_str())
    }

    fn render(&self) -> String {
        let mut diagnostic = match self.severity {
            Severity::Error => OxcDiagnostic::error(self.message.clone()),
            Severity::Warning => OxcDiagnostic::warn(self.message.clone()),
        }
        .with_error_code("agent-surface", self.code);
        if !self.help.is_empty() {
            diagnostic = diagnostic.with_help(self.help.clone());
        }
        let Some(place) = &self.place else { return draw(&diagnostic) };
        if !place.fits_a_frame() {
            // A frame of a minified line would be a screen full of it.
            let note = format!("{} {}", place.describe(), self.label);
            return draw(&diagnostic.with_note(note.trim_end().to_owned()));
        }
        diagnostic = diagnostic
            .with_label(LabeledSpan::new_primary_with_span(text_of(&self.label), place.visible_span()));
        match &self.related {
            Some((other, why)) if other.module.id == place.module.id && other.fits_a_frame() => {
                diagnostic =
                    diagnostic.and_label(LabeledSpan::new_with_span(text_of(why), other.visible_span()));
            }
            Some((other, why)) => {
                diagnostic = diagnostic.with_note(format!("{}: {why}", other.describe()));
            }
            None => {}
        }
        let source = NamedSource::new(place.module.origin.clone(), place.module.source.to_string());
        draw(&*diagnostic.with_source_code(source))
    }

    /// The problem as the host gets it.
    fn to_diagnostic(&self) -> Diagnostic {
        let (line, column) = self.place.as_ref().map_or((0, 0), Place::position);
        Diagnostic {
            severity: self.severity,
            code: format!("agent-surface({})", self.code),
            message: self.message.clone(),
            id: self.place.as_ref().map(|place| place.module.id.clone()),
            file: self.origin().map(str::to_owned),
            line,
            column,
            frame: self.render().trim_matches('\n').to_owned(),
            help: (!self.help.is_empty()).then(|| self.help.clone()),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        let key = |problem: &Self| {
            problem.place.as_ref().map(|place| {
                let (origin, start, end) = place.key();
                (origin.to_owned(), start, end)
            })
        };
        key(self).cmp(&key(other)).then_with(|| self.message.cmp(&other.message))
    }
}

/// Sorts by place, and drops what is said twice: two declarations may share one bad constant.
pub(crate) fn settle(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(Problem::order);
    problems.dedup_by(|a, b| a.order(b) == Ordering::Equal);
    problems
}

/// The problems as the host gets them: as many as are told, and how many are not.
pub(crate) fn diagnostics(problems: &[Problem]) -> Vec<Diagnostic> {
    let (told, left) = problems.split_at(problems.len().min(MAX_TOLD));
    let rest = left.first().map(|first| Problem {
        severity: first.severity,
        ..Problem::without_place("too-many", format!("{} more are not shown", left.len()))
    });
    told.iter().chain(&rest).map(Problem::to_diagnostic).collect()
}

/// All problems in one text.
pub(crate) fn report(problems: &[Problem]) -> Report {
    let diagnostics = diagnostics(problems);
    let count = match problems.len() {
        1 => "1 contract problem".to_owned(),
        count => format!("{count} contract problems"),
    };
    let frames: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.frame.as_str()).collect();
    Report { text: format!("agent-surface found {count}.\n\n{}\n", frames.join("\n\n")), diagnostics }
}

/// Draws a diagnostic without colour: the text goes to logs and overlays, and a terminal may not be there.
fn draw(diagnostic: &dyn MietteDiagnostic) -> String {
    let mut text = String::new();
    let drawn = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .with_width(WIDTH)
        .with_links(false)
        .render_report(&mut text, diagnostic);
    debug_assert!(drawn.is_ok(), "writing to a string does not fail");
    text
}

fn text_of(label: &str) -> Option<String> {
    (!label.is_empty()).then(|| label.to_owned())
}
