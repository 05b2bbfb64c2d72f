//! `--heap`, `--sampler-heap` and `--table`: descriptor heaps, and what tables show of them.
//!
//! The command line gives the HLSL type of a slot, since nothing else does: a shader that indexes
//! the heap directly names the type only where it uses the slot, and a slot may serve several uses.

use dxil_frontend::container::RootSignature;
use dxil_frontend::container::root_signature::RootParameterKind;
use dxil_frontend::dxil::{
    ComponentType, Element, ElementScalar, ResourceClass, ResourceKind as Kind,
};
use dxil_runtime::Program;
use dxil_runtime::job::{HeapView, Job, ResourceId, ResourceView, Sampler};
use dxil_runtime::program::SlotSource;
use dxil_translate::TexelFormat;

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::bind_points::slot_name;
use crate::contents::Contents;
use crate::expected::Expected;
use crate::failure::{Failure, Result};
use crate::planned::{ElementKind, words};
use crate::storage::{Maker, ResourceDesc};

/// Maximum number of slots of a heap, as D3D12 has them (tier 1).
const MAX_SLOTS: u32 = 1_000_000;
/// Bytes of a default constant buffer.
const CONSTANT_BYTES: usize = 256;

/// The HLSL type of a slot.
#[derive(Debug, Clone, PartialEq)]
struct SlotType {
    class: ResourceClass,
    kind: Kind,
    /// `None` takes the type of the contents, for `srv` and `uav`.
    element: Option<ElementKind>,
}

impl Maker<'_> {
    /// Fills the heaps as the command line says. Slots that it skips are null.
    pub(crate) fn heaps(&mut self) -> Result<()> {
        let args = self.args;
        for entry in &args.heap {
            let view = self.heap_slot(entry.slot, &entry.what)?;
            let empty = HeapView {
                class: ResourceClass::Srv,
                view: ResourceView::Null,
            };
            *slot_of(&mut self.planned.job.resource_heap, entry.slot, empty)? = view;
        }
        for entry in &args.sampler_heap {
            let place = format!("--sampler-heap {}={}", entry.slot, entry.what);
            let Contents::Sampler(sampler) = Contents::parse(&place, &entry.what)? else {
                return Err(Failure::usage(format!(
                    "{place}: write a sampler like linear+wrap"
                )));
            };
            let empty = Sampler::default();
            *slot_of(&mut self.planned.job.sampler_heap, entry.slot, empty)? = sampler;
        }
        Ok(())
    }

    fn heap_slot(&mut self, slot: u32, text: &str) -> Result<HeapView> {
        let given = format!("--heap {slot}={text}");
        let (name, what) = match text.split_once('=') {
            Some((name, what)) => (name.trim(), Some(what)),
            None => (text.trim(), None),
        };
        if name == "null" {
            return Ok(HeapView {
                class: ResourceClass::Srv,
                view: ResourceView::Null,
            });
        }
        let ty = parse_type(name).map_err(|why| Failure::usage(format!("{given}: {why}")))?;
        let place = BindPoint::Slot(slot);
        if ty.kind == Kind::RtAccelerationStructure {
            return Ok(HeapView {
                class: ResourceClass::Srv,
                view: self.structure(&given, what)?,
            });
        }
        // Contents may also be the number of a slot: two views of one resource.
        if let Some(other) = what.and_then(slot_name) {
            let view = self.same_as(&given, &ty, place, other)?;
            return Ok(HeapView {
                class: ty.class,
                view,
            });
        }
        let contents = match what {
            Some(what) => Some(Contents::parse(&given, what)?),
            None => None,
        };
        let view = match (ty.kind, contents) {
            (_, Some(Contents::Null)) => ResourceView::Null,
            (Kind::CBuffer, contents) => ResourceView::Constants(match contents {
                Some(contents) => Expected::untyped(place, CONSTANT_BYTES).bytes(&contents)?,
                None => vec![0; CONSTANT_BYTES],
            }),
            (_, contents) => {
                let shape = self.heap_shape(&ty, place, contents.as_ref());
                self.view(&shape, contents.as_ref())?
            }
        };
        Ok(HeapView {
            class: ty.class,
            view,
        })
    }

    /// Returns a view of what another slot holds already: a UAV that is read as an SRV later, say.
    fn same_as(
        &mut self,
        given: &str,
        ty: &SlotType,
        place: BindPoint,
        other: u32,
    ) -> Result<ResourceView> {
        let bad = |why: &str| Failure::usage(format!("{given}: {why}"));
        let heap = &self.planned.job.resource_heap;
        let found = heap.get(other as usize).map(|heap| heap.view.clone());
        let view = found.ok_or_else(|| bad("that slot comes later; give it first"))?;
        match (&view, ty.kind.is_texture()) {
            (ResourceView::Buffer(_), false) | (ResourceView::Texture(_), true) => {}
            _ => return Err(bad("that slot holds something else")),
        }
        let ResourceView::Buffer(mut view) = view else {
            return Ok(view);
        };
        let shape = self.heap_shape(ty, place, None);
        view.format = match shape.element {
            ElementKind::Texel(format) => Some(format),
            ElementKind::Scalars(_) => None,
        };
        view.counter = shape.has_counter.then(|| self.args.counter_of(place));
        self.read_back(&shape, view.resource);
        Ok(ResourceView::Buffer(view))
    }

    /// Reads a resource back if this slot may write to it, even if the slot that created it may
    /// not.
    fn read_back(&mut self, shape: &ResourceDesc, id: ResourceId) {
        let resources = &mut self.planned.job.resources;
        let Some(resource) = resources.get_mut(id.0).filter(|_| shape.writable) else {
            return;
        };
        if !resource.read_back {
            resource.read_back = true;
            self.note(shape, id);
        }
    }

    fn heap_shape(
        &self,
        ty: &SlotType,
        place: BindPoint,
        contents: Option<&Contents>,
    ) -> ResourceDesc {
        let is_picture = matches!(contents, Some(Contents::Picture(_) | Contents::Texture(_)));
        let (kind, element) = match &ty.element {
            Some(element) => (ty.kind, element.clone()),
            // `srv=photo.png` and `srv` with a format or a size of two dimensions are textures.
            None if is_picture || self.is_flat(place) => (Kind::Texture2D, texel(C::F32, 4)),
            None if self.given_format(place).is_some() => (Kind::TypedBuffer, texel(C::U32, 1)),
            None => (ty.kind, ElementKind::Scalars(words())),
        };
        let element = match (element, self.given_format(place)) {
            (ElementKind::Texel(_), Some(format)) => ElementKind::Texel(format),
            (element, _) => element,
        };
        let writable = ty.class == ResourceClass::Uav;
        ResourceDesc {
            place,
            name: String::new(),
            kind,
            writable,
            element,
            layout: None,
            sample_count: 0,
            // A slot says nothing of the samplers that look at it.
            compared: false,
            has_counter: writable && kind == Kind::StructuredBuffer,
            level: None,
            table_indices: Vec::new(),
        }
    }

    fn is_flat(&self, place: BindPoint) -> bool {
        self.size(place).is_some_and(|[_, height, _]| height > 1)
    }
}

