"""The package as its users see it. Everything runs on the CPU backend; where a Vulkan device is
there, the results of both are compared."""

import pathlib
import pickle
import threading

import numpy as np
import pytest

import dxil_jit

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "runtime/tests/data"


def shader(path):
    return dxil_jit.Shader.from_file(ROOT / path)


@pytest.fixture(scope="module")
def saxpy():
    return shader("runtime/tests/data/saxpy.dxil")


@pytest.fixture(scope="module")
def named():
    return shader("runtime/tests/data/named.dxil")


def vulkan():
    try:
        return [dxil_jit.Device("vulkan")]
    except dxil_jit.DeviceError as error:
        assert error.code in ("no-loader", "no-device")
        return []


DEVICES = [dxil_jit.Device("cpu"), *vulkan()]


@pytest.fixture(params=DEVICES, ids=[device.info.backend for device in DEVICES])
def device(request):
    return request.param


def test_arrays_go_through_a_shader_by_name(saxpy, device):
    x = np.arange(64, dtype=np.float32)
    y = np.full(64, 0.5, np.float32)
    results = device.run(saxpy, 1, {"x": x, "y": y, "C": {"a": 3.0, "n": 60}})
    expected = np.where(np.arange(64) < 60, 3.0 * x, 0) + y
    assert list(results) == ["y"]
    assert results["y"].dtype == np.float32
    np.testing.assert_array_equal(results["y"], expected.astype(np.float32))
    # What was bound is as it was, and results can be written.
    assert (y == 0.5).all()
    results["y"][0] = 1


def test_arrays_go_through_a_shader_by_register(saxpy, device):
    constants = np.array([(2.0, 64)], dtype=[("a", "<f4"), ("n", "<u4")])
    bindings = {"t0": np.ones(64, np.float32), "u0": 64, "b0": constants}
    np.testing.assert_array_equal(device.run(saxpy, [1, 1, 1], bindings)["u0"], np.full(64, 2.0))


def test_structures_have_the_layout_of_the_shader(named, device):
    dtype = named.reflect()["src"].dtype
    assert dtype.names == ("pos", "mass", "id", "frame", "lights")
    assert dtype["mass"] == np.float64
    particles = np.zeros(4, dtype)
    particles["pos"] = np.arange(12).reshape(4, 3)
    particles["mass"] = 1.5
    particles["id"] = [7, 8, 9, 10]
    particles["frame"] = np.arange(6).reshape(dtype["frame"].shape)
    particles["lights"]["power"] = [[1, 2]] * 4
    sim = {"dt": 0.5, "wind": [1, 2], "gravity": [0, 0, -10]}
    results = device.run(named, 1, {"src": particles, "dst": 4, "Sim": sim})["dst"]
    assert results.dtype == dtype
    np.testing.assert_array_equal(results["id"], [8, 9, 10, 11])
    moved = particles["pos"] + np.array([1, 2, -5], np.float32)
    np.testing.assert_array_equal(results["pos"], moved)
    for name in ("mass", "frame", "lights"):
        np.testing.assert_array_equal(results[name], particles[name])


def test_vectors_are_axes():
    collatz = shader("hwtests/shaders/flow/collatz.dxil")
    results = DEVICES[0].run(collatz, 1, {"t0": np.arange(64, dtype=np.uint32), "u0": 64})
    assert results["u0"].shape == (64, 2)
    assert results["u0"][27].tolist() == [111, 9232]


def test_textures_and_samplers(device):
    texels = np.random.default_rng(1).integers(0, 255, (8, 8, 4), dtype=np.uint8)
    results = device.run(
        shader("runtime/tests/data/tex.dxil"),
        1,
        {
            "t": texels,
            "s": "point",
            "o": np.zeros((8, 8, 4), np.float32),
            "b": np.zeros(64, np.uint32),
        },
    )
    expected = texels[..., [2, 1, 0, 3]].astype(np.float32) / 255
    np.testing.assert_allclose(results["o"], expected, atol=1e-6)
    rows, columns = np.mgrid[0:8, 0:8]
    np.testing.assert_array_equal(results["b"], (columns + 10 * rows).ravel())


