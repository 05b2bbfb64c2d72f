//! NumPy's file format (NEP 1): arrays with plain or structured dtypes.
//!
//! No crate is used: those that know structured dtypes bring a parser generator with them.

use std::fmt::Write as _;

use dxil_frontend::dxil::{ComponentType, ElementScalar};
use dxil_frontend::reflection::{LayoutField, LayoutType, component_bytes};

/// Maximum number of dimensions, and deepest nesting of dtypes.
const MAX_DEPTH: usize = 32;
/// Maximum number of scalars of a dtype, arrays in fields included. Padding and structures without
/// fields count too, since each takes a step.
const MAX_SCALARS: usize = 1 << 16;

/// An array from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Its dtype as the file writes it.
    descr: String,
    /// The scalars of an item by rising offset.
    scalars: Vec<ScalarLayout>,
    /// Bytes of an item.
    item: usize,
    /// Lengths, the slowest first.
    pub shape: Vec<usize>,
    /// The items.
    pub data: Vec<u8>,
}

/// A scalar of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScalarLayout {
    offset: usize,
    /// `f`, `i`, `u`, `b`.
    kind: char,
    bytes: usize,
}

impl Array {
    /// Reads a file; `None` for one without NumPy's magic.
    ///
    /// # Errors
    ///
    /// Fails where the header is not one that `numpy.save` writes, and for arrays of Python
    /// objects, big-endian numbers and arrays in Fortran order, whose bytes are not those of a
    /// buffer.
    pub fn read(file: &[u8]) -> Option<Result<Self, String>> {
        file.strip_prefix(b"\x93NUMPY").map(Self::parse)
    }

