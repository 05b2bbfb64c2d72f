#!/usr/bin/env bash
# Puts a Vulkan CPU driver and the tools that the tests use on this machine, as far as they are missing.
#
#   tools/setup-vulkan.sh [PART...]      parts: driver validator layer swiftshader new-driver
#
#   driver       the Vulkan loader and Mesa's lavapipe from Debian's backports        (default)
#   validator    spirv-val and spirv-dis of a current SPIRV-Tools                     (default)
#   layer        the Khronos validation layer of Debian's Chromium package
#   swiftshader  SwiftShader, a second CPU driver, from the same package
#   new-driver   the newest Debian suite's lavapipe, started with `run-new PROGRAM`
#
# Works on Debian as root; elsewhere it says what to install. What is not an ordinary package of this
# release goes to $DXIL_JIT_CACHE (default ~/.cache/dxil-jit), outside the checkout and the system.
# Prints the name of a file to source: it points the loader and the tests at what is there.
set -euo pipefail

cache=${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}
newer_suite=${DXIL_JIT_NEWER_SUITE:-forky}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(driver validator)

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup-vulkan: $*"; exit 1; }
release() { (. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}"); }
may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ -f "$keyring" ]; }
get() { DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
          -o APT::Install-Recommends=0 "$@" >&2; }

# The mirror that this machine's own package sources name for its release.
mirror() {
  apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' \
    | awk -v release="$(release)" '$1 == release { print $2; exit }'
}

# Package lists are fetched once per run, and only when a package is about to be installed.
updated=
update_lists() { [ -n "$updated" ] || { get update; updated=1; }; }

