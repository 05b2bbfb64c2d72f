RWStructuredBuffer<uint> u : register(u0);
[numthreads(1,1,1)] void main() { while (true) { uint old; InterlockedAdd(u[0], 1, old); if (old == 0xffffffff && u[1] == 77) break; } }
