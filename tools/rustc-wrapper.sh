#!/usr/bin/env bash
# Cargo's RUSTC_WRAPPER for profile-guided optimization: gives functions the same names for every
# target, so that what was recorded on this machine serves other targets. Names contain the
# metadata that Cargo passes, which depends on the target. NEXT_RUSTC_WRAPPER names another wrapper
# to run.
set -euo pipefail
args=()
[ -z "${NEXT_RUSTC_WRAPPER:-}" ] || args+=("$NEXT_RUSTC_WRAPPER")
for arg in "$@"; do
  case $arg in
    metadata=*) arg=metadata=${CARGO_PKG_NAME:-}-${CARGO_PKG_VERSION:-} ;;
  esac
  args+=("$arg")
done
exec "${args[@]}"