SAMPLER_OPTIONS = (
    "wrap mirror clamp border mirroronce u=wrap v=mirror w=clamp border=white border=black "
    "border=transparent border=1/0/0/1 min=point mag=linear mip=point minimum maximum less "
    "lessequal equal notequal greater greaterequal always never bias=0.5 minlod=1 maxlod=3 "
    "anisotropy=8"
).split()


def sample(options):
    """A texel of a texture that is sampled with these options."""
    bindings = {
        "t": np.full((8, 8, 4), 255, np.uint8),
        "s": options,
        "o": np.zeros((8, 8, 4), np.float32),
        "b": np.zeros(64, np.uint32),
    }
    return DEVICES[0].run(shader("runtime/tests/data/tex.dxil"), 1, bindings)["o"][0, 0]


@pytest.mark.parametrize("option", SAMPLER_OPTIONS)
def test_sampler_options_are_taken_and_documented(option):
    assert sample(f"linear+{option}").shape == (4,)
    documents = dxil_jit.Device.run.__doc__, (ROOT / "docs/python.md").read_text()
    key, equals, value = option.partition("=")
    for document in documents:
        assert f"`{key}{equals}" in document and (not equals or value in document), option


def test_unknown_sampler_options_are_refused():
    for wrong in ("cubic", "linear+sideways", "linear+bias=x"):
        with pytest.raises(dxil_jit.JobError, match=wrong.split("+")[-1]):
            sample(wrong)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"x": np.ones(64)}, "float64"),
        ({"x": np.ones(64, np.int32)}, "int32"),
        ({"x": [1.0, 2.0]}, "list"),
        ({"x": np.ones(7, np.uint8)}, "elements of 4 bytes"),
        ({"z": np.ones(64, np.float32)}, "declares no 'z'"),
        ({"C": {"b": 1}}, "no field 'b'"),
        ({"C": {"n": 1.5}}, "no integer"),
        ({"C": {"a": [1, 2]}}, "float"),
        ({"C": b"1234"}, "n is at 4"),
        ({"t0": np.ones(64, np.float32)}, "same register"),
        ({"u3": 1}, "declares no 'u3'"),
    ],
)
def test_what_does_not_fit_is_refused(saxpy, change, message):
    bindings = {"x": np.ones(64, np.float32), "y": 64, "C": {"a": 1.0, "n": 64}, **change}
    with pytest.raises(dxil_jit.JobError, match=message):
        DEVICES[0].run(saxpy, 1, bindings)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda s, d: d.run(s, 1.5, {}), "groups: give a whole number or 1 to 3 of them, not float 1.5"),
        (lambda s, d: d.run(s, (1, 2.0), {}), r"groups\[1\]: give a whole number, not float 2.0"),
        (lambda s, d: d.run(s, "1", {}), "groups: give a whole number"),
        (lambda s, d: d.run(s, -1, {}), "groups: give a number from 0"),
        (lambda s, d: d.run(s, (1,) * 4, {}), "groups: give a whole number or 1 to 3"),
        (lambda s, d: d.run(s, 1, [1]), "bindings: give a dict"),
        (lambda s, d: d.run(s, 1, {0: 1}), "bindings: give names or registers as keys, not int 0"),
        (lambda s, d: d.run(s, 1, {}, repeat=1.5), "repeat: give a whole number, not float 1.5"),
        (lambda s, d: d.run(b"", 1, {}), "shader: give a Shader, not bytes"),
        (lambda s, d: d.run(s, 1, {}, entry=1), "entry: give a text, not int 1"),
        (lambda s, d: dxil_jit.Shader(5), "data: give bytes .Shader.from_file reads a file., not int 5"),
        (lambda s, d: dxil_jit.Shader("cs.dxil"), "from_file reads a file., not str 'cs.dxil'"),
        (lambda s, d: dxil_jit.Shader(b"", class_instances=3), "class_instances: give a dict"),
        (lambda s, d: dxil_jit.Device("cpu", timeout="x"), "timeout: give a number, not str 'x'"),
        (lambda s, d: dxil_jit.Device("cpu", threads=0), "threads: give a number from 1"),
        (lambda s, d: dxil_jit.Device("cpu", index=0.5), "index: give a whole number"),
        (lambda s, d: s.translate("wgsl", elements=1.5), "elements: give a whole number"),
        (lambda s, d: s.translate(3), "target: give a text, not int 3"),
        (lambda s, d: dxil_jit.optimize(1.5), "container: give bytes, not float 1.5"),
        (lambda s, d: dxil_jit.optimize(b"", 1.5), "passes: give a sequence, not float 1.5"),
        (lambda s, d: dxil_jit.parts(4), "container: give bytes, not int 4"),
        (lambda s, d: dxil_jit.from_parts(1.5), "parts: give a sequence, not float 1.5"),
        (lambda s, d: dxil_jit.from_parts([1]), r"parts\[0\]: give a name and bytes, not int 1"),
        (lambda s, d: dxil_jit.from_parts([("DXIL", 7)]), r"parts\[0\]\[1\]: give bytes"),
        (lambda s, d: dxil_jit.assemble(b"x"), "text: give a text, not bytes"),
        (lambda s, d: dxil_jit.isa(1.5, "navi31"), "shaders: give a sequence, not float 1.5"),
        (lambda s, d: dxil_jit.isa([7], "navi31"), r"shaders\[0\]: give bytes or a Shader, not int 7"),
        (lambda s, d: dxil_jit.isa(s, 7), "gpus: give a sequence, not int 7"),
    ],
)
def test_wrong_arguments_are_told_by_their_names(saxpy, call, message):
    with pytest.raises(dxil_jit.JobError, match=message) as caught:
        call(saxpy, DEVICES[0])
    assert caught.value.code == "bad-argument"


