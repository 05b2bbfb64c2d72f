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
    /// The instruction here changes the value that was asked for: how.
    Writes(String),
    /// While the wave waited at the barrier here, another wave changed the value that was asked
    /// for: how.
    WritesMeanwhile(String),
    /// No earlier instruction of the wave changes the value that was asked for.
    NoWriter(String),
    /// An earlier session had stopped here.
    Resumed,
}

impl Reason {
    /// Returns the reason in words; none for steps, after which the place says enough.
    pub fn words(&self) -> Option<String> {
        Some(match self {
            Reason::Entry => "start of the wave".to_owned(),
            Reason::Step | Reason::Back | Reason::Resumed => return None,
            Reason::Breakpoint(id) => format!("breakpoint {id}"),
            Reason::Data(id, text) => format!("watch {id}: {text}"),
            Reason::Finding(text) => text.clone(),
            Reason::Writes(text) => format!("written here: {text}"),
            Reason::WritesMeanwhile(text) => {
                format!("another wave has written it meanwhile: {text}")
            }
            Reason::NoWriter(text) => format!("this wave has not changed {text} before"),
            Reason::DebugBreak => "DebugBreak".to_owned(),
            Reason::Pause => "paused".to_owned(),
        })
    }
}
