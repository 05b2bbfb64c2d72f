// dxc: -T lib_6_6
// The same where a variable is a handle itself: handles come from global variables, one of them an array.
RWStructuredBuffer<uint> Result : register(u0);
ByteAddressBuffer Sources[3] : register(t2);
cbuffer C : register(b0) { uint factor; };

[shader("compute")]
[numthreads(64, 1, 1)]
void scale(uint id : SV_DispatchThreadID) {
  Result[id] = Sources[1].Load(id * 4) * factor + Sources[NonUniformResourceIndex(id % 3)].Load(id * 4);
}
