// dxc: -T ms_6_5 -E main
// One triangle over everything, in each view with the view's number.
struct V { float4 pos : SV_Position; nointerpolation uint id : ID; };
[numthreads(3, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, uint view : SV_ViewID, out vertices V v[3], out indices uint3 tri[1]) {
  SetMeshOutputCounts(3, 1);
  v[t].pos = float4(t == 1 ? 3 : -1, t == 2 ? 3 : -1, 0.5, 1);
  v[t].id = view + 7;
  if (t == 0) tri[0] = uint3(0, 1, 2);
}
