// dxc: -T lib_6_3
// A compute shader whose functions are in another library: structures, inout parameters, matrices, arrays, and
// resources that both libraries name.
struct Particle {
  float3 position;
  uint hits;
  float weights[3];
};

RWStructuredBuffer<float> Result : register(u0);
StructuredBuffer<float> Source : register(t0);
cbuffer Shared { uint scale; float offset; };

void advance(inout Particle particle, uint id);
float4 turned(float4x4 turn, float4 v);
uint counted(uint id, out uint twice);
float started(float x);

[shader("compute")]
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Particle particle;
  particle.position = float3(id, id * 2, Source[id]);
  particle.hits = id;
  for (uint i = 0; i < 3; i++) particle.weights[i] = id + i;
  advance(particle, id);
  float4x4 turn = { 0, 1, 0, 0,  2, 0, 0, 0,  0, 0, 3, 0,  0, 0, 0, 4 };
  float4 v = turned(turn, float4(particle.position, id));
  uint twice;
  uint n = counted(id, twice);
  Result[id * 8 + 0] = v.x;
  Result[id * 8 + 1] = v.y;
  Result[id * 8 + 2] = v.z;
  Result[id * 8 + 3] = v.w;
  Result[id * 8 + 4] = particle.hits;
  Result[id * 8 + 5] = particle.weights[0] + particle.weights[1] * 100 + particle.weights[2] * 10000;
  Result[id * 8 + 6] = n * 1000 + twice;
  Result[id * 8 + 7] = started(id) + scale;
}
