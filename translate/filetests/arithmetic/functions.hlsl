// dxc: -T cs_6_0 -E main
// check: Cos
// check: Sin
groupshared float sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = asfloat(id);
  float v = cos(a) + sin(a) + tan(a) + acos(a) + asin(a) + atan(a) + cosh(a) + sinh(a) + tanh(a);
  v += exp2(a) + frac(a) + log2(a) + sqrt(a) + rsqrt(a) + round(a) + floor(a) + ceil(a) + trunc(a) + abs(a);
  v += dot(float2(a, v), float2(v, a)) + dot(float3(a, v, 1), float3(v, a, a)) + dot(float4(a, v, 1, a), float4(v, a, a, v));
  v += mad(a, v, a) + fmod(a, v) + pow(a, v) + atan2(a, v);
  sink[id] = v;
}
