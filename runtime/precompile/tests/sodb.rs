//! State Object Databases from both sides: what the writer makes is read as it was given, and what
//! strangers make is refused or reported.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{checkout, precompile, summary, text};
use dxil_precompile::error::Problem;
use dxil_precompile::library::{Pipeline, Shape};
use dxil_precompile::sodb::{Database, Writer};
use dxil_precompile::source::Sources;
use rusqlite::Connection;

/// The pipelines of a folder or a database, and the problems of the others.
fn read(path: &Path) -> (Vec<Pipeline>, Vec<(String, Problem)>) {
    let sources = Sources::open(&[path.to_owned()], None).unwrap();
    let (mut pipelines, mut problems) = (Vec::new(), Vec::new());
    sources
        .each(|item| {
            match item {
                Ok(pipeline) => pipelines.push(pipeline),
                Err(problem) => problems.push(problem),
            }
            true
        })
        .unwrap();
    (pipelines, problems)
}

/// Writes a database of the folder with pipeline files.
fn made(folder: &Path) -> PathBuf {
    let path = folder.join("game.sodb");
    let source = checkout("hwtests/pipelines");
    let output = precompile(&[text(&source), "--make", text(&path)]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    path
}

#[test]
fn a_database_holds_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let (from_files, problems) = read(&checkout("hwtests/pipelines"));
    assert_eq!(problems, []);
    let (from_database, problems) = read(&path);
    assert_eq!(problems, []);
    assert_eq!(from_files.len(), from_database.len());
    let mut draws = 0;
    for (file, row) in from_files.iter().zip(&from_database) {
        assert_eq!(file.name, row.name);
        assert_eq!(file.root, row.root);
        match (&file.shape, &row.shape) {
            (
                Shape::Stages { shaders, draw },
                Shape::Stages {
                    shaders: others,
                    draw: other,
                },
            ) => {
                let sorted = |shaders: &[std::sync::Arc<[u8]>]| {
                    let mut shaders = shaders.to_vec();
                    shaders.sort();
                    shaders
                };
                assert_eq!(sorted(shaders), sorted(others));
                assert_eq!(draw.is_some(), other.is_some());
                if let (Some(draw), Some(other)) = (draw, other) {
                    draws += 1;
                    // The input layout has no strides, and the topology is a class.
                    let mut draw = draw.clone();
                    draw.strides.clear();
                    draw.state.vertex_slots.clear();
                    draw.state.attributes.clear();
                    assert_eq!(draw.inputs, other.inputs);
                    assert_eq!(draw.primitives, other.primitives);
                    assert_eq!(draw.state.depth, other.state.depth);
                    assert_eq!(draw.state.targets, other.state.targets);
                    assert_eq!(draw.state.cull, other.state.cull);
                    let front = |state: &dxil_runtime::graphics::GraphicsState| {
                        (
                            state.front_counter_clockwise,
                            state.wireframe,
                            state.depth_clamp,
                        )
                    };
                    assert_eq!(front(&draw.state), front(&other.state));
                }
            }
            (Shape::Object(object), Shape::Object(other)) => assert_eq!(object, other),
            _ => std::panic::panic_any(format!("{}: another shape", file.name)),
        }
    }
    assert!(draws > 0);
    // It is translated like the files.
    let cache = folder.path().join("cache");
    let source = checkout("hwtests/pipelines");
    let (exit, files) = summary(&[text(&source), "--out", text(&cache)]);
    assert_eq!(exit, 0, "{files:#}");
    let (exit, database) = summary(&[text(&path), "--out", text(&cache)]);
    assert_eq!(exit, 0, "{database:#}");
    assert_eq!(database["translations"]["made"], 0, "{database:#}");
    assert_eq!(files["kinds"], database["kinds"]);
}

