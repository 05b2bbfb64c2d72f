//! PSV0 against the module.

use super::context::{ValidationContext, first_difference, short};
use super::rules::Rule;
use crate::container::psv::{Psv, PsvElement, PsvResource, PsvStage, RuntimeInfo};
use crate::container::{Part, SignatureComponentType};
use crate::dxil::{
    ComponentType, EntryPoint, Resource, SemanticKind, ShaderFlags, ShaderKind, SignatureElement,
    Stage,
};
use crate::parts::{PsvTables, PsvWriter, psv_resource_type};

/// Checks the part.
pub(super) fn check(cx: &ValidationContext<'_>, part: Part<'_>) {
    let kind = cx.shader.shader_model.kind;
    let psv = match Psv::parse(part, Some(kind)) {
        Ok(psv) => psv,
        Err(error) => {
            cx.sink().error(Rule::ContainerContentInvalid, &error);
            return;
        }
    };
    let Some(entry) = cx.shader.entry_points.first() else {
        return;
    };
    let check = PsvCheck { cx, part, entry };
    let before = cx.sink().len();
    if !check.sizes() {
        return;
    }
    check.resources(&psv);
    check.info(&psv.info, kind);
    if psv.version >= 1 {
        check.signatures(&psv);
        check.unused_names(&psv);
    }
    if let Some(name) = psv.entry_name
        && name != &*entry.name
    {
        let detail = format_args!("the entry point is {}", short(&entry.name));
        check.report("entry function name", detail);
    }
    if cx.sink().len() == before {
        check.bytes(&psv);
    }
}

struct PsvCheck<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    part: Part<'c>,
    entry: &'c EntryPoint,
}

impl PsvCheck<'_, '_> {
    fn report(&self, field: &str, detail: impl std::fmt::Display) {
        let (name, offset) = (self.part.name, self.part.offset);
        let detail = format_args!("{field}: {detail}");
        let rule = Rule::ContainerContentMatches;
        self.cx.sink().in_part(rule, name, offset, detail);
    }

    fn same<T: PartialEq + std::fmt::Debug>(&self, field: &str, stored: T, module: T) {
        if stored != module {
            self.report(field, format_args!("{stored:?}, the module has {module:?}"));
        }
    }

    fn invalid(&self, offset: usize, detail: impl std::fmt::Display) {
        let at = self.part.offset + offset as u64;
        let rule = Rule::ContainerContentInvalid;
        self.cx.sink().in_part(rule, self.part.name, at, detail);
    }

