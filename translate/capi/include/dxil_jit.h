/*
 * dxil-jit: translates Direct3D 12 shaders (DXIL) to SPIR-V. MIT OR Apache-2.0.
 *
 * dxil_jit_translate translates, dxil_jit_validate validates. cbindgen generated this file from
 * translate/capi/src/native.
 */

#ifndef DXIL_JIT_H
#define DXIL_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// shaderFloat16
#define DXIL_JIT_FEATURE_FLOAT16 (1 << 0)

// shaderFloat64
#define DXIL_JIT_FEATURE_FLOAT64 (1 << 1)

// shaderInt16
#define DXIL_JIT_FEATURE_INT16 (1 << 2)

// shaderInt64
#define DXIL_JIT_FEATURE_INT64 (1 << 3)

// storageBuffer16BitAccess
#define DXIL_JIT_FEATURE_STORAGE_16BIT (1 << 4)

// 64-bit atomics on buffers and groupshared memory
#define DXIL_JIT_FEATURE_INT64_ATOMICS (1 << 5)

// storage images without format, read and written
#define DXIL_JIT_FEATURE_STORAGE_WITHOUT_FORMAT (1 << 6)

// runtimeDescriptorArray and non-uniform indexing
#define DXIL_JIT_FEATURE_DESCRIPTOR_INDEXING (1 << 7)

// bufferDeviceAddress
#define DXIL_JIT_FEATURE_DEVICE_ADDRESS (1 << 8)

// subgroup operations with their extended types, quads included
#define DXIL_JIT_FEATURE_SUBGROUP (1 << 9)

// robustBufferAccess2 with null descriptors
#define DXIL_JIT_FEATURE_ROBUSTNESS2 (1 << 10)

// shaderDemoteToHelperInvocation
#define DXIL_JIT_FEATURE_DEMOTE (1 << 11)

// what Vulkan's core asks of desktop devices: geometry and tessellation, clip and cull distances,
// cube arrays, 1D images, sample rate shading, draw parameters, extended gathers
#define DXIL_JIT_FEATURE_DESKTOP (1 << 12)

// rayQuery and rayTraversalPrimitiveCulling
#define DXIL_JIT_FEATURE_RAY_QUERY (1 << 13)

// micromap
#define DXIL_JIT_FEATURE_OPACITY_MICROMAP (1 << 14)

// descriptorHeap and shaderUntypedPointers
#define DXIL_JIT_FEATURE_DESCRIPTOR_HEAP (1 << 15)

// shader64BitIndexing
#define DXIL_JIT_FEATURE_64BIT_INDEXING (1 << 16)

// longVector: vectors of shader model 6.9 stay whole
#define DXIL_JIT_FEATURE_LONG_VECTOR (1 << 17)

// Also warn of gradients and barriers in control flow that may differ between lanes, and of
// gradients that depend on wave operations (`UNI.*`). D3D12 accepts such shaders.
#define DXIL_JIT_VALIDATE_UNIFORMITY 1

// Take the preview shader model 6.10 for a released one.
#define DXIL_JIT_VALIDATE_PREVIEW (1 << 1)

// Result of a call.
enum dxil_jit_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Success.
  DXIL_JIT_CODE_OK = 0,
  // A pointer is null that must not be, or a number has no meaning.
  DXIL_JIT_CODE_BAD_ARGUMENT = 1,
  // The bytes are no shader, or a malformed one.
  DXIL_JIT_CODE_MALFORMED = 2,
  // The shader uses a feature that is not translated, or that the target lacks.
  DXIL_JIT_CODE_UNSUPPORTED = 3,
  // A bug in this library.
  DXIL_JIT_CODE_INTERNAL = 4,
  // There is no translation of the shader in a folder of `dxil-precompile`.
  DXIL_JIT_CODE_NOT_FOUND = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_code dxil_jit_code;
#else
typedef uint32_t dxil_jit_code;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Register classes.
enum dxil_jit_class
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // `t`
  DXIL_JIT_CLASS_SRV = 0,
  // `u`
  DXIL_JIT_CLASS_UAV = 1,
  // `b`
  DXIL_JIT_CLASS_CBV = 2,
  // `s`
  DXIL_JIT_CLASS_SAMPLER = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_class dxil_jit_class;
