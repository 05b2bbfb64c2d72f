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
            Reason::DebugBreak => "DebugBreak".to_owned(),
            Reason::Pause => "paused".to_owned(),
        })
    }
}