    /// Returns the writer of the part in the version that it has, if that is right.
    fn writer(&self) -> Option<PsvWriter<'_>> {
        let writer = PsvWriter::new(self.cx.shader)?;
        // 0.0 asks for no validation, so any version is right.
        let is_free = self.cx.shader.validator_version == Some((0, 0));
        let stored = self.word(0)? as usize;
        let versions = (0..=4).map(|version| writer.with_version(version));
        let same = versions
            .into_iter()
            .find(|other| other.info_bytes() == stored);
        Some(same.filter(|_| is_free).unwrap_or(writer))
    }

    fn word(&self, offset: usize) -> Option<u32> {
        let bytes = self.part.data.get(offset..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Checks the sizes of the part and of its records: they go with the validator version that
    /// the module names (HLSL proposal 0012). Returns whether fields can be compared.
    fn sizes(&self) -> bool {
        let data = self.part.data;
        if !data.len().is_multiple_of(4) {
            self.invalid(0, format_args!("{} bytes are no whole words", data.len()));
            return false;
        }
        let (Some(writer), Some(info)) = (self.writer(), self.word(0)) else {
            return false;
        };
        let before = self.cx.sink().len();
        self.same(
            "size of the runtime info",
            info as usize,
            writer.info_bytes(),
        );
        let resources = 4 + info as usize;
        let count = self.word(resources).unwrap_or(0) as usize;
        let mut at = resources + 4;
        if count != 0 {
            let stride = self.word(at).unwrap_or(0) as usize;
            self.same("size of a resource record", stride, writer.resource_bytes());
            at += 4 + count.saturating_mul(stride);
        }
        if info >= 36 {
            let strings = self.word(at).unwrap_or(0) as usize;
            let end = at + 4 + strings;
            if strings != 0 && data.get(end - 1) != Some(&0) {
                self.invalid(end - 1, "the string table does not end in 0");
            }
            let indices = self.word(end).unwrap_or(0) as usize;
            let at = end.saturating_add(4 + indices.saturating_mul(4));
            if writer.elements().next().is_some() {
                let stride = self.word(at).unwrap_or(0);
                self.same("size of a signature element", stride, 16);
            }
        }
        self.cx.sink().len() == before
    }

    /// Compares the part with what a compiler writes, byte by byte. Validators since 1.8 compare
    /// what elements find in the tables of strings and of semantic indices; earlier ones also where
    /// they find it.
    fn bytes(&self, psv: &Psv<'_>) {
        let Some(writer) = self.writer() else {
            return;
        };
        let tables = match writer.tables() {
            Ok(own) if self.cx.minor() < 8 => own,
            Ok(own) => tables_of(psv, &writer, own),
            Err(error) => {
                self.cx.sink().error(Rule::ContainerContentInvalid, &error);
                return;
            }
        };
        let expected = match writer.write(&tables) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.cx.sink().error(Rule::ContainerContentInvalid, &error);
                return;
            }
        };
        let stored = self.part.data;
        let is_other_form = || {
            let form = writer.with_last_stream_only();
            form.is_some_and(|form| form.write(&tables).is_ok_and(|form| form == stored))
        };
        if expected == stored || is_other_form() {
            return;
        }
        let at = first_difference(&expected, stored);
        if at == expected.len() {
            let rest = stored.len() - at;
            self.invalid(at, format_args!("{rest} bytes follow the end"));
            return;
        }
        let info = writer.info_bytes();
        let what = if at < 4 + 16 {
            "properties of the stage"
        } else if at < 4 + 24 {
            "number of lanes of a wave"
        } else if at < 4 + info {
            "runtime info"
        } else if at + psv.dependency_bytes() >= expected.len() {
            "dependencies of outputs"
        } else {
            "records"
        };
        let now = stored.get(at);
        let own = expected.get(at);
        let detail = format_args!("byte {at} is {now:02x?}, the module has {own:02x?}");
        self.report(what, detail);
    }

    fn resources(&self, psv: &Psv<'_>) {
        let declared = &self.cx.shader.resources;
        let all = declared
            .cbvs
            .iter()
            .chain(&declared.samplers)
            .chain(&declared.srvs)
            .chain(&declared.uavs);
        let count = all.clone().count();
        if psv.resources.len() != count {
            self.same("resources", psv.resources.len(), count);
            return;
        }
        for (stored, resource) in psv.resources.iter().zip(all) {
            if !is_same_resource(stored, resource) {
                let name = super::resources::ResourceName(resource);
                self.report("resource", format_args!("{name} is another: {stored:?}"));
            }
        }
    }

    fn info(&self, info: &RuntimeInfo, kind: ShaderKind) {
        let entry = self.entry;
        self.same("stage", info.kind, Some(kind));
        if let Some(threads) = info.num_threads
            && let Some(own) = entry.num_threads
        {
            self.same("thread group", threads, own);
        }
        if let (Some(size), ShaderKind::Compute) = (entry.wave_size, kind) {
            let own = (size.min, size.max);
            self.same("wave size", (info.min_wave_lanes, info.max_wave_lanes), own);
        }
        match (&info.stage, &entry.stage) {
            (
                PsvStage::Hull {
                    input_control_points,
                    output_control_points,
                    domain,
                    output,
                },
                Stage::Hull {
                    input_control_points: own_inputs,
                    output_control_points: own_outputs,
                    domain: own_domain,
                    output: own_output,
                    ..
                },
            ) => {
                self.same("input control points", input_control_points, own_inputs);
                self.same("output control points", output_control_points, own_outputs);
                self.same("domain", domain, own_domain);
                self.same("output primitive", output, own_output);
            }
            (
                PsvStage::Domain {
                    input_control_points,
                    domain,
                    ..
                },
                Stage::Domain {
                    input_control_points: own_inputs,
                    domain: own_domain,
                },
            ) => {
                self.same("input control points", input_control_points, own_inputs);
                self.same("domain", domain, own_domain);
            }
            (
                PsvStage::Geometry {
                    input,
                    topology,
                    stream_mask,
                    max_vertices,
                    ..
                },
                Stage::Geometry {
                    input: own_input,
                    topology: own_topology,
                    active_streams,
                    max_vertices: own_vertices,
                    ..
                },
            ) => {
                self.same("input primitive", input, own_input);
                self.same("output topology", topology, own_topology);
                self.same("streams", stream_mask, active_streams);
                if let Some(vertices) = max_vertices {
                    self.same("vertices", u32::from(*vertices), *own_vertices);
                }
            }
            (
                PsvStage::Mesh {
                    payload_bytes,
                    max_vertices,
                    max_primitives,
                    topology,
                    ..
                },
                Stage::Mesh {
                    payload_bytes: own_bytes,
                    max_vertices: own_vertices,
                    max_primitives: own_primitives,
                    topology: own_topology,
                },
            ) => {
                self.same("payload", payload_bytes, own_bytes);
                self.same("vertices", u32::from(*max_vertices), *own_vertices);
                self.same("primitives", u32::from(*max_primitives), *own_primitives);
                if let Some(topology) = topology {
                    self.same("topology", topology, own_topology);
                }
            }
            (
                PsvStage::Amplification { payload_bytes },
                Stage::Amplification { payload_bytes: own },
            ) => {
                self.same("payload", payload_bytes, own);
            }
            (PsvStage::Pixel { depth_output, .. }, _) => {
                let own = entry.outputs.iter().any(|element| {
                    matches!(
                        element.semantic,
                        SemanticKind::Depth
                            | SemanticKind::DepthGreaterEqual
                            | SemanticKind::DepthLessEqual
                    )
                });
                self.same("depth output", *depth_output, own);
            }
            (PsvStage::Vertex { output_position }, _) => {
                let own = entry
                    .outputs
                    .iter()
                    .any(|element| element.semantic == SemanticKind::Position);
                self.same("position output", *output_position, own);
            }
            _ => {}
        }
    }

    fn signatures(&self, psv: &Psv<'_>) {
        let view_id = self.cx.flags().contains(ShaderFlags::VIEW_ID);
        self.same("use of the view id", psv.info.uses_view_id, view_id);
        for (field, stored, own) in [
            ("input element", &psv.inputs, &self.entry.inputs),
            ("output element", &psv.outputs, &self.entry.outputs),
            (
                "patch-constant element",
                &psv.patch_constants,
                &self.entry.patch_constants,
            ),
        ] {
            if stored.len() != own.len() {
                self.same(field, stored.len(), own.len());
                continue;
            }
            for (stored, own) in stored.iter().zip(own) {
                if !is_same_element(stored, own) {
                    let name = super::semantics::ElementName(own);
                    self.report(field, format_args!("{name} is another: {stored:?}"));
                }
            }
        }
    }

    /// Reports strings without a reference.
    fn unused_names(&self, psv: &Psv<'_>) {
        let table = psv.strings.bytes();
        let entry_name = psv.entry_name.map(str::as_bytes);
        let mut used: Vec<&[u8]> = entry_name.into_iter().collect();
        let elements = psv
            .inputs
            .iter()
            .chain(&psv.outputs)
            .chain(&psv.patch_constants);
        used.extend(elements.map(|element| element.semantic_name.as_bytes()));
        used.sort_unstable();
        for name in table.split(|byte| *byte == 0) {
            if !name.is_empty() && used.binary_search(&name).is_err() {
                let name = String::from_utf8_lossy(name);
                let (part, offset) = (self.part.name, self.part.offset);
                let detail = format_args!("nothing names the string {}", short(&name));
                let rule = Rule::ContainerUnusedItemInTable;
                self.cx.sink().in_part(rule, part, offset, detail);
            }
        }
    }
}

