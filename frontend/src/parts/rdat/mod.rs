//! RDAT: the runtime data of a library. A compiler lays it out in one way only, which DXC's
//! validator asks for byte by byte: strings, resources, functions, lists, raw bytes, subobjects,
//! nodes; each filled in the order in which the records are written.

mod nodes;
mod subobjects;
mod tables;

pub use subobjects::{SubobjectContent, SubobjectText, subobjects_of};

use nodes::NodeTables;
use tables::{NULL, Pool, RecordTable};

use super::validator_minor;
use crate::container::FeatureFlags;
use crate::container::rdat::{
    FunctionFlags, FunctionRecord, RdatRecord, ResourceRecord, ResourceRecordFlags, Subobject,
};
use crate::dxil::{EntryPoint, Resource, ResourceClass, Shader, ShaderKind, Stage, plain_name};
use crate::error::{Error, Result};
use crate::ir::FuncId;
use crate::tables::HashMap;

/// Words of a resource's record.
const RESOURCE_WORDS: usize = 8;
/// Words of a function's record before validator version 1.8 and since.
const OLD_FUNCTION_WORDS: usize = 11;
const FUNCTION_WORDS: usize = 13;
/// Words of a subobject's record.
const SUBOBJECT_WORDS: usize = 6;

/// What RDAT says of a function besides its name and its attributes, which the code decides.
/// [`validate::function_needs`](crate::validate::function_needs) finds it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionNeeds {
    /// The function; those with a body have a record, in the order of the module.
    pub function: FuncId,
    /// Its stage; `Library` for a plain function.
    pub kind: ShaderKind,
    /// Rows of the resources that it uses, in ascending order.
    pub resources: Vec<u32>,
    /// Functions that it calls and other libraries define.
    pub externals: Vec<FuncId>,
    /// Features that the device must have.
    pub features: FeatureFlags,
    /// A bit for each [`ShaderKind`] that may call it.
    pub stage_mask: u32,
    /// The least shader model, major and minor.
    pub shader_model: (u8, u8),
    /// Bytes of the groupshared variables that it names.
    pub group_shared_bytes: u32,
}

/// Writes RDAT of a library.
#[derive(Debug, Clone, Copy)]
pub struct RdatWriter<'a> {
    shader: &'a Shader,
    has_nodes: bool,
}

impl<'a> RdatWriter<'a> {
    /// Returns a writer for a library, in the form that goes with the module's validator version;
    /// `None` for other shaders.
    pub fn new(shader: &'a Shader) -> Option<Self> {
        let is_library = shader.shader_model.kind == ShaderKind::Library;
        is_library.then(|| RdatWriter {
            shader,
            has_nodes: validator_minor(shader) >= 8,
        })
    }

    /// Writes functions as validators since 1.8 do, with their nodes, or as those before.
    #[must_use]
    pub fn with_nodes(self, has_nodes: bool) -> Self {
        RdatWriter { has_nodes, ..self }
    }

    /// Returns the resources in the order of their records.
    pub fn resources(&self) -> impl Iterator<Item = &'a Resource> + use<'a> {
        resources_in_order(self.shader)
    }

    /// Returns the bytes of a function's record.
    pub fn function_bytes(&self) -> usize {
        4 * if self.has_nodes {
            FUNCTION_WORDS
        } else {
            OLD_FUNCTION_WORDS
        }
    }

    /// Returns the content of RDAT.
    ///
    /// # Errors
    ///
    /// If a function has no declaration, or a table would be larger than 4 GiB.
    pub fn write(
        &self,
        functions: &[FunctionNeeds],
        subobjects: &[SubobjectText<'_>],
    ) -> Result<Vec<u8>> {
        let mut pool = Pool::new();
        let mut resources = RecordTable::new(ResourceRecord::TABLE, RESOURCE_WORDS);
        for resource in self.resources() {
            resources.add(&resource_record(&mut pool, resource)?)?;
        }
        let mut records = RecordTable::new(FunctionRecord::TABLE, self.function_bytes() / 4);
        let mut nodes = NodeTables::new();
        let entries = self.entries();
        self.externals(&mut pool, functions)?;
        let of_subobjects = self.features_of_subobjects(subobjects);
        for needs in functions {
            let features = needs.features | of_subobjects;
            let entry = entries.get(&needs.function).copied();
            let of_function = (needs, entry);
            let record = self.function_record(&mut pool, &mut nodes, of_function, features)?;
            let own = record.get(..self.function_bytes() / 4);
            records.add(own.unwrap_or(&record))?;
        }
        let mut table = RecordTable::new(Subobject::TABLE, SUBOBJECT_WORDS);
        for subobject in subobjects {
            subobjects::write(&mut pool, &mut table, subobject)?;
        }
        let mut behind = vec![table];
        behind.extend(nodes.into_tables());
        tables::write(pool, &[resources, records], &behind)
    }

    /// Returns the features that all functions need because of the subobjects, as validators before
    /// 1.8 have it.
    pub(crate) fn features_of_subobjects(&self, subobjects: &[SubobjectText<'_>]) -> FeatureFlags {
        let minor = validator_minor(self.shader);
        if (5..8).contains(&minor) && subobjects::need_tier_1_1(subobjects) {
            FeatureFlags::RAYTRACING_TIER_1_1
        } else {
            FeatureFlags::empty()
        }
    }

    /// Adds the names of functions of other libraries, which come before those of the own ones.
    fn externals(&self, pool: &mut Pool, functions: &[FunctionNeeds]) -> Result<()> {
        let called = functions.iter().flat_map(|needs| &needs.externals);
        let mut called: Vec<FuncId> = called.copied().collect();
        called.sort_unstable();
        called.dedup();
        for id in called {
            pool.string(self.name(id)?)?;
        }
        Ok(())
    }

    /// Returns the entry points by function; of several with one function the first.
    fn entries(&self) -> HashMap<FuncId, &'a EntryPoint> {
        let mut entries = HashMap::default();
        for entry in &self.shader.entry_points {
            if let Some(function) = entry.function {
                entries.entry(function).or_insert(entry);
            }
        }
        entries
    }

    fn name(&self, id: FuncId) -> Result<&'a str> {
        let decl = self.shader.module.functions.get(id);
        decl.map(|decl| &*decl.name)
            .ok_or_else(|| Error::malformed("a function without declaration"))
    }

