//! State objects of a database: their libraries, root signatures, hit groups and limits.

use std::collections::BTreeSet;

use dxil_frontend::tables::HashMap;

use super::query::{Columns, Queries, shown};
use crate::error::Problem;
use crate::library::{Blob, HitGroup, Library, ObjectKind, StateObject};

/// Maximum number of rows of one kind that a state object may have.
const MAX_PARTS: usize = 1 << 16;

/// Maximum number of state objects that one is made of: its ancestors and collections.
const MAX_OBJECTS: usize = 1 << 12;

/// `D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE`.
const LOCAL_ROOT_SIGNATURE: u32 = 2;

const OBJECT: Columns = Columns {
    table: "state_objects",
    by: "Key",
    names: &["Type", "AddToStateObjectParent"],
};

const GLOBAL_ROOTS: Columns = joined("so_to_global_rs_associations", &["RootSignatureKey"]);
const LOCAL_ROOTS: Columns = joined("so_to_local_rs_associations", &["RootSignatureKey"]);
const LIBRARIES: Columns = joined("so_to_dxil_lib_associations", &["DxilLibKey", "ExportKey"]);
const COLLECTIONS: Columns = joined(
    "so_to_existing_so_associations",
    &["ExistingStateObjectKey"],
);
const HIT_GROUPS: Columns = joined("so_to_hit_group_associations", &["HitGroupKey"]);
const SHADER_CONFIGS: Columns = joined("so_to_rt_shader_config_associations", &["ShaderConfigKey"]);
const PIPELINE_CONFIGS: Columns = joined(
    "so_to_rt_pipeline_config_associations",
    &["PipelineConfigKey"],
);
const ASSOCIATIONS: Columns = joined(
    "so_to_subobject_to_exports_associations",
    &["SubobjectToExportsAssociationKey"],
);
const PROGRAMS: Columns = joined("so_to_generic_program_associations", &["GenericProgramKey"]);