#else
typedef uint32_t dxil_jit_class;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The place of the resources of a binding.
enum dxil_jit_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Descriptor (array) `set`, `binding`; `counter_set`, `counter_binding` for a counter.
  DXIL_JIT_PLACE_DESCRIPTOR = 0,
  // Heap `set`, `binding`: index = register - first register + `offset` + the push-constant word
  // `word`, unless that is all ones.
  DXIL_JIT_PLACE_HEAP = 1,
  // Root constants: the push-constant words from `word` on.
  DXIL_JIT_PLACE_PUSH_CONSTANTS = 2,
  // Root descriptor: the device address is in the push-constant words `word` and `word` + 1.
  DXIL_JIT_PLACE_DEVICE_ADDRESS = 3,
  // Acceleration structures: a storage buffer `set`, `binding` of device addresses, 8 bytes
  // each; the index is that of `DXIL_JIT_PLACE_HEAP`.
  DXIL_JIT_PLACE_ADDRESS_TABLE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_place dxil_jit_place;
#else
typedef uint32_t dxil_jit_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Stages. A hull shader is a tessellation control shader in Vulkan, a domain shader a tessellation
// evaluation shader.
enum dxil_jit_stage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  DXIL_JIT_STAGE_PIXEL = 0,
  DXIL_JIT_STAGE_VERTEX = 1,
  DXIL_JIT_STAGE_GEOMETRY = 2,
  DXIL_JIT_STAGE_HULL = 3,
  DXIL_JIT_STAGE_DOMAIN = 4,
  DXIL_JIT_STAGE_COMPUTE = 5,
  DXIL_JIT_STAGE_MESH = 13,
  DXIL_JIT_STAGE_AMPLIFICATION = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_stage dxil_jit_stage;
#else
typedef uint32_t dxil_jit_stage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Descriptor types.
enum dxil_jit_descriptor
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  DXIL_JIT_DESCRIPTOR_UNIFORM_BUFFER = 0,
  DXIL_JIT_DESCRIPTOR_STORAGE_BUFFER = 1,
  DXIL_JIT_DESCRIPTOR_UNIFORM_TEXEL_BUFFER = 2,
  DXIL_JIT_DESCRIPTOR_STORAGE_TEXEL_BUFFER = 3,
  DXIL_JIT_DESCRIPTOR_SAMPLED_IMAGE = 4,
  DXIL_JIT_DESCRIPTOR_STORAGE_IMAGE = 5,
  DXIL_JIT_DESCRIPTOR_SAMPLER = 6,
  DXIL_JIT_DESCRIPTOR_ACCELERATION_STRUCTURE = 7,
  DXIL_JIT_DESCRIPTOR_INPUT_ATTACHMENT = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_descriptor dxil_jit_descriptor;
#else
typedef uint32_t dxil_jit_descriptor;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Severities of violations.
enum dxil_jit_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // D3D12 accepts the shader.
  DXIL_JIT_SEVERITY_WARNING = 0,
  // D3D12 refuses the shader.
  DXIL_JIT_SEVERITY_ERROR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_severity dxil_jit_severity;
#else
typedef uint32_t dxil_jit_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The result of comparing the digest that a container stores with the digest of its content.
enum dxil_jit_digest_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The stored digest is zero: the container was not signed.
  DXIL_JIT_DIGEST_STATUS_UNSIGNED = 0,
  // Both are equal.
  DXIL_JIT_DIGEST_STATUS_VALID = 1,
  // The marker of preview compilers is stored (all bytes are 2).
  DXIL_JIT_DIGEST_STATUS_PREVIEW = 2,
  // The marker that tells runtimes to skip the check is stored (all bytes are 1).
  DXIL_JIT_DIGEST_STATUS_BYPASS = 3,
  // They differ: the container was changed after it was signed.
  DXIL_JIT_DIGEST_STATUS_MISMATCH = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_digest_status dxil_jit_digest_status;
#else
typedef uint32_t dxil_jit_digest_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which debug information a container gets.
enum dxil_jit_debug_parts
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // What the old container has: a module, a name, or what is in the program.
  DXIL_JIT_DEBUG_PARTS_AS_BEFORE = 0,
  // What is in the program.
  DXIL_JIT_DEBUG_PARTS_KEEP = 1,
  // The name of a PDB file (ILDN); the program has no debug information.
  DXIL_JIT_DEBUG_PARTS_NAME = 2,
  // The name, and the module with debug information (ILDB); the program has none.
  DXIL_JIT_DEBUG_PARTS_MODULE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_debug_parts dxil_jit_debug_parts;
#else
typedef uint32_t dxil_jit_debug_parts;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a container gets a module for reflection.
enum dxil_jit_reflection_part
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // As the old container has one. Where names are in that module alone, it stays as it is.
  DXIL_JIT_REFLECTION_PART_AS_BEFORE = 0,
  // A module with names (STAT); the program has none.
  DXIL_JIT_REFLECTION_PART_WITH = 1,
  // None.
  DXIL_JIT_REFLECTION_PART_WITHOUT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_reflection_part dxil_jit_reflection_part;
