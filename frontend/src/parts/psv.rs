//! PSV0 ("Pipeline State Validation").

use super::features::module_flags;
use super::signatures::component_type;
use super::view_id::{self, Vectors, ViewIdState};
use super::{pad, put, validator_minor, word};
use crate::container::psv::PsvResourceType;
use crate::dxil::type_sizes::TypeSizes;
use crate::dxil::{
    EntryPoint, InterpolationMode, Resource, ResourceClass, ResourceKind, SemanticKind, Shader,
    ShaderFlags, ShaderKind, SignatureElement, Stage,
};
use crate::error::{Error, Result};
use crate::ir::address_space::GROUP_SHARED;

/// Bytes of the runtime info by version, 0 to 4.
const INFO_BYTES: [usize; 5] = [24, 36, 48, 52, 56];
/// Bytes of a signature element.
const ELEMENT_BYTES: u32 = 16;

/// Returns the version of PSV0 that goes with a validator version 1.x (HLSL proposal 0012 and DXC:
/// 1.1 brought the signatures, 1.6 thread groups, 1.8 the entry's name, 1.10 groupshared memory).
pub fn psv_version(validator_minor: u8) -> u8 {
    match validator_minor {
        0 => 0,
        1..6 => 1,
        6..8 => 2,
        8..10 => 3,
        _ => 4,
    }
}

/// The tables of PSV0 to which its records point. A compiler may lay them out as it likes, so they
/// can also be those of an existing part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PsvTables {
    /// The string table, padded to whole words.
    pub strings: Vec<u8>,
    /// The table of semantic indices.
    pub indices: Vec<u32>,
    /// For each element, inputs first: the offset of its name and its place among the indices.
    pub elements: Vec<(u32, u32)>,
    /// The offset of the name of the entry function.
    pub entry_name: u32,
}

/// Writes PSV0 of a module with one entry point.
#[derive(Debug, Clone, Copy)]
pub struct PsvWriter<'a> {
    shader: &'a Shader,
    entry: &'a EntryPoint,
    version: u8,
    validator_minor: u8,
    last_stream_only: bool,
}

impl<'a> PsvWriter<'a> {
    /// Returns a writer for the only entry point of a module, in the version that goes with the
    /// module's validator version; `None` for libraries, which have RDAT instead.
    pub fn new(shader: &'a Shader) -> Option<Self> {
        if shader.shader_model.kind == ShaderKind::Library {
            return None;
        }
        let validator_minor = validator_minor(shader);
        Some(PsvWriter {
            shader,
            entry: shader.entry_points.first()?,
            version: psv_version(validator_minor),
            validator_minor,
            last_stream_only: false,
        })
    }

    /// Returns the version of PSV0 that it writes, 0 to 4.
    pub fn version(&self) -> u8 {
        self.version
    }

    /// Writes another version than that of the module's validator version.
    #[must_use]
    pub fn with_version(self, version: u8) -> Self {
        PsvWriter { version, ..self }
    }

    /// Returns the writer for the form that DXC up to 1.7 writes for geometry shaders with several
    /// streams: only the table of the last one is filled in. `None` for other shaders.
    pub fn with_last_stream_only(&self) -> Option<Self> {
        let is_old = self.validator_minor <= 7;
        let has_streams = self.entry.outputs.iter().any(|output| output.stream != 0);
        (is_old && has_streams).then_some(PsvWriter {
            last_stream_only: true,
            ..*self
        })
    }

    /// Returns the size of the runtime info in bytes.
    pub fn info_bytes(&self) -> usize {
        let at = usize::from(self.version);
        INFO_BYTES.get(at).copied().unwrap_or(56)
    }

    /// Returns the size of a resource's record in bytes.
    pub fn resource_bytes(&self) -> usize {
        if self.version >= 2 { 24 } else { 16 }
    }

