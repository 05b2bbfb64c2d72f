// dxc: -T cs_6_6 -E main -Zi -Qembed_debug -DSCALE=3
// Shader model 6.6: handles by binding and annotation; 64-bit integers, halves, a nested structure, a macro.
#ifndef SCALE
#define SCALE 1
#endif
namespace shapes
{
    struct Box
    {
        int2 low;
        int2 high;
    };
    struct Scene
    {
        Box box;
        float scale;
        bool solid;
    };
}
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

int area(shapes::Box box)
{
    int2 size = box.high - box.low;
    return size.x * size.y;
}

[numthreads(32, 1, 1)]
void main(uint index : SV_GroupIndex)
{
    shapes::Scene scene;
    scene.box.low = asint(In.Load2(index * 8));
    scene.box.high = scene.box.low + int2(index, 2);
    scene.scale = SCALE;
    scene.solid = (index & 1) != 0;
    uint64_t wide = (uint64_t)area(scene.box) << 4;
    switch (index & 3)
    {
    case 0:
        wide += 5;
        break;
    case 1:
        scene.scale *= 2;
        break;
    default:
        wide ^= index;
        break;
    }
    float value = scene.solid ? scene.scale : (float)(uint)wide;
    Out.Store(index * 4, asuint(value) + (uint)(wide >> 2));
}
