// dxc: -T ps_6_0 -E main
// Quads leave a loop one after the other, continue early, take branches and cases: in each place derivatives, implicit
// levels and exchange inside of the quad work as if it were alone.
Texture2D<float> Levels : register(t0);
SamplerState Point : register(s0);

float4 main(float4 position : SV_Position) : SV_Target {
  float2 at = position.xy;
  uint2 quad = uint2(at) / 2;
  uint rounds = (quad.x + quad.y * 3) % 5;
  float slopes = 0, levels = 0, across = 0;
  [loop] for (uint i = 0; i < 4; ++i) {
    // Before anything else in the round: all quads that are still here.
    slopes += ddx_fine(at.x * (i + 1));
    [branch] if (i == rounds) {
      // On the way out.
      across += 100 * (QuadReadAcrossX(at.x) + QuadReadAcrossDiagonal(at.y));
      break;
    }
    [branch] if (((i + quad.x) & 1) != 0) {
      levels += Levels.Sample(Point, at / 8);
      continue;
    }
    [branch] switch ((quad.y + i) & 3) {
      case 0:
        slopes += 10 * ddy_fine(at.y * at.y);
        break;
      case 1:
        levels += 10 * Levels.Sample(Point, at / 16);
        [branch] if ((quad.x & 2) != 0) {
          across += QuadReadAcrossY(at.y);
          break;
        }
        slopes += ddx_coarse(at.x);
        break;
      default:
        across += QuadReadLaneAt(at.x, 3);
        break;
    }
    // Behind the switch.
    levels += Levels.CalculateLevelOfDetail(Point, at / 32) * 0.125f;
  }
  // Behind the loop all are back.
  return float4(slopes, levels, across, ddx_fine(at.x) + QuadReadAcrossX(at.x));
}
