#!/usr/bin/env bash
# Runs tests of the unsafe parts under a checker: tools/sanitize.sh [address|thread|miri]...
# (default: all)
#
#   address   AddressSanitizer: the C library's boundary, and mutated shaders through the frontend
#   thread    ThreadSanitizer: the handles of the C library
#   miri      Miri: the handles and the boundary, as far as it can run them (no C, no device)
#
# All need a nightly toolchain; thread and miri also its sources (rustup component add rust-src
# miri). The C programs of translate/capi/tests are run under the C compiler's own sanitizers and
# under valgrind by the ordinary tests, with a stable toolchain (docs/TESTING.md). Drivers are not
# looked at: they are not built with sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
toolchain=${TOOLCHAIN:-nightly}
host=$(rustc "+$toolchain" -vV | sed -n 's/^host: //p') || { echo "sanitize: no toolchain $toolchain" >&2; exit 2; }
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitize

checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(address thread miri)
for check in "${checks[@]}"; do
  echo "== $check" >&2
  case $check in
    address)
      export RUSTFLAGS='-Zsanitizer=address'
      cargo "+$toolchain" test --target "$host" -p dxil-capi --lib --test abi --test libraries
      cargo "+$toolchain" test --target "$host" -p dxil-frontend --test bitcode_mutations --test container_mutations
      ;;
    thread)
      # The standard library has to be built with it as well, or its channels look like races.
      export RUSTFLAGS='-Zsanitizer=thread'
      cargo "+$toolchain" test -Zbuild-std --target "$host" -p dxil-capi --lib
      ;;
    miri)
      unset RUSTFLAGS
      export MIRIFLAGS=-Zmiri-disable-isolation
      cargo "+$toolchain" miri test -p dxil-capi --lib
      cargo "+$toolchain" miri test -p dxil-capi --test libraries
      ;;
    *) echo "sanitize: unknown check $check" >&2; exit 2 ;;
  esac
done
