// dxc: -T cs_6_0 -E main
//! bind = b0 address 0
//! without = BUFFER_DEVICE_ADDRESS
// error: bufferDeviceAddress
cbuffer C : register(b0) { float4 a; };
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a.x; }
