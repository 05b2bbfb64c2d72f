StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
cbuffer C : register(b0) { float a; uint n; };
[numthreads(64,1,1)] void main(uint3 id : SV_DispatchThreadID) {
  float factor = id.x < n ? a : 0;
  y[id.x] = factor * x[id.x] + y[id.x];
}
