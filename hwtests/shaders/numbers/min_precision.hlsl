// dxc: -T cs_6_0 -E main
// Min-precision types in constant buffers, groupshared memory, local arrays, calls, comparisons and waves, on
// numbers where every allowed precision gives the same answer.
cbuffer Constants : register(b0) {
  min16float scale;
  min16int2 bias;
  min16uint mask;
};
StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);
groupshared min16float shared_floats[64];
groupshared min16uint shared_words[64];

min16float bend(min16float x, min16int by) {
  return x < (min16float)0 ? -x * (min16float)2 : x + (min16float)by;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  min16int v = (min16int)In[id];
  shared_floats[id] = (min16float)v * scale;
  shared_words[id] = (min16uint)(v & (min16int)0xff) ^ mask;
  GroupMemoryBarrierWithGroupSync();
  min16float left = shared_floats[(id + 1) & 63];
  min16uint word = shared_words[(id + 63) & 63];
  min16int local[4];
  for (uint k = 0; k < 4; ++k)
    local[k] = v * (min16int)k + bias[k & 1];
  uint o = id * 10;
  Out[o + 0] = (int)(bend(left, bias.x) * (min16float)4);
  Out[o + 1] = (int)local[(uint)word & 3];
  Out[o + 2] = (int)(word >> (min16uint)2);
  Out[o + 3] = (int)(v >> (min16int)1);
  Out[o + 4] = (int)min(v, bias.y);
  Out[o + 5] = (int)max((min16float)v, left);
  Out[o + 6] = (int)floor(left * (min16float)0.5);
  Out[o + 7] = (int)(saturate(left) * (min16float)8);
  Out[o + 8] = (int)((v < bias.x) != (left >= (min16float)v) ? word / (min16uint)3 : word % (min16uint)5);
  Out[o + 9] = (int)abs(v) + (int)(v == bias.y);
}
