// dxc: -T cs_6_0 -E main
// check: OpCapability StorageImageReadWithoutFormat
// check: OpCapability StorageImageWriteWithoutFormat
// check: OpImageRead
// check: OpImageWrite
RWTexture1D<float> a : register(u1);
RWTexture1DArray<float> b : register(u2);
RWTexture2D<unorm float4> c : register(u3);
RWTexture2DArray<int2> d : register(u4);
RWTexture3D<uint> e : register(u5);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  a[i] = 1; b[uint2(i, 2)] = a[i + 1]; c[uint2(i, i)] = c[uint2(0, 0)] * 0.5; d[uint3(i, i, 1)] = 3; e[uint3(i, i, i)] = d[uint3(0, 0, 0)].y;
}
