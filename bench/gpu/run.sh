#!/usr/bin/env bash
# Tests and measures dxil-jit on the Vulkan device of this machine.
#
#   ./run.sh [OPTION...]
#
#   --out FOLDER       where the results go; default: results-HOST-TIME beside the current folder
#   --device N         number of the Vulkan device, as bin/dxil-run --list-devices prints it; default: 0
#   --parts LIST       of tests,pipelines,draws,rays,kernels,device; default: all, in this order
#   --backends LIST    of vulkan,checked,wgpu,portable,cpu,other,valid; default: all but cpu and valid
#   --only TEXT        only tests whose names contain the text
#   --size SIZE        of the kernels: small, medium or large; default: large
#   --seconds S        of measuring for each kernel; default: 2
#   --frame WxH        size of render targets and of ray dispatches; default: 1920x1080
#   --jobs N           tests at a time; default: the number of processors, at most 8
#   --group-limit S    seconds for a group of tests; default: 300
#   --test-limit S     seconds for a test or command by itself; default: 60
#   --kernels-limit S  seconds for all kernels together; default: 1800
#
# The script belongs to a bundle that tools/gpu-bundle.sh makes. It needs bash, awk and coreutils;
# it needs no network, no compiler and no checkout, and it writes into FOLDER alone. Every step has
# a time limit, and the script goes on after each failure. It ends with 0 if everything succeeded
# and with 1 otherwise.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

out=results-$(uname -n)-$(date -u +%Y%m%dT%H%M%SZ)
device=0 parts=tests,pipelines,draws,rays,kernels,device backends=vulkan,checked,wgpu,portable,other only=
size=large seconds=2 frame=1920x1080 group_limit=300 test_limit=60 kernels_limit=1800
jobs=$(nproc 2>/dev/null || echo 4)
[ "$jobs" -le 8 ] || jobs=8
usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --out) out=${2:?$1 needs a value} ;;
    --device) device=${2:?$1 needs a value} ;;
    --parts) parts=${2:?$1 needs a value} ;;
    --backends) backends=${2:?$1 needs a value} ;;
    --only) only=${2:?$1 needs a value} ;;
    --size) size=${2:?$1 needs a value} ;;
    --seconds) seconds=${2:?$1 needs a value} ;;
    --frame) frame=${2:?$1 needs a value} ;;
    --jobs) jobs=${2:?$1 needs a value} ;;
    --group-limit) group_limit=${2:?$1 needs a value} ;;
    --test-limit) test_limit=${2:?$1 needs a value} ;;
    --kernels-limit) kernels_limit=${2:?$1 needs a value} ;;
    *) echo "run.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
  esac
  shift 2
done
mkdir -p "$out/logs" || exit 9
out=$(cd "$out" && pwd)
PATH=$here/bin:$PATH
# Nothing is kept from earlier runs, and nothing is written elsewhere.
export HOME=$out/home XDG_CACHE_HOME=$out/home/cache MESA_SHADER_CACHE_DISABLE=true
export __GL_SHADER_DISK_CACHE=0 DXIL_JIT_TEST_DATA=$here/data DXIL_JIT_TEST_DEVICE=$device
mkdir -p "$XDG_CACHE_HOME"

say() { printf '%s\n' "$*" | tee -a "$out/log.txt"; }
# Text as a string of JSON.
quote() {
  awk 'BEGIN { ORS = ""; print "\"" }
    { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); gsub(/[\001-\037]/, ""); print (NR > 1 ? "\\n" : "") $0 }
    END { print "\"" }'
}
string() { printf '%s' "$1" | quote; }
# The exit code of `timeout` and of a process that a signal ended.
outcome() {
  case $1 in
    0) echo ok ;; 124 | 137) echo timeout ;;
    *) if [ "$1" -gt 128 ]; then echo "crash by signal $(($1 - 128))"; else echo "exit code $1"; fi ;;
  esac
}
failures=0

# --- The machine -----------------------------------------------------------------------------------------------------

