//! From views to descriptors: representations, texel formats, the rows of the reflection, push
//! constants.

use dxil_frontend::dxil::{ResourceClass, ResourceKind};

use super::view::{DescriptorOrigin, Representation, Usage, View};
use crate::{
    BindingUse, Counter, DescriptorKind, DescriptorSlot, Error, ErrorKind, Features, Location,
    Numeric, Options, PortableForm, Quirks, ResourceKey, Result, TexelFormat,
};

/// Descriptors in use and the push-constant size.
#[derive(Debug, Clone, Default)]
pub(crate) struct BindingTable {
    /// Rows in order of set and binding.
    pub(crate) rows: Vec<BindingUse>,
    /// Push-constant words in use, from 0.
    pub(crate) push_words: u32,
    /// Words of the shader record in use, from 0.
    pub(crate) record_words: u32,
}

/// Maximum number of elements of an array in the portable style, where each has a binding and the
/// operations on it are written once per element.
const MAX_PORTABLE_ELEMENTS: u32 = 32;

/// Decides each view's shape and format, and lists what it binds.
pub(super) fn assign(views: &mut [View], options: &Options) -> Result<BindingTable> {
    let mut table = BindingTable::default();
    let mut seen = 0;
    for view in &mut *views {
        view.heap_stride = heap_stride(view, options);
        let is_memory = matches!(
            view.kind,
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer
        );
        let has_texels = options.consumer().texel_buffers;
        if is_memory && has_texels && options.bindings.is_texels(&view.location) {
            view.make_texels();
        }
        view.representation = representation(view, options)?;
        limit_unbounded(view, options, &mut seen)?;
        view.format = storage_format(view, options)?;
        check_location(view, options)?;
        let words = if view.local {
            &mut table.record_words
        } else {
            &mut table.push_words
        };
        *words = (*words).max(root_words(&view.location));
        add_rows(&mut table.rows, view, options)?;
    }
    if let Some(slot) = options.bindings.root_constants
        && table.push_words != 0
    {
        table.rows.push(root_constants_row(slot, table.push_words));
        table.push_words = table.push_words.next_multiple_of(4);
    }
    merge(&mut table.rows);
    Ok(table)
}

/// Returns whether the descriptors of an array of this kind are one variable, an array. Otherwise
/// each element has a variable and a binding.
pub(crate) fn is_one_variable(view: &View, options: &Options) -> bool {
    if options.consumer().descriptor_arrays {
        return true;
    }
    let feature = match view.representation {
        Representation::Image | Representation::Sampler => Features::PORTABLE_TEXTURE_ARRAYS,
        Representation::Constants | Representation::Words | Representation::ConvertedTexels(_) => {
            Features::PORTABLE_BUFFER_ARRAYS
        }
        _ => return false,
    };
    let is_heap = matches!(view.location, Location::Heap { .. });
    let is_long = view.count.is_none_or(|count| count > MAX_PORTABLE_ELEMENTS);
    options.target.features.contains(feature)
        && (is_heap || is_long || view.usage.contains(Usage::NON_UNIFORM))
}

/// Gives an unbounded array, or a view of a heap, the number of elements that the caller chose for
/// the portable style. Views of a heap that are one variable have no end, but a binding of their
/// own.
///
/// # Errors
///
/// The code may name more elements, and the caller has not said that there are no others.
fn limit_unbounded(view: &mut View, options: &Options, seen: &mut u32) -> Result<()> {
    let is_array = is_one_variable(view, options);
    let elements = options.bindings.unbounded_elements.max(is_array.into());
    if options.consumer().descriptor_arrays || elements == 0 {
        return Ok(());
    }
    let mut next_slot = |slot: DescriptorSlot| {
        let binding = seen.saturating_mul(elements);
        *seen += 1;
        DescriptorSlot { binding, ..slot }
    };
    match view.location {
        Location::Heap { slot, .. } => {
            let place = next_slot(slot);
            let counts = view.usage.contains(Usage::COUNTER);
            view.location = Location::Descriptor {
                slot: place,
                first_index: 0,
                counter: counts.then(|| Counter::Buffer(next_slot(slot))),
                format: None,
            };
        }
        // Only counted, for the bindings after: the array keeps its own binding.
        Location::Descriptor { slot, .. } if view.count.is_none() => {
            next_slot(slot);
        }
        _ => return Ok(()),
    }
    if !is_array && view.last >= elements && !options.bindings.unbounded_elements_are_all {
        return Err(Error::portable(
            PortableForm::UnknownElements,
            format!(
                "{}, of which the text would have {elements} elements and the code may name more,",
                view.describe()
            ),
        ));
    }
    view.count = (!is_array).then_some(elements);
    Ok(())
}

