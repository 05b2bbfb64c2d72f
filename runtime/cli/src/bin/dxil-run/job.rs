//! From what the shader declares and the command line says to a job.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{
    ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, Shader,
};
use dxil_frontend::reflection::{ReflectedResource, Reflection};
use dxil_jit::samplers::sampler_of;
use dxil_runtime::Format;
use dxil_runtime::job::{Comparison, Filter, Job, Register, ResourceView, Sampler};
use dxil_runtime::root_signature::first_register;
use dxil_translate::TexelFormat;

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::constants::Constant;
use crate::contents::Contents;
use crate::failure::{Failure, Result};
use crate::parse::Bind;
use crate::planned::{DefaultScene, ElementKind, Planned, words};
use crate::storage::{Maker, ResourceDesc};
use crate::table_indices::{self, TableIndex};
use crate::texture_levels::{self, Level};

/// Number of registers of an unbounded array without bindings.
const UNBOUNDED_REGISTERS: u32 = 4;

/// Makes the job. `reflections` are names and layouts of the resources of the same shaders.
pub(crate) fn plan(
    shaders: &[Shader],
    reflections: &[Reflection],
    root: Option<&RootSignature>,
    args: &Args,
    groups: [u32; 3],
) -> Result<Planned> {
    plan_for(
        shaders,
        reflections,
        root,
        args,
        groups,
        DefaultScene::default(),
    )
}

/// Makes the job; `scene` is the contents of the default scene.
pub(crate) fn plan_for(
    shaders: &[Shader],
    reflections: &[Reflection],
    root: Option<&RootSignature>,
    args: &Args,
    groups: [u32; 3],
    scene: DefaultScene,
) -> Result<Planned> {
    let [shader, ..] = shaders else {
        return Err(Failure::usage("no shader"));
    };
    let entry = match &args.entry {
        Some(name) => shader.entry_point(name),
        None => shader.entry_points.iter().find(|e| e.function.is_some()),
    };
    let group = entry.and_then(|e| e.num_threads).unwrap_or([1; 3]);
    let mut threads = [1u32; 3];
    for i in 0..3 {
        threads[i] = groups[i].saturating_mul(group[i]);
    }
    let nothing = Reflection::default();
    let mut planner = JobPlanner {
        shader,
        reflection: &nothing,
        table_indices: Vec::new(),
        levels: Vec::new(),
        maker: Maker {
            args,
            threads,
            scene,
            generated: None,
            planned: Planned {
                job: Job::dispatch(groups),
                views: Vec::new(),
                constants: Vec::new(),
            },
        },
    };
    planner.maker.heaps()?;
    planner.tables(root)?;
    for (i, shader) in shaders.iter().enumerate() {
        planner.shader = shader;
        planner.table_indices = table_indices::of(shader);
        planner.levels = texture_levels::of(shader);
        planner.reflection = reflections.get(i).unwrap_or(&nothing);
        for resource in shader.resources.iter() {
            planner.resource(resource, root)?;
        }
    }
    planner.check_registers(shaders)?;
    Ok(planner.maker.planned)
}

struct JobPlanner<'a> {
    shader: &'a Shader,
    /// Names and layouts of its resources.
    reflection: &'a Reflection,
    /// Values in them that select records of shader tables.
    table_indices: Vec<TableIndex>,
    /// Levels of its textures that it names.
    levels: Vec<Level>,
    maker: Maker<'a>,
}

