#!/usr/bin/env bash
# Debugs a shader from a headless Neovim with nvim-dap, as docs/debugging.md says to set it up.
#
#   tools/test-neovim.sh [NVIM-DAP]      default: $NVIM_DAP
#
# NVIM-DAP is a folder with that plugin, which is not part of this repository:
# `git clone https://github.com/mfussenegger/nvim-dap`. Neovim is $NVIM, `nvim` on the path, or what
# `tools/setup-vulkan.sh neovim` brings. DXIL_DEBUG may name a dxil-debug that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."
dap=${1:-${NVIM_DAP:-}}
[ -f "$dap/lua/dap.lua" ] || { echo "test-neovim.sh: no nvim-dap: name its folder" >&2; exit 3; }
cache=${DXIL_JIT_CACHE:-${HOME:-}/.cache/dxil-jit}
nvim=${NVIM:-}
if [ -z "$nvim" ] && [ -x "$cache/run-neovim" ]; then nvim=$cache/run-neovim; fi
nvim=${nvim:-$(command -v nvim || true)}
[ -n "$nvim" ] || { echo "test-neovim.sh: no Neovim: tools/setup-vulkan.sh neovim" >&2; exit 3; }
if [ -z "${DXIL_DEBUG:-}" ]; then
  cargo build --quiet --locked -p dxil-jit --bin dxil-debug
  DXIL_DEBUG=${CARGO_TARGET_DIR:-target}/debug/dxil-debug
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The configuration of the documentation, word for word.
awk '/^```lua$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/debugging.md >"$work/documented.lua"
[ -s "$work/documented.lua" ] || { echo "test-neovim.sh: docs/debugging.md has no configuration" >&2; exit 1; }
ln -s "$(realpath "$DXIL_DEBUG")" "$work/dxil-debug"
mkdir "$work/home"
PATH=$work:$PATH HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_STATE_HOME=$work/home XDG_DATA_HOME=$work/home \
  DOCUMENTED=$work/documented.lua \
  timeout 120 "$nvim" --headless --clean --cmd "set rtp+=$(realpath "$dap")" \
  runtime/debug/tests/data/steps.hlsl -l tools/neovim-session.lua
