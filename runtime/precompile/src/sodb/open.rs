//! Opens a database that anybody may have written: read-only, without its triggers, views and
//! functions, and only if its tables are those of the schema.
//!
//! What SQLite recommends for databases from strangers (sqlite.org/security.html, "Untrusted
//! SQLite Database Files") is switched on here, and every query has a budget of work.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::rows::problem;
use super::schema::{APPLICATION_ID, TABLES, Table, USER_VERSION};
use crate::error::Problem;

/// Maximum number of bytes of a value or a row: that of an input file.
pub(super) const MAX_LENGTH: i32 = 256 << 20;

/// Maximum number of rows of the schema.
const MAX_SCHEMA: usize = 1000;

/// Instructions of SQLite's machine between two looks at the budget.
const STEP: i32 = 1000;

/// Looks at the budget that one query may take: 10^8 instructions. A lookup by key takes about a
/// hundred.
const BUDGET: u32 = 100_000;

/// The work that the current query may still do.
#[derive(Clone, Default)]
pub(super) struct Budget(Arc<AtomicU32>);

impl Budget {
    /// Gives a new query all of it.
    pub(super) fn refill(&self) {
        self.0.store(BUDGET, Ordering::Relaxed);
    }

    /// Takes a step. Returns whether nothing is left.
    fn is_spent(&self) -> bool {
        let taken = |left: u32| left.checked_sub(1);
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken)
            .is_err()
    }
}

/// Opens a database and checks its schema.
pub(super) fn open(path: &Path) -> Result<(Connection, Budget), Problem> {
    let in_file = |problem: Problem| problem.at(path.display());
    let connection = connect(path).map_err(|error| in_file(problem(&error)))?;
    let (connection, budget) = connection;
    check(&connection, &budget).map_err(in_file)?;
    Ok((connection, budget))
}

fn connect(path: &Path) -> rusqlite::Result<(Connection, Budget)> {
    // Immutable: no locks, no journal and no write-ahead log are looked for beside the file.
    let uri = format!("file:{}?mode=ro&immutable=1", escaped(path));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE;
    let mut connection = Connection::open_with_flags(uri, flags)?;
    for (config, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(config, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 16),
        (Limit::SQLITE_LIMIT_COLUMN, 100),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 20),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 3),
        (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 8),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 10),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    let budget = Budget::default();
    budget.refill();
    let seen = budget.clone();
    connection.progress_handler(STEP, Some(move || seen.is_spent()))?;
    // Pages are checked as they are read, and never mapped: a file that changes or shrinks is an
    // error then, and no signal.
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok((connection, budget))
}

/// Returns a path as it stands in a URI.
fn escaped(path: &Path) -> String {
    let mut out = String::new();
    // An absolute path begins with one slash; more would name a host.
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(*byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    if out.starts_with("//") {
        out.insert_str(0, "//");
    }
    out
}

/// Checks that this is a State Object Database of the version that this program reads.
fn check(connection: &Connection, budget: &Budget) -> Result<(), Problem> {
    let number = |name: &str| -> Result<i64, Problem> {
        budget.refill();
        let value = connection.pragma_query_value(None, name, |row| row.get(0));
        value.map_err(|error| problem(&error))
    };
    let application = number("application_id")?;
    if application != APPLICATION_ID {
        return Err(Problem::malformed(format!(
            "this is an SQLite database, but no State Object Database: its application_id is \
             {application:#x} instead of {APPLICATION_ID:#x}"
        )));
    }
    let version = number("user_version")?;
    if version != USER_VERSION {
        return Err(Problem::unsupported(format!(
            "a State Object Database of version {version}; this program reads version \
             {USER_VERSION}"
        )));
    }
    check_schema(connection, budget)?;
    for table in TABLES {
        budget.refill();
        check_table(connection, table)?;
    }
    Ok(())
}

/// Refuses views, triggers and virtual tables: no program that writes such databases makes them,
/// and each of them is code of the database's author.
fn check_schema(connection: &Connection, budget: &Budget) -> Result<(), Problem> {
    budget.refill();
    let sql = "SELECT type, name, rootpage FROM sqlite_schema";
    let mut statement = connection.prepare(sql).map_err(|e| problem(&e))?;
    let mut rows = statement.query([]).map_err(|e| problem(&e))?;
    let mut count = 0;
    while let Some(row) = rows.next().map_err(|e| problem(&e))? {
        count += 1;
        if count > MAX_SCHEMA {
            let message = format!("the schema has more than {MAX_SCHEMA} objects");
            return Err(Problem::malformed(message));
        }
        let kind: String = row.get(0).map_err(|e| problem(&e))?;
        let name: String = row.get(1).map_err(|e| problem(&e))?;
        // A virtual table has no pages.
        let page: i64 = row.get(2).map_err(|e| problem(&e))?;
        let kind = match (kind.as_str(), page) {
            ("table" | "index", 1..) => continue,
            ("table", _) => "virtual table",
            (other, _) => other,
        };
        return Err(Problem::malformed(format!(
            "the database has a {kind}, `{name}`; a State Object Database has tables alone"
        )));
    }
    Ok(())
}

/// Checks that a table has the columns of the schema, and the index that finds its rows.
fn check_table(connection: &Connection, table: &Table) -> Result<(), Problem> {
    let mut found = Vec::new();
    connection
        .pragma(None, "table_xinfo", table.name, |row| {
            let name: String = row.get("name")?;
            let key: i64 = row.get("pk")?;
            let hidden: i64 = row.get("hidden")?;
            found.push((name, key, hidden));
            Ok(())
        })
        .map_err(|error| problem(&error))?;
    if found.is_empty() {
        let message = format!("the table `{}` is missing", table.name);
        return Err(Problem::malformed(message));
    }
    for (index, column) in table.columns.iter().enumerate() {
        let own = found
            .iter()
            .find(|(name, ..)| name.eq_ignore_ascii_case(column.name));
        let Some((_, key, hidden)) = own else {
            let message = format!("the column `{}.{}` is missing", table.name, column.name);
            return Err(Problem::malformed(message));
        };
        let is_key = index == 0 && table.has_key();
        if is_key != (*key == 1) || *hidden != 0 {
            let message = format!(
                "the column `{}.{}` is generated, or another one is the key",
                table.name, column.name
            );
            return Err(Problem::malformed(message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_marks_of_uris_are_escaped() {
        assert_eq!(escaped(Path::new("/a b/c?d#e%f")), "/a%20b/c%3Fd%23e%25f");
        assert_eq!(escaped(Path::new("x/y-1.sodb")), "x/y-1.sodb");
        assert_eq!(escaped(Path::new("//host/x")), "////host/x");
    }

    #[test]
    fn a_budget_ends() {
        let budget = Budget::default();
        assert!(budget.is_spent());
        budget.refill();
        assert!((0..BUDGET).all(|_| !budget.is_spent()));
        assert!(budget.is_spent());
    }
}
