// dxc: -T ps_6_0 -E main
// Drivers join loads of neighbouring rows within a block. Rows 2 and 3, which only branches read,
// are loaded in the first block, beside row 1; row 8 has no neighbour there, and stays.
// check: OpFunction
// check: OpAccessChain $p $constants $zero $one
// check: OpAccessChain $p $constants $zero $two
// check: OpAccessChain $p $constants $zero $three
// check: OpSelectionMerge
// check: OpAccessChain $p $constants $zero $eight
// count: 4 OpAccessChain
cbuffer Constants : register(b0) { float4 rows[9]; }
float4 main(float4 place : PLACE) : SV_Target {
  float4 sum = rows[1];
  [branch] if (place.x > 0) {
    sum += sin(rows[2] * place);
    [branch] if (place.y > 0) sum += cos(rows[3] * place);
  } else {
    sum += exp(rows[8] * place) + rows[2];
  }
  return sum;
}
