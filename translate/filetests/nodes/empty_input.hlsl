// dxc-newer: -T lib_6_8
// empty node inputs and outputs, group and thread increment counts, EmptyNodeOutputArray
//! entry = ping
// Nothing is read of a record that is empty; the count is what is left of the records.
// check: OpExtInst $uint $glsl UMin
// not:   SpecId 4
#include "../../../hwtests/shaders/nodes/empty_records.hlsl"
