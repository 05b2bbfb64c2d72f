// dxc: -T gs_6_0 -E main
// Several streams: points, each output on its stream; only the rasterized stream, stream 1 here, has a built-in position
// beside the input's, and its locations come first.
//! signature = rasterized_stream 1
// check: OpCapability GeometryStreams
// check: OutputPoints
// count: 2 BuiltIn Position
// not: OpEmitVertex
// not: OpEndPrimitive
// check: OpEmitStreamVertex
// check: OpEndStreamPrimitive
// Odd points go to stream 1; both streams have a position, one of them is drawn.
#include "../../../hwtests/shaders/streams/two_streams_gs.hlsl"