/// Returns the tables that the part has. Where an element finds something else than its name or its
/// indices there, it has the place that a compiler chooses, so that the difference shows.
fn tables_of(psv: &Psv<'_>, writer: &PsvWriter<'_>, own: PsvTables) -> PsvTables {
    let stored = psv.inputs.iter().chain(&psv.outputs);
    let stored = stored.chain(&psv.patch_constants);
    let places = writer.elements().zip(stored).zip(&own.elements);
    let elements = places.map(|((element, stored), &(name, first))| {
        let own_name = match element.semantic {
            SemanticKind::Arbitrary => &*element.name,
            // The kind of a system value names it.
            _ => "",
        };
        let is_named = stored.semantic_name == own_name;
        let is_indexed = stored
            .semantic_indices
            .iter()
            .eq(element.semantic_indices.iter().copied());
        (
            if is_named { stored.name_offset } else { name },
            if is_indexed {
                stored.first_index
            } else {
                first
            },
        )
    });
    PsvTables {
        elements: elements.collect(),
        strings: psv.strings.bytes().to_vec(),
        indices: psv.semantic_indices.iter().collect(),
        entry_name: match (psv.info.entry_name_offset, psv.entry_name) {
            (Some(offset), Some(name)) if name == writer.entry_name() => offset,
            _ => own.entry_name,
        },
    }
}