def test_resources_fields_and_reflections_are_iterated(saxpy, named):
    assert [r.name for r in saxpy.resources] == [r.name for r in saxpy.reflect()]
    assert [r.register for r in saxpy.resources] == ["t0", "u0", "b0"]
    assert len(saxpy.reflect()) == 3
    assert "x" in saxpy.reflect() and "b0" in saxpy.reflect() and "nothing" not in saxpy.reflect()
    assert saxpy.resources[0] in saxpy.reflect()
    assert saxpy.shader_model.startswith("cs_6_")
    assert [point.stage for point in saxpy.entry_points] == ["cs"]
    layout = named.reflect()["src"].layout
    names = [field.name for field in layout]
    assert names[:3] == ["pos", "mass", "id"] and len(layout) == len(names) == 5


def test_representations_fit_on_a_screen(saxpy, named):
    many = dxil_jit.Reflection("cs_6_0", (), named.resources * 20)
    assert repr(many).splitlines()[-1].startswith("... and ")
    first = repr(saxpy.reflect()).splitlines()
    assert first[0].startswith("<Reflection cs_6_") and len(first) == 4
    code = dxil_jit.MachineCode("gpu", "device", "driver", [], "x" * 1000)
    executable = dxil_jit.Executable("main", ["cs"], 32, {"a": 1}, {"asm": "line\n" * 500})
    assert "asm: 500 lines" in repr(executable)
    shown = [many, saxpy, named.resources[0], named.reflect()["src"].layout, code, executable]
    shown += [named.reflect()["src"].layout.fields[0], dxil_jit.operations()[0]]
    for value in shown:
        lines = repr(value).splitlines()
        assert len(lines) <= 24 and all(len(line) <= 101 for line in lines), repr(value)


def test_a_register_without_contents_is_an_error(saxpy):
    with pytest.raises(dxil_jit.JobError) as caught:
        DEVICES[0].run(saxpy, 1, {"x": np.ones(64, np.float32)})
    assert caught.value.code == "unbound-register"


