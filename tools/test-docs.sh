#!/usr/bin/env bash
# Builds the documentation of the published crates as docs.rs does: tools/test-docs.sh [--nightly]
#
# docs.rs documents a crate's library with its default features, `--cfg docsrs`, no network and a
# nightly compiler. Here the compiler is the stable one, whose warnings do not change from night to
# night, or rustup's nightly one with `--nightly`; warnings (links to nothing, wrong HTML, code that
# does not parse) are errors.
set -euo pipefail
cd "$(dirname "$0")/.."
toolchain=()
if [ "${1:-}" = --nightly ]; then toolchain=(+nightly); fi
packages=()
# In the order in which they are published (docs/packaging.md).
for crate in dxil-texel dxil-frontend dxil-translate dxil-cpu dxil-debug dxil-inspect dxil-runtime dxil-jit; do
  packages+=(-p "$crate")
done
cargo fetch --locked >&2
DOCS_RS=1 RUSTDOCFLAGS="--cfg docsrs -D warnings" CARGO_NET_OFFLINE=true \
  cargo ${toolchain[@]+"${toolchain[@]}"} doc --locked --offline --no-deps --lib --keep-going "${packages[@]}"
for crate in texel frontend translate cpu debug inspect runtime jit; do
  page=${CARGO_TARGET_DIR:-target}/doc/dxil_$crate/index.html
  [ -s "$page" ] || { echo "test-docs: no $page" >&2; exit 1; }
done
