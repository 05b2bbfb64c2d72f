// dxc: -T ps_6_0 -E main
// A branch that only chooses between values has nothing to branch around, whatever the source says.
// One with code keeps what is said.
// check: OpSelectionMerge $a DontFlatten
// count: 1 DontFlatten
Texture2D<float4> t : register(t0);
float4 main(float4 v : V) : SV_Target {
  float a = 10, b = 5;
  [branch] if (v.x > 0) a = 20;
  [branch] if (v.y > 0) b = t.Load(int3(v.zw, 0)).x;
  return float4(a, b, 0, 1);
}