/// Returns the stride of the heap of VK_EXT_descriptor_heap that holds the view's descriptors.
fn heap_stride(view: &View, options: &Options) -> Option<u32> {
    let heaps = options.bindings.descriptor_heaps?;
    let is_heap = matches!(view.location, Location::Heap { .. });
    (is_heap && options.consumer().descriptor_arrays).then_some(match view.class {
        ResourceClass::Sampler => heaps.sampler_stride,
        _ => heaps.resource_stride,
    })
}

fn representation(view: &View, options: &Options) -> Result<Representation> {
    if let DescriptorOrigin::Declared(key) = view.origin
        && let Some(index) = options.bindings.attachment(key)
    {
        return attachment(view, options, index);
    }
    Ok(match view.kind {
        ResourceKind::CBuffer => Representation::Constants,
        ResourceKind::Sampler => Representation::Sampler,
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer => {
            Representation::Words
        }
        ResourceKind::TypedBuffer => {
            let format = match view.location {
                Location::Descriptor { format, .. } => format,
                _ => None,
            };
            let has_buffers = options.consumer().texel_buffers;
            match format {
                Some(format) => Representation::ConvertedTexels(format),
                None if !has_buffers => Representation::ConvertedTexels(natural(view)),
                None => Representation::TexelBuffer,
            }
        }
        ResourceKind::RtAccelerationStructure => Representation::AccelerationStructure,
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {
            Representation::Image
        }
        ResourceKind::Invalid => {
            return Err(Error::malformed(format!(
                "{} has no valid kind",
                view.describe()
            )));
        }
        _ => Representation::Image,
    })
}

/// Returns the representation of an input attachment.
fn attachment(view: &View, options: &Options, index: Option<u32>) -> Result<Representation> {
    let is_texture = matches!(
        view.kind,
        ResourceKind::Texture2D | ResourceKind::Texture2DMS
    );
    let is_alone = view.count == Some(1) && matches!(view.location, Location::Descriptor { .. });
    if view.class == ResourceClass::Srv
        && is_texture
        && is_alone
        && options.consumer().input_attachments
    {
        return Ok(Representation::Attachment(index));
    }
    Err(Error::unsupported(format!(
        "{} as an input attachment, which is one 2D texture in native style",
        view.describe()
    )))
}

fn natural(view: &View) -> TexelFormat {
    let component = view
        .component
        .unwrap_or(dxil_frontend::dxil::ComponentType::U32);
    TexelFormat::natural(component, view.component_count)
}

/// Returns the texel format that a storage image's type names; `None` leaves it to the descriptor.
fn storage_format(view: &View, options: &Options) -> Result<Option<TexelFormat>> {
    if let Representation::ConvertedTexels(format) = view.representation {
        return Ok(Some(format));
    }
    let texels = matches!(
        view.representation,
        Representation::Image | Representation::TexelBuffer
    );
    if view.class != ResourceClass::Uav || !texels {
        return Ok(None);
    }
    if let Location::Descriptor {
        format: Some(format),
        ..
    } = view.location
    {
        return Ok(Some(format));
    }
    if view.words_of.is_some() {
        return Ok(Some(TexelFormat::R32Uint));
    }
    // An image with atomics has a format of one 32-bit or 64-bit component
    // (VUID-StandaloneSpirv-OpImageTexelPointer-04658); floats are exchanged as integers.
    if view.usage.contains(Usage::ATOMIC_64) {
        // D3D binds such views with a format of two unsigned words, whatever the shader declares.
        return Ok(Some(TexelFormat::R64Uint));
    }
    if view.usage.contains(Usage::ATOMIC_32) {
        return Ok(Some(if view.is_signed() {
            TexelFormat::R32Sint
        } else {
            TexelFormat::R32Uint
        }));
    }
    let lacks =
        |usage, feature| view.usage.contains(usage) && !options.target.features.contains(feature);
    let needs_format = !options.consumer().formatless_images;
    let without_loads = lacks(Usage::READ, Features::STORAGE_READ_WITHOUT_FORMAT);
    let quirks = options.workarounds.quirks;
    if without_loads && quirks.contains(Quirks::LOADED_UAVS_ARE_R32) && !view.is_64_bit() {
        return Ok(Some(match natural(view).numeric() {
            Numeric::Uint => TexelFormat::R32Uint,
            Numeric::Sint => TexelFormat::R32Sint,
            Numeric::Float | Numeric::Unorm | Numeric::Snorm => TexelFormat::R32Float,
        }));
    }
    if needs_format || without_loads || lacks(Usage::WRITE, Features::STORAGE_WRITE_WITHOUT_FORMAT)
    {
        return Ok(Some(natural(view)));
    }
    Ok(None)
}

