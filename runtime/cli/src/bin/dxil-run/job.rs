//! From what the shader declares and the command line says to a job.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{
    ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, Shader,
};
use dxil_runtime::Format;
use dxil_runtime::job::{Comparison, Filter, Job, Register, Sampler, View};
use dxil_runtime::root_signature::first_register;
use dxil_translate::TexelFormat;

use crate::args::Args;
use crate::contents::Contents;
use crate::failure::{Failure, Result};
use crate::places::BindPoint;
use crate::planned::{DefaultScene, ElementKind, Planned};
use crate::storage::{Maker, ResourceDesc, given_bytes, words};

/// Number of registers of an unbounded array without bindings.
const UNBOUNDED_REGISTERS: u32 = 4;

/// Makes the job. `named` are the same shaders with the names of their source, where there are any.
pub(crate) fn plan(
    shaders: &[Shader],
    named: &[Option<Shader>],
    root: Option<&RootSignature>,
    args: &Args,
    groups: [u32; 3],
) -> Result<Planned> {
    plan_for(shaders, named, root, args, groups, DefaultScene::default())
}

/// Makes the job; `scene` is the contents of the default scene.
pub(crate) fn plan_for(
    shaders: &[Shader],
    named: &[Option<Shader>],
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
    let mut planner = Planner {
        shader,
        named: shader,
        maker: Maker {
            args,
            threads,
            scene,
            made_up: None,
            planned: Planned {
                job: Job::dispatch(groups),
                views: Vec::new(),
            },
        },
    };
    planner.maker.heaps()?;
    planner.tables(root)?;
    for (i, shader) in shaders.iter().enumerate() {
        planner.shader = shader;
        planner.named = named.get(i).and_then(Option::as_ref).unwrap_or(shader);
        for resource in shader.resources.iter() {
            planner.resource(resource, root)?;
        }
    }
    planner.check_registers(shaders)?;
    Ok(planner.maker.planned)
}

struct Planner<'a> {
    shader: &'a Shader,
    /// The same shader with the names of its source, or itself.
    named: &'a Shader,
    maker: Maker<'a>,
}

