// dxc: -T cs_6_0 -E main
// check: OpCapability SampledBuffer
// check: OpCapability ImageBuffer
// check: OpTypeImage $f Buffer 0 0 0 1 Unknown
// check: OpImageFetch
// check: OpImageWrite
Buffer<float4> a : register(t0);
Buffer<int> b : register(t1);
RWBuffer<float2> o : register(u0);
RWBuffer<uint> w : register(u1);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a[i].xw + b[i]; w[i] = w[i + 1] + 1; }
