//! Writes results to files: raw bytes, NumPy arrays, pictures, tables.

use std::fmt::Write as _;
use std::path::Path;

use dxil_frontend::dxil::ComponentType;
use dxil_frontend::reflection::Layout;
use dxil_jit::files;
use dxil_jit::npy;
use dxil_jit::texture_file;
use dxil_runtime::Format;
use dxil_runtime::format::{Component, ComponentValue, TexelLayout};
use dxil_runtime::job::{Job, Outcome, Storage, Texture};

use crate::bind_points::BindPoint;
use crate::cells::{Cells, show};
use crate::failure::{Failure, Result};
use crate::file_kind::FileKind;
use crate::mips;
use crate::parse::Out;
use crate::pictures;
use crate::planned::{Declared, ElementKind};

/// A place's contents: how to read them and how they lie.
#[derive(Clone, Copy)]
pub(crate) struct PlaceContents<'a> {
    /// Bind point or buffer, for messages.
    pub(crate) name: &'a str,
    /// Kind of an element.
    pub(crate) element: &'a ElementKind,
    /// Fields of an element, where they have names.
    pub(crate) layout: Option<&'a Layout>,
    /// Size that the user gave.
    pub(crate) size: Option<[u32; 3]>,
    /// Whether the layers are faces of cubes.
    pub(crate) is_cube: bool,
    /// The resource.
    pub(crate) storage: Option<&'a Storage>,
}

/// Finds what each `--out` means: a place, the resource's name in the source, or (where only a file
/// is given) the one render target or the one resource that is written.
pub(crate) fn resolve<'a>(
    outs: &'a [Out],
    views: &'a [Declared],
) -> Result<Vec<(&'a Out, &'a Declared)>> {
    let find = |out: &'a Out| {
        let place: Option<BindPoint> = out.place.parse().ok();
        let view = match place {
            Some(place) => views.iter().find(|view| view.place == place),
            None => named(views, &out.place),
        };
        let view = match view {
            None if place.is_none() && out.is_bare => only_result(views),
            view => view,
        };
        Ok((out, view.ok_or_else(|| no_such_place(out, views))?))
    };
    outs.iter().map(find).collect()
}

fn named<'a>(views: &'a [Declared], name: &str) -> Option<&'a Declared> {
    views.iter().find(|v| !v.name.is_empty() && v.name == name)
}

/// Returns the one render target; without any, the one resource that is written.
fn only_result(views: &[Declared]) -> Option<&Declared> {
    let is_target = |view: &&Declared| matches!(view.place, BindPoint::Target(_));
    let mut results = views.iter().filter(is_target).peekable();
    match results.peek() {
        Some(_) => results.next().filter(|_| results.next().is_none()),
        None => {
            let mut results = views.iter().filter(|view| view.writable);
            results.next().filter(|_| results.next().is_none())
        }
    }
}

fn no_such_place(out: &Out, views: &[Declared]) -> Failure {
    let places: Vec<String> = views
        .iter()
        .filter(|view| view.writable)
        .map(|view| match view.name.as_str() {
            "" => view.place.to_string(),
            name => format!("{} ({name})", view.place),
        })
        .collect();
    let there = match places.as_slice() {
        [] => "nothing is written".to_owned(),
        places => format!("there are {}", places.join(", ")),
    };
    Failure::usage(if out.is_bare {
        format!(
            "{out}: say what goes there, like --out u0={}; {there}",
            out.file
        )
    } else {
        format!("{out}: nothing is called {}; {there}", out.place)
    })
}

/// Finds before a run what would keep a file of `--out` from being written: a kind of file or a
/// folder that there is not, a folder that takes no file, and a picture of a buffer without a
/// width.
pub(crate) fn check(outs: &[(&Out, &Declared)], job: &Job) -> Result<()> {
    for (out, view) in outs {
        let kind =
            FileKind::of(&out.file).map_err(|why| Failure::usage(format!("{out}: {why}")))?;
        let storage = job.resources.get(view.resource.0).map(|r| &r.storage);
        let is_texture = matches!(storage, Some(Storage::Texture(_)));
        let has_rows = view.size.is_some_and(|[_, height, _]| height > 1);
        if matches!(kind, FileKind::Png | FileKind::Exr) && !is_texture && !has_rows {
            let why = no_width(&view.place.to_string());
            return Err(Failure::usage(format!("{out}: {why}")));
        }
        if matches!(kind, FileKind::Dds | FileKind::Ktx2) && !is_texture {
            return Err(Failure::usage(format!("{out}: {NO_TEXTURE}")));
        }
        let file = Path::new(&out.file);
        files::check_writable(file).map_err(|error| Failure::file(file, &error))?;
    }
    Ok(())
}

fn no_width(name: &str) -> String {
    format!("a buffer has no width; say it with --size {name}=WIDTHxHEIGHT")
}

