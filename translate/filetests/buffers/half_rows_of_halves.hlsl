// dxc: -T cs_6_2 -E main -enable-16bit-types
//! options = numerics_turnip
// The same where vectors of halves are loaded as such.
// check: ArrayStride 8
// count: 1 ArrayStride 6
// count: 6 OpLoad
// count: 1 OpStore
struct Vertex { half4 position; half2 uv; float weight; };
StructuredBuffer<Vertex> vertices : register(t0);
ByteAddressBuffer raw : register(t1);
RWByteAddressBuffer target : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Vertex v = vertices[id];
  v.position.xy *= v.uv * raw.Load<half2>(id * 4 + 64);
  v.position.xyz *= raw.Load<half3>(id * 6);
  target.Store<half4>(id * 8, v.position * (half)v.weight);
}
