//! Writes state objects.

use dxil_frontend::dxil::ShaderKind;
use rusqlite::types::Value;

use super::write::{RowKey, Writer, blob, flag, hash, integer, text};
use crate::error::Problem;
use crate::library::{ObjectKind, StateObject};

impl Writer {
    pub(super) fn state_object(
        &mut self,
        group: &[u8],
        root: Option<RowKey>,
        object: &StateObject,
    ) -> Result<RowKey, Problem> {
        if object.generic_programs > 0 {
            let message = "generic programs, which this program does not write";
            return Err(Problem::unsupported(message));
        }
        let kind = match object.kind {
            ObjectKind::Collection => 0,
            ObjectKind::RayTracing => 3,
            ObjectKind::Executable => 4,
        };
        // One object for each group: what belongs to it is in tables that join.
        let own = hash("state_objects", &[("group", Value::Blob(group.to_vec()))]);
        self.insert(
            "state_objects",
            &[
                ("Key", Value::Blob(own.clone())),
                ("Type", Value::Integer(kind)),
                ("NodeMask", Value::Integer(0)),
                ("Flags", Value::Integer(0)),
                ("AddToStateObjectParent", Value::Null),
            ],
        )?;
        let owner = || ("StateObjectKey", Value::Blob(own.clone()));
        if let Some(root) = root {
            let root = ("RootSignatureKey", Value::Blob(root));
            self.join("so_to_global_rs_associations", [owner(), root])?;
        }
        for library in &object.libraries {
            let bytes = self.bytecode(&library.bytes, ShaderKind::Library)?;
            let of_library = |export| {
                [
                    owner(),
                    ("DxilLibKey", Value::Blob(bytes.clone())),
                    ("ExportKey", export),
                ]
            };
            const TABLE: &str = "so_to_dxil_lib_associations";
            if library.exports.is_empty() {
                self.insert(TABLE, &of_library(Value::Null))?;
            }
            for (name, inner) in &library.exports {
                let inner = Some(inner).filter(|inner| *inner != name);
                let export = self.row(
                    "exports",
                    &[
                        ("Name", Value::Text(name.clone())),
                        ("ExportToRename", text(inner)),
                        ("Flags", Value::Integer(0)),
                    ],
                )?;
                self.insert(TABLE, &of_library(Value::Blob(export)))?;
            }
        }
        for (root, exports) in &object.local_roots {
            let root = self.row("root_signatures", &[("value", blob(root))])?;
            let joined = ("RootSignatureKey", Value::Blob(root.clone()));
            self.join("so_to_local_rs_associations", [owner(), joined])?;
            if exports.is_empty() {
                continue;
            }
            // `D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE`.
            let subobject = [
                ("SubobjectType", Value::Integer(2)),
                ("SubobjectKey", Value::Blob(root)),
            ];
            let mut named = subobject.to_vec();
            named.push(("exports", Value::Text(exports.join("\n"))));
            let key = hash("subobject_to_exports_associations", &named);
            let [kind, of] = subobject;
            let row = [("Key", Value::Blob(key.clone())), kind, of];
            self.insert("subobject_to_exports_associations", &row)?;
            let joined = ("SubobjectToExportsAssociationKey", Value::Blob(key.clone()));
            self.join("so_to_subobject_to_exports_associations", [owner(), joined])?;
            for export in exports {
                self.join(
                    "string_associations",
                    [
                        ("OwningTableKey", Value::Blob(key.clone())),
                        ("Value", Value::Text(export.clone())),
                    ],
                )?;
            }
        }
        for group in &object.hit_groups {
            let key = self.row(
                "rt_hit_groups",
                &[
                    ("HitGroupExport", Value::Text(group.name.clone())),
                    ("Type", flag(group.procedural)),
                    ("AnyHitShaderImport", text(group.any_hit.as_ref())),
                    ("ClosestHitShaderImport", text(group.closest_hit.as_ref())),
                    (
                        "IntersectionShaderImport",
                        text(group.intersection.as_ref()),
                    ),
                ],
            )?;
            let joined = ("HitGroupKey", Value::Blob(key));
            self.join("so_to_hit_group_associations", [owner(), joined])?;
        }
        if let Some((payload, attributes)) = object.shader_config {
            let key = self.row(
                "rt_shader_config",
                &[
                    ("MaxPayloadSizeInBytes", integer(payload)),
                    ("MaxAttributeSizeInBytes", integer(attributes)),
                ],
            )?;
            let joined = ("ShaderConfigKey", Value::Blob(key));
            self.join("so_to_rt_shader_config_associations", [owner(), joined])?;
        }
        if let Some((depth, flags)) = object.pipeline_config {
            let key = self.row(
                "rt_pipeline_config",
                &[
                    ("MaxTraceRecursionDepth", integer(depth)),
                    ("Flags", integer(flags)),
                ],
            )?;
            let joined = ("PipelineConfigKey", Value::Blob(key));
            self.join("so_to_rt_pipeline_config_associations", [owner(), joined])?;
        }
        Ok(own)
    }
}