/// Returns a change to a copy of a database, and what opening it says.
fn changed(database: &Path, sql: &str) -> Result<(), String> {
    let copy = database.with_extension("changed");
    fs::copy(database, &copy).unwrap();
    let connection = Connection::open(&copy).unwrap();
    let off = "PRAGMA foreign_keys = OFF;";
    connection.execute_batch(off).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    match Database::open(&copy) {
        Ok(_) => Ok(()),
        Err(problem) => Err(problem.message),
    }
}

#[test]
fn databases_with_code_or_another_schema_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    for (sql, expected) in [
        ("CREATE VIEW v AS SELECT 1", "has a view, `v`"),
        (
            "CREATE TRIGGER t AFTER INSERT ON \"groups\" BEGIN DELETE FROM exports; END",
            "has a trigger, `t`",
        ),
        (
            "CREATE VIRTUAL TABLE f USING fts5(a)",
            "has a virtual table, `f`",
        ),
        (
            "DROP TABLE root_signatures; CREATE VIEW root_signatures AS SELECT 1 AS Key, 2 AS value",
            "has a view, `root_signatures`",
        ),
        ("DROP TABLE \"groups\"", "the table `groups` is missing"),
        (
            "ALTER TABLE shader_bytecode RENAME COLUMN Bytecode TO Code",
            "the column `shader_bytecode.Bytecode` is missing",
        ),
        (
            "DROP TABLE exports; CREATE TABLE exports (Key BLOB PRIMARY KEY, \
             Name TEXT AS (printf('%.*c', 999999, 'x')), ExportToRename TEXT, Flags INTEGER)",
            "`exports.Name` is generated",
        ),
        (
            "DROP TABLE app_id; CREATE TABLE app_id (id, exe, app_name, engine_name, app_version, \
             engine_version)",
            "`app_id.id` is generated, or another one is the key",
        ),
        (
            "PRAGMA user_version = 3",
            "a State Object Database of version 3",
        ),
        ("PRAGMA application_id = 1", "no State Object Database"),
    ] {
        let said = changed(&path, sql).unwrap_err();
        assert!(said.contains(expected), "{sql}: {said}");
    }
    // Tables and indexes of others do no harm.
    assert_eq!(
        changed(&path, "CREATE TABLE more (x); CREATE INDEX i ON more (x)"),
        Ok(())
    );
    let no_database = folder.path().join("text.sodb");
    fs::write(&no_database, "SQLite format 3\0 and nothing else").unwrap();
    assert!(Database::open(&no_database).is_err());
}

#[test]
fn rows_that_refer_to_nothing_or_hold_other_types_are_problems_of_their_pipeline() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let count = read(&path).0.len();
    for (sql, expected) in [
        ("DELETE FROM root_signatures WHERE 0", ""),
        (
            "DELETE FROM shader_bytecode",
            "shader_bytecode has no row with the key",
        ),
        (
            "UPDATE shader_bytecode SET Bytecode = 7",
            "shader_bytecode.Bytecode is no blob",
        ),
        (
            "UPDATE shader_bytecode SET Bytecode = NULL",
            "shader_bytecode.Bytecode is no blob",
        ),
        (
            "UPDATE pipeline_states SET ByteCode_CS = 'text'",
            "ByteCode_CS is no blob",
        ),
        (
            "UPDATE \"groups\" SET PSOKey = NULL, SOKey = NULL",
            "has no pipeline state and no",
        ),
        (
            "UPDATE input_element_descs SET Format = 1 << 40",
            "Format has more than 32 bits",
        ),
        (
            "UPDATE input_element_descs SET Format = 1000",
            "is 1000, which is no DXGI_FORMAT",
        ),
        (
            "UPDATE input_element_descs SET SemanticName = CAST(x'ff' AS TEXT)",
            "SemanticName is no text in UTF-8",
        ),
        (
            "UPDATE state_objects SET Type = 9",
            "a state object of the type 9",
        ),
        (
            "UPDATE rasterizer_descs SET CullMode = 0",
            "is 0, which is no D3D12_CULL_MODE",
        ),
        (
            "UPDATE \"groups\" SET PSOKey = zeroblob(5000) WHERE PSOKey IS NOT NULL",
            "PSOKey is too long for a key",
        ),
        (
            "INSERT INTO input_layout_to_input_element_associations \
             SELECT InputLayoutKey, randomblob(8) FROM input_layout_to_input_element_associations, \
             (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) \
             SELECT i FROM n)",
            "has more than 32 rows for the key",
        ),
    ] {
        assert_eq!(changed(&path, sql), Ok(()), "{sql}");
        let (pipelines, problems) = read(&path.with_extension("changed"));
        assert_eq!(pipelines.len() + problems.len(), count, "{sql}");
        if expected.is_empty() {
            assert_eq!(problems, []);
            continue;
        }
        let found = problems
            .iter()
            .any(|(_, problem)| problem.message.contains(expected));
        assert!(found, "{sql}: {problems:?}");
    }
}

