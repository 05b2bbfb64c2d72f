// Names and layouts: a constant buffer whose packing is not tight, and elements with padding.
struct Light {
  float3 dir;
  float power;
};

struct Particle {
  float3 pos;
  double mass;
  uint id;
  float2x3 frame;
  Light lights[2];
};

cbuffer Sim : register(b0) {
  float dt;
  float2 wind;
  float3 gravity;
};

StructuredBuffer<Particle> src : register(t0);
RWStructuredBuffer<Particle> dst : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Particle p = src[id];
  p.pos += gravity * dt;
  p.pos.xy += wind;
  p.id += 1;
  dst[id] = p;
}