#else
typedef uint32_t dxil_jit_reflection_part;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A cache of translations, which any number of threads can use. A translation is found again by
// its bytes, options and bindings.
typedef struct dxil_jit_cache dxil_jit_cache;

// A container that was written. Read it with `dxil_jit_container_bytes`.
typedef struct dxil_jit_container dxil_jit_container;

#if defined(DXIL_JIT_PRECOMPILED)
// The folder of a cache that `dxil-precompile` filled, open to be read. Any number of threads can
// use it.
typedef struct dxil_jit_precompiled dxil_jit_precompiled;
#endif

// The result of a validation. Read it with `dxil_jit_report_content`.
typedef struct dxil_jit_report dxil_jit_report;

// A finished translation: a SPIR-V module and its reflection.
typedef struct dxil_jit_translation dxil_jit_translation;

// Options of a translation. If all are zero, the target is Vulkan 1.3 without optional features.
typedef struct {
  // Vulkan version: 11, 12, 13 or 14; 0 means 13.
  uint32_t vulkan_version;
  // Subgroup size to declare if the shader declares none; 0 for none.
  uint32_t subgroup_size;
  // Optional features that the device has: `DXIL_JIT_FEATURE_` bits.
  uint64_t features;
  // Name of the entry point; null selects the first one.
  const char *entry;
  // Write only SPIR-V that naga reads.
  bool portable;
  // Check the bounds of buffers in code.
  bool bounds_checks;
  // Write names.
  bool debug_info;
  // Min-precision values have 16 bits instead of 32.
  bool native_min_precision;
  // Set of `ResourceDescriptorHeap` (binding 0) and `SamplerDescriptorHeap` (binding 1), if
  // `has_heaps`.
  uint32_t heap_set;
  // Whether there are descriptor heaps.
  bool has_heaps;
  // Whether `patch_location` is set.
  bool has_patch_location;
  // Write `f32tof16` as one instruction, which rounds as the driver does.
  bool fast_half_packing;
  // Debug information to write, if the container has any: 0 for none, 1 for source texts and
  // lines, 2 also for scopes, types and variables (NonSemantic.Shader.DebugInfo.100).
  uint8_t source_debug_info;
  // Location of the first patch constant of a domain shader: `patch_location` of the hull
  // shader's reflection.
  uint32_t patch_location;
  // With `descriptor_heaps`: bytes from a descriptor of the heap of resources to the next one,
  // or 0 for the size of the descriptor's type (`OpConstantSizeOfEXT`).
  uint32_t resource_heap_stride;
  // The same for the heap of samplers.
  uint32_t sampler_heap_stride;
  // Heaps are those of VK_EXT_descriptor_heap, by SPV_EXT_descriptor_heap: in
  // `DXIL_JIT_PLACE_HEAP`, `set` and `binding` are not used, and `has_heaps` is not needed.
  // Needs `DXIL_JIT_FEATURE_DESCRIPTOR_HEAP`; not for portable modules.
  bool descriptor_heaps;
  // Reach what lies beyond the first 4 GiB of storage buffers (SPV_EXT_shader_64bit_indexing).
  // Needs `DXIL_JIT_FEATURE_64BIT_INDEXING` and `DXIL_JIT_FEATURE_INT64`. Experimental.
  bool large_buffers;
  // Translate operations of the preview shader model 6.10, which still change.
  bool preview;
} dxil_jit_options;

// A declared range of registers, and where its resources are.
typedef struct {
  // A `dxil_jit_class`.
  uint32_t register_class;
  // Register space.
  uint32_t space;
  // First register of the declared range.
  uint32_t first_register;
  // A `dxil_jit_place`.
  uint32_t place;
  // Descriptor set.
  uint32_t set;
  // Binding.
  uint32_t binding;
  // Offset in a heap.
  uint32_t offset;
  // Push-constant word.
  uint32_t word;
  // Descriptor set of the counter of a UAV.
  uint32_t counter_set;
  // Binding of the counter: a storage buffer of one word.
  uint32_t counter_binding;
} dxil_jit_binding;

// An error and its position. Numbers that are not known are all ones.
typedef struct {
  // Category of the error.
  dxil_jit_code code;
  // Function of the module.
  uint32_t function;
  // Block of the function.
  uint32_t block;
  // Instruction of the function.
  uint32_t instruction;
  // Byte offset in the input.
  uint64_t offset;
  // Part of the container, as a string; empty if not known.
  char part[8];
  // Message in English, truncated to this length.
  char message[456];
  // Name of the error, as `target-lacks-feature`. Unlike messages, names never change. Empty if
  // there is nothing to add to the code. docs/capi.md lists the names.
  char name[32];
} dxil_jit_error;