impl Planner<'_> {
    /// Binds what tables show of the heaps. What a table shows cannot be said again.
    fn tables(&mut self, root: Option<&RootSignature>) -> Result<()> {
        let args = self.maker.args;
        let job = &mut self.maker.planned.job;
        crate::heap::set_tables(job, root, args)?;
        let twice = args.bind.iter().find(|(r, _)| job.view(*r).is_some());
        match twice {
            Some((register, _)) => Err(Failure::usage(format!(
                "--bind {register}: a --table shows a slot of the heap there"
            ))),
            None => Ok(()),
        }
    }

    fn resource(&mut self, resource: &Resource, root: Option<&RootSignature>) -> Result<()> {
        let first = first_register(resource);
        let said = self.maker.args.bind.iter().map(|(register, _)| *register);
        let inside = said
            .filter(|r| r.class == first.class && r.space == first.space && r.index >= first.index);
        let count = match resource.count {
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
            // Two declarations of one register share what is bound to it.
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
        let said = self.maker.args.bind.iter().rfind(|(r, _)| *r == register);
        if resource.kind == ResourceKind::RtAccelerationStructure {
            let what = said.map(|(_, what)| what.as_str());
            let option = format!("--bind {register}");
            let view = self.maker.structure(&option, what)?;
            self.maker.planned.job.bind(register, view);
            return Ok(());
        }
        let said = match said {
            Some((_, text)) => Some(Contents::parse(&format!("--bind {register}={text}"), text)?),
            None => None,
        };
        if matches!(said, Some(Contents::Null)) {
            self.maker.planned.job.bind(register, View::Null);
            return Ok(());
        }
        match resource.kind {
            ResourceKind::Sampler => {
                let sampler = match said {
                    Some(Contents::Sampler(sampler)) => sampler,
                    Some(_) => {
                        return Err(Failure::usage(format!(
                            "{register} is a sampler; bind it with {register}=linear+wrap or the like"
                        )));
                    }
                    None => self.default_sampler(resource),
                };
                self.maker.planned.job.bind_sampler(register, sampler);
                Ok(())
            }
            ResourceKind::CBuffer => {
                let room = (resource.detail.cbuffer_size as usize).next_multiple_of(16);
                let room = room.max(root_words(root, register) * 4);
                let bytes = match &said {
                    Some(contents) => given_bytes(BindPoint::Register(register), contents, room)?,
                    None => self.constants(resource, room),
                };
                self.maker.planned.job.bind_constants(register, bytes);
                Ok(())
            }
            _ => {
                let shape = self.shape(resource, register);
                let view = self.maker.view(&shape, said.as_ref())?;
                self.maker.planned.job.bind(register, view);
                Ok(())
            }
        }
    }

    /// What the shader says of a buffer or texture.
    fn shape(&self, resource: &Resource, register: Register) -> ResourceDesc {
        let place = BindPoint::Register(register);
        let mut samplers = self.shader.resources.samplers.iter();
        ResourceDesc {
            place,
            name: self.named_resource(resource).name.to_string(),
            kind: resource.kind,
            writable: register.class == ResourceClass::Uav,
            element: self.element(resource, place),
            sample_count: resource.detail.sample_count,
            compared: samplers.any(|s| s.detail.sampler == Some(SamplerKind::Comparison)),
            has_counter: resource.detail.has_counter,
        }
    }

    /// Bytes of a constant buffer: 1, 2, 3 ... in the fields' own types.
    fn constants(&self, resource: &Resource, room: usize) -> Vec<u8> {
        let fields = self.named.constants(self.named_resource(resource));
        let mut bytes = Vec::with_capacity(room);
        for word in 0..(room / 4) as u32 {
            let field = fields.iter().rfind(|(offset, _)| *offset <= word * 4);
            let is_float = matches!(field, Some((_, Some(ComponentType::F32))));
            let value = word + 1;
            bytes.extend_from_slice(&if is_float {
                (value as f32).to_le_bytes()
            } else {
                value.to_le_bytes()
            });
        }
        bytes
    }

    /// Linear, or comparing if the shader says so; point where a texture holds integers, which
    /// nothing filters.
    fn default_sampler(&self, resource: &Resource) -> Sampler {
        use ComponentType as C;
        let integers = self.shader.resources.srvs.iter().any(|srv| {
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

    /// The resource with its name, where the container kept it.
    fn named_resource<'b>(&'b self, resource: &'b Resource) -> &'b Resource {
        let found = self.named.resources.find(resource.class, resource.id);
        found
            .filter(|r| first_register(r) == first_register(resource) && r.kind == resource.kind)
            .unwrap_or(resource)
    }

    fn element(&self, resource: &Resource, place: BindPoint) -> ElementKind {
        let element = self.named.element(self.named_resource(resource));
        if resource.kind == ResourceKind::TypedBuffer || resource.kind.is_texture() {
            let count = element.as_ref().map_or(4, |e| e.scalars.len() as u32);
            let component = resource.detail.component.unwrap_or(ComponentType::U32);
            let natural = || Format::from(TexelFormat::natural(component, count));
            return ElementKind::Texel(self.maker.said_format(place).unwrap_or_else(natural));
        }
        let mut element = element
            .filter(|e| !e.scalars.is_empty())
            .unwrap_or_else(words);
        if let Some(stride) = resource.detail.stride.filter(|stride| *stride > 0) {
            element.size = stride;
        }
        ElementKind::Scalars(element)
    }

    /// Registers of the command line that the shader does not declare are mistakes.
    fn check_registers(&self, shaders: &[Shader]) -> Result<()> {
        let binds = self.maker.args.bind.iter().map(|(r, _)| ("--bind", *r));
        let outs = self
            .maker
            .args
            .out_places()
            .filter_map(|place| match place {
                BindPoint::Register(register) => Some(("--out", register)),
                BindPoint::Target(_) | BindPoint::Slot(_) => None,
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
            if !views.iter().any(|v| v.place == *place && v.has_counter) {
                return Err(Failure::usage(format!(
                    "--counter {place}: there is no UAV with a hidden counter"
                )));
            }
        }
        Ok(())
    }
}

/// Words of root constants at a register, 0 if there are none.
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
