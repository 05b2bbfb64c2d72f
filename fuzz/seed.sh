#!/usr/bin/env bash
# Fills the corpora of the fuzz targets with the checked-in shaders.
set -euo pipefail
cd "$(dirname "$0")"
for target in container bitcode translate; do
  mkdir -p "corpus/$target"
  find ../frontend/tests/data ../hwtests -name '*.dxil' -size -16k | while read -r file; do
    cp "$file" "corpus/$target/$(sha256sum "$file" | cut -c1-16).dxil"
  done
done
