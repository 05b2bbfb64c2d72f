// dxc: -T cs_6_0 -E main
// What `precise` promises: each operation rounds on its own, in the order that is written.
StructuredBuffer<float3> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  precise float a = In[id].x, b = In[id].y, c = In[id].z;
  precise float sum = a + b;
  precise float b_seen = sum - a;
  precise float a_seen = sum - b_seen;
  precise float error = (a - a_seen) + (b - b_seen);
  precise float unfused = mad(a, b, c);
  precise float written_out = a * b + c;
  precise float negated = c - a * b;
  precise float left_first = (a + b) + c;
  precise float right_first = a + (b + c);
  precise float zero = a * 0.0;
  uint o = id * 8;
  Out[o + 0] = sum;
  Out[o + 1] = error;
  Out[o + 2] = unfused;
  Out[o + 3] = written_out;
  Out[o + 4] = negated;
  Out[o + 5] = left_first;
  Out[o + 6] = right_first;
  Out[o + 7] = zero;
}