fn is_same_resource(stored: &PsvResource, resource: &Resource) -> bool {
    let last = resource.last_register();
    stored.ty == psv_resource_type(resource)
        && stored.space == resource.space
        && stored.lower_bound == resource.lower_bound
        && stored.upper_bound == last
        && stored.extra.is_none_or(|extra| extra.kind == resource.kind)
}

fn is_same_element(stored: &PsvElement<'_>, own: &SignatureElement) -> bool {
    let start = own
        .start_row
        .map(|row| (u8::try_from(row).unwrap_or(u8::MAX), own.start_column));
    let stored_start = stored.start.map(|(row, column)| (row, u32::from(column)));
    // The kind of a system value names it.
    let own_name = match own.semantic {
        SemanticKind::Arbitrary => &*own.name,
        _ => "",
    };
    let name_fits = stored.semantic_name == own_name;
    name_fits
        && stored.semantic_indices.iter().eq(own
            .semantic_indices
            .iter()
            .copied()
            .take(own.rows as usize))
        && u32::from(stored.rows) == own.rows
        && u32::from(stored.columns) == own.columns
        && stored_start == start
        && stored.semantic_kind == own.semantic as u8
        && stored.interpolation_mode == own.interpolation as u8
        && u32::from(stored.stream) == own.stream
        && component_fits(stored.component_type, own.component)
}

fn component_fits(stored: SignatureComponentType, own: ComponentType) -> bool {
    use SignatureComponentType as S;
    match own {
        ComponentType::I32 => stored == S::I32,
        ComponentType::U32 => stored == S::U32,
        ComponentType::F32 => stored == S::F32,
        ComponentType::SNormF32 | ComponentType::UNormF32 => stored == S::Unknown,
        ComponentType::I16 => matches!(stored, S::I16 | S::I32),
        ComponentType::U16 => matches!(stored, S::U16 | S::U32),
        ComponentType::F16 => matches!(stored, S::F16 | S::F32),
        // Before validator version 1.5 booleans were of an unknown type.
        _ => true,
    }
}