// A class instance that an interface slot stands for (`ID3D11ClassInstance`).
typedef struct {
  // Name of a class instance that the shader declares
  // (`ID3D11ClassLinkage::GetClassInstance`); the other fields but `slot` are not used then.
  // Null for an instance that they describe (`CreateClassInstance`).
  const char *instance_name;
  // Name of a class that the slot takes; null for `function_table`.
  const char *class_name;
  // Interface slot.
  uint32_t slot;
  // Function table, in a container without names of classes.
  uint32_t function_table;
  // Slot of the constant buffer with the instance's data.
  uint32_t constant_buffer;
  // First register of 16 bytes of the data.
  uint32_t constant_offset;
  // Slot of the first texture.
  uint32_t texture;
  // Slot of the first sampler.
  uint32_t sampler;
} dxil_jit_class_instance;

// Contents and use of a cache.
typedef struct {
  // Number of translations.
  size_t entries;
  // Size of their shaders and modules in bytes.
  size_t bytes;
  // Number of requests that the cache answered.
  uint64_t hits;
  // Number of the other requests.
  uint64_t misses;
} dxil_jit_cache_counts;

// What `dxil_jit_make_parts` makes. Zeros: what the old container has.
typedef struct {
  // A `dxil_jit_debug_parts`.
  uint32_t debug;
  // A `dxil_jit_reflection_part`.
  uint32_t reflection;
  // Write the compiler's version (VERS) that the fields below have, instead of the old one. The
  // validator takes the part in libraries only.
  bool has_version;
  // Major version.
  uint16_t version_major;
  // Minor version.
  uint16_t version_minor;
  // Number of commits.
  uint32_t commit_count;
  // Commit, in UTF-8; null is empty.
  const char *commit;
  // Any text, in UTF-8; null is empty.
  const char *custom;
} dxil_jit_part_options;

// A file in memory.
typedef struct {
  // First byte.
  const uint8_t *bytes;
  // Number of bytes.
  size_t size;
} dxil_jit_bytes;

// A part of a container.
typedef struct {
  // Name of four characters, as `PSV0`, and zeros.
  char name[8];
  // Content.
  const uint8_t *content;
  // Its number of bytes.
  size_t size;
} dxil_jit_part;

#if defined(DXIL_JIT_PRECOMPILED)
// The bytes of a shader: a DXContainer or bare bitcode.
typedef struct {
  // First byte.
  const uint8_t *bytes;
  // Number of bytes.
  size_t size;
} dxil_jit_shader;
#endif

// A descriptor that the module uses.
typedef struct {
  // Descriptor set.
  uint32_t set;
  // Binding.
  uint32_t binding;
  // A `dxil_jit_descriptor`.
  uint32_t descriptor;
  // Number of descriptors; 0 for a runtime array.
  uint32_t count;
  // A `dxil_jit_class`.
  uint32_t register_class;
  // Register space of the resource; all ones if the shader does not declare it.
  uint32_t space;
  // First register of the resource; all ones if the shader does not declare it.
  uint32_t first_register;
  // Bytes per element of a structured buffer; size of a constant buffer in bytes.
  uint32_t stride;
  // Whether the shader may write to it.
  bool writable;
  // Whether it is the counter of the UAV.
  bool is_counter;
  // Name in the source, or empty. Lives as long as the translation.
  const char *name;
} dxil_jit_use;

// An element of a signature, as the shader declares it. An element that is no system value has the
// location `first_row` and the component `first_column`; patch constants and per-primitive outputs
// begin at the location `patch_location` of the reflection.
typedef struct {
  // Semantic name without index, as in the source. Lives as long as the translation.
  const char *name;
  // Semantic index of the first row.
  uint32_t semantic_index;
  // System value by its number in DXIL; 0 for other elements.
  uint32_t system_value;
  // Component type by its number in DXIL: 4 `int`, 5 `uint`, 8 `half`, 9 `float` ...
  uint32_t component_type;
  // Interpolation by its number in DXIL: 0 none, 1 `nointerpolation`, 2 `linear` ...
  uint32_t interpolation;
  // Number of rows.
  uint32_t rows;
  // Number of columns, 1 to 4.
  uint32_t columns;
  // First row in the packed signature; all ones if the element is not packed.
  uint32_t first_row;
  // First column in the packed signature.
  uint32_t first_column;
  // Geometry shader stream.
  uint32_t stream;
} dxil_jit_element;

