#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/compare.sh [CAPTURE-KIND...]: kparse beside libpcap's bare loop, a hand-written walk and tshark, in the same
# run; prints the ratios. Needs ../shared/bench, and a release build. Captures are made once, in build/bench.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
kit=$root/../shared/bench
[ -d "$kit" ] || { echo "skipped: no $kit"; exit 77; }
work=$root/build/bench
mkdir -p "$work"
[ -x "$work/bin/refwalk" ] || "$kit/setup.sh" "$work/bin"
[ -e "$work/captures/none.pcap" ] || "$kit/captures.sh" "$work/bin" "$work/captures"
exec "$kit/compare.py" --kparse "$root/build/release/bin/kparse" --bin "$work/bin" --captures "$work/captures" --tshark "$@"
