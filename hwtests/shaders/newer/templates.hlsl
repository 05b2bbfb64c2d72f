// dxc-newer: -T cs_6_6 -E main -HV 2021
// HLSL 2021: class and function templates, operator overloading, member functions, bitfields, select, short circuit
template<typename T> struct Pair { T a; T b; T sum() { return a + b; } Pair<T> operator+(Pair<T> o) { Pair<T> r; r.a = a + o.a; r.b = b + o.b; return r; } };
template<typename T, uint N> T horner(T c[N], T x) { T r = c[N - 1]; [unroll] for (int i = N - 2; i >= 0; --i) r = r * x + c[i]; return r; }
struct Bits { uint lo : 5; uint mid : 11; int hi : 16; };
enum class Mode : uint { Off, Slow = 3, Fast };
namespace util { static const float kScale = 0.25f; template<typename T> void swap(inout T a, inout T b) { T t = a; a = b; b = t; } }

StructuredBuffer<Bits> bits : register(t0);
RWStructuredBuffer<float4> dst : register(u0);
cbuffer C : register(b0) { Mode mode; uint n; };

bool touch(uint i) { float4 v = dst[i]; dst[i] = v + 1; return v.x > 0; }

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Bits b = bits[id];
  b.mid = b.lo * 7 + 1;
  b.hi -= 3;
  Pair<float2> p, q;
  p.a = float2(b.lo, b.mid); p.b = (float)b.hi;
  q.a = 1; q.b = id;
  float2 s = (p + q).sum();
  util::swap(s.x, s.y);
  float c[4] = { 1, s.x, s.y, util::kScale };
  float2 k[3] = { float2(0, 1), s, s.yx };
  if (mode == Mode::Fast && touch(id)) s *= 2;
  bool both = id < n || touch(id + 64);
  dst[id] = float4(horner<float, 4>(c, 0.5f), horner<float2, 3>(k, s), select(both, 1.0f, -1.0f));
}
