//! Runs a compute shader that is SPIR-V already, with resources for what its module declares.

use dxil_frontend::dxil::{ComponentType, Element, ResourceClass, ResourceKind, ShaderKind};
use dxil_jit::samplers::sampler_of;
use dxil_runtime::job::{Comparison, Filter, Job, Register, ResourceView, Sampler, Work};
use dxil_runtime::program::{
    BindingSlot, Layout, Program, PushConstant, PushSource, SetLayout, SlotSource, StageCode,
};
use dxil_translate::DescriptorKind;

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::constants::{Constant, MAX_SCALARS};
use crate::contents::Contents;
use crate::draw;
use crate::failure::{Context, Failure, Result};
use crate::names;
use crate::options::BackendName;
use crate::parse::Bind;
use crate::planned::{DefaultScene, ElementKind, Planned, words};
use crate::run::{self, Ran};
use crate::spirv_module::{SpirvEntry, SpirvModule, SpirvResource};
use crate::storage::{Maker, ResourceDesc};

/// Number of descriptors of a runtime array.
const UNBOUNDED_DESCRIPTORS: u32 = 4;

/// Returns the register of the push constants, in a space that no descriptor set has.
fn push_register() -> Register {
    Register::new(ResourceClass::Cbv, 0).in_space(u32::MAX)
}

/// Dispatches the module.
pub(crate) fn run(args: &Args, module: SpirvModule) -> Result<Ran> {
    let groups = args.dispatch.ok_or_else(|| {
        Failure::usage(
            "SPIR-V is dispatched with --dispatch X,Y,Z, or runs with a pipeline file (--pipeline FILE)",
        )
    })?;
    if args.backend() != BackendName::Vulkan {
        return Err(Failure::unsupported(
            "SPIR-V runs on the vulkan backend only",
        ));
    }
    let entry = entry_of(&module, args)?.clone();
    let args = &names::resolve(args, &[module.reflection()])?;
    let (mut planned, layout) = plan(&module, &entry, args, groups)?;
    if let Some((arguments, _)) = draw::indirect(&mut planned, args)? {
        let offset = 0;
        planned.job.work = Work::DispatchIndirect { arguments, offset };
    }
    let stage = StageCode::of_spirv(entry.kind, module.words, &entry.name);
    let program = Program {
        stages: vec![stage],
        layout,
        graphics: None,
        ray_tracing: None,
    };
    let ran = run::perform(args, planned, |_, _, _| Ok(program));
    match args.shaders.first() {
        Some(path) => ran.context(path),
        None => ran,
    }
}

/// Returns the compute shader to run.
fn entry_of<'a>(module: &'a SpirvModule, args: &Args) -> Result<&'a SpirvEntry> {
    let points = module.entry_points.iter();
    let points: Vec<&SpirvEntry> = points.filter(|p| p.kind == ShaderKind::Compute).collect();
    let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
    let names = names.join(" ");
    match (&args.entry, points.as_slice()) {
        (_, []) => Err(Failure::unsupported(
            "this module has no compute shader; other stages run with a pipeline file (--pipeline FILE)",
        )),
        (Some(name), all) => all
            .iter()
            .find(|point| point.name == *name)
            .copied()
            .ok_or_else(|| {
                Failure::usage(format!(
                    "there is no entry point {name}; there are: {names}"
                ))
            }),
        (None, [only]) => Ok(only),
        (None, _) => Err(Failure::usage(format!(
            "there are several entry points; choose with --entry: {names}"
        ))),
    }
}

fn plan(
    module: &SpirvModule,
    entry: &SpirvEntry,
    args: &Args,
    groups: [u32; 3],
) -> Result<(Planned, Layout)> {
    let mut threads = entry.threads;
    for (threads, groups) in threads.iter_mut().zip(groups) {
        *threads = threads.saturating_mul(groups);
    }
    let mut maker = Maker {
        args,
        threads,
        scene: DefaultScene::default(),
        generated: None,
        planned: Planned {
            job: Job::dispatch(groups),
            views: Vec::new(),
            constants: Vec::new(),
        },
    };
    let mut layout = Layout::default();
    for resource in &module.resources {
        let reflected = &resource.reflected;
        let count = reflected.count.unwrap_or(UNBOUNDED_DESCRIPTORS);
        let first = Register::new(reflected.class, reflected.register).in_space(reflected.space);
        for index in 0..count {
            let register = Register {
                index: first.index.saturating_add(index),
                ..first
            };
            bind(&mut maker, module, resource, register)?;
        }
        let set = reflected.space as usize;
        // Bounded, since the layouts below are indexed by set: a module could ask for four billion
        // of them.
        if set > 31 {
            return Err(Failure::unsupported(format!("descriptor set {set}")));
        }
        if layout.sets.len() <= set {
            layout.sets.resize(set + 1, SetLayout::default());
        }
        let source = SlotSource::Registers(first);
        let slots = &mut layout.sets[set].slots;
        slots.push(BindingSlot {
            count,
            unbounded: reflected.count.is_none(),
            writable: reflected.class == ResourceClass::Uav,
            name: reflected.name.clone(),
            ..BindingSlot::new(
                resource.binding,
                resource.descriptor,
                source,
                reflected.kind,
            )
        });
    }
    if let Some(block) = &module.push_constants {
        let size = block.size.next_multiple_of(4) as usize;
        let constant = Constant {
            place: BindPoint::Register(push_register()),
            name: "push constants",
            layout: Some(block),
            size,
            capacity: size,
            table_indices: &[],
        };
        let bytes = constant.add(&mut maker.planned, None, &[], maker.args)?;
        maker
            .planned
            .job
            .bind(push_register(), ResourceView::Constants(bytes));
        layout.push_constants.push(PushConstant {
            first_word: 0,
            source: PushSource::Constants {
                register: push_register(),
                words: size as u32 / 4,
            },
        });
    }
    check_binds(&maker.planned.job, module, args)?;
    Ok((maker.planned, layout))
}