# Unpacks packages of a newer suite, with all they depend on, into a folder of their own. They bring
# their own C library and run through its loader, so the system's packages are not touched.
unpack_newer() { # FOLDER PACKAGE...
  local folder=$1 root; shift
  root=$(mktemp -d); chmod 755 "$root"
  mkdir -p "$root"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} \
           "$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial "$root"/var/lib/dpkg
  : >"$root/var/lib/dpkg/status"
  echo "deb [signed-by=$keyring] $(mirror) $newer_suite main" >"$root/etc/apt/sources.list"
  local here=(-o "Dir=$root" -o "Dir::State::status=$root/var/lib/dpkg/status" -o APT::Sandbox::User=root
              -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  get "${here[@]}" update
  get "${here[@]}" --download-only install "$@"
  rm -rf "$folder.part"; mkdir -p "$folder.part"
  local package
  for package in "$root"/var/cache/apt/archives/*.deb; do dpkg -x "$package" "$folder.part"; done
  rm -rf "$root" "$folder"; mv "$folder.part" "$folder"
}

# A command that runs PROGRAM of an unpacked folder (or any other) with that folder's C library.
write_runner() { # RUNNER FOLDER [EXPORTS]
  cat >"$1.part" <<RUNNER
#!/bin/sh
# Runs a program with the libraries under $2.
root='$2'
${3:-}
program=\$1; shift
[ -x "\$root/usr/bin/\$program" ] && program=\$root/usr/bin/\$program
exec "\$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "\$root/usr/lib/x86_64-linux-gnu" "\$program" "\$@"
RUNNER
  chmod +x "$1.part"; mv "$1.part" "$1"
}

installed() { dpkg-query -W -f='${Version}' "$1" 2>/dev/null; }

part_driver() {
  # A machine with a driver of its own choice (VK_DRIVER_FILES) keeps it.
  [ -z "${VK_DRIVER_FILES:-}" ] || return 0
  if ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1' && [ -f /usr/include/vulkan/vulkan.h ] \
     && [ -f /usr/share/vulkan/icd.d/lvp_icd.json ] \
     && { [ "$(release)" != bookworm ] || installed mesa-vulkan-drivers | grep -q bpo; }; then return 0; fi
  may_install || fail "no Vulkan CPU driver: install a Vulkan loader and Mesa's lavapipe 24 or newer (Debian: libvulkan1, and mesa-vulkan-drivers from backports)"
  if [ "$(release)" = bookworm ]; then
    # Bookworm's own Mesa is 22.3; its lavapipe lacks half of what the tests use.
    if ! apt-get indextargets --format '$(RELEASE)' | grep -qx bookworm-backports; then
      printf 'Types: deb\nURIs: %s\nSuites: bookworm-backports\nComponents: main\nSigned-By: %s\n' \
        "$(mirror)" "$keyring" >/etc/apt/sources.list.d/dxil-jit-backports.sources
    fi
    update_lists
    get install libvulkan1 libvulkan-dev
    get -t bookworm-backports install mesa-vulkan-drivers
  else
    update_lists
    get install libvulkan1 libvulkan-dev mesa-vulkan-drivers
  fi
}

part_validator() {
  [ -z "${DXIL_JIT_SPIRV_VAL:-}" ] || return 0
  if [ ! -x "$cache/spirv-val" ]; then
    may_install || fail "no SPIRV-Tools: install a spirv-val of 2025.3 or newer and set DXIL_JIT_SPIRV_VAL to it"
    mkdir -p "$cache"
    unpack_newer "$cache/spirv-tools" spirv-tools
    local tool
    for tool in spirv-dis spirv-val; do
      write_runner "$cache/$tool" "$cache/spirv-tools" "set -- $tool \"\$@\""
    done
  fi
}

# Debian's Chromium carries current builds of SwiftShader and of the validation layer; only these
# files of it are kept.
fetch_chromium() {
  [ -f "$cache/chromium/done" ] && return 0
  may_install || fail "the validation layer and SwiftShader come from Debian's chromium-common; this machine can't fetch it"
  update_lists
  local work; work=$(mktemp -d); chmod 755 "$work"
  (cd "$work" && get -o APT::Sandbox::User=root download chromium-common && dpkg -x chromium-common*.deb x)
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

part_new_driver() {
  [ -x "$cache/run-new" ] && return 0
  may_install || fail "the newer driver comes from a newer Debian suite; this machine can't fetch it"
  mkdir -p "$cache"
  unpack_newer "$cache/new-driver" mesa-vulkan-drivers libvulkan1 vulkan-tools vulkan-validationlayers
  write_runner "$cache/run-new" "$cache/new-driver" \
    'export VK_DRIVER_FILES=$root/usr/share/vulkan/icd.d/lvp_icd.json VK_LAYER_PATH=$root/usr/share/vulkan/explicit_layer.d'
}

for part in "${parts[@]}"; do
  case $part in
    driver) part_driver ;; validator) part_validator ;; layer) part_layer ;;
    swiftshader) part_swiftshader ;; new-driver) part_new_driver ;;
    *) fail "unknown part '$part' (driver validator layer swiftshader new-driver)" ;;
  esac
done

mkdir -p "$cache"
cat >"$cache/env.sh.part" <<ENV
# Made by tools/setup-vulkan.sh.
# One device, the CPU driver, unless the caller names another.
export VK_DRIVER_FILES=\${VK_DRIVER_FILES:-/usr/share/vulkan/icd.d/lvp_icd.json}
export VK_LAYER_PATH=\${VK_LAYER_PATH:-$cache/layers} VK_LOADER_LAYERS_DISABLE='~implicit~'
# The wave size follows from this width (128, 256, 512 bits: 4, 8, 16 lanes).
export LP_NATIVE_VECTOR_WIDTH=\${LP_NATIVE_VECTOR_WIDTH:-256}
# Shaders are compiled afresh: a cache from another run would hide a broken module.
export MESA_SHADER_CACHE_DISABLE=true
export DXIL_JIT_SPIRV_VAL=\${DXIL_JIT_SPIRV_VAL:-$cache/spirv-val} DXIL_JIT_SPIRV_DIS=\${DXIL_JIT_SPIRV_DIS:-$cache/spirv-dis}
ENV
mv "$cache/env.sh.part" "$cache/env.sh"
echo "$cache/env.sh"
