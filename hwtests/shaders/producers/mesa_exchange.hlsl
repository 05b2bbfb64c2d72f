// compiled: dxc -spirv, then spirv-to-dxil 0.4.7 (Mesa), shader model 6.2
// The first thread takes the slot; Mesa writes the exchange in LLVM's old record.
RWStructuredBuffer<uint> o : register(u0);
groupshared uint slot;
[numthreads(64,1,1)] void main(uint i : SV_GroupIndex) {
  if (i == 0) slot = 0;
  GroupMemoryBarrierWithGroupSync();
  uint was; InterlockedCompareExchange(slot, 0, i + 1, was);
  GroupMemoryBarrierWithGroupSync();
  o[i] = was == 0 ? slot : 0;
}
