// dxc: -T ps_6_0 -E main
// Floats to integers, of each kind.
struct Numbers { int4 a : SV_Target0; uint4 b : SV_Target1; };
Numbers main(float4 a : A, float4 b : B) {
    Numbers n;
    n.a = int4(a);
    n.b = uint4(b);
    return n;
}
