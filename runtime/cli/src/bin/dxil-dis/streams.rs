//! What the command reads and writes, and its exit codes.

use std::io::{self, Read, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use dxil_frontend::container::{container_in_pdb, is_pdb};
use dxil_frontend::{Category, Error, shown};
use dxil_jit::files;

use crate::args::{Args, ColorWhen};

/// Exit status, documented in `--help`.
pub(crate) mod status {
    pub(crate) const OK: u8 = 0;
    pub(crate) const MALFORMED: u8 = 1;
    pub(crate) const UNSUPPORTED: u8 = 3;
    pub(crate) const IO: u8 = 4;
    pub(crate) const INTERNAL: u8 = 5;
}

/// Writes a line to standard error; nothing can be done if that fails.
pub(crate) fn report(message: &str) {
    let message = shown::message(message);
    let _ = writeln!(anstream::stderr(), "dxil-dis: {message}");
}

pub(crate) fn status_of(error: &Error) -> u8 {
    match error.category() {
        Category::Malformed => status::MALFORMED,
        Category::Unsupported => status::UNSUPPORTED,
        Category::Internal => status::INTERNAL,
    }
}

pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin()
            .lock()
            .take(files::MAX_INPUT)
            .read_to_end(&mut bytes)
            .context("reading standard input")?;
        return Ok(bytes);
    }
    let bytes = files::read(file).with_context(|| format!("reading {}", file.display()))?;
    if is_pdb(&bytes) {
        container_in_pdb(&bytes).with_context(|| format!("reading {}", file.display()))
    } else {
        Ok(bytes)
    }
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
