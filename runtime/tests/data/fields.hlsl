struct P { float3 pos; int id; uint flags[2]; };
RWStructuredBuffer<P> p : register(u0);
RWStructuredBuffer<int2> q : register(u1);
[numthreads(1,1,1)] void main() { p[0].id = 3; q[1].x = -1; }
