// dxc: -T cs_6_0 -E main -Vd
// error: a thread group without threads
RWStructuredBuffer<float> result : register(u0);
[numthreads(0, 1, 1)]
void main(uint id : SV_GroupIndex) {
  result[id] = 1;
}
