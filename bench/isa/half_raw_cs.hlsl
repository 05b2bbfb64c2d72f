// dxc: -T cs_6_6 -E main -enable-16bit-types
// Vectors of halves in a raw buffer, and between words of a structured one.
struct Vertex { half4 position; half2 uv; float weight; };
StructuredBuffer<Vertex> vertices : register(t0);
ByteAddressBuffer scales : register(t1);
RWByteAddressBuffer target : register(u0);
cbuffer Parameters : register(b0) { uint count; float scale; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    if (id >= count)
        return;
    Vertex v = vertices[id];
    half2 s = scales.Load<half2>(id * 4);
    v.position.xy *= s;
    v.position.zw *= (half)(v.weight * scale);
    target.Store<half4>(id * 8, v.position);
    target.Store<half2>(id * 4 + 65536, v.uv + s);
}