def test_languages(saxpy):
    spirv = saxpy.translate()
    assert isinstance(spirv, bytes)
    assert np.frombuffer(spirv, "<u4")[:2].tolist() == [0x07230203, 0x00010600]
    assert np.frombuffer(saxpy.translate(vulkan="1.1"), "<u4")[1] == 0x00010300
    for target, words in [
        ("wgsl", "@compute"),
        ("webgpu", "@compute"),
        ("msl", "kernel"),
        ("glsl", "#version"),
        ("hlsl", "numthreads"),
    ]:
        assert words in saxpy.translate(target=target)
    with pytest.raises(dxil_jit.JobError, match="spirv, wgsl"):
        saxpy.translate("cuda")
    with pytest.raises(dxil_jit.JobError, match="other") as caught:
        saxpy.translate(entry="other")
    assert caught.value.code == "no-entry-point"


def test_webgpu_refuses_what_some_of_its_devices_lack():
    # Chromium has the format's read-write access with a feature only.
    textures = shader("hwtests/shaders/textures/read_modify_write.dxil")
    assert "read_write" in textures.translate("wgsl")
    with pytest.raises(dxil_jit.UnsupportedError, match="texture-formats-tier2"):
        textures.translate("webgpu")


def test_class_instances_of_interfaces(device):
    path = ROOT / "hwtests/pipelines/class_instances.dxbc"
    numbers = np.array([1, -7, 1000, 0], np.int32)

    def run(instances):
        linked = dxil_jit.Shader.from_file(path, class_instances=instances)
        results = device.run(linked, 1, {"t0": numbers, "u0": np.zeros(4, np.int32)})
        return results["u0"].tolist()

    # The instance doubles and triples; one class adds 10 and 100, the other negates.
    assert run({0: "chosen", "1": "Negates"}) == (numbers * -6).tolist()
    assert run({0: "Adds", 1: "ft2"}) == (-(numbers + 110)).tolist()
    with pytest.raises(dxil_jit.MalformedError, match="which takes Multiplies, Negates"):
        run({0: "chosen", 1: "Adds"})
    with pytest.raises(dxil_jit.JobError, match="class instance 0="):
        run({0: ""})
    with pytest.raises(dxil_jit.JobError, match="without interfaces"):
        dxil_jit.Shader((DATA / "saxpy.dxil").read_bytes(), class_instances={0: "A"})


def test_reflection(named):
    reflection = named.reflect()
    assert reflection.shader_model.startswith("cs_6_")
    assert reflection.entry_points == (dxil_jit.EntryPoint("main", "cs", (4, 1, 1)),)
    assert [r.register for r in reflection.resources] == ["t0", "u0", "b0"]
    sim = reflection["b0"]
    assert sim is reflection["Sim"] and sim.size == 28
    assert [(f.name, f.type, f.offset) for f in sim.layout.fields] == [
        ("dt", "float", 0),
        ("wind", "float2", 4),
        ("gravity", "float3", 16),
    ]
    with pytest.raises(KeyError, match="t0 src"):
        reflection["nothing"]


def test_disassembly_names_operations(saxpy):
    text = saxpy.disassemble()
    assert "define void @main()" in text and "opcode: i32" in text and "; ThreadId" in text


