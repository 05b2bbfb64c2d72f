//! Records with what only one stage has. DXC has defined them but no validator writes them yet.

use super::{BytesRef, IndexArrayRef, RdatRecord, RecordArrayRef, RecordReader, StringRef};
use crate::error::Result;

/// Reads the fields of a record in order: the struct and its reader from one list.
macro_rules! stage_records {
    ($(
        $(#[$doc:meta])*
        $name:ident, table $table:literal, $what:literal, $bytes:literal bytes {
            $($(#[$fdoc:meta])* $field:ident: $ty:ty = $read:ident,)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name {
            $($(#[$fdoc])* pub $field: $ty,)*
        }

        impl RdatRecord for $name {
            const TABLE: u32 = $table;
            const NAME: &'static str = $what;
            const MIN_BYTES: usize = $bytes;

            fn read(r: &mut RecordReader<'_>) -> Result<Self> {
                Ok($name { $($field: r.$read()?,)* })
            }
        }
    )*};
}

stage_records! {
    /// An element of a signature.
    RdatSignatureElement, table 13, "signature element record", 14 bytes {
        /// Semantic name.
        semantic_name: StringRef = string,
        /// Semantic index of each row.
        semantic_indices: IndexArrayRef = indices,
        /// Semantic kind, DXIL's number.
        semantic_kind: u8 = u8,
        /// Component type, DXIL's number.
        component_type: u8 = u8,
        /// Interpolation mode, DXIL's number.
        interpolation_mode: u8 = u8,
        /// First row; 0xff where it takes none.
        start_row: u8 = u8,
        /// Bits 0-1 columns minus 1, 2-3 first column, 4-5 stream.
        columns_and_stream: u8 = u8,
        /// Bits 0-3 usage mask, 4-7 mask of dynamically indexed columns.
        usage_and_dynamic_masks: u8 = u8,
    }

    /// A vertex shader.
    VertexInfo, table 14, "vertex shader record", 16 bytes {
        /// Inputs.
        inputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs.
        outputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs that depend on the view id.
        view_id_outputs: BytesRef = bytes,
    }

    /// A pixel shader.
    PixelInfo, table 15, "pixel shader record", 8 bytes {
        /// Inputs.
        inputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs.
        outputs: RecordArrayRef<RdatSignatureElement> = records,
    }

    /// A hull shader.
    HullInfo, table 16, "hull shader record", 48 bytes {
        /// Inputs.
        inputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs.
        outputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Patch constants.
        patch_constants: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs that depend on the view id.
        view_id_outputs: BytesRef = bytes,
        /// Patch constants that depend on the view id.
        view_id_patch_constants: BytesRef = bytes,
        /// Outputs by input.
        inputs_to_outputs: BytesRef = bytes,
        /// Patch constants by input.
        inputs_to_patch_constants: BytesRef = bytes,
        /// Control points in.
        input_control_points: u8 = u8,
        /// Control points out.
        output_control_points: u8 = u8,
        /// Domain, DXIL's number.
        domain: u8 = u8,
        /// Output primitive, DXIL's number.
        output_primitive: u8 = u8,
    }

    /// A domain shader.
    DomainInfo, table 17, "domain shader record", 38 bytes {
        /// Inputs.
        inputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs.
        outputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Patch constants.
        patch_constants: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs that depend on the view id.
        view_id_outputs: BytesRef = bytes,
        /// Outputs by input.
        inputs_to_outputs: BytesRef = bytes,
        /// Outputs by patch constant.
        patch_constants_to_outputs: BytesRef = bytes,
        /// Control points in.
        input_control_points: u8 = u8,
        /// Domain, DXIL's number.
        domain: u8 = u8,
    }

    /// A geometry shader.
    GeometryInfo, table 18, "geometry shader record", 28 bytes {
        /// Inputs.
        inputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs.
        outputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs that depend on the view id.
        view_id_outputs: BytesRef = bytes,
        /// Outputs by input.
        inputs_to_outputs: BytesRef = bytes,
        /// Input primitive, DXIL's number.
        input_primitive: u8 = u8,
        /// Output topology, DXIL's number.
        output_topology: u8 = u8,
        /// Maximum number of vertices per invocation.
        max_vertices: u8 = u8,
        /// Bit per stream in use.
        stream_mask: u8 = u8,
    }

    /// A compute shader.
    ComputeInfo, table 19, "compute shader record", 8 bytes {
        /// Thread group: x, y, z; missing ones are 1.
        num_threads: IndexArrayRef = indices,
        /// Bytes of groupshared memory.
        group_shared_bytes: u32 = u32,
    }

    /// A mesh shader.
    MeshInfo, table 20, "mesh shader record", 45 bytes {
        /// Outputs per vertex.
        outputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs per primitive.
        primitive_outputs: RecordArrayRef<RdatSignatureElement> = records,
        /// Outputs that depend on the view id.
        view_id_outputs: BytesRef = bytes,
        /// Primitive outputs that depend on the view id.
        view_id_primitive_outputs: BytesRef = bytes,
        /// Thread group: x, y, z; missing ones are 1.
        num_threads: IndexArrayRef = indices,
        /// Bytes of groupshared memory.
        group_shared_bytes: u32 = u32,
        /// Bytes of groupshared memory that depend on the view id.
        group_shared_bytes_by_view: u32 = u32,
        /// Bytes of the payload.
        payload_bytes: u32 = u32,
        /// Maximum number of vertices per group.
        max_vertices: u16 = u16,
        /// Maximum number of primitives per group.
        max_primitives: u16 = u16,
        /// Topology, DXIL's number.
        topology: u8 = u8,
    }

    /// An amplification shader.
    AmplificationInfo, table 21, "amplification shader record", 12 bytes {
        /// Thread group: x, y, z; missing ones are 1.
        num_threads: IndexArrayRef = indices,
        /// Bytes of groupshared memory.
        group_shared_bytes: u32 = u32,
        /// Bytes of the payload.
        payload_bytes: u32 = u32,
    }
}
