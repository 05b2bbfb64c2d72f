//! Man pages and completion scripts, made from the same description as the command line.

use std::io;

use clap::{ArgAction, Args, Command};
use clap_complete::Shell;

use crate::{console, man};

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(
    next_help_heading = "Help",
    disable_help_flag = true,
    disable_version_flag = true
)]
pub struct PageArgs {
    /// Print one screen of help, or everything (--help)
    #[arg(short, long, action = ArgAction::Help)]
    pub help: Option<bool>,

    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version)]
    pub version: Option<bool>,

    /// Print a completion script for a shell
    #[arg(long, value_name = "SHELL", hide_short_help = true, exclusive = true)]
    pub completions: Option<Shell>,

    /// Print the man page, for `man -l -`
    #[arg(long, hide_short_help = true, exclusive = true)]
    pub man: bool,
}

impl PageArgs {
    /// Prints the pages that the options ask for. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// Fails where standard output cannot be written to.
    pub fn print(&self, mut command: Command) -> io::Result<bool> {
        let mut page = Vec::new();
        if let Some(shell) = self.completions {
            let name = command.get_name().to_owned();
            clap_complete::generate(shell, &mut command, name, &mut page);
        } else if self.man {
            page = man::page(command)?;
        } else {
            return Ok(false);
        }
        console::write(&page)?;
        Ok(true)
    }
}
