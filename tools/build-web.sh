#!/usr/bin/env bash
# Builds the page: index.html, its scripts, and the WebAssembly modules.
#
#   tools/build-web.sh [--quick] [FOLDER]     default: target/web/page
#
# Any host of static files can serve the folder. --quick builds modules for tests: larger, and without
# the check of sizes. Needs `rustup target add wasm32-unknown-unknown`; binaryen's wasm-opt makes the
# modules smaller if it is on the path or WASM_OPT names it; sizes are measured with brotli or Node.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
profile=web
if [ "${1:-}" = --quick ]; then profile=web-quick; shift; fi
build=${CARGO_TARGET_DIR:-target}/web
out=${1:-$build/page}
[ -d "$(rustc --print target-libdir --target $target)" ] ||
  { echo "build-web.sh: rustup target add $target" >&2; exit 3; }

# Random numbers come from the page. Recursion that is bounded elsewhere by a thread's stack has 4 MiB.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="custom" -C link-arg=-zstack-size=4194304'
cargo build --quiet --locked --target-dir "$build" --target $target --profile $profile \
  -p dxil-web -p dxil-web-executor -p dxil-web-languages

rm -rf "$out"
mkdir -p "$out"
cp -r runtime/web/page/. "$out"
cp hwtests/shaders/flow/collatz.dxil "$out/example.dxil"
optimizer=${WASM_OPT:-$(command -v wasm-opt || true)}
# What rustc's modules use, and nothing that browsers still lack: wasm-opt would write it.
features=(--enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext
  --enable-mutable-globals --enable-multivalue --enable-reference-types)
for module in dxil_web dxil_web_executor dxil_web_languages; do
  built=$build/$target/$profile/$module.wasm
  if [ $profile = web ] && [ -n "$optimizer" ]; then
    "$optimizer" -Oz "${features[@]}" --strip-producers "$built" -o "$out/$module.wasm"
  else
    cp "$built" "$out/$module.wasm"
  fi
done
[ $profile = web ] || exit 0

# What a first visit transfers: everything but the modules that are loaded later, compressed as hosts do it.
limit=1048576
compressed() {
  if command -v brotli > /dev/null; then brotli --stdout --quality=11 "$1" | wc -c
  else node -p 'zlib.brotliCompressSync(fs.readFileSync(process.argv[1])).length' "$1"; fi
}
total=0
while IFS= read -r file; do
  size=$(compressed "$file")
  printf '%9d bytes compressed  %s\n' "$size" "${file#"$out"/}"
  case $file in *_executor.wasm | *_languages.wasm) ;; *) total=$((total + size)) ;; esac
done < <(find "$out" -type f | sort)
printf '%9d bytes for the first visit (limit %d)\n' "$total" "$limit"
[ "$total" -le "$limit" ] || { echo "build-web.sh: the page is too large" >&2; exit 1; }
