#!/usr/bin/env bash
# Checks that each set of features compiles without warnings, and that the published crates compile
# with the oldest supported Rust: tools/test-features.sh [--msrv]
#
# Builds in a target folder of its own, which is deleted afterwards. --msrv takes the toolchain of
# `rust-version` in Cargo.toml from rustup, which downloads it if it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
CARGO_TARGET_DIR=$(mktemp -d)
trap 'rm -rf "$CARGO_TARGET_DIR"' EXIT
export CARGO_TARGET_DIR RUSTFLAGS="${RUSTFLAGS:-} -D warnings"

if [ "${1:-}" = --msrv ]; then
  version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  echo "Rust $version" >&2
  rustup run --install "$version" cargo check --locked -p dxil-jit -p dxil-capi
  exit
fi
for features in '' vulkan languages vulkan,languages vulkan,languages,wgpu; do
  echo "features: ${features:-none}" >&2
  cargo check --locked --quiet -p dxil-jit --no-default-features --features "$features"
done