/// Refuses a location that the resource or the target cannot use.
fn check_location(view: &View, options: &Options) -> Result<()> {
    let features = options.target.features;
    let lacks = |feature: &'static str| {
        Err(Error::new(ErrorKind::TargetLacks {
            feature,
            user: view.describe(),
        }))
    };
    match view.location {
        Location::PushConstants { .. } if view.representation != Representation::Constants => {
            Err(Error::unsupported(format!(
                "{} in push constants, which are for constant buffers only",
                view.describe()
            )))
        }
        // The address is the structure's name; no memory is read through it.
        Location::DeviceAddress { .. }
            if view.representation == Representation::AccelerationStructure =>
        {
            Ok(())
        }
        Location::AddressTable { .. }
            if view.representation != Representation::AccelerationStructure =>
        {
            Err(Error::unsupported(format!(
                "{} in a table of addresses, which is for acceleration structures only",
                view.describe()
            )))
        }
        Location::DeviceAddress { .. } => {
            if !matches!(
                view.representation,
                Representation::Constants | Representation::Words
            ) {
                return Err(Error::unsupported(format!(
                    "{} at a device address, which is for buffers only",
                    view.describe()
                )));
            }
            if !features.contains(Features::BUFFER_DEVICE_ADDRESS) {
                return lacks("bufferDeviceAddress");
            }
            Ok(())
        }
        Location::Heap { .. } if view.heap_stride.is_some() => {
            if !features.contains(Features::DESCRIPTOR_HEAP) {
                return lacks("descriptorHeap");
            }
            Ok(())
        }
        Location::Heap { .. } if !features.contains(Features::DESCRIPTOR_INDEXING) => {
            lacks("runtimeDescriptorArray")
        }
        Location::Descriptor { .. }
            if view.count.is_none() && !features.contains(Features::DESCRIPTOR_INDEXING) =>
        {
            lacks("runtimeDescriptorArray")
        }
        _ => Ok(()),
    }?;
    let heap = matches!(view.location, Location::Heap { .. });
    let max = MAX_PORTABLE_ELEMENTS;
    let has_arrays = is_one_variable(view, options);
    if !has_arrays && (heap || view.count.is_none_or(|n| n > max)) {
        let what = view.describe();
        return Err(Error::portable(
            PortableForm::DescriptorArray,
            format!("an unbounded array, or one of more than {max} descriptors ({what}),"),
        ));
    }
    let is_texture = view.class == ResourceClass::Uav
        && view.representation == Representation::Image
        && view.feedback.is_none();
    // The order of fragments, which ordered views need, is refused by its own name.
    if is_texture
        && view.coherent
        && !view.rasterizer_ordered
        && !options.consumer().coherent_memory
    {
        let what = view.describe();
        return Err(Error::portable(
            PortableForm::CoherentTexture,
            format!("a coherent texture ({what})"),
        ));
    }
    if view.usage.contains(Usage::NON_UNIFORM)
        && has_arrays
        && view.heap_stride.is_none()
        && !features.contains(Features::DESCRIPTOR_INDEXING)
    {
        return lacks("shaderSampledImageArrayNonUniformIndexing and its like");
    }
    Ok(())
}

/// Returns the number of words of the push constants, or of the shader record, that a location
/// reaches to.
fn root_words(location: &Location) -> u32 {
    match *location {
        Location::PushConstants { first_word, words } => first_word.saturating_add(words),
        Location::DeviceAddress { first_word } => first_word.saturating_add(2),
        Location::Heap {
            table_word: Some(word),
            ..
        }
        | Location::AddressTable {
            table_word: Some(word),
            ..
        } => word.saturating_add(1),
        Location::Heap { .. } | Location::AddressTable { .. } | Location::Descriptor { .. } => 0,
    }
}

/// Returns the uniform buffer that replaces the push constants.
fn root_constants_row(slot: DescriptorSlot, words: u32) -> BindingUse {
    layer_row(slot, DescriptorKind::UniformBuffer, words * 4)
}

