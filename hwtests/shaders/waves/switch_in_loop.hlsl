// dxc: -T cs_6_0 -E main
// Wave operations in the cases of a switch inside of a loop, with lanes that leave from a case.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id], r = 0;
  bool alive = true;
  [loop] for (uint i = 0; i < 6 && alive; ++i) {
    [branch] switch ((v >> (i * 2)) & 3) {
      case 0:
        r = r * 5 + WaveActiveCountBits(true);
        break;
      case 1:
        r = r * 5 + WavePrefixCountBits(true);
        break;
      case 2:
        r += 10000;
        alive = false;
        break;
      default:
        r ^= WaveActiveSum(1u) << 8;
        continue;
    }
    r = r * 7 + WaveActiveCountBits(true);
  }
  Out[id] = r + 1000000 * WaveActiveCountBits(true);
}
