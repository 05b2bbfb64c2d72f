// dxc: -T cs_6_0 -E main
// Wave operations in the cases of a switch, after it, and after an early return.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint4 r = 0;
  [branch] switch (v & 3) {
    case 0:
      r.x = WaveActiveSum(v);
      break;
    case 1:
      r.x = WaveActiveCountBits(true);
      Out[id].y = 5;
      break;
    case 2:
      r.x = WavePrefixSum(2u);
      break;
    default:
      r.x = 1000 + WaveActiveMin(v);
      break;
  }
  r.z = WaveActiveCountBits(true);
  [branch] if (v > 180) {
    Out[id] = r + 1;
    return;
  }
  r.w = WaveActiveCountBits(true);
  Out[id] = r;
}
