// dxc: -T cs_6_6 -E main -enable-16bit-types
// groups: 1 2 1; seed 70007
static uint thread;
static uint local;
cbuffer C1 : register(b0) {
  float c2;
};
cbuffer C3 : register(b1) {
  bool c4;
  int16_t4 c5;
  int16_t3 c6;
  int c7[2][2];
};
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint4> T8 : register(t0);
RWStructuredBuffer<float> U9 : register(u1);
[numthreads(32, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 32u * (group.x + 1u * (group.y + 2u * group.z));
  int v10 = (((uint16_t(255) / (((uint16_t)(group.y)) | uint16_t(1))) <= ((uint16_t)(inside.z))) ? ((int)(((uint)((~c7[(T8[(3367688986u) % 64u].w) & 1u][1]))) + ((uint)(((int)(inside.z)))))) : ((int)(((uint)(c7[0][(at.z) % 2u])) - ((uint)(c7[(inside.z) & 1u][(3182321137u) & 1u])))));
  uint v11 = (max((~inside.z), thread) + (inside.x * at.z));
  uint16_t4 v12 = min(((((bool4)(U9[thread].xxxx)) ? ((uint16_t4)(abs(U9[thread].xxxx))) : ((uint16_t4)(index.xxxx))) - ((uint16_t4)(thread.xxxx))), uint16_t4(((uint16_t3)(index.xxx)), uint16_t(0)));
  int16_t3 v13 = min(((local >= 1u) ? abs(c6 >> int16_t(1)) : c5.yzz), (c4 ? c6.yxz : ((int16_t3)int16_t(5))));
  if ((group.x & 2u) > 3u) {
    Out[thread * 32u + 0u] = v11;
    if ((max(saturate((-110.875f)), (4.0f)) > ceil(U9[thread]))) {
      bool v14 = WaveIsFirstLane();
    }
    Out[thread * 32u + 1u] = uint(v10);
    [flatten] if ((group.x & 4u) > 1u) {
      v13 ^= ((c4 ? int16_t3(c6) : int16_t3(int16_t(3), int16_t(31), int16_t(7))) << (((((int16_t3)(index.xxx)) >> int16_t(1)) % (v13 | int16_t(1))) & int16_t(15)));
      for (uint i15 = 0u; i15 < 1u; ++i15) {
        Out[thread * 32u + 2u] = Out[thread * 32u + 2u] * 33u ^ ((uint(int(c6.x)) * 31u + uint(int(c6.y))) * 31u + uint(int(c6.z)));
        float16_t v16 = clamp((clamp(((c4 ? ((float16_t)(i15 & uint(15))) : ((float16_t)((v13.y & int16_t(15)) - int16_t(7)))) * ((float16_t)(v12.x & uint16_t(15)))), (float16_t)-16.0, (float16_t)16.0) + clamp((float16_t(3.0f) * ((float16_t)(v11 & uint(15)))), (float16_t)-16.0, (float16_t)16.0)), (float16_t)-16.0, (float16_t)16.0);
        [flatten] if (c4) {
          if ((((c4 ? v12.y : v12.x) | ((uint16_t)(abs(v16)))) > (v12.x - v12.x))) {
            v10 = (~((int)(reversebits(((int)(((uint)(((int)(i15)))) + ((uint)(v10))))))));
            v11 = (((mad(i15, inside.y, ((uint)(v13.x)))) / (31u | uint(1))) * (inside.x * inside.x));
            v13 = ((int16_t3)(((uint16_t3)(abs(abs(c5.yyw >> int16_t(1)) >> int16_t(1)))) * ((uint16_t3)(((c6 >> int16_t(1)) % (((int16_t3)int16_t(2)) | int16_t(1)))))));
            bool v17 = (clamp((v12.x * ((uint16_t)(i15))), min(v12.w, v12.y), max(v12.w, v12.y)) <= (~v12.x));
            break;
          }
          break;
        }
        float4 v18 = clamp(WaveActiveMin(clamp(ceil((U9[thread].xxxx + ((float)(asuint(c2) & 255u)).xxxx)), (float4)-512.0, (float4)512.0)), (float4)-512.0, (float4)512.0);
      }
    }
  } else {
    [loop] for (uint i19 = 0u; i19 < ((7u / (v11 | uint(1)))) % 3u; ++i19) {
      Out[thread * 32u + 3u] = (((T8[(inside.z) & 63u].x * 31u + T8[(inside.z) & 63u].y) * 31u + T8[(inside.z) & 63u].z) * 31u + T8[(inside.z) & 63u].w);
      v10 = ((int)(((uint)((((int)(((uint)(v10)) + ((uint)(v10)))) >> (int(1) & int(31))))) + ((uint)(asint(inside.y)))));
      uint16_t2 v20 = (((((uint16_t2)uint16_t(31)) + uint16_t2(uint16_t(5), uint16_t(31))) - v12.wy) - (((bool)(v12.z)) ? ((uint16_t2)(v13.zy)) : v12.xy));
      v12 |= (((5u & at.x) == i19) ? ((i19 != i19) ? (v20.yxxx / (v20.yyyy | uint16_t(1))) : v12) : (((bool4)false) ? v12.zxxz : v12));
      if (((fmod(((float)(asuint(c2) & 255u)), ((float)2.0f)) - ((float)(asuint(c2) & 255u))) <= (U9[thread] - U9[thread]))) {
        if (((~(((bool)(i19)) ? inside.z : 3u)) >= (inside.y & inside.y))) {
          uint v21 = WaveReadLaneFirst(((v10 <= v10) ? (65535u - index) : local));
        }
      } else {
        if (((((float)(i19 & uint(255))) + U9[thread]) >= ((float)(asuint(c2) & 255u)))) {
          uint i22 = 0u;
          while (i22++ < 2u && ((~((uint)(v20.x))) > 0u)) {
            uint v23 = WaveActiveCountBits(true);
            uint4 v24 = WaveActiveBallot((any(((bool2)true)) && c4));
          }
          break;
        }
        if ((!(!(v10 > ((int)(v13.y)))))) {
          if ((saturate(min(U9[thread], (-3.0f))) == min(((float)(asuint(c2) & 255u)), ((float)(asuint(c2) & 255u))))) {
            uint16_t v25 = (((!c4) ? (c4 ? v20.x : v20.y) : v12.y) - (((uint16_t)(i19)) & v20.x));
          }
          float3 v26 = ceil(step(round(((float)(asuint(c2) & 255u)).xxx), U9[thread].xxx));
          uint v27 = WaveActiveCountBits((clamp(uint16_t(5), min(uint16_t(31), v12.z), max(uint16_t(31), v12.z)) <= uint16_t(0)));
        } else {
          v11 -= (((1u >> (T8[(index) & 63u].w & uint(31))) * 3u) + (i19 % (T8[11].w | uint(1))));
          Out[thread * 32u + 4u] = ((uint(int(v13.x)) * 31u + uint(int(v13.y))) * 31u + uint(int(v13.z)));
          [loop] for (uint i28 = 0u; i28 < 1u; ++i28) {
            if (true) {
              break;
            }
            v13 = ((int16_t3)(((uint16_t3)(int16_t3(((int16_t2)(((uint16_t2)(((int16_t2)(v20)))) * ((uint16_t2)(c5.xy)))), (v13.z & v13.z)))) + ((uint16_t3)((c6 ^ int16_t3(int16_t(255), int16_t(3), int16_t(255)))))));
            Out[thread * 32u + 5u] = ((uint(int(v13.x)) * 31u + uint(int(v13.y))) * 31u + uint(int(v13.z)));
            int v29 = WaveActiveSum(((int)(((uint)(((int)(reversebits(int(7)))))) - ((uint)(((int)(i19)))))));
          }
          v20 = (((v20.yy + v20) - v12.yz) + min(((uint16_t2)uint16_t(5)), v20));
        }
      }
      uint v30 = WaveActiveCountBits(((((uint)(v10)) ^ ((uint)(v13.x))) <= v11));
    }
    Out[thread * 32u + 6u] = uint(v10);
    Out[thread * 32u + 7u] = Out[thread * 32u + 7u] * 33u ^ v11;
    return;
  }
  v13 = int16_t3((max(c5.yzx, int16_t3(int16_t(5), int16_t(14615), int16_t(255))) & v13.xxy));
  U9[thread] = floor(fmod(abs(U9[thread]), ((float)2.0f)));
  v12 = (((uint16_t4)0) - ((c4.xxxx ? v12 : v12.zzzw) + v12.zwyw));
  Out[thread * 32u + 8u] = uint(int(U9[thread] * 8.0f));
  Out[thread * 32u + 9u] = uint(v10);
  Out[thread * 32u + 10u] = v11;
  Out[thread * 32u + 11u] = Out[thread * 32u + 11u] * 33u ^ (((uint(v12.x) * 31u + uint(v12.y)) * 31u + uint(v12.z)) * 31u + uint(v12.w));
  Out[thread * 32u + 12u] = ((uint(int(v13.x)) * 31u + uint(int(v13.y))) * 31u + uint(int(v13.z)));
}
