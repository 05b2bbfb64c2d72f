// dxc: -T cs_6_0 -E main
// check: OpCapability ImageQuery
// check: OpImageQuerySizeLod
// check: OpImageQueryLevels
// check: OpImageQuerySamples
Texture2DArray<float> a : register(t0);
TextureCubeArray<float> b : register(t1);
Texture2DMS<float> c : register(t2);
Texture3D<float> d : register(t3);
RWTexture2D<float> e : register(u1);
RWStructuredBuffer<uint4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  uint4 v = 0; a.GetDimensions(i, v.x, v.y, v.z, v.w); o[0] = v;
  v = 0; b.GetDimensions(0, v.x, v.y, v.z, v.w); o[1] = v;
  v = 0; c.GetDimensions(v.x, v.y, v.z); o[2] = v;
  v = 0; d.GetDimensions(1, v.x, v.y, v.z, v.w); o[3] = v;
  v = 0; e.GetDimensions(v.x, v.y); o[4] = v;
  o[5] = asuint(c.GetSamplePosition(i).xyxy);
}
