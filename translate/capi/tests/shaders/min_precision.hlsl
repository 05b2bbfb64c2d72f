// dxc: -T cs_6_2 -E main
RWStructuredBuffer<float> Out : register(u0);
[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
  min16float a = min16float(Out[i]);
  Out[i] = a * a + min16float(1);
}
