#!/usr/bin/env bash
# Runs every test of the workspace: tools/test.sh [arguments of the test runner].
#
# Brings what the tests need and the machine lacks into a cache folder (see setup-vulkan.sh); the
# system is not changed. The runner is cargo-nextest if it is there (its time limits are in
# .config/nextest.toml), otherwise `cargo test`.
set -euo pipefail
cd "$(dirname "$0")/.."

env_file=$(tools/setup-vulkan.sh)
# shellcheck source=/dev/null
. "$env_file"

if cargo nextest --version >/dev/null 2>&1; then
  # The runner leaves out the examples in the documentation.
  [ $# -gt 0 ] || cargo test --workspace --doc --quiet
  exec cargo nextest run --workspace "$@"
fi
exec cargo test --workspace "$@"
