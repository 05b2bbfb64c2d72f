// dxc: -T cs_6_0 -E main
// Atomics on texels of 1D, 2D, 3D and array textures.
RWTexture1D<uint> A : register(u0);
RWTexture2D<uint> B : register(u1);
RWTexture3D<int> C : register(u2);
RWTexture2DArray<uint> D : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  InterlockedAdd(A[id & 7], 1);
  InterlockedXor(B[uint2(id & 3, (id >> 2) & 3)], id);
  InterlockedMin(C[uint3(id & 1, (id >> 1) & 1, (id >> 2) & 1)], -int(id));
  uint old;
  InterlockedMax(D[uint3(id & 3, 1, (id >> 2) & 1)], id, old);
}
