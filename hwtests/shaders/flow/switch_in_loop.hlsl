// dxc: -T cs_6_0 -E main
// A small machine: a loop around a switch whose cases continue, break out or return.
StructuredBuffer<uint> Code : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint acc = id, pc = id & 7, steps = 0;
  [loop] while (steps < 100) {
    steps++;
    uint word = Code[pc & 31];
    pc++;
    [branch] switch (word & 7) {
      case 0:
        acc += word >> 3;
        break;
      case 1:
        acc = acc * 3;
        continue;
      case 2:
        if (acc & 1) pc += word >> 3;
        break;
      case 3:
        Out[64 + id] = acc;
        break;
      case 4:
        if (acc > 50000) {
          Out[id] = acc ^ 0x55555555u;
          return;
        }
        continue;
      case 5:
        pc = word >> 3;
        break;
      default:
        acc ^= word;
        break;
    }
    acc = (acc << 1) | (acc >> 31);
  }
  Out[id] = acc + steps;
}
