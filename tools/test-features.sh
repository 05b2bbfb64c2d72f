#!/usr/bin/env bash
# Checks that each set of features compiles without warnings, and that the published crates compile
# with the oldest supported Rust: tools/test-features.sh [--msrv]
#
# Builds in a target folder of its own, which is deleted afterwards. --msrv takes the toolchain of
# `rust-version` in Cargo.toml from rustup, which downloads it if it is missing, and does nothing if
# that version is the one in use anyway. Without the toolchain it says so and ends with 77.
#
# All features together are the default, which every other build checks. The rest takes five minutes
# of processor time, most of them for the dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."
CARGO_TARGET_DIR=$(mktemp -d)
trap 'rm -rf "$CARGO_TARGET_DIR"' EXIT
export CARGO_TARGET_DIR RUSTFLAGS="${RUSTFLAGS:-} -D warnings"

if [ "${1:-}" = --msrv ]; then
  version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  echo "Rust $version" >&2
  if [[ $(rustc --version) == "rustc $version."* ]]; then exit; fi
  if ! rustup toolchain install --profile minimal "$version" >&2; then
    echo "test-features: no Rust $version; this check is left out" >&2
    exit 77
  fi
  rustup run "$version" cargo check --locked --quiet -p dxil-jit -p dxil-capi
  exit
fi
for features in '' vulkan languages vulkan,languages; do
  echo "features: ${features:-none}" >&2
  cargo check --locked --quiet -p dxil-jit --no-default-features --features "$features"
done
