//! Debugging in the terminal.

use std::io::IsTerminal;

use dxil_debug::terminal::{Shows, Terminal};

use super::client::Client;
use super::work::debug;
use crate::args::Args;
use crate::failure::Result;

/// Debugs what the command line runs in the terminal.
pub(crate) fn in_terminal(args: &Args) -> Result<()> {
    let input = std::io::stdin();
    let shows = if input.is_terminal() {
        Shows::Prompt
    } else {
        Shows::Nothing
    };
    let output = std::io::stdout();
    let ran = match &args.debug_commands {
        Some(commands) => {
            let commands = commands.replace(';', "\n");
            let mut terminal = Terminal::new(commands.as_bytes(), output, Shows::Commands);
            debug(args, Client::Terminal(&mut terminal))?
        }
        None => {
            let mut terminal = Terminal::new(input.lock(), output, shows);
            debug(args, Client::Terminal(&mut terminal))?
        }
    };
    match ran {
        Some(ran) => ran.finish(),
        None => Ok(()),
    }
}
