// dxc: -T cs_6_0 -E main
// A tbuffer: constants behind a shader resource view.
tbuffer Constants : register(t0) {
  float4 a;
  uint b;
  float2 c[2];
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(2, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id * 3 + 0] = a[id] + a.w;
  Out[id * 3 + 1] = b;
  Out[id * 3 + 2] = c[id].x - c[id].y;
}