use ComponentType as C;

/// Returns the slot of that number; the heap grows as far.
fn slot_of<T: Clone>(heap: &mut Vec<T>, slot: u32, empty: T) -> Result<&mut T> {
    let index = slot as usize;
    // Bounded before the heap grows: the number comes from the command line.
    if slot < MAX_SLOTS && heap.len() <= index {
        heap.resize(index + 1, empty);
    }
    heap.get_mut(index)
        .ok_or_else(|| Failure::usage(format!("slot {slot}: a heap has at most {MAX_SLOTS} slots")))
}

/// Returns `Texture2D<float4>` and the like; `srv`, `uav` and `cbv` for buffers of words.
fn parse_type(text: &str) -> Result<SlotType, String> {
    let (name, parameter) = match text.split_once('<') {
        Some((name, rest)) => {
            let parameter = rest.trim_end().strip_suffix('>');
            (
                name.trim(),
                Some(parameter.ok_or("there is no `>` at its end")?.trim()),
            )
        }
        None => (text, None),
    };
    let lower = name.to_ascii_lowercase();
    let plain = |class, kind| SlotType {
        class,
        kind,
        element: None,
    };
    match lower.as_str() {
        "srv" => return Ok(plain(ResourceClass::Srv, Kind::RawBuffer)),
        "raytracingaccelerationstructure" => {
            return Ok(plain(ResourceClass::Srv, Kind::RtAccelerationStructure));
        }
        "uav" => return Ok(plain(ResourceClass::Uav, Kind::RawBuffer)),
        "cbv" | "cbuffer" | "constantbuffer" => {
            return Ok(plain(ResourceClass::Cbv, Kind::CBuffer));
        }
        _ => {}
    }
    let (class, stem) = match lower.strip_prefix("rw") {
        Some(stem) => (ResourceClass::Uav, stem),
        // HLSL writes both without `RW`, and both are UAVs.
        None if lower.starts_with("append") || lower.starts_with("consume") => {
            (ResourceClass::Uav, "structuredbuffer")
        }
        None => (ResourceClass::Srv, lower.as_str()),
    };
    let kind = match stem {
        "byteaddressbuffer" => Kind::RawBuffer,
        "structuredbuffer" => Kind::StructuredBuffer,
        "buffer" => Kind::TypedBuffer,
        "texture1d" => Kind::Texture1D,
        "texture1darray" => Kind::Texture1DArray,
        "texture2d" => Kind::Texture2D,
        "texture2darray" => Kind::Texture2DArray,
        "texture2dms" => Kind::Texture2DMS,
        "texture2dmsarray" => Kind::Texture2DMSArray,
        "texture3d" => Kind::Texture3D,
        "texturecube" => Kind::TextureCube,
        "texturecubearray" => Kind::TextureCubeArray,
        _ => {
            return Err(format!(
                "`{name}` is no type of a heap's slot; write one of HLSL's, like StructuredBuffer<float4>, RWTexture2D<uint> or ConstantBuffer, or srv, uav, cbv, null"
            ));
        }
    };
    let element = match kind {
        Kind::RawBuffer => ElementKind::Scalars(words()),
        Kind::StructuredBuffer => ElementKind::Scalars(match parameter {
            Some(parameter) => structure(parameter)?,
            None => words(),
        }),
        _ => {
            // The number of samples is the texture's own.
            let parameter = parameter.map(|p| p.split(',').next().unwrap_or(p).trim());
            let (component, count) = vector(parameter.unwrap_or("float4"))
                .ok_or_else(|| format!("`{}` is no texel", parameter.unwrap_or_default()))?;
            texel(component, count)
        }
    };
    Ok(SlotType {
        class,
        kind,
        element: Some(element),
    })
}

