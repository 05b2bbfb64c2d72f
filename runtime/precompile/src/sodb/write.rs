//! Writes a database by the published schema.

use dxil_frontend::tables::HashSet;
use std::path::{Path, PathBuf};

use dxil_frontend::dxil::{ShaderKind, read_shader};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::rows::problem;
use super::schema::statements;
use crate::draw_state::DrawState;
use crate::error::Problem;
use crate::library::{Pipeline, Shape};

/// Rows between two commits: a transaction of any length would fill the memory.
const BATCH: u32 = 10_000;

/// A database that is being written. It appears under its name when it is finished.
pub struct Writer {
    connection: Connection,
    part: tempfile::TempPath,
    path: PathBuf,
    groups: HashSet<Vec<u8>>,
    rows: u32,
}

/// A key of a row: the hash of the table's name and the row's values.
pub(super) type RowKey = Vec<u8>;

impl Writer {
    /// Begins a database that describes an application with this executable and name.
    ///
    /// # Errors
    ///
    /// The folder cannot be written to.
    pub fn create(path: &Path, executable: &str, application: &str) -> Result<Self, Problem> {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        let part = tempfile::Builder::new()
            .prefix(".dxil-precompile-")
            .tempfile_in(parent.unwrap_or(Path::new(".")))
            .map_err(|error| Problem::file(path, &error))?
            .into_temp_path();
        let connection = Connection::open(&part).map_err(|e| problem(&e))?;
        let mut writer = Writer {
            connection,
            part,
            path: path.to_owned(),
            groups: HashSet::default(),
            rows: 0,
        };
        // The file is removed if the process ends early, so a journal would serve nobody.
        let journal = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;";
        let sql = format!("{journal}\n{}\nBEGIN;", statements());
        writer
            .connection
            .execute_batch(&sql)
            .map_err(|e| problem(&e))?;
        writer.insert(
            "app_id",
            &[
                ("id", Value::Integer(0)),
                ("exe", Value::Text(executable.into())),
                ("app_name", Value::Text(application.into())),
                ("engine_name", Value::Null),
                ("app_version", Value::Integer(0)),
                ("engine_version", Value::Integer(0)),
            ],
        )?;
        Ok(writer)
    }

    /// Adds a pipeline under its name, which must be new.
    ///
    /// # Errors
    ///
    /// A shader cannot be read, the pipeline has a shader of a stage twice or no pipeline state of
    /// D3D12 has such shaders, or the name is there already.
    pub fn add(&mut self, pipeline: &Pipeline) -> Result<(), Problem> {
        let key = pipeline.name.as_bytes().to_vec();
        if !self.groups.insert(key.clone()) {
            let message = format!("there are two pipelines of the name {}", pipeline.name);
            return Err(Problem::mismatch(message));
        }
        let root = match &pipeline.root {
            Some(root) => Some(self.row("root_signatures", &[("value", blob(root))])?),
            None => None,
        };
        let (state, object) = match &pipeline.shape {
            Shape::Stages { shaders, draw } => {
                let state = self.pipeline_state(root, shaders, draw.as_deref())?;
                (Value::Blob(state), Value::Null)
            }
            Shape::Object(object) => (
                Value::Null,
                Value::Blob(self.state_object(&key, root, object)?),
            ),
        };
        self.insert(
            "groups",
            &[
                ("Key", Value::Blob(key)),
                ("Version", Value::Integer(1)),
                ("PSOKey", state),
                ("SOKey", object),
            ],
        )
    }

