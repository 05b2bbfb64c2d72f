#!/usr/bin/env bash
# Tries the bundle for GPUs on a CPU driver: tools/test-gpu-bundle.sh [BUNDLE]
#
# Without BUNDLE, one is made of the last build for tests (profile `dev`). It runs with an empty
# environment, without a home folder: a part of the tests and the kernels in their small size. A
# second run has no driver; it must fail and still write every file of results.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed() { echo "test-gpu-bundle: $*" >&2; exit 1; }

env_file=$("$root/tools/setup-vulkan.sh" driver)
# shellcheck source=/dev/null
driver=$(. "$env_file"; echo "$VK_DRIVER_FILES")
# shellcheck source=/dev/null
libraries=$(. "$env_file"; echo "${LD_LIBRARY_PATH:-}")
bundle=${1:-}
if [ -z "$bundle" ]; then
  bundle=$work/bundle
  "$root/tools/gpu-bundle.sh" --no-build --profile dev --any-size "$bundle"
fi
bare() { env -i PATH=/usr/bin:/bin ${libraries:+"LD_LIBRARY_PATH=$libraries"} "$@"; }
small=(--size small --seconds 0 --frame 64x64 --jobs 2)

bare VK_DRIVER_FILES="$driver" "$bundle/run.sh" --out "$work/good" "${small[@]}" --only waves:: --backends vulkan,valid \
  --parts tests,pipelines,draws,kernels || { cat "$work/good/summary.md"; failed "failures with a driver"; }
for file in summary.md index.html results.json kernels.json kernels.html tests.tsv environment.txt; do
  [ -s "$work/good/$file" ] || failed "no $file"
done
[ "$(grep -c '	ok$' "$work/good/tests.tsv")" -ge 20 ] || failed "few tests: $(cat "$work/good/tests.tsv")"
[ "$(grep -c '^draws	.*	ok	[0-9.]' "$work/good/commands.tsv")" = 5 ] || failed "draws: $(cat "$work/good/commands.tsv")"
grep -q '"kernel": "wave_shuffle"' "$work/good/results.json" || failed "kernels are missing"
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
