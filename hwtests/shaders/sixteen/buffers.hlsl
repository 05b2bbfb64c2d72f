// dxc: -T cs_6_2 -E main -enable-16bit-types
// 16-bit members in raw and structured buffers at odd halves.
struct Packed { half a; uint16_t b; float c; half3 d; int16_t e; };
StructuredBuffer<Packed> In : register(t0);
ByteAddressBuffer Raw : register(t1);
RWStructuredBuffer<Packed> Out : register(u0);
RWByteAddressBuffer RawOut : register(u1);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Packed p = In[id];
  Packed q;
  q.a = p.d.x;
  q.b = p.b + (uint16_t)1;
  q.c = p.c * 2;
  q.d = half3(p.d.yz, p.a);
  q.e = -p.e;
  Out[id] = q;
  uint16_t v = Raw.Load<uint16_t>(id * 6 + 2);
  RawOut.Store<uint16_t>(id * 2, v);
  RawOut.Store<half3>(32 + id * 6, Raw.Load<half3>(id * 6).zyx);
}
