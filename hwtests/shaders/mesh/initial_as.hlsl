// dxc: -T as_6_5 -E main
struct Payload { float3 v; uint n[4]; };
groupshared Payload payload;
groupshared float3 tint;

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex, uint g : SV_GroupID) {
  // DXC makes this an initializer of the variable.
  tint = float3(1, 2, 3);
  payload.n[i] = i * 10 + g;
  if (i == 0) payload.v = float3(4, 5, 6);
  GroupMemoryBarrierWithGroupSync();
  payload.n[i] += (uint)tint[i % 3] * 1000;
  DispatchMesh(1, 1, 1, payload);
}
