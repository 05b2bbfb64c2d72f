// dxc: -T cs_6_2 -E main
// Vectors and structures of raw buffers.
struct Particle { float3 position; float age; float3 velocity; uint flags; };
ByteAddressBuffer source : register(t0);
RWByteAddressBuffer target : register(u0);
cbuffer Step : register(b0) { uint count; float dt; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    if (id >= count)
        return;
    Particle p = source.Load<Particle>(id * 32);
    p.position += p.velocity * dt;
    p.age += dt;
    p.flags |= p.age > 10;
    target.Store4(id * 32, asuint(float4(p.position, p.age)));
    target.Store4(id * 32 + 16, uint4(asuint(p.velocity), p.flags));
}