/// Creates what is bound to a register.
fn bind(
    maker: &mut Maker<'_>,
    module: &SpirvModule,
    resource: &SpirvResource,
    register: Register,
) -> Result<()> {
    let reflected = &resource.reflected;
    let binds = maker.args.bind.iter();
    let binds: Vec<&Bind> = binds.filter(|b| b.register() == Some(register)).collect();
    let given = binds.iter().find(|bind| bind.field.is_none());
    let place = BindPoint::Register(register);
    if reflected.kind == ResourceKind::RtAccelerationStructure {
        let what = given.map(|bind| bind.what.as_str());
        let view = maker.structure(&format!("--bind {register}"), what)?;
        maker.planned.job.bind(register, view);
        return Ok(());
    }
    if reflected.kind == ResourceKind::Sampler {
        let sampler = match given {
            Some(bind) => sampler_of(&bind.what)
                .map_err(|why| Failure::usage(format!("{bind}: {register} is a sampler: {why}")))?,
            None => default_sampler(module),
        };
        maker.planned.job.bind_sampler(register, sampler);
        return Ok(());
    }
    let contents = match given {
        Some(bind) => Some(Contents::parse(&bind.to_string(), &bind.what)?),
        None => None,
    };
    if matches!(contents, Some(Contents::Null)) {
        maker.planned.job.bind(register, ResourceView::Null);
        return Ok(());
    }
    if reflected.kind == ResourceKind::CBuffer {
        let size = reflected.layout.as_ref().map_or(0, |layout| layout.size) as usize;
        let constant = Constant {
            place,
            name: &reflected.name,
            layout: reflected.layout.as_ref(),
            size,
            capacity: size.next_multiple_of(16),
            table_indices: &[],
        };
        let bytes = constant.add(&mut maker.planned, contents.as_ref(), &binds, maker.args)?;
        maker.planned.job.bind_constants(register, bytes);
        return Ok(());
    }
    if let Some(bind) = binds.iter().find(|bind| bind.field.is_some()) {
        return Err(Failure::usage(format!(
            "{bind}: only constant buffers are bound field by field; bind the whole of {register}, as numbers, JSON or a file"
        )));
    }
    let format = maker.given_format(place).or(resource.format);
    let element = match (format, &reflected.layout) {
        (Some(format), _) => ElementKind::Texel(format),
        (None, Some(layout)) => ElementKind::Scalars(Element {
            scalars: layout.scalars(MAX_SCALARS),
            size: layout.size,
        }),
        (None, None) => ElementKind::Scalars(words()),
    };
    let desc = ResourceDesc {
        place,
        name: reflected.name.clone(),
        kind: reflected.kind,
        writable: reflected.class == ResourceClass::Uav,
        element,
        layout: reflected
            .layout
            .clone()
            .filter(|_| reflected.kind == ResourceKind::StructuredBuffer),
        sample_count: 0,
        compared: resource.is_depth,
        level: None,
        has_counter: false,
        table_indices: Vec::new(),
    };
    let view = maker.view(&desc, contents.as_ref())?;
    maker.planned.job.bind(register, view);
    Ok(())
}

/// Returns a linear sampler; a point sampler if a texture holds integers, which nothing filters; a
/// comparing one if the module declares depth textures.
fn default_sampler(module: &SpirvModule) -> Sampler {
    use ComponentType as C;
    let textures = || {
        let resources = module.resources.iter();
        resources.filter(|resource| resource.descriptor == DescriptorKind::SampledImage)
    };
    let has_integers = textures().any(|texture| {
        let natural = |component| dxil_translate::TexelFormat::natural(component, 4);
        let integers = [C::U32, C::I32, C::U64, C::I64, C::U16, C::I16];
        let mut integers = integers.into_iter().map(|c| natural(c).into());
        integers.any(|format| Some(format) == texture.format)
    });
    let filter = if has_integers {
        Filter::Point
    } else {
        Filter::Linear
    };
    Sampler {
        min_filter: filter,
        mag_filter: filter,
        mip_filter: filter,
        comparison: textures()
            .any(|texture| texture.is_depth)
            .then_some(Comparison::LessEqual),
        ..Sampler::default()
    }
}

/// Registers of the command line that the module does not declare are mistakes.
fn check_binds(job: &Job, module: &SpirvModule, args: &Args) -> Result<()> {
    let unknown = args.bind.iter().find_map(|bind| {
        let register = bind.register()?;
        job.view(register).is_none().then_some(register)
    });
    let Some(register) = unknown else {
        return Ok(());
    };
    let resources = module.resources.iter();
    let declared: Vec<String> = resources.map(|r| r.reflected.registers()).collect();
    Err(Failure::usage(format!(
        "--bind {register}: the module declares no {register}; it has {} (binding and set as register and space)",
        declared.join(" ")
    )))
}