const fn joined(table: &'static str, names: &'static [&'static str]) -> Columns {
    Columns {
        table,
        names,
        by: "StateObjectKey",
    }
}

const EXPORT: Columns = Columns {
    table: "exports",
    by: "Key",
    names: &["Name", "ExportToRename"],
};

const HIT_GROUP: Columns = Columns {
    table: "rt_hit_groups",
    by: "Key",
    names: &[
        "HitGroupExport",
        "Type",
        "AnyHitShaderImport",
        "ClosestHitShaderImport",
        "IntersectionShaderImport",
    ],
};

const SHADER_CONFIG: Columns = Columns {
    table: "rt_shader_config",
    by: "Key",
    names: &["MaxPayloadSizeInBytes", "MaxAttributeSizeInBytes"],
};

const PIPELINE_CONFIG: Columns = Columns {
    table: "rt_pipeline_config",
    by: "Key",
    names: &["MaxTraceRecursionDepth", "Flags"],
};

const ASSOCIATION: Columns = Columns {
    table: "subobject_to_exports_associations",
    by: "Key",
    names: &["SubobjectType", "SubobjectKey"],
};

const STRINGS: Columns = Columns {
    table: "string_associations",
    by: "OwningTableKey",
    names: &["Value"],
};

impl Queries {
    /// Returns a state object with those that it was made from: what it was added to, and its
    /// collections. Its root signature is the first that one of them has.
    pub(super) fn state_object(&self, key: &[u8]) -> Result<(Option<Blob>, StateObject), Problem> {
        let mut root = None;
        let mut object = StateObject::default();
        let mut seen = BTreeSet::from([key.to_vec()]);
        let mut open = vec![key.to_vec()];
        while let Some(key) = open.pop() {
            let (kind, parent) = self.one(&OBJECT, &key, |row| {
                let kind = row.word_or_null("Type")?;
                Ok((kind, row.key_or_null("AddToStateObjectParent")?))
            })?;
            if seen.len() == 1 {
                object.kind = kind_of(kind)?;
            }
            let mut parts = Vec::new();
            self.each(&COLLECTIONS, &key, MAX_PARTS, |row| {
                parts.push(row.key("ExistingStateObjectKey")?);
                Ok(())
            })?;
            for part in parent.into_iter().chain(parts) {
                if seen.insert(part.clone()) {
                    open.push(part);
                }
            }
            if seen.len() > MAX_OBJECTS {
                let message = format!("a state object of more than {MAX_OBJECTS} others");
                return Err(Problem::malformed(message));
            }
            for key in self.keys(&GLOBAL_ROOTS, &key)? {
                if root.is_none() {
                    root = Some(self.root_signature(&key)?);
                }
            }
            self.libraries(&key, &mut object)?;
            self.parts(&key, &mut object)?;
        }
        Ok((root, object))
    }

    /// Returns the keys in the first column of a table that joins two others.
    fn keys(&self, columns: &Columns, key: &[u8]) -> Result<Vec<Vec<u8>>, Problem> {
        let mut keys = Vec::new();
        self.each(columns, key, MAX_PARTS, |row| {
            keys.push(row.key(columns.names[0])?);
            Ok(())
        })?;
        Ok(keys)
    }

    fn libraries(&self, key: &[u8], object: &mut StateObject) -> Result<(), Problem> {
        let mut found: Vec<(Vec<u8>, Vec<Vec<u8>>)> = Vec::new();
        let mut places: HashMap<Vec<u8>, usize> = HashMap::default();
        self.each(&LIBRARIES, key, MAX_PARTS, |row| {
            let library = row.key("DxilLibKey")?;
            let export = row.key_or_null("ExportKey")?;
            let place = *places.entry(library.clone()).or_insert(found.len());
            if place == found.len() {
                found.push((library, Vec::new()));
            }
            found[place].1.extend(export);
            Ok(())
        })?;
        for (library, exports) in found {
            let blob = self.bytecode(&library)?;
            let exports = exports.iter().map(|export| {
                self.one(&EXPORT, export, |row| {
                    let name = row.text("Name")?;
                    let inner = row.text_or_null("ExportToRename")?;
                    // Without another name in the library it is the same one.
                    let inner = inner.filter(|inner| !inner.is_empty());
                    Ok((name.clone(), inner.unwrap_or(name)))
                })
            });
            object.libraries.push(Library {
                bytes: blob,
                exports: exports.collect::<Result<_, _>>()?,
            });
        }
        Ok(())
    }

    fn parts(&self, key: &[u8], object: &mut StateObject) -> Result<(), Problem> {
        for key in self.keys(&HIT_GROUPS, key)? {
            object.hit_groups.push(self.one(&HIT_GROUP, &key, |row| {
                let import = |name| {
                    let text = row.text_or_null(name)?;
                    Ok::<_, Problem>(text.filter(|text| !text.is_empty()))
                };
                Ok(HitGroup {
                    name: row.text("HitGroupExport")?,
                    procedural: row.flag("Type")?,
                    any_hit: import("AnyHitShaderImport")?,
                    closest_hit: import("ClosestHitShaderImport")?,
                    intersection: import("IntersectionShaderImport")?,
                })
            })?);
        }
        for key in self.keys(&SHADER_CONFIGS, key)? {
            let read = self.one(&SHADER_CONFIG, &key, |row| {
                let payload = row.word("MaxPayloadSizeInBytes")?;
                Ok((payload, row.word("MaxAttributeSizeInBytes")?))
            })?;
            object.shader_config.get_or_insert(read);
        }
        for key in self.keys(&PIPELINE_CONFIGS, key)? {
            let read = self.one(&PIPELINE_CONFIG, &key, |row| {
                let depth = row.word("MaxTraceRecursionDepth")?;
                Ok((depth, row.word("Flags")?))
            })?;
            object.pipeline_config.get_or_insert(read);
        }
        // Exports by the key of their root signature.
        let mut associations: HashMap<Vec<u8>, Vec<String>> = HashMap::default();
        for key in self.keys(&ASSOCIATIONS, key)? {
            let (kind, subobject) = self.one(&ASSOCIATION, &key, |row| {
                Ok((row.word("SubobjectType")?, row.key("SubobjectKey")?))
            })?;
            if kind == LOCAL_ROOT_SIGNATURE {
                let exports = associations.entry(subobject).or_default();
                self.each(&STRINGS, &key, MAX_PARTS, |row| {
                    exports.push(row.text("Value")?);
                    Ok(())
                })?;
            }
        }
        let mut seen = BTreeSet::new();
        for key in self.keys(&LOCAL_ROOTS, key)? {
            // A root signature has all its exports at its first row.
            if seen.insert(key.clone()) {
                let exports = associations.remove(&key).unwrap_or_default();
                object
                    .local_roots
                    .push((self.root_signature(&key)?, exports));
            }
        }
        let programs = self.keys(&PROGRAMS, key)?.len() as u64;
        object.generic_programs += programs;
        Ok(())
    }
}

fn kind_of(number: Option<u32>) -> Result<ObjectKind, Problem> {
    // `D3D12_STATE_OBJECT_TYPE`.
    match number {
        Some(0) => Ok(ObjectKind::Collection),
        Some(3) => Ok(ObjectKind::RayTracing),
        Some(4) => Ok(ObjectKind::Executable),
        other => {
            let shown = other.map_or("null".to_owned(), |number| number.to_string());
            let message = format!("a state object of the type {shown}");
            Err(Problem::unsupported(message))
        }
    }
}

/// Returns the problem of an object that refers to nothing.
pub(super) fn empty_group(key: &[u8]) -> Problem {
    let key = shown(key);
    Problem::malformed(format!(
        "the group {key} has no pipeline state and no state object"
    ))
}
