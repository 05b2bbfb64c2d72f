//! Why a wave has stopped.

/// Why the wave has stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// At the start of the wave.
    Entry,
    /// A step was done.
    Step,
    /// A breakpoint, by its number.
    Breakpoint(u32),
    /// Data has changed: the number of the breakpoint, and what has changed.
    Data(u32, String),
    /// A finding of the checks.
    Finding(String),
    /// The shader asked for it: `DebugBreak`.
    DebugBreak,
    /// The user asked for it.
    Pause,
    /// The wave was run again up to an earlier moment.
    Back,
}
