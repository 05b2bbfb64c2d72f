"""Writes HLSL compute shaders whose control flow or size grows with n: make.py DIR.

Compile each with DXC: -T cs_6_5 -E main -Vd -Qstrip_reflect -Qstrip_debug. The two sizes of each shape
that are checked in beside this file (n and 2n) show how translation time grows.
"""

import pathlib
import sys

HEAD = """RWByteAddressBuffer sink : register(u0);
ByteAddressBuffer source : register(t0);
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = source.Load(id * 4);
"""
TAIL = "    sink.Store(0, acc);\n}\n"


def repeat(n, line):
    return "".join(line(k) for k in range(n))


def test(k):
    return f"[branch] if (source.Load(acc + {4 * k}) > {k}u)"


def work(k):
    return f"acc += source.Load({8 * k});"


SHAPES = {
    "straight": (4096, lambda n: repeat(n, lambda k: f"acc = acc * {2 * k + 3} + source.Load(acc & 0xfffcu);\n")),
    "ifs": (1024, lambda n: repeat(n, lambda k: f"{test(k)} {{ sink.Store({4 * k}, acc); {work(k)} }}\n")),
    "nested": (128, lambda n: repeat(n, lambda k: f"{test(k)} {{ sink.Store({4 * k}, acc); {work(k)}\n") + "}" * n),
    "breaks": (
        512,
        lambda n: "[loop] for (uint j = 0; j < acc; j++) {\n"
        + repeat(n, lambda k: f"{test(k)} {{ sink.Store({4 * k}, acc); break; }} acc += source.Load({8 * k} + j);\n")
        + "}\n",
    ),
    "returns": (512, lambda n: repeat(n, lambda k: f"{test(k)} {{ sink.Store({4 * k}, acc); return; }} {work(k)}\n")),
    "loops": (
        256,
        lambda n: repeat(
            n,
            lambda k: f"[loop] for (uint j{k} = 0; j{k} < source.Load(acc & 0xfffc); j{k}++) {{"
            f" if (source.Load(acc + {4 * k}) == 7u) break; if (source.Load(acc + {8 * k}) == 9u) continue;"
            f" acc += source.Load(j{k} * 4); }}\n",
        ),
    ),
    "switch": (
        1024,
        lambda n: "[branch] switch (acc) {\n"
        + repeat(n, lambda k: f"case {k}: sink.Store({4 * k}, acc); {work(k)} break;\n")
        + "}\n",
    ),
}


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name, (largest, body) in SHAPES.items():
        for n in (largest // 4, largest // 2, largest):
            (out / f"{name}_{n:05}.hlsl").write_text(HEAD + body(n) + TAIL)


if __name__ == "__main__":
    main()
