#!/usr/bin/env bash
# Brings a Vulkan CPU driver and the tools that the tests use, as far as this machine lacks them.
#
#   tools/setup-vulkan.sh [PART...]      parts: driver validator layer swiftshader new-driver
#                                        compilers browser axe neovim
#
#   driver       the Vulkan loader, its headers, and Mesa's lavapipe                  (default)
#   validator    spirv-val and spirv-dis of a current SPIRV-Tools                     (default)
#   layer        the Khronos validation layer of Debian's Chromium package
#   swiftshader  SwiftShader, a second CPU driver, from the same package
#   new-driver   the newest Debian suite's lavapipe, started with `run-new PROGRAM`
#   compilers    drivers that compile for GPUs which this machine lacks, for `--isa`: RADV as it is
#                in `driver`, and RADV, NVK, Turnip and Honeykrisp of `new-driver` on simulated
#                kernel interfaces (Debian's mesa-drm-shim); docs/isa.md
#   browser      a Chromium with fonts, started with `run-browser`, for tests of WGSL and of pages
#   axe          axe-core from npm, which checks the accessibility of pages
#   neovim       Neovim, started with `run-neovim`, for tools/test-neovim.sh
#
# Nothing is installed and nothing of the system is changed: packages are downloaded with apt's own
# checks and unpacked into $DXIL_JIT_CACHE (default ~/.cache/dxil-jit), which may be deleted at any
# time. No root is needed, only Debian's apt; elsewhere it says what to install. Prints the name of
# a file to source: it points the loader, the compiler and the tests at what is there.
set -euo pipefail

# shellcheck source=tools/packages.sh
. "$(dirname "$0")/packages.sh"
newer_suite=${DXIL_JIT_NEWER_SUITE:-forky}
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(driver validator)

lock_cache

# A command that runs PROGRAM of an unpacked folder (or any other) with that folder's C library.
write_runner() { # RUNNER FOLDER [EXPORTS]
  cat >"$1.part" <<RUNNER
#!/bin/sh
# Runs a program with the libraries under $2.
root='$2'
${3:-}
program=\$1; shift
[ -x "\$root/usr/bin/\$program" ] && program=\$root/usr/bin/\$program
for start in "\$root"/usr/lib64/ld-linux-*.so.* "\$root"/usr/lib/$triplet/ld-linux-*.so.* "\$root"/lib*/ld-linux-*.so.*; do
  [ ! -x "\$start" ] || exec "\$start" --library-path "\$root/usr/lib/$triplet:\$root/lib/$triplet" "\$program" "\$@"
done
echo "no loader of programs below \$root" >&2
exit 1
RUNNER
  chmod +x "$1.part"; mv "$1.part" "$1"
}

has_library() { { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "^[[:space:]]*$1 "; }

# The system's lavapipe, if it is one that the tests can do with: 24 or newer.
system_lavapipe() {
  local file version
  for file in /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json; do
    [ -f "$file" ] || continue
    version=$(dpkg-query -W -f='${Version}' mesa-vulkan-drivers 2>/dev/null || true)
    # A driver that no package brought is somebody's choice.
    [ -z "$version" ] || [ "${version%%.*}" -ge 24 ] || continue
    echo "$file"; return
  done
}

# What of a folder's libraries the system does not have, by links: the system's own come first, so
# that its programs keep them.
link_missing_libraries() { # FOLDER
  local file name
  rm -rf "$1/lib"; mkdir "$1/lib"
  for file in "$1/usr/lib/$triplet"/*.so* "$1/lib/$triplet"/*.so*; do
    [ -e "$file" ] || continue
    name=${file##*/}
    has_library "$name" || ln -sf "$file" "$1/lib/$name"
  done
}

