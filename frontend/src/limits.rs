//! Caps that keep hostile input cheap. Each is far above anything a real compiler writes.

/// Maximum number of parts a DXContainer may have. DXC writes at most about 15.
pub const MAX_PARTS: u32 = 4096;

/// Deepest nesting of bitstream blocks. LLVM's own files reach 5.
pub const MAX_BLOCK_DEPTH: usize = 16;

/// Maximum number of nominal bytes of a module for each byte of its bitcode: a record counts for
/// two bytes and six bits for each of its numbers if it takes less, a block of a function for 16
/// bytes more and an operand of a phi or a case of a switch for two. DXC's modules have 1.1 to 1.6.
pub const NOMINAL_BYTES_PER_BYTE: u64 = 2;

/// Nominal bytes that the records of every module may have in addition, however short it is. See
/// [`NOMINAL_BYTES_PER_BYTE`].
pub const FREE_RECORD_BYTES: u64 = 64 << 10;

/// Nominal bytes that every module may have in addition, blocks and edges included.
pub const FREE_NOMINAL_BYTES: u64 = 192 << 10;

/// Deepest nesting of a type (array of struct of array ...), so that walks over types are bounded.
pub const MAX_TYPE_DEPTH: u32 = 64;

/// Maximum number of bits of an integer type that the IR represents; DXIL stops at 64.
pub const MAX_INT_BITS: u32 = 64;

/// Maximum number of rows of a signature element: a signature of D3D has 32 rows.
pub const MAX_SIGNATURE_ROWS: u32 = 32;

/// Highest row at which a signature element may begin. Elements beyond D3D's 32 rows are read, so
/// that the validator can report where they lie.
pub const MAX_SIGNATURE_START: u32 = 0xffff;

/// Maximum number of elements of a signature: 32 registers of four components for four streams.
pub const MAX_SIGNATURE_ELEMENTS: usize = 512;

/// Maximum number of kinds of metadata. LLVM has about 20.
pub const MAX_METADATA_KINDS: usize = 1024;

/// Longest semantic name in a signature, and longest name in `RDEF`. HLSL's own limit on
/// identifiers is far below.
pub const MAX_NAME_BYTES: usize = 4096;

/// Maximum number of bytes that a compressed part may unpack to, for each packed byte. Deflate
/// cannot do better than 1032.
pub const MAX_INFLATE_RATIO: usize = 1040;

/// Highest address space of a pointer. DXIL uses 0 to 6.
pub const MAX_ADDRESS_SPACE: u32 = 15;

/// Maximum number of scalars in one type, an array's element counted once: bounds walks over a
/// type's fields.
pub const MAX_TYPE_LEAVES: u64 = 1 << 20;

/// Deepest nesting of constants (aggregates and expressions): walks over them may recurse.
/// Aggregates nest as types do.
pub const MAX_CONSTANT_DEPTH: u32 = MAX_TYPE_DEPTH;

/// Maximum number of tokens of a DXBC program: 64 MiB. The largest known one has a quarter of a
/// million.
pub const MAX_DXBC_TOKENS: usize = 1 << 24;

/// Maximum number of instructions of a DXBC function, those of subroutines and of instances of
/// phases counted each time they are expanded.
pub const MAX_DXBC_STEPS: usize = 1 << 22;

/// Maximum number of expanded instructions of a DXBC function per instruction of the program, on
/// top of [`DXBC_BASE_STEPS`]. A phase has up to 128 instances; a few subroutines that each call
/// the next one twice must not expand to millions of instructions.
pub const DXBC_STEPS_PER_INSTRUCTION: usize = 256;

/// Number of expanded instructions that every DXBC program may have, however short it is. See
/// [`DXBC_STEPS_PER_INSTRUCTION`].
pub const DXBC_BASE_STEPS: usize = 1 << 14;

/// Deepest nesting of control flow in DXBC. D3D allows 64 levels in each of 32 nested subroutines
/// (D3D11.3 functional specification, 7.12).
pub const MAX_DXBC_NESTING: usize = 2048;

/// Deepest nesting of subroutine calls in DXBC, which is D3D's own limit (D3D11.3 functional
/// specification, 7.12).
pub const MAX_DXBC_CALL_DEPTH: u32 = 32;

/// Maximum number of registers of an indexable file of temporaries, which is D3D's own limit
/// (D3D11.3 functional specification, 22.3.36).
pub const MAX_DXBC_INDEXABLE: u32 = 4096;

/// Maximum number of bytes of a declaration of group-shared memory, which is D3D's own limit
/// (D3D11.3 functional specification, 22.3.45).
pub const MAX_DXBC_GROUP_SHARED: u32 = 32768;

/// Maximum number of operands of all phis of a DXBC function.
pub const MAX_DXBC_PHI_OPERANDS: usize = 1 << 24;

/// Maximum number of violations that a validation lists; further ones are counted.
pub const MAX_VIOLATIONS: usize = 10_000;

/// Maximum number of bytes of a name in the text of a violation, and of its file's name.
pub const MAX_VIOLATION_NAME_BYTES: usize = 256;

/// Maximum number of calls of initializers that linking writes: every entry point calls those of
/// all variables that imported functions use. Real libraries have a handful of each.
pub const MAX_INITIALIZER_CALLS: u64 = 1 << 16;
