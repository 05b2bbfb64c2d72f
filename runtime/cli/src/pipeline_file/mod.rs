//! Pipeline files: the resources of a shader, its dispatch and the expected results, as YAML.
//!
//! The format and its rules are those of LLVM's offload-test-suite (unknown keys are errors;
//! notations of numbers; comparison rules), so that its tests run unchanged.
//!
//! ```text
//! text --parse--> Pipeline --plan--> PlannedJob (a Job) --device--> Outcome
//!                    |                    \--buffers(outcome)--> buffers after the run
//!                    \-------------------------check--------------------+--> Verdict per rule
//! ```
//!
//! This module accesses no device and no file, and prints nothing.

mod binding;
mod buffer;
mod check;
pub mod document;
mod elements;
mod lenient;
mod plan;
mod raster;
mod ray_keys;
mod rays;
mod report;
mod scalar;
mod scene;
mod schema;
mod specialize;
mod spirv;
mod yaml;

pub use buffer::{Buffer, TextureShape};
pub use check::{Mismatch, Verdict};
pub use document::{DenormMode, Document, Rule, Stage};
pub use elements::{BadElement, ElementFormat, Printed};
pub use plan::PlannedJob;
pub use report::PipelineReport;
pub use scene::add_scene;
pub use schema::schema;

use dxil_frontend::tables::HashSet;

use document::{ResourceKind, ResultRule};
use dxil_frontend::dxbc::ClassBinding;
use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::escape::{bounded, message};

/// Shorthand for results of this module.
pub type Result<T, E = PipelineError> = std::result::Result<T, E>;

/// An error in a pipeline file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The text is not valid YAML. The message has line, column and an excerpt.
    #[error("{}", message(.0))]
    Yaml(String),
    /// An undefined name.
    #[error("{} refers to the {what} `{}`, which the file does not define", bounded(.user, 1000), bounded(.name, 1000))]
    Unknown {
        /// The object that refers to it.
        user: String,
        /// Kind of object: buffer, sampler ...
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The file is inconsistent.
    #[error("{}", message(.0))]
    Invalid(String),
    /// The file needs an unsupported feature.
    #[error("not supported: {}", bounded(.0, 4000))]
    Unsupported(String),
}

/// Kind of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PipelineKind {
    /// One compute shader.
    Compute,
    /// A vertex shader and later stages.
    Raster,
    /// A mesh shader and later stages.
    MeshRaster,
    /// Ray tracing.
    RayTracing,
}

/// A consistent pipeline file: every name is defined, and every rule is complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// Kind of the pipeline.
    pub kind: PipelineKind,
    /// The document.
    pub document: Document,
}

impl Pipeline {
    /// Reads a pipeline file.
    ///
    /// # Errors
    ///
    /// [`PipelineError::Yaml`] with line and column if the text is not YAML of the format; other
    /// errors for inconsistent, undefined or unsupported contents.
    pub fn parse(text: &str) -> Result<Self> {
        buffer::begin_file();
        let document: Document = serde_saphyr::from_str(&lenient::as_llvm_reads(text))
            .map_err(|error| PipelineError::Yaml(yaml::describe(&error, text)))?;
        let kind = kind_of(&document)?;
        check_names("buffers", document.buffers.iter().map(|b| &b.name))?;
        check_names("samplers", document.samplers.iter().map(|s| &s.name))?;
        let pipeline = Pipeline { kind, document };
        if pipeline.kind == PipelineKind::RayTracing {
            pipeline.refuse_class_instances("ray tracing pipelines")?;
        }
        pipeline.check_dispatch()?;
        pipeline.check_references()?;
        for rule in &pipeline.document.results {
            pipeline.check_rule(rule)?;
        }
        Ok(pipeline)
    }

    /// Checks that shaders have the stages of the file, in any order. A library may provide any
    /// number of them.
    ///
    /// # Errors
    ///
    /// [`PipelineError::Invalid`] with the stage that is missing or that the file lacks.
    pub fn check_stages(&self, given: &[ShaderKind]) -> Result<()> {
        if given.contains(&ShaderKind::Library) {
            return Ok(());
        }
        let stages = self.document.shaders.iter().map(|shader| shader.stage);
        let mut wanted: Vec<String> = stages.map(|stage| format!("{stage:?}")).collect();
        let mut given: Vec<String> = given.iter().map(|kind| format!("{kind:?}")).collect();
        wanted.sort_unstable();
        given.sort_unstable();
        if wanted == given {
            return Ok(());
        }
        let (wanted, given) = (wanted.join(", "), given.join(", "));
        Err(PipelineError::Invalid(format!(
            "the file needs shaders of the stages {wanted}, and was given {given}"
        )))
    }

