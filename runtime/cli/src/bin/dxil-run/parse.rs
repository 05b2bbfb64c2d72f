//! Values of options that are pairs, lists or places.

use std::ops::RangeInclusive;
use std::time::Duration;

use dxil_runtime::{Format, Register};

use crate::bind_points::{BindPoint, ResourceArgument, slot_name};
use crate::file_kind::FileKind;

/// A file that `--out` writes.
#[derive(Debug, Clone)]
pub(crate) struct Out {
    /// Register, slot, render target or buffer name; the stem of the file where PLACE is left out.
    pub(crate) place: String,
    /// Whether PLACE is left out.
    pub(crate) is_bare: bool,
    /// The file.
    pub(crate) file: String,
}

impl std::fmt::Display for Out {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_bare {
            write!(f, "--out {}", self.file)
        } else {
            write!(f, "--out {}={}", self.place, self.file)
        }
    }
}

/// A slot of a heap with its contents.
#[derive(Debug, Clone)]
pub(crate) struct HeapSlot {
    /// Its number.
    pub(crate) slot: u32,
    /// Type and contents, or a sampler.
    pub(crate) what: String,
}

pub(crate) fn parse_groups(text: &str) -> Result<[u32; 3], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x]) => Ok([*x, 1, 1]),
        Ok([x, y]) => Ok([*x, *y, 1]),
        Ok([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err("write one to three numbers, like 64,1,1".into()),
    }
}

/// The argument of `--bind` for a bind point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bind {
    /// The resource; of a field without resource the first part of its path.
    pub(crate) place: ResourceArgument,
    /// Path of a field of a constant buffer.
    pub(crate) field: Option<String>,
    /// The contents.
    pub(crate) what: String,
}

impl Bind {
    /// Returns the register, once names are resolved.
    pub(crate) fn register(&self) -> Option<Register> {
        match self.place {
            ResourceArgument::Point(BindPoint::Register(register)) => Some(register),
            _ => None,
        }
    }
}

impl std::fmt::Display for Bind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--bind {}", self.place)?;
        match &self.field {
            Some(field) => write!(f, ".{field}={}", self.what),
            None => write!(f, "={}", self.what),
        }
    }
}

/// Parses `PLACE=WHAT` or `PLACE.FIELD=WHAT`.
pub(crate) fn parse_bind(text: &str) -> Result<Bind, String> {
    let (key, what) = parse_pair::<String>(text)?;
    let (place, field) = match key.split_once('.') {
        Some((place, field)) => (place, Some(field.to_owned())),
        None => (&*key, None),
    };
    let place: ResourceArgument = place.parse()?;
    match place {
        ResourceArgument::Point(BindPoint::Register(_)) | ResourceArgument::Named { .. } => {
            Ok(Bind { place, field, what })
        }
        ResourceArgument::Point(BindPoint::Slot(_)) => {
            Err("slots of the heap are filled with --heap".into())
        }
        ResourceArgument::Point(BindPoint::Target(_)) => {
            Err("a render target is cleared; only its --size and --format can be given".into())
        }
        ResourceArgument::Point(BindPoint::Stream(_)) => {
            Err("the outputs of stages are written by them alone".into())
        }
    }
}

/// Parses `KEY=VALUE`; the key may hold a comma, never an equals sign.
fn parse_pair<K: std::str::FromStr<Err: ToString>>(text: &str) -> Result<(K, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("there is no `=` in it; write REGISTER=VALUE")?;
    let key = key.trim().parse().map_err(|e: K::Err| e.to_string())?;
    Ok((key, value.to_owned()))
}

/// Parses `SLOT=WHAT`, where the slot is a number, also as `heap3` or `heap[3]`.
pub(crate) fn parse_slot(text: &str) -> Result<HeapSlot, String> {
    let (slot, what) = parse_pair::<String>(text)?;
    let number = slot.trim().parse().ok();
    let slot = number.or_else(|| slot_name(&slot));
    let slot = slot.ok_or("write the number of the slot, like 3=...")?;
    Ok(HeapSlot { slot, what })
}

pub(crate) fn parse_counter(text: &str) -> Result<(ResourceArgument, u32), String> {
    let (place, value) = parse_pair(text)?;
    let value = value.trim().parse();
    Ok((place, value.map_err(|_| "write a number, like u0=16")?))
}

