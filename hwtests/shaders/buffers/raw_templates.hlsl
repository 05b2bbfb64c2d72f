// dxc: -T cs_6_2 -E main
// Raw buffers through templated loads and stores of vectors, arrays and structs.
struct Particle {
  float3 position;
  uint flags;
  float2 uv[2];
};
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Particle p = In.Load<Particle>(id * 32);
  p.position *= 2;
  p.flags ^= 0xff;
  float2 t = p.uv[0];
  p.uv[0] = p.uv[1];
  p.uv[1] = t + 1;
  Out.Store<Particle>(id * 32, p);
}
