// dxc: -T lib_6_3
// Functions for other libraries: see caller.hlsl. A static variable has an initializer that reads a constant buffer.
struct Particle {
  float3 position;
  uint hits;
  float weights[3];
};

StructuredBuffer<float> Source : register(t0);
StructuredBuffer<uint> Counts : register(t1);
cbuffer Shared { uint scale; float offset; };

static const float steps[4] = { 0.5, 1, 2, 4 };
static float start = offset * 2;

export void advance(inout Particle particle, uint id) {
  particle.position += steps[id & 3] * Source[(id + 1) & 63];
  particle.hits++;
  particle.weights[id % 3] *= 2;
}

export float4 turned(float4x4 turn, float4 v) { return mul(turn, v); }

export uint counted(uint id, out uint twice) {
  uint n = 0;
  for (uint i = 0; i < Counts[id]; i++) n += i;
  twice = n * 2;
  return n;
}

export float started(float x) {
  start += x;
  return start;
}
