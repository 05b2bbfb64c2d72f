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
environment=$(tools/setup-venv.sh object-store 'moto.server, flask' 'moto[s3,server]>=5.0.20,<6') \
  || { echo "test-object-store: stores of objects are not tested" >&2; exit 77; }
export DXIL_JIT_MOTO_SERVER=$environment/bin/moto_server
if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --workspace --features dxil-precompile/object-store --lib --test object_store \
    -E 'package(dxil-precompile)' "$@"
fi
exec cargo test --workspace --features dxil-precompile/object-store --test object_store "$@"
