#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the Wireshark plugin and puts it where Wireshark looks for the plugins of the user who calls this; called by
# root, where it looks for those of all users.
#   tools/install-plugin.sh [--uninstall]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

die() {
  printf '%s\n' "$@" >&2
  exit 1
}

# Wireshark or tshark: both know the folders and the version.
program() {
  local name
  for name in tshark wireshark; do
    command -v "$name" && return
  done
  die "Neither tshark nor Wireshark is installed here." "Debian: apt-get install wireshark (or tshark)"
}

folder() { "$wireshark" -G folders 2>/dev/null | sed -n "s/^$1:[[:space:]]*//p" | head -n 1; }

# "4.0" of "4.0.17"
minor() { sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<<"$1"; }

wireshark=$(program)
version=$("$wireshark" --version 2>/dev/null | sed -nE '1s/^[^0-9]*([0-9]+\.[0-9]+\.[0-9]+).*/\1/p')
[ -n "$version" ] || die "$wireshark --version doesn't tell its version."

# Wireshark ignores personal plugins (and WIRESHARK_PLUGIN_DIR) when root runs it.
if [ "$(id -u)" -eq 0 ]; then
  place=$(folder "Global Plugins")
  whose="all users (as root, Wireshark ignores personal plugins)"
else
  place=$(folder "Personal Plugins")
  whose="$(id -un)"
fi
[ -n "$place" ] || die "$wireshark -G folders names no folder for plugins: was it built without them?"
# Older versions name the folder without the version.
[ "$(basename "$place")" = "$(minor "$version")" ] || place=$place/$(minor "$version")
plugin=$place/epan/kparse.so

case ${1:-} in
  --uninstall)
    [ -e "$plugin" ] || die "$plugin isn't there."
    rm "$plugin"
    echo "Removed $plugin"
    exit
    ;;
  "") ;;
  *) die "usage: tools/install-plugin.sh [--uninstall]" ;;
esac

if command -v dpkg-query >/dev/null; then install_packages $build_packages wireshark-dev; fi
configured=build/release/CMakeCache.txt
if [ -e "$configured" ]; then cmake --preset release >/dev/null; else cmake --preset release -DKPARSE_TESTS=OFF >/dev/null; fi
config=$(sed -n 's/^Wireshark_DIR:PATH=//p' "$configured")/WiresharkConfig.cmake
[ -e "$config" ] || die "Wireshark's headers aren't here. Debian: apt-get install wireshark-dev"
headers=$(sed -n 's/^set(Wireshark_VERSION "\(.*\)").*/\1/p' "$config")
[ "$(minor "$headers")" = "$(minor "$version")" ] || die \
  "The headers here are Wireshark $headers's, but $wireshark is $version: a plugin built with the ones is not loaded" \
  "by the other. Install the headers (Debian: wireshark-dev) that belong to $wireshark."
cmake --build --preset release --target kparse_plugin

mkdir -p "$place/epan"
install -m 644 build/release/plugins/kparse.so "$plugin"
echo "Installed for $whose, Wireshark $version:"
echo "  $plugin"
if ! "$wireshark" -G plugins 2>/dev/null | grep '^kparse\.so'; then
  "$wireshark" -G plugins 2>&1 | grep -i kparse >&2 || true
  die "But $wireshark doesn't load it."
fi
echo
echo "To check:  $(basename "$wireshark") -G plugins | grep kparse"
echo "To remove: tools/install-plugin.sh --uninstall"
[ "$(id -u)" -eq 0 ] || echo "When root runs Wireshark, it ignores personal plugins: capture as a user, or install as root for all."
