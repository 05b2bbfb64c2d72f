// dxc: -T ps_6_0 -E main
//! bind = b0 address 0
// The end of the memory at the address of a root descriptor is not known: a row is loaded where
// the shader reads it.
// check: OpFunction
// check: OpLoad $v $a Aligned 16
// check: OpSelectionMerge
// check: OpLoad $v $b Aligned 16
cbuffer Constants : register(b0) { float4 rows[9]; }
float4 main(float4 place : PLACE) : SV_Target {
  float4 sum = rows[1];
  [branch] if (place.x > 0) sum += sin(rows[2] * place);
  return sum;
}
