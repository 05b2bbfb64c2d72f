// dxc: -T as_6_5 -E main
// Starts no mesh shader, but leaves a trace in a buffer after the dispatch.
struct Payload { uint unused; };
groupshared Payload payload;
RWStructuredBuffer<uint> Out : register(u0);
[numthreads(4, 1, 1)]
void main(uint t : SV_GroupIndex) {
  DispatchMesh(0, 1, 1, payload);
  Out[t] = t * t + 1;
}
