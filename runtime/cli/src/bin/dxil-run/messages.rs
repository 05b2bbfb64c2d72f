//! Messages to standard output and standard error.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use dxil_frontend::escape::message;
use dxil_jit::console;
use dxil_runtime::Program;
use parking_lot::Mutex;

use crate::failure::{Failure, Result};
use crate::style::Style;

/// What would be on standard output, while [`captured`] runs.
static CAPTURED: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// Runs something; returns also what it would have written to standard output.
pub(crate) fn captured<T>(run: impl FnOnce() -> T) -> (T, Vec<u8>) {
    *CAPTURED.lock() = Some(Vec::new());
    let outcome = run();
    (outcome, CAPTURED.lock().take().unwrap_or_default())
}

/// Writes to standard output. A closed pipe (`| head`) is not an error.
pub(crate) fn write_stdout(bytes: &[u8]) -> Result<()> {
    if let Some(captured) = CAPTURED.lock().as_mut() {
        captured.extend_from_slice(bytes);
        return Ok(());
    }
    console::write(bytes).map_err(|error| Failure::file(Path::new("standard output"), &error))
}

/// Prints to standard error what the translation had to drop.
pub(crate) fn warn(program: &Program) {
    let style = Style::for_stderr();
    for warning in program.stages.iter().flat_map(|stage| &stage.warnings) {
        say_warning(style, warning);
    }
}

/// Prints what another program says, if it says anything.
pub(crate) fn report_text(text: &str) {
    let text = text.trim_end();
    if !text.is_empty() {
        drop(std::io::stderr().write_all(format!("{}\n", message(text)).as_bytes()));
    }
}

/// Prints a warning to standard error.
pub(crate) fn say_warning(style: Style, warning: &impl Display) {
    let warning = message(&warning.to_string());
    let line = format!("{} {warning}\n", style.error("warning:"));
    drop(std::io::stderr().write_all(line.as_bytes()));
}

/// Says that work of no size does nothing.
pub(crate) fn warn_of_nothing(option: &str, size: &[u32]) {
    if size.contains(&0) {
        let size: Vec<String> = size.iter().map(u32::to_string).collect();
        let warning = format!("{option} {} runs nothing", size.join(","));
        say_warning(Style::for_stderr(), &warning);
    }
}
