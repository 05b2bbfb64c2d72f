# Functions of the set-up scripts: they download Debian packages and unpack them into the cache folder.
# Nothing is installed. To be sourced; sets `cache`, `triplet` and `release`.
# shellcheck shell=bash

cache=${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
triplet=$(uname -m)-linux-gnu

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0" .sh): $*"; exit 1; }
release() { (. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}"); }
may_fetch() { command -v apt-get >/dev/null && command -v dpkg >/dev/null && [ -f "$keyring" ]; }

# Two concurrent runs would unpack into the same folders. Other users must not write to folders that
# programs are started from.
lock_cache() {
  mkdir -p "$cache"
  chmod go-w "$cache"
  if command -v flock >/dev/null; then
    exec 9>"$cache/.lock"
    flock -n 9 || { say "waiting for another run of the set-up scripts"; flock 9; }
  fi
}

# The mirror that this machine's own package sources name for its release.
mirror() {
  apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' \
    | awk -v release="$(release)" '$1 == release { print $2; exit }'
}

# Downloads packages of suites, with all they depend on, and unpacks them into a folder. apt works
# in a folder of its own, with lists of its own, as if nothing were installed. The variable
# `architecture` names another one than the machine's.
unpack() { # FOLDER TARGET-SUITE "SUITE..." PACKAGE...
  local folder=$1 target=$2 suites=$3 root suite; shift 3
  root=$(mktemp -d); chmod 755 "$root"
  mkdir -p "$root"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} \
           "$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial "$root"/var/lib/dpkg
  : >"$root/var/lib/dpkg/status"
  for suite in $suites; do
    echo "deb [signed-by=$keyring] $(mirror) $suite main"
  done >"$root/etc/apt/sources.list"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o "Dir=$root"
    -o "Dir::State::status=$root/var/lib/dpkg/status" -o APT::Sandbox::User=root -o Debug::NoLocking=1
    -o "APT::Architecture=${architecture:-$(dpkg --print-architecture)}"
    -o APT::Install-Recommends=0 -o Acquire::Retries=3 -o Acquire::Languages=none
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  say "fetching $* ($target) into $folder"
  "${apt[@]}" update >&2 || fail "no package lists of $suites"
  "${apt[@]}" -t "$target" --download-only install "$@" >&2 || fail "no packages $* in $suites"
  rm -rf "$folder.part"; mkdir -p "$folder.part"
  local package
  for package in "$root"/var/cache/apt/archives/*.deb; do dpkg -x "$package" "$folder.part"; done
  rm -rf "$folder.part"/usr/share/{doc,man,locale,lintian,bug} "$root" "$folder"
  mv "$folder.part" "$folder"
}