# The loader of this machine, or else the bundle's. Where the drivers' manifests are in no folder
# that the loader searches, they are named.
if ! { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q 'libvulkan\.so\.1'; then
  [ ! -e "$here/lib/libvulkan.so.1" ] || export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
if [ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]; then
  manifests() { ls "$@" 2>/dev/null | sort -u | paste -sd : -; }
  known=$(manifests /usr/share/vulkan/icd.d/*.json /usr/local/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json \
    /etc/xdg/vulkan/icd.d/*.json)
  others=$(manifests /run/opengl-driver/share/vulkan/icd.d/*.json /usr/local/nvidia/share/vulkan/icd.d/*.json \
    /usr/lib/*-linux-gnu/GL/vulkan/icd.d/*.json /opt/amdgpu/share/vulkan/icd.d/*.json)
  [ -n "$known" ] || [ -z "$others" ] || export VK_DRIVER_FILES=$others
fi
validator=on
if [ -z "${DXIL_JIT_SPIRV_VAL:-}" ]; then
  if [ -x "$here/bin/spirv-val" ] && "$here/bin/spirv-val" --version >/dev/null 2>&1; then
    export DXIL_JIT_SPIRV_VAL=$here/bin/spirv-val DXIL_JIT_SPIRV_DIS=$here/bin/spirv-dis
  else
    export DXIL_JIT_SPIRV_VAL=off
  fi
fi
[ "$DXIL_JIT_SPIRV_VAL" != off ] || validator=off

started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
devices=$(timeout "$test_limit" dxil-run --list-devices 2>&1)
{
  echo "started: $started"
  echo "bundle:"; sed 's/^/  /' "$here/VERSION"
  echo "system: $(uname -srm); $(ldd --version 2>/dev/null | head -n 1)"
  echo "processor: $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) threads"
  echo "memory: $(awk '/^MemTotal/ { print int($2 / 1048576) " GiB" }' /proc/meminfo)"
  echo "drivers: ${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-found by the loader}}"
  echo "validator: $validator"
  echo "devices:"; printf '%s\n' "$devices" | sed 's/^/  /'
  if command -v nvidia-smi >/dev/null; then timeout 20 nvidia-smi; fi
} >"$out/environment.txt" 2>&1
say "dxil-jit on a GPU: results in $out"
sed -n '/^devices:/,$p' "$out/environment.txt" | sed -n '2,8p'

# --- Tests -----------------------------------------------------------------------------------------------------------

# tests.tsv has a line for each test: backend, group, name, result.
: >"$out/tests.tsv"

# Lines `NAME RESULT` from a log of the test program.
results_in() { awk '/^test .* \.\.\. (ok|FAILED|ignored)/ { sub(/,.*/, "", $4); print $2 "\t" $4 }' "$1"; }

record() { # BACKEND GROUP NAME RESULT
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>"$out/tests.tsv"
  case $4 in ok | ignored) ;; *) failures=$((failures + 1)) ;; esac
}

# The tests of a group run in one process. Those without a result, since the process crashed or ran
# out of time, run again one by one.
run_group() { # BACKEND GROUP NAME...
  local backend=$1 group=$2 log=$out/logs/$1-$2.txt status test result stuck=0; shift 2
  timeout -k 5 "$group_limit" suite --exact --test-threads "$jobs" "$@" >"$log" 2>"$log.err"
  status=$?
  local -A known=()
  while IFS=$'\t' read -r test result; do known[$test]=$result; done < <(results_in "$log")
  for test; do
    result=${known[$test]:-}
    if [ -z "$result" ]; then
      [ "$stuck" -gt 0 ] || say "  $backend $group: $(outcome $status); the rest runs one by one"
      stuck=$((stuck + 1))
      if [ "${hangs:-0}" -ge 5 ]; then
        result="not run"
      else
        timeout -k 5 "$test_limit" suite --exact --test-threads 1 "$test" >"$log.one" 2>&1
        status=$?
        result=$(results_in "$log.one" | cut -f 2)
        [ -n "$result" ] || result=$(outcome $status)
        # A device that hangs keeps hanging: five tests in turn are enough to know.
        case $result in timeout) hangs=$((${hangs:-0} + 1)) ;; *) hangs=0 ;; esac
        cat "$log.one" >>"$log"; rm -f "$log.one"
      fi
    fi
    record "$backend" "$group" "$test" "$result"
  done
  hangs=0
  [ -s "$log.err" ] || rm -f "$log.err"
  [ "$stuck" -gt 0 ] || [ "$status" -ne 0 ] || rm -f "$log"
}

