// dxc: -T vs_6_0 -E main
// A product with a point begins with the translation, and a distance from a plane with the
// distance of the plane: one multiply-add less than products and sums in the order of HLSL.
//! options = numerics_radv
// count: 18 Fma
// count: 0 OpFMul
// A difference negates the addend.
// check: $w = OpFNegate
// check: $first = OpExtInst $f $glsl Fma $x $px $w
// check: $second = OpExtInst $f $glsl Fma $y $py $first
// check: OpExtInst $f $glsl Fma $z $pz $second
// Precise sums keep their order, and dot products that are needed themselves.
// count: 2 OpDot
// count: 2 OpFAdd
cbuffer C : register(b0) {
  float4x4 M;
  float4 Plane, Other;
}
struct Out {
  float4 position : SV_Position;
  float plane : A;
  float other : B;
  float precise_plane : C;
  float2 both : D;
};
Out main(float3 p : POSITION, float3 n : NORMAL) {
  Out o;
  o.position = mul(M, float4(p, 1));
  o.plane = dot(Plane.xyz, p) + Plane.w;
  o.other = dot(Other.xyz, p) - Other.w;
  precise float exact = dot(Plane.xyz, n) + Plane.w;
  o.precise_plane = exact;
  float twice = dot(Other.xyz, n);
  o.both = float2(twice, twice + Other.w);
  return o;
}
