#!/usr/bin/env bash
# Hands results of the commands to programs of others, and theirs to the commands: tools/test-outside.sh
#
# jq reads every kind of JSON and SARIF, Graphviz draws every control flow, Pillow writes and reads
# DDS files, NumPy does so with arrays and computes what shaders compute, wgpu runs a shader, and
# Chromium compiles WGSL (tools/outside.py says what each must find).
#
# COMMANDS names a folder with built commands; without it they are built for tests. Pillow and NumPy
# come from pip into $DXIL_JIT_CACHE/outside (default: ~/.cache/dxil-jit/outside). jq is $JQ or on the
# path; Graphviz is $DOT, `dot` on the path, or what npm brings into that folder (@viz-js/viz);
# Chromium is $CHROMIUM, the one of `tools/setup-vulkan.sh browser`, or one on the path. Where a program
# is missing, this says so; without pip it ends with 77.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}
environment=$(tools/setup-venv.sh outside 'numpy, PIL' 'numpy>=1.21' 'pillow>=10')
if [ -z "${DOT:-}" ] && ! command -v dot >/dev/null && command -v npm >/dev/null; then
  viz=$environment/viz
  if [ ! -d "$viz/node_modules/@viz-js/viz" ]; then
    mkdir -p "$viz"
    npm install --prefix "$viz" --no-audit --no-fund --silent @viz-js/viz >&2 || true
  fi
  if [ -d "$viz/node_modules/@viz-js/viz" ]; then
    # The same command line as `dot -Tsvg`, as far as it is used here.
    cat >"$viz/dot.mjs" <<'END'
import { instance } from "@viz-js/viz";
import { readFileSync } from "node:fs";
const drawn = (await instance()).render(readFileSync(0, "utf8"), { format: "svg" });
for (const { level, message } of drawn.errors) if (level === "error") console.error(message);
if (drawn.status !== "success") process.exit(1);
process.stdout.write(drawn.output);
END
    printf '#!/bin/sh\nexec node %q\n' "$viz/dot.mjs" >"$viz/dot"
    chmod +x "$viz/dot"
    DOT=$viz/dot
  fi
fi
if [ -z "${CHROMIUM:-}" ] && [ -x "$cache/run-browser" ]; then CHROMIUM=$cache/run-browser; fi
export JQ=${JQ:-$(command -v jq || true)} DOT=${DOT:-$(command -v dot || true)}
export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
if [ -z "${COMMANDS:-}" ]; then
  cargo build --quiet --locked --workspace --bin dxil-run --bin dxil-dis --bin dxil-val --bin dxil-edit
  COMMANDS=${CARGO_TARGET_DIR:-target}/debug
fi
COMMANDS=$(realpath "$COMMANDS") exec "$environment/bin/python" tools/outside.py "$@"