    fn parse(rest: &[u8]) -> Result<Self, String> {
        let cut = || "the file ends in the header".to_owned();
        let ([major, _], rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
        let (length, rest) = match major {
            1 => {
                let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
                (usize::from(u16::from_le_bytes(*length)), rest)
            }
            2 | 3 => {
                let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
                (u32::from_le_bytes(*length) as usize, rest)
            }
            other => return Err(format!("version {other} of the .npy format is unknown")),
        };
        let (header, data) = rest.split_at_checked(length).ok_or_else(cut)?;
        let header = std::str::from_utf8(header).map_err(|_| "the header is no text")?;
        let mut parser = Parser { rest: header };
        let Literal::Dict(entries) = parser.literal(0)? else {
            return Err("the header is no dictionary".into());
        };
        parser.space();
        if !parser.rest.is_empty() {
            return Err("something follows the header's dictionary".into());
        }
        let [descr, order, shape] = ["descr", "fortran_order", "shape"].map(|wanted| {
            let found = entries.iter().find(|(key, _)| key == wanted);
            found
                .map(|(_, value)| value)
                .ok_or_else(|| format!("the header has no `{wanted}`"))
        });
        let (descr, order, shape) = (descr?, order?, shape?);
        if entries.len() != 3 {
            return Err("the header has other keys than descr, fortran_order and shape".into());
        }
        let shape = lengths(shape).ok_or("the shape is no tuple of numbers")?;
        let mut dtype = Dtype::default();
        dtype.add(descr, 0, 0)?;
        match order {
            Literal::Bool(false) => {}
            // With at most one dimension longer than one, both orders have the same bytes.
            Literal::Bool(true) if shape.iter().filter(|length| **length > 1).count() < 2 => {}
            Literal::Bool(true) => {
                return Err(format!(
                    "the array of shape {} is in Fortran order; save numpy.ascontiguousarray(a)",
                    show_shape(&shape)
                ));
            }
            _ => return Err("fortran_order is neither True nor False".into()),
        }
        // Checked: the shape comes from the file.
        let bytes = shape
            .iter()
            .try_fold(dtype.size, |bytes, length| bytes.checked_mul(*length));
        if bytes != Some(data.len()) {
            return Err(format!(
                "the header says shape {} of items of {} bytes, and {} bytes follow",
                show_shape(&shape),
                dtype.size,
                data.len()
            ));
        }
        dtype.scalars.sort_by_key(|scalar| scalar.offset);
        Ok(Array {
            descr: show(descr),
            scalars: dtype.scalars,
            item: dtype.size,
            shape,
            data: data.to_vec(),
        })
    }

    /// Checks that the items are laid out as scalars of a shader, repeated each `stride` bytes.
    /// `scalars` is empty for untyped bytes, which anything fits.
    ///
    /// # Errors
    ///
    /// Fails with what does not fit.
    pub fn check(&self, scalars: &[ElementScalar], stride: usize) -> Result<(), String> {
        if scalars.is_empty() {
            return Ok(());
        }
        let (item, descr) = (self.item.max(1), &self.descr);
        if !stride.is_multiple_of(item) {
            let mut components = scalars.iter().map(|scalar| scalar.component);
            let first = components.next();
            let fits = first.filter(|first| components.all(|other| other == *first));
            let fits = fits.map(|component| format!("; '{}' fits", dtype_of(component)));
            return Err(format!(
                "items of dtype {descr} have {item} bytes, elements have {stride}{}",
                fits.unwrap_or_default()
            ));
        }
        for scalar in scalars {
            let wanted = component_bytes(scalar.component) as usize;
            // Elements of the shader may be several items of the array, so the offset counts within
            // an item.
            let inside = scalar.offset as usize % item;
            let found = self.scalars.iter().find(|found| found.offset == inside);
            let fits = found.is_some_and(|found| {
                found.bytes == wanted && is_float(scalar.component) == (found.kind == 'f')
            });
            if fits {
                continue;
            }
            let name = match scalar.path.as_str() {
                "" => "the element".to_owned(),
                path => format!("{path} at byte {}", scalar.offset),
            };
            let there = match found {
                Some(found) => format!("{}{}", found.kind, found.bytes),
                None => "nothing that begins there".to_owned(),
            };
            return Err(format!(
                "{name} is {}, dtype {descr} has {there}",
                dtype_of(scalar.component)
            ));
        }
        let count = scalars.len();
        // A plain array says how many numbers make an element: (n, 3) for float3.
        if self.scalars.len() == 1 && count > 1 && self.shape.len() > 1 {
            let mut product = 1;
            let fits = self.shape.iter().rev().any(|length| {
                product = usize::saturating_mul(product, *length);
                product == count
            });
            if !fits {
                return Err(format!(
                    "the shape {} does not end in the {count} numbers of an element",
                    show_shape(&self.shape)
                ));
            }
        }
        Ok(())
    }

    /// Returns whether its items are single 32-bit floats.
    pub fn is_plain_f32(&self) -> bool {
        let scalar = ScalarLayout {
            offset: 0,
            kind: 'f',
            bytes: 4,
        };
        self.item == 4 && self.scalars == [scalar]
    }

    /// Returns the lengths without those of the numbers of a texel, the fastest first.
    pub fn texels(&self, channels: usize) -> Vec<usize> {
        let mut lengths = self.shape.clone();
        let is_plain = self.scalars.len() == 1;
        if is_plain && channels > 1 && lengths.last() == Some(&channels) {
            lengths.pop();
        }
        lengths.reverse();
        lengths
    }
}

fn is_float(component: ComponentType) -> bool {
    use ComponentType as C;
    matches!(
        component,
        C::F16
            | C::F32
            | C::F64
            | C::SNormF16
            | C::UNormF16
            | C::SNormF32
            | C::UNormF32
            | C::SNormF64
            | C::UNormF64
    )
}

/// Returns `(4, 3)` as Python writes it.
pub fn show_shape(shape: &[usize]) -> String {
    let mut text = String::from("(");
    for length in shape {
        _ = write!(text, "{length}, ");
    }
    match shape.len() {
        0 => text.push(')'),
        1 => text.replace_range(text.len() - 1.., ")"),
        _ => text.replace_range(text.len() - 2.., ")"),
    }
    text
}

fn lengths(literal: &Literal) -> Option<Vec<usize>> {
    let Literal::Tuple(items) = literal else {
        return None;
    };
    let number = |item: &Literal| match item {
        Literal::Int(number) => usize::try_from(*number).ok(),
        _ => None,
    };
    items.iter().map(number).collect()
}

/// A dtype while it is read.
#[derive(Default)]
struct Dtype {
    scalars: Vec<ScalarLayout>,
    size: usize,
    /// Types that were added.
    steps: usize,
}

impl Dtype {
    /// Appends a dtype.
    fn add(&mut self, descr: &Literal, depth: usize, base: usize) -> Result<(), String> {
        // The steps are counted besides the depth: nested arrays in fields multiply.
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > 2 * MAX_SCALARS {
            return Err("the dtype is too large".into());
        }
        let start = base + self.size;
        match descr {
            Literal::Text(text) => {
                let (kind, bytes) = plain(text)?;
                // `V` is padding, which has a size and no scalar.
                if kind != 'V' {
                    self.scalars.push(ScalarLayout {
                        offset: start,
                        kind,
                        bytes,
                    });
                }
                self.size = self
                    .size
                    .checked_add(bytes)
                    .ok_or("the dtype is too large")?;
                Ok(())
            }
            Literal::List(fields) => {
                for field in fields {
                    let Literal::Tuple(field) = field else {
                        return Err("a field of the dtype is no tuple".into());
                    };
                    let (inner, shape) = match field.as_slice() {
                        [_, inner] => (inner, Vec::new()),
                        [_, inner, shape] => {
                            let shape = match shape {
                                Literal::Int(length) => {
                                    usize::try_from(*length).ok().map(|n| vec![n])
                                }
                                shape => lengths(shape),
                            };
                            (inner, shape.ok_or("the shape of a field is no tuple")?)
                        }
                        _ => return Err("a field of the dtype has neither name nor type".into()),
                    };
                    let count = shape
                        .iter()
                        .try_fold(1usize, |count, length| count.checked_mul(*length))
                        .filter(|count| *count <= MAX_SCALARS)
                        .ok_or("the dtype is too large")?;
                    for _ in 0..count {
                        self.add(inner, depth + 1, base)?;
                    }
                }
                Ok(())
            }
            _ => Err("the dtype is neither text nor a list of fields".into()),
        }
    }
}

/// Returns the kind and bytes of `<f4`, `|u1`, `|V3`.
fn plain(text: &str) -> Result<(char, usize), String> {
    let bad = || format!("dtype '{text}' is not one of numbers");
    let mut chars = text.chars();
    let order = chars.next().ok_or_else(bad)?;
    let kind = chars.next().ok_or_else(bad)?;
    let bytes: usize = chars.as_str().parse().map_err(|_| bad())?;
    let is_number = match kind {
        'f' => matches!(bytes, 2 | 4 | 8),
        'i' | 'u' => matches!(bytes, 1 | 2 | 4 | 8),
        'b' => bytes == 1,
        'V' => true,
        _ => false,
    };
    match order {
        '>' if bytes > 1 => Err(format!(
            "dtype '{text}' is big-endian; save a.astype(a.dtype.newbyteorder('<'))"
        )),
        '<' | '|' | '=' | '>' if is_number => Ok((kind, bytes)),
        _ => Err(bad()),
    }
}

/// A literal of Python, as far as headers have them.
#[derive(Debug, Clone, PartialEq)]
enum Literal {
    Text(String),
    Int(u64),
    Bool(bool),
    Tuple(Vec<Literal>),
    List(Vec<Literal>),
    Dict(Vec<(String, Literal)>),
}

fn show(literal: &Literal) -> String {
    let list = |items: &[Literal]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    match literal {
        Literal::Text(text) => format!("'{text}'"),
        Literal::Int(number) => number.to_string(),
        Literal::Bool(value) => value.to_string(),
        Literal::Tuple(items) => format!("({})", list(items)),
        Literal::List(items) => format!("[{}]", list(items)),
        Literal::Dict(_) => "{...}".to_owned(),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: char) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn literal(&mut self, depth: usize) -> Result<Literal, String> {
        let bad = || "the header is no Python literal".to_owned();
        if depth > MAX_DEPTH {
            return Err("the header nests too deeply".into());
        }
        self.space();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(Literal::Bool(value));
            }
        }
        if self.rest.starts_with(['\'', '"']) {
            return self.text().map(Literal::Text);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            let end = self.rest.find(|c: char| !c.is_ascii_digit());
            let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            // Python 2 wrote `3L`.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            return digits.parse().map(Literal::Int).map_err(|_| bad());
        }
        if self.take('(') {
            return self.items(')', depth).map(Literal::Tuple);
        }
        if self.take('[') {
            return self.items(']', depth).map(Literal::List);
        }
        if !self.take('{') {
            return Err(bad());
        }
        let mut entries = Vec::new();
        while !self.take('}') {
            self.space();
            let key = self.text()?;
            if !self.take(':') {
                return Err(bad());
            }
            entries.push((key, self.literal(depth + 1)?));
            if !self.take(',') && !self.rest.trim_start().starts_with('}') {
                return Err(bad());
            }
        }
        Ok(Literal::Dict(entries))
    }

    fn items(&mut self, end: char, depth: usize) -> Result<Vec<Literal>, String> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.literal(depth + 1)?);
            if !self.take(',') && !self.rest.trim_start().starts_with(end) {
                return Err("the header is no Python literal".into());
            }
        }
        Ok(items)
    }

    /// Returns the text in quotes. Names with escapes are not read.
    fn text(&mut self) -> Result<String, String> {
        let bad = || "the header has text that does not end".to_owned();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let rest = self.rest.get(1..).ok_or_else(bad)?;
        let (text, rest) = rest.split_once(quote.ok_or_else(bad)?).ok_or_else(bad)?;
        self.rest = rest;
        Ok(text.to_owned())
    }
}