fn texel(component: ComponentType, count: u32) -> ElementKind {
    ElementKind::Texel(TexelFormat::natural(component, count).into())
}

/// Returns the element of a structured buffer: a vector, or a number of bytes.
fn structure(text: &str) -> Result<Element, String> {
    if let Ok(size) = text.parse::<u32>() {
        // D3D11.3 functional specification, 5.4.2: a structure has at most 2048 bytes.
        if size == 0 || size % 4 != 0 || size > 2048 {
            return Err("elements have 4 to 2048 bytes, in steps of 4".into());
        }
        return Ok(scalars(C::U32, 4, size / 4, |i| format!("[{i}]")));
    }
    let (component, count) = vector(text).ok_or_else(|| {
        format!("`{text}` is no vector; of a structure say the number of bytes, like <32>")
    })?;
    let size = match component {
        C::F16 | C::I16 | C::U16 => 2,
        C::F64 | C::I64 | C::U64 => 8,
        _ => 4,
    };
    Ok(scalars(component, size, count, |i| match count {
        1 => String::new(),
        _ => ["x", "y", "z", "w"]
            .get(i as usize)
            .copied()
            .unwrap_or_default()
            .to_owned(),
    }))
}

fn scalars(
    component: ComponentType,
    size: u32,
    count: u32,
    name: impl Fn(u32) -> String,
) -> Element {
    let scalar = |i| ElementScalar {
        path: name(i),
        offset: i * size,
        component,
    };
    Element {
        scalars: (0..count).map(scalar).collect(),
        size: size * count,
    }
}

/// Returns the type and number of the components of `float3` and its like.
fn vector(text: &str) -> Option<(ComponentType, u32)> {
    let scalar = |name| {
        Some(match name {
            "float" | "float32_t" => C::F32,
            "half" | "float16_t" => C::F16,
            "double" | "float64_t" => C::F64,
            "int" | "int32_t" => C::I32,
            "uint" | "uint32_t" | "dword" | "bool" => C::U32,
            "int16_t" => C::I16,
            "uint16_t" => C::U16,
            "int64_t" => C::I64,
            "uint64_t" => C::U64,
            _ => return None,
        })
    };
    if let Some(component) = scalar(text) {
        return Some((component, 1));
    }
    let digit = text.chars().last()?.to_digit(10)?;
    let component = scalar(text.get(..text.len() - 1)?)?;
    (1..=4).contains(&digit).then_some((component, digit))
}

