//! State Object Databases: the SQLite files of D3D12's Advanced Shader Delivery, read and written
//! by the published schema (`StateObjectDatabase.md` of microsoft/DirectX-Specs).
//!
//! A database is as untrusted as a container: [`Database::open`] refuses what no program writes,
//! and every value that is read has its type and size checked.

mod numbers;
mod objects;
mod open;
mod query;
mod rows;
mod schema;
mod states;
mod write;
mod write_draws;
mod write_objects;

use std::path::Path;

use dxil_frontend::escape::is_hidden;

pub use write::Writer;

use crate::error::Problem;
use crate::library::{Pipeline, Shape};
use query::Queries;
use rows::{Values, problem};

/// First bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Returns whether the first bytes of a file are those of an SQLite database.
pub fn is_database(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// A database that is open for reading.
pub struct Database {
    queries: Queries,
    /// Another connection for the list of pipelines: queries by key run while it is read.
    list: Queries,
}

impl Database {
    /// Opens a database.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is no State Object Database, or has another schema than the
    /// published one: views, triggers and virtual tables among it.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let open = || Ok::<_, Problem>(Queries::new(open::open(path)?));
        Ok(Database {
            queries: open()?,
            list: open()?,
        })
    }

    /// Returns the number of pipelines.
    ///
    /// # Errors
    ///
    /// SQLite cannot read the table.
    pub fn count(&self) -> Result<u64, Problem> {
        self.list.budget.refill();
        let sql = "SELECT count(*) FROM \"groups\"";
        let count = self.list.connection.query_row(sql, [], |row| row.get(0));
        let count: i64 = count.map_err(|error| problem(&error))?;
        Ok(count.unsigned_abs())
    }

    /// Calls `take` with each pipeline in the order of the database, or with the problem that one
    /// has and its name, until it returns `false`. Only one pipeline is in memory at a time.
    ///
    /// # Errors
    ///
    /// The list of pipelines itself cannot be read.
    pub fn each(
        &self,
        mut take: impl FnMut(Result<Pipeline, (String, Problem)>) -> bool,
    ) -> Result<(), Problem> {
        const NAMES: &[&str] = &["Key", "PSOKey", "SOKey"];
        let sql = "SELECT Key, PSOKey, SOKey FROM \"groups\" ORDER BY rowid";
        let failed = |error: rusqlite::Error| problem(&error).at("groups");
        self.list.budget.refill();
        let mut statement = self.list.connection.prepare(sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut number = 0u64;
        loop {
            self.list.budget.refill();
            let Some(row) = rows.next().map_err(failed)? else {
                return Ok(());
            };
            let row = Values::new(row, "groups", NAMES);
            number += 1;
            let (name, pipeline) = match row.key("Key") {
                Ok(key) => {
                    let name = name_of(&key);
                    let pipeline = self.pipeline(&name, &key, &row);
                    (name, pipeline)
                }
                Err(problem) => (format!("row {number} of groups"), Err(problem)),
            };
            if !take(pipeline.map_err(|problem| (name, problem))) {
                return Ok(());
            }
        }
    }

    fn pipeline(&self, name: &str, key: &[u8], row: &Values<'_>) -> Result<Pipeline, Problem> {
        self.queries.begin();
        let (state, object) = (row.key_or_null("PSOKey")?, row.key_or_null("SOKey")?);
        let (root, shape) = match (state, object) {
            (Some(state), _) => self.queries.pipeline_state(&state)?,
            (None, Some(object)) => {
                let (root, object) = self.queries.state_object(&object)?;
                (root, Shape::Object(object))
            }
            (None, None) => return Err(objects::empty_group(key)),
        };
        Ok(Pipeline {
            name: name.to_owned(),
            root,
            shape,
        })
    }
}

/// Returns the name of a pipeline: its key as text if that is printable, or else in hexadecimal.
fn name_of(key: &[u8]) -> String {
    let text = std::str::from_utf8(key).ok();
    let is_plain = |text: &&str| !text.is_empty() && !text.chars().any(is_hidden);
    let plain = text.filter(is_plain);
    match plain {
        Some(text) => text.to_owned(),
        None => key.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
