// dxc: -T ms_6_5 -E main
//! targets = vulkan1.1
// check: OpExtension "SPV_EXT_mesh_shader"
// check: OpEntryPoint MeshEXT
struct V { float4 pos : SV_Position; };
[numthreads(1, 1, 1)]
[outputtopology("triangle")]
void main(out vertices V v[3], out indices uint3 i[1]) {
  SetMeshOutputCounts(3, 1);
  for (uint k = 0; k < 3; ++k) v[k].pos = k;
  i[0] = uint3(0, 1, 2);
}
