//! What commands that read and write files have in common: pages of help, and reports on standard
//! error under the command's name.

use std::fmt::Display;
use std::process::ExitCode;

use dxil_frontend::escape;

use crate::console;
use crate::exit::Exit;
use crate::man_pages::PageArgs;

/// A command, by its name.
#[derive(Debug, Clone, Copy)]
pub struct Command(pub &'static str);

impl Command {
    /// Prints the page that the options ask for, or runs the command.
    pub fn main(
        self,
        pages: &PageArgs,
        description: clap::Command,
        run: impl FnOnce() -> Exit,
    ) -> ExitCode {
        let exit = match pages.print(description) {
            Ok(true) => Exit::Done,
            Ok(false) => run(),
            Err(error) => self.fail("standard output", &error),
        };
        exit.into()
    }

    /// Writes a line to standard error. A failure of that is ignored.
    pub fn report(self, message: &str) {
        console::report(&format!("{}: {}", self.0, escape::message(message)));
    }

    /// Reports a failure about a file or stream; returns the exit code.
    pub fn fail<'e, E: Display>(self, name: &str, error: &'e E) -> Exit
    where
        Exit: From<&'e E>,
    {
        self.report(&format!("{name}: {error}"));
        Exit::from(error)
    }
}
