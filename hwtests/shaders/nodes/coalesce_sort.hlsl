// dxc-newer: -T lib_6_8
// coalescing launch: read-write group records, groupshared, barriers by memory type and on records
struct Key { uint key; uint value; };
RWByteAddressBuffer dst : register(u0);
groupshared uint histogram[16];

[Shader("node")] [NodeLaunch("coalescing")] [NodeIsProgramEntry] [NumThreads(64, 1, 1)]
void bin([MaxRecords(64)] RWGroupNodeInputRecords<Key> keys, uint t : SV_GroupIndex) {
  if (t < 16) histogram[t] = 0;
  Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
  uint n = keys.Count();
  if (t < n) {
    InterlockedAdd(histogram[keys[t].key & 15], 1);
    keys[t].value += t;
  }
  Barrier(keys, GROUP_SYNC | GROUP_SCOPE);
  Barrier(GROUP_SHARED_MEMORY | NODE_INPUT_MEMORY, GROUP_SYNC | GROUP_SCOPE);
  if (t < n) dst.InterlockedAdd((keys[(t + 1) % n].key & 15) * 8, keys[(t + 1) % n].value);
  if (t < 16) dst.InterlockedAdd(t * 8 + 4, histogram[t]);
}
