// dxc: -T cs_6_0 -E main -Od
groupshared float sink[64];
static float scratch[4];
float twist(inout float3 v, float k) { v.y += k; return v.x * v.y; }
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float3 v = float3(id, 2, 3);
  float4x4 m = (float4x4)id;
  m[id & 3] = float4(v, 1);
  scratch[id & 3] = v.z;
  sink[id] = twist(v, 4) + v.y + mul(m, float4(v, 1)).x + scratch[1];
}
