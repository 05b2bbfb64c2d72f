//! The schema of a State Object Database, version 2, as a table: `StateObjectDatabase.md` of
//! microsoft/DirectX-Specs, "SQL Database Schema".
//!
//! The reader compares a database with it, and the writer makes one from it.

use std::fmt::Write as _;

/// `PRAGMA user_version`.
pub(super) const USER_VERSION: i64 = 2;

/// `PRAGMA application_id`.
pub(super) const APPLICATION_ID: i64 = 0x0D3D_50DB;

/// A table.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [Column],
    /// Columns whose combination is unique, of tables that join others.
    unique: &'static [&'static str],
}

/// A column of a table.
pub(super) struct Column {
    pub(super) name: &'static str,
    kind: &'static str,
    is_required: bool,
    /// The table whose `Key` it holds.
    references: Option<&'static str>,
}

impl Table {
    /// Returns whether the first column is the primary key.
    pub(super) fn has_key(&self) -> bool {
        self.unique.is_empty() && self.name != "string_associations"
    }
}

/// Writes the columns of a table: `or null` after a type allows null, `-> table` names the table
/// that a key belongs to.
macro_rules! columns {
    (@required) => { true };
    (@required $null:ident) => { false };
    (@references) => { None };
    (@references $table:ident) => { Some(stringify!($table)) };
    ($($name:ident $kind:ident $(or $null:ident)? $(-> $table:ident)?),*) => {
        &[$(Column {
            name: stringify!($name),
            kind: stringify!($kind),
            is_required: columns!(@required $($null)?),
            references: columns!(@references $($table)?),
        }),*]
    };
}

macro_rules! schema {
    ($($table:ident { $($columns:tt)* } $([$($unique:ident)*])?)*) => {
        &[$(Table {
            name: stringify!($table),
            columns: columns!($($columns)*),
            unique: &[$($(stringify!($unique)),*)?],
        }),*]
    };
}

