#!/usr/bin/env bash
# Tries the bundle for GPUs on a CPU driver: tools/test-gpu-bundle.sh [BUNDLE]
#
# --stubs tries only run.sh, with stubs in place of the programs.
# Without BUNDLE, one is made of the last build for tests (profile `dev`). It runs with an empty
# environment, without a home folder: a part of the tests and the kernels in their small size. A
# second run has no driver; it must fail and still write every file of results. BUNDLE has at most
# 60 MiB.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed() { echo "test-gpu-bundle: $*" >&2; exit 1; }

# First with stubs in place of the programs: what crashes, hangs and fails costs nothing else.
stubs=$work/stubs
mkdir -p "$stubs"/{bin,pipelines,shaders}
cp "$root/bench/gpu/run.sh" "$root"/bench/gpu/*.txt "$stubs/"
echo "version: stubs" >"$stubs/VERSION"
stub() { printf '#!/bin/bash\n%s\n' "$2" >"$stubs/bin/$1"; chmod +x "$stubs/bin/$1"; }
# shellcheck disable=SC2016 # The stubs' own variables.
stub suite 'if [ "$1" = --list ]; then printf "g::%s::vulkan: test\n" good bad crash hang last; exit; fi
[ "$#" -le 4 ] || { echo "test g::good::vulkan ... ok"; kill -SEGV $$; }
case ${*: -1} in
  *bad*) echo "test g::bad::vulkan ... FAILED"; exit 101 ;;
  *crash*) kill -SEGV $$ ;;
  *hang*) sleep 60 ;;
  *) echo "test g::last::vulkan ... ok" ;;
esac'
# shellcheck disable=SC2016
stub dxil-bench 'if [ "$1" = --list ]; then printf "%s\n" one two three; exit; fi
while [ $# -gt 0 ]; do
  case $1 in one | two | three) names+=("$1") ;; --json | --html) echo "{\"kernel\": 1}" >"$2" ;; esac
  shift
done
for name in "${names[@]}"; do
  echo "$name ..." >&2
  [ $name != two ] || kill -SEGV $$
  echo "| $name |"
done'
stub dxil-run 'echo "device time of 3 runs: min 1.0 us, median 2.50 ms, max 3 ms"; exit 4'
if env -i PATH=/usr/bin:/bin "$stubs/run.sh" --out "$work/stubbed" --test-limit 2 --jobs 1 \
    --parts tests,draws,kernels >/dev/null 2>&1; then
  failed "success although tests fail"
fi
expected='bad	FAILED
crash	crash by signal 11
good	ok
hang	timeout
last	ok'
found=$(cut -f 3,4 "$work/stubbed/tests.tsv" | sed 's/^g::\(.*\)::vulkan/\1/' | sort)
[ "$found" = "$expected" ] || failed "tests of the stubs: $found"
[ "$(grep -c '^draws	[a-z]*	exit code 4	2500.0$' "$work/stubbed/commands.tsv")" = 5 ] \
  || failed "draws of the stubs: $(cat "$work/stubbed/commands.tsv")"
grep -qx 'kernels	two	crash by signal 11	' "$work/stubbed/commands.tsv" || failed "the kernel's crash"
grep -qx '| one |' "$work/stubbed/kernels.md" || failed "the kernel before the crash"
grep -qx '| three |' "$work/stubbed/kernels-2.md" || failed "the kernel behind the crash"
for file in summary.md index.html results.json; do
  [ -s "$work/stubbed/$file" ] || failed "no $file of the stubs"
done

[ "${1:-}" != --stubs ] || exit 0
env_file=$("$root/tools/setup-vulkan.sh" driver)
# shellcheck source=/dev/null
driver=$(. "$env_file"; echo "$VK_DRIVER_FILES")
# shellcheck source=/dev/null
libraries=$(. "$env_file"; echo "${LD_LIBRARY_PATH:-}")
bundle=${1:-}
if [ -n "$bundle" ]; then
  size=$(du -sm --apparent-size "$bundle" | cut -f 1)
  [ "$size" -le 60 ] || failed "$bundle has $size MiB, 60 are the limit"
else
  bundle=$work/bundle
  "$root/tools/gpu-bundle.sh" --no-build --profile dev --any-size "$bundle"
fi
bare() { env -i PATH=/usr/bin:/bin ${libraries:+"LD_LIBRARY_PATH=$libraries"} "$@"; }
small=(--size small --seconds 0 --frame 64x64 --jobs 2)

bare VK_DRIVER_FILES="$driver" "$bundle/run.sh" --out "$work/good" "${small[@]}" --only waves:: --backends vulkan,valid \
  --parts tests,pipelines,draws,kernels,device || { cat "$work/good/summary.md"; failed "failures with a driver"; }
for file in summary.md index.html results.json kernels.json kernels.html device.json device.html composite.xml tests.tsv environment.txt; do
  [ -s "$work/good/$file" ] || failed "no $file"
done
[ "$(grep -c '	ok$' "$work/good/tests.tsv")" -ge 20 ] || failed "few tests: $(cat "$work/good/tests.tsv")"
[ "$(grep -c '^draws	.*	ok	[0-9.]' "$work/good/commands.tsv")" = 5 ] || failed "draws: $(cat "$work/good/commands.tsv")"
grep -q '"kernel": "wave_shuffle"' "$work/good/results.json" || failed "kernels are missing"
grep -q '"name": "barrier of 256"' "$work/good/results.json" || failed "figures of the device are missing"
[ ! -e "$work/good/home" ] || failed "the home folder is left"

if bare VK_DRIVER_FILES=/nonexistent VK_LOADER_DRIVERS_SELECT=none "$bundle/run.sh" --out "$work/bad" "${small[@]}" \
    --only waves::lanes --backends vulkan; then
  failed "success without a driver"
fi
for file in summary.md index.html results.json tests.tsv; do
  [ -s "$work/bad/$file" ] || failed "no $file without a driver"
done
grep -q 'failures\.$' "$work/bad/summary.md" || failed "the summary names no failures"
if command -v python3 >/dev/null; then
  for run in good bad; do python3 -m json.tool "$work/$run/results.json" >/dev/null || failed "results.json of $run"; done
fi
echo "test-gpu-bundle: the bundle works"