/// Binds what the tables of the command line show.
pub(crate) fn set_tables(job: &mut Job, root: Option<&RootSignature>, args: &Args) -> Result<()> {
    if args.table.is_empty() {
        return Ok(());
    }
    let root = root.ok_or_else(|| {
        Failure::usage(
            "--table: there is no root signature, and so no table; give one with --root-signature",
        )
    })?;
    for (parameter, _) in &args.table {
        let found = root.parameters.get(*parameter).map(|found| &found.kind);
        if !matches!(found, Some(RootParameterKind::Table(_))) {
            let tables: Vec<String> = root
                .parameters
                .iter()
                .enumerate()
                .filter(|(_, found)| matches!(found.kind, RootParameterKind::Table(_)))
                .map(|(index, _)| index.to_string())
                .collect();
            return Err(Failure::usage(format!(
                "--table: root parameter {parameter} is no descriptor table; tables are {}",
                if tables.is_empty() {
                    "none".to_owned()
                } else {
                    tables.join(" ")
                }
            )));
        }
    }
    Ok(job.set_tables(root, &args.table)?)
}

/// Checks that shaders read the heaps that have contents, and no empty heap.
pub(crate) fn check(args: &Args, programs: &[&Program], job: &Job) -> Result<()> {
    let indexes = |source: SlotSource| {
        let sets = programs.iter().flat_map(|program| &program.layout.sets);
        let mut slots = sets.flat_map(|set| &set.slots);
        slots.any(|slot| slot.source == source)
    };
    for (option, example, source, length) in [
        (
            "--heap",
            "0=StructuredBuffer<uint>=iota:64",
            SlotSource::ResourceHeap,
            job.resource_heap.len(),
        ),
        (
            "--sampler-heap",
            "0=linear+wrap",
            SlotSource::SamplerHeap,
            job.sampler_heap.len(),
        ),
    ] {
        let is_indexed = indexes(source);
        if is_indexed && length == 0 {
            return Err(Failure::usage(format!(
                "the shader indexes a descriptor heap directly; say what is in it, like {option} '{example}'"
            )));
        }
        // A table may show any part of the heap, so with one the heap may be used although no
        // shader indexes it.
        if !is_indexed && length > 0 && args.table.is_empty() {
            return Err(Failure::usage(format!(
                "{option}: the shader does not index that heap, and no table shows it; say where one starts with --table PARAMETER=SLOT"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_runtime::Format;

    #[test]
    fn slots_are_typed_in_hlsls_words() {
        let class = |text: &str| parse_type(text).map(|ty| (ty.class, ty.kind));
        use ResourceClass::{Cbv, Srv, Uav};
        for (text, expected) in [
            ("StructuredBuffer<float4>", (Srv, Kind::StructuredBuffer)),
            ("RWStructuredBuffer<uint>", (Uav, Kind::StructuredBuffer)),
            (
                "AppendStructuredBuffer<int2>",
                (Uav, Kind::StructuredBuffer),
            ),
            ("ByteAddressBuffer", (Srv, Kind::RawBuffer)),
            ("RWBuffer<uint>", (Uav, Kind::TypedBuffer)),
            ("Texture2D", (Srv, Kind::Texture2D)),
            ("RWTexture3D<float2>", (Uav, Kind::Texture3D)),
            ("Texture2DMS<float4, 4>", (Srv, Kind::Texture2DMS)),
            ("ConstantBuffer<Settings>", (Cbv, Kind::CBuffer)),
            ("srv", (Srv, Kind::RawBuffer)),
            ("uav", (Uav, Kind::RawBuffer)),
            ("cbv", (Cbv, Kind::CBuffer)),
        ] {
            assert_eq!(class(text), Ok(expected), "{text}");
        }
        for text in [
            "Texture2D<",
            "Texture2D<matrix>",
            "Sampler",
            "StructuredBuffer<3>",
        ] {
            assert!(parse_type(text).is_err(), "{text}");
        }
    }

    #[test]
    fn elements_have_the_size_of_their_type() {
        let size = |text: &str| match parse_type(text).unwrap().element {
            Some(ElementKind::Scalars(element)) => element.size,
            other => unreachable!("{other:?}"),
        };
        assert_eq!(size("StructuredBuffer<float3>"), 12);
        assert_eq!(size("StructuredBuffer<uint64_t2>"), 16);
        assert_eq!(size("StructuredBuffer<half>"), 2);
        assert_eq!(size("StructuredBuffer<48>"), 48);
        assert_eq!(
            parse_type("Buffer<uint2>").unwrap().element,
            Some(ElementKind::Texel(Format::Rg32Uint))
        );
    }
}