part_tests() {
  local list=$out/logs/tests.txt keys key
  # One test looks into the sources. A test is named GROUP::CASE::BACKEND, or GROUP::TEST. What goes
  # through other languages needs their compilers.
  if ! timeout "$test_limit" suite --list 2>/dev/null | sed -n 's/: test$//p' | grep -v every_trap_has_its_tests \
    | grep -F -- "$only" | awk -F:: -v OFS='\t' -v wanted=",$backends," '{
        backend = $NF
        if (backend ~ /^(hlsl|glsl)$/) next
        if (backend == "spirv_is_valid") backend = "valid"
        if (backend !~ /^(vulkan|checked|wgpu|portable|cpu|valid)$/) backend = "other"
        if (index(wanted, "," backend ",")) print backend, $1, $0
      }' | sort >"$list"; then
    say "tests: the test program does not start"; failures=$((failures + 1)); return
  fi
  if [ "$validator" = off ]; then
    awk -F'\t' '$1 != "valid"' "$list" >"$list.part"; mv "$list.part" "$list"
  fi
  say "tests: $(wc -l <"$list") in $(cut -f 1,2 "$list" | uniq | wc -l) groups"
  mapfile -t keys < <(cut -f 1,2 "$list" | uniq)
  for key in "${keys[@]}"; do
    mapfile -t names < <(awk -F'\t' -v key="$key" '$1 "\t" $2 == key { print $3 }' "$list")
    run_group "${key%%$'\t'*}" "${key#*$'\t'}" "${names[@]}"
  done
}

# --- Commands --------------------------------------------------------------------------------------------------------

# commands.tsv has a line for each: part, name, result, median device time in microseconds.
: >"$out/commands.tsv"

command_of() { # PART NAME ARGUMENT...
  local part=$1 name=$2 log=$out/logs/$1-$2 status result; shift 2
  timeout -k 5 "$test_limit" dxil-run "$@" --no-cache --device "$device" >"$log.txt" 2>"$log.err"
  status=$?
  result=$(outcome $status)
  [ "$result" = ok ] || { failures=$((failures + 1)); say "  $part $name: $result: $(tail -n 1 "$log.err")"; }
  # `device time of 20 runs: min 37.6 us, median 1.2 ms, ...`
  local median
  median=$(awk '/^device time of/ { for (i = 1; i < NF; i++) if ($i == "median") {
      scale = $(i + 2) ~ /^us/ ? 1 : $(i + 2) ~ /^ms/ ? 1e3 : 1e6; printf "%.1f", $(i + 1) * scale } }' "$log.txt")
  printf '%s\t%s\t%s\t%s\n' "$part" "$name" "$result" "$median" >>"$out/commands.tsv"
  [ -s "$log.err" ] || rm -f "$log.err"
}