def test_containers_are_written():
    saxpy = (DATA / "saxpy.dxil").read_bytes()
    names = [name for name, _ in dxil_jit.parts(saxpy)]
    assert "DXIL" in names and "PSV0" in names
    # The file has no digest, which takes 16 bytes after the first four.
    assert dxil_jit.from_parts(dxil_jit.parts(saxpy))[20:] == saxpy[20:]
    again = dxil_jit.rewrite(saxpy)
    assert [name for name, _ in dxil_jit.parts(again)] == names
    text = dxil_jit.to_yaml(saxpy)
    assert "  - Name:            PSV0\n" in text
    described = dxil_jit.from_yaml(text)
    assert [name for name, _ in dxil_jit.parts(described)] == names
    assert dict(dxil_jit.parts(described))["DXIL"] == dict(dxil_jit.parts(saxpy))["DXIL"]
    with pytest.raises(dxil_jit.MalformedError, match="line 1"):
        dxil_jit.from_yaml("[")
    smaller = dxil_jit.optimize(saxpy, ["fold", "dead-code"])
    for container in (again, smaller, dxil_jit.optimize(saxpy)):
        written = dxil_jit.Shader(container)
        places = [r.register for r in written.reflect().resources]
        assert places == ["t0", "u0", "b0"]
    with pytest.raises(dxil_jit.JobError, match="fast"):
        dxil_jit.optimize(saxpy, ["fast"])
    with pytest.raises(dxil_jit.JobError):
        dxil_jit.from_parts([("LONGER", b"")])
    with pytest.raises(dxil_jit.MalformedError):
        dxil_jit.assemble("nonsense")
    old = DATA.parent.parent.parent / "hwtests/shaders/arith/float_basic.dxbc"
    new = dxil_jit.Shader(dxil_jit.upgrade(old.read_bytes()))
    assert new.reflect().entry_points[0].stage == dxil_jit.Shader(
        old.read_bytes()
    ).reflect().entry_points[0].stage


def test_the_preview_is_asked_for():
    folder = DATA.parent.parent.parent / "frontend/tests/data/container"
    data = (folder / "sm610_cs.dxil").read_bytes()
    with pytest.raises(dxil_jit.UnsupportedError, match="without leave"):
        dxil_jit.Shader(data).translate()
    assert dxil_jit.Shader(data, preview=True).translate()[:4] == b"\x03\x02\x23\x07"


def test_errors_have_codes_and_one_base_class():
    with pytest.raises(dxil_jit.MalformedError) as caught:
        dxil_jit.Shader(b"no shader at all")
    assert isinstance(caught.value, dxil_jit.Error) and caught.value.code
    cut = (DATA / "saxpy.dxil").read_bytes()[:200]
    with pytest.raises(dxil_jit.MalformedError):
        dxil_jit.Shader(cut)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code) == (str(caught.value), caught.value.code)
    with pytest.raises(dxil_jit.DeviceError) as caught:
        dxil_jit.Device("cpu", 7)
    assert caught.value.code == "no-such-device"
    with pytest.raises(dxil_jit.JobError):
        dxil_jit.Device("cuda")


def test_other_threads_run_during_a_dispatch():
    """An infinite shader ends by the time limit, and Python goes on meanwhile."""
    unbounded = shader("runtime/tests/data/infinite_loop.dxil")
    device = dxil_jit.Device("cpu", timeout=1.0)
    bindings = {r.register: 64 for r in unbounded.reflect().resources if r.class_ == "uav"}
    caught = []

    def work():
        try:
            device.run(unbounded, 1, bindings)
        except dxil_jit.Error as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
    # With the lock held there would be one step or two.
    assert steps > 1000
    assert [error.code for error in caught] == ["timeout"]


def test_timed_runs_give_times(saxpy):
    for device in DEVICES[1:]:
        bindings = {"x": np.ones(64, np.float32), "y": 64, "C": {"a": 1.0, "n": 64}}
        results = device.run(saxpy, 1, bindings, repeat=3)
        assert len(results.device_us) == 3 and all(time > 0 for time in results.device_us)


