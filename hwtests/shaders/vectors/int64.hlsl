// dxc-newer: -T cs_6_9 -E main
// native vectors of int64_t/uint64_t: hash rounds, multiply, shifts, compares
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
typedef vector<uint64_t, 4> u4l;
typedef vector<uint64_t, 6> u6l;

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  u6l h = src.Load<u6l>(id * 48);
  [unroll] for (uint r = 0; r < 3; ++r) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h += (h << 7) | (uint64_t)r;
  }
  vector<int64_t, 6> s = (vector<int64_t, 6>)h;
  s = select(s < 0, -s, s);
  dst.Store<u6l>(id * 48, h);
  dst.Store<vector<int64_t, 6> >(1024 + id * 48, s);
  u4l q = src.Load<u4l>(4096 + id * 32);
  dst.Store<u4l>(4096 + id * 32, q / ((u4l(h[0], h[1], h[2], h[5]) & 15ULL) | 1ULL));
}
