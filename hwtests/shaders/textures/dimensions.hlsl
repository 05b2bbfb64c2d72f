// dxc: -T cs_6_0 -E main
// GetDimensions of every kind of texture, with mip counts.
Texture1D<float> A : register(t0);
Texture2D<float> B : register(t1);
Texture3D<float> C : register(t2);
TextureCube<float> D : register(t3);
Texture2DArray<float> E : register(t4);
Texture1DArray<float> F : register(t5);
RWTexture2D<float> G : register(u1);
RWTexture3D<float> H : register(u2);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
  uint w, h, d, n;
  A.GetDimensions(0, w, n);
  Out[0] = w * 100 + n;
  B.GetDimensions(1, w, h, n);
  Out[1] = (w * 100 + h) * 100 + n;
  C.GetDimensions(0, w, h, d, n);
  Out[2] = ((w * 100 + h) * 100 + d) * 100 + n;
  D.GetDimensions(0, w, h, n);
  Out[3] = (w * 100 + h) * 100 + n;
  E.GetDimensions(0, w, h, d, n);
  Out[4] = ((w * 100 + h) * 100 + d) * 100 + n;
  F.GetDimensions(0, w, d, n);
  Out[5] = (w * 100 + d) * 100 + n;
  G.GetDimensions(w, h);
  Out[6] = w * 100 + h;
  H.GetDimensions(w, h, d);
  Out[7] = (w * 100 + h) * 100 + d;
}
