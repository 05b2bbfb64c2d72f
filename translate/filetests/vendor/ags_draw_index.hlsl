// dxc: -T vs_6_0 -E main
// check: OpCapability DrawParameters
// check: OpDecorate $draw BuiltIn DrawIndex
// check: OpDecorate $vertex BuiltIn BaseVertex
// check: OpDecorate $instance BuiltIn BaseInstance
RWByteAddressBuffer Ags : register(u0, space2147420894);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

float4 main() : SV_Position { return float4(ags(0x17, 0, 0, 0, 0), ags(0x1b, 0, 0, 0, 0), ags(0x1a, 0, 0, 0, 0), 1); }
