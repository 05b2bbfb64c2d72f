// Two threads write into one word of a raw buffer.
RWByteAddressBuffer Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupThreadID) {
#ifdef DEFECT
  Out.Store(i / 2 * 4, i);
#else
  Out.Store(i * 4, i);
#endif
}
