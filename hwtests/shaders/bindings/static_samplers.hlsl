// dxc: -T cs_6_0 -E main
// Static samplers: each state that a root signature can give them, at a place where it shows.
#define RS "DescriptorTable(SRV(t0, numDescriptors = 3), UAV(u0)), " \
  "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_WRAP), " \
  "StaticSampler(s1, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_MIRROR), " \
  "StaticSampler(s2, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP), " \
  "StaticSampler(s3, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_BORDER), " \
  "StaticSampler(s4, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_BORDER, borderColor = STATIC_BORDER_COLOR_OPAQUE_BLACK), " \
  "StaticSampler(s5, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_BORDER, borderColor = STATIC_BORDER_COLOR_TRANSPARENT_BLACK), " \
  "StaticSampler(s6, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_MIRROR_ONCE), " \
  "StaticSampler(s7, filter = FILTER_MIN_MAG_LINEAR_MIP_POINT), " \
  "StaticSampler(s8, filter = FILTER_MIN_MAG_POINT_MIP_LINEAR), " \
  "StaticSampler(s9, filter = FILTER_MIN_MAG_MIP_POINT, minLOD = 1), " \
  "StaticSampler(s10, filter = FILTER_MIN_MAG_MIP_POINT, maxLOD = 0), " \
  "StaticSampler(s11, filter = FILTER_MIN_MAG_MIP_POINT, mipLODBias = 1), " \
  "StaticSampler(s12, filter = FILTER_ANISOTROPIC, maxAnisotropy = 4), " \
  "StaticSampler(s13, filter = FILTER_MINIMUM_MIN_MAG_LINEAR_MIP_POINT), " \
  "StaticSampler(s14, filter = FILTER_MAXIMUM_MIN_MAG_LINEAR_MIP_POINT), " \
  "StaticSampler(s15, filter = FILTER_MIN_LINEAR_MAG_MIP_POINT), " \
  "StaticSampler(s16, filter = FILTER_MIN_POINT_MAG_LINEAR_MIP_POINT), " \
  "StaticSampler(s20, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_NEVER), " \
  "StaticSampler(s21, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_LESS), " \
  "StaticSampler(s22, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_EQUAL), " \
  "StaticSampler(s23, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_LESS_EQUAL), " \
  "StaticSampler(s24, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_GREATER), " \
  "StaticSampler(s25, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_NOT_EQUAL), " \
  "StaticSampler(s26, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_GREATER_EQUAL), " \
  "StaticSampler(s27, filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT, comparisonFunc = COMPARISON_ALWAYS)"

Texture2D<float4> Colors : register(t0);
Texture2D<float> Depths : register(t1);
Texture2D<float> Row : register(t2);
RWStructuredBuffer<float> Out : register(u0);
SamplerState Wrap : register(s0);
SamplerState Mirror : register(s1);
SamplerState Clamp : register(s2);
SamplerState White : register(s3);
SamplerState Black : register(s4);
SamplerState Clear : register(s5);
SamplerState Once : register(s6);
SamplerState Flat : register(s7);
SamplerState Between : register(s8);
SamplerState Far : register(s9);
SamplerState Near : register(s10);
SamplerState Biased : register(s11);
SamplerState Anisotropic : register(s12);
SamplerState Least : register(s13);
SamplerState Most : register(s14);
SamplerState MinOnly : register(s15);
SamplerState MagOnly : register(s16);
SamplerComparisonState Never : register(s20);
SamplerComparisonState Less : register(s21);
SamplerComparisonState Equal : register(s22);
SamplerComparisonState LessEqual : register(s23);
SamplerComparisonState Greater : register(s24);
SamplerComparisonState NotEqual : register(s25);
SamplerComparisonState GreaterEqual : register(s26);
SamplerComparisonState Always : register(s27);

[RootSignature(RS)]
[numthreads(1, 1, 1)]
void main() {
  float2 right = float2(1.375, 0.125), left = float2(-0.375, 0.125), middle = float2(0.5, 0.125);
  Out[0] = Colors.SampleLevel(Wrap, right, 0).x;
  Out[1] = Colors.SampleLevel(Mirror, right, 0).x;
  Out[2] = Colors.SampleLevel(Clamp, right, 0).x;
  float4 white = Colors.SampleLevel(White, right, 0);
  Out[3] = white.x + white.w * 10;
  float4 black = Colors.SampleLevel(Black, right, 0);
  Out[4] = black.x + black.w * 10;
  float4 clear = Colors.SampleLevel(Clear, right, 0);
  Out[5] = clear.x + clear.w * 10;
  Out[6] = Colors.SampleLevel(Once, left, 0).x;
  Out[7] = Colors.SampleLevel(Once, float2(-1.625, 0.125), 0).x;
  Out[8] = Colors.SampleLevel(Flat, middle, 0.4).x;
  Out[9] = Colors.SampleLevel(Between, float2(0.125, 0.125), 0.5).x;
  Out[10] = Colors.SampleLevel(Far, float2(0.125, 0.125), 0).x;
  Out[11] = Colors.SampleLevel(Near, float2(0.125, 0.125), 2).x;
  Out[12] = Colors.SampleLevel(Biased, float2(0.125, 0.125), 0).x;
  Out[13] = Colors.SampleLevel(Anisotropic, middle, 0).x;
  Out[14] = Row.SampleLevel(Least, middle, 0);
  Out[15] = Row.SampleLevel(Most, middle, 0);
  // Level 1 is minified, level 0 magnified.
  Out[16] = Colors.SampleLevel(MinOnly, float2(0.5, 0.25), 1).x;
  Out[17] = Colors.SampleLevel(MagOnly, middle, 0).x;
  for (uint i = 0; i < 3; i++) {
    float reference = i * 0.25;
    float2 at = float2(0.25, 0.25);
    Out[20 + i * 8] = Depths.SampleCmpLevelZero(Never, at, reference);
    Out[21 + i * 8] = Depths.SampleCmpLevelZero(Less, at, reference);
    Out[22 + i * 8] = Depths.SampleCmpLevelZero(Equal, at, reference);
    Out[23 + i * 8] = Depths.SampleCmpLevelZero(LessEqual, at, reference);
    Out[24 + i * 8] = Depths.SampleCmpLevelZero(Greater, at, reference);
    Out[25 + i * 8] = Depths.SampleCmpLevelZero(NotEqual, at, reference);
    Out[26 + i * 8] = Depths.SampleCmpLevelZero(GreaterEqual, at, reference);
    Out[27 + i * 8] = Depths.SampleCmpLevelZero(Always, at, reference);
  }
}
