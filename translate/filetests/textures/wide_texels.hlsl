// dxc: -T cs_6_0 -E main
// Texels of 64 bits are pairs of words, also where the code has to name the format.
//! without = STORAGE_READ_WITHOUT_FORMAT STORAGE_WRITE_WITHOUT_FORMAT
// check: OpTypeImage $u 2D 0 0 0 2 Rg32ui
// not: R32ui
RWTexture2D<int64_t> changed : register(u1);
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) { changed[id] = changed[id] - 5; }
