//! The JSON Schema of pipeline files and the reader accept the same documents: every file of the
//! tree, and that file with each key renamed or left out and each value replaced.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use dxil_jit::pipeline_file::{Document, schema};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// Returns the pipeline files of the tree.
fn files() -> Vec<PathBuf> {
    let files = dxil_checkout::files_of(&["hwtests/pipelines"], "yaml");
    assert!(files.len() >= 8, "test data is missing");
    files
}

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    assert!(jsonschema::meta::is_valid(&schema), "the schema is none");
    jsonschema::validator_for(&schema).unwrap()
}

fn value(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_saphyr::from_str(&text).unwrap()
}

/// Returns the reader's result for a document; it reads YAML, which includes JSON.
fn read(document: &Value) -> Result<Document, String> {
    let text = serde_json::to_string(document).unwrap();
    serde_saphyr::from_str(&text).map_err(|error| error.to_string())
}

/// Calls `each` with the document after every change of one place in it.
fn mutants(document: &Value, each: &mut dyn FnMut(&Value, &str)) {
    let mut places = Vec::new();
    collect(document, String::new(), &mut places);
    for place in places {
        let mut changed = |what: &str, change: &dyn Fn(&mut Value)| {
            let mut mutant = document.clone();
            change(mutant.pointer_mut(&place).unwrap());
            if mutant != *document {
                each(&mutant, &format!("{place}: {what}"));
            }
        };
        for other in [
            json!({}),
            json!([]),
            json!("Zebra"),
            json!(-1),
            json!(1.5),
            json!(true),
            json!(null),
        ] {
            changed(&format!("became {other}"), &|value| *value = other.clone());
        }
        let keys = document.pointer(&place).and_then(Value::as_object);
        for key in keys.iter().flat_map(|map| map.keys()) {
            changed(&format!("lost {key}"), &|value| {
                rebuild(value, |name| (name != key).then(|| name.to_owned()));
            });
            changed(&format!("renamed {key}"), &|value| {
                rebuild(value, |name| {
                    Some(if name == key {
                        format!("{key}s")
                    } else {
                        name.to_owned()
                    })
                });
            });
        }
    }
}

/// Renames or drops keys; the others stay in their order, which matters to the reader.
fn rebuild(value: &mut Value, name: impl Fn(&str) -> Option<String>) {
    let Value::Object(map) = value.clone() else {
        return;
    };
    let kept = map
        .into_iter()
        .filter_map(|(key, value)| Some((name(&key)?, value)));
    *value = Value::Object(kept.collect::<Map<_, _>>());
}

fn collect(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                collect(inner, format!("{place}/{key}"), places);
            }
        }
        Value::Array(list) => {
            // Long lists are numbers; a few are enough.
            for (index, inner) in list.iter().enumerate().take(4) {
                collect(inner, format!("{place}/{index}"), places);
            }
        }
        _ => {}
    }
    places.push(place);
}

fn is_about_contents(error: &str) -> bool {
    [
        "buffer `",
        "Buffer '",
        "class instance `",
        "expected string scalar",
        "expected sequence start",
    ]
    .iter()
    .any(|part| error.contains(part))
}

#[test]
fn every_pipeline_file_of_the_tree_is_valid() {
    let validator = validator();
    for file in files() {
        let document = value(&file);
        let errors: Vec<_> = validator
            .iter_errors(&document)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", file.display());
        read(&document).unwrap();
    }
}

#[test]
fn schema_and_reader_refuse_the_same_mistakes() {
    let validator = validator();
    let mut counts = [0; 2];
    let mut wrong = Vec::new();
    for file in files() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        mutants(&value(&file), &mut |mutant, change| {
            let read = read(mutant);
            let is_valid = validator.is_valid(mutant);
            counts[usize::from(is_valid)] += 1;
            match &read {
                // No schema says what numbers and sizes of a buffer must be, which form its data
                // has with which size of an array, and how a class instance is written.
                Err(error) if is_valid && is_about_contents(error) => {}
                Err(error) if is_valid => wrong.push(format!("{name}: {change}: {error}")),
                // A key without a value: what follows may be empty.
                Ok(_) if !is_valid && change.ends_with("became null") => {}
                Ok(_) if !is_valid => {
                    let error = validator.iter_errors(mutant).next().unwrap();
                    wrong.push(format!(
                        "{name}: {change}: read, but the schema says {error}"
                    ));
                }
                Ok(_) | Err(_) => {}
            }
        });
    }
    assert!(
        wrong.is_empty(),
        "{} of {counts:?}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}
