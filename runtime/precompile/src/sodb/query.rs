//! Queries by key.

use std::cell::Cell;

use rusqlite::{CachedStatement, Connection};

use super::open::Budget;
use super::rows::{Values, problem};
use crate::error::Problem;

/// A database that was opened and checked.
pub(super) struct Queries {
    pub(super) connection: Connection,
    pub(super) budget: Budget,
    /// Bytes that the current pipeline may still read.
    left: Cell<usize>,
}

/// Maximum number of bytes that one pipeline may read, all its rows together: rows may refer to the
/// same large one again and again.
const MAX_BYTES: usize = 1 << 30;

/// What a query or a row counts beside its values, so that many small ones end too: a million of
/// them take some seconds.
const ROW_BYTES: usize = 1 << 10;

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
    /// Returns the queries of an open database.
    pub(super) fn new((connection, budget): (Connection, Budget)) -> Self {
        Queries {
            connection,
            budget,
            left: Cell::new(MAX_BYTES),
        }
    }

    /// Begins with the next pipeline, which may read as much as the one before.
    pub(super) fn begin(&self) {
        self.left.set(MAX_BYTES);
    }

    /// Counts bytes that the current pipeline reads.
    fn charge(&self, bytes: usize) -> Result<(), Problem> {
        let left = self.left.get().checked_sub(bytes.saturating_add(ROW_BYTES));
        let left = left.ok_or_else(|| {
            let message = format!("a pipeline reads more than {MAX_BYTES} bytes of the database");
            Problem::malformed(message)
        })?;
        self.left.set(left);
        Ok(())
    }

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
        self.charge(0)?;
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
            let values = Values::new(row, columns.table, columns.names);
            self.charge(values.bytes())?;
            read(&values)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipeline_reads_a_bounded_number_of_bytes() {
        let connection = Connection::open_in_memory().unwrap();
        let sql = "CREATE TABLE t(Key BLOB, value BLOB);
                   INSERT INTO t VALUES (x'01', zeroblob(400000000))";
        connection.execute_batch(sql).unwrap();
        let queries = Queries::new((connection, Budget::default()));
        let columns = Columns {
            table: "t",
            names: &["value"],
            by: "Key",
        };
        let read = || queries.one(&columns, &[1], |row| Ok(row.blob("value")?.len()));
        for _ in 0..2 {
            assert_eq!(read().unwrap(), 400_000_000);
        }
        // 1.2 billion are more than 2^30.
        assert!(read().is_err());
        queries.begin();
        assert!(read().is_ok());
    }
}