// Reflection of a module. Pointers live as long as the translation.
typedef struct {
  // A `dxil_jit_stage`.
  uint32_t stage;
  // Threads per group; 0 for stages without groups.
  uint32_t workgroup_size[3];
  // Subgroup size that the pipeline must require; 0 for any.
  uint32_t subgroup_size;
  // Size of the push constants in bytes, from offset 0.
  uint32_t push_constant_bytes;
  // Name of the entry point.
  const char *entry;
  // Descriptors that the module uses, by set and binding.
  const dxil_jit_use *uses;
  // Length of the array before.
  size_t use_count;
  // Shader flags of the entry point (DXIL.rst, "Shader Flags").
  uint64_t shader_flags;
  // Minimum, maximum and preferred number of lanes of a wave, from `[WaveSize]`; 0 where it does
  // not say.
  uint32_t wave_lanes[3];
  // Control points of an input and of an output patch (hull and domain shaders); 0 for none.
  uint32_t control_points[2];
  // Location of row 0 of the patch constants (hull and domain shaders) or per-primitive outputs
  // (mesh shaders).
  uint32_t patch_location;
  // Input signature.
  const dxil_jit_element *inputs;
  // Length of the array before.
  size_t input_count;
  // Output signature.
  const dxil_jit_element *outputs;
  // Length of the array before.
  size_t output_count;
  // Patch constants (hull, domain) or per-primitive outputs (mesh).
  const dxil_jit_element *patch_constants;
  // Length of the array before.
  size_t patch_constant_count;
  // Capabilities that the module declares, by their numbers in SPIR-V. The device must have the
  // features that they require.
  const uint32_t *capabilities;
  // Length of the array before.
  size_t capability_count;
  // SPIR-V extensions that the module declares.
  const char *const *extensions;
  // Length of the array before.
  size_t extension_count;
} dxil_jit_reflection;

// A rule that a shader breaks, and where. Strings live as long as the report. Numbers that are not
// known are all ones.
typedef struct {
  // Name of the rule, as `INSTR.INBOUNDSACCESS`.
  const char *rule;
  // A sentence about this violation.
  const char *detail;
  // Severity, position, rule and detail in one line.
  const char *message;
  // Name of the function; null if the position is in no function.
  const char *function_name;
  // Source file of the instruction; null if the container has no debug information about it.
  const char *file;
  // Byte offset in the input.
  uint64_t offset;
  // A `dxil_jit_severity`.
  uint32_t severity;
  // Function of the module.
  uint32_t function;
  // Block of the function.
  uint32_t block;
  // Instruction of the function.
  uint32_t instruction;
  // Line in the source file, from 1; 0 if `file` is null.
  uint32_t line;
  // Column in the source file, from 1; 0 if it is not known.
  uint32_t column;
  // Part of the container, as a string; empty if not known.
  char part[8];
} dxil_jit_violation;

// The result of a validation. Pointers live as long as the report.
typedef struct {
  // No violation is an error.
  bool is_valid;
  // Minor number of the validator version (1.x) whose rules were checked.
  uint32_t validator_minor;
  // Violations: those of the container first, then those of the module in its order.
  const dxil_jit_violation *violations;
  // Number of them, at most 10,000.
  size_t violation_count;
  // Number of violations beyond that.
  size_t omitted_count;
} dxil_jit_report_data;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Translates a shader: a DXContainer or bare bitcode.
//
// `options`, `bindings`, `cache` and `error` may be null. A resource without a binding gets the
// descriptor set of its register space and the binding register + 0 (b), 1000 (t), 2000 (s) or
// 3000 (u), and a counter the binding of its UAV + 1000. Bindings that give two resources of the
// shader one descriptor, or the same push-constant words, are refused; heaps and tables may be
// shared. On success `*translation` is a new translation, which the caller frees with
// `dxil_jit_translation_free`; otherwise it is null. May be called from many threads at once, also
// with the same cache.
//
// # Safety
// `bytes` is null or points to `size` bytes, `bindings` to `binding_count` bindings; `options` is
// null or can be read, `translation` and `error` are null or can be written.
dxil_jit_code dxil_jit_translate(const uint8_t *bytes,
                                 size_t size,
                                 const dxil_jit_options *options,
                                 const dxil_jit_binding *bindings,
                                 size_t binding_count,
                                 const dxil_jit_cache *cache,
                                 dxil_jit_translation **translation,
                                 dxil_jit_error *error);

// Translates a DXBC shader whose interfaces stand for known class instances, as D3D11's class
// linkage has it; otherwise like `dxil_jit_translate`, which makes a shader that reads its
// instances from a constant buffer.
//
// # Safety
// As for `dxil_jit_translate`; `instances` is null or points to `instance_count` instances, whose
// names are null or end with a zero.
dxil_jit_code dxil_jit_translate_linked(const uint8_t *bytes,
                                        size_t size,
                                        const dxil_jit_options *options,
                                        const dxil_jit_binding *bindings,
                                        size_t binding_count,
                                        const dxil_jit_class_instance *instances,
                                        size_t instance_count,
                                        const dxil_jit_cache *cache,
                                        dxil_jit_translation **translation,
                                        dxil_jit_error *error);

