// dxc: -T cs_6_2 -E main -enable-16bit-types -denorm ftz
RWStructuredBuffer<half> Out : register(u0);
[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Out[i] = Out[i] * Out[i];
}
