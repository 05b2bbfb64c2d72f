#!/usr/bin/env bash
# Builds dxil-run and runs it: tools/run.sh cs.dxil --dispatch 64,1,1
#
# Uses the Vulkan drivers that the machine has. Where there is none, dispatches of groups and rays,
# and draws run on the CPU backend, which needs no driver; for graphs and pipeline files this brings a
# CPU driver into a cache folder (tools/setup-vulkan.sh). The system is not changed.
#
# The program is made to be built fast: with the profile `quick`, and with the backend wgpu and the
# languages of naga and native code only if the arguments ask for them. `cargo install` builds the fast program.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

needs_driver() {
  local argument
  for argument; do
    case $argument in
      --help | -h | --version | -V) return 1 ;;
    esac
  done
  for argument; do
    case ${argument%%=*} in
      --graph | --pipeline) return 0 ;;
    esac
  done
  return 1
}

# Manifests of drivers in folders.
drivers_in() { # FOLDER:FOLDER...
  local folder folders
  IFS=: read -ra folders <<<"$1"
  for folder in "${folders[@]}"; do
    ls "$folder"/vulkan/icd.d/*.json 2>/dev/null || true
  done
}

# Where the loader looks by itself.
known=${XDG_DATA_HOME:-$HOME/.local/share}:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}
known+=:${XDG_CONFIG_HOME:-$HOME/.config}:${XDG_CONFIG_DIRS:-/etc/xdg}:/usr/local/etc:/etc
# Where drivers are on NixOS, in containers, in Flatpak's runtimes and of AMD's installer.
others=/run/opengl-driver/share:/usr/local/nvidia/share:/usr/lib/$(uname -m)-linux-gnu/GL:/opt/amdgpu/share

has_loader() {
  { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q 'libvulkan\.so\.1' && return
  local folder
  IFS=: read -ra folders <<<"${LD_LIBRARY_PATH:-}:/run/opengl-driver/lib:/run/current-system/sw/lib"
  for folder in "${folders[@]}"; do
    [ -z "$folder" ] || [ ! -e "$folder/libvulkan.so.1" ] || return 0
  done
  return 1
}

lacks=
if [ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && [ -z "$(drivers_in "$known")" ]; then
  found=$(drivers_in "$others" | paste -sd :)
  if [ -n "$found" ]; then export VK_DRIVER_FILES=$found; else lacks=driver; fi
fi
if needs_driver "$@"; then
  has_loader || lacks=${lacks:-loader}
  if [ -n "$lacks" ]; then
    echo "run.sh: this machine has no Vulkan $lacks; one is brought into a cache folder" >&2
    # A driver that is there stays the one to use.
    chosen=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}
    [ "$lacks" = driver ] || chosen=${chosen:-$(drivers_in "$known" | paste -sd :)}
    env_file=$(env -u VK_DRIVER_FILES "$root/tools/setup-vulkan.sh" driver)
    [ -z "$chosen" ] || export VK_DRIVER_FILES=$chosen
    # shellcheck source=/dev/null
    . "$env_file"
  fi
fi

features=vulkan
previous=
for argument; do
  case $argument in
    --*=*) option=$argument ;;
    *) option=$previous=$argument ;;
  esac
  case $option in
    --emit=wgsl | --emit=msl | --emit=glsl | --emit=hlsl) features+=,languages ;;
    --cpu-code=*) features+=,native ;;
    --backend=wgpu | --compare=wgpu*) features+=,wgpu ;;
  esac
  previous=$argument
done

program=${CARGO_TARGET_DIR:-$root/target}/quick/dxil-run
quiet=(--quiet)
if [ ! -x "$program" ]; then
  echo "run.sh: building dxil-run; the first time this takes some minutes" >&2
  quiet=()
fi
cargo build "${quiet[@]}" --profile quick --manifest-path "$root/Cargo.toml" -p dxil-jit --bin dxil-run \
  --no-default-features --features "$features"
exec "$program" "$@"
