#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A picture of Wireshark with the plugin, dissector/screenshot.png: a Produce request with its record headers unfolded.
# It proves that the plugin lives in the GUI too, where much is asked of it that tshark never does.
#   tests/dissector/screenshot.sh [PICTURE [CAPTURE PACKET TEXT]]
# TEXT: how the row begins that is chosen in the packet's tree, all of which is unfolded.
# KPARSE_PLUGIN: the plugin (default: build/release/plugins/kparse.so).
# Needs wireshark, xvfb, xdotool and imagemagick, which it installs when root calls it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tools/packages.sh
install_packages wireshark xvfb xdotool imagemagick

picture=${1:-dissector/screenshot.png}
capture=${2:-samples/captures/librdkafka-snappy-ipv6.pcap}
packet=${3:-23}
text=${4:-header: traceparent}
plugin=${KPARSE_PLUGIN:-build/release/plugins/kparse.so}
[ -e "$plugin" ] || { echo "$plugin isn't built" >&2; exit 1; }

work=$(mktemp -d)
pids=()
# Only what was started here.
finish() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
version=$(wireshark --version 2>/dev/null | sed -nE '1s/^[^0-9]*([0-9]+\.[0-9]+)\..*/\1/p')
config=$work/home/.config/wireshark
mkdir -p "$work/plugins/$version/epan" "$config" "$work/run"
cp "$plugin" "$work/plugins/$version/epan/"
cp "$capture" "$work/"
cat >"$config/preferences" <<EOF
gui.update.enabled: FALSE
gui.geometry.save.size: TRUE
gui.geometry.save.position: TRUE
gui.column.format: "No.", "%m", "Time", "%t", "Source", "%s", "Destination", "%d", "Protocol", "%p", "Info", "%i"
gui.layout_type: 2
gui.qt.font_name: DejaVu Sans Mono,10,-1,5,50,0,0,0,0,0
EOF
cat >"$config/recent_common" <<EOF
gui.geometry_main_x: 0
gui.geometry_main_y: 0
gui.geometry_main_width: 1440
gui.geometry_main_height: 960
gui.geometry_main_maximized: FALSE
EOF
cat >"$config/recent" <<EOF
gui.geometry_main_upper_pane: 190
gui.geometry_main_lower_pane: 820
gui.toolbar_main_show: FALSE
gui.statusbar_show: FALSE
EOF
# Root is not who Wireshark loads plugins of WIRESHARK_PLUGIN_DIR for.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
  chown -R nobody: "$work"
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

Xvfb -displayfd 3 -screen 0 1440x960x24 -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
pids+=($!)
for _ in $(seq 50); do [ -s "$work/display" ] && break; sleep 0.1; done
export DISPLAY=:$(cat "$work/display")

wireshark=("${as_user[@]}" env HOME="$work/home" XDG_RUNTIME_DIR="$work/run" WIRESHARK_PLUGIN_DIR="$work/plugins" TZ=UTC
  LC_ALL=C.UTF-8 wireshark)
"${wireshark[@]}" -r "$work/$(basename "$capture")" -g "$packet" -Y kparse >"$work/wireshark.log" 2>&1 &
pids+=($!)

# The way down from the packet's first row of Kafka to the one that begins with the text, past rows that are closed
# again since there is little to see in them. tshark prints the rows as the window has them.
keys=$("${wireshark[@]/wireshark/tshark}" -2 -r "$work/$(basename "$capture")" -Y "frame.number==$packet" -V 2>/dev/null |
  sed -n '/^Kafka (kparse)/,$p' | awk -v text="$text" '
    { match($0, /^ */); depth = RLENGTH; row = substr($0, depth + 1) }
    found || (closed && depth > inside) { next }
    { closed = 0 }
    NR > 1 { printf "Down " }
    index(row, text) == 1 { found = 1; next }
    row ~ /^(Header v|attributes: 0x0...|(baseT|maxT|t)imestamp: )/ { printf "Left "; closed = 1; inside = depth }
    END { exit !found }') || { echo "packet $packet has no row that begins with '$text'" >&2; exit 1; }

# Waits until the window has come to rest: keys and pictures come no faster than it can follow.
rest() {
  local before= now
  for _ in $(seq 60); do
    sleep 1
    now=$(import -window root rgb:- | md5sum)
    [ "$now" != "$before" ] || return 0
    before=$now
  done
}

# The title is the capture's name once it is loaded.
window=$(timeout 120 xdotool search --sync --onlyvisible --name "$(basename "$capture")" | head -n 1)
rest
xdotool windowfocus --sync "$window"
# The tree, its last row, which is Kafka's; everything below it unfolded.
xdotool mousemove 300 300 click 1
xdotool key --delay 100 Home Down Down Down Down shift+Right
rest
xdotool key --delay 30 $keys
rest
xdotool key --delay 30 --repeat 9 Down && xdotool key --delay 30 --repeat 9 Up
xdotool mousemove 1439 0
rest
import -window root "$work/shot.png"
convert "$work/shot.png" +dither -colors 128 -define png:compression-level=9 "$picture"
echo "$picture: $(stat -c %s "$picture") bytes"
