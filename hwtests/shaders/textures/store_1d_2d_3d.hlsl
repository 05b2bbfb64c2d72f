// dxc: -T cs_6_0 -E main
// Stores to 1D, 2D, 3D and array textures; writes outside are dropped.
RWTexture1D<float> A : register(u0);
RWTexture2D<float4> B : register(u1);
RWTexture3D<uint> C : register(u2);
RWTexture2DArray<float2> D : register(u3);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  A[id] = id * 0.5;
  B[uint2(id & 3, id >> 2)] = float4(id, id * 2, -float(id), 1);
  C[uint3(id & 1, (id >> 1) & 1, id >> 2)] = id * id;
  D[uint3(id & 1, (id >> 1) & 1, id >> 2)] = float2(id, 100 - float(id));
}
