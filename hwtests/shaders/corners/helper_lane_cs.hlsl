// dxc: -T cs_6_6 -E main
// No lane of a compute shader is a helper.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = IsHelperLane() ? 1000 : id;
}