def test_the_package_is_typed():
    folder = pathlib.Path(dxil_jit.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
    for name in dxil_jit.__all__:
        member = getattr(dxil_jit, name)
        assert name == "__version__" or member.__doc__, name


USER = """
import dxil_jit
shader = dxil_jit.Shader(b"")
words: bytes = shader.translate()
text: str = shader.translate(target="wgsl")
results = dxil_jit.Device("cpu").run(shader, 1, {"x": 4})
sums = [results[key].sum() for key in results]
"""


def test_programs_are_checked_against_the_types(tmp_path):
    """A type checker accepts the package itself, and knows what `translate` returns."""
    api = pytest.importorskip("mypy.api")

    def check(*what):
        found, errors, status = api.run(
            ["--strict", "--cache-dir", str(tmp_path / "cache"), *what]
        )
        return status, found + errors

    # By its name: a path would make the other installed packages look like parts of the program.
    status, said = check("-p", "dxil_jit")
    assert status == 0, said
    program = tmp_path / "user.py"
    for text, expected in [(USER, 0), (USER.replace("words: bytes", "words: str"), 1)]:
        program.write_text(text)
        status, said = check(str(program))
        assert status == expected, said


def test_the_example_plots_a_result(tmp_path):
    pyplot = pytest.importorskip("matplotlib")
    pyplot.use("Agg")
    import runpy
    import sys

    picture = tmp_path / "collatz.png"
    script = ROOT / "runtime/python/examples/collatz.py"
    arguments, sys.argv = sys.argv, [str(script), "--backend", "cpu", "--out", str(picture)]
    try:
        runpy.run_path(str(script), run_name="__main__")
    finally:
        sys.argv = arguments
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 5000


def test_the_example_translates_and_tells_what_it_refuses(tmp_path):
    import subprocess
    import sys

    good, bad = ROOT / "runtime/tests/data/saxpy.dxil", tmp_path / "bad.dxil"
    bad.write_bytes(b"DXBC, but no more")

    def run(*arguments):
        script = ROOT / "runtime/python/examples/translate.py"
        command = [sys.executable, str(script), "--out", str(tmp_path / "out"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    code, said, problems = run(str(good), str(bad))
    assert code == 1 and "saxpy.dxil: cs_6_" in said and "  t0: StructuredBuffer x" in said
    assert "bad.dxil: MalformedError truncated: " in problems
    # The magic number of SPIR-V, then version 1.6.
    words = np.frombuffer((tmp_path / "out/saxpy.spv").read_bytes(), "<u4")
    assert (words[0], words[1]) == (0x07230203, 0x00010600)
    assert run("--target", "wgsl", str(good))[0] == 0
    assert "@compute" in (tmp_path / "out/saxpy.wgsl").read_text()


def test_the_table_of_operations():
    table = dxil_jit.operations()
    # 312 opcodes, of which 32 are reserved (DXC's table of shader models 6.0 to 6.9).
    assert len(table) == 312 - 32 + 34
    sin = next(row for row in table if row.number == 13)
    # "DXIL Operation Specification Example" of LLVM's note on TableGen.
    assert (sin.name, sin.hlsl, sin.function, sin.memory) == ("Sin", "sin", "unary", "ReadNone")
    assert [operand.name for operand in sin.operands] == ["value"]
    assert sin.constraints[0] == dxil_jit.Constraint("6.0", ["f16", "f32"], ["all"])


def test_machine_code_of_a_gpu_without_it(saxpy):
    """It loads x[i] and y[i] and stores y[i]."""
    if not next(gpu for gpu in dxil_jit.gpus() if gpu.name == "navi31").available:
        pytest.skip("no driver: tools/setup-vulkan.sh compilers brings one")
    [code] = dxil_jit.isa(saxpy, "navi31@radv-null", texts=True)
    assert code.error is None, code.error
    assert code.gpu == "navi31@radv-null" and "Mesa" in code.driver
    [executable] = code.executables
    assert executable.stages == ["cs"]
    assert executable.statistics["VMEM"] == 3
    assert executable.texts["Assembly"].count("buffer_store_b32") == 1
    # The same as SPIR-V.
    [code] = dxil_jit.isa(saxpy.translate(), ["navi31@radv-null"])
    assert code.executables[0].statistics["VMEM"] == 3 and not code.executables[0].texts


def test_what_a_gpu_refuses_is_an_error_of_its_answer():
    if not next(gpu for gpu in dxil_jit.gpus() if gpu.name == "navi31").available:
        pytest.skip("no driver: tools/setup-vulkan.sh compilers brings one")
    lines = shader("hwtests/shaders/mesh/lines_ms.dxil")
    [old, new] = dxil_jit.isa(lines, "polaris10@radv-null,navi31@radv-null")
    assert old.error and not old.executables
    assert new.error is None and new.executables[0].stages == ["ms"]
    with pytest.raises(dxil_jit.JobError, match="no GPU"):
        dxil_jit.isa(lines, "voodoo2")


def test_parts_are_made_anew():
    typed = (ROOT / "hwtests/shaders/debug/typed.dxil").read_bytes()
    names = [name for name, _ in dxil_jit.parts(typed)]
    assert "ILDB" in names and "STAT" in names
    made = dxil_jit.make_parts(typed)
    assert [name for name, _ in dxil_jit.parts(made)] == names
    assert dxil_jit.validate(made).is_valid
    version = dxil_jit.CompilerVersion(1, 8, custom="own")
    made = dxil_jit.make_parts(typed, debug_info="name", reflection=False, version=version)
    parts = dict(dxil_jit.parts(made))
    assert {"ILDN", "VERS"} < set(parts) and not {"ILDB", "STAT"} & set(parts)
    assert parts["VERS"][:4] == bytes([1, 0, 8, 0]) and b"own" in parts["VERS"]
    # The digest of the name is that of HASH.
    assert parts["HASH"][4:].hex().encode() in parts["ILDN"]
    with pytest.raises(dxil_jit.JobError, match="keep, name or module"):
        dxil_jit.make_parts(typed, debug_info="some")


def test_text_of_a_module_assembles_again():
    saxpy = (DATA / "saxpy.dxil").read_bytes()
    made = dxil_jit.assemble(dxil_jit.Shader(saxpy).disassemble())
    assert dxil_jit.validate(made).is_valid
    again = dxil_jit.assemble(dxil_jit.Shader(made).disassemble())
    assert again == made


def test_libraries_are_linked():
    folder = ROOT / "hwtests/shaders/linking"
    caller, callee = ((folder / f"{name}.dxil").read_bytes() for name in ("caller", "callee"))
    linked = dxil_jit.link(caller, [callee])
    assert dxil_jit.validate(linked).is_valid
    with pytest.raises(dxil_jit.Error) as missing:
        dxil_jit.link(caller, [])
    assert missing.value.code == "unresolved-function"


def test_containers_are_validated_and_signed():
    saxpy = (DATA / "saxpy.dxil").read_bytes()
    expected, status = dxil_jit.digest(saxpy)
    assert status == "unsigned"
    signed = dxil_jit.sign(saxpy)
    assert signed[4:20] == expected and dxil_jit.digest(signed) == (expected, "valid")
    broken = signed[:-1] + bytes([signed[-1] ^ 1])
    assert dxil_jit.digest(broken)[1] == "mismatch"
    assert dxil_jit.validate(signed) == dxil_jit.Report([], 0)

    data = ROOT / "frontend/tests/data"
    divergent = (data / "validate/divergent_barrier_cs.dxil").read_bytes()
    assert dxil_jit.validate(divergent).violations == []
    warned = dxil_jit.validate(divergent, uniformity=True)
    assert warned.is_valid and warned.violations[0].rule.startswith("UNI.")
    assert warned.violations[0].rule in warned.violations[0].message
    preview = (data / "ops/matrices_cs.dxil").read_bytes()
    assert dxil_jit.validate(preview, preview=True).is_valid
    refused = dxil_jit.validate(preview)
    assert not refused.is_valid
    assert [v.rule for v in refused.violations] == ["META.VERSIONSUPPORTED", "SM.NAME"]
    nonsense = dxil_jit.validate(b"nonsense")
    assert not nonsense.is_valid and nonsense.violations[0].severity == "error"
    with pytest.raises(dxil_jit.MalformedError):
        dxil_jit.sign(b"nonsense")
