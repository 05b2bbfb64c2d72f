// Wave matrices of 16 by 16 elements by AGS.
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWByteAddressBuffer In : register(u1);
RWByteAddressBuffer Out : register(u0);

static const uint Multiply = 0x28, Load = 0x29, Store = 0x2a, Insert = 0x2f, Extract = 0x30, Length = 0x31, Convert = 0x32,
  Fill = 0x33, Elementwise = 0x35;
static const uint F16 = 4, F32 = 6, Bf8 = 9, Fp8 = 10, A = 0 << 4, B = 1 << 4, C = 2 << 4, ColumnMajor = 1 << 7;

struct Matrix { uint words[32]; };

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

// Words go in two at a time: bit 0 is the channel, the rest the register; an owner from bit 8 on.
#define GIVE(opcode, phase, owner, m) \
  [unroll] for (uint in_ = 0; in_ < 16; in_++) \
    ags(opcode, phase, (in_ & 1) | (in_ >> 1) << 4 | (owner) << 8, m.words[2 * in_], m.words[2 * in_ + 1])
// They come out one at a time, with two bits of channel.
#define TAKE(opcode, phase, m) \
  [unroll] for (uint out_ = 0; out_ < 32; out_++) \
    m.words[out_] = ags(opcode, phase, (out_ & 3) | (out_ >> 2) << 4, 0, 0)

Matrix load(uint type, uint offset, uint stride) {
  Matrix m;
  uint place = ags(Load, 0, 0, offset, stride);
  uint hook = In.Load(place);
  ags(Load, 1, type, hook, 0);
  TAKE(Load, 2, m);
  return m;
}

void store(uint type, uint offset, uint stride, Matrix m) {
  uint place = ags(Store, 0, 0, offset, stride);
  uint hook = Out.Load(place);
  GIVE(Store, 1, 0, m);
  ags(Store, 2, type, hook, 0);
}

// F16 times F16, accumulated in F32.
Matrix multiply(Matrix a, Matrix b, Matrix c) {
  Matrix m;
  GIVE(Multiply, 0, 1, a);
  GIVE(Multiply, 0, 2, b);
  GIVE(Multiply, 0, 3, c);
  ags(Multiply, 1, 5, 0, 0);
  TAKE(Multiply, 2, m);
  return m;
}

Matrix convert(uint from, uint to, Matrix given) {
  Matrix m;
  GIVE(Convert, 0, 0, given);
  ags(Convert, 1, from, to, 0);
  TAKE(Convert, 2, m);
  return m;
}

Matrix elementwise(uint operation, uint type, Matrix a, Matrix b) {
  Matrix m;
  GIVE(Elementwise, 0, 1, a);
  GIVE(Elementwise, 0, 2, b);
  ags(Elementwise, 1, type, operation, 0);
  TAKE(Elementwise, 2, m);
  return m;
}

Matrix fill(uint type, uint value) {
  Matrix m;
  ags(Fill, 0, type, value, 0);
  TAKE(Fill, 1, m);
  return m;
}
