// dxc: -T cs_6_0 -E main
// Typed buffers in and out, one register space each.
Buffer<float4> input : register(t2, space1);
RWBuffer<float4> output : register(u1);

[numthreads(2, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  output[id] = input[id] * input[id];
}
