// dxc: -T cs_6_0 -E main -Od
// Functions that stay functions: calls, results, and arguments that are written.
StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);

[noinline] int twist(int a, int b) {
  if (a > b) return a * 3 - b;
  return b ^ a;
}

[noinline] bool split(int v, out int quotient, inout int rest) {
  quotient = v / 7;
  rest += v % 7;
  return (rest & 1) != 0;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int rest = 100, quotient;
  bool odd = split(In[id], quotient, rest);
  Out[id * 2] = twist(quotient, rest);
  Out[id * 2 + 1] = odd ? twist(rest, 5) : -1;
}
