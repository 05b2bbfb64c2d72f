//! Output streams and exit codes.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use dxil_frontend::{Error, escape};
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::input::InputError;

use crate::args::{Args, ColorWhen};

/// Writes a line to standard error. A failure of that is ignored.
pub(crate) fn report(message: &str) {
    let message = escape::message(message);
    let _ = writeln!(anstream::stderr(), "dxil-dis: {message}");
}

/// Returns the exit code of an error that ends the program.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    if let Some(error) = error.downcast_ref::<InputError>() {
        return error.exit;
    }
    if let Some(error) = error.downcast_ref::<Error>() {
        return error.into();
    }
    error
        .downcast_ref::<io::Error>()
        .map_or(Exit::File, Exit::from)
}

pub(crate) fn write_output(args: &Args, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(file) = &args.output {
        let mut plain = anstream::StripStream::new(Vec::new());
        plain.write_all(bytes)?;
        return files::write(file, &plain.into_inner())
            .with_context(|| format!("writing {}", file.display()));
    }
    let choice = match args.color {
        ColorWhen::Auto => AutoStream::choice(&io::stdout()),
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    };
    let mut stream = AutoStream::new(io::stdout(), choice).lock();
    stream.write_all(bytes)?;
    stream.flush()?;
    Ok(())
}
