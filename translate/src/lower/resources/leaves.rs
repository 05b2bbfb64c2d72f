//! The variables through which a buffer is accessed: words of 16, 32 or 64 bits, or rows of words.

use dxil_frontend::dxil::ResourceKind;

use crate::Location;
use crate::interface::{Representation, ScalarCounts, Usage, View, has_storage_constants};
use crate::lower::context::Context;
use crate::lower::resources::state::Leaf;
use crate::lower::type_map::Scalar;
use crate::numerics::BufferAccess;
use crate::options::{Features, Options};
use crate::spirv::Id;

/// Returns whether 16-bit accesses go through a variable of 16-bit words.
pub(in crate::lower) fn has_16bit_words(options: &Options, view: &View) -> bool {
    let needs = Features::STORAGE_16BIT | Features::INT16;
    // Texels of a raw or structured buffer are words.
    view.representation != Representation::Constants
        && view.words_of.is_none()
        && options.target.features.contains(needs)
}

/// Returns whether 64-bit accesses go through a variable of 64-bit words.
///
/// A storage buffer has no feature for 64-bit accesses: `shaderInt64` is enough (Vulkan,
/// "Features"). Views of raw buffers begin at a multiple of 16 bytes
/// (`D3D12_RAW_UAV_SRV_BYTE_ALIGNMENT`), those of structured buffers at a multiple of the stride;
/// an address that is a root descriptor is aligned to 4 bytes only.
pub(in crate::lower) fn has_64bit_words(options: &Options, view: &View) -> bool {
    let is_aligned = match view.kind {
        ResourceKind::RawBuffer => true,
        ResourceKind::StructuredBuffer => view.stride.is_multiple_of(8),
        _ => false,
    };
    is_aligned
        && view.representation == Representation::Words
        && view.usage.contains(Usage::WIDTH_64)
        && !view.usage.contains(Usage::MISALIGNED_64)
        && !matches!(view.location, Location::DeviceAddress { .. })
        && options.consumer().compact_code
        && options.target.features.contains(Features::INT64)
}

/// Accesses to floats from which on types of their own take fewer words than casts.
const ENOUGH_FLOATS: u32 = 7;

/// Returns whether storage buffers of floats are worth types of their own: always if no storage
/// buffer has integers.
pub(in crate::lower) fn has_float_buffers(views: &[View]) -> bool {
    let buffers = views
        .iter()
        .filter(|view| view.representation == Representation::Words);
    let (mut floats, mut has_others) = (0_u32, false);
    for view in buffers {
        if holds_floats(view) {
            floats = floats.saturating_add(view.scalars.floats);
        } else {
            has_others |= view.scalars != ScalarCounts::default();
        }
    }
    floats >= ENOUGH_FLOATS || floats > 0 && !has_others
}

/// Returns whether a buffer is accessed as 32-bit floats only.
fn holds_floats(view: &View) -> bool {
    let other_words = Usage::ATOMIC | Usage::WIDTH_16 | Usage::WIDTH_64;
    let ScalarCounts { floats, others } = view.scalars;
    floats > 0 && others == 0 && !view.usage.intersects(other_words)
}

/// Returns the scalar of the 32-bit words of a buffer in the module: floats where the shader reads
/// them as such, which saves a cast of each. All loads and stores keep the bits. A constant buffer
/// is only read, so its rows have the scalar that most of its values have.
pub(in crate::lower) fn word_scalar(cx: &Context<'_>, view: &View) -> Scalar {
    // A constant buffer is only read, so the more frequent use decides; in a storage buffer every
    // other access would need a cast back.
    let is_float = match view.representation {
        Representation::Constants => view.scalars.floats > view.scalars.others,
        Representation::Words => cx.module.resources.float_buffers && holds_floats(view),
        _ => false,
    };
    let has_variable = matches!(
        view.location,
        Location::Descriptor { .. } | Location::Heap { .. } | Location::DeviceAddress { .. }
    );
    if is_float && has_variable && cx.input.consumer().compact_code {
        Scalar::F32
    } else {
        Scalar::U32
    }
}

/// Returns the type of the 32-bit words of a buffer.
pub(in crate::lower) fn word_type(cx: &mut Context<'_>, view: &View) -> Id {
    if word_scalar(cx, view) == Scalar::F32 {
        cx.b.f32()
    } else {
        cx.b.u32()
    }
}