/// All tables, in the order of the specification.
pub(super) static TABLES: &[Table] = schema! {
    root_signatures { Key BLOB, value BLOB }
    input_element_descs {
        Key BLOB, SemanticName TEXT, SemanticIndex INTEGER, Format INTEGER, InputSlot INTEGER,
        AlignedByteOffset INTEGER, InputSlotClass INTEGER, InstanceDataStepRate INTEGER
    }
    state_objects {
        Key BLOB, Type INTEGER or null, NodeMask INTEGER or null, Flags INTEGER or null,
        AddToStateObjectParent BLOB or null -> state_objects
    }
    shader_bytecode { Key BLOB, Type TEXT or null, Bytecode BLOB or null }
    exports { Key BLOB, Name TEXT, ExportToRename TEXT or null, Flags INTEGER }
    depth_stencil_op_descs {
        Key BLOB, StencilFailOp INTEGER, StencilDepthFailOp INTEGER, StencilPassOp INTEGER,
        StencilFunc INTEGER, StencilReadMask INTEGER, StencilWriteMask INTEGER
    }
    depth_stencil_descs {
        Key BLOB, DepthEnable INTEGER, DepthWriteMask INTEGER, DepthFunc INTEGER,
        StencilEnable INTEGER, FrontFace BLOB -> depth_stencil_op_descs,
        BackFace BLOB -> depth_stencil_op_descs, DepthBoundsTestEnable INTEGER
    }
    render_target_formats {
        Key BLOB, RTFormat0 INTEGER, RTFormat1 INTEGER, RTFormat2 INTEGER, RTFormat3 INTEGER,
        RTFormat4 INTEGER, RTFormat5 INTEGER, RTFormat6 INTEGER, RTFormat7 INTEGER,
        NumRenderTargets INTEGER
    }
    render_target_blend_descs {
        Key BLOB, BlendEnable INTEGER, LogicOpEnable INTEGER, SrcBlend INTEGER, DestBlend INTEGER,
        BlendOp INTEGER, SrcBlendAlpha INTEGER, DestBlendAlpha INTEGER, BlendOpAlpha INTEGER,
        LogicOp INTEGER, RenderTargetWriteMask INTEGER
    }
    blend_descs {
        Key BLOB, AlphaToCoverageEnable INTEGER, IndependentBlendEnable INTEGER,
        RenderTarget0 BLOB or null -> render_target_blend_descs,
        RenderTarget1 BLOB or null -> render_target_blend_descs,
        RenderTarget2 BLOB or null -> render_target_blend_descs,
        RenderTarget3 BLOB or null -> render_target_blend_descs,
        RenderTarget4 BLOB or null -> render_target_blend_descs,
        RenderTarget5 BLOB or null -> render_target_blend_descs,
        RenderTarget6 BLOB or null -> render_target_blend_descs,
        RenderTarget7 BLOB or null -> render_target_blend_descs
    }
    rasterizer_descs {
        Key BLOB, FillMode INTEGER, CullMode INTEGER, FrontCounterClockwise INTEGER, DepthBias REAL,
        DepthBiasClamp REAL, SlopeScaledDepthBias REAL, DepthClipEnable INTEGER,
        LineRasterizationMode INTEGER, ForcedSampleCount INTEGER, ConservativeRaster INTEGER
    }
    view_instancing_descs {
        Key BLOB, ViewInstanceCount INTEGER, RenderFlags INTEGER,
        ViewportArrayIndex0 INTEGER or null, RenderTargetArrayIndex0 INTEGER or null,
        ViewportArrayIndex1 INTEGER or null, RenderTargetArrayIndex1 INTEGER or null,
        ViewportArrayIndex2 INTEGER or null, RenderTargetArrayIndex2 INTEGER or null,
        ViewportArrayIndex3 INTEGER or null, RenderTargetArrayIndex3 INTEGER or null
    }
    so_declarations {
        Key BLOB, Stream INTEGER, SemanticName TEXT, SemanticIndex INTEGER, StartComponent INTEGER,
        ComponentCount INTEGER, OutputSlot INTEGER
    }
    stream_out_descs {
        Key BLOB, BufferStride0 INTEGER, BufferStride1 INTEGER, BufferStride2 INTEGER,
        BufferStride3 INTEGER, NumStrides INTEGER, RasterizedStream INTEGER
    }
    rt_hit_groups {
        Key BLOB, HitGroupExport TEXT, Type INTEGER, AnyHitShaderImport TEXT or null,
        ClosestHitShaderImport TEXT or null, IntersectionShaderImport TEXT or null
    }
    rt_shader_config { Key BLOB, MaxPayloadSizeInBytes INTEGER, MaxAttributeSizeInBytes INTEGER }
    rt_pipeline_config { Key BLOB, MaxTraceRecursionDepth INTEGER, Flags INTEGER }
    dxil_subobject_to_exports_associations { Key BLOB, SubobjectToAssociate TEXT }
    subobject_to_exports_associations { Key BLOB, SubobjectType INTEGER, SubobjectKey BLOB }
    generic_programs {
        Key BLOB, ProgramName TEXT or null, InputLayout BLOB or null,
        DepthStencilDesc BLOB or null -> depth_stencil_descs,
        RenderTargetFormats BLOB or null -> render_target_formats,
        BlendDesc BLOB or null -> blend_descs, RasterizerDesc BLOB or null -> rasterizer_descs,
        ViewInstancingDesc BLOB or null -> view_instancing_descs,
        StreamOutDesc BLOB or null -> stream_out_descs, SampleDesc_Count INTEGER or null,
        SampleDesc_Quality INTEGER or null, SampleMask INTEGER or null,
        IBStripCutValue INTEGER or null, PrimitiveTopology INTEGER or null,
        DSVFormat INTEGER or null, NodeMask INTEGER or null, Flags INTEGER or null
    }
    pipeline_states {
        Key BLOB, RootSignature BLOB or null -> root_signatures, InputLayout BLOB or null,
        ByteCode_VS BLOB or null -> shader_bytecode, ByteCode_PS BLOB or null -> shader_bytecode,
        ByteCode_HS BLOB or null -> shader_bytecode, ByteCode_DS BLOB or null -> shader_bytecode,
        ByteCode_GS BLOB or null -> shader_bytecode, ByteCode_AS BLOB or null -> shader_bytecode,
        ByteCode_MS BLOB or null -> shader_bytecode, ByteCode_CS BLOB or null -> shader_bytecode,
        DepthStencilDesc BLOB or null -> depth_stencil_descs,
        RenderTargetFormats BLOB or null -> render_target_formats,
        BlendDesc BLOB or null -> blend_descs, RasterizerDesc BLOB or null -> rasterizer_descs,
        ViewInstancingDesc BLOB or null -> view_instancing_descs,
        StreamOutDesc BLOB or null -> stream_out_descs, SampleDesc_Count INTEGER or null,
        SampleDesc_Quality INTEGER or null, SampleMask INTEGER or null,
        IBStripCutValue INTEGER or null, PrimitiveTopology INTEGER or null,
        DSVFormat INTEGER or null, NodeMask INTEGER or null, Flags INTEGER or null
    }
    work_graphs { Key BLOB, ProgramName TEXT, Flags INTEGER }
    node_ids { Key BLOB, Name TEXT, ArrayIndex INTEGER }
    node_output_overrides {
        Key BLOB, OutputIndex INTEGER, NewName BLOB or null -> node_ids,
        AllowSparseNodes INTEGER or null, MaxRecords INTEGER or null,
        MaxRecordsSharedWithOutputIndex INTEGER or null
    }
    shader_nodes {
        Key BLOB, ShaderOrProgram TEXT, NodeType INTEGER, OverridesType INTEGER,
        LocalRootArgumentsTableIndex INTEGER or null, ProgramEntry INTEGER or null,
        NewName BLOB or null -> node_ids, ShareInputOf BLOB or null -> node_ids,
        DispatchGridX INTEGER or null, DispatchGridY INTEGER or null, DispatchGridZ INTEGER or null,
        MaxDispatchGridX INTEGER or null, MaxDispatchGridY INTEGER or null,
        MaxDispatchGridZ INTEGER or null,
        MaxInputRecordsPerGraphEntryRecord_RecordCount INTEGER or null,
        MaxInputRecordsPerGraphEntryRecord_bCountSharedAcrossNodeArray INTEGER or null
    }
    input_layout_to_input_element_associations {
        InputLayoutKey BLOB, InputElementKey BLOB -> input_element_descs
    } [InputLayoutKey InputElementKey]
    stream_output_desc_to_stream_output_decl_associations {
        StreamOutDescKey BLOB -> stream_out_descs, StreamOutDeclKey BLOB -> so_declarations
    } [StreamOutDescKey StreamOutDeclKey]
    so_to_global_rs_associations {
        StateObjectKey BLOB -> state_objects, RootSignatureKey BLOB -> root_signatures
    } [StateObjectKey RootSignatureKey]
    so_to_local_rs_associations {
        StateObjectKey BLOB -> state_objects, RootSignatureKey BLOB -> root_signatures
    } [StateObjectKey RootSignatureKey]
    so_to_dxil_lib_associations {
        StateObjectKey BLOB -> state_objects, DxilLibKey BLOB -> shader_bytecode,
        ExportKey BLOB or null -> exports
    } [StateObjectKey DxilLibKey ExportKey]
    so_to_existing_so_associations {
        StateObjectKey BLOB -> state_objects, ExistingStateObjectKey BLOB -> state_objects,
        ExportKey BLOB or null -> exports
    } [StateObjectKey ExistingStateObjectKey ExportKey]
    so_to_hit_group_associations {
        StateObjectKey BLOB -> state_objects, HitGroupKey BLOB -> rt_hit_groups
    } [StateObjectKey HitGroupKey]
    so_to_rt_shader_config_associations {
        StateObjectKey BLOB -> state_objects, ShaderConfigKey BLOB -> rt_shader_config
    } [StateObjectKey ShaderConfigKey]
    so_to_rt_pipeline_config_associations {
        StateObjectKey BLOB -> state_objects, PipelineConfigKey BLOB -> rt_pipeline_config
    } [StateObjectKey PipelineConfigKey]
    so_to_dxil_subobject_to_exports_associations {
        StateObjectKey BLOB -> state_objects,
        DxilSubobjectToExportsAssociationKey BLOB -> dxil_subobject_to_exports_associations
    } [StateObjectKey DxilSubobjectToExportsAssociationKey]
    so_to_subobject_to_exports_associations {
        StateObjectKey BLOB -> state_objects,
        SubobjectToExportsAssociationKey BLOB -> subobject_to_exports_associations
    } [StateObjectKey SubobjectToExportsAssociationKey]
    so_to_generic_program_associations {
        StateObjectKey BLOB -> state_objects, GenericProgramKey BLOB -> generic_programs
    } [StateObjectKey GenericProgramKey]
    so_to_work_graph_associations {
        StateObjectKey BLOB -> state_objects, WorkGraphKey BLOB -> work_graphs
    } [StateObjectKey WorkGraphKey]
    work_graph_to_entrypoint_node_id_associations {
        WorkGraphKey BLOB -> work_graphs, NodeIDKey BLOB -> node_ids
    } [WorkGraphKey NodeIDKey]
    workgraph_node_to_node_output_overrides_associations {
        WorkGraphNodeKey BLOB -> shader_nodes, NodeOutputOverridesKey BLOB -> node_output_overrides
    } [WorkGraphNodeKey NodeOutputOverridesKey]
    work_graph_to_work_graph_node_associations {
        WorkGraphKey BLOB -> work_graphs, WorkGraphNodeKey BLOB -> shader_nodes
    } [WorkGraphKey WorkGraphNodeKey]
    string_associations { OwningTableKey BLOB or null, Value TEXT } [OwningTableKey Value]
    groups {
        Key BLOB, Version INTEGER, PSOKey BLOB or null -> pipeline_states,
        SOKey BLOB or null -> state_objects
    }
    app_id {
        id INTEGER, exe TEXT, app_name TEXT, engine_name TEXT or null, app_version INTEGER,
        engine_version INTEGER
    }
};

