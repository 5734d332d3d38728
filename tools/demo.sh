#!/bin/bash
# SPDX-License-Identifier: MIT
# From a bare Debian 12 to a report in some minutes: installs what is missing, builds the kparse command, and lets it
# report on the captures of samples/captures, or on those that are named:  tools/demo.sh [CAPTURE...]
set -euo pipefail
captures=()
for capture; do captures+=("$(realpath "$capture")"); done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

install_packages $build_packages
cmake --preset release -DKPARSE_TESTS=OFF >/dev/null
cmake --build --preset release --target kparse_command
kparse=build/release/bin/kparse

if [ ${#captures[@]} -eq 0 ]; then
  echo
  echo "\$ kparse report samples/captures/java-4.3-headers-lz4.pcap"
  $kparse report samples/captures/java-4.3-headers-lz4.pcap
  echo
  captures=(samples/captures/*.pcap*)
fi
echo "\$ kparse report ${captures[*]}"
$kparse report "${captures[@]}"