    fn function_record(
        &self,
        pool: &mut Pool,
        nodes: &mut NodeTables,
        (needs, entry): (&FunctionNeeds, Option<&EntryPoint>),
        features: FeatureFlags,
    ) -> Result<[u32; FUNCTION_WORDS]> {
        let name = self.name(needs.function)?;
        let kind = needs.kind as u32;
        let (payload_bytes, attribute_bytes) = entry.map_or((0, 0), sizes_of);
        let [low, high] = [features.bits(), features.bits() >> 32]
            .map(|bits| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or(0));
        let (major, minor) = needs.shader_model;
        let own_name = pool.string(name)?;
        let unmangled = pool.string(unmangled_name(name))?;
        let resources = pool.list_or_null(&needs.resources)?;
        let externals: Vec<u32> = needs
            .externals
            .iter()
            .map(|id| pool.string(self.name(*id)?))
            .collect::<Result<_>>()?;
        let externals = pool.list_or_null(&externals)?;
        let lanes = entry.and_then(|entry| entry.wave_size);
        let lanes = lanes.map_or(0, |size| size.min & 0xff | (size.max & 0xff) << 8);
        let mut flags = FunctionFlags::empty();
        let mut node_row = NULL;
        if let Some(entry) = entry
            && let Stage::Node(node) = &entry.stage
            && self.has_nodes
        {
            flags.set(FunctionFlags::NODE_PROGRAM_ENTRY, node.is_program_entry);
            let shared = needs.group_shared_bytes;
            node_row = nodes.add(pool, node, entry.num_threads, shared)?;
        }
        Ok([
            own_name,
            unmangled,
            resources,
            externals,
            kind,
            payload_bytes,
            attribute_bytes,
            low,
            high,
            needs.stage_mask,
            kind << 16 | u32::from(major) << 4 | u32::from(minor),
            lanes | u32::from(flags.bits()) << 16,
            node_row,
        ])
    }
}

/// Returns the resources of a shader in the order in which RDAT has them.
pub(crate) fn resources_in_order(shader: &Shader) -> impl Iterator<Item = &Resource> {
    let all = &shader.resources;
    let samplers = all.cbvs.iter().chain(&all.samplers);
    samplers.chain(&all.srvs).chain(&all.uavs)
}

fn resource_record(pool: &mut Pool, resource: &Resource) -> Result<[u32; RESOURCE_WORDS]> {
    Ok([
        resource.class as u32,
        resource.kind as u32,
        resource.id,
        resource.space,
        resource.lower_bound,
        resource.last_register(),
        pool.string(&resource.name)?,
        flags_of(resource).bits(),
    ])
}

/// Returns the flags of a resource's record.
pub(crate) fn flags_of(resource: &Resource) -> ResourceRecordFlags {
    use ResourceRecordFlags as F;
    let mut flags = F::empty();
    if resource.class == ResourceClass::Uav {
        let detail = &resource.detail;
        flags.set(F::UAV_COUNTER, detail.has_counter);
        flags.set(F::UAV_GLOBALLY_COHERENT, detail.globally_coherent);
        flags.set(F::UAV_RASTERIZER_ORDERED, detail.rasterizer_ordered);
        flags.set(F::ATOMICS64_USE, detail.atomic64);
        flags.set(F::UAV_REORDER_COHERENT, detail.reorder_coherent);
    }
    flags
}

/// Returns the name in the source of a function; names that are not mangled are these.
pub(crate) fn unmangled_name(name: &str) -> &str {
    if name.starts_with("\u{1}?") {
        plain_name(name)
    } else {
        name
    }
}

/// Returns the bytes of payload (or parameter) and attributes of a ray tracing shader.
pub(crate) fn sizes_of(entry: &EntryPoint) -> (u32, u32) {
    let payload = entry.payload_bytes.unwrap_or(0);
    match entry.kind {
        ShaderKind::AnyHit | ShaderKind::ClosestHit => {
            (payload, entry.attribute_bytes.unwrap_or(0))
        }
        ShaderKind::Miss | ShaderKind::Callable => (payload, 0),
        _ => (0, 0),
    }
}