    /// Returns the class instances that the file names for the interfaces of a stage.
    pub fn class_instances(&self, kind: ShaderKind) -> &[ClassBinding] {
        let mut shaders = self.document.shaders.iter();
        let shader = shaders.find(|shader| format!("{:?}", shader.stage) == format!("{kind:?}"));
        shader.map_or(&[], |shader| &shader.class_instances)
    }

    /// Refuses class instances, where the shaders can have no interfaces.
    fn refuse_class_instances(&self, what: &str) -> Result<()> {
        let mut shaders = self.document.shaders.iter();
        if shaders.any(|shader| !shader.class_instances.is_empty()) {
            return Err(PipelineError::Invalid(format!(
                "class instances are for shaders of DXBC, not for {what}"
            )));
        }
        Ok(())
    }

    /// Returns the buffer with this name.
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.document.buffers.iter().find(|b| b.name == name)
    }

    /// Returns the sampler with this name.
    pub fn sampler(&self, name: &str) -> Option<&document::Sampler> {
        self.document.samplers.iter().find(|s| s.name == name)
    }

    /// Returns the number of thread groups of the dispatch.
    pub fn groups(&self) -> [u32; 3] {
        let parameters = &self.document.dispatch_parameters;
        parameters.dispatch_group_count.unwrap_or([1; 3])
    }

    fn require_buffer(&self, name: &str, user: impl FnOnce() -> String) -> Result<&Buffer> {
        self.buffer(name).ok_or_else(|| PipelineError::Unknown {
            user: user(),
            what: "buffer",
            name: name.to_owned(),
        })
    }

    fn require_sampler(&self, name: &str) -> Result<&document::Sampler> {
        self.sampler(name).ok_or_else(|| PipelineError::Unknown {
            user: format!("resource `{name}`"),
            what: "sampler",
            name: name.to_owned(),
        })
    }

    fn check_dispatch(&self) -> Result<()> {
        let parameters = &self.document.dispatch_parameters;
        if parameters.vertex_count.is_some() && self.kind != PipelineKind::Raster {
            return Err(PipelineError::Invalid(
                "VertexCount is for pipelines with a vertex shader".to_owned(),
            ));
        }
        if self.kind == PipelineKind::Raster && self.groups() != [1; 3] {
            return Err(PipelineError::Invalid(
                "DispatchGroupCount is not for pipelines with a vertex shader".to_owned(),
            ));
        }
        Ok(())
    }

    fn check_references(&self) -> Result<()> {
        let document = &self.document;
        for sampler in &document.samplers {
            let compares = sampler.comparison != document::CompareFunction::Never;
            if compares != (sampler.kind == document::SamplerKind::SamplerComparison) {
                return Err(PipelineError::Invalid(format!(
                    "sampler `{}`: a SamplerComparison has a ComparisonOp other than Never, a \
                     Sampler has none",
                    sampler.name
                )));
            }
        }
        for resource in document.descriptor_sets.iter().flat_map(|s| &s.resources) {
            let name = &resource.name;
            if resource.directx_binding.is_some() == resource.heap_index.is_some() {
                return Err(PipelineError::Invalid(format!(
                    "resource `{name}` needs either a DirectXBinding or a HeapIndex"
                )));
            }
            match resource.kind {
                ResourceKind::AccelerationStructure => drop(self.require_structure(name)?),
                ResourceKind::Sampler => drop(self.require_sampler(name)?),
                ResourceKind::SampledTexture2D => {
                    self.require_sampler(name)?;
                    self.require_buffer(name, || format!("resource `{name}`"))?;
                }
                _ => drop(self.require_buffer(name, || format!("resource `{name}`"))?),
            }
        }
        self.check_scene()?;
        let roots = &document.runtime_settings.directx.root_parameters;
        let mut tables = 0;
        for (index, root) in roots.iter().enumerate() {
            let (what, name) = match root {
                document::RootParameter::DescriptorTable {} => {
                    tables += 1;
                    continue;
                }
                document::RootParameter::Constant { name } => ("constant", name),
                document::RootParameter::RootDescriptor { resource }
                    if resource.kind == ResourceKind::AccelerationStructure =>
                {
                    self.require_structure(&resource.name)?;
                    continue;
                }
                document::RootParameter::RootDescriptor { resource } => {
                    ("descriptor", &resource.name)
                }
            };
            let buffer = self.require_buffer(name, || format!("root parameter {index}"))?;
            // A root parameter is one value or one descriptor; only tables have arrays.
            let elements = buffer.data.len();
            if elements != 1 {
                return Err(PipelineError::Invalid(format!(
                    "Root {what} cannot refer to resource arrays: root parameter {index} is \
                     `{name}`, which has an ArraySize of {elements}"
                )));
            }
        }
        let sets = document.descriptor_sets.len();
        // The n-th descriptor set is the n-th table, so there must be as many of both.
        if !roots.is_empty() && tables != sets {
            return Err(PipelineError::Invalid(format!(
                "there are {sets} DescriptorSets and {tables} DescriptorTable root parameters"
            )));
        }
        if let Some(bindings) = &document.bindings {
            for name in bindings.vertex_buffer.iter().chain(&bindings.render_target) {
                self.require_buffer(name, || "Bindings".to_owned())?;
            }
        }
        Ok(())
    }

    fn check_rule(&self, rule: &ResultRule) -> Result<()> {
        let user = || format!("result `{}`", rule.name);
        let actual = self.require_buffer(&rule.actual, user)?;
        let expected = self.require_buffer(&rule.expected, user)?;
        let invalid = |message: &str| {
            let name = &rule.name;
            Err(PipelineError::Invalid(format!(
                "result `{name}`: {message}"
            )))
        };
        if rule.rule == Rule::BufferExact {
            if rule.denorm_mode.is_some() {
                return invalid("DenormMode is for the float rules");
            }
        } else {
            if !actual.format.is_float() || !expected.format.is_float() {
                return invalid("the float rules compare float buffers only");
            }
            if actual.format != expected.format {
                return invalid("both buffers must have the same format");
            }
        }
        let is = |other| rule.rule == other;
        if rule.ulp.is_some() != is(Rule::BufferFloatUlp) {
            return invalid("ULPT belongs to BufferFloatULP, which needs it");
        }
        if rule.epsilon.is_some() != is(Rule::BufferFloatEpsilon) {
            return invalid("Epsilon belongs to BufferFloatEpsilon, which needs it");
        }
        if rule.zero_tolerance.is_some() && !is(Rule::BufferFloatUlp) {
            return invalid("ZeroTolerance belongs to BufferFloatULP");
        }
        Ok(())
    }
}

