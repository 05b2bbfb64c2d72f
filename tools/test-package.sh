#!/usr/bin/env bash
# Tries a release archive and a Debian package as their users do: tools/test-package.sh [FOLDER]
#
# FOLDER holds what tools/package.sh made. Without it, packages are made of the last build for tests
# (profile `dev`). Both are unpacked into temporary folders; nothing is installed. The commands run
# with an empty environment. Packages in FOLDER have at most 20 MB each.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages=${1:-}
limit=20000000
if [ -z "$packages" ]; then
  limit=1000000000
  packages=$work/packages
  "$root/tools/package.sh" --no-build --profile dev --any-size --out "$packages"
fi
failed() { echo "test-package: $*" >&2; exit 1; }

# Everything that a prefix must hold and do.
try() { # PREFIX LIBDIR
  local prefix=$1 libdir=$2 command expected
  bare() { env -i HOME=/nonexistent PATH="$prefix/bin" VK_DRIVER_FILES=/nonexistent "$@"; }
  for command in dxil-run dxil-debug dxil-dis dxil-as dxil-edit dxil-opt dxbc2dxil dxil-val dxil-sign dxil-precompile; do
    bare "$command" --version | grep -qx "$command [0-9.]*" || failed "$command --version"
    gzip -dc "$prefix/share/man/man1/$command.1.gz" | grep '^\.TH' >/dev/null || failed "man page of $command"
    for file in bash-completion/completions/$command zsh/site-functions/_$command fish/vendor_completions.d/$command.fish; do
      grep -q -e "$command" "$prefix/share/$file" || failed "completions of $command: $file"
    done
  done
  # No driver: the CPU runs the shader, and text is written.
  bare dxil-run --backend cpu --dispatch 1 --quiet \
    "$root/hwtests/shaders/flow/collatz.dxil" >"$work/out" || failed "dxil-run"
  expected="       7  16  52"
  grep -qFx "$expected" "$work/out" || failed "dxil-run printed $(cat "$work/out")"
  bare dxil-run --emit wgsl "$root/hwtests/shaders/flow/collatz.dxil" \
    | grep @compute >/dev/null || failed "--emit wgsl"
  bare dxil-dis "$root/hwtests/shaders/flow/collatz.dxil" | grep BufferLoad >/dev/null || failed "dxil-dis"
  bare dxil-val "$root/hwtests/shaders/flow/collatz.dxil" >/dev/null || failed "dxil-val"
  bare dxil-precompile --out "$(mktemp -d -p "$work")" "$root/hwtests/shaders/flow/collatz.dxil" \
    | grep -qx 'translations: 1 made, 0 found' || failed "dxil-precompile"
  for file in kubernetes.yaml slurm.sbatch ray_library.py; do
    [ -s "$prefix/share/doc/dxil-jit/fleet/$file" ] || failed "no $file"
  done
  for file in LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md THIRD-PARTY-CRATES.txt; do
    [ -s "$prefix/share/doc/dxil-jit/$file" ] || failed "no $file"
  done
  # A C program finds headers and libraries where they were unpacked.
  if command -v pkg-config >/dev/null && command -v "${CC:-cc}" >/dev/null; then
    local flags
    flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs dxil-jit)
    # shellcheck disable=SC2086 # Flags are words.
    "${CC:-cc}" -o "$work/own" "$root/translate/capi/tests/consumer/own.c" $flags
    LD_LIBRARY_PATH=$libdir "$work/own" "$root/translate/capi/examples/squares.dxil" | grep -qx 'SPIR-V 07230203' \
      || failed "the C program with the shared library"
    flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags dxil-jit)
    # shellcheck disable=SC2086
    "${CC:-cc}" -o "$work/own-static" "$root/translate/capi/tests/consumer/own.c" $flags "$libdir/libdxil_jit.a" \
      -lm -lpthread -ldl
    "$work/own-static" "$root/translate/capi/examples/squares.dxil" | grep -qx 'SPIR-V 07230203' \
      || failed "the C program with the static library"
  else
    echo "test-package: no pkg-config or C compiler: the libraries are not tried" >&2
  fi
}

archive=$(ls "$packages"/dxil-jit-*.tar.*)
for file in "$archive" "$packages"/dxil-jit_*.deb; do
  bytes=$(stat -c %s "$file")
  [ "$bytes" -le "$limit" ] || failed "$file has $bytes bytes, $limit are the limit"
done
mkdir "$work/archive"
case $archive in
  *.zst) zstd -q -dc "$archive" | tar -C "$work/archive" -xf - ;;
  *) tar -C "$work/archive" -xzf "$archive" ;;
esac
prefix=$(ls -d "$work"/archive/dxil-jit-*)
try "$prefix" "$prefix/lib"
echo "test-package: $(basename "$archive") works"

deb=$(ls "$packages"/dxil-jit_*.deb)
mkdir "$work/deb"
(cd "$work" && ar x "$deb" && tar -C "$work/deb" -xJf data.tar.xz && tar -xJf control.tar.xz ./control ./md5sums)
grep -q '^Depends: libc6 (>= 2\.[0-9]*)' "$work/control" || failed "the control file: $(cat "$work/control")"
(cd "$work/deb" && md5sum -c --quiet "$work/md5sums") || failed "md5sums"
try "$work/deb/usr" "$(ls -d "$work"/deb/usr/lib/*-linux-gnu)"
echo "test-package: $(basename "$deb") works"

# The wheel, where there is one: for more systems than this one, with its licences, and it runs.
for wheel in "$packages"/*.whl; do
  [ -e "$wheel" ] || continue
  mkdir "$work/wheel"
  python3 -m zipfile -e "$wheel" "$work/wheel"
  grep -q '^Tag: cp39-abi3-manylinux_2_' "$work"/wheel/dxil_jit-*.dist-info/WHEEL || failed "the tag of $wheel"
  [ -n "$(find "$work"/wheel/dxil_jit-*.dist-info -name 'LICENSE-MIT')" ] || failed "$wheel has no licence"
  # As a user installs it: into a new environment, with what it depends on.
  if python3 -m venv "$work/venv" \
    && "$work/venv/bin/pip" install -q --disable-pip-version-check "$wheel" >&2; then
    "$work/venv/bin/python" "$root/runtime/python/examples/translate.py" --out "$work/code" \
      "$root/hwtests/shaders/flow/collatz.dxil" >/dev/null || failed "$wheel"
    [ -s "$work/code/collatz.spv" ] || failed "$wheel writes nothing"
  else
    echo "test-package: pip cannot install the wheel here: it is not tried" >&2
  fi
  echo "test-package: $(basename "$wheel") works"
done
