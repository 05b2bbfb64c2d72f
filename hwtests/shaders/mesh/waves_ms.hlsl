// dxc: -T ms_6_5 -E main
// Groupshared memory, barriers and wave operations in a mesh shader.
struct V { float4 pos : SV_Position; nointerpolation uint sum : SUM; };
groupshared uint total;
[numthreads(64, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, out vertices V v[3], out indices uint3 tri[1]) {
  if (t == 0) total = 0;
  GroupMemoryBarrierWithGroupSync();
  uint sum = WaveActiveSum(t);
  if (WaveIsFirstLane()) InterlockedAdd(total, sum);
  GroupMemoryBarrierWithGroupSync();
  SetMeshOutputCounts(3, 1);
  if (t >= 3) return;
  v[t].pos = float4(t == 1 ? 3.0 : -1.0, t == 2 ? 3.0 : -1.0, 0.5, 1);
  v[t].sum = total;
  if (t == 0) tri[0] = uint3(0, 1, 2);
}
