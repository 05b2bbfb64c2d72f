Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
RWTexture2D<float4> o : register(u0);
RWBuffer<uint> b : register(u1);
[numthreads(8,8,1)] void main(uint3 id : SV_DispatchThreadID) { o[id.xy] = t.SampleLevel(s, (id.xy+0.5)/8.0, 0).bgra; b[id.y*8+id.x] = id.x+10*id.y; }
