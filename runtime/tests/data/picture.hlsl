// A picture that is made darker by the time: a texture, a picture and a field by their names.
cbuffer Sim : register(b0) { float dt; };
Texture2D<float4> src : register(t0);
RWTexture2D<float4> dst : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  dst[id] = src[id] * (1 - dt);
}
