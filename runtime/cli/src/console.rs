//! Standard input and output.

use std::io::{self, Write};

/// Writes to standard output. A closed pipe (`| head`) is not an error.
///
/// # Errors
///
/// Fails where standard output cannot be written to, such as a full disk.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Writes a line to standard error, which may be closed: nothing can be done where that fails.
pub fn report(line: &str) {
    drop(writeln!(io::stderr(), "{line}"));
}
