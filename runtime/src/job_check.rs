//! Whether a job fits a program: one check for all backends, before they make anything. What a
//! device lacks or limits is checked where it is used.

use dxil_frontend::dxil::{ComponentType, ResourceClass, ResourceKind};
use dxil_frontend::tables::HashMap;

use crate::draw_check::component_of;
use crate::error::{Error, Result};
use crate::format::{Component, Format};
use crate::job::{Job, Register, ResourceView, Storage, Work};
use crate::program::{DeclaredRegisters, Layout, PushSource, SlotSource};

/// Checks a job against the layout of a program.
///
/// # Errors
///
/// [`Error::BadJob`] for contents of the wrong size, [`Error::Unbound`] for a register that the
/// program reads and nothing is bound to, and [`Error::BadView`] for a view that the declaration of
/// its register does not allow. Each names the resource.
pub(crate) fn check(layout: &Layout, job: &Job) -> Result<()> {
    check_contents(job)?;
    // Of modules in SPIR-V nothing is known but what their backend needs, and the registers of
    // ray tracing shaders may be those of the records in shader tables.
    if layout.declared.is_empty() || matches!(job.work, Work::DispatchRays(_)) {
        return Ok(());
    }
    let declared = DeclaredIndex::new(&layout.declared);
    check_bound(layout, &declared, job)?;
    for binding in &job.bindings {
        let register = binding.register;
        let bad = |problem: String| Error::BadView { register, problem };
        match declared.find(register) {
            None => return Err(bad("the program declares no such register".into())),
            Some(declared) => check_view(declared, &binding.view, job).map_err(bad)?,
        }
    }
    check_constants(layout, &declared, job)
}

/// Declared registers by class and space.
struct DeclaredIndex<'a>(HashMap<(ResourceClass, u32), Vec<&'a DeclaredRegisters>>);

impl<'a> DeclaredIndex<'a> {
    fn new(all: &'a [DeclaredRegisters]) -> Self {
        let mut index: HashMap<_, Vec<_>> = HashMap::default();
        for declared in all {
            let key = (declared.first.class, declared.first.space);
            index.entry(key).or_default().push(declared);
        }
        DeclaredIndex(index)
    }

    /// Returns the declaration of a register; one of a shader before one of the root signature.
    fn find(&self, register: Register) -> Option<&'a DeclaredRegisters> {
        let all = self.0.get(&(register.class, register.space))?;
        let mut inside = all.iter().filter(|declared| declared.has(&register));
        let first = inside.next()?;
        let known = |declared: &DeclaredRegisters| declared.kind != ResourceKind::Invalid;
        if known(first) {
            Some(first)
        } else {
            Some(inside.find(|declared| known(declared)).unwrap_or(first))
        }
    }

    /// Returns what is declared at a register, as messages show it.
    fn shown(&self, register: Register, otherwise: &str) -> String {
        match self.find(register) {
            Some(declared) if !declared.shown.is_empty() => declared.shown.clone(),
            _ => otherwise.to_owned(),
        }
    }
}

fn check_contents(job: &Job) -> Result<()> {
    for resource in &job.resources {
        let Storage::Texture(texture) = &resource.storage else {
            continue;
        };
        let (there, need) = (texture.data.len() as u64, texture.total_bytes());
        if there != 0 && there != need {
            return Err(Error::BadJob(format!(
                "{} has {there} bytes of texels, and its size asks for {need}",
                resource.name
            )));
        }
    }
    Ok(())
}

/// Checks that each register that the program looks at has a view; of an array, one of them.
fn check_bound(layout: &Layout, declared: &DeclaredIndex<'_>, job: &Job) -> Result<()> {
    let mut bound: Vec<Register> = job.bindings.iter().map(|b| b.register).collect();
    bound.sort_unstable_by_key(|r| (r.class, r.space, r.index));
    let has_any = |first: Register, count: u32| {
        let key = |r: &Register| (r.class, r.space, r.index);
        let from = bound.partition_point(|r| key(r) < key(&first));
        bound.get(from).is_some_and(|r| {
            (r.class, r.space) == (first.class, first.space) && r.index - first.index < count
        })
    };
    let slots = layout.sets.iter().flat_map(|set| &set.slots);
    let in_slots = slots.filter_map(|slot| match slot.source {
        SlotSource::Registers(first) => {
            let what = if slot.name.is_empty() {
                "which the shader declares"
            } else {
                &slot.name
            };
            Some((first, slot.count, what))
        }
        _ => None,
    });
    let pushed = layout.push_constants.iter().map(|run| match run.source {
        PushSource::Constants { register, .. } => (register, 1, "root constants"),
        PushSource::Address(register) => (register, 1, "a root descriptor"),
        PushSource::StructureAddress(register) => (register, 1, "an acceleration structure"),
    });
    for (register, count, what) in in_slots.chain(pushed) {
        if !has_any(register, count) {
            return Err(Error::Unbound {
                register,
                what: declared.shown(register, what),
            });
        }
    }
    Ok(())
}

