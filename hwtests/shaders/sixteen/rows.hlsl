// dxc: -T cs_6_2 -E main -enable-16bit-types
// Vectors of 16-bit values at multiples of their size, behind constants, and beyond the end.
struct Vertex { half4 position; half2 uv; float weight; int16_t2 tag; uint16_t2 more; };
StructuredBuffer<Vertex> In : register(t0);
ByteAddressBuffer Raw : register(t1);
RWStructuredBuffer<Vertex> Out : register(u0);
RWByteAddressBuffer RawOut : register(u1);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Vertex v = In[id];
  Vertex w;
  w.position = v.position.wzyx;
  w.uv = v.uv.yx;
  w.weight = v.weight * 2;
  w.tag = -v.tag.yx;
  w.more = v.more.yx + (uint16_t2)1;
  Out[id] = w;
  half4 a = Raw.Load<half4>(id * 8);
  half2 b = Raw.Load<half2>(id * 4 + 64);
  half3 c = Raw.Load<half3>(id * 6 + 24);
  half4 d = Raw.Load<half4>(id * 12 + 4);
  // The last lanes read beyond the end.
  half4 e = Raw.Load<half4>(id * 8 + 72);
  RawOut.Store<half4>(id * 8, a.yxwz);
  RawOut.Store<half2>(128 + id * 4, b + e.xy);
  RawOut.Store<half3>(192 + id * 6, c.zyx);
  RawOut.Store<half4>(288 + id * 8, d + e.zzww);
}
