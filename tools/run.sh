#!/usr/bin/env bash
# Builds dxil-run and runs it: tools/run.sh cs.dxil --dispatch 64,1,1
#
# Installs a Vulkan loader and a CPU driver first where the machine has neither (see setup-vulkan.sh). A machine
# that has a Vulkan device of its own uses that.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

if [ -z "$(ls /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json /usr/local/nvidia/share/vulkan/icd.d/*.json 2>/dev/null)" ]; then
  env_file=$("$root/tools/setup-vulkan.sh" driver)
  # shellcheck source=/dev/null
  . "$env_file"
fi
cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p dxil-runtime --bin dxil-run
exec "$root/target/release/dxil-run" "$@"
