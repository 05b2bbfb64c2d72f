// dxc: -T cs_6_2 -E main -enable-16bit-types
// Results that drivers round differently, special values, denormals, halfs.
StructuredBuffer<float> input : register(t0);
RWStructuredBuffer<float> output : register(u0);
RWStructuredBuffer<float> small : register(u1);
RWStructuredBuffer<half> halfs : register(u2);

[numthreads(8, 1, 1)]
void main(uint id : SV_GroupIndex) {
  output[id] = sqrt(input[id]);
  small[id] = sin(input[id] * 0.25f);
  halfs[id] = (half)input[id] * (half)0.5;
}