impl JobPlanner<'_> {
    /// Binds what tables show of the heaps. What a table shows cannot be given again.
    fn tables(&mut self, root: Option<&RootSignature>) -> Result<()> {
        let args = self.maker.args;
        let job = &mut self.maker.planned.job;
        crate::heap::set_tables(job, root, args)?;
        let registers = args.bind.iter().filter_map(Bind::register);
        let twice = registers.into_iter().find(|r| job.view(*r).is_some());
        match twice {
            Some(register) => Err(Failure::usage(format!(
                "--bind {register}: a --table shows a slot of the heap there"
            ))),
            None => Ok(()),
        }
    }

    fn resource(&mut self, resource: &Resource, root: Option<&RootSignature>) -> Result<()> {
        let first = first_register(resource);
        let given = self.maker.args.bind.iter().filter_map(Bind::register);
        let inside = given
            .filter(|r| r.class == first.class && r.space == first.space && r.index >= first.index);
        let count = match resource.count {
            // Bounded: a declared array may have millions of registers, each of which would get a
            // buffer.
            Some(count) => count.min(1024),
            None => inside
                .map(|r| r.index - first.index + 1)
                .max()
                .unwrap_or(UNBOUNDED_REGISTERS)
                .min(1024),
        };
        for i in 0..count {
            let register = Register {
                index: first.index.saturating_add(i),
                ..first
            };
            // Several declarations of one register share what is bound to it.
            if self.maker.planned.job.view(register).is_none() {
                self.register(resource, register, root)?;
            }
        }
        Ok(())
    }

    fn register(
        &mut self,
        resource: &Resource,
        register: Register,
        root: Option<&RootSignature>,
    ) -> Result<()> {
        let binds = self.maker.args.bind.iter();
        let binds: Vec<&Bind> = binds.filter(|b| b.register() == Some(register)).collect();
        let given = binds.iter().find(|bind| bind.field.is_none());
        if let Some(bind) = binds.iter().find(|bind| bind.field.is_some())
            && resource.kind != ResourceKind::CBuffer
        {
            return Err(Failure::usage(format!(
                "{bind}: only constant buffers are bound field by field; bind the whole of {register}, as numbers, JSON or a file"
            )));
        }
        if resource.kind == ResourceKind::RtAccelerationStructure {
            let what = given.map(|bind| bind.what.as_str());
            let option = format!("--bind {register}");
            let view = self.maker.structure(&option, what)?;
            self.maker.planned.job.bind(register, view);
            return Ok(());
        }
        let is_sampler = resource.kind == ResourceKind::Sampler;
        let sampler = match given.filter(|bind| is_sampler && bind.what != "null") {
            Some(bind) => Some(sampler_of(&bind.what).map_err(|why| {
                Failure::usage(format!("{bind}: {register} is a sampler: {why}"))
            })?),
            None => None,
        };
        let given = match given.filter(|_| sampler.is_none()) {
            Some(bind) => Some(Contents::parse(&bind.to_string(), &bind.what)?),
            None => None,
        };
        if matches!(given, Some(Contents::Null)) {
            self.maker.planned.job.bind(register, ResourceView::Null);
            return Ok(());
        }
        match resource.kind {
            ResourceKind::Sampler => {
                let sampler = match sampler {
                    Some(sampler) => sampler,
                    None => self.default_sampler(resource),
                };
                self.maker.planned.job.bind_sampler(register, sampler);
                Ok(())
            }
            ResourceKind::CBuffer => {
                let size = resource.detail.cbuffer_size as usize;
                // The layout may be smaller than the root constants at the register, and a job
                // binds all of them.
                let capacity = size
                    .next_multiple_of(16)
                    .max(root_words(root, register) * 4);
                let found =
                    self.reflection
                        .at(resource.class, resource.space, resource.lower_bound);
                let constant = Constant {
                    place: BindPoint::Register(register),
                    name: found.map_or("", |found| found.name.as_str()),
                    layout: found.and_then(|found| found.layout.as_ref()),
                    size,
                    capacity,
                    table_indices: &self.indices_of(resource),
                };
                let bytes = constant.add(
                    &mut self.maker.planned,
                    given.as_ref(),
                    &binds,
                    self.maker.args,
                )?;
                self.maker.planned.job.bind_constants(register, bytes);
                Ok(())
            }
            _ => {
                let shape = self.shape(resource, register);
                let view = self.maker.view(&shape, given.as_ref())?;
                self.maker.planned.job.bind(register, view);
                Ok(())
            }
        }
    }

    /// Returns the description of a buffer or texture in the shader.
    fn shape(&self, resource: &Resource, register: Register) -> ResourceDesc {
        let place = BindPoint::Register(register);
        let mut samplers = self.shader.resources.samplers.iter();
        ResourceDesc {
            place,
            name: self
                .reflected(resource)
                .map_or(String::new(), |found| found.name.clone()),
            layout: self
                .reflected(resource)
                .filter(|found| found.kind == ResourceKind::StructuredBuffer)
                .and_then(|found| found.layout.clone()),
            kind: resource.kind,
            writable: register.class == ResourceClass::Uav,
            element: self.element(resource, place),
            sample_count: resource.detail.sample_count,
            compared: samplers.any(|s| s.detail.sampler == Some(SamplerKind::Comparison)),
            has_counter: resource.detail.has_counter,
            level: self
                .level_of(resource)
                .filter(|_| register == first_register(resource)),
            table_indices: self.indices_of(resource),
        }
    }

    /// Returns the highest level of a texture that the shader names.
    fn level_of(&self, resource: &Resource) -> Option<u32> {
        let named = self.levels.iter();
        let named = named.filter(|level| (level.class, level.id) == (resource.class, resource.id));
        named.map(|level| level.level).max()
    }

    /// Returns the offsets of the values in a resource that select records of shader tables.
    fn indices_of(&self, resource: &Resource) -> Vec<Option<u32>> {
        let all = self.table_indices.iter();
        all.filter(|index| (index.class, index.id) == (resource.class, resource.id))
            .map(|index| index.offset)
            .collect()
    }

    /// Returns a linear sampler, or a comparing one if the shader says so; a point sampler if a
    /// texture holds integers, which nothing filters.
    fn default_sampler(&self, resource: &Resource) -> Sampler {
        use ComponentType as C;
        let integers = self.shader.resources.srvs.iter().any(|srv| {
            // Integer formats lack VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT, which a
            // linear sampler needs (VUID-vkCmdDispatch-magFilter-04553).
            srv.kind.is_texture()
                && !matches!(
                    srv.detail.component,
                    Some(C::F16 | C::F32 | C::UNormF16 | C::UNormF32 | C::SNormF16 | C::SNormF32)
                )
        });
        let filter = if integers {
            Filter::Point
        } else {
            Filter::Linear
        };
        Sampler {
            min_filter: filter,
            mag_filter: filter,
            mip_filter: filter,
            comparison: (resource.detail.sampler == Some(SamplerKind::Comparison))
                .then_some(Comparison::LessEqual),
            ..Sampler::default()
        }
    }

    /// Returns the resource's name and layout, as far as known.
    fn reflected(&self, resource: &Resource) -> Option<&ReflectedResource> {
        self.reflection
            .at(resource.class, resource.space, resource.lower_bound)
    }

    fn element(&self, resource: &Resource, place: BindPoint) -> ElementKind {
        let element = self
            .reflected(resource)
            .and_then(|found| found.element.clone());
        if resource.kind == ResourceKind::TypedBuffer || resource.kind.is_texture() {
            let count = element.as_ref().map_or(4, |e| e.scalars.len() as u32);
            let component = resource.detail.component.unwrap_or(ComponentType::U32);
            // Views of 64-bit texels have two words (Shader Model 6.6, "Atomic operations on typed
            // resources").
            let natural = || match component {
                ComponentType::U64 | ComponentType::I64 => Format::Rg32Uint,
                _ => Format::from(TexelFormat::natural(component, count)),
            };
            return ElementKind::Texel(self.maker.given_format(place).unwrap_or_else(natural));
        }
        let mut element = element
            .filter(|e| !e.scalars.is_empty())
            .unwrap_or_else(words);
        // The stride of the declaration counts: reflection does not know the padding after the
        // last field.
        if let Some(stride) = resource.detail.stride.filter(|stride| *stride > 0) {
            element.size = stride;
        }
        ElementKind::Scalars(element)
    }

    /// Refuses registers of the command line that the shader does not declare.
    fn check_registers(&self, shaders: &[Shader]) -> Result<()> {
        let binds = self.maker.args.bind.iter().filter_map(Bind::register);
        let binds = binds.map(|register| ("--bind", register));
        let outs = self
            .maker
            .args
            .out_places()
            .filter_map(|place| match place {
                BindPoint::Register(register) => Some(("--out", register)),
                BindPoint::Target(_) | BindPoint::Stream(_) | BindPoint::Slot(_) => None,
            });
        for (option, register) in binds.chain(outs) {
            if self.maker.planned.job.view(register).is_none() {
                let declared: Vec<String> = shaders
                    .iter()
                    .flat_map(|shader| shader.resources.iter())
                    .map(|resource| first_register(resource).to_string())
                    .collect();
                return Err(Failure::usage(format!(
                    "{option} {register}: the shader declares no {register}; it has {}",
                    if declared.is_empty() {
                        "no resources".to_owned()
                    } else {
                        declared.join(" ")
                    }
                )));
            }
        }
        let views = &self.maker.planned.views;
        for (place, _) in &self.maker.args.counter {
            if !views.iter().any(|v| *place == v.place && v.has_counter) {
                return Err(Failure::usage(format!(
                    "--counter {place}: there is no UAV with a hidden counter"
                )));
            }
        }
        Ok(())
    }
}

/// Returns the words of root constants at a register, 0 if there are none.
fn root_words(root: Option<&RootSignature>, register: Register) -> usize {
    use dxil_frontend::container::root_signature::RootParameterKind;
    let parameters = root.map_or(&[][..], |root| &root.parameters);
    parameters
        .iter()
        .find_map(|parameter| match &parameter.kind {
            RootParameterKind::Constants(c)
                if c.register == register.index && c.space == register.space =>
            {
                Some(c.count as usize)
            }
            _ => None,
        })
        .unwrap_or(0)
}
