//! Colours, on a terminal only.

use std::io::IsTerminal;

/// Paints text, or leaves it alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    /// Returns the style for standard output.
    pub(crate) fn for_stdout() -> Self {
        Style::when(std::io::stdout().is_terminal())
    }

    /// Returns the style for standard error.
    pub(crate) fn for_stderr() -> Self {
        Style::when(std::io::stderr().is_terminal())
    }

    /// Returns the style with colours on a terminal, unless `NO_COLOR` is set (no-color.org).
    fn when(terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Style {
            colour: terminal && !refused,
        }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Paints a name: bold.
    pub(crate) fn name(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Paints what matters less: dim.
    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Paints the word `error`: bold red.
    pub(crate) fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Paints a figure: green.
    pub(crate) fn figure(self, text: &str) -> String {
        self.paint("32", text)
    }
}