part_driver() {
  # A machine with a driver of its own choice keeps it.
  [ -z "${VK_DRIVER_FILES:-}" ] || return 0
  if has_library 'libvulkan\.so\.1' && [ -f /usr/include/vulkan/vulkan.h ] && [ -n "$(system_lavapipe)" ]; then return 0; fi
  [ ! -f "$cache/driver/done" ] || return 0
  may_fetch || fail "no Vulkan CPU driver: install a Vulkan loader with headers and Mesa's lavapipe 24 or newer (vulkan-loader, vulkan-headers and mesa-vulkan-drivers, vulkan-swrast or the like), or set VK_DRIVER_FILES"
  local release suites; release=$(release)
  # Bookworm's own Mesa is 22.3; its lavapipe lacks half of what the tests use.
  case $release in
    bookworm) suites="bookworm bookworm-backports" ;;
    *) suites=$release ;;
  esac
  unpack "$cache/driver" "${suites##* }" "$suites" mesa-vulkan-drivers libvulkan1 libvulkan-dev
  # The C library and what belongs to it are the system's: the same release's.
  rm -f "$cache/driver/usr/lib/$triplet"/{libc,libm,libdl,librt,libpthread,libutil,libresolv,libnsl,libanl,ld-linux*}.so* \
        "$cache/driver/lib/$triplet"/{libc,libm,libdl,librt,libpthread,libutil,libresolv,libnsl,libanl,ld-linux*}.so*
  # What the packages bring besides libraries and headers is not used.
  rm -rf "$cache/driver"/{bin,sbin,etc,var,usr/bin,usr/sbin,usr/lib/python3*}
  mkdir -p "$cache/driver/icd.d"
  cat >"$cache/driver/icd.d/lvp_icd.json" <<ICD
{"file_format_version": "1.0.1",
 "ICD": {"library_path": "$cache/driver/usr/lib/$triplet/libvulkan_lvp.so", "api_version": "1.4.0"}}
ICD
  link_missing_libraries "$cache/driver"
  touch "$cache/driver/done"
}

part_validator() {
  [ -z "${DXIL_JIT_SPIRV_VAL:-}" ] || return 0
  [ ! -x "$cache/spirv-val" ] || return 0
  may_fetch || fail "no SPIRV-Tools: install a spirv-val of 2025.3 or newer and set DXIL_JIT_SPIRV_VAL to it"
  unpack "$cache/spirv-tools" "$newer_suite" "$newer_suite" spirv-tools
  local tool
  for tool in spirv-dis spirv-val; do
    write_runner "$cache/$tool" "$cache/spirv-tools" "set -- $tool \"\$@\""
  done
}

# Debian's Chromium carries current builds of SwiftShader and of the validation layer; only these
# files of it are kept.
fetch_chromium() {
  [ ! -f "$cache/chromium/done" ] || return 0
  may_fetch || fail "the validation layer and SwiftShader come from Debian's chromium-common; this machine can't fetch it"
  local work; work=$(mktemp -d); chmod 755 "$work"
  # The security archive has the newest builds, and this machine's own sources say where it is.
  # Their lists are fetched into a folder of our own.
  mkdir -p "$work"/state/lists/partial "$work"/cache/archives/partial
  local apt=(apt-get -q -y -o "Dir::State=$work/state" -o "Dir::Cache=$work/cache" -o Acquire::Retries=3
    -o "Dir::State::status=/var/lib/dpkg/status" -o APT::Sandbox::User=root -o Acquire::Languages=none -o Debug::NoLocking=1)
  say "fetching chromium-common into $cache/chromium"
  "${apt[@]}" update >&2 || say "some package lists could not be fetched"
  (cd "$work" && "${apt[@]}" download chromium-common >&2 && dpkg -x chromium-common*.deb x) || fail "no package chromium-common"
  mkdir -p "$cache/chromium"
  cp "$work"/x/usr/lib/chromium/{libvk_swiftshader.so,libVkLayer_khronos_validation.so} "$cache/chromium/"
  rm -rf "$work"
  cat >"$cache/chromium/swiftshader_icd.json" <<ICD
{"file_format_version": "1.0.0",
 "ICD": {"library_path": "$cache/chromium/libvk_swiftshader.so", "api_version": "1.3.0"}}
ICD
  mkdir -p "$cache/layers"
  cat >"$cache/layers/VkLayer_khronos_validation.json" <<LAYER
{"file_format_version": "1.2.0",
 "layer": {"name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL",
  "library_path": "$cache/chromium/libVkLayer_khronos_validation.so",
  "api_version": "1.4.300", "implementation_version": "1", "description": "Khronos validation layer",
  "instance_extensions": [{"name": "VK_EXT_debug_report", "spec_version": "9"},
   {"name": "VK_EXT_debug_utils", "spec_version": "1"},
   {"name": "VK_EXT_validation_features", "spec_version": "2"},
   {"name": "VK_EXT_layer_settings", "spec_version": "2"}],
  "device_extensions": [{"name": "VK_EXT_tooling_info", "spec_version": "1",
    "entrypoints": ["vkGetPhysicalDeviceToolPropertiesEXT"]}]}}
LAYER
  touch "$cache/chromium/done"
}
part_layer() { fetch_chromium; }
part_swiftshader() { fetch_chromium; }

