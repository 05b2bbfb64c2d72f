#!/usr/bin/env bash
# Runs a dispatch of the CPU executor as WebAssembly: builds the example of runtime/cpu for
# wasm32-unknown-unknown, and runs it with Node. Needs node and `rustup target add
# wasm32-unknown-unknown`.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
folder=${CARGO_TARGET_DIR:-target}/wasm
command -v node >/dev/null || { echo "test-wasm.sh: there is no node" >&2; exit 3; }
[ -d "$(rustc --print target-libdir --target $target)" ] ||
  { echo "test-wasm.sh: rustup target add $target" >&2; exit 3; }
# The host's random numbers come through a function of the example.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="custom"'
cargo build --quiet --target-dir "$folder" --target $target -p dxil-cpu --example dispatch
node --eval '
  const bytes = require("fs").readFileSync(process.argv[1]);
  let memory, seeds = 0;
  const random_bytes = (to, length) => {
    require("crypto").webcrypto.getRandomValues(new Uint8Array(memory.buffer, to, length));
    seeds += length;
  };
  WebAssembly.instantiate(bytes, { host: { random_bytes } }).then(({ instance }) => {
    memory = instance.exports.memory;
    const code = instance.exports.main(0, 0);
    console.log(`a dispatch in WebAssembly ended with ${code} after ${seeds} random bytes`);
    process.exit(code);
  }).catch((error) => { console.error(error); process.exit(1); });
' "$folder/$target/debug/examples/dispatch.wasm"