/// Checks that no two objects of a kind have the same name.
fn check_names<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Result<()> {
    let mut seen = HashSet::default();
    for name in names {
        if !seen.insert(name) {
            let message = format!("two {what} have the name `{name}`");
            return Err(PipelineError::Invalid(message));
        }
    }
    Ok(())
}

/// Returns the kind of the pipeline. Its stages determine it, and must belong together.
fn kind_of(document: &Document) -> Result<PipelineKind> {
    let invalid = |message: &str| Err(PipelineError::Invalid(message.to_owned()));
    let stages: Vec<Stage> = document.shaders.iter().map(|s| s.stage).collect();
    let has = |stage| stages.contains(&stage);
    for (index, stage) in stages.iter().enumerate() {
        let again = stages.iter().take(index).any(|other| other == stage);
        if again && !stage.is_ray_tracing() {
            return invalid("the pipeline has two shaders of one stage");
        }
    }
    if stages.iter().any(|stage| stage.is_ray_tracing()) {
        if !stages.iter().all(|stage| stage.is_ray_tracing()) {
            return invalid("ray tracing shaders cannot stand beside others");
        }
        if !has(Stage::RayGeneration) {
            return invalid("a ray tracing pipeline needs a RayGeneration shader");
        }
        return Ok(PipelineKind::RayTracing);
    }
    if !document.hit_groups.is_empty()
        || document.ray_tracing_pipeline_config.is_some()
        || document.shader_binding_table.is_some()
    {
        return invalid("hit groups and shader binding tables are for ray tracing pipelines");
    }
    if has(Stage::Compute) {
        if stages.len() > 1 {
            return invalid("a compute shader stands alone");
        }
        return Ok(PipelineKind::Compute);
    }
    if has(Stage::Vertex) {
        if has(Stage::Mesh) || has(Stage::Amplification) {
            return invalid("vertex and mesh shaders cannot stand in one pipeline");
        }
        if has(Stage::Hull) != has(Stage::Domain) {
            return invalid("hull and domain shader go together");
        }
        let bindings = document.bindings.as_ref();
        let topology = bindings.map(|b| b.topology).unwrap_or_default();
        let patches = topology == document::Topology::PatchList;
        // Vulkan requires both directions (VUID-VkGraphicsPipelineCreateInfo-pStages-00736 and
        // -topology-00737).
        if patches != has(Stage::Hull) {
            return invalid("tessellation and the PatchList topology go together");
        }
        let points = bindings.and_then(|b| b.patch_control_points);
        if patches != points.is_some_and(|points| (1..=32).contains(&points)) {
            return invalid("PatchControlPoints (1 to 32) and the PatchList topology go together");
        }
        return Ok(PipelineKind::Raster);
    }
    if has(Stage::Mesh) {
        return Ok(PipelineKind::MeshRaster);
    }
    invalid("the pipeline needs a Compute, Vertex, Mesh or RayGeneration shader")
}
