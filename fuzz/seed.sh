#!/usr/bin/env bash
# Fills the corpora of the fuzz targets with the checked-in shaders.
set -euo pipefail
cd "$(dirname "$0")"
for target in shader grammar cpu container bitcode translate validate work_graph root_signature; do
  mkdir -p "corpus/$target"
  find ../frontend/tests/data ../hwtests -name '*.dxil' -size -16k | while read -r file; do
    cp "$file" "corpus/$target/$(sha256sum "$file" | cut -c1-16).dxil"
  done
done
# Eight bytes that choose options in front.
mkdir -p corpus/options
for file in corpus/translate/*.dxil; do
  { head -c 8 /dev/zero; cat "$file"; } > "corpus/options/$(basename "$file")"
done
mkdir -p corpus/dxbc
find ../hwtests -name '*.dxbc' | while read -r file; do
  cp "$file" "corpus/dxbc/$(sha256sum "$file" | cut -c1-16).dxbc"
done
mkdir -p corpus/pdb corpus/yaml corpus/root_signature_text corpus/linking corpus/numpy corpus/obj \
  corpus/structurize
cp ../frontend/tests/data/pdb/*.pdb corpus/pdb/
cp ../hwtests/pipelines/*.yaml corpus/yaml/
# Root signatures of the checkout's sources, and cache entries.
cargo run --quiet --release --no-default-features --features commands --bin seeds -- corpus ..
printf 'RootFlags(0), CBV(b0, space = 1), DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0)), StaticSampler(s0)' \
  > corpus/root_signature_text/all
# NumPy's format: magic, version 1.0, length of the header, header, items.
numpy() { # NAME HEADER BYTES
  { printf '\x93NUMPY\x01\x00'; printf "$(printf '\\x%02x\\x%02x' $((${#2} & 255)) $((${#2} >> 8)))"
    printf '%s' "$2"; head -c "$3" /dev/zero; } > "corpus/numpy/$1"
}
numpy plain "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" 24
numpy record "{'descr': [('a', '<f4', (3,)), ('', '|V4'), ('in', [('id', '<u8')], (2,))], 'fortran_order': False, 'shape': (1,), }" 32
numpy fortran "{'descr': '<i2', 'fortran_order': True, 'shape': (4, 1), }" 8
printf '%s\n' 'o a' 'v 0 0 0 1 0 0' 'v 1 0 0 0.5 0.25 1' 'v 0 1 0 0 1 0' 'v 1 1 0 0 0 1' 'vt 0 1' 'vn 0 0 1' 'g b' 'usemtl c' \
  'f 1/1/1 2/1/1 3/1/1' 'f 1//1 2//1 4//1 -1//-1' 'f 1 2 3 4' 'l 1 2' 'p 1' > corpus/obj/all
for file in ../frontend/tests/data/pdb/*.pdb; do
  head -c 4000 "$file" > "corpus/structurize/$(basename "$file")"
done
# Each family of shapes with a few sizes: its number and the size, in three bytes.
mkdir -p corpus/shapes
for family in $(seq 0 57); do
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
