RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
  uint n = 1;
  while (Out[0] == 0) {
    n = n * 3 + 1;
    Out[1] = n;
  }
}
