//! One description of a record's fields, for reading and for writing.
//!
//! A record visits its fields in order; [`Io`] writes them or fills them in.

use std::borrow::Cow;

use super::document::{Content, Node};
use super::output::{Number, Output, six_digits};
use crate::error::{Error, Result};

/// A mapping of the schema.
pub(super) trait Record: Default {
    /// Visits the fields in the order of the text.
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()>;
}

/// Numbers of an enumeration and their names.
pub(super) type Names = &'static [(u32, &'static str)];

/// The side from which fields are visited.
#[derive(Debug)]
pub(super) enum Io<'o, 'n> {
    Write(&'o mut Output),
    Read(Fields<'n>),
}

/// The fields of a mapping that is read, and which of them were asked for.
#[derive(Debug)]
pub(super) struct Fields<'n> {
    line: u32,
    fields: &'n [(Cow<'n, str>, Node<'n>)],
    taken: Vec<bool>,
}

/// Returns an error of the text.
pub(super) fn error_at(line: u32, problem: impl std::fmt::Display) -> Error {
    Error::malformed(format!("line {line}: {problem}"))
}

/// Reads a record from a mapping.
pub(super) fn read<'n, R: Record>(node: &'n Node<'n>) -> Result<R> {
    let fields = match &node.content {
        Content::Mapping(fields) => fields.as_slice(),
        Content::Empty => &[],
        Content::Scalar(_) | Content::List(_) => {
            return Err(error_at(node.line, "a mapping was expected"));
        }
    };
    let mut record = R::default();
    let mut io = Io::Read(Fields {
        line: node.line,
        fields,
        taken: vec![false; fields.len()],
    });
    record.fields(&mut io)?;
    if let Io::Read(fields) = io {
        fields.finish()?;
    }
    Ok(record)
}

/// Writes a record as the whole document.
pub(super) fn write<R: Record>(record: &mut R, kind: &str) -> Result<String> {
    let mut output = Output::new(kind);
    record.fields(&mut Io::Write(&mut output))?;
    Ok(output.finish())
}

impl<'n> Fields<'n> {
    fn find(&mut self, key: &str) -> Option<&'n Node<'n>> {
        let at = self.fields.iter().position(|(name, _)| name == key)?;
        if let Some(taken) = self.taken.get_mut(at) {
            *taken = true;
        }
        self.fields.get(at).map(|(_, node)| node)
    }

    fn require(&mut self, key: &str) -> Result<&'n Node<'n>> {
        let line = self.line;
        self.find(key)
            .ok_or_else(|| error_at(line, format_args!("{key} is missing")))
    }

    fn finish(self) -> Result<()> {
        let mut fields = self.fields.iter().zip(&self.taken);
        match fields.find(|(_, taken)| !**taken) {
            None => Ok(()),
            Some(((key, node), _)) => Err(error_at(
                node.line,
                format_args!("the key {key} is unknown here, or stands there twice"),
            )),
        }
    }
}

/// A field that is one scalar.
pub(super) trait Scalar: Default {
    fn put(&self, key: &str, out: &mut Output);
    fn get(text: &str) -> Option<Self>;
    /// What a text has to be.
    const WHAT: &'static str;
}

/// Returns the number that a text is: decimal, or with the prefix of another base.
fn number(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let prefixed = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter();
    for (prefix, radix) in prefixed {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return parse_digits(digits, radix);
        }
    }
    match lower.strip_prefix('0') {
        // As in C.
        Some(digits) if !digits.is_empty() => parse_digits(digits, 8),
        _ => parse_digits(&lower, 10),
    }
}

fn parse_digits(digits: &str, radix: u32) -> Option<u32> {
    if digits.starts_with('+') {
        return None;
    }
    u32::from_str_radix(digits, radix).ok()
}

macro_rules! whole_numbers {
    ($($ty:ty: $what:literal;)*) => {$(
        impl Scalar for $ty {
            const WHAT: &'static str = $what;

            fn put(&self, key: &str, out: &mut Output) {
                out.field(key, self);
            }

            fn get(text: &str) -> Option<Self> {
                number(text)?.try_into().ok()
            }
        }
    )*};
}

whole_numbers! {
    u8: "a number of up to 8 bits";
    u16: "a number of up to 16 bits";
    u32: "a number of up to 32 bits";
}

impl Scalar for bool {
    const WHAT: &'static str = "true or false";

    fn put(&self, key: &str, out: &mut Output) {
        out.field(key, self);
    }

    fn get(text: &str) -> Option<Self> {
        match text {
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => None,
        }
    }
}

impl Scalar for f32 {
    const WHAT: &'static str = "a number";

    fn put(&self, key: &str, out: &mut Output) {
        out.field(key, six_digits(*self));
    }