/// Returns a buffer that serves no declared resource.
fn layer_row(slot: DescriptorSlot, kind: DescriptorKind, bytes: u32) -> BindingUse {
    BindingUse {
        resource: ResourceKey {
            class: ResourceClass::Cbv,
            id: u32::MAX,
        },
        is_counter: false,
        name: String::new(),
        slot,
        kind,
        count: Some(1),
        format: None,
        readable: true,
        writable: false,
        stride: bytes,
    }
}

/// Adds the buffers that the code turned out to need beside the shader's own resources.
pub(crate) fn add_layer_rows(
    rows: &mut Vec<BindingUse>,
    bound: impl Iterator<Item = (DescriptorSlot, DescriptorKind, u32)>,
) {
    let before = rows.len();
    for (slot, kind, bytes) in bound {
        rows.push(layer_row(slot, kind, bytes));
    }
    if rows.len() != before {
        merge(rows);
    }
}

/// Makes the rows of one slot and descriptor type one row with the largest count, and sorts the
/// rows by slot and resource. The first of equal rows gives the name.
fn merge(rows: &mut Vec<BindingUse>) {
    // Stable, so that rows of one slot and type stay in the order of their views.
    rows.sort_by_key(|row| (row.slot.set, row.slot.binding, row.kind as u32));
    rows.dedup_by(|row, first| {
        let same = row.slot == first.slot && row.kind == first.kind;
        if same {
            first.count = first.count.zip(row.count).map(|(a, b)| a.max(b));
            first.readable |= row.readable;
            first.writable |= row.writable;
            first.format = first.format.or(row.format);
        }
        same
    });
    rows.sort_by_key(|row| (row.slot.set, row.slot.binding, row.resource));
}

/// Returns the descriptor type of a view.
pub(crate) fn descriptor_kind(view: &View, options: &Options) -> DescriptorKind {
    let uav = view.class == ResourceClass::Uav;
    match view.representation {
        Representation::Constants if has_storage_constants(view, options) => {
            DescriptorKind::StorageBuffer
        }
        Representation::Constants => DescriptorKind::UniformBuffer,
        Representation::Words | Representation::ConvertedTexels(_) => DescriptorKind::StorageBuffer,
        Representation::TexelBuffer if uav => DescriptorKind::StorageTexelBuffer,
        Representation::TexelBuffer => DescriptorKind::UniformTexelBuffer,
        Representation::Image if uav => DescriptorKind::StorageImage,
        Representation::Image => DescriptorKind::SampledImage,
        Representation::Attachment(_) => DescriptorKind::InputAttachment,
        Representation::Sampler => DescriptorKind::Sampler,
        Representation::AccelerationStructure => DescriptorKind::AccelerationStructure,
    }
}

/// Returns whether a constant buffer is bound as a storage buffer.
pub(crate) fn has_storage_constants(view: &View, options: &Options) -> bool {
    options.bindings.storage_buffer_constants && matches!(view.location, Location::Heap { .. })
}