// Returns the version of the library as a string.
const char *dxil_jit_version(void);

// Returns a new cache for at most `max_bytes` bytes of shaders and modules; the oldest entries are
// removed first. Returns null if a million caches are alive.
dxil_jit_cache *dxil_jit_cache_create(size_t max_bytes);

// Frees a cache. Translations from it stay alive. Nothing happens for null, and for a cache that
// was freed.
//
// # Safety
// Nobody uses the cache meanwhile.
void dxil_jit_cache_free(dxil_jit_cache *cache);

// Returns the contents and use of a cache; all zero for null, and for a cache that was freed.
//
// # Safety
// Nobody frees the cache meanwhile.
dxil_jit_cache_counts dxil_jit_cache_statistics(const dxil_jit_cache *cache);

// Makes all parts of a DXIL container anew from its module, or a container with all parts from
// bare bitcode: signatures, PSV0 or RDAT, SFI0, HASH, and as `options` say the debug information,
// STAT and VERS. What no module tells stays: root signature, sources, private data, subobjects.
//
// `options` may be null, which is zeros. Results are those of `dxil_jit_upgrade`, and
// `DXIL_JIT_CODE_BAD_ARGUMENT` for numbers without a meaning.
//
// # Safety
// `bytes` is null or points to `size` bytes; `options` is null or can be read, and its texts are
// null or end with a zero; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_make_parts(const uint8_t *bytes,
                                  size_t size,
                                  const dxil_jit_part_options *options,
                                  dxil_jit_container **container,
                                  dxil_jit_error *error);

// Adds the functions that libraries define and a DXIL shader calls. All parts are made anew. A
// library keeps its subobjects; those of `libraries` are left out.
//
// Results are those of `dxil_jit_upgrade`; the names of errors are those of the reader, as
// `unresolved-function`.
//
// # Safety
// `bytes` is null or points to `size` bytes, `libraries` to `library_count` elements, each null or
// as many bytes as it says; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_link(const uint8_t *bytes,
                            size_t size,
                            const dxil_jit_bytes *libraries,
                            size_t library_count,
                            dxil_jit_container **container,
                            dxil_jit_error *error);

// Returns the parts of a container in their order: their number, and the first `capacity` of them.
// `parts` may be null if `capacity` is 0. Contents point into `bytes`. Returns
// `DXIL_JIT_CODE_MALFORMED` for bytes that are no container, whose number is 0.
//
// # Safety
// `bytes` is null or points to `size` bytes, `parts` to `capacity` parts that can be written;
// `count` and `error` are null or can be written.
dxil_jit_code dxil_jit_parts(const uint8_t *bytes,
                             size_t size,
                             dxil_jit_part *parts,
                             size_t capacity,
                             size_t *count,
                             dxil_jit_error *error);

// Puts parts together to a signed container, in their order. To strip, extract, replace or sort
// parts, change what `dxil_jit_parts` returned. A root signature is the part `RTS0`, also alone.
//
// Results are those of `dxil_jit_upgrade`, and `DXIL_JIT_CODE_BAD_ARGUMENT` for a name that has
// not four characters.
//
// # Safety
// `parts` is null or points to `count` parts, whose contents are null or as many bytes as they
// say; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_from_parts(const dxil_jit_part *parts,
                                  size_t count,
                                  dxil_jit_container **container,
                                  dxil_jit_error *error);

// Prints the module of a shader as text that `dxil_jit_assemble` reads, as `dxil-dis --llvm` does;
// that of DXBC as the DXIL that it is converted to. The bytes of the result are the text, in UTF-8
// and without a zero at the end.
//
// Results are those of `dxil_jit_upgrade`.
//
// # Safety
// `bytes` is null or points to `size` bytes; `text` and `error` are null or can be written.
dxil_jit_code dxil_jit_disassemble(const uint8_t *bytes,
                                   size_t size,
                                   dxil_jit_container **text,
                                   dxil_jit_error *error);

#if defined(DXIL_JIT_PRECOMPILED)
// Opens the folder of a cache that `dxil-precompile` filled (`--out`, or `--local` with a store)
// for a target: `vulkan_version` is 11, 12, 13 or 14, as in `--target vulkan1.3`, and 0 means 13.
//
// On success `*precompiled` is the folder, which the caller frees with
// `dxil_jit_precompiled_free`; otherwise it is null. `error` may be null. A folder that others may
// write to is refused: what is in it goes to the driver.
//
// # Safety
// `folder` is null or a string; `precompiled` and `error` are null or can be written.
dxil_jit_code dxil_jit_precompiled_open(const char *folder,
                                        uint32_t vulkan_version,
                                        dxil_jit_precompiled **precompiled,
                                        dxil_jit_error *error);
