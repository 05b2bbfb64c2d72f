//! Bind points on the command line: registers, slots of the heap, render targets.

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
    /// `so0` and so on: what stages give without a rasterizer.
    Stream(u32),
}

impl std::fmt::Display for BindPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BindPoint::Register(register) => register.fmt(f),
            BindPoint::Slot(index) => write!(f, "heap{index}"),
            BindPoint::Target(index) => write!(f, "rt{index}"),
            BindPoint::Stream(index) => write!(f, "so{index}"),
        }
    }
}

impl std::str::FromStr for BindPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(slot) = slot_name(text) {
            return Ok(BindPoint::Slot(slot));
        }
        if let Some(Ok(index)) = text.strip_prefix("so").map(str::parse) {
            return Ok(BindPoint::Stream(index));
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

/// Returns the number in `heap3` or `heap[3]`.
pub(crate) fn slot_name(text: &str) -> Option<u32> {
    let rest = text.trim().strip_prefix("heap")?;
    let number = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']'));
    number.unwrap_or(rest).parse().ok()
}

/// A resource as the user names it: a [`BindPoint`], or a resource by its name in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResourceArgument {
    /// A register, slot or render target.
    Point(BindPoint),
    /// An element of a resource array, or the resource where there is no array.
    Named {
        /// Name in the source.
        name: String,
        /// Index into the array.
        index: u32,
    },
}

impl std::str::FromStr for ResourceArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = match text.parse() {
            Ok(point) => return Ok(ResourceArgument::Point(point)),
            Err(unknown) => unknown,
        };
        let (name, index) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((name, index)) => (name, index.parse().map_err(|_| unknown.clone())?),
            None => (text, 0),
        };
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ':');
        if name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit())
            || !name.chars().all(is_name)
        {
            return Err(unknown);
        }
        Ok(ResourceArgument::Named {
            name: name.to_owned(),
            index,
        })
    }
}

impl std::fmt::Display for ResourceArgument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResourceArgument::Point(point) => point.fmt(f),
            ResourceArgument::Named { name, index: 0 } => f.write_str(name),
            ResourceArgument::Named { name, index } => write!(f, "{name}[{index}]"),
        }
    }
}

impl PartialEq<BindPoint> for ResourceArgument {
    fn eq(&self, other: &BindPoint) -> bool {
        matches!(self, ResourceArgument::Point(point) if point == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_points_or_names() {
        let place = |text: &str| text.parse::<ResourceArgument>();
        assert_eq!(
            place("heap3"),
            Ok(ResourceArgument::Point(BindPoint::Slot(3)))
        );
        assert_eq!(
            place("rt1"),
            Ok(ResourceArgument::Point(BindPoint::Target(1)))
        );
        assert!(matches!(
            place("u1,space2"),
            Ok(ResourceArgument::Point(BindPoint::Register(_)))
        ));
        for (text, name, index) in [("src", "src", 0), ("lights[2]", "lights", 2)] {
            let name = name.to_owned();
            assert_eq!(place(text), Ok(ResourceArgument::Named { name, index }));
        }
        for text in ["", "3x", "a b", "lights[x]"] {
            assert!(place(text).is_err(), "{text}");
        }
    }
}
