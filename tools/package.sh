#!/usr/bin/env bash
# Makes the release archive and the Debian package: tools/package.sh [OPTION...]
#
#   --out FOLDER    where they go; default: target/package
#   --profile NAME  Cargo's profile; default: ship, which optimizes all crates together
#   --no-build      take what the last builds with the profile made
#   --any-size      accept more than 20 MB, and compress less (for tries with builds for tests)
#   --no-wheel      make no wheel of the Python package
#   --manylinux TAG the wheel's oldest system, like manylinux_2_28, linked by zig (PyPI's ziglang);
#                   default: that of the machine's own C library
#
# Makes dxil-jit-VERSION-TARGET.tar.zst (.tar.gz where zstd is missing) and
# dxil-jit_VERSION_ARCH.deb, with the commands, the C libraries with headers and the files of
# pkg-config, CMake and Meson, man pages, shell completions and licences, and (not with --no-build)
# a wheel of the Python package, where pip can have maturin. The archive may be
# unpacked anywhere: no file names an absolute path. Prints the sizes and the version of glibc that
# the programs need. The same commit gives the same files, but for the Rust compiler's own
# differences. tools/test-package.sh unpacks and tries them.
set -euo pipefail
cd "$(dirname "$0")/.."
out=target/package profile=ship build=yes limit=20000000 level=22 wheel=yes manylinux=
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=${2:?--out needs a folder}; shift ;;
    --profile) profile=${2:?--profile needs a name}; shift ;;
    --no-build) build= ;;
    --any-size) limit=1000000000 level=1 ;;
    --no-wheel) wheel= ;;
    --manylinux) manylinux=${2:?--manylinux needs a tag}; shift ;;
    *) echo "package: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done
commands=(dxil-run dxil-debug dxil-dis dxil-as dxil-edit dxil-opt dxbc2dxil dxil-val dxil-sign dxil-precompile)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target=$(rustc -vV | sed -n 's/^host: //p')
folder=${CARGO_TARGET_DIR:-target}
built=$folder/$profile
[ "$profile" != dev ] || built=$folder/debug
if [ -n "$build" ]; then
  cargo build --locked --profile "$profile" -p dxil-jit --bins
  cargo build --locked --profile "$profile" -p dxil-precompile --features object-store --bins
  cargo rustc --locked --profile "$profile" -p dxil-capi --lib --crate-type cdylib,staticlib
