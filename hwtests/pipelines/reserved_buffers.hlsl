// dxc: -T cs_6_5 -E main
// reads of reserved buffers, and whether they had memory
struct Row { uint4 values; };
StructuredBuffer<Row> Whole : register(t0);
ByteAddressBuffer Empty : register(t1);
RWByteAddressBuffer Half : register(u0);
RWStructuredBuffer<uint2> Out : register(u1);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  // A tile has 4096 rows, or 65536 bytes.
  uint row = id * 2048, status;
  uint first = Whole.Load(row, status).values.y;
  Out[id] = uint2(CheckAccessFullyMapped(status), first);
  uint byte = Empty.Load(row * 16, status);
  Out[4 + id] = uint2(CheckAccessFullyMapped(status), byte);
  Half.Store(row * 16, 7 + id);
  uint half_ = Half.Load(row * 16, status);
  Out[8 + id] = uint2(CheckAccessFullyMapped(status), half_);
}
