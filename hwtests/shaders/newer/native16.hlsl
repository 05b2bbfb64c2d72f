// dxc-newer: -T cs_6_6 -E main -enable-16bit-types
// native 16-bit types: constant buffer packing, raw and structured access, conversions, packed dot products
struct E { half3 a; int16_t b; uint16_t4 c; half2x3 m; };
cbuffer C : register(b0) { half4 k; uint16_t3 u; int16_t s; float f; half h[3]; };
StructuredBuffer<E> src : register(t0);
RWStructuredBuffer<E> dst : register(u0);
RWByteAddressBuffer raw : register(u1);
Texture2D<half4> tex : register(t1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  E e = src[id];
  half4 t = tex.Load(int3(id, 0, 0)) * k;
  e.a = mul((half2)t.xy, e.m) + (half)f * h[id % 3];
  e.b = (int16_t)clamp(e.b + s, -100, 100);
  e.c = (uint16_t4)(e.c.wzyx * (uint16_t)3) >> u.x;
  uint a = raw.Load(id * 4);
  raw.Store(id * 4 + 1024, dot4add_u8packed(a, 0x01020304, 5));
  raw.Store<float>(id * 4 + 2048, dot2add(e.a.xy, e.a.yz, f));
  raw.Store<half>(4096 + id * 2, (half)asuint((float)e.b));
  uint8_t4_packed p = pack_clamp_u8((int16_t4)e.c);
  raw.Store(8192 + id * 4, (uint)p);
  raw.Store<uint16_t4>(16384 + id * 8, unpack_u8u16(p));
  dst[id] = e;
}
