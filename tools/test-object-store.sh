#!/usr/bin/env bash
# Tests caches in stores of objects against an S3 server in another process:
# tools/test-object-store.sh [arguments of the test runner]
#
# The server is moto's, in its own virtual environment: $DXIL_JIT_CACHE/object-store (default:
# ~/.cache/dxil-jit/object-store), into which pip fetches it. Where Python 3.9 or pip cannot have it,
# this says so and ends with 77. The package is built with its feature `object-store`, whose
# dependencies take some minutes to build the first time.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}
environment=$cache/object-store
without() { echo "test-object-store: $*; stores of objects are not tested" >&2; exit 77; }

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || without "no Python 3.9 or newer"
if ! "$environment/bin/python" -c 'import moto.server, flask' 2>/dev/null; then
  mkdir -p "$cache"
  "$python" -m venv "$environment" >&2 || without "no module venv"
  "$environment/bin/pip" install -q --disable-pip-version-check 'moto[s3,server]>=5.0.20,<6' >&2 \
    || without "pip cannot install moto"
fi
export DXIL_JIT_MOTO_SERVER=$environment/bin/moto_server
if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --workspace --features dxil-precompile/object-store --lib --test object_store \
    -E 'package(dxil-precompile)' "$@"
fi
exec cargo test --workspace --features dxil-precompile/object-store --test object_store "$@"
