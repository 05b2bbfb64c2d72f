#!/usr/bin/env bash
# Runs every test of the workspace: tools/test.sh [arguments of the test runner].
#
# Installs what the tests need and the machine lacks (see setup-vulkan.sh), where it may. The runner is
# cargo-nextest if it is there (its time limits are in .config/nextest.toml), otherwise `cargo test`.
set -euo pipefail
cd "$(dirname "$0")/.."

env_file=$(tools/setup-vulkan.sh)
# shellcheck source=/dev/null
. "$env_file"

if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --workspace "$@"
fi
exec cargo test --workspace "$@"
