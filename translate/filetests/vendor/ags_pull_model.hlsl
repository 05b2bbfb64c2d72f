// dxc: -T ps_6_0 -E main
// SPIR-V has no coordinates of the pull model.
// error: BaryCoord
RWByteAddressBuffer Ags : register(u0, space2147420894);

float main() : SV_Target {
  uint i;
  Ags.InterlockedCompareExchange(0x5000070d, 0, 0, i);
  return asfloat(i);
}
