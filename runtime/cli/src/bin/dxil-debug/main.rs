//! `dxil-debug`: a debugger for shaders, for editors that speak the Debug Adapter Protocol.
//!
//! Launches are command lines of `dxil-run`, which therefore is what serves the protocol: this
//! command starts it, so that editors have a program to name.

use std::env::consts::EXE_SUFFIX;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{CommandFactory, Parser};
use dxil_frontend::escape::message;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::man_pages::PageArgs;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-debug                  serve one client at standard input and output
  dxil-debug --port 4711      serve clients at 127.0.0.1:4711, one after the other

A launch has the command line of dxil-run: { \"program\": \"cs.dxil\",
\"args\": [\"--dispatch\", \"64\", \"--bind\", \"src=in.bin\"], \"stopOnEntry\": true }; docs/debugging.md
tells the rest. In a terminal, dxil-run cs.dxil --dispatch 64 --debug does the same.";

/// Debug shaders in an editor: serves the Debug Adapter Protocol.
#[derive(Debug, Parser)]
#[command(name = "dxil-debug", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// Serve at a port of this machine instead of standard input and output
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,

    #[command(flatten)]
    pages: PageArgs,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match args.pages.print(Args::command()) {
        Ok(true) => return Exit::Done.into(),
        Ok(false) => {}
        Err(error) => {
            say(&format!("standard output: {error}"));
            return Exit::from(&error).into();
        }
    }
    let port = args.port.map_or(String::new(), |port| format!("={port}"));
    let server = server();
    let mut command = Command::new(&server);
    command.arg(format!("--debug-adapter{port}"));
    // The child has the same input and output.
    match command.status() {
        Ok(status) => match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(code) => ExitCode::from(code),
            None => Exit::Internal.into(),
        },
        Err(error) => {
            say(&format!("{}: {error}", server.display()));
            Exit::from(&error).into()
        }
    }
}

/// Returns `dxil-run` of the same folder, or else of the path.
fn server() -> PathBuf {
    let name = format!("dxil-run{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok();
    let beside = beside.and_then(|own| Some(own.parent()?.join(&name)));
    beside
        .filter(|program| program.exists())
        .unwrap_or_else(|| PathBuf::from(name))
}

/// Writes a line to standard error. A failure of that is ignored.
fn say(text: &str) {
    drop(writeln!(std::io::stderr(), "dxil-debug: {}", message(text)));
}