#[test]
fn objects_that_are_made_of_each_other_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let sql = "UPDATE state_objects SET AddToStateObjectParent = \
               (SELECT o.Key FROM state_objects o WHERE o.Key <> state_objects.Key LIMIT 1); \
               INSERT INTO so_to_existing_so_associations \
               SELECT a.Key, b.Key, NULL FROM state_objects a, state_objects b";
    assert_eq!(changed(&path, sql), Ok(()));
    let (pipelines, problems) = read(&path.with_extension("changed"));
    assert_eq!(problems, []);
    let libraries = pipelines
        .iter()
        .filter_map(|pipeline| match &pipeline.shape {
            Shape::Object(object) => Some(object.libraries.len()),
            Shape::Stages { .. } => None,
        });
    // Each of them has the libraries of all.
    let libraries: Vec<usize> = libraries.collect();
    assert!(libraries.len() > 1 && libraries.iter().all(|n| *n == libraries.len()));
}

#[test]
fn every_damage_is_an_error_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("one");
    fs::create_dir(&source).unwrap();
    fs::copy(
        checkout("runtime/tests/data/saxpy.dxil"),
        source.join("a.dxil"),
    )
    .unwrap();
    let path = folder.path().join("one.sodb");
    let mut writer = Writer::create(&path, "one.exe", "one").unwrap();
    for pipeline in read(&source).0 {
        writer.add(&pipeline).unwrap();
    }
    writer.finish().unwrap();
    let good = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.sodb");
    let read_damaged = |bytes: &[u8]| {
        fs::write(&damaged, bytes).unwrap();
        let Ok(database) = Database::open(&damaged) else {
            return;
        };
        // Whatever is read, it ends.
        let mut count = 0;
        let _ = database.each(|_| {
            count += 1;
            count < 1000
        });
    };
    for length in (0..good.len()).step_by(good.len() / 60) {
        read_damaged(&good[..length]);
    }
    // Bytes of headers of pages and of rows, spread over the file.
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..400 {
        let mut bytes = good.clone();
        let at = random.usize(..bytes.len());
        bytes[at] ^= random.u8(1..);
        read_damaged(&bytes);
    }
}

#[test]
fn a_pipeline_without_a_place_in_databases_is_an_error_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let (source, path) = (folder.path().join("source"), folder.path().join("x.sodb"));
    fs::create_dir(&source).unwrap();
    fs::copy(
        checkout("runtime/tests/data/saxpy.dxil"),
        source.join("a.dxil"),
    )
    .unwrap();
    fs::copy(
        checkout("hwtests/pipelines/quadrants_ps.dxil"),
        source.join("b.dxil"),
    )
    .unwrap();
    let output = precompile(&[text(&source), "--make", text(&path)]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("b.dxil") && said.contains("no pipeline state"),
        "{said}"
    );
    assert_eq!(Database::open(&path).unwrap().count().unwrap(), 1);
}