fn add_rows(rows: &mut Vec<BindingUse>, view: &View, options: &Options) -> Result<()> {
    let (slot, first_index, counter, heap) = match view.location {
        Location::Descriptor {
            slot,
            first_index,
            counter,
            ..
        } => (slot, first_index, counter, false),
        Location::Heap { slot, counter, .. } => (slot, 0, counter, true),
        Location::AddressTable { slot, .. } => {
            let mut table = layer_row(slot, DescriptorKind::StorageBuffer, 8);
            table.resource = resource_of(view);
            table.name = view.name.to_string();
            rows.push(table);
            return Ok(());
        }
        Location::PushConstants { .. } | Location::DeviceAddress { .. } => {
            if view.usage.contains(Usage::COUNTER) {
                return Err(no_counter(view));
            }
            return Ok(());
        }
    };
    let count = if heap {
        None
    } else {
        view.count.map(|count| count.saturating_add(first_index))
    };
    let row = BindingUse {
        resource: resource_of(view),
        is_counter: false,
        name: view.name.to_string(),
        slot,
        kind: descriptor_kind(view, options),
        count,
        format: view.format,
        readable: !view.is_only_stored_to(options.target.features),
        writable: view.usage.intersects(Usage::CHANGES),
        stride: match view.representation {
            Representation::Constants => view.cbuffer_size,
            Representation::Words if view.kind == ResourceKind::StructuredBuffer => view.stride,
            Representation::Words if view.kind == ResourceKind::TBuffer => 16,
            Representation::Words => 4,
            Representation::ConvertedTexels(format) => format.bytes(),
            _ => 0,
        },
    };
    // A UAV of which only the counter is used binds the counter alone. What lies in a heap of
    // VK_EXT_descriptor_heap has no set and binding.
    if view.usage != Usage::COUNTER && view.heap_stride.is_none() {
        rows.extend(per_element(view, &row, options));
    }
    if let Location::Heap {
        ranges: Some(ranges),
        ..
    } = view.location
    {
        rows.push(BindingUse {
            slot: ranges.slot,
            kind: DescriptorKind::StorageBuffer,
            count: Some(1),
            format: None,
            readable: true,
            writable: false,
            stride: 8,
            ..row.clone()
        });
    }
    if view.usage.contains(Usage::COUNTER) {
        use DescriptorKind::{StorageBuffer, StorageTexelBuffer};
        let counter = counter.ok_or_else(|| no_counter(view))?;
        let (slot, kind, count, writable, stride) = match counter {
            Counter::Buffer(slot) => (slot, StorageBuffer, row.count, true, 4),
            Counter::TexelBuffer(slot) => (slot, StorageTexelBuffer, row.count, true, 0),
            Counter::Addresses { slot, .. } | Counter::AddressesBehind { slot, .. } => {
                if !options
                    .target
                    .features
                    .contains(Features::BUFFER_DEVICE_ADDRESS)
                {
                    return Err(Error::new(ErrorKind::TargetLacks {
                        feature: "bufferDeviceAddress",
                        user: format!("the counter of {}", view.describe()),
                    }));
                }
                let kind = match counter {
                    Counter::AddressesBehind { .. } => DescriptorKind::UniformBuffer,
                    _ => StorageBuffer,
                };
                (slot, kind, Some(1), false, 8)
            }
        };
        let counter = BindingUse {
            is_counter: true,
            slot,
            kind,
            count,
            format: (kind == StorageTexelBuffer).then_some(TexelFormat::R32Uint),
            readable: true,
            writable,
            stride,
            ..row
        };
        rows.extend(per_element(view, &counter, options));
    }
    Ok(())
}

/// Returns the resource that a view's rows serve.
fn resource_of(view: &View) -> ResourceKey {
    match view.origin {
        DescriptorOrigin::Declared(key) => key,
        // A heap serves no declared resource: its rows carry an id that no range has.
        DescriptorOrigin::ResourceHeap | DescriptorOrigin::SamplerHeap => ResourceKey {
            class: view.class,
            id: u32::MAX,
        },
    }
}

/// Returns the rows of an array: one, or one per element where each has a variable.
fn per_element(view: &View, row: &BindingUse, options: &Options) -> Vec<BindingUse> {
    let count = match row.count {
        Some(count) if !is_one_variable(view, options) => count,
        _ => return vec![row.clone()],
    };
    let element = |index| BindingUse {
        slot: DescriptorSlot {
            binding: row.slot.binding.saturating_add(index),
            ..row.slot
        },
        count: Some(1),
        ..row.clone()
    };
    (0..count).map(element).collect()
}

fn no_counter(view: &View) -> Error {
    Error::new(ErrorKind::Unbound(format!(
        "the counter of {}",
        view.describe()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DescriptorSlot;

    fn row(binding: u32, kind: DescriptorKind, count: Option<u32>) -> BindingUse {
        BindingUse {
            resource: ResourceKey {
                class: ResourceClass::Srv,
                id: 0,
            },
            is_counter: false,
            name: String::new(),
            slot: DescriptorSlot { set: 0, binding },
            kind,
            count,
            format: None,
            readable: true,
            writable: false,
            stride: 0,
        }
    }

    #[test]
    fn aliases_of_one_kind_are_one_row_with_the_larger_count() {
        let mut rows = vec![
            row(3, DescriptorKind::SampledImage, Some(2)),
            row(3, DescriptorKind::StorageBuffer, None),
            row(3, DescriptorKind::SampledImage, Some(5)),
        ];
        let merged = |rows: &[BindingUse]| -> Vec<(DescriptorKind, Option<u32>)> {
            rows.iter().map(|row| (row.kind, row.count)).collect()
        };
        merge(&mut rows);
        let buffer = (DescriptorKind::StorageBuffer, None);
        let expected = [buffer, (DescriptorKind::SampledImage, Some(5))];
        assert_eq!(merged(&rows), expected);
        rows.push(row(3, DescriptorKind::SampledImage, None));
        merge(&mut rows);
        let expected = [buffer, (DescriptorKind::SampledImage, None)];
        assert_eq!(merged(&rows), expected);
    }
}