/// Checks that root constants have all the words that the root signature gives them.
fn check_constants(layout: &Layout, declared: &DeclaredIndex<'_>, job: &Job) -> Result<()> {
    for run in &layout.push_constants {
        let PushSource::Constants { register, words } = run.source else {
            continue;
        };
        if let Some(ResourceView::Constants(bytes)) = job.view(register)
            && (bytes.len() as u64)
                < least_bytes(declared.bytes_at(register)).min(u64::from(words) * 4)
        {
            let shown = declared.shown(register, "root constants");
            return Err(Error::BadView {
                register,
                problem: format!(
                    "{} bytes are bound to {shown}, which has {words} root constants of 4 bytes",
                    bytes.len()
                ),
            });
        }
    }
    Ok(())
}

impl DeclaredIndex<'_> {
    fn bytes_at(&self, register: Register) -> u32 {
        self.find(register).map_or(0, |declared| declared.bytes)
    }
}

/// Checks a view against a declaration; the error is the problem.
fn check_view(declared: &DeclaredRegisters, view: &ResourceView, job: &Job) -> Result<(), String> {
    use ResourceView as V;
    let shown = &declared.shown;
    let kind = declared.kind;
    let fits = match (kind, view) {
        // A root signature alone says no more than the class, and descriptors may be null.
        (ResourceKind::Invalid, _) | (_, V::Null) => true,
        (ResourceKind::Sampler, view) => matches!(view, V::Sampler(_)),
        (ResourceKind::RtAccelerationStructure, view) => {
            matches!(view, V::AccelerationStructure(_))
        }
        (ResourceKind::CBuffer, view) => matches!(view, V::Constants(_) | V::Buffer(_)),
        (ResourceKind::TypedBuffer, view) => matches!(view, V::Buffer(_)),
        (
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer,
            view,
        ) => matches!(view, V::Constants(_) | V::Buffer(_)),
        (kind, view) if kind.is_texture() => matches!(view, V::Texture(_)),
        _ => true,
    };
    if !fits {
        return Err(format!(
            "{shown} is there, and the job binds {}",
            view_name(view)
        ));
    }
    if let (ResourceKind::CBuffer, V::Constants(bytes)) = (kind, view)
        && (bytes.len() as u64) < least_bytes(declared.bytes)
    {
        return Err(format!(
            "{shown} has {} bytes, and the job binds {}",
            declared.bytes,
            bytes.len()
        ));
    }
    let format = match view {
        V::Texture(view) => view.format.or_else(|| texture_format(job, view.resource.0)),
        V::Buffer(view) if kind == ResourceKind::TypedBuffer => view.format,
        _ => None,
    };
    if let (Some(format), Some(component)) = (format, declared.component)
        && has_integers(format) != is_integer(component)
    {
        let (wants, has) = if is_integer(component) {
            ("integers", "floats")
        } else {
            ("floats", "integers")
        };
        return Err(format!("{shown} has {wants}, and {format} has {has}"));
    }
    Ok(())
}

/// Returns the least bytes of constants that fill a buffer of a declared size: whole rows may be
/// padded, as in DXBC.
fn least_bytes(declared: u32) -> u64 {
    match declared % 16 {
        0 => u64::from(declared).saturating_sub(15),
        _ => declared.into(),
    }
}

fn texture_format(job: &Job, resource: usize) -> Option<Format> {
    match &job.resources.get(resource)?.storage {
        Storage::Texture(texture) => Some(texture.format),
        Storage::Buffer(_) => None,
    }
}

fn has_integers(format: Format) -> bool {
    matches!(component_of(format), Component::Uint | Component::Sint)
}

fn is_integer(component: ComponentType) -> bool {
    use ComponentType as C;
    matches!(
        component,
        C::I1
            | C::I16
            | C::U16
            | C::I32
            | C::U32
            | C::I64
            | C::U64
            | C::PackedS8x32
            | C::PackedU8x32
    )
}

fn view_name(view: &ResourceView) -> &'static str {
    match view {
        ResourceView::Null => "a null descriptor",
        ResourceView::Buffer(_) => "a buffer",
        ResourceView::Texture(_) => "a texture",
        ResourceView::Sampler(_) => "a sampler",
        ResourceView::Constants(_) => "constants",
        ResourceView::AccelerationStructure(_) => "an acceleration structure",
    }
}
