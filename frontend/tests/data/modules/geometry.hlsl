// dxc: -T gs_6_0 -E main
struct V { float4 p : SV_Position; float2 t[2] : TEX; };
[maxvertexcount(6)] [instance(3)]
void main(triangleadj V v[6], uint id : SV_GSInstanceID, inout TriangleStream<V> s) {
    for (uint i = 0; i < 6; i += 2) { V o = v[i]; o.t[1] += id; s.Append(o); }
    s.RestartStrip();
}
