//! Places of the command line: registers, slots of the heap, render targets.

use dxil_runtime::Register;

/// A register, a slot of the CBV/SRV/UAV heap, or a render target of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BindPoint {
    /// A register.
    Register(Register),
    /// `heap0` and so on.
    Slot(u32),
    /// `rt0` and so on.
    Target(u32),
}

impl std::fmt::Display for BindPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BindPoint::Register(register) => register.fmt(f),
            BindPoint::Slot(index) => write!(f, "heap{index}"),
            BindPoint::Target(index) => write!(f, "rt{index}"),
        }
    }
}

impl std::str::FromStr for BindPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(slot) = slot_name(text) {
            return Ok(BindPoint::Slot(slot));
        }
        match text.strip_prefix("rt").map(str::parse) {
            Some(Ok(index)) => Ok(BindPoint::Target(index)),
            _ => text
                .parse()
                .map(BindPoint::Register)
                .map_err(|error: dxil_runtime::job::BadRegister| error.to_string()),
        }
    }
}

/// The number in `heap3` or `heap[3]`.
pub(crate) fn slot_name(text: &str) -> Option<u32> {
    let rest = text.trim().strip_prefix("heap")?;
    let number = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']'));
    number.unwrap_or(rest).parse().ok()
}
