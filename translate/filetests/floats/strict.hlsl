// dxc: -T cs_6_0 -E main -Gis
// Without fast math every operation rounds on its own.
// count: 5 NoContraction
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = Data[id], b = Data[id + 1];
  Data[id + 2] = a * b + mad(a, a, b) / b;
}