    /// Completes the database, which replaces a file of its name.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn finish(self) -> Result<(), Problem> {
        let Writer {
            connection,
            part,
            path,
            ..
        } = self;
        connection
            .execute_batch("COMMIT;")
            .map_err(|e| problem(&e))?;
        connection.close().map_err(|(_, error)| problem(&error))?;
        let file = part.persist(&path);
        file.map_err(|error| Problem::file(&path, &error.error))
    }

    /// Inserts a row unless there is one with its key.
    pub(super) fn insert(&mut self, table: &str, columns: &[(&str, Value)]) -> Result<(), Problem> {
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let marks: Vec<String> = (1..=names.len()).map(|index| format!("?{index}")).collect();
        let (names, marks) = (names.join(", "), marks.join(", "));
        let sql = format!("INSERT OR IGNORE INTO \"{table}\" ({names}) VALUES ({marks})");
        let failed = |error: rusqlite::Error| problem(&error).at(table);
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let values = columns.iter().map(|(_, value)| value);
        statement
            .execute(params_from_iter(values))
            .map_err(failed)?;
        drop(statement);
        self.rows += 1;
        if self.rows == BATCH {
            self.rows = 0;
            self.connection
                .execute_batch("COMMIT; BEGIN;")
                .map_err(failed)?;
        }
        Ok(())
    }

    /// Inserts a row whose key is the hash of its values. Returns the key.
    pub(super) fn row(
        &mut self,
        table: &str,
        columns: &[(&str, Value)],
    ) -> Result<RowKey, Problem> {
        let key = hash(table, columns);
        let mut all = vec![("Key", Value::Blob(key.clone()))];
        all.extend_from_slice(columns);
        self.insert(table, &all)?;
        Ok(key)
    }

    /// Inserts a row that joins two others.
    pub(super) fn join(&mut self, table: &str, columns: [(&str, Value); 2]) -> Result<(), Problem> {
        self.insert(table, &columns)
    }

    pub(super) fn bytecode(&mut self, bytes: &[u8], kind: ShaderKind) -> Result<RowKey, Problem> {
        let kind = kind.prefix().to_ascii_uppercase();
        let columns = [("Type", Value::Text(kind)), ("Bytecode", blob(bytes))];
        self.row("shader_bytecode", &columns)
    }

    fn pipeline_state(
        &mut self,
        root: Option<RowKey>,
        shaders: &[crate::library::Blob],
        draw: Option<&DrawState>,
    ) -> Result<RowKey, Problem> {
        let mut columns = vec![("RootSignature", key(root))];
        let mut kinds = Vec::new();
        for bytes in shaders {
            let kind = read_shader(bytes)?.shader_model.kind;
            let column = column_of(kind).ok_or_else(|| {
                let stage = kind.prefix();
                Problem::mismatch(format!("a shader of the kind {stage} in a pipeline state"))
            })?;
            if kinds.contains(&kind) {
                let stage = kind.prefix();
                return Err(Problem::mismatch(format!(
                    "two shaders of the stage {stage}"
                )));
            }
            kinds.push(kind);
            columns.push((column, Value::Blob(self.bytecode(bytes, kind)?)));
        }
        use ShaderKind as K;
        let has = |kind| kinds.contains(&kind);
        let is_whole = match draw {
            None => kinds == [K::Compute],
            Some(_) => (has(K::Vertex) != has(K::Mesh)) && !has(K::Compute),
        };
        if !is_whole {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.prefix()).collect();
            return Err(Problem::mismatch(format!(
                "no pipeline state of D3D12 has the stages {}, with {}",
                kinds.join(" and "),
                if draw.is_some() {
                    "the state of a draw"
                } else {
                    "no state of a draw"
                },
            )));
        }
        if let Some(draw) = draw {
            self.draw_state(draw, &mut columns)?;
        }
        self.row("pipeline_states", &columns)
    }
}

/// Returns the column of `pipeline_states` for shaders of a stage.
fn column_of(kind: ShaderKind) -> Option<&'static str> {
    Some(match kind {
        ShaderKind::Vertex => "ByteCode_VS",
        ShaderKind::Pixel => "ByteCode_PS",
        ShaderKind::Hull => "ByteCode_HS",
        ShaderKind::Domain => "ByteCode_DS",
        ShaderKind::Geometry => "ByteCode_GS",
        ShaderKind::Amplification => "ByteCode_AS",
        ShaderKind::Mesh => "ByteCode_MS",
        ShaderKind::Compute => "ByteCode_CS",
        _ => return None,
    })
}

/// Returns the key of a row: 16 bytes of the hash of its values.
pub(super) fn hash(table: &str, columns: &[(&str, Value)]) -> RowKey {
    let mut hasher = blake3::Hasher::new_derive_key("dxil-precompile row");
    hasher.update(table.as_bytes());
    for (name, value) in columns {
        hasher.update(name.as_bytes());
        let (tag, bytes) = match value {
            Value::Null => (0u8, Vec::new()),
            Value::Integer(value) => (1, value.to_le_bytes().to_vec()),
            Value::Real(value) => (2, value.to_le_bytes().to_vec()),
            Value::Text(text) => (3, text.clone().into_bytes()),
            Value::Blob(bytes) => (4, bytes.clone()),
        };
        hasher.update(&[tag]);
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(&bytes);
    }
    hasher.finalize().as_bytes()[..16].to_vec()
}

/// Returns the key of a list of rows.
pub(super) fn hash_of_keys(what: &str, keys: &[RowKey]) -> RowKey {
    let columns: Vec<_> = keys
        .iter()
        .map(|key| ("", Value::Blob(key.clone())))
        .collect();
    hash(what, &columns)
}

pub(super) fn blob(bytes: &[u8]) -> Value {
    Value::Blob(bytes.to_vec())
}

pub(super) fn key(key: Option<RowKey>) -> Value {
    key.map_or(Value::Null, Value::Blob)
}

pub(super) fn text(text: Option<&String>) -> Value {
    text.map_or(Value::Null, |text| Value::Text(text.clone()))
}

pub(super) fn integer(value: u32) -> Value {
    Value::Integer(i64::from(value))
}

pub(super) fn flag(value: bool) -> Value {
    Value::Integer(i64::from(value))
}