/// Writes what `--out` asks for.
pub(crate) fn write(outs: &[(&Out, &Declared)], job: &Job, outcome: &Outcome) -> Result<()> {
    for (out, view) in outs {
        let name = view.place.to_string();
        let Some(bytes) = outcome.bytes(view.resource) else {
            return Err(Failure::usage(format!(
                "{out}: {name} holds nothing that can be read back"
            )));
        };
        let picture = PlaceContents {
            name: &name,
            element: &view.element,
            layout: view.layout.as_ref(),
            size: view.size,
            is_cube: view.is_cube(),
            storage: job.resources.get(view.resource.0).map(|r| &r.storage),
        };
        write_file(&picture, bytes, &out.file)?;
    }
    Ok(())
}

/// Writes contents to a file; its extension says how.
pub(crate) fn write_file(picture: &PlaceContents<'_>, bytes: &[u8], file: &str) -> Result<()> {
    let name = picture.name;
    let usage = |why: String| Failure::usage(format!("--out {name}={file}: {why}"));
    let kind = FileKind::of(file).map_err(usage)?;
    // Files without levels have the first one.
    let first;
    let bytes = match picture.storage {
        Some(Storage::Texture(texture)) if texture.mips > 1 && !kind.has_levels() => {
            first = mips::first_levels(texture, 1, bytes);
            &first
        }
        _ => bytes,
    };
    let data = match kind {
        FileKind::NumPy => npy(picture, bytes),
        FileKind::Table => csv(picture, bytes).into_bytes(),
        FileKind::Png => png(picture, bytes).map_err(usage)?,
        FileKind::Exr => exr(picture, bytes).map_err(usage)?,
        FileKind::Dds => texture(picture, bytes, texture_file::dds).map_err(usage)?,
        FileKind::Ktx2 => texture(picture, bytes, texture_file::ktx2).map_err(usage)?,
        FileKind::Bytes => bytes.to_vec(),
    };
    let file = Path::new(file);
    files::write(file, &data).map_err(|error| Failure::file(file, &error))
}

/// Returns a file with all levels and layers of a texture.
fn texture(
    picture: &PlaceContents<'_>,
    bytes: &[u8],
    write: impl Fn(&Texture, bool, &[u8]) -> Result<Vec<u8>, String>,
) -> Result<Vec<u8>, String> {
    match picture.storage {
        Some(Storage::Texture(texture)) => write(texture, picture.is_cube, bytes),
        _ => Err(NO_TEXTURE.into()),
    }
}

const NO_TEXTURE: &str = "only textures are written as .dds and .ktx2";

/// Returns the dimensions of the elements: x fastest, 1 if there is none.
fn dimensions(picture: &PlaceContents<'_>, bytes: &[u8]) -> [usize; 3] {
    let count = Cells::new(bytes, picture.element).len();
    match (picture.storage, picture.size) {
        (Some(Storage::Texture(t)), _) => [
            t.width as usize,
            t.height as usize,
            (t.depth * t.layers) as usize,
        ],
        // The user's size is a claim, and counts only if it fits.
        (_, Some([x, y, z])) if y > 1 && (x as usize * y as usize * z as usize) == count => {
            [x as usize, y as usize, z as usize]
        }
        _ => [count, 1, 1],
    }
}

/// Returns a NumPy array: of structures with a structured dtype, of vectors with one more
/// dimension.
fn npy(picture: &PlaceContents<'_>, bytes: &[u8]) -> Vec<u8> {
    let (descr, inner) = dtype(picture);
    let mut shape: Vec<usize> = dimensions(picture, bytes)
        .into_iter()
        .rev()
        // Leading dimensions of length one are left out.
        .skip_while(|n| *n == 1)
        .collect();
    if shape.is_empty() {
        shape.push(1);
    }
    if inner > 1 {
        shape.push(inner);
    }
    let stride = Cells::new(bytes, picture.element).stride();
    // Bytes after the last whole element are not part of the array.
    let whole = bytes.len() / stride * stride;
    npy::write(&descr, &shape, bytes.get(..whole).unwrap_or(bytes))
}

/// Returns NumPy's description of an element type, and how many of it make an element.
fn dtype(picture: &PlaceContents<'_>) -> (String, usize) {
    match picture.element {
        ElementKind::Texel(format) => match format.layout().and_then(TexelLayout::plain_components)
        {
            Some((component, bits, count)) => {
                let letter = match component {
                    Component::Uint | Component::Unorm | Component::Srgb => 'u',
                    Component::Sint | Component::Snorm => 'i',
                    Component::Float => 'f',
                };
                // A single byte has no order.
                let order = if bits > 8 { '<' } else { '|' };
                (format!("'{order}{letter}{}'", bits / 8), count as usize)
            }
            None => (format!("'|V{}'", format.block_bytes()), 1),
        },
        ElementKind::Scalars(element) => {
            if let Some(layout) = picture.layout.filter(|layout| layout.size == element.size)
                && layout.fields.iter().any(|field| !field.name.is_empty())
            {
                return (npy::struct_descr(&layout.fields, layout.size), 1);
            }
            let types: Vec<&str> = element
                .scalars
                .iter()
                .map(|s| npy::dtype_of(s.component))
                .collect();
            let bytes = element.size / element.scalars.len().max(1) as u32;
            let mut scalars = element.scalars.iter().zip(0u32..);
            let is_tight = scalars.all(|(scalar, i)| scalar.offset == i * bytes);
            match types.first() {
                Some(first) if is_tight && types.iter().all(|ty| ty == first) => {
                    (format!("'{first}'"), types.len())
                }
                // Elements of types that nothing is known of.
                _ => (format!("'|V{}'", element.size), 1),
            }
        }
    }
}

