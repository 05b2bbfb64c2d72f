//! Places that are named as in the source, and what is given twice.

use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::reflection::{ReflectedResource, Reflection};
use dxil_runtime::Register;

use crate::args::Args;
use crate::bind_points::{BindPoint, ResourceArgument};
use crate::failure::{Failure, Result};
use crate::parse::Bind;

/// Returns the command line with registers in the places of names.
pub(crate) fn resolve(args: &Args, reflections: &[Reflection]) -> Result<Args> {
    let names = Names { reflections };
    let mut args = args.clone();
    for bind in &mut args.bind {
        names.bind(bind)?;
    }
    for (place, _) in &mut args.format {
        names.place("--format", place)?;
    }
    for (place, _) in &mut args.size {
        names.place("--size", place)?;
    }
    for (place, _) in &mut args.mips {
        names.place("--mips", place)?;
    }
    for (place, _) in &mut args.counter {
        names.place("--counter", place)?;
    }
    for out in &mut args.out {
        // Other names are those of buffers of a pipeline file, or mistakes that are told later.
        if let Some(register) = names.find(&out.place).filter(|_| !out.is_bare) {
            out.place = register.to_string();
        }
    }
    twice(&args)?;
    Ok(args)
}

struct Names<'a> {
    reflections: &'a [Reflection],
}

impl Names<'_> {
    fn resources(&self) -> impl Iterator<Item = &ReflectedResource> {
        self.reflections.iter().flat_map(|found| &found.resources)
    }

    /// Returns the register of `name` or `name[index]`.
    fn find(&self, text: &str) -> Option<Register> {
        match text.parse().ok()? {
            ResourceArgument::Named { name, index } => self.register(&name, index),
            ResourceArgument::Point(_) => None,
        }
    }

    fn register(&self, name: &str, index: u32) -> Option<Register> {
        let resource = self.resources().find(|resource| resource.name == name)?;
        let is_inside = resource.count.is_none_or(|count| index < count.max(1));
        is_inside.then(|| Register {
            class: resource.class,
            space: resource.space,
            index: resource.register.saturating_add(index),
        })
    }

    fn place(&self, option: &str, place: &mut ResourceArgument) -> Result<()> {
        let ResourceArgument::Named { name, index } = place else {
            return Ok(());
        };
        match self.register(name, *index) {
            Some(register) => {
                *place = ResourceArgument::Point(BindPoint::Register(register));
                Ok(())
            }
            None => Err(self.unknown(&format!("{option} {place}"), &place.to_string())),
        }
    }

    fn bind(&self, bind: &mut Bind) -> Result<()> {
        let ResourceArgument::Named { name, index } = &bind.place else {
            return Ok(());
        };
        if let Some(register) = self.register(name, *index) {
            bind.place = ResourceArgument::Point(BindPoint::Register(register));
            return Ok(());
        }
        // A field of a constant buffer whose name is left out, like those of `$Globals`.
        let path = match &bind.field {
            Some(field) => format!("{}.{field}", bind.place),
            None => bind.place.to_string(),
        };
        let has_field = |resource: &&ReflectedResource| {
            let layout = resource.layout.as_ref();
            resource.class == ResourceClass::Cbv
                && layout.is_some_and(|layout| layout.fields.iter().any(|f| f.name == *name))
        };
        let mut buffers = self.resources().filter(has_field);
        let Some(buffer) = buffers.next() else {
            return Err(self.unknown(&bind.to_string(), &bind.place.to_string()));
        };
        let place = |resource: &ReflectedResource| (resource.space, resource.register);
        if let Some(other) = buffers.find(|other| place(other) != place(buffer)) {
            return Err(Failure::usage(format!(
                "{bind}: {} and {} both have a field {name}; write {}.{path}",
                buffer.name, other.name, buffer.name,
            )));
        }
        let register = Register {
            class: buffer.class,
            space: buffer.space,
            index: buffer.register,
        };
        bind.place = ResourceArgument::Point(BindPoint::Register(register));
        bind.field = Some(path);
        Ok(())
    }

    fn unknown(&self, given: &str, name: &str) -> Failure {
        let mut known: Vec<String> = self
            .resources()
            .map(|resource| match resource.name.as_str() {
                "" => resource.registers(),
                name => format!("{name} ({})", resource.registers()),
            })
            .collect();
        known.dedup();
        // `x0` is as likely a mistyped register.
        let register = name.parse::<Register>().err();
        let hint = register.map_or(String::new(), |error| format!("; {error}"));
        Failure::usage(if known.is_empty() {
            format!("{given}: the shader declares no resources{hint}")
        } else {
            format!(
                "{given}: nothing is called {name}; there are {}{hint}",
                known.join(", ")
            )
        })
    }
}

/// Refuses what is given twice: the later would replace the earlier.
fn twice(args: &Args) -> Result<()> {
    let binds = args.bind.iter().map(|bind| match &bind.field {
        Some(field) => format!("--bind {}.{field}", bind.place),
        None => format!("--bind {}", bind.place),
    });
    let formats = args
        .format
        .iter()
        .map(|(place, _)| format!("--format {place}"));
    let sizes = args.size.iter().map(|(place, _)| format!("--size {place}"));
    let mips = args.mips.iter().map(|(place, _)| format!("--mips {place}"));
    let counters = args
        .counter
        .iter()
        .map(|(place, _)| format!("--counter {place}"));
    let slots = args.heap.iter().map(|slot| format!("--heap {}", slot.slot));
    let samplers = args.sampler_heap.iter();
    let samplers = samplers.map(|slot| format!("--sampler-heap {}", slot.slot));
    let tables = args
        .table
        .iter()
        .map(|(parameter, _)| format!("--table {parameter}"));
    let all = binds
        .chain(formats)
        .chain(sizes)
        .chain(mips)
        .chain(counters);
    let all = all.chain(slots).chain(samplers).chain(tables);
    let mut seen = dxil_frontend::tables::HashSet::default();
    for given in all {
        if seen.contains(&given) {
            return Err(Failure::usage(format!(
                "{given} is given twice; the later would replace the earlier"
            )));
        }
        seen.insert(given);
    }
    Ok(())
}
