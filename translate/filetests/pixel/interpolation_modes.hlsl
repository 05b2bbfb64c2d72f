// dxc: -T ps_6_0 -E main
// DXC reads the inputs in reverse.
// check: OpDecorate $h Location 7
// check: OpDecorate $h Flat
// check: OpDecorate $g Location 6
// check: OpDecorate $g Flat
// check: OpDecorate $f Location 5
// check: OpDecorate $f NoPerspective
// check: OpDecorate $f Sample
// check: OpDecorate $e Location 4
// check: OpDecorate $e Sample
// check: OpDecorate $d Location 3
// check: OpDecorate $d NoPerspective
// check: OpDecorate $d Centroid
// check: OpDecorate $c Location 2
// check: OpDecorate $c NoPerspective
// check: OpDecorate $b Location 1
// check: OpDecorate $b Centroid
// check: OpDecorate $a Location 0
float4 main(linear float4 a : A, centroid float4 b : B, noperspective float4 c : C, noperspective centroid float4 d : D,
            sample float4 e : E, noperspective sample float4 f : F, nointerpolation float4 g : G, int4 h : H) : SV_Target {
  return a + b + c + d + e + f + g + h;
}
