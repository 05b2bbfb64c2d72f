//! Resource variables and handles: the data, without the code that works on it.

use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::HashMap;
use rspirv::spirv::BuiltIn;

use crate::interface::ViewId;
use crate::spirv::{Id, StorageClass};
use crate::{DescriptorKind, DescriptorSlot, RangeTable};

/// The side tables of heaps in the module that is being built.
#[derive(Debug, Default)]
pub(super) struct HeapTables {
    /// The type of a table.
    pub(super) block: Option<Id>,
    /// Variables by slot. There are few.
    pub(super) variables: Vec<(DescriptorSlot, Id)>,
    /// Pairs that were loaded in the current block, by table and index.
    pub(super) loaded: HashMap<(RangeTable, Id), Id>,
    /// That block's label.
    pub(super) loaded_in: Id,
}

/// The heaps of VK_EXT_descriptor_heap in the module that is being built.
#[derive(Debug, Default)]
pub(super) struct DescriptorHeapState {
    /// The variable of the heap of resources.
    pub(super) resources: Option<Id>,
    /// The variable of the heap of samplers.
    pub(super) samplers: Option<Id>,
    /// The heap as an array, by the type of a descriptor and the stride.
    pub(super) arrays: HashMap<(Id, u32), Id>,
}

/// Words of the layer in the module that is being built. There are few.
#[derive(Debug, Default)]
pub(in crate::lower) struct LayerWords {
    /// Uniform buffers by slot and number of words.
    pub(super) uniforms: Vec<(DescriptorSlot, u32, Id)>,
    /// The storage buffer whose length is the heap's.
    pub(super) sized: Option<Id>,
    /// The bindings of these buffers.
    pub(in crate::lower) bound: Vec<LayerBinding>,
}

/// A descriptor that serves no declared resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayerBinding {
    pub(crate) slot: DescriptorSlot,
    pub(crate) kind: DescriptorKind,
    /// Size in bytes, or size of an element.
    pub(crate) bytes: u32,
}

/// Resource variables of the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct ResourceState {
    pub(super) variables: HashMap<(ViewId, Leaf, u32), Variable>,
    /// Handles of arrays in the portable style whose element is known here.
    pub(super) elements: HashMap<ValueId, Id>,
    pub(super) by_slot: HashMap<(DescriptorSlot, Id, bool), Id>,
    pub(super) blocks: HashMap<BlockKind, BlockStruct>,
    /// Whether storage buffers that are only accessed as floats have words that are floats.
    pub(in crate::lower) float_buffers: bool,
    pub(super) push_block: Option<Id>,
    pub(in crate::lower) record: Option<Id>,
    /// Copies of operations that were written for handles that are one of several.
    pub(super) copies: u32,
    /// Views that handles have been narrowed to, in the code that is being written.
    pub(super) chosen: Vec<(ValueId, ViewId, Id)>,
    /// Side tables of the heaps.
    pub(super) heap_tables: HeapTables,
    /// Words that the layer provides.
    pub(in crate::lower) layer_words: LayerWords,
    pub(super) counter_images: HashMap<DescriptorSlot, (Id, Id)>,
    /// The heaps of VK_EXT_descriptor_heap.
    pub(super) descriptor_heaps: DescriptorHeapState,
    /// The variable to which indices of pseudo-arrays are stored.
    pub(super) element_words: Option<Id>,
    /// Results of operations that have no result in the portable style.
    pub(in crate::lower) without_result: Vec<ValueId>,
}

/// Innermost element of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) enum Leaf {
    /// 16-bit words.
    U16,
    /// 32-bit words.
    U32,
    /// 64-bit words.
    U64,
    /// Rows of four 32-bit words.
    Row,
    /// Rows of three 32-bit words, without padding.
    Triple,
    /// Rows of two 32-bit words.
    Pair,
    /// Rows of four 16-bit words.
    Row16,
    /// Rows of three 16-bit words, without padding.
    Triple16,
    /// Rows of two 16-bit words.
    Pair16,
    /// The hidden counter: one 32-bit word.
    Counter,
    /// An image, sampler or acceleration structure.
    Object,
}

/// The contents of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) struct BlockKind {
    /// The innermost element.
    pub(in crate::lower) leaf: Leaf,
    /// Elements of the array; 0 is a runtime array.
    pub(in crate::lower) count: u32,
    /// Whether other thread groups see what is written.
    pub(in crate::lower) coherent: bool,
    /// Whether words of 32 bits are floats.
    pub(in crate::lower) floats: bool,
    /// Whether the memory does not change while the shader runs. Where the block belongs to a
    /// variable, the variable says so.
    pub(in crate::lower) unchanging: bool,
}

/// A block: a struct around an array.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct BlockStruct {
    /// The struct.
    pub(in crate::lower) ty: Id,
    pub(super) leaf: Id,
}

impl ResourceState {
    /// Makes room for the variables of that many views.
    pub(in crate::lower) fn reserve(&mut self, views: usize) {
        self.variables.reserve(views);
        self.by_slot.reserve(views);
    }

    /// Returns the built-ins of the heaps that the module accesses.
    pub(in crate::lower) fn heap_built_ins(&self) -> impl Iterator<Item = BuiltIn> {
        let heaps = &self.descriptor_heaps;
        let resources = heaps.resources.map(|_| BuiltIn::ResourceHeapEXT);
        let samplers = heaps.samplers.map(|_| BuiltIn::SamplerHeapEXT);
        resources.into_iter().chain(samplers)
    }

    /// Returns the variables of resources, without those of hidden counters, in any order.
    #[expect(clippy::disallowed_methods, reason = "as documented")]
    pub(in crate::lower) fn described(&self) -> impl Iterator<Item = (ViewId, Id)> {
        let variables = self.variables.iter();
        let variables = variables
            .filter(|((_, leaf, _), variable)| *leaf != Leaf::Counter && variable.id != Id::NONE)
            // A heap is no variable of the source.
            .filter(|(_, variable)| variable.heap.is_none());
        variables.map(|((view, ..), variable)| (*view, variable.id))
    }
}

/// A variable, and the types that accesses to it need.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variable {
    /// The variable (none at a device address).
    pub(super) id: Id,
    /// Storage class.
    pub(super) class: StorageClass,
    /// Type of one descriptor: block struct, image, sampler.
    pub(super) ty: Id,
    /// Type of the innermost element; `ty` for objects.
    pub(super) leaf: Id,
    /// Whether it is an array of descriptors.
    pub(super) arrayed: bool,
    /// The number of elements (0 without an end) and the place of a pseudo-array
    /// ([`crate::pseudo_arrays`]).
    pub(super) pseudo: Option<(u32, DescriptorSlot)>,
    /// The type of a heap of VK_EXT_descriptor_heap as an array of such descriptors, where the
    /// variable is such a heap.
    pub(super) heap: Option<Id>,
}