/// Returns the kind of row and its number of words, if the buffer is an array of rows.
pub(in crate::lower) fn rows_of(options: &Options, view: &View) -> Option<(Leaf, u32)> {
    let features = options.target.features;
    let elsewhere = Usage::ATOMIC | Usage::WIDTH_16 | Usage::DYNAMIC_OFFSET;
    // One variable for all accesses is better than two; 64-bit words alone need no rows.
    let is_wide = !view.usage.contains(Usage::WIDTH_32) && has_64bit_words(options, view);
    let is_plain = view.kind == ResourceKind::StructuredBuffer
        && view.representation == Representation::Words
        && options.consumer().compact_code
        && !view.usage.intersects(elsewhere)
        && !is_wide
        && !options.checks_bounds();
    if !is_plain || !has_own_words(view) || view.stride == 0 || has_words_only(options, view) {
        None
    } else if view.stride.is_multiple_of(16) {
        Some((Leaf::Row, 4))
    } else if view.stride.is_multiple_of(8) {
        Some((Leaf::Pair, 2))
    } else if view.stride.is_multiple_of(12) && features.contains(Features::SCALAR_BLOCK_LAYOUT) {
        Some((Leaf::Triple, 3))
    } else {
        None
    }
}

/// Returns whether a buffer has rows of two to four words or halves besides its words: for accesses
/// to several of them at once. It is a raw buffer, or a structured one that is no array of rows: it
/// holds halves, or its elements are accessed at computed offsets. Where code checks bounds, it
/// does so for each word.
pub(in crate::lower) fn has_vectors(options: &Options, view: &View) -> bool {
    let has_halves = has_16bit_words(options, view) && view.usage.contains(Usage::VECTORS_16);
    let has_offsets = match view.kind {
        ResourceKind::RawBuffer => has_halves || view.usage.contains(Usage::VECTORS),
        ResourceKind::StructuredBuffer if view.usage.contains(Usage::DYNAMIC_OFFSET) => {
            has_halves || view.usage.contains(Usage::VECTORS)
        }
        ResourceKind::StructuredBuffer => has_halves,
        _ => false,
    };
    has_offsets
        && view.representation == Representation::Words
        && options.consumer().compact_code
        && !options.checks_bounds()
        && has_own_words(view)
        && !has_words_only(options, view)
}

/// Returns whether a constant buffer can be an array of words besides one of rows: for values at
/// computed places.
pub(in crate::lower) fn has_constant_words(options: &Options, view: &View) -> bool {
    let features = options.target.features;
    view.representation == Representation::Constants
        && features.contains(Features::SCALAR_BLOCK_LAYOUT)
        && options.consumer().compact_code
        && !options.checks_bounds()
        && has_own_words(view)
        && !matches!(view.location, Location::DeviceAddress { .. })
        && view.heap_stride.is_none()
        && !has_storage_constants(view, options)
}

/// Returns whether rows of a constant buffer at computed places are loaded word by word.
pub(in crate::lower) fn has_constant_words_only(options: &Options, view: &View) -> bool {
    has_words_only(options, view) && has_constant_words(options, view)
}

/// Returns whether accesses to several words are best made word by word. Nothing is checked behind
/// a root descriptor, so drivers keep vectors there.
fn has_words_only(options: &Options, view: &View) -> bool {
    options.target.numerics.buffer_access == BufferAccess::Words
        && !matches!(view.location, Location::DeviceAddress { .. })
}

/// Returns whether the first word of a buffer is that of its memory: a range table counts words
/// from elsewhere on.
fn has_own_words(view: &View) -> bool {
    matches!(
        view.location,
        Location::Descriptor { .. }
            | Location::Heap { ranges: None, .. }
            | Location::DeviceAddress { .. }
    )
}

/// Returns the kind of element whose count gives the size of a buffer, and its size in bytes.
/// Prefers a kind that accesses use, if the buffer's size is a multiple of it.
pub(in crate::lower) fn leaf_of_size(options: &Options, view: &View) -> (Leaf, u32) {
    let usage = view.usage;
    let words = Usage::WIDTH_32 | Usage::WIDTH_64;
    if let Some((leaf, width)) = rows_of(options, view) {
        (leaf, width * 4)
    } else if usage.contains(Usage::WIDTH_16)
        && !usage.intersects(words)
        && has_16bit_words(options, view)
    {
        (Leaf::U16, 2)
    } else if !usage.contains(Usage::WIDTH_32)
        && has_64bit_words(options, view)
        // The size of a raw buffer is a multiple of 4 bytes.
        && view.kind == ResourceKind::StructuredBuffer
    {
        (Leaf::U64, 8)
    } else {
        (Leaf::U32, 4)
    }
}

/// Returns whether accesses to a buffer go through more than one variable.
pub(super) fn has_several(options: &Options, view: &View) -> bool {
    if has_vectors(options, view) {
        return true;
    }
    let usage = view.usage;
    let has_rows = rows_of(options, view).is_some();
    let wide = has_64bit_words(options, view) && !has_rows;
    let asks_size = usage.contains(Usage::QUERIED);
    let words = Usage::WIDTH_32
        | if wide {
            Usage::empty()
        } else {
            Usage::WIDTH_64
        };
    let variables = [
        usage.contains(Usage::WIDTH_16),
        usage.intersects(words) || wide && asks_size && leaf_of_size(options, view).0 == Leaf::U32,
        usage.contains(Usage::ATOMIC_64) || wide,
    ];
    variables.into_iter().filter(|&is_there| is_there).count() > 1
}
