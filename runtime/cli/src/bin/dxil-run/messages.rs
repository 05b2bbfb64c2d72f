//! Messages to standard output and standard error.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use dxil_frontend::shown::message;
use dxil_jit::console;
use dxil_runtime::Program;

use crate::failure::{Failure, Result};
use crate::style::Style;

/// Writes to standard output. A closed pipe (`| head`) is not an error.
pub(crate) fn write_stdout(bytes: &[u8]) -> Result<()> {
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