/// Indexes over part of a table: name, table, columns, and the column that is null in it.
const PARTIAL: [(&str, &str, &str, &str); 3] = [
    (
        "so_to_dxil_lib_associations_partial_index",
        "so_to_dxil_lib_associations",
        "StateObjectKey, DxilLibKey",
        "ExportKey",
    ),
    (
        "so_to_existing_so_associations_partial_index",
        "so_to_existing_so_associations",
        "StateObjectKey, ExistingStateObjectKey",
        "ExportKey",
    ),
    (
        "string_associations_partial_index",
        "string_associations",
        "Value",
        "OwningTableKey",
    ),
];

/// Returns the statements that make an empty database.
pub(super) fn statements() -> String {
    let mut sql = format!(
        "PRAGMA user_version = {USER_VERSION};\nPRAGMA application_id = {APPLICATION_ID};\n"
    );
    for table in TABLES {
        let mut parts: Vec<String> = Vec::new();
        for (index, column) in table.columns.iter().enumerate() {
            let null = if column.is_required { " NOT NULL" } else { "" };
            let key = if index == 0 && table.has_key() {
                " PRIMARY KEY"
            } else {
                ""
            };
            parts.push(format!("{} {}{null}{key}", column.name, column.kind));
        }
        for column in table.columns {
            if let Some(other) = column.references {
                let name = column.name;
                parts.push(format!("FOREIGN KEY({name}) REFERENCES {other}(Key)"));
            }
        }
        if !table.unique.is_empty() {
            parts.push(format!("UNIQUE({})", table.unique.join(", ")));
        }
        let _ = writeln!(sql, "CREATE TABLE {} ({});", table.name, parts.join(", "));
        for (index, of, columns, null) in PARTIAL.iter().filter(|row| row.1 == table.name) {
            let _ = writeln!(
                sql,
                "CREATE UNIQUE INDEX {index} ON {of}({columns}) WHERE {null} IS NULL;"
            );
        }
    }
    sql
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_those_of_the_specification() {
        let sql = statements();
        // Lines of the specification, with their spaces evened out.
        for line in [
            "CREATE TABLE root_signatures (Key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL);",
            "CREATE TABLE groups (Key BLOB NOT NULL PRIMARY KEY, Version INTEGER NOT NULL, \
             PSOKey BLOB, SOKey BLOB, FOREIGN KEY(PSOKey) REFERENCES pipeline_states(Key), \
             FOREIGN KEY(SOKey) REFERENCES state_objects(Key));",
            "CREATE TABLE string_associations (OwningTableKey BLOB, Value TEXT NOT NULL, \
             UNIQUE(OwningTableKey, Value));",
            "CREATE UNIQUE INDEX string_associations_partial_index ON string_associations(Value) \
             WHERE OwningTableKey IS NULL;",
            "CREATE TABLE app_id (id INTEGER NOT NULL PRIMARY KEY, exe TEXT NOT NULL, \
             app_name TEXT NOT NULL, engine_name TEXT, app_version INTEGER NOT NULL, \
             engine_version INTEGER NOT NULL);",
        ] {
            assert!(sql.lines().any(|found| found == line), "{line}");
        }
        assert_eq!(TABLES.len(), 44);
    }
}
