//! The outcome of a command: its exit status and its texts.

use std::process::Output;

/// Returns the text that a command wrote.
pub(super) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Checks that a command succeeded, and returns its standard output.
#[track_caller]
pub(super) fn good(output: &Output) -> &str {
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    stdout
}

/// Checks that a command failed with an exit code, and that its error output contains a message.
#[track_caller]
pub(super) fn fails(output: &Output, code: i32, message: &str) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
}
