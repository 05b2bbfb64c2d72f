// dxc: -T cs_6_0 -E main
//! options = large_buffers
//! without = SHADER_64BIT_INDEXING
// error: shader64BitIndexing
RWByteAddressBuffer o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  o.Store(i * 4, i);
}