fn csv(picture: &PlaceContents<'_>, bytes: &[u8]) -> String {
    let cells = Cells::new(bytes, picture.element);
    let [width, height, depth] = dimensions(picture, bytes);
    let mut text = String::from(match (height, depth) {
        (1, 1) => "index",
        (_, 1) => "x,y",
        _ => "x,y,z",
    });
    for column in cells.columns() {
        let column = if column.is_empty() { "value" } else { &column };
        _ = write!(text, ",{column}");
    }
    text.push('\n');
    for index in 0..cells.len().min(width * height * depth) {
        match (height, depth) {
            (1, 1) => _ = write!(text, "{index}"),
            (_, 1) => _ = write!(text, "{},{}", index % width, index / width),
            _ => {
                let (row, z) = (index / width % height, index / width / height);
                _ = write!(text, "{},{row},{z}", index % width);
            }
        }
        for value in cells.row(index) {
            _ = write!(text, ",{}", show(value));
        }
        text.push('\n');
    }
    text
}

fn png(picture: &PlaceContents<'_>, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let byte = |value: &ComponentValue| match value {
        ComponentValue::Float(value) => (value.clamp(0.0, 1.0) * 255.0).round() as u8,
        ComponentValue::Uint(value) => (*value).min(255) as u8,
        ComponentValue::Sint(value) => (*value).clamp(0, 255) as u8,
    };
    // One packed word per pixel is a colour: red in the low byte.
    let word = |value: &ComponentValue| match value {
        ComponentValue::Uint(word) => (*word as u32).to_le_bytes(),
        _ => [0, 0, 0, 255],
    };
    let (width, height, pixels) = pixels(picture, bytes, byte, word, 255)?;
    pictures::png(width, height, &pixels)
}

/// Returns an OpenEXR file with 32-bit floats: the values are unchanged, in no colour space.
fn exr(picture: &PlaceContents<'_>, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let float = |value: &ComponentValue| match value {
        ComponentValue::Float(value) => *value as f32,
        ComponentValue::Uint(value) => *value as f32,
        ComponentValue::Sint(value) => *value as f32,
    };
    let word = |value: &ComponentValue| [float(value), float(value), float(value), 1.0];
    let (width, height, pixels) = pixels(picture, bytes, float, word, 1.0)?;
    pictures::exr(width, height, &pixels)
}

/// Returns the width, height and the pixels' channels (red, green, blue, alpha); missing ones are 0
/// and opaque.
fn pixels<T: Copy + Default>(
    picture: &PlaceContents<'_>,
    bytes: &[u8],
    channel: impl Fn(&ComponentValue) -> T,
    word: impl Fn(&ComponentValue) -> [T; 4],
    opaque: T,
) -> Result<(u32, u32, Vec<T>), String> {
    let [width, height, depth] = dimensions(picture, bytes);
    if !matches!(picture.storage, Some(Storage::Texture(_))) && height == 1 {
        return Err(no_width(picture.name));
    }
    // sRGB texels are written as they are: the file's values lie on that curve.
    let element = match picture.element {
        ElementKind::Texel(Format::Rgba8Srgb) => ElementKind::Texel(Format::Rgba8Unorm),
        ElementKind::Texel(Format::Bgra8Srgb) => ElementKind::Texel(Format::Bgra8Unorm),
        other => other.clone(),
    };
    let cells = Cells::new(bytes, &element);
    let rows = height * depth;
    let none = T::default();
    let mut pixels = Vec::with_capacity(width * rows * 4);
    for index in 0..width * rows {
        let values = cells.row(index);
        pixels.extend_from_slice(&match values.as_slice() {
            [] => return Err("its elements are not colours".into()),
            [value] if is_word(&element) => word(value),
            [grey] => [channel(grey), channel(grey), channel(grey), opaque],
            [r, g] => [channel(r), channel(g), none, opaque],
            [r, g, b] => [channel(r), channel(g), channel(b), opaque],
            [r, g, b, a, ..] => [channel(r), channel(g), channel(b), channel(a)],
        });
    }
    Ok((width as u32, rows as u32, pixels))
}

fn is_word(element: &ElementKind) -> bool {
    match element {
        ElementKind::Scalars(element) => {
            matches!(element.scalars.as_slice(), [s] if s.component == ComponentType::U32)
        }
        ElementKind::Texel(format) => *format == Format::R32Uint,
    }
}
