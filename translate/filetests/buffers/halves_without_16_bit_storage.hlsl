// dxc: -T cs_6_2 -E main -enable-16bit-types
//! without = STORAGE_16BIT
// Halves of words: shifts for loads, an atomic pair for stores.
// check: OpAtomicAnd
// check: OpAtomicOr
// not: OpCapability StorageBuffer16BitAccess
// not: ArrayStride 2
#include "halves_in_16_bit_words.hlsl"
