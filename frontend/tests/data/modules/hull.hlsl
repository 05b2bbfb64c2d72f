// dxc: -T hs_6_0 -E main -Zi -Qembed_debug
struct V { float3 p : POS; };
struct T { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; float4 c : COLOR1; };
T patch(InputPatch<V, 3> v) { T t; t.e[0] = t.e[1] = t.e[2] = v[0].p.x; t.i = 2; t.c = v[1].p.xyzx; return t; }
[domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("patch")] [maxtessfactor(16)]
V main(InputPatch<V, 3> v, uint i : SV_OutputControlPointID) { V o = v[i]; if (i == 1) { precise float q = o.p.x * o.p.y + 1; o.p.z = q; } return o; }
