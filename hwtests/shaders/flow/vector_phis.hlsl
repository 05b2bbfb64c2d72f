// dxc: -T cs_6_0 -E main
// Vectors that go round loops and meet in dot products, so that their components are one phi: tests at the
// top and at the end, several ways to the next round, swapped components, one loop in another, three and four
// components, and two dot products that want a component in different vectors.
StructuredBuffer<int4> data : register(t0);
RWStructuredBuffer<int4> result : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  const float4 d = (float4)data[id];
  int4 r = 0;

  float2 z = 0;
  int steps = 0;
  [loop] while (steps < 20 && dot(z, z) < 4096) {
    z = float2(z.x - 2 * z.y, z.y + z.x) + d.xy;
    ++steps;
  }
  r.x = steps * 10000 + (int)z.x;

  float2 w = d.zw;
  int rounds = 0;
  [loop] do {
    ++rounds;
    if (((rounds + id) & 3) == 0) {
      w = w.yx;
      continue;
    }
    w += float2(1, d.x);
    if (w.y > 500) break;
  } while (dot(w, float2(2, 1)) < 300 && dot(w, w) < 9000 && rounds < 50);
  r.y = rounds * 10000 + (int)(w.x - w.y);

  float3 p = d.xyz;
  float4 q = d;
  int inner = 0;
  [loop] for (int i = 0; i < 6 && dot(p, p) < 100000; ++i) {
    [loop] for (int k = 0; k < 5 && dot(q, q.wzyx) < 5000 && dot(q, q) < 20000; ++k) {
      q = float4(q.yz, q.w + k, q.x - p.y);
      ++inner;
    }
    if (q.x > p.x) p += q.xyz; else p.y -= 3;
    q *= 0.5;
    q = floor(q);
  }
  r.z = inner * 100000 + (int)(p.x + 3 * p.y - 5 * p.z);

  float3 a = d.wzy;
  int n = 0;
  [loop] while (n < 12 && dot(a.xy, a.xy) + dot(a.yz, a.yz) < 2000) {
    a = a.zxy + float3(1, 2, d.x);
    ++n;
  }
  r.w = n * 10000 + (int)(a.x + 7 * a.y + 11 * a.z);

  result[id] = r;
}
