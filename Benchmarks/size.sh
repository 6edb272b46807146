#!/usr/bin/env bash
# Builds small programs that carry the Swift runtime in them, and prints how large they are.
set -euo pipefail
cd "$(dirname "$0")"

scratch=.build-static
stripped=$(mktemp)
log=$(mktemp)
trap 'rm -f "$stripped" "$log"' EXIT
printf '%-14s %12s %12s\n' "bytes of" linked stripped
for program in StartRaw StartGRDB StartSkiathos; do
    swift build -c release --static-swift-stdlib --scratch-path "$scratch" --product "$program" \
        > "$log" 2>&1 || { cat "$log"; exit 1; }
    binary=$(swift build -c release --scratch-path "$scratch" --show-bin-path)/$program
    strip -o "$stripped" "$binary"
    printf '%-14s %12d %12d\n' "$program" "$(wc -c < "$binary")" "$(wc -c < "$stripped")"
done
