/*
 * dxil-jit: translates Direct3D 12 shaders (DXIL) to SPIR-V. MIT OR Apache-2.0.
 *
 * dxil_jit_translate does all the work. Made by cbindgen from translate/capi/src/native.
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

// What a call came to.
enum dxil_jit_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It worked.
  DXIL_JIT_CODE_OK = 0,
  // A pointer is null that may not be, or a number is not one of its kind.
  DXIL_JIT_CODE_BAD_ARGUMENT = 1,
  // The bytes are no shader, or a broken one.
  DXIL_JIT_CODE_MALFORMED = 2,
  // The shader is good but uses what is not translated, or what the target lacks.
  DXIL_JIT_CODE_UNSUPPORTED = 3,
  // A bug of this library.
  DXIL_JIT_CODE_INTERNAL = 4,
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

// Kinds of places.
enum dxil_jit_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Descriptor (array) `set`, `binding`; `counter_set`, `counter_binding` for a counter.
  DXIL_JIT_PLACE_DESCRIPTOR = 0,
  // Heap `set`, `binding`: index = register - first register + `offset` + push-constant word
  // `word`, if that is not all ones.
  DXIL_JIT_PLACE_HEAP = 1,
  // Root constants: push-constant words from `word` on.
  DXIL_JIT_PLACE_PUSH_CONSTANTS = 2,
  // A root descriptor: the device address is in the push-constant words `word` and `word` + 1.
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

// Stages. A hull shader is Vulkan's tessellation control shader, a domain shader its evaluation
// shader.
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
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dxil_jit_descriptor dxil_jit_descriptor;
#else
typedef uint32_t dxil_jit_descriptor;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A cache of translations, for any number of threads. What was translated with the same bytes,
// options and bindings is found again.
typedef struct dxil_jit_cache dxil_jit_cache;

// A finished translation: a SPIR-V module and what it binds.
typedef struct dxil_jit_translation dxil_jit_translation;

// Options of a translation. All zero is a good beginning: Vulkan 1.3 and no optional feature.
typedef struct {
  // Vulkan version: 11, 12, 13, 14; 0 is 13.
  uint32_t vulkan_version;
  // Subgroup size to declare where the shader leaves it open; 0 is none.
  uint32_t subgroup_size;
  // Optional features that the device has: `DXIL_JIT_FEATURE_` bits.
  uint64_t features;
  // Entry point; null is the first one.
  const char *entry;
  // Only what naga's SPIR-V reader takes.
  bool portable;
  // Check buffer bounds in code.
  bool bounds_checks;
  // Write names.
  bool debug_info;
  // Min-precision values have 16 bits.
  bool native_min_precision;
  // Set of `ResourceDescriptorHeap` (binding 0) and `SamplerDescriptorHeap` (binding 1), if
  // `has_heaps`.
  uint32_t heap_set;
  // There are descriptor heaps.
  bool has_heaps;
  // Whether `patch_location` says something.
  bool has_patch_location;
  // `f32tof16` is one instruction, whose rounding is the driver's.
  bool fast_half_packing;
  // What the module says of the source, if the container has debug information: 0 nothing, 1
  // texts and lines, 2 also scopes, types and variables (NonSemantic.Shader.DebugInfo.100).
  uint8_t source_debug_info;
  // A domain shader's first patch constant: the hull shader's reflection has it as
  // `patch_location`.
  uint32_t patch_location;
} dxil_jit_options;

// Where a declared range of registers lives.
typedef struct {
  // A `dxil_jit_class`.
  uint32_t register_class;
  // Register space.
  uint32_t space;
  // First register of the range as it is declared.
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

// What went wrong and where. Numbers that are not known are all ones.
typedef struct {
  // What kind of error it is.
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
  // The message, in English, cut off if it is longer.
  char message[456];
  // What is wrong, as a name that stays the same while messages may change, as
  // `target-lacks-feature`; empty where the code says all. docs/capi.md lists the names.
  char name[32];
} dxil_jit_error;

// What a cache holds and has done.
typedef struct {
  // Translations in it.
  size_t entries;
  // Bytes of shaders and modules in it.
  size_t bytes;
  // Requests that were answered from it.
  uint64_t hits;
  // Requests that were not.
  uint64_t misses;
} dxil_jit_cache_counts;

// A descriptor that the module uses.
typedef struct {
  // Descriptor set.
  uint32_t set;
  // Binding.
  uint32_t binding;
  // A `dxil_jit_descriptor`.
  uint32_t descriptor;
  // Number of descriptors; 0 is a runtime array.
  uint32_t count;
  // A `dxil_jit_class`.
  uint32_t register_class;
  // Register space of the resource; all ones for what is no declared resource.
  uint32_t space;
  // First register of the resource.
  uint32_t first_register;
  // Bytes per element of a structured buffer, bytes of a constant buffer.
  uint32_t stride;
  // The shader may write to it.
  bool writable;
  // It is the counter of the UAV.
  bool is_counter;
  // Name in the source; may be empty. Lives as long as the translation.
  const char *name;
} dxil_jit_use;

// An element of a signature, as the shader declares it. A user's element lives at location
// `first_row`, component `first_column`; patch constants and per-primitive outputs begin at the
// reflection's `patch_location`.
typedef struct {
  // Semantic name without index, as in the source. Lives as long as the translation.
  const char *name;
  // Semantic index of the first row.
  uint32_t semantic_index;
  // System value, DXIL's number; 0 for elements of the user.
  uint32_t system_value;
  // Component type, DXIL's number: 4 `int`, 5 `uint`, 8 `half`, 9 `float` ...
  uint32_t component_type;
  // Interpolation, DXIL's number: 0 none, 1 `nointerpolation`, 2 `linear` ...
  uint32_t interpolation;
  // Rows.
  uint32_t rows;
  // Columns, 1 to 4.
  uint32_t columns;
  // First row of its place in the packed signature; all ones if it has none.
  uint32_t first_row;
  // First column of its place.
  uint32_t first_column;
  // Geometry shader stream.
  uint32_t stream;
} dxil_jit_element;

// What a module is and binds. Pointers live as long as the translation.
typedef struct {
  // A `dxil_jit_stage`.
  uint32_t stage;
  // Threads per group; 0 for stages without groups.
  uint32_t workgroup_size[3];
  // Subgroup size that the pipeline must require; 0 is any.
  uint32_t subgroup_size;
  // Bytes of push constants, from 0.
  uint32_t push_constant_bytes;
  // Name of the entry point.
  const char *entry;
  // Descriptors in use, in order of set and binding.
  const dxil_jit_use *uses;
  // Number of them.
  size_t use_count;
  // DXIL's flags of the entry point: what the shader says it uses.
  uint64_t shader_flags;
  // Least, most and preferred lanes of a wave, as `[WaveSize]` says; 0 is unsaid.
  uint32_t wave_lanes[3];
  // Control points of a patch that come in and go out (hull and domain shaders; 0 is none).
  uint32_t control_points[2];
  // Location of row 0 of the patch constants (hull and domain shaders) or per-primitive outputs
  // (mesh shaders).
  uint32_t patch_location;
  // Input signature.
  const dxil_jit_element *inputs;
  // Number of its elements.
  size_t input_count;
  // Output signature.
  const dxil_jit_element *outputs;
  // Number of its elements.
  size_t output_count;
  // Patch constants (hull, domain) or per-primitive outputs (mesh).
  const dxil_jit_element *patch_constants;
  // Number of them.
  size_t patch_constant_count;
  // Capabilities that the module declares, SPIR-V's numbers: the features that a device must
  // have.
  const uint32_t *capabilities;
  // Number of them.
  size_t capability_count;
  // SPIR-V extensions that the module declares.
  const char *const *extensions;
  // Number of them.
  size_t extension_count;
} dxil_jit_reflection;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Translates a shader: a DXContainer or bare bitcode.
//
// `options`, `bindings`, `cache` and `error` may be null. Resources that no binding is for live at
// set = register space, binding = register + 0 (b), 1000 (t), 2000 (s) or 3000 (u), counters 1000
// above their UAV. On success `*translation` is a new translation, to be freed with
// `dxil_jit_translation_free`; otherwise it is null. May be called from many threads at once, also
// with the same cache.
//
// # Safety
// Pointers are null or what they say: `size` bytes, `binding_count` bindings; places for results
// can be written.
dxil_jit_code dxil_jit_translate(const uint8_t *bytes,
                                 size_t size,
                                 const dxil_jit_options *options,
                                 const dxil_jit_binding *bindings,
                                 size_t binding_count,
                                 const dxil_jit_cache *cache,
                                 dxil_jit_translation **translation,
                                 dxil_jit_error *error);

// Version of the library as a string.
const char *dxil_jit_version(void);

// Makes a cache that holds at most so many bytes of shaders and modules; the oldest go first.
dxil_jit_cache *dxil_jit_cache_create(size_t max_bytes);

// Frees a cache. Translations from it stay. Null is fine, and so is one that was freed.
//
// # Safety
// Nobody uses the cache meanwhile.
void dxil_jit_cache_free(dxil_jit_cache *cache);

// What the cache holds and has done; all zero for null.
//
// # Safety
// The cache is null or one that `dxil_jit_cache_create` made.
dxil_jit_cache_counts dxil_jit_cache_statistics(const dxil_jit_cache *cache);

// The module's words; `*count` is their number. They live as long as the translation. Null for
// null.
//
// # Safety
// The translation is null or alive; `count` is null or can be written.
const uint32_t *dxil_jit_translation_words(const dxil_jit_translation *translation, size_t *count);

// What the module is and binds. It lives as long as the translation. Null for null.
//
// # Safety
// The translation is null or alive.
const dxil_jit_reflection *dxil_jit_translation_reflection(const dxil_jit_translation *translation);

// Frees a translation; null is fine, and so is one that was freed.
//
// # Safety
// Nobody uses what the translation gave out.
void dxil_jit_translation_free(dxil_jit_translation *translation);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DXIL_JIT_H */
