//! Values of rows, with their types and sizes checked: a database may hold anything anywhere.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::numbers::Numbered;
use crate::error::Problem;

/// Maximum number of bytes of a key.
const MAX_KEY: usize = 4096;

/// Maximum number of bytes of a name.
const MAX_TEXT: usize = 4096;

/// A row of a query, whose columns are known by their position.
pub(super) struct Values<'a> {
    row: &'a Row<'a>,
    table: &'static str,
    columns: &'static [&'static str],
}

impl<'a> Values<'a> {
    pub(super) fn new(
        row: &'a Row<'a>,
        table: &'static str,
        columns: &'static [&'static str],
    ) -> Self {
        Values {
            row,
            table,
            columns,
        }
    }

    /// Returns the bytes of all values that have a size of their own.
    pub(super) fn bytes(&self) -> usize {
        let sizes = (0..self.columns.len()).map(|index| match self.row.get_ref(index) {
            Ok(ValueRef::Blob(bytes) | ValueRef::Text(bytes)) => bytes.len(),
            _ => 0,
        });
        sizes.sum()
    }

    fn value(&self, name: &str) -> Result<ValueRef<'a>, Problem> {
        let index = self.columns.iter().position(|column| *column == name);
        let value = index.map(|index| self.row.get_ref(index));
        match value {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => Err(problem(&error).at(self.table)),
            None => Err(self.wrong(name, "is not part of the query")),
        }
    }

    fn wrong(&self, name: &str, what: &str) -> Problem {
        Problem::malformed(format!("{}.{name} {what}", self.table))
    }

    /// Returns an integer, if there is one.
    pub(super) fn integer_or_null(&self, name: &str) -> Result<Option<i64>, Problem> {
        match self.value(name)? {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(value) => Ok(Some(value)),
            _ => Err(self.wrong(name, "is no integer")),
        }
    }

    /// Returns an integer of 32 bits, in two's complement or unsigned.
    pub(super) fn word_or_null(&self, name: &str) -> Result<Option<u32>, Problem> {
        let Some(value) = self.integer_or_null(name)? else {
            return Ok(None);
        };
        let word = u32::try_from(value).or_else(|_| i32::try_from(value).map(i32::cast_unsigned));
        word.map(Some)
            .map_err(|_| self.wrong(name, "has more than 32 bits"))
    }

    /// Returns an integer of 32 bits.
    pub(super) fn word(&self, name: &str) -> Result<u32, Problem> {
        self.word_or_null(name)?
            .ok_or_else(|| self.wrong(name, "is null"))
    }

    /// Returns a `BOOL`.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Problem> {
        Ok(self.word(name)? != 0)
    }

    /// Returns a value of an enumeration.
    pub(super) fn one_of<T: Numbered>(&self, name: &str) -> Result<T, Problem> {
        let number = self.word(name)?;
        T::from_number(i64::from(number)).ok_or_else(|| {
            let what = format!("is {number}, which is no {} of this program", T::NAME);
            Problem::unsupported(self.wrong(name, &what).message)
        })
    }

    /// Returns a number.
    pub(super) fn real(&self, name: &str) -> Result<f32, Problem> {
        match self.value(name)? {
            ValueRef::Real(value) => Ok(value as f32),
            ValueRef::Integer(value) => Ok(value as f32),
            _ => Err(self.wrong(name, "is no number")),
        }
    }

    /// Returns a key, if there is one.
    pub(super) fn key_or_null(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        match self.value(name)? {
            ValueRef::Null => Ok(None),
            ValueRef::Blob(bytes) if bytes.len() <= MAX_KEY => Ok(Some(bytes.to_vec())),
            ValueRef::Blob(_) => Err(self.wrong(name, "is too long for a key")),
            _ => Err(self.wrong(name, "is no blob")),
        }
    }

    /// Returns a key.
    pub(super) fn key(&self, name: &str) -> Result<Vec<u8>, Problem> {
        self.key_or_null(name)?
            .ok_or_else(|| self.wrong(name, "is null"))
    }

    /// Returns a blob of any size that the connection allows.
    pub(super) fn blob(&self, name: &str) -> Result<&'a [u8], Problem> {
        match self.value(name)? {
            ValueRef::Blob(bytes) => Ok(bytes),
            _ => Err(self.wrong(name, "is no blob")),
        }
    }

    /// Returns a text, if there is one.
    pub(super) fn text_or_null(&self, name: &str) -> Result<Option<String>, Problem> {
        match self.value(name)? {
            ValueRef::Null => Ok(None),
            ValueRef::Text(bytes) if bytes.len() <= MAX_TEXT => match std::str::from_utf8(bytes) {
                // `LPCSTR` ends at the first zero.
                Ok(text) if !text.contains('\0') => Ok(Some(text.to_owned())),
                _ => Err(self.wrong(name, "is no text in UTF-8")),
            },
            ValueRef::Text(_) => Err(self.wrong(name, "is too long for a name")),
            _ => Err(self.wrong(name, "is no text")),
        }
    }

    /// Returns a text.
    pub(super) fn text(&self, name: &str) -> Result<String, Problem> {
        self.text_or_null(name)?
            .ok_or_else(|| self.wrong(name, "is null"))
    }
}

/// Returns the problem that SQLite reports.
pub(super) fn problem(error: &rusqlite::Error) -> Problem {
    use rusqlite::ErrorCode as C;
    let message = format!("SQLite: {error}");
    match error.sqlite_error_code() {
        Some(C::CannotOpen | C::PermissionDenied | C::SystemIoFailure | C::ReadOnly) => {
            Problem::new(dxil_jit::exit::Exit::File, message)
        }
        Some(C::OperationInterrupted | C::OutOfMemory) => {
            Problem::new(dxil_jit::exit::Exit::Stopped, message)
        }
        _ => Problem::malformed(message),
    }
}