pub(crate) fn parse_table(text: &str) -> Result<(usize, u32), String> {
    let (parameter, slot) = parse_pair::<usize>(text)?;
    let number = slot.trim().parse().ok();
    let slot = number.or_else(|| slot_name(&slot));
    Ok((
        parameter,
        slot.ok_or("write root parameter and slot, like 0=4")?,
    ))
}

pub(crate) fn parse_format(text: &str) -> Result<(ResourceArgument, Format), String> {
    let (register, value) = parse_pair(text)?;
    let format: Format = value
        .parse()
        .map_err(|e: dxil_runtime::format::BadFormat| e.to_string())?;
    Ok((register, format))
}

pub(crate) fn parse_draw(text: &str) -> Result<[u32; 2], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([vertices]) => Ok([*vertices, 1]),
        Ok([vertices, instances]) => Ok([*vertices, *instances]),
        _ => Err("write one or two numbers, like 3 or 36,10".into()),
    }
}

/// Parses `8x8`.
pub(crate) fn parse_pixels(text: &str) -> Result<[u32; 2], String> {
    let numbers: Result<Vec<u32>, _> = text.split('x').map(|n| n.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([width, height]) if *width > 0 && *height > 0 => Ok([*width, *height]),
        _ => Err("write width and height, like 8x8".into()),
    }
}

/// Parses `PLACE=FILE`, or only a file.
pub(crate) fn parse_out(text: &str) -> Result<Out, String> {
    let (place, file) = match text.split_once('=') {
        Some((place, file)) => (Some(place), file),
        None => (None, text),
    };
    FileKind::of(file)?;
    let stem = std::path::Path::new(file)
        .file_stem()
        .and_then(|stem| stem.to_str());
    Ok(Out {
        place: place.or(stem).unwrap_or_default().to_owned(),
        is_bare: place.is_none(),
        file: file.to_owned(),
    })
}

pub(crate) fn parse_size(text: &str) -> Result<(ResourceArgument, [u32; 3]), String> {
    let (register, value) = parse_pair(text)?;
    let numbers: Result<Vec<u32>, _> = value.split('x').map(str::parse).collect();
    let size = match numbers.as_deref() {
        Ok([x]) => [*x, 1, 1],
        Ok([x, y]) => [*x, *y, 1],
        Ok([x, y, z]) => [*x, *y, *z],
        _ => return Err("write a size as 64, 64x64 or 64x64x4".into()),
    };
    Ok((register, size))
}

/// How many levels a texture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Levels {
    /// That many.
    Count(u32),
    /// As many as there can be: the last one has a single texel.
    All,
}

pub(crate) fn parse_mips(text: &str) -> Result<(ResourceArgument, Levels), String> {
    let (register, value) = parse_pair(text)?;
    let levels = match (&*value, value.parse()) {
        ("all", _) => Levels::All,
        (_, Ok(count @ 1..)) => Levels::Count(count),
        _ => return Err("write a number of levels, or `all`".into()),
    };
    Ok((register, levels))
}

pub(crate) fn parse_node_number(text: &str) -> Result<(String, u32), String> {
    let bad = || "write NODE=NUMBER, like split=16 or material[2]=16".to_owned();
    let (node, number) = text.split_once('=').ok_or_else(bad)?;
    Ok((node.to_owned(), number.parse().map_err(|_| bad())?))
}

pub(crate) fn parse_samples(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(samples @ (1 | 2 | 4 | 8 | 16 | 32 | 64)) => Ok(samples),
        _ => Err("write 1, 2, 4, 8, 16, 32 or 64".into()),
    }
}

pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "write a number of seconds, like 10 or 0.5".into())
}

/// Lines of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines(pub(crate) RangeInclusive<u32>);

/// Parses `FIRST[-LAST]`.
pub(crate) fn parse_lines(text: &str) -> Result<Lines, String> {
    let bad = || "write a line or two, like 20 or 20-30".to_owned();
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().map_err(|_| bad());
    let (first, last): (u32, u32) = (number(first)?, number(last)?);
    if first == 0 || last < first {
        return Err(bad());
    }
    Ok(Lines(first..=last))
}
