#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin in another Wireshark than this system's: Debian 13's (4.4) or Debian unstable's (4.6), in a chroot that is
# made at the first call (40 s to 2 min, 900 MB). Builds the library and the plugin in there, loads it, and compares what
# Wireshark shows with `kparse dump`, as compare.py does.
#   tests/dissector/other-wireshark.sh trixie|sid [CAPTURE|FOLDER...]
# KPARSE_OTHER: the folder of the chroots, one for each suite (default: kparse/ in the user's cache folder).
# KPARSE_COMMAND: the kparse command to compare with (default: build/release/bin/kparse).
# Needs root. Where it can't be done, the last line is "skipped: ..." and the status 77.
set -euo pipefail
case ${1:-} in
  trixie | sid) suite=$1 ;;
  *) echo "usage: tests/dissector/other-wireshark.sh trixie|sid [CAPTURE|FOLDER...]" >&2; exit 2 ;;
esac
shift
captures=()
for capture; do captures+=("$(realpath "$capture")"); done
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ ${#captures[@]} -gt 0 ] || captures=(samples/captures/*.pcap*)

skip() {
  echo "skipped: $*"
  exit 77
}

root=${KPARSE_OTHER:-${XDG_CACHE_HOME:-$HOME/.cache}/kparse}/$suite
kparse=${KPARSE_COMMAND:-build/release/bin/kparse}
packages=tshark,wireshark-dev,g++,cmake,ninja-build,pkg-config,libisal-dev,libsnappy-dev,liblz4-dev,libzstd-dev,zlib1g-dev,libssl-dev

[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
[ -x "$kparse" ] || skip "$kparse isn't built (cmake --preset release && cmake --build --preset release)"

if [ ! -x "$root/usr/bin/tshark" ]; then
  command -v mmdebstrap >/dev/null || skip "mmdebstrap isn't installed"
  echo "Making a chroot of $suite in $root"
  rm -rf "$root.part"
  mkdir -p "$(dirname "$root")"
  # The suite's Release file may be older than it says it is good for.
  if ! mmdebstrap --quiet --variant=minbase --include="$packages" --aptopt='Acquire::Check-Valid-Until "false"' \
    --aptopt='Acquire::Languages "none"' "$suite" "$root.part" >"$root.log" 2>&1; then
    rm -rf "$root.part"
    tail -n 5 "$root.log"
    skip "mmdebstrap could not make a chroot of $suite (no network?): see $root.log"
  fi
  mv "$root.part" "$root"
fi

# Only what the plugin is made of; with their times, so that the next build is short.
mkdir -p "$root/kparse"
rm -rf "$root/kparse/source"
mkdir "$root/kparse/source"
cp -a CMakeLists.txt libkparse dissector "$root/kparse/source/"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"; }
inside cmake -S /kparse/source -B /kparse/build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKPARSE_TOOLS=OFF \
  -DKPARSE_TESTS=OFF >/dev/null
inside cmake --build /kparse/build --target kparse_plugin -j "$(nproc)"

plugin=$root/kparse/build/plugins/kparse.so
[ -e "$plugin" ] || { echo "no plugin came out of the build"; exit 1; }
inside tshark --version | sed -n 1p  # not head: what it leaves unread would end this script
exec python3 tests/dissector/compare.py "$kparse" "$plugin" "${captures[@]}" --root "$root"
