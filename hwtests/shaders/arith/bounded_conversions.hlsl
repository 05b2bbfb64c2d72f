// dxc: -T cs_6_0 -E main
// Conversions to integers of numbers whose bounds follow from how they are computed, and of numbers
// for which one bound is missing.
struct Numbers { uint byte; int word; uint ratio; int above; uint below; uint fraction; uint less; uint chosen; };
StructuredBuffer<float> source : register(t0);
RWStructuredBuffer<Numbers> target : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    float x = source[id];
    Numbers n;
    n.byte = (uint)(saturate(x) * 255 + 0.5);
    n.word = (int)round(clamp(x, -1, 1) * 32767);
    n.ratio = (uint)((float)(id >> 2) / 4 * saturate(x) * 1000);
    n.above = (int)max(x, -7.5);
    n.below = (uint)min(x, 1000);
    n.fraction = (uint)(frac(clamp(x, -1000, 1000)) * 64);
    n.less = (uint)(saturate(x) - 0.75);
    n.chosen = (uint)(x > 0.5 ? min(max(x, 1), 5e9) : 3.5);
    target[id] = n;
}
