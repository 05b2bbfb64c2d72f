// Included by unrolled_exits_8.hlsl and unrolled_exits_24.hlsl.
// A loop that the compiler unrolls, with several exits and a `continue`, each of which writes other
// variables: what flows out of all steps merges at one place.
StructuredBuffer<float4> input : register(t0);
RWStructuredBuffer<float4> output : register(u0);
cbuffer C : register(b0) { float4 limit; uint count; };

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float4 a = input[id.x], b = a.yzwx, c = 0;
    uint hits = 0, last = 0;
    float best = 16;
    [unroll(STEPS)] for (uint i = 0; i < STEPS; ++i)
    {
        float4 v = input[id.x + i];
        if (v.x > limit.x) { c += v; last = i; break; }
        if (v.y > limit.y) { hits += 2; best = min(best, v.y); continue; }
        if (dot(v, a) > limit.z) { b *= v; best = v.z; last = i + 1; break; }
        a += v;
        b -= a;
        ++hits;
        if (i >= count) break;
    }
    output[id.x * 2] = a + b * best;
    output[id.x * 2 + 1] = c + float4(hits, last, best, 0);
}
