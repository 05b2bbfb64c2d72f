"""What programs of others make of the commands' results, and the commands of theirs.

tools/test-outside.sh sets the environment. Expectations are computed here, or by the other program.
"""

import html
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np
from PIL import Image

COMMANDS = pathlib.Path(os.environ["COMMANDS"])
COLLATZ = "hwtests/shaders/flow/collatz.dxil"
SAXPY = "runtime/tests/data/saxpy.dxil"
PICTURE = "runtime/tests/data/picture.dxil"


def run(command, *arguments, code=0):
    """Runs a command of ours, and returns its standard output."""
    done = subprocess.run([COMMANDS / command, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"{command} {arguments}: {done.returncode} {done.stderr}"
    return done.stdout


def tool(name):
    """Returns the program of a variable; without it a test says that it checks nothing."""
    path = os.environ.get(name, "")
    if not path:
        raise unittest.SkipTest(f"no {name.lower()}")
    return path


def jq(text, program):
    done = subprocess.run([tool("JQ"), "-c", "-e", program], input=text, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def collatz(n):
    """Steps and largest value of the sequence from n."""
    steps, top = 0, n
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        top = max(top, n)
        steps += 1
    return [steps, top]


class Outside(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def test_jq_reads_results(self):
        text = run("dxil-run", COLLATZ, "--dispatch", 1, "--backend", "cpu", "--json")
        inputs = jq(text, '[.inputs[] | select(.place == "t0") | .elements[]] | flatten')
        outputs = jq(text, '[.outputs[] | select(.name == "Out") | .elements[]] | flatten')
        expected = [value for n in inputs for value in collatz(n)]
        self.assertEqual(outputs, expected)
        self.assertEqual(jq(text, ".device.backend"), "cpu")

    def test_jq_reads_lists_of_files(self):
        flow = "hwtests/shaders/flow"
        count = len(list(pathlib.Path(flow).glob("*.dxil")))
        text = run("dxil-dis", "--json", flow)
        self.assertEqual(jq(text, "length"), count)
        # One shader, written by hand, breaks two rules: both forms say which.
        text = run("dxil-val", "--json", flow, code=1)
        self.assertEqual(jq(text, "length"), count)
        bad = jq(text, '[.[] | select(.valid | not) | .file as $f | .violations[] | $f]')
        log = run("dxil-val", "--sarif", flow, code=1)
        self.assertEqual(jq(log, ".version"), "2.1.0")
        place = ".locations[0].physicalLocation.artifactLocation.uri"
        self.assertEqual(jq(log, f"[.runs[0].results[] | {place}]"), bad)
        self.assertEqual(set(bad), {f"{flow}/pointer_phis.dxil"})

    def test_graphviz_draws_one_picture_of_a_function(self):
        namespace = "{http://www.w3.org/2000/svg}"
        for shader in sorted(pathlib.Path("hwtests/shaders/flow").glob("c*.dxil")):
            graph = run("dxil-dis", "--cfg=dot", "-f", "main", shader)
            done = subprocess.run([tool("DOT"), "-Tsvg"], input=graph, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            # A parser of XML takes one document only.
            picture = xml.etree.ElementTree.fromstring(done.stdout)
            groups = [group.get("class") for group in picture.iter(namespace + "g")]
            # Both say how many blocks and edges there are: Graphviz, and the table.
            head = run("dxil-dis", "--cfg", "-f", "main", shader).splitlines()[0]
            blocks = int(head.split("blocks ")[1].split(",")[0])
            self.assertGreaterEqual(groups.count("node"), blocks, shader)
            self.assertGreaterEqual(groups.count("edge"), blocks - 1, shader)

    def test_numpy_feeds_and_checks_a_shader(self):
        random = np.random.default_rng(7)
        x, y = (random.integers(-1000, 1000, 64).astype(np.float32) for _ in range(2))
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "y.npy", y)
        out = self.folder / "out.npy"
        for backend in ["cpu", "wgpu"]:
            if backend == "wgpu" and not has_device("wgpu"):
                print("outside: wgpu has no device; it is left out", file=sys.stderr)
                continue
            run(
                "dxil-run", SAXPY, "--dispatch", 1, "--backend", backend, "--bind", "C.a=0.5",
                "--bind", "C.n=40", "--bind", f"t0={self.folder / 'x.npy'}",
                "--bind", f"u0={self.folder / 'y.npy'}", "--out", f"u0={out}",
            )
            factor = np.where(np.arange(64) < 40, np.float32(0.5), np.float32(0))
            # Halves of such integers are exact.
            np.testing.assert_array_equal(np.load(out), factor * x + y)

    def test_pillow_writes_and_reads_dds(self):
        size = (16, 8)
        random = np.random.default_rng(5)
        picture = Image.fromarray(random.integers(0, 256, (*size[::-1], 4), dtype=np.uint8), "RGBA")
        # Smooth, since a block of BC1 has four colors in a line.
        ramp = np.zeros((*size[::-1], 4), dtype=np.uint8)
        ramp[..., 0] = np.arange(16) * 8
        ramp[..., 1] = 64
        ramp[..., 3] = 255
        smooth = Image.fromarray(ramp, "RGBA")
        for name, image, options in [
            ("rgba", picture, {}),
            ("bc1", smooth, {"pixel_format": "DXT1"}),
            ("bc3", smooth, {"pixel_format": "DXT5"}),
        ]:
            file, out = self.folder / f"{name}.dds", self.folder / f"{name}.npy"
            try:
                image.save(file, **options)
            except (TypeError, OSError) as error:
                print(f"outside: this Pillow writes no {name}: {error}", file=sys.stderr)
                continue
            run(
                "dxil-run", PICTURE, "--dispatch", "2,1", "--backend", "cpu", "--bind", "Sim.dt=0",
                "--bind", f"src={file}", "--size", "dst=16x8", "--out", f"dst={out}",
            )
            # What Pillow itself reads of the file; decoders round colors of blocks differently.
            expected = np.asarray(Image.open(file).convert("RGBA"), dtype=np.float64)
            found = np.load(out).astype(np.float64) * 255
            limit = 1e-3 if name == "rgba" else 1.01
            self.assertLessEqual(np.abs(found - expected).max(), limit, name)
        # The other way round: our file in Pillow, bit by bit.
        file = self.folder / "ours.dds"
        run(
            "dxil-run", PICTURE, "--dispatch", "2,1", "--backend", "cpu", "--bind", "Sim.dt=0",
            "--bind", f"src={self.folder / 'rgba.dds'}", "--format", "dst=R8G8B8A8_UNORM",
            "--size", "dst=16x8", "--out", f"dst={file}",
        )
        np.testing.assert_array_equal(np.asarray(Image.open(file).convert("RGBA")), np.asarray(picture))

    def test_chromium_compiles_wgsl(self):
        text = run("dxil-run", PICTURE, "--emit", "wgsl", "--target", "webgpu")
        broken = text.replace("@compute", "@computer")
        self.assertNotEqual(text, broken)
        script = """
          (async () => {
            const said = [];
            const adapter = await navigator.gpu?.requestAdapter();
            if (!adapter) said.push("no adapter");
            else {
              const device = await adapter.requestDevice();
              for (const code of CODES) {
                const info = await device.createShaderModule({ code }).getCompilationInfo();
                said.push(info.messages.filter((m) => m.type === "error").length ? "error" : "good");
              }
            }
            await fetch("/said?" + said.join(","));
          })();
        """.replace("CODES", json.dumps([text, broken]))
        said = browse(f"<!doctype html><script>{script}</script>")
        self.assertEqual(said, "good,error")


def has_device(backend):
    command = [COMMANDS / "dxil-run", COLLATZ, "--dispatch", "1", "--backend", backend]
    return subprocess.run(command, capture_output=True).returncode != 5


def browse(page):
    """Opens a page in a headless Chromium, and returns what it tells its server."""
    import http.server
    import queue
    import threading

    told = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path, _, query = self.path.partition("?")
            if path == "/said":
                told.put(query)
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode() if path == "/" else b"")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = subprocess.Popen(
                [
                    tool("CHROMIUM"), "--headless", "--no-sandbox", "--no-first-run",
                    "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
                    f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/",
                ],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            try:
                return html.unescape(told.get(timeout=120))
            finally:
                browser.terminate()
                browser.wait(timeout=30)
                server.shutdown()


if __name__ == "__main__":
    unittest.main()
