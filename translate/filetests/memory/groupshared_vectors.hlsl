// dxc: -T cs_6_0 -E main
// Arrays of vectors, which DXIL has as arrays of scalars; whole vectors are loaded and stored at once.
// check: $float = OpTypeFloat 32
// check: $row = OpTypeVector $float 4
// check: $rows = OpTypeArray $row $16
// check: OpTypePointer Workgroup $rows
// check: OpCompositeConstruct $row $a $b $c $d
// check: OpStore
// check: OpControlBarrier
// check: OpLoad $row
// check: OpCompositeExtract $float
// check: OpLoad $float
// check: OpReturn
groupshared float4 vectors[16];
RWBuffer<float> dst : register(u0);
[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex) {
  vectors[id] = float4(id, id * 2, id * 3, 1);
  GroupMemoryBarrierWithGroupSync();
  float4 other = vectors[id ^ 1];
  dst[id] = other.x * other.y + other.z;
  vectors[id].y = other.x;
  GroupMemoryBarrierWithGroupSync();
  dst[id + 16] = vectors[id ^ 2].y;
}