    fn get(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Scalar for String {
    const WHAT: &'static str = "text";

    fn put(&self, key: &str, out: &mut Output) {
        out.text(key, self);
    }

    fn get(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// A number that is shown with hexadecimal digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hex8(pub(super) u8);

impl Scalar for Hex8 {
    const WHAT: &'static str = u8::WHAT;

    fn put(&self, key: &str, out: &mut Output) {
        out.field(key, format_args!("0x{:X}", self.0));
    }

    fn get(text: &str) -> Option<Self> {
        u8::get(text).map(Hex8)
    }
}

fn scalar<S: Scalar>(node: &Node<'_>) -> Result<S> {
    let text = match &node.content {
        Content::Scalar(text) => Some(&**text),
        // A key without a value has an empty text.
        Content::Empty => Some(""),
        Content::List(_) | Content::Mapping(_) => None,
    };
    text.and_then(S::get)
        .ok_or_else(|| error_at(node.line, format_args!("{} was expected", S::WHAT)))
}

fn items<'n>(node: &'n Node<'n>) -> Result<&'n [Node<'n>]> {
    match &node.content {
        Content::List(items) => Ok(items),
        Content::Empty => Ok(&[]),
        Content::Scalar(_) | Content::Mapping(_) => Err(error_at(node.line, "a list was expected")),
    }
}

/// A number of a flow list.
pub(super) trait Element: Scalar + Copy {
    /// Whether it is shown in hexadecimal digits, is the list's choice.
    fn shown(self, is_hexadecimal: bool) -> Number;
}

macro_rules! elements {
    ($($ty:ty)*) => {$(
        impl Element for $ty {
            fn shown(self, is_hexadecimal: bool) -> Number {
                if is_hexadecimal {
                    Number::Hexadecimal(self.into())
                } else {
                    Number::Decimal(self.into())
                }
            }
        }
    )*};
}

elements!(u8 u32);

impl Io<'_, '_> {
    /// Returns whether records are read.
    pub(super) fn is_reading(&self) -> bool {
        matches!(self, Io::Read(_))
    }

    /// Visits a scalar that has to be there.
    pub(super) fn required<S: Scalar>(&mut self, key: &str, value: &mut S) -> Result<()> {
        match self {
            Io::Write(out) => value.put(key, out),
            Io::Read(fields) => *value = scalar(fields.require(key)?)?,
        }
        Ok(())
    }

    /// Visits a scalar that may be left out.
    pub(super) fn optional<S: Scalar>(&mut self, key: &str, value: &mut Option<S>) -> Result<()> {
        match self {
            Io::Write(out) => {
                if let Some(value) = value {
                    value.put(key, out);
                }
            }
            Io::Read(fields) => *value = fields.find(key).map(scalar).transpose()?,
        }
        Ok(())
    }

    /// Visits a scalar that is left out where it has its type's default value.
    pub(super) fn or_default<S: Scalar + PartialEq>(
        &mut self,
        key: &str,
        value: &mut S,
    ) -> Result<()> {
        let mut given = (*value != S::default()).then(|| std::mem::take(value));
        self.optional(key, &mut given)?;
        *value = given.unwrap_or_default();
        Ok(())
    }

    /// Visits a scalar that is written always; one that is left out keeps its value.
    pub(super) fn or_kept<S: Scalar>(&mut self, key: &str, value: &mut S) -> Result<()> {
        match self {
            Io::Write(out) => value.put(key, out),
            Io::Read(fields) => {
                if let Some(node) = fields.find(key) {
                    *value = scalar(node)?;
                }
            }
        }
        Ok(())
    }

    /// Visits the bits of `flags` that have names; all of them, or only those that are set.
    pub(super) fn flags(
        &mut self,
        flags: &mut u64,
        names: &[(u64, &'static str)],
        all: bool,
    ) -> Result<()> {
        for (bit, name) in names {
            let mut is_set = *flags & bit != 0;
            if all {
                self.required(name, &mut is_set)?;
            } else {
                self.or_default(name, &mut is_set)?;
            }
            if is_set {
                *flags |= bit;
            }
        }
        Ok(())
    }

    /// Visits a number that has a name. Numbers without one are shown as they are.
    pub(super) fn named(&mut self, key: &str, value: &mut u32, names: Names) -> Result<()> {
        match self {
            Io::Write(out) => match names.iter().find(|(number, _)| number == value) {
                Some((_, name)) => out.text(key, name),
                None => out.field(key, *value),
            },
            Io::Read(fields) => {
                let node = fields.require(key)?;
                let text: String = scalar(node)?;
                let known = names.iter().find(|(_, name)| *name == text);
                let known = known.map(|(number, _)| *number).or_else(|| number(&text));
                *value = known.ok_or_else(|| {
                    error_at(node.line, format_args!("{key} has no value {text}"))
                })?;
            }
        }
        Ok(())
    }

    /// Visits a number that has a name; where it is left out, it keeps its value.
    pub(super) fn named_or(&mut self, key: &str, value: &mut u32, names: Names) -> Result<()> {
        if let Io::Read(fields) = self
            && fields.find(key).is_none()
        {
            return Ok(());
        }
        self.named(key, value, names)
    }

    /// Visits a record under a key.
    pub(super) fn record<R: Record>(&mut self, key: &str, record: &mut R) -> Result<()> {
        match self {
            Io::Write(out) => out.mapping(key, |out| record.fields(&mut Io::Write(out))),
            Io::Read(fields) => {
                *record = read(fields.require(key)?)?;
                Ok(())
            }
        }
    }

    /// Visits a record under a key that may be left out.
    pub(super) fn maybe<R: Record>(&mut self, key: &str, record: &mut Option<R>) -> Result<()> {
        match self {
            Io::Read(fields) => {
                *record = fields.find(key).map(read).transpose()?;
                Ok(())
            }
            Io::Write(_) => match record {
                Some(record) => self.record(key, record),
                None => Ok(()),
            },
        }
    }

    /// Visits a list of records.
    pub(super) fn records<R: Record>(&mut self, key: &str, records: &mut Vec<R>) -> Result<()> {
        match self {
            Io::Write(out) => {
                out.begin_list(key, records.is_empty());
                for record in records {
                    out.begin_item();
                    record.fields(&mut Io::Write(out))?;
                    out.end_item();
                }
                out.end_list();
            }
            Io::Read(fields) => {
                let items = items(fields.require(key)?)?;
                *records = items.iter().map(read).collect::<Result<_>>()?;
            }
        }
        Ok(())
    }

    /// Visits a list of records that may be left out; it is written all the same.
    pub(super) fn maybe_records<R: Record>(
        &mut self,
        key: &str,
        records: &mut Vec<R>,
    ) -> Result<()> {
        if let Io::Read(fields) = self
            && fields.find(key).is_none()
        {
            return Ok(());
        }
        self.records(key, records)
    }

    /// Visits a list of numbers on few lines.
    pub(super) fn numbers<E: Element>(
        &mut self,
        key: &str,
        numbers: &mut Vec<E>,
        is_hexadecimal: bool,
    ) -> Result<()> {
        match self {
            Io::Write(out) => {
                out.numbers(
                    key,
                    numbers.iter().map(|number| number.shown(is_hexadecimal)),
                );
            }
            Io::Read(fields) => {
                let items = items(fields.require(key)?)?;
                *numbers = items.iter().map(scalar).collect::<Result<_>>()?;
            }
        }
        Ok(())
    }

    /// Visits such a list that may be left out.
    pub(super) fn maybe_numbers<E: Element>(
        &mut self,
        key: &str,
        numbers: &mut Option<Vec<E>>,
        is_hexadecimal: bool,
    ) -> Result<()> {
        if let Io::Read(fields) = self {
            if fields.find(key).is_none() {
                *numbers = None;
                return Ok(());
            }
            *numbers = Some(Vec::new());
        }
        match numbers {
            Some(numbers) => self.numbers(key, numbers, is_hexadecimal),
            None => Ok(()),
        }
    }

    /// Visits a fixed number of bytes, decimal or hexadecimal.
    pub(super) fn bytes<const N: usize>(
        &mut self,
        key: &str,
        bytes: &mut [u8; N],
        is_hexadecimal: bool,
    ) -> Result<()> {
        let mut list = bytes.to_vec();
        self.numbers(key, &mut list, is_hexadecimal)?;
        *bytes = list.try_into().map_err(|_| {
            let line = match self {
                Io::Read(fields) => fields.line,
                Io::Write(_) => 0,
            };
            error_at(line, format_args!("{key} has {N} numbers"))
        })?;
        Ok(())
    }

    /// Visits four lists of hexadecimal numbers.
    pub(super) fn four_lists(&mut self, key: &str, lists: &mut [Vec<u32>; 4]) -> Result<()> {
        match self {
            Io::Write(out) => {
                out.begin_list(key, false);
                for list in lists {
                    out.number_item(list.iter().map(|number| number.shown(true)));
                }
                out.end_list();
            }
            Io::Read(fields) => {
                let node = fields.require(key)?;
                let read = items(node)?.iter();
                let read = read.map(|list| items(list)?.iter().map(scalar).collect());
                let read = read.collect::<Result<Vec<Vec<u32>>>>()?;
                *lists = read
                    .try_into()
                    .map_err(|_| error_at(node.line, format_args!("{key} has four lists")))?;
            }
        }
        Ok(())
    }
}
