// dxc: -T cs_6_0 -E main
// check: OpCapability Sampled1D
// check: OpImageFetch $v $i $c Lod
// check: OpImageFetch $v2 $i2 $c2 Sample
Texture1D<float> a : register(t0);
Texture1DArray<float2> b : register(t1);
Texture2D<float4> c : register(t2);
Texture2DArray<int> d : register(t3);
Texture3D<uint2> e : register(t4);
Texture2DMS<float4> f : register(t5);
Texture2DMSArray<float4, 4> g : register(t6);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  o[0] = a.Load(int2(i, 1)); o[1] = b.Load(int3(i, 1, 0), 2).xyxy; o[2] = c.Load(int3(i, i, 0), int2(-3, 2));
  o[3] = d.Load(int4(i, i, 2, 0)); o[4] = e.Load(int4(i, i, i, 0)).xyyx; o[5] = f.Load(int2(i, i), 3); o[6] = g.Load(int3(i, i, 1), i);
}
