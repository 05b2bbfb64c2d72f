// dxc: -T cs_6_0 -E main
// What the source says about branches and loops stays said. (DXC itself does what `[unroll]` says: no loop is left.)
// check: OpSelectionMerge $a DontFlatten
// check: OpSelectionMerge $b Flatten
// check: OpLoopMerge $c $d DontUnroll
// check: OpSelectionMerge $e DontFlatten
// check: OpSwitch
// count: 1 OpLoopMerge
RWStructuredBuffer<uint> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = Out[id];
  [branch] if (a > 20) Out[id + 64] = a;
  [flatten] if (a > 30) Out[id + 128] = a;
  [loop] for (uint j = 0; j < 5; ++j) a += Out[a];
  [branch] switch (a) {
    case 1: Out[1] = 3; break;
    case 2: Out[2] = id; break;
  }
  [unroll(2)] for (uint k = 0; k < a; ++k) Out[k] = a;
}
