// dxc: -T cs_6_2 -E main -enable-16bit-types
// check: OpFConvert
// check: OpUConvert
Texture2D<half4> a : register(t0);
Texture2D<uint16_t2> b : register(t1);
RWTexture2D<half4> c : register(u0);
RWTexture2D<int16_t> d : register(u1);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { c[uint2(i, 0)] = a.Load(0) + (half)b.Load(0).y; d[uint2(i, 0)] = d[uint2(i, 1)] - (int16_t)1; }
