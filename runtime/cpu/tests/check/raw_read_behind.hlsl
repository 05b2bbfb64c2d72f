// Bytes are taken for words.
ByteAddressBuffer In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef DEFECT
  Out[id] = In.Load(id * 16);
#else
  Out[id] = In.Load(id * 4);
#endif
}
