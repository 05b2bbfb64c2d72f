#!/usr/bin/env bash
# A virtual environment with Python packages: tools/setup-venv.sh NAME MODULES PACKAGE...
#
# Prints the folder $DXIL_JIT_CACHE/NAME (default: ~/.cache/dxil-jit/NAME), into which pip fetches
# the packages unless the modules (`a, b`) can be imported there. Where Python 3.9 or pip cannot
# have them, this says so and ends with 77.
set -euo pipefail
name=$1 modules=$2
shift 2
cache=${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}
environment=$cache/$name
without() { echo "setup-venv: $*" >&2; exit 77; }

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || without "no Python 3.9 or newer"
if ! "$environment/bin/python" -c "import $modules" 2>/dev/null; then
  mkdir -p "$cache"
  "$python" -m venv "$environment" >&2 || without "no module venv"
  "$environment/bin/pip" install -q --disable-pip-version-check "$@" >&2 || without "pip cannot install $*"
fi
echo "$environment"
