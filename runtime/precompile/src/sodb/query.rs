//! Queries by key.

use rusqlite::{CachedStatement, Connection};

use super::open::Budget;
use super::rows::{Values, problem};
use crate::error::Problem;

/// A database that was opened and checked.
pub(super) struct Queries {
    pub(super) connection: Connection,
    pub(super) budget: Budget,
}

/// The columns that a query reads from a table.
pub(super) struct Columns {
    pub(super) table: &'static str,
    pub(super) names: &'static [&'static str],
    /// The column that is searched.
    pub(super) by: &'static str,
}

/// Hexadecimal digits of a key that messages show.
const SHOWN_KEY: usize = 8;

/// Returns the start of a key for messages.
pub(super) fn shown(key: &[u8]) -> String {
    let start = key.get(..SHOWN_KEY).unwrap_or(key);
    let mut text: String = start.iter().map(|byte| format!("{byte:02x}")).collect();
    if key.len() > SHOWN_KEY {
        text.push_str("...");
    }
    text
}

impl Queries {
    fn prepare(&self, columns: &Columns) -> Result<CachedStatement<'_>, Problem> {
        let names = columns.names.join(", ");
        let (table, by) = (columns.table, columns.by);
        // The order of rows is that in which they were written: layouts depend on it.
        let sql = format!("SELECT {names} FROM \"{table}\" WHERE {by} = ?1 ORDER BY rowid");
        self.budget.refill();
        let statement = self.connection.prepare_cached(&sql);
        statement.map_err(|error| problem(&error).at(table))
    }

    /// Calls `read` for each row with that key, of which there may be `max`.
    pub(super) fn each(
        &self,
        columns: &Columns,
        key: &[u8],
        max: usize,
        mut read: impl FnMut(&Values<'_>) -> Result<(), Problem>,
    ) -> Result<usize, Problem> {
        let failed = |error: rusqlite::Error| problem(&error).at(columns.table);
        let mut statement = self.prepare(columns)?;
        let mut rows = statement.query([key]).map_err(failed)?;
        let mut count = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            count += 1;
            if count > max {
                return Err(Problem::malformed(format!(
                    "{} has more than {max} rows for the key {}",
                    columns.table,
                    shown(key)
                )));
            }
            read(&Values::new(row, columns.table, columns.names))?;
        }
        Ok(count)
    }

    /// Reads the row with that key.
    pub(super) fn one<T>(
        &self,
        columns: &Columns,
        key: &[u8],
        read: impl Fn(&Values<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut found = None;
        self.each(columns, key, 1, |row| {
            found = Some(read(row)?);
            Ok(())
        })?;
        found.ok_or_else(|| {
            let table = columns.table;
            Problem::malformed(format!("{table} has no row with the key {}", shown(key)))
        })
    }
}
