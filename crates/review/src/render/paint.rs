//! Colour, where it repeats a word, and columns.

use anstyle::{AnsiColor, Style};
use textwrap::core::display_width;

use agent_surface_manifest::{Confirmation, Effect};

use super::{Options, Verbosity};
use crate::{Class, SnapshotStatus, Status};

/// Writes words in colour, or not.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    color: bool,
    width: Option<usize>,
    pub(super) verbosity: Verbosity,
}

/// What lies between two columns.
pub(super) const GAP: &str = "  ";

impl Paint {
    pub(super) fn new(options: &Options) -> Self {
        Self { color: options.color, width: options.width(), verbosity: options.verbosity }
    }

    /// The word in a style.
    pub(super) fn word(self, word: &str, style: Style) -> String {
        if self.color && !word.is_empty() { format!("{style}{word}{style:#}") } else { word.to_owned() }
    }

    /// Whether a line of this width fits.
    pub(super) fn fits(self, width: usize) -> bool {
        self.width.is_none_or(|available| width <= available)
    }

    /// A line that goes on, indented, where the terminal ends. A name that is longer than a line stays whole.
    pub(super) fn wrap(self, line: &str, indent: usize) -> String {
        let Some(width) = self.width else { return line.to_owned() };
        let indent = " ".repeat(indent.min(width / 2));
        let options = textwrap::Options::new(width)
            .subsequent_indent(&indent)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
        textwrap::fill(line, options)
    }
}

/// Pads a text to a display width.
pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The width of each column: that of its widest cell.
pub(super) fn column_widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    std::array::from_fn(|at| rows.iter().map(|row| display_width(&row[at])).max().unwrap_or(0))
}

/// The width of a line with columns of these widths.
pub(super) fn line_width(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

const fn foreground(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi(color)))
}

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const PLAIN: Style = Style::new();

pub(super) const fn style_of_class(class: Class) -> Style {
    match class {
        Class::Widening => foreground(AnsiColor::Yellow),
        Class::Changed => foreground(AnsiColor::Magenta),
        Class::Narrowing => foreground(AnsiColor::Cyan),
        Class::Neutral => DIM,
    }
}

pub(super) const fn style_of_status(status: Status) -> Style {
    match status {
        Status::Fail => foreground(AnsiColor::Red).bold(),
        Status::Pass | Status::Written => foreground(AnsiColor::Green).bold(),
        Status::View => BOLD,
    }
}

pub(super) const fn style_of_snapshot(status: SnapshotStatus) -> Style {
    match status {
        SnapshotStatus::Current => foreground(AnsiColor::Green),
        SnapshotStatus::Stale | SnapshotStatus::Missing => foreground(AnsiColor::Yellow),
    }
}

/// Reading is cool, writing is warm.
pub(super) const fn style_of_effect(effect: Effect) -> Style {
    foreground(match effect {
        Effect::Read | Effect::ServerQuery => AnsiColor::Cyan,
        Effect::LocalState | Effect::Navigation => AnsiColor::Blue,
        Effect::ServerMutation => AnsiColor::Yellow,
        Effect::ExternalSideEffect => AnsiColor::Magenta,
        Effect::Destructive => AnsiColor::Red,
    })
}

pub(super) const fn style_of_confirmation(confirmation: Option<Confirmation>) -> Style {
    match confirmation {
        Some(Confirmation::Required) => foreground(AnsiColor::Green),
        Some(Confirmation::Optional) => foreground(AnsiColor::Cyan),
        Some(Confirmation::Never) | None => DIM,
    }
}
