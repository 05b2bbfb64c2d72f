// dxc: -T cs_6_2 -enable-16bit-types -E main
// Products of wave matrices of 16 by 16 elements: 16-bit floats, summed as 32-bit ones, by AGS.
#include "../../hwtests/shaders/vendor/ags_matrices.hlsli"
cbuffer Parameters : register(b0) {
    uint rounds;
    uint one;
};
// How many waves there are, which only the device knows.
RWByteAddressBuffer Waves : register(u2);

[numthreads(128, 1, 1)]
void main(uint3 group : SV_GroupID) {
    // Elements that differ: a compiler without matrix units could make one of equal ones.
    Matrix a = load(F16 | A, 0, 32), b = load(F16 | B, 512, 32);
    Matrix c = load(F32 | C, 1024, 64), d = fill(F32 | C, asuint((float)one));
    [loop] for (uint i = 0; i < rounds; ++i) {
        c = multiply(a, b, c);
        d = multiply(a, b, d);
    }
    store(F32 | C, group.x * 1024, 64, elementwise(1, F32 | C, c, d));
    if (WaveIsFirstLane())
        Waves.InterlockedAdd(0, 1);
}
