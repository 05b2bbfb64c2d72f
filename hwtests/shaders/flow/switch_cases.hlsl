// dxc: -T cs_6_0 -E main
// A switch with shared labels, a default in the middle, sparse values and breaks inside of ifs.
StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int a = In[id], r = 0;
  [branch] switch (a) {
    case 0:
      r = Out[id] + 10;
      break;
    case 1:
    case 2:
      r = 20;
      if (id & 1) break;
      r += Out[id];
      break;
    default:
      r = a * 3;
      Out[id + 64] = r;
      break;
    case -5:
      r = -50;
      break;
    case 1000:
    case 7:
      r = 70;
      if (Out[id] > 3) {
        r = Out[id] * 2;
        break;
      }
      r++;
      break;
  }
  Out[id] = r;
}
