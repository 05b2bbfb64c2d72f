//! Arrays of textures and samplers in portable SPIR-V, for readers that implement them.
//!
//! naga's IR has arrays of bindings, but its SPIR-V front end has no fetch from an element, no
//! store to one, and no element that is compared. With
//! [`Features::PORTABLE_TEXTURE_ARRAYS`](crate::Features::PORTABLE_TEXTURE_ARRAYS) such an array is
//! one variable of the type of an element. In front of each instruction that accesses an element,
//! in the same block, four words are stored to a variable, and loaded from it: the index, the
//! number of elements (0 without an end), and descriptor set and binding of the array. The variable
//! is private and begins with [`MARKER`].
//!
//! The reader of the module makes the array's variable an array, and the element of it that the
//! last words before an instruction name takes the variable's place there.

/// The first value of the variable to which indices are stored.
pub const MARKER: [u32; 4] = [0x6578_696c, 0x6172_7261, 0x7973_6f66, 0x7465_7874];
