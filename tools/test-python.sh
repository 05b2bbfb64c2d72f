#!/usr/bin/env bash
# Builds the Python package, installs it into a virtual environment of its own and runs its tests:
# tools/test-python.sh [--profile NAME] [arguments of pytest]
#
# --profile is Cargo's profile; the default is `dev`, which builds faster. The environment is
# $DXIL_JIT_CACHE/python (default: ~/.cache/dxil-jit/python); pip fetches maturin, mypy, NumPy, pytest
# and matplotlib into it. Where Python 3.9 or pip cannot have them, this says so and ends with 77.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=dev
if [ "${1:-}" = --profile ]; then profile=${2:?--profile needs a name}; shift 2; fi
environment=$(tools/setup-venv.sh python 'maturin, mypy, numpy, pytest, matplotlib' \
  'maturin>=1.7,<2' 'mypy>=1.8' 'numpy>=1.21' 'pytest>=7' matplotlib) \
  || { echo "test-python: the tests of the Python package are left out" >&2; exit 77; }
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
PATH=$environment/bin:$PATH maturin build -q --locked --profile "$profile" --interpreter "$environment/bin/python" \
  -m runtime/python/Cargo.toml --out "$wheels" >&2
"$environment/bin/pip" install -q --disable-pip-version-check --no-deps --force-reinstall "$wheels"/*.whl >&2
ls -l "$wheels"/*.whl | awk '{ print "test-python: wheel of " $5 " bytes" }' >&2
cd runtime/python
exec "$environment/bin/python" -m pytest -p no:cacheprovider "$@"
