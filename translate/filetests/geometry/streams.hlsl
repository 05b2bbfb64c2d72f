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
struct V { float4 pos : SV_Position; uint id : ID; };
struct A { float4 pos : SV_Position; float2 even : EVEN; };
struct B { uint odd : ODD; float4 pos : SV_Position; };
[maxvertexcount(3)]
void main(point V i[1], inout PointStream<A> a, inout PointStream<B> b) {
  if (i[0].id & 1) {
    B o;
    o.odd = i[0].id * 100;
    o.pos = float4(i[0].pos.x, 2, 3, 4);
    b.Append(o);
    o.odd += 1;
    b.Append(o);
    b.RestartStrip();
  } else {
    A o;
    o.pos = i[0].pos;
    o.even = float2(i[0].id, -1.0 * i[0].id);
    a.Append(o);
  }
}