fi
# Builds for tests leave the libraries in `deps`.
libraries=$built
[ -e "$built/libdxil_jit.a" ] || libraries=$built/deps
strip=strip
command -v strip >/dev/null || strip=true
# Times within the archive: that of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Installs everything below a prefix.
stage() { # ROOT PREFIX LIBDIR
  local root=$1 prefix=$2 libdir=$3 share command
  share=$root$prefix/share
  install -d "$root$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d" "$share/meson/subprojects/dxil-spirv"
  for command in "${commands[@]}"; do
    install -m 755 "$built/$command" "$root$prefix/bin/$command"
    "$strip" --strip-all "$root$prefix/bin/$command"
    "$built/$command" --man | gzip -9n >"$share/man/man1/$command.1.gz"
    "$built/$command" --completions bash >"$share/bash-completion/completions/$command"
    "$built/$command" --completions zsh >"$share/zsh/site-functions/_$command"
    "$built/$command" --completions fish >"$share/fish/vendor_completions.d/$command.fish"
  done
  DXIL_JIT_BUILT=$libraries DESTDIR=$root LIBDIR=$libdir tools/install-capi.sh "$prefix" >/dev/null
  install -m 644 translate/capi/meson/meson.build "$share/meson/subprojects/dxil-spirv/"
  install -m 644 README.md CHANGELOG.md docs/commands.md docs/capi.md docs/precompile.md docs/fleet.md \
    "$share/doc/dxil-jit/"
  install -d "$share/doc/dxil-jit/fleet"
  install -m 644 runtime/precompile/fleet/* "$share/doc/dxil-jit/fleet/"
}
# A tar of a folder's contents in a fixed order, without the builder's name.
archive() { # FOLDER NAME...
  tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "${@:2}"
}

name=dxil-jit-$version-$target
# The prefix is a name that no file may keep: paths are relative.
stage "$work/archive" "/$name" "/$name/lib"
if grep -rIl --exclude-dir=doc -F "$work" "$work/archive" || grep -rIl --exclude-dir=doc "=/$name" "$work/archive"; then
  echo "package: these files name an absolute path" >&2; exit 1
fi
if command -v zstd >/dev/null; then
  file=$out/$name.tar.zst
  # The commands share code: the window has all of them. Decompression takes no option for it.
  archive "$work/archive" "$name" | zstd -q -f --ultra --long=27 -$level -o "$file"
else
  file=$out/$name.tar.gz
  archive "$work/archive" "$name" | gzip -9n >"$file"
fi

# The newest version of glibc of which a program or library uses a symbol.
glibc=$(find "$work/archive/$name/bin" "$work/archive/$name/lib" -type f \( -perm -u+x -o -name '*.so*' \) -print0 \
  | xargs -0 -n 1 objdump -T 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 || true)
glibc=${glibc#GLIBC_}

case $target in
  x86_64-*) arch=amd64 multiarch=x86_64-linux-gnu ;;
  aarch64-*) arch=arm64 multiarch=aarch64-linux-gnu ;;
  *) arch=${target%%-*} multiarch=${target%%-*}-linux-gnu ;;
esac
deb=$out/dxil-jit_${version}_$arch.deb
stage "$work/deb" /usr "/usr/lib/$multiarch"
install -d "$work/deb/DEBIAN"
size=$(du -sk --apparent-size "$work/deb/usr" | cut -f 1)
cat >"$work/deb/DEBIAN/control" <<END
Package: dxil-jit
Version: $version
Architecture: $arch
Maintainer: The dxil-jit authors <dxil-jit@example.com>
Installed-Size: $size
Depends: libc6 (>= ${glibc:-2.31}), libgcc-s1
Recommends: libvulkan1, mesa-vulkan-drivers | vulkan-icd
Section: devel
Priority: optional
Description: translates Direct3D 12 shaders to SPIR-V and runs them
 dxil-run runs DXIL and DXBC shaders on Vulkan devices or on the CPU, dxil-dis
 shows what a container holds, dxil-as and dxil-edit make and change containers,
 dxbc2dxil converts DXBC to DXIL, dxil-opt optimizes, dxil-val validates and dxil-sign signs them. dxil-debug debugs shaders, and
 dxil-precompile translates whole libraries, on one machine or many.
 The C libraries have an API of their own and the ABI of dxil-spirv.
END
echo "activate-noawait ldconfig" >"$work/deb/DEBIAN/triggers"
install -m 644 LICENSE-MIT "$work/deb/usr/share/doc/dxil-jit/copyright"
(cd "$work/deb" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$work/deb/DEBIAN/md5sums"
if command -v dpkg-deb >/dev/null; then
  dpkg-deb --root-owner-group -Zxz -z$((level > 9 ? 9 : level)) --build "$work/deb" "$deb" >/dev/null
else
  # The format of deb(5): three members of an ar archive, in this order.
  archive "$work/deb/DEBIAN" . | xz -$((level > 9 ? 9 : level)) >"$work/control.tar.xz"
  mv "$work/deb/DEBIAN" "$work/DEBIAN"
  archive "$work/deb" . | xz -$((level > 9 ? 9 : level)) >"$work/data.tar.xz"
  echo 2.0 >"$work/debian-binary"
  rm -f "$deb"
  (cd "$work" && ar rcD "$deb" debian-binary control.tar.xz data.tar.xz)
fi

made_wheel=
if [ -n "$wheel$manylinux" ] && [ -n "$build" ]; then
  modules=maturin packages=('maturin>=1.7,<2') options=()
  if [ -n "$manylinux" ]; then
    modules='maturin, ziglang' packages+=(ziglang) options=(--zig --compatibility "$manylinux")
  fi
  # The Python package is a workspace without the profiles of this one: `release` is its optimized one.
  wheel_profile=release
  [ "$profile" != dev ] || wheel_profile=dev
  if environment=$(tools/setup-venv.sh wheel "$modules" "${packages[@]}"); then
    PATH=$environment/bin:$PATH maturin build -q --locked --profile "$wheel_profile" "${options[@]}" \
      -m runtime/python/Cargo.toml --out "$work/wheel" >&2
    made_wheel=$out/$(basename "$work"/wheel/*.whl)
    case $made_wheel in
      *-manylinux_*) ;;
      *) echo "package: the wheel is for this machine alone: $made_wheel" >&2; exit 1 ;;
    esac
    rm -f "$out"/dxil_jit-*.whl
    cp "$work"/wheel/*.whl "$out/"
  else
    echo "package: no wheel without maturin" >&2
  fi
fi

for made in "$file" "$deb" ${made_wheel:+"$made_wheel"}; do
  bytes=$(stat -c %s "$made")
  echo "$made: $bytes bytes"
  [ "$bytes" -le "$limit" ] || { echo "package: more than $limit bytes" >&2; exit 1; }
done
(cd "$work/archive/$name" && ls -l bin/* lib/*.so.* lib/*.a | awk '{ print "  " $9 ": " $5 " bytes" }')
echo "needs glibc ${glibc:-?} or newer"
