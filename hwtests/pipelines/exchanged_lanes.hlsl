// dxc: -T cs_6_0 -E main
// Lanes read the value of the lane whose number differs by a constant: within a quad, and beyond it where waves are wide enough.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_GroupThreadID) {
  uint lane = WaveGetLaneIndex();
  uint4 read;
  read.x = WaveReadLaneAt(id, lane ^ 1);
  read.y = WaveReadLaneAt(id, 2 ^ lane);
  read.z = WaveReadLaneAt(id, lane ^ 3);
  read.w = id ^ 5;
  if (WaveGetLaneCount() > 4)
    read.w = WaveReadLaneAt(id, lane ^ 5);
  Out[id] = read;
}
