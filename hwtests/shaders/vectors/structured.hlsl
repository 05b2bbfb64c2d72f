// dxc-newer: -T cs_6_9 -E main
// native vectors as structured buffer elements and as struct members
struct Row { vector<float, 5> w; uint tag; vector<int, 6> k; };
StructuredBuffer<vector<float, 9> > src : register(t0);
StructuredBuffer<Row> rows : register(t1);
RWStructuredBuffer<vector<float, 9> > dst : register(u0);
RWStructuredBuffer<Row> outRows : register(u1);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<float, 9> v = src[id] * 2.0f + src[id ^ 1];
  dst[id] = v;
  Row r = rows[id];
  r.w += v[3];
  r.k = r.k * 3 - (int)r.tag;
  r.tag = id;
  outRows[id] = r;
  outRows[id + 64].w = r.w * 0.5f;
  outRows[id + 64].tag = r.tag ^ (uint)r.k[5];
  outRows[id + 64].k = -r.k;
}