/// Returns NumPy's name of a component type, with its byte order.
pub fn dtype_of(component: ComponentType) -> &'static str {
    use ComponentType as C;
    match component {
        C::F16 | C::SNormF16 | C::UNormF16 => "<f2",
        C::F32 | C::SNormF32 | C::UNormF32 => "<f4",
        C::F64 | C::SNormF64 | C::UNormF64 => "<f8",
        C::I16 => "<i2",
        C::U16 => "<u2",
        C::I32 => "<i4",
        C::I64 => "<i8",
        C::U64 => "<u8",
        C::Invalid | C::I1 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => "<u4",
    }
}

/// Returns the `descr` of a structure: a list of fields, with padding as fields without a name, so
/// that the items have `size` bytes.
pub fn struct_descr(fields: &[LayoutField], size: u32) -> String {
    let mut text = String::from("[");
    let mut at = 0;
    let mut names = dxil_frontend::tables::HashSet::default();
    for (index, field) in fields.iter().enumerate() {
        // Fields that overlap (which only damaged annotations have) cannot be listed.
        if field.offset < at {
            continue;
        }
        if field.offset > at {
            _ = write!(text, "('', '|V{}'), ", field.offset - at);
        }
        let mut name: String = field
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if name.is_empty() || !names.insert(name.clone()) {
            name = format!("{name}_{index}");
            names.insert(name.clone());
        }
        let (ty, shape) = field_descr(field);
        if shape.is_empty() {
            _ = write!(text, "('{name}', {ty}), ");
        } else {
            let shape: Vec<usize> = shape.iter().map(|n| *n as usize).collect();
            _ = write!(text, "('{name}', {ty}, {}), ", show_shape(&shape));
        }
        at = field.offset + occupied(field);
    }
    if size > at {
        _ = write!(text, "('', '|V{}'), ", size - at);
    }
    text.push(']');
    text
}

