"""Precompiles a folder of shaders on a Ray cluster: ray_library.py FOLDER --out CACHE --parts N

First the Python package looks at all shaders, in small tasks: what is malformed or unsupported is
known before the long work begins. Then each part is a task that runs `dxil-precompile`; a task whose
node dies is begun again elsewhere and finds what it had written. Prints the sum as JSON.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

import ray


@ray.remote
def survey(files):
    """Returns how many shaders of each model there are, and the errors by file."""
    import dxil_jit

    models, errors = collections.Counter(), {}
    for file in files:
        try:
            shader = dxil_jit.Shader.from_file(file)
            models[str(shader.reflect().shader_model)] += 1
        except dxil_jit.Error as error:
            errors[file] = f"{error.code}: {error}"
    return models, errors


@ray.remote(max_retries=5, retry_exceptions=[OSError])
def part(command, folder, out, local, index, count):
    """Returns the summary of one part."""
    arguments = [command, folder, "--out", out, "--shard", f"{index}/{count}", "--threads", "1", "--json"]
    if "://" in out:
        arguments += ["--local", f"{local}-{index}"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    # Without a summary, or where the store lacks something of it, another try may do better. Bad
    # shaders stay bad, and are in the summary.
    summary = json.loads(done.stdout) if done.stdout else None
    if summary is None or summary.get("store", {}).get("not_written"):
        raise OSError(f"part {index}: {done.stderr.strip()[-1000:]}")
    return summary


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", required=True, help="a folder of all nodes, or s3://BUCKET/PATH")
    parser.add_argument("--local", default="/tmp/dxil-jit-part", help="folders in front of a store")
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--command", default="dxil-precompile")
    arguments = parser.parse_args()

    ray.init()
    files = sorted(str(file) for file in arguments.folder.rglob("*.dxil"))
    models, errors = collections.Counter(), {}
    for counts, failed in ray.get([survey.remote(files[at : at + 100]) for at in range(0, len(files), 100)]):
        models.update(counts)
        errors.update(failed)
    for file, error in errors.items():
        print(f"{file}: {error}", file=sys.stderr)

    common = arguments.command, str(arguments.folder), arguments.out, arguments.local
    parts = [part.remote(*common, index, arguments.parts) for index in range(arguments.parts)]
    summaries = ray.get(parts)
    total = {
        "shaders": len(files),
        "unreadable": len(errors),
        "models": dict(sorted(models.items())),
        "pipelines": sum(summary["total"]["pipelines"] for summary in summaries),
        "failed": sum(summary["total"]["failed"] for summary in summaries),
        "made": sum(summary["translations"]["made"] for summary in summaries),
        "found": sum(summary["translations"]["found"] for summary in summaries),
    }
    print(json.dumps(total))


if __name__ == "__main__":
    main()
