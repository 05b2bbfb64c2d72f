#!/usr/bin/env bash
# Fills the corpora of the fuzz targets with the checked-in shaders.
set -euo pipefail
cd "$(dirname "$0")"
for target in container bitcode translate validate work_graph root_signature; do
  mkdir -p "corpus/$target"
  find ../frontend/tests/data ../hwtests -name '*.dxil' -size -16k | while read -r file; do
    cp "$file" "corpus/$target/$(sha256sum "$file" | cut -c1-16).dxil"
  done
done
mkdir -p corpus/dxbc
find ../hwtests -name '*.dxbc' | while read -r file; do
  cp "$file" "corpus/dxbc/$(sha256sum "$file" | cut -c1-16).dxbc"
done
mkdir -p corpus/pdb corpus/yaml corpus/root_signature_text corpus/linking corpus/cache_entry
cp ../frontend/tests/data/container/*.pdb corpus/pdb/
cp ../hwtests/pipelines/*.yaml corpus/yaml/
printf 'RootFlags(0), CBV(b0, space = 1), DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0)), StaticSampler(s0)' \
  > corpus/root_signature_text/all
# Each family of shapes with a few sizes: its number and the size, in three bytes.
mkdir -p corpus/shapes
for family in $(seq 0 40); do
  for low in 3 40 200; do
    printf "$(printf '\\x%02x\\x%02x\\x00' "$family" "$low")" > "corpus/shapes/$family-$low"
  done
done
# Two libraries, the length of the first in front.
for one in ../hwtests/shaders/linking/*.dxil; do
  for two in ../hwtests/shaders/linking/*.dxil; do
    size=$(stat -c %s "$one")
    { printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $((size & 255)) $((size >> 8 & 255)) $((size >> 16 & 255)) $((size >> 24)))"
      cat "$one" "$two"; } > "corpus/linking/$(basename "$one" .dxil)-$(basename "$two" .dxil)"
  done
done