/// Returns the number of bytes that a field's `descr` covers: the elements of an array with the
/// padding after each.
fn occupied(field: &LayoutField) -> u32 {
    if field.array.is_empty() {
        field.size
    } else {
        field.stride.saturating_mul(field.elements())
    }
}

/// Returns the type and shape of a field. Matrices have the shape that they have in memory.
fn field_descr(field: &LayoutField) -> (String, Vec<u32>) {
    let mut shape = field.array.clone();
    match &field.ty {
        LayoutType::Struct { fields, .. } => {
            let size = if field.array.is_empty() {
                field.size
            } else {
                field.stride
            };
            (struct_descr(fields, size), shape)
        }
        LayoutType::Numeric {
            component,
            rows,
            columns,
            row_major,
            ..
        } => {
            match (*rows, *columns, row_major) {
                (1, 1, _) => {}
                (1, columns, _) => shape.push(columns),
                (rows, columns, true) => shape.extend([rows, columns]),
                (rows, columns, false) => shape.extend([columns, rows]),
            }
            (format!("'{}'", dtype_of(*component)), shape)
        }
    }
}

/// Writes a file of version 1.0, or 2.0 where the header is long.
pub fn write(descr: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let shape: String = shape.iter().fold(String::new(), |mut text, n| {
        _ = write!(text, "{n},");
        text
    });
    let mut header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({shape}), }}");
    // Magic, version, length and header fill whole lines of 64 bytes, and end in a line feed.
    let is_long = header.len() + 75 > usize::from(u16::MAX);
    let prefix = if is_long { 12 } else { 10 };
    let unpadded = prefix + header.len() + 1;
    header.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
    header.push('\n');
    let mut file = b"\x93NUMPY".to_vec();
    if is_long {
        file.extend_from_slice(&[2, 0]);
        file.extend_from_slice(&(header.len() as u32).to_le_bytes());
    } else {
        file.extend_from_slice(&[1, 0]);
        file.extend_from_slice(&(header.len() as u16).to_le_bytes());
    }
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(data);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(descr: &str, shape: &[usize], data: &[u8]) -> Result<Array, String> {
        Array::read(&write(descr, shape, data)).unwrap()
    }

    fn scalar(path: &str, offset: u32, component: ComponentType) -> ElementScalar {
        ElementScalar {
            path: path.to_owned(),
            offset,
            component,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let array = read("'<f4'", &[2, 3], &[0; 24]).unwrap();
        assert_eq!((array.item, array.shape.as_slice()), (4, &[2, 3][..]));
        let descr = "[('pos', '<f4', (3,)), ('', '|V4'), ('in', [('id', '<u8')], (2,)), ]";
        let array = read(descr, &[1], &[0; 32]).unwrap();
        let offsets: Vec<usize> = array.scalars.iter().map(|s| s.offset).collect();
        assert_eq!(offsets, [0, 4, 8, 16, 24]);
        assert_eq!(array.item, 32);
        // A header of more than 64 KiB is of version 2.
        let long = format!("[{}]", "('a', '<u4'), ".repeat(6000));
        assert_eq!(read(&long, &[1], &[0; 24000]).unwrap().item, 24000);
    }

    #[test]
    fn files_that_are_not_what_they_say_are_refused() {
        for (descr, shape, bytes, message) in [
            ("'>f4'", &[1][..], 4, "big-endian"),
            ("'|O'", &[1], 8, "not one of numbers"),
            ("'<U4'", &[1], 16, "not one of numbers"),
            ("'<f4'", &[3], 8, "8 bytes follow"),
            ("3", &[1], 4, "neither text nor a list"),
        ] {
            let error = read(descr, shape, &vec![0; bytes]).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let mut file = write("'<f4'", &[2, 2], &[0; 16]);
        let at = file.windows(5).position(|w| w == b"False").unwrap();
        file[at..at + 5].copy_from_slice(b"True ");
        let error = Array::read(&file).unwrap().unwrap_err();
        assert!(error.contains("Fortran order"), "{error}");
        assert!(Array::read(&file[..20]).unwrap().is_err());
        assert!(Array::read(b"something else").is_none());
    }

    #[test]
    fn a_dtype_takes_steps_in_proportion_to_its_limit() {
        // Arrays of 65,536 of each other, with no scalar in them. Each is a list of a tuple, so
        // that 15 of them are the most that the limit on nesting leaves for this one.
        for inner in ["'|V1'", "[]"] {
            let nested = |count| {
                (0..count).fold(inner.to_owned(), |inner, _| {
                    format!("[('a', {inner}, (65536,))]")
                })
            };
            let error = read(&nested(15), &[0], &[]).unwrap_err();
            assert!(error.contains("the dtype is too large"), "{error}");
            let error = read(&nested(20), &[0], &[]).unwrap_err();
            assert!(error.contains("nests too deeply"), "{error}");
        }
    }

    #[test]
    fn a_shape_without_items_may_have_any_lengths() {
        let huge = 1 << 40;
        let array = read("'<f4'", &[0, huge, huge], &[]).unwrap();
        let two = [
            scalar("x", 0, ComponentType::F32),
            scalar("y", 4, ComponentType::F32),
        ];
        let error = array.check(&two, 8).unwrap_err();
        assert!(error.contains("does not end in the 2 numbers"), "{error}");
    }

    #[test]
    fn dtypes_are_compared_with_what_the_shader_declares() {
        use ComponentType as C;
        let two = [scalar("x", 0, C::F32), scalar("y", 4, C::F32)];
        let fits = |descr: &str, shape: &[usize], bytes| {
            read(descr, shape, &vec![0; bytes]).unwrap().check(&two, 8)
        };
        assert_eq!(fits("'<f4'", &[4, 2], 32), Ok(()));
        assert_eq!(fits("'<f4'", &[8], 32), Ok(()));
        assert_eq!(fits("[('a', '<f4'), ('b', '<f4')]", &[4], 32), Ok(()));
        let error = fits("'<f4'", &[2, 4], 32).unwrap_err();
        assert!(error.contains("does not end in the 2 numbers"), "{error}");
        let error = fits("'<f8'", &[4], 32).unwrap_err();
        assert!(error.contains("x at byte 0 is <f4"), "{error}");
        let array = read("'<f8'", &[4], &[0; 32]).unwrap();
        let error = array.check(&[scalar("", 0, C::F32)], 4).unwrap_err();
        assert!(error.ends_with("elements have 4; '<f4' fits"), "{error}");
        let error = fits("'<i4'", &[4, 2], 32).unwrap_err();
        assert!(error.contains("has i4"), "{error}");
        let error = fits("[('a', '<f4', (3,))]", &[2], 24).unwrap_err();
        assert!(error.contains("have 12 bytes, elements have 8"), "{error}");
    }
}