    /// Returns all signature elements: inputs, outputs, patch constants or primitives.
    pub fn elements(&self) -> impl Iterator<Item = &'a SignatureElement> {
        let entry = self.entry;
        let outputs = entry.inputs.iter().chain(&entry.outputs);
        outputs.chain(&entry.patch_constants)
    }

    /// Returns the name of the entry function, as the module has it.
    pub fn entry_name(&self) -> &'a str {
        &self.entry.name
    }

    /// Returns the resources in the order of their records.
    pub fn resources(&self) -> impl Iterator<Item = &'a Resource> {
        let all = &self.shader.resources;
        let samplers = all.cbvs.iter().chain(&all.samplers);
        samplers.chain(&all.srvs).chain(&all.uavs)
    }

    /// Returns the tables as DXC lays them out.
    ///
    /// # Errors
    ///
    /// If a table would be larger than 4 GiB.
    pub fn tables(&self) -> Result<PsvTables> {
        // The empty name of system values comes first.
        let mut tables = PsvTables {
            strings: vec![0],
            ..PsvTables::default()
        };
        for element in self.elements() {
            let mut name = 0;
            if element.semantic == SemanticKind::Arbitrary && !element.name.is_empty() {
                name = word(tables.strings.len(), "string table")?;
                tables.strings.extend_from_slice(element.name.as_bytes());
                tables.strings.push(0);
            }
            let own = &element.semantic_indices;
            let rows = own.len();
            let known = if rows == 0 {
                None
            } else {
                tables.indices.windows(rows).position(|run| *run == **own)
            };
            let at = known.unwrap_or_else(|| {
                tables.indices.extend_from_slice(own);
                tables.indices.len() - rows
            });
            tables
                .elements
                .push((name, word(at, "semantic index table")?));
        }
        if self.version >= 3 {
            tables.entry_name = word(tables.strings.len(), "string table")?;
            tables.strings.extend_from_slice(self.entry.name.as_bytes());
            tables.strings.push(0);
        }
        pad(&mut tables.strings);
        Ok(tables)
    }

    /// Returns the content of PSV0.
    ///
    /// # Errors
    ///
    /// If the module's `dx.viewIdState` does not fit its signatures, or a number has no room in
    /// its field.
    pub fn write(&self, tables: &PsvTables) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        put(&mut out, word(self.info_bytes(), "runtime info")?);
        let vectors = self.vectors();
        self.write_info(&mut out, tables, vectors)?;
        let count = self.resources().count();
        put(&mut out, word(count, "resources")?);
        if count != 0 {
            put(&mut out, word(self.resource_bytes(), "resource record")?);
            for resource in self.resources() {
                self.write_resource(&mut out, resource);
            }
        }
        if self.version == 0 {
            return Ok(out);
        }
        put(&mut out, word(tables.strings.len(), "string table")?);
        out.extend_from_slice(&tables.strings);
        put(
            &mut out,
            word(tables.indices.len(), "semantic index table")?,
        );
        for index in &tables.indices {
            put(&mut out, *index);
        }
        if self.elements().next().is_some() {
            put(&mut out, ELEMENT_BYTES);
            for (element, places) in self.elements().zip(&tables.elements) {
                out.extend_from_slice(&self.element(element, *places)?);
            }
        }
        let kind = self.shader.shader_model.kind;
        let list = &self.shader.view_id_state;
        let state = view_id::read(list, kind, self.uses_view_id(), vectors);
        let ViewIdState { masks, mut tables } = state.ok_or_else(|| {
            Error::malformed("metadata: the view-id state is not that of the signatures")
        })?;
        if self.last_stream_only
            && let Some(last) = vectors.outputs.iter().rposition(|count| *count != 0)
        {
            let earlier = tables.iter_mut().take(last).flatten();
            earlier.for_each(|word| *word = 0);
        }
        for word in masks.iter().chain(&tables).flatten() {
            put(&mut out, *word);
        }
        Ok(out)
    }

    fn uses_view_id(&self) -> bool {
        module_flags(self.shader).contains(ShaderFlags::VIEW_ID)
    }

    fn vectors(&self) -> Vectors {
        let used = |elements: &[SignatureElement], stream: u32| {
            let own = elements.iter().filter(|element| element.stream == stream);
            let ends = own.filter_map(|element| Some(element.start_row? + element.rows));
            u8::try_from(ends.max().unwrap_or(0)).unwrap_or(u8::MAX)
        };
        let has_third = matches!(
            self.shader.shader_model.kind,
            ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh
        );
        Vectors {
            inputs: used(&self.entry.inputs, 0),
            outputs: [0, 1, 2, 3].map(|stream| used(&self.entry.outputs, stream)),
            patch_constants: if has_third {
                used(&self.entry.patch_constants, 0)
            } else {
                0
            },
        }
    }

    fn write_info(&self, out: &mut Vec<u8>, tables: &PsvTables, vectors: Vectors) -> Result<()> {
        let entry = self.entry;
        let kind = self.shader.shader_model.kind;
        let start = out.len();
        self.write_stage(out);
        out.resize(start + 16, 0);
        let (least, most) = match (kind, entry.wave_size) {
            (ShaderKind::Compute, Some(size)) => (size.min, size.max),
            _ => (0, u32::MAX),
        };
        put(out, least);
        put(out, most);
        if self.version >= 1 {
            out.push(kind as u8);
            out.push(u8::from(self.uses_view_id()));
            let (low, high) = match entry.stage {
                Stage::Geometry { max_vertices, .. } if kind == ShaderKind::Geometry => {
                    let [low, high, ..] = max_vertices.to_le_bytes();
                    (low, high)
                }
                Stage::Mesh { topology, .. } => (vectors.patch_constants, topology.number()),
                _ => (vectors.patch_constants, 0),
            };
            out.extend_from_slice(&[low, high]);
            for elements in [&entry.inputs, &entry.outputs, &entry.patch_constants] {
                out.push(byte(elements.len(), "signature elements")?);
            }
            out.push(vectors.inputs);
            out.extend_from_slice(&vectors.outputs);
        }
        let has_groups = matches!(
            kind,
            ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
        );
        if self.version >= 2 {
            let threads = entry.num_threads.filter(|_| has_groups);
            for count in threads.unwrap_or_default() {
                put(out, count);
            }
        }
        if self.version >= 3 {
            put(out, tables.entry_name);
        }
        if self.version >= 4 {
            put(out, if has_groups { self.group_shared() } else { 0 });
        }
        Ok(())
    }

    /// Writes the properties of the stage: 16 bytes at most.
    fn write_stage(&self, out: &mut Vec<u8>) {
        let entry = self.entry;
        let has = |elements: &[SignatureElement], found: fn(&SignatureElement) -> bool| {
            u8::from(elements.iter().any(found))
        };
        let position = has(&entry.outputs, |element| {
            element.semantic == SemanticKind::Position
        });
        match (self.shader.shader_model.kind, &entry.stage) {
            (ShaderKind::Vertex, _) => out.push(position),
            (ShaderKind::Pixel, _) => {
                let depth = has(&entry.outputs, |element| {
                    matches!(
                        element.semantic,
                        SemanticKind::Depth
                            | SemanticKind::DepthGreaterEqual
                            | SemanticKind::DepthLessEqual
                    )
                });
                let per_sample = has(&entry.inputs, |element| {
                    element.semantic == SemanticKind::SampleIndex
                        || matches!(
                            element.interpolation,
                            InterpolationMode::LinearSample
                                | InterpolationMode::LinearNoPerspectiveSample
                        )
                });
                out.extend_from_slice(&[depth, per_sample]);
            }
            (
                ShaderKind::Hull,
                Stage::Hull {
                    input_control_points,
                    output_control_points,
                    domain,
                    output,
                    ..
                },
            ) => {
                put(out, *input_control_points);
                put(out, *output_control_points);
                put(out, domain.number().into());
                put(out, output.number().into());
            }
            (
                ShaderKind::Domain,
                Stage::Domain {
                    domain,
                    input_control_points,
                },
            ) => {
                put(out, *input_control_points);
                put(out, position.into());
                put(out, domain.number().into());
            }
            (
                ShaderKind::Geometry,
                Stage::Geometry {
                    input,
                    active_streams,
                    topology,
                    ..
                },
            ) => {
                put(out, input.number().into());
                put(out, topology.number().into());
                // Without any stream the runtime expects the first one.
                put(out, (*active_streams).max(1));
                put(out, position.into());
            }
            (
                ShaderKind::Mesh,
                Stage::Mesh {
                    max_vertices,
                    max_primitives,
                    payload_bytes,
                    ..
                },
            ) => {
                put(out, self.group_shared());
                // Bytes that depend on the view id: DXC never fills them in.
                put(out, 0);
                put(out, *payload_bytes);
                put(out, max_vertices & 0xffff | max_primitives << 16);
            }
            (ShaderKind::Amplification, Stage::Amplification { payload_bytes }) => {
                put(out, *payload_bytes);
            }
            _ => {}
        }
    }

    /// Returns the bytes of all groupshared variables.
    fn group_shared(&self) -> u32 {
        let flags = module_flags(self.shader);
        let native = flags.contains(ShaderFlags::USE_NATIVE_LOW_PRECISION);
        let sizes = TypeSizes::new(&self.shader.module.types, !native);
        let globals = self.shader.module.globals.values();
        let shared = globals.filter(|global| global.address_space == GROUP_SHARED);
        let bytes = shared.fold(0u64, |sum, global| {
            sum.saturating_add(sizes.bytes(global.ty))
        });
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }

    fn write_resource(&self, out: &mut Vec<u8>, resource: &Resource) {
        let last = resource.last_register();
        for word in [
            resource_type(resource).number(),
            resource.space,
            resource.lower_bound,
            last,
        ] {
            put(out, word);
        }
        if self.version >= 2 {
            put(out, resource.kind as u32);
            let is_uav = resource.class == ResourceClass::Uav;
            put(out, u32::from(is_uav && resource.detail.atomic64));
        }
    }

    fn element(&self, element: &SignatureElement, (name, first): (u32, u32)) -> Result<[u8; 16]> {
        let mut out = [0; 16];
        let (place, rest) = out.split_at_mut(8);
        place.copy_from_slice(&(u64::from(name) | u64::from(first) << 32).to_le_bytes());
        let columns = (element.columns & 0xf) as u8;
        let (row, columns) = match element.start_row {
            Some(row) => (
                row,
                columns | 0x40 | low_byte(element.start_column & 3) << 4,
            ),
            None => (0, columns),
        };
        rest.copy_from_slice(&[
            byte(element.rows as usize, "rows of an element")?,
            byte(row as usize, "row of an element")?,
            columns,
            element.semantic as u8,
            byte(
                component_type(element.component, self.validator_minor).number() as usize,
                "component type",
            )?,
            element.interpolation as u8,
            low_byte(element.stream & 3) << 4 | element.dynamic_index_mask & 0xf,
            0,
        ]);
        Ok(out)
    }
}

fn byte(value: usize, what: &'static str) -> Result<u8> {
    u8::try_from(value).map_err(|_| Error::malformed(format!("{what}: {value} is over 8 bits")))
}

/// Returns how PSV0 calls a resource.
pub(crate) fn resource_type(resource: &Resource) -> PsvResourceType {
    use PsvResourceType as T;
    let kind = resource.kind;
    match resource.class {
        ResourceClass::Sampler => T::Sampler,
        ResourceClass::Cbv => T::Cbv,
        ResourceClass::Srv => match kind {
            ResourceKind::RawBuffer | ResourceKind::RtAccelerationStructure => T::SrvRaw,
            ResourceKind::StructuredBuffer => T::SrvStructured,
            _ => T::SrvTyped,
        },
        ResourceClass::Uav => match kind {
            ResourceKind::RawBuffer => T::UavRaw,
            ResourceKind::StructuredBuffer if resource.detail.has_counter => {
                T::UavStructuredWithCounter
            }
            ResourceKind::StructuredBuffer => T::UavStructured,
            _ => T::UavTyped,
        },
    }
}

/// The lowest eight bits of a number.
fn low_byte(number: u32) -> u8 {
    number.to_le_bytes()[0]
}
