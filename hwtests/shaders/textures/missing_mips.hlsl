// dxc: -T cs_6_0 -E main
// GetDimensions of a mip that one of the textures lacks: its sizes are 0, the mip count is not.
Texture1D<float> A : register(t0);
Texture2D<float> B : register(t1);
Texture3D<float> C : register(t2);
TextureCube<float> D : register(t3);
Texture2DArray<float> E : register(t4);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint mip : SV_GroupID) {
  uint w, h, d, n;
  A.GetDimensions(mip, w, n);
  Out[mip * 6] = w * 100 + n;
  B.GetDimensions(mip, w, h, n);
  Out[mip * 6 + 1] = (w * 100 + h) * 100 + n;
  C.GetDimensions(mip, w, h, d, n);
  Out[mip * 6 + 2] = ((w * 100 + h) * 100 + d) * 100 + n;
  D.GetDimensions(mip, w, h, n);
  Out[mip * 6 + 3] = (w * 100 + h) * 100 + n;
  E.GetDimensions(mip, w, h, d, n);
  Out[mip * 6 + 4] = ((w * 100 + h) * 100 + d) * 100 + n;
  E.GetDimensions(2, w, h, d, n);
  Out[mip * 6 + 5] = ((w * 100 + h) * 100 + d) * 100 + n;
}