part_pipelines() {
  local file stem stage shaders
  say "pipelines: expectations of $(ls "$here"/pipelines/*.yaml | wc -l) files"
  for file in "$here"/pipelines/*.yaml; do
    stem=${file%.yaml} shaders=()
    # The shader that is called like the file, or its stages in their order.
    for stage in '' _vs _hs _ds _gs _as _ms _ps; do
      [ ! -e "$stem$stage.dxil" ] || shaders+=("$stem$stage.dxil")
    done
    # Old bytecode where that is all there is: interfaces have no form in DXIL.
    [ ${#shaders[@]} -gt 0 ] || shaders=("$stem.dxbc")
    command_of pipelines "$(basename "$stem")" "${shaders[@]}" --pipeline "$file" --backend vulkan
  done
}

# Lines of draws.txt and rays.txt: a name and the arguments of dxil-run, in which SHADERS is the
# folder of the shaders, FRAME the size like 1920x1080 and RAYS the same like 1920,1080.
timed() { # PART FILE
  local part=$1 file=$2 name line word words
  say "$part: $(grep -c '^[^#]' "$file")"
  while read -r name line; do
    case $name in '' | '#'*) continue ;; esac
    words=()
    for word in $line; do
      word=${word//FRAME/$frame}; word=${word//RAYS/${frame/x/,}}
      words+=("${word//SHADERS/$here/shaders}")
    done
    command_of "$part" "$name" "${words[@]}" --quiet --rows 0 --time 20 --backend vulkan </dev/null
  done <"$file"
}
part_draws() { timed draws "$here/draws.txt"; }
part_rays() { timed rays "$here/rays.txt"; }

# Our SPIR-V, DXC's, and ours through naga and wgpu. A driver that crashes ends the process: the
# kernels behind that one run in another process, with files of their own.
part_kernels() {
  local all left number=1 name status naga=()
  say "kernels: size $size"
  mapfile -t left < <(dxil-bench --list)
  while [ ${#left[@]} -gt 0 ] && [ $number -le 10 ]; do
    local suffix=; [ $number = 1 ] || suffix=-$number
    timeout -k 5 "$kernels_limit" dxil-bench "${left[@]}" --device "$device" --size "$size" --seconds "$seconds" \
      --keep-going --no-cpu "${naga[@]}" --json "$out/kernels$suffix.json" --html "$out/kernels$suffix.html" \
      >"$out/kernels$suffix.md" 2>"$out/logs/kernels$suffix.err"
    status=$?
    [ $status = 0 ] || { failures=$((failures + 1)); say "  kernels: $(outcome $status); see logs/kernels$suffix.err"; }
    if [ $status -lt 124 ] && [ ! -s "$out/kernels$suffix.json" ]; then
      # Nothing could be opened. Where that is wgpu, the rest is measured without it.
      rm -f "$out/kernels$suffix".{json,html}
      [ ${#naga[@]} = 0 ] || break
      naga=(--no-naga)
    elif [ $status -le 124 ] || [ $status = 137 ]; then
      break
    else
      # The last kernel that was begun is the one that crashed.
      name=$(sed -n 's/^\([a-z0-9_]*\) \.\.\.$/\1/p' "$out/logs/kernels$suffix.err" | tail -n 1)
      printf 'kernels\t%s\t%s\t\n' "$name" "$(outcome $status)" >>"$out/commands.tsv"
      all=("${left[@]}"); left=()
      local behind=
      for other in "${all[@]}"; do
        [ -z "$behind" ] || left+=("$other")
        [ "$other" != "$name" ] || behind=yes
      done
    fi
    number=$((number + 1))
  done
}

# What the device can do, by small shaders of one kind of work each.
part_device() {
  local working_sets=large status
  [ "$size" != small ] || working_sets=small
  say "device: size $working_sets"
  timeout -k 5 "$kernels_limit" dxil-bench device --device "$device" --size "$working_sets" \
    --json "$out/device.json" --html "$out/device.html" --phoronix "$out/composite.xml" \
    >"$out/device.md" 2>"$out/logs/device.err"
  status=$?
  [ $status = 0 ] || { failures=$((failures + 1)); say "  device: $(outcome $status); see logs/device.err"; }
}

for part in ${parts//,/ }; do
  case $part in
    tests | pipelines | draws | rays | kernels | device) "part_$part" ;;
    *) say "run.sh: unknown part $part"; failures=$((failures + 1)) ;;
  esac
done

# --- The summary -----------------------------------------------------------------------------------------------------

ended=$(date -u +%Y-%m-%dT%H:%M:%SZ)
{
  echo "# dxil-jit on a GPU"
  echo
  sed -n '2,/^validator/p' "$out/environment.txt" | sed 's/^/    /'
  printf '%s\n' "$devices" | sed 's/^/    /'
  echo
  echo "Started $started, ended $ended."
  if [ -s "$out/tests.tsv" ]; then
    printf '\n## Tests\n\n| backend | tests | passed | failed | crashed or timed out | not run |\n|---|---:|---:|---:|---:|---:|\n'
    awk -F'\t' '{ all[$1]++; if ($4 == "ok") ok[$1]++; else if ($4 == "FAILED") bad[$1]++; else if ($4 == "not run" || $4 == "ignored") not[$1]++; else dead[$1]++ }
      END { for (b in all) printf "| %s | %d | %d | %d | %d | %d |\n", b, all[b], ok[b], bad[b], dead[b], not[b] }' \
      "$out/tests.tsv" | sort
    awk -F'\t' '$4 != "ok" && $4 != "ignored" { print "- " $3 ": " $4 }' "$out/tests.tsv" >"$out/failed-tests.txt"
    if [ -s "$out/failed-tests.txt" ]; then printf '\nFailed (the output is in logs/):\n\n'; head -n 60 "$out/failed-tests.txt"; fi
    [ "$validator" = on ] || printf '\nNo module was validated: the bundle has no spirv-val that runs here.\n'
  fi
  if [ -s "$out/commands.tsv" ]; then
    printf '\n## Pipelines, draws and rays (%s)\n\n| part | name | result | device time, µs (median) |\n|---|---|---|---:|\n' "$frame"
    awk -F'\t' '{ printf "| %s | %s | %s | %s |\n", $1, $2, $3, $4 }' "$out/commands.tsv"
  fi
  for table in "$out"/kernels*.md; do
    [ -s "$table" ] && printf '\n## Kernels\n\n' && cat "$table"
  done
  [ ! -s "$out/device.md" ] || { printf '\n## Device\n\n'; sed 's/^## /### /' "$out/device.md"; }
  printf '\n%s\n' "$([ "$failures" = 0 ] && echo "Everything succeeded." || echo "$failures failures.")"
} >"$out/summary.md"

{
  printf '{\n  "started": "%s",\n  "ended": "%s",\n  "failures": %d,\n  "validator": "%s",\n  "environment": ' \
    "$started" "$ended" "$failures" "$validator"
  quote <"$out/environment.txt"
  printf ',\n  "tests": ['
  awk -F'\t' '{ printf "%s\n    {\"backend\": \"%s\", \"group\": \"%s\", \"name\": \"%s\", \"result\": \"%s\"}", (NR > 1 ? "," : ""), $1, $2, $3, $4 }' "$out/tests.tsv"
  printf '\n  ],\n  "commands": ['
  awk -F'\t' '{ printf "%s\n    {\"part\": \"%s\", \"name\": \"%s\", \"result\": \"%s\", \"median_us\": %s}", (NR > 1 ? "," : ""), $1, $2, $3, ($4 == "" ? "null" : $4) }' "$out/commands.tsv"
  printf '\n  ],\n  "kernels": ['
  comma=
  for file in "$out"/kernels*.json; do
    [ -s "$file" ] || continue
    printf '%s' "$comma"; cat "$file"; comma=,
  done
  printf '],\n  "device": '
  if [ -s "$out/device.json" ]; then cat "$out/device.json"; else printf null; fi
  printf '\n}\n'
} >"$out/results.json"

# The page has the summary as it is written, and links to the plots.
{
  printf '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
  printf '<meta name="viewport" content="width=device-width, initial-scale=1"><title>dxil-jit on a GPU</title>\n'
  printf '<style>:root { color-scheme: light dark } body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto;'
  printf ' max-width: 62rem; padding: 0 1rem } pre { overflow-x: auto }</style></head><body>\n<p>'
  for file in "$out"/kernels*.html; do
    [ -s "$file" ] && printf '<a href="%s">Plots of the kernels</a> ' "$(basename "$file")"
  done
  [ ! -s "$out/device.html" ] || printf '<a href="device.html">Plots of the device</a> '
  printf '<a href="results.json">All results as JSON</a></p>\n<pre>\n'
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$out/summary.md"
  printf '</pre></body></html>\n'
} >"$out/index.html"
rm -rf "$out/home"
tar -C "$out" -czf "$out/logs.tar.gz" logs 2>/dev/null || true

say "$([ "$failures" = 0 ] && echo "everything succeeded" || echo "$failures failures"); read $out/summary.md"
[ "$failures" = 0 ]