#endif

#if defined(DXIL_JIT_PRECOMPILED)
// Frees a folder. Translations from it stay alive. Nothing happens for null, and for a folder that
// was freed.
//
// # Safety
// Nobody uses the folder meanwhile.
void dxil_jit_precompiled_free(dxil_jit_precompiled *precompiled);
#endif

#if defined(DXIL_JIT_PRECOMPILED)
// Finds the translations of a pipeline's stages, and makes none.
//
// The stages are those of a compute pipeline or of a draw, in the pipeline's order, and a shader
// that is a pipeline's only one in the library is found alone. `root_signature` is a container
// with an RTS0 part, or the bytes of one; null takes that of the first stage that has one.
// `samples` is the number of samples of the render targets; 0 means 1. Pipelines with stream
// output, ray tracing pipelines and work graphs are not found.
//
// If all are there, `translations` has `stage_count` new ones, each of which the caller frees with
// `dxil_jit_translation_free`. Their reflection says where each resource is bound. Otherwise all
// are null, and the code is `DXIL_JIT_CODE_NOT_FOUND` where one is not in the folder or is
// damaged there: the caller translates. `error` may be null.
//
// # Safety
// `stages` is null or points to `stage_count` rows whose `bytes` are null or `size` bytes;
// `root_signature` is null or points to `root_signature_size` bytes; `translations` is null or has
// room for `stage_count` pointers; `error` is null or can be written. Nobody frees the folder
// meanwhile.
dxil_jit_code dxil_jit_precompiled_find(const dxil_jit_precompiled *precompiled,
                                        const dxil_jit_shader *stages,
                                        size_t stage_count,
                                        const uint8_t *root_signature,
                                        size_t root_signature_size,
                                        uint32_t samples,
                                        dxil_jit_translation **translations,
                                        dxil_jit_error *error);
#endif

// Returns the words of the module and writes their number to `*count`. They live as long as the
// translation. Returns null for null, and for a translation that was freed.
//
// # Safety
// Nobody frees the translation meanwhile; `count` is null or can be written.
const uint32_t *dxil_jit_translation_words(const dxil_jit_translation *translation, size_t *count);

// Returns the reflection of the module. It lives as long as the translation. Returns null for
// null, and for a translation that was freed.
//
// # Safety
// Nobody frees the translation meanwhile.
const dxil_jit_reflection *dxil_jit_translation_reflection(const dxil_jit_translation *translation);

// Frees a translation. Nothing happens for null, and for a translation that was freed.
//
// # Safety
// Nobody uses the words and the reflection afterwards.
void dxil_jit_translation_free(dxil_jit_translation *translation);

// Checks a shader against the rules of DXIL's validator: a DXContainer, or bare bitcode without
// the rules about containers.
//
// `validator_minor` is the minor number of the validator version (1.x) whose rules apply; a
// negative number selects the version that the module asks for. `flags` are `DXIL_JIT_VALIDATE_`
// bits; others are ignored. Returns `DXIL_JIT_CODE_OK` for a valid shader and
// `DXIL_JIT_CODE_MALFORMED` for one that breaks a rule; `*error` is then the first violation. In
// both cases `*report` is a new report with all violations, which the caller frees with
// `dxil_jit_report_free`. After any other result `*report` is null. `report` and `error` may be
// null. May be called from many threads at once.
//
// # Safety
// `bytes` is null or points to `size` bytes; `report` and `error` are null or can be written.
dxil_jit_code dxil_jit_validate(const uint8_t *bytes,
                                size_t size,
                                int32_t validator_minor,
                                uint32_t flags,
                                dxil_jit_report **report,
                                dxil_jit_error *error);

// Returns the content of a report. It lives as long as the report. Null for null, and for a report
// that was freed.
//
// # Safety
// Nobody frees the report meanwhile.
const dxil_jit_report_data *dxil_jit_report_content(const dxil_jit_report *report);

// Frees a report. Nothing happens for null, and for a report that was freed.
//
// # Safety
// Nobody uses the report's content afterwards.
void dxil_jit_report_free(dxil_jit_report *report);

