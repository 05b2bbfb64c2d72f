"""Rules of the entries of `ShaderOpArith.xml` about helper lanes."""

from shader_ops_draw import must, part, rule
from shaders import unpack

TRIANGLE = [-1, 1, 0, 1, 1, 0, 1, -1, 0]


def small_triangle(entry):
    """The words for one triangle on a target of 2x2, of which it covers three pixels."""
    return [
        "--draw",
        "3",
        "--vertices",
        entry.shaders.npy(TRIANGLE, "f", 3, 3),
        "--size",
        "rt0=2x2",
        "--format",
        "rt0=R32G32B32A32_UINT",
    ]


@rule
def HelperLaneTestNoWave(entry):
    checks = 0
    for model in ("6_0", "6_6"):
        # DXC 1.7 moves derivatives into a branch, although the entry's arguments forbid it.
        files = [
            entry.compile("VS", ["-Od"], "vs_" + model),
            entry.compile("PS", ["-Od"], "ps_" + model),
        ]
        source = entry.shaders.file(b"\xcc" * 112)
        out = entry.run(files, [*small_triangle(entry), "--bind", f"u0={source}"], ["u0"])
        seen = unpack(out["u0"], "i")[:8]
        # Before 6.6 DXC tells helper lanes by a coverage of 0, which a device need not give them.
        must(seen == [0, 0, 1, 0, 1, 0, 1, 0] or model == "6_0", f"{model}: {seen}")
        checks += 1
    return checks


# Results of one lane: of waves, of quads, and those of shader model 6.5.
COMPUTE = (
    [0, 1, 7, 0, 0, 0, 3, 1, 3, 12, 64, 1, 0, 0, 10, 1, 2, 16, 4],
    [0, 0, 0, 0],
    [7, 0, 0, 0, 2, 4, 16, 1, 0, 0],
)
PIXEL = (
    [0, 1, 11, 0, 0, 0, 3, 1, 3, 12, 64, 1, 0, 0, 10, 1, 2, 16, 4],
    [0, 1, 0, 0],
    [11, 0, 0, 0, 2, 4, 16, 1, 0, 0],
)
AFTER_DISCARD = (
    [0, 1, 10, 0, 0, 0, 2, 1, 2, 8, 16, 1, 0, 0, 10, 1, 1, 4, 2],
    [0, 1, 0, 1],
    [10, 0, 0, 0, 1, 2, 4, 1, 0, 0],
)


def vertex_results(mask):
    """What a vertex shader must find if these lanes run: one to three, as the device puts them."""
    lanes = mask.bit_count()
    before = lanes - 1
    return (
        [
            0,
            1,
            mask,
            0,
            0,
            0,
            lanes,
            1,
            lanes,
            4 * lanes,
            4**lanes,
            1,
            0,
            0,
            10,
            1,
            before,
            4**before,
            2 * before,
        ],
        None,
        [mask, 0, 0, 0, before, 2 * before, 4**before, 1, 0, 0],
    )


def helper_lanes(entry, suffix, newer):
    """Runs the three stages of one shader model."""

    def compare(data, place, wanted, newer, what):
        seen = unpack(data, "I")[33 * place : 33 * place + 33]
        if wanted is None:
            must(1 <= seen[2].bit_count() <= 3, f"{what}: lanes {seen[2]:b}")
            wanted = vertex_results(seen[2])
        must(seen[:19] == wanted[0], f"{what}, waves: {seen[:19]} for {wanted[0]}")
        must(wanted[1] is None or seen[19:23] == wanted[1], f"{what}, quads: {seen[19:23]}")
        must(not newer or seen[23:] == wanted[2], f"{what}, 6.5: {seen[23:]} for {wanted[2]}")
        return 1

    bind = ["--bind", f"u0={entry.shaders.file(bytes([0xCC]) * 132 * 7)}"]
    out = entry.run([entry.compile("CS" + suffix, ["-Od"])], ["--dispatch", "3", *bind], ["u0"])
    checks = compare(out["u0"], 0, COMPUTE, newer, "CS" + suffix)
    files = entry.compile_all(["VS" + suffix, "PS" + suffix], ["-Od"])
    out = entry.run(files, [*small_triangle(entry), *bind], ["u0"])
    for place, wanted, what in (
        (0, None, "VS"),
        (1, PIXEL, "PS"),
        (2, AFTER_DISCARD, "PS, discard"),
    ):
        checks += compare(out["u0"], place, wanted, newer, what + suffix)
    return checks


@rule
def HelperLaneTestWave(entry):
    return helper_lanes(entry, "66", True)


@part("HelperLaneTestWave", "before 6.6")
def helper_lanes_by_coverage(entry):
    return helper_lanes(entry, "", False) + helper_lanes(entry, "65", True)
