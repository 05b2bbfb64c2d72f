// dxc: -T cs_6_0 -E main
// groups: 1 1 2; seed 101083
static uint thread;
static uint local;
RWStructuredBuffer<uint> Out : register(u0);
int4 f1(int3 p2[2], uint p3, bool2 p4) {
  p2 = p2;
  p3 = (((uint)0) - (((uint)(firstbitlow(((uint)(p4.y))))) * thread));
  p3 -= (((((bool)(local)) ? int(255) : p2[0].x) != p2[(local) & 1u].y) ? (min(local, ((uint)(p4.x))) / (local | uint(1))) : (((uint)0) - local));
  bool2 v5 = (((((int2)(mad(((uint2)(((int2)(p3.xx)))), ((uint2)(p2[(local) % 2u].yz)), ((uint2)(p2[0].yz))))) >> int(1)) % (p2[(p3) % 2u].yx | int(1))) != (p2[(thread) & 1u].yx >> (p2[(((uint)(p2[(p3) % 2u].x))) % 2u].yz & int(31))));
  if (v5.x) {
    p4 = ((((uint2)0) - (((uint2)(p2[1].xy)) - p3.xx)) > (local.xx - thread.xx));
    uint i6 = 0u;
    while (i6++ < 4u && ((local * thread) == thread)) {
      v5 = ((~min(local.xx, thread.xx)) > (((uint2)(p2[(i6) % 2u].xy)) + p3.xx));
      if (((p2[(i6) & 1u].x & p2[0].y) == p2[(((uint)(p2[(((uint)(p4.x))) % 2u].z))) % 2u].z)) {
        uint i7 = 0u;
        do {
          p2[(i6) % 2u] ^= ((int3)(((uint3)(((int3)(countbits(((int3)(((uint3)(p2[0])) * ((uint3)(p2[1]))))))))) + ((uint3)(((int3)(mad(((uint3)(p2[(i7) & 1u])), ((uint3)(((int3)int(2)))), ((uint3)(p2[(local) & 1u])))))))));
          if (((~((int)(i6))) == int(2))) {
            return abs((int4(int(5), int(31), int(2), int(31)) | p2[1].yyxy) >> int(1));
          }
        } while (++i7 < 6u && ((v5.x && false) && v5.x));
        break;
      }
    }
  }
  return ((v5.yyyx && ((bool4)(thread.xxxx))) ? min(p2[(thread) % 2u].zzxy, int4(int(5), int(255), int(3), int(31))) : ((int4)(p3.xxxx)));
}
uint f8(inout uint p9, inout uint p10[2], inout bool p11[4], out bool p12) {
  p12 = (false && p11[0]);
  if ((((((int)(p11[2])) >> int(1)) / (int(5) | int(1))) <= ((int)(p11[(((uint)(p11[2]))) & 3u])))) {
    [fastopt] for (uint i13 = 0u; i13 < 3u; ++i13) {
      p10 = p10;
      Out[thread * 32u + 0u] = (p11[(((uint)(p12))) & 3u] ? 1u : 0u);
      for (uint i14 = 0u; i14 < ((true ? ((uint)(p11[2])) : local)) % 3u; ++i14) {
        [fastopt] for (uint i15 = 0u; i15 < 4u; ++i15) {
          Out[thread * 32u + 1u] = Out[thread * 32u + 1u] * 33u ^ i15;
          int v16 = (((int)(((uint)(int(5))) * ((uint)(int(0))))) ^ int(2));
          switch (v16 & 7) {
          case 6:
          {
            bool3 v17 = bool3((((v16 >> int(1)) / (int(255) | int(1))) < v16), ((uint2(7u, 255u) - uint2(1u, 255u)) == ((uint2)(p11[(3u) & 3u].xx))));
            v16 = ((int)(((uint)((((int)(countbits(v16))) & v16))) - ((uint)(((int)(((uint)(int(0x80000000u))) - ((uint)(v16))))))));
            if (((p10[1] <= i14) || v17.x)) {
              if (((bool)(v16))) {
                Out[thread * 32u + 2u] = Out[thread * 32u + 2u] * 33u ^ uint(v16);
                continue;
              }
              continue;
            }
            break;
          }
          case 1:
          {
            break;
          }
          case 4:
          case 7:
          break;
          case 2:
          break;
          case 0:
          {
            break;
          }
          default:
          {
            break;
          }
          break;
          }
        }
      }
    }
    return (((uint)(firstbithigh(local))) & 3233330907u);
  }
  return ((false ? 2u : p10[1]) | thread);
}
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 64u * (group.x + 1u * (group.y + 1u * group.z));
  int v18 = abs(((!((bool)(inside.y))) ? ((int)(((uint)(((int)(local)))) * ((uint)(((int)(group.x)))))) : ((int)(group.z))) >> int(1));
  int v19 = (~((int)(((uint)(((int)(((uint)(v18)) + ((uint)(v18)))))) * ((uint)(v18)))));
  uint v20 = (((index + 5u) * index) * max(3u, ((uint)(v19))));
  uint v21 = ((any(((bool2)(v18.xx))) ? (inside.y % (inside.y | uint(1))) : inside.z) - (true ? index : thread));
  [flatten] if ((((v20 / (index | uint(1))) & 0u) >= min(v20, v21))) {
    v19 = ((!(v21 < index)) ? ((((int)(firstbitlow(int(0)))) >> int(1)) / (v19 | int(1))) : min(int(7), v19));
  } else {
    int v22 = asint(asfloat(((at.z >> (((uint)(v19)) & uint(31))) & 0x7fffff) | 0x3f000000));
    switch (v22 & 7) {
    case 0:
    {
      uint v23 = ((uint)(reversebits((index >> (((uint)(v18)) & uint(31))))));
      switch (v23 % 4u) {
      case 3u:
      {
        if (((7u | 7u) > v23)) {
          if (((~v19) == v18)) {
            uint i24 = 0u;
            do {
              if (((v18 ^ v19) < v22)) {
                break;
              }
              Out[thread * 32u + 3u] = ((inside.x * 31u + inside.y) * 31u + inside.z);
            } while (++i24 < 5u && ((bool)(v20)));
            break;
          }
          if (((((uint)(v22)) - ((uint)(v19))) >= ((uint)(v19)))) {
            [branch] if (any((!(v21.xxxx != inside.zyyy)))) {
              if ((!(255u != index))) {
                int v25 = ((int)(((uint)(((v18 & int(1)) | ((int)(v20))))) * ((uint)(((v22 >> int(1)) % (v19 | int(1)))))));
                return;
              }
              uint v26[2];
              v26[0] = dot(v20.xxxx, v21.xxxx);
              v26[1] = (v20 ^ v21);
              bool v27[4];
              v27[0] = (!false);
              v27[1] = (v26[(255u) % 2u] != ((uint)(v19)));
              v27[2] = (thread < ((uint)(v18)));
              v27[3] = (v18 < v18);
              bool v28;
              v28 = (31u == v21);
              uint v29 = f8(v20, v26, v27, v28);
              Out[thread * 32u + 4u] = v29;
              int3 a30[2];
              a30[0] = int3(v18.xxx);
              a30[1] = ((int3)(((uint3)(((int3)int(31)))) - ((uint3)(v22.xxx))));
              int4 v31 = f1(a30, ((v28 ? thread : v26[(((uint)(v18))) % 2u]) ^ v26[(v23) % 2u]), bool2((int(3) != v22), (v19 == v22)));
            } else if (((((uint)(v19)) + index) < ((uint)(v18)))) {
              int3 a32[2];
              a32[0] = ((int3)(firstbitlow(v22.xxx)));
              a32[1] = (((bool3)(thread.xxx)) ? v18.xxx : v19.xxx);
              int4 v33 = f1(a32, clamp((~((uint)(v18))), min(thread, 5u), max(thread, 5u)), ((v19.xx != ((int2)(group.xz))) && ((bool2)(v20.xx))));
              v33 ^= (((min(v19.xxxx, v33) ^ v19.xxxx) >> int(1)) / (((int4)(((uint4)(v33)) - ((uint4)(v22.xxxx)))) | int(1)));
            }
            v23 &= ((((uint)(countbits(2u))) + thread) % ((2u - 3523831505u) | uint(1)));
            return;
          }
          return;
        }
        v21 = (((v19 >= v18) ? (index + 31u) : ((uint)(v18))) % (((uint)(reversebits(v20))) | uint(1)));
        break;
      }
      case 0u:
      {
        v19 = ((int)(((uint)((((int)(countbits(((int)(index))))) ^ int(31)))) * ((uint)((v19 | v19)))));
        int v34 = (((v22 & v19) >> int(1)) % (v18 | int(1)));
        switch (v34 & 3) {
        case 4:
        {
          int3 v35 = ((int3)(((uint3)(((false ? v22.xxx : v34.xxx) ^ ((int3)(index.xxx))))) - ((uint3)((~v34.xxx)))));
          int v36 = (((((int)(v20)) >> int(1)) / (int(7) | int(1))) | v22);
          switch (v36 & 3) {
          default:
          case 0:
          {
            v35 |= int3(((int2)(((uint2)(int2(v36, v22))) + ((uint2)(int2(int(2), int(2)))))), ((asint(asfloat((at.z & 0x7fffff) | 0x3f000000)) >> int(1)) / (((int)(at.y)) | int(1))));
            v21 = dot(((inside >> (at.zzy & uint(31))) + local.xxx), ((uint3)(v22.xxx)));
            v21 = (((!((bool)(local))) ? (false ? v21 : index) : v20) | ((uint)(firstbitlow(v23))));
            break;
          }
          case 4:
          {
            if (((false || ((bool)(group.z))) && ((bool)(v34)))) {
              uint v37[2];
              v37[0] = (5u + v21);
              v37[1] = ((uint)(countbits(local)));
              bool v38[4];
              v38[0] = (v20 != v21);
              v38[1] = (!((bool)(v37[1])));
              v38[2] = (v23 > v23);
              v38[3] = (0u == v21);
              bool v39;
              v39 = (((int)(inside.x)) >= ((int)(v21)));
              uint v40 = f8(v20, v37, v38, v39);
              break;
            }
            for (uint i41 = 0u; i41 < 2u; ++i41) {
              if (((bool)(i41))) {
                if (((v36 & v35.z) == v36)) {
                  v20 += ((((int)(((uint)(int(3))) * ((uint)(int(-522738433))))) != v22) ? ((v21 + inside.y) & 31u) : ((uint)(firstbitlow(v23))));
                  break;
                }
                if (((((bool)(i41)) && ((bool)(v35.z))) || ((bool)(v34)))) {
                  if (((v20 != 3u) && ((bool)(v34)))) {
                    v21 = ((~(at.z & 3u)) + (((bool)(v35.y)) ? i41 : 0u));
                    return;
                  }
                  break;
                }
                break;
              }
              if (((v21 + ((uint)(v35.x))) <= index)) {
                break;
              }
              v20 = ((uint)(countbits(((((uint)0) - v21) + 255u))));
            }
            break;
          }
          break;
          }
          if ((((1u != v20) ? ((int)(((uint)(v36)) + ((uint)(v35.z)))) : v19) < ((int)(((uint)(v34)) + ((uint)(v22)))))) {
            [branch] if ((((v20 - v20) + v20) < dot(v20.xxx, ((uint3)(v22.xxx))))) {
              v36 = (~((int)(((uint)((v35.y | ((int)(v20))))) - ((uint)(v34)))));
            }
            [flatten] if ((((((uint)(v22)) - group.y) >> (((uint)(v22)) & uint(31))) != (((uint)(v22)) + v20))) {
              v18 = (((int)(((uint)((v34 << (v22 & int(31))))) + ((uint)(v18)))) ^ (v34 << (v35.y & int(31))));
            } else {
              v19 = abs(asint((7u - index)) >> int(1));
              if (((bool)(at.y))) {
                if (((v23 << (v21 & uint(31))) < thread)) {
                  if ((any(((bool2)(v23.xx))) && ((bool)(thread)))) {
                    break;
                  }
                  return;
                }
                break;
              }
              if (((thread == ((uint)(v18))) && ((bool)(v34)))) {
                return;
              }
              if (((v23 << (3302361696u & uint(31))) <= 2u)) {
                bool v42[5] = { (((int)(v21)) != v19), (v34 > int(255)), (int(5) <= v35.y), (v34 != v35.y), (5u == inside.z) };
                return;
              }
            }
          }
          break;
        }
        case 0:
        case 1:
        {
          uint v43 = (asuint(int(31)) % (at.x | uint(1)));
          switch (v43 % 3u) {
          case 1u:
          {
            v43 = ((!(int(3) > v22)) ? ((((uint)0) - v20) | 2147483648u) : (~v43));
            [branch] if (any((((uint3)(countbits(((uint3)(v18.xxx))))) > v20.xxx))) {
              uint4 v44 = min(((v21.xxxx - index.xxxx) * v23.xxxx), max(((uint4)(v19.xxxx)), v23.xxxx));
              v23 += (((3783660605u >> (v23 & uint(31))) + ((uint)(v18))) % ((v43 >> (((uint)(v22)) & uint(31))) | uint(1)));
              v44 |= uint4(((uint)(reversebits((local | v44.w)))), (((uint2)(countbits(v21.xx))) - v43.xx), ((((bool)(v34)) || false) ? (v23 * ((uint)(v22))) : 1u));
            }
            break;
          }
          default:
          case 0u:
          {
            if (((((bool)(inside.z)) ? ((uint)(v22)) : v43) < v23)) {
              v43 = (((index >> (thread & uint(31))) ^ v20) - (mad(at.z, thread, group.x)));
              if (((v23 % (((uint)(v18)) | uint(1))) == v43)) {
                v43 -= (((((uint)0) - v21) + v20) % ((v23 ^ 31u) | uint(1)));
                return;
              }
              return;
            }
            break;
          }
          case 2u:
          {
            v18 |= ((int)(((uint)(((int)(((uint)((v19 ^ int(31)))) - ((uint)(int(7))))))) - ((uint)(((v22 >> int(1)) % (v22 | int(1)))))));
            break;
          }
          break;
          }
          break;
        }
        break;
        }
        break;
      }
      break;
      }
      break;
    }
    case 1:
    break;
    case 3:
    break;
    default:
    {
      break;
    }
    break;
    }
  }
  Out[thread * 32u + 5u] = uint(v18);
  Out[thread * 32u + 6u] = Out[thread * 32u + 6u] * 33u ^ uint(v19);
  Out[thread * 32u + 7u] = Out[thread * 32u + 7u] * 33u ^ v20;
  Out[thread * 32u + 8u] = v21;
}