# Debian's Chromium with its libraries and fonts. Its processes start each other by their path, so
# it runs with this machine's C library: the same release's.
part_browser() {
  # Runners of before it knew libpulse's own folder of libraries are written again.
  if [ -x "$cache/run-browser" ] && grep -q pulseaudio "$cache/run-browser"; then return 0; fi
  may_fetch || fail "the browser comes from Debian; this machine can't fetch it: install Chromium, or set CHROMIUM"
  unpack "$cache/browser" "$(release)" "$(release)" chromium fonts-dejavu-core fonts-liberation
  local root=$cache/browser
  rm -f "$root/usr/lib/$triplet"/{libc,libm,libdl,librt,libpthread,libutil,libresolv,libnsl,libanl,ld-linux*}.so* \
        "$root/lib/$triplet"/{libc,libm,libdl,librt,libpthread,libutil,libresolv,libnsl,libanl,ld-linux*}.so*
  cat >"$root/fonts.conf" <<FONTS
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$root/usr/share/fonts</dir><cachedir>$root/font-cache</cachedir></fontconfig>
FONTS
  cat >"$cache/run-browser.part" <<RUNNER
#!/bin/sh
export LD_LIBRARY_PATH='$root/usr/lib/$triplet:$root/lib/$triplet:$root/usr/lib/$triplet/pulseaudio' FONTCONFIG_FILE='$root/fonts.conf'
unset VK_DRIVER_FILES VK_ICD_FILENAMES
exec '$root/usr/lib/chromium/chromium' "\$@"
RUNNER
  chmod +x "$cache/run-browser.part"; mv "$cache/run-browser.part" "$cache/run-browser"
}

# The newest suite's Neovim: plugins for the debug protocol want one of the last years.
part_neovim() {
  [ ! -x "$cache/run-neovim" ] || return 0
  may_fetch || fail "Neovim comes from Debian; this machine can't fetch it: install Neovim 0.11 or newer, or set NVIM"
  unpack "$cache/neovim" "$newer_suite" "$newer_suite" neovim
  write_runner "$cache/run-neovim" "$cache/neovim" \
    'export VIM=$root/usr/share/nvim VIMRUNTIME=$root/usr/share/nvim/runtime LUA_CPATH="$root/usr/lib/'"$triplet"'/lua/5.1/?.so;;" LUA_PATH="$root/usr/share/lua/5.1/?.lua;;"; set -- nvim "$@"'
}

part_new_driver() {
  [ ! -x "$cache/run-new" ] || return 0
  may_fetch || fail "the newer driver comes from a newer Debian suite; this machine can't fetch it"
  unpack "$cache/new-driver" "$newer_suite" "$newer_suite" mesa-vulkan-drivers libvulkan1 vulkan-tools vulkan-validationlayers
  write_runner "$cache/run-new" "$cache/new-driver" \
    'export VK_DRIVER_FILES=$root/usr/share/vulkan/icd.d/lvp_icd.json VK_LAYER_PATH=$root/usr/share/vulkan/explicit_layer.d'
}

# A command that runs a program with one of the drivers, which does not look for a GPU. The library
# (`dxil_runtime::isa`) starts it and names the GPU in the environment.
write_compiler() { # NAME ICD-LIBRARY COMMANDS
  [ -f "$2" ] || { say "no $(basename "$2"): no compiler '$1'"; rm -f "$cache/compilers/$1"; return 0; }
  cat >"$cache/compilers/$1.json" <<ICD
{"file_format_version": "1.0.1", "ICD": {"library_path": "$2", "api_version": "1.4.0"}}
ICD
  cat >"$cache/compilers/$1.part" <<RUNNER
#!/bin/sh
# Runs a program with the driver $2.
# Made by tools/setup-vulkan.sh.
unset LD_PRELOAD VK_ICD_FILENAMES VK_ADD_DRIVER_FILES VK_INSTANCE_LAYERS
export VK_DRIVER_FILES='$cache/compilers/$1.json' VK_LOADER_LAYERS_DISABLE='~all~'
export MESA_SHADER_CACHE_DISABLE=true
$3
RUNNER
  chmod +x "$cache/compilers/$1.part"; mv "$cache/compilers/$1.part" "$cache/compilers/$1"
}