// Computes the digest of a container's content, of DXIL or DXBC, and compares it with the digest
// that the container stores.
//
// `digest` gets the 16 bytes of the computed digest, `*status` a `dxil_jit_digest_status`. Both
// and `error` may be null. Returns `DXIL_JIT_CODE_MALFORMED` for bytes that are no container.
//
// # Safety
// `bytes` is null or points to `size` bytes; `digest` is null or points to 16 bytes that can be
// written; `status` and `error` are null or can be written.
dxil_jit_code dxil_jit_digest(const uint8_t *bytes,
                              size_t size,
                              uint8_t *digest,
                              uint32_t *status,
                              dxil_jit_error *error);

// Signs a container, of DXIL or DXBC: writes the digest of its content into its header. Nothing is
// validated; D3D12 trusts the digest, so call `dxil_jit_validate` first.
//
// `error` may be null. Returns `DXIL_JIT_CODE_MALFORMED` for bytes that are no container, which
// stay as they are.
//
// # Safety
// `bytes` is null or points to `size` bytes that can be written and that no other thread uses;
// `error` is null or can be written.
dxil_jit_code dxil_jit_sign(uint8_t *bytes, size_t size, dxil_jit_error *error);

// Converts a DXBC shader to DXIL of shader model 6.0, signed. Registers, signatures, the root
// signature and private data stay.
//
// After `DXIL_JIT_CODE_OK` `*container` is a new container, which the caller frees with
// `dxil_jit_container_free`; after any other result it is null. `error` may be null. Nothing is
// validated; `dxil_jit_validate` does that. May be called from many threads at once.
//
// # Safety
// `bytes` is null or points to `size` bytes; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_upgrade(const uint8_t *bytes,
                               size_t size,
                               dxil_jit_container **container,
                               dxil_jit_error *error);

// Assembles a DXIL module, as `dxil-dis --llvm` prints it, to a signed container with the parts
// that D3D12 reads. `text` is UTF-8 of `size` bytes; it needs no zero at the end.
//
// Results are those of `dxil_jit_upgrade`.
//
// # Safety
// `text` is null or points to `size` bytes; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_assemble(const uint8_t *text,
                                size_t size,
                                dxil_jit_container **container,
                                dxil_jit_error *error);

// Optimizes a DXIL shader: `passes` names passes as `dxil-opt --passes` does, in their order and
// with commas between them; null is `inline,mem2reg,fold,dead-code`. The new container is signed
// and has the root signature, the compiler's version, subobjects and private data of the old one.
//
// Results are those of `dxil_jit_upgrade`, and `DXIL_JIT_CODE_BAD_ARGUMENT` for a word that is no
// pass.
//
// # Safety
// `bytes` is null or points to `size` bytes; `passes` is null or ends with a zero; `container` and
// `error` are null or can be written.
dxil_jit_code dxil_jit_optimize(const uint8_t *bytes,
                                size_t size,
                                const char *passes,
                                dxil_jit_container **container,
                                dxil_jit_error *error);

// Writes the modules of a DXIL container again (DXIL, ILDB and STAT) and HASH for them; other
// parts stay as they are. The new container is signed.
//
// Results are those of `dxil_jit_upgrade`.
//
// # Safety
// `bytes` is null or points to `size` bytes; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_rewrite(const uint8_t *bytes,
                               size_t size,
                               dxil_jit_container **container,
                               dxil_jit_error *error);

// Describes a container as YAML, as LLVM's `obj2yaml` does. The bytes of the result are the text,
// in UTF-8 and without a zero at the end.
//
// Results are those of `dxil_jit_upgrade`.
//
// # Safety
// `bytes` is null or points to `size` bytes; `text` and `error` are null or can be written.
dxil_jit_code dxil_jit_to_yaml(const uint8_t *bytes,
                               size_t size,
                               dxil_jit_container **text,
                               dxil_jit_error *error);

// Makes the signed container that YAML describes, as `dxil_jit_to_yaml` and LLVM's `obj2yaml`
// write it. `text` is UTF-8 of `size` bytes; it needs no zero at the end.
//
// Results are those of `dxil_jit_upgrade`.
//
// # Safety
// `text` is null or points to `size` bytes; `container` and `error` are null or can be written.
dxil_jit_code dxil_jit_from_yaml(const uint8_t *text,
                                 size_t size,
                                 dxil_jit_container **container,
                                 dxil_jit_error *error);

// Returns the bytes of a container and writes their number. They live as long as the container.
// Null and 0 for null, and for a container that was freed. `size` may be null.
//
// # Safety
// `size` is null or can be written; nobody frees the container meanwhile.
const uint8_t *dxil_jit_container_bytes(const dxil_jit_container *container, size_t *size);

// Frees a container. Nothing happens for null, and for a container that was freed.
//
// # Safety
// Nobody uses the container's bytes afterwards.
void dxil_jit_container_free(dxil_jit_container *container);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DXIL_JIT_H */