part_compilers() {
  [ ! -f "$cache/compilers/done" ] || return 0
  part_driver
  null_compiler
  if ! may_fetch; then
    say "only RADV's null device: the simulated devices come from Debian"
    return 0
  fi
  part_new_driver
  unpack "$cache/compilers/shim" "$newer_suite" "$newer_suite" mesa-drm-shim
  local root=$cache/new-driver name icd shim start
  for start in "$root"/usr/lib64/ld-linux-*.so.* "$root/usr/lib/$triplet"/ld-linux-*.so.*; do
    [ ! -x "$start" ] || break
  done
  while read -r name icd shim; do
    write_compiler "$name" "$root/usr/lib/$triplet/libvulkan_$icd.so" "unset LD_LIBRARY_PATH
exec '$start' --library-path '$root/usr/lib/$triplet:$root/lib/$triplet' \\
  --preload '$cache/compilers/shim/usr/lib/$triplet/lib${shim}_noop_drm_shim.so' \"\$@\""
  done <<DRIVERS
radv radeon amdgpu
nvk nouveau nouveau
turnip freedreno freedreno
honeykrisp asahi asahi
DRIVERS
  touch "$cache/compilers/done"
}

part_axe() {
  if [ -f "$cache/axe/axe.min.js" ]; then return 0; fi
  command -v npm >/dev/null || fail "axe-core comes from npm, which this machine lacks"
  local folder
  folder=$(mktemp -d)
  (cd "$folder" && npm pack --silent axe-core@4.14.1 >/dev/null && tar -xzf axe-core-4.14.1.tgz)
  mkdir -p "$cache/axe"
  mv "$folder/package/axe.min.js" "$cache/axe/axe.min.js"
  rm -rf "$folder"
}

# RADV of the Mesa that lavapipe is from needs no kernel interface at all.
null_compiler() {
  mkdir -p "$cache/compilers"
  local radv=/usr/lib/$triplet/libvulkan_radeon.so libraries=
  if [ -f "$cache/driver/done" ]; then
    radv=$cache/driver/usr/lib/$triplet/libvulkan_radeon.so
    libraries="export LD_LIBRARY_PATH='$cache/driver/lib'"
  fi
  write_compiler radv-null "$radv" "$libraries
exec \"\$@\""
}

for part in "${parts[@]}"; do
  case $part in
    driver) part_driver; null_compiler ;; validator) part_validator ;; layer) part_layer ;;
    swiftshader) part_swiftshader ;; new-driver) part_new_driver ;;
    compilers) part_compilers ;; browser) part_browser ;; axe) part_axe ;;
    neovim) part_neovim ;;
    *) fail "unknown part '$part' (driver validator layer swiftshader new-driver compilers browser axe neovim)" ;;
  esac
done

{
  echo "# Made by tools/setup-vulkan.sh."
  echo "# One device, the CPU driver, unless the caller names another."
  if [ -f "$cache/driver/done" ]; then
    cat <<ENV
export VK_DRIVER_FILES=\${VK_DRIVER_FILES:-$cache/driver/icd.d/lvp_icd.json}
# The loader, its headers, and the driver's libraries, as far as the system has none of that name.
export LD_LIBRARY_PATH=$cache/driver/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
export LIBRARY_PATH=$cache/driver/lib\${LIBRARY_PATH:+:\$LIBRARY_PATH}
export CPATH=\${CPATH:+\$CPATH:}$cache/driver/usr/include
ENV
  else
    lavapipe=$(system_lavapipe)
    echo "export VK_DRIVER_FILES=\${VK_DRIVER_FILES:-${lavapipe:-/usr/share/vulkan/icd.d/lvp_icd.json}}"
  fi
  cat <<ENV
export VK_LAYER_PATH=\${VK_LAYER_PATH:-$cache/layers} VK_LOADER_LAYERS_DISABLE='~implicit~'
# The wave size follows from this width (128, 256, 512 bits: 4, 8, 16 lanes).
export LP_NATIVE_VECTOR_WIDTH=\${LP_NATIVE_VECTOR_WIDTH:-256}
# Shaders are compiled afresh: a cache from another run would hide a broken module.
export MESA_SHADER_CACHE_DISABLE=true
export DXIL_JIT_SPIRV_VAL=\${DXIL_JIT_SPIRV_VAL:-$cache/spirv-val} DXIL_JIT_SPIRV_DIS=\${DXIL_JIT_SPIRV_DIS:-$cache/spirv-dis}
ENV
} >"$cache/env.sh.part"
mv "$cache/env.sh.part" "$cache/env.sh"
echo "$cache/env.sh"
