#!/bin/bash
# SPDX-License-Identifier: MIT
# What the compiler can't check of the design: includes that are drawn nowhere, licences, long files.
# Prints every fault; status 1 if there is one.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.." || exit 2
faults=0
fault() { echo "$*"; faults=$((faults + 1)); }

declare -A may also layer_of
while read -r name rest; do
  case $name in
    '' | '#'*) ;;
    header) read -r layer headers <<<"$rest"; for h in $headers; do layer_of[kparse/$h.h]=$layer; done ;;
    also) read -r layer headers <<<"$rest"; also[$layer]=" $headers " ;;
    *) may[$name]=" $name $rest " ;;
  esac
done <"$here/layers.txt"

# allowed FILE LAYER INCLUDE
allowed() {
  local target=$3 layer
  [[ ${also[$2]:-} == *" $target "* ]] && return
  case $target in
    kparse/*)
      layer=${layer_of[$target]:-}
      [ -n "$layer" ] || { fault "$1: $target stands in no layer of tests/layers/layers.txt"; return; }
      [[ ${may[$2]} == *" library "* ]] && return ;;
    absl/* | fmt/*) layer=external ; [[ $1 == tools/* ]] && return ;;
    */*) layer=${target%%/*}; [[ $1 == tools/* && ($layer == records || $layer == lint) ]] && layer=${layer}_tool ;;
    *) layer=$2 ;;  # beside the file
  esac
  [[ ${may[$2]} == *" $layer "* ]] || fault "$1: $2 may not include $target ($layer)"
}

check_includes() {  # FOLDER LAYER
  local file line
  [ -n "${may[$2]:-}" ] || { fault "$1: no layer of tests/layers/layers.txt"; return; }
  while IFS=: read -r file line; do
    line=${line#*\"}
    allowed "$file" "$2" "${line%%\"*}"
  done < <(grep -rHE '^ *# *include +"' --include='*.h' --include='*.cpp' "$1")
}

for folder in libkparse/src/*/; do
  [ -n "$(find "$folder" -name '*.cpp')" ] && check_includes "${folder%/}" "$(basename "$folder")"
done
for folder in tools/*/; do
  layer=$(basename "$folder")
  case $layer in records | lint) layer=${layer}_tool ;; esac
  check_includes "${folder%/}" "$layer"
done
check_includes dissector dissector
for header in libkparse/include/kparse/*.h; do
  name=kparse/$(basename "$header")
  [ -n "${layer_of[$name]:-}" ] || { fault "$header stands in no layer of tests/layers/layers.txt"; continue; }
  check_includes "$header" "${layer_of[$name]}"
done

# The library needs its four codecs and nothing else: no Abseil, fmt, RapidJSON, CLI11, pcap. Nothing includes tests.
while read -r hit; do fault "$hit: not in the library"; done < <(
  grep -rnE '^ *# *include +[<"](absl|fmt|rapidjson|CLI|pcap)' --include='*.h' --include='*.cpp' libkparse/src libkparse/include)
while read -r hit; do fault "$hit: OpenSSL belongs to the layer tls"; done < <(
  grep -rnE '^ *# *include +[<"]openssl/' --include='*.h' --include='*.cpp' libkparse dissector tools | grep -v '^libkparse/src/tls/')
while read -r hit; do fault "$hit: the library neither prints nor ends the program nor throws"; done < <(
  grep -rnE '\b(std::(cout|cerr|printf|abort|exit|terminate)|printf *\(|throw |abort *\()' --include='*.h' --include='*.cpp' libkparse/src libkparse/include |
    grep -vE '^[^:]*:[0-9]+: *(//|\*)|//.*(throw|abort|print)|"[^"]*(throw|abort|print)[^"]*"')
while read -r hit; do fault "$hit: nothing includes tests"; done < <(
  grep -rnE '^ *# *include +"(\.\./)*tests/' --include='*.h' --include='*.cpp' libkparse tools dissector samples)

while IFS= read -r -d '' file; do
  head -n 2 "$file" | grep -q 'SPDX-License-Identifier: ' || fault "$file: no SPDX line at the top"
done < <(find CMakeLists.txt .ci .clang-format .clang-tidy libkparse tools tests samples dissector -type f \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.k' -o -name '*.cmake' -o -name CMakeLists.txt -o -name '*.sh' -o -path .ci/run -o -name '.clang-*' \) -print0)

while read -r lines file; do
  [ "$file" = total ] || [ "$lines" -le 500 ] || grep -q "^$file " "$here/long_files.txt" || fault "$file: $lines lines: split it, or say why not in tests/layers/long_files.txt"
done < <(find libkparse tools dissector tests samples -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.k' -o -name '*.sh' \) -exec wc -l {} +)

echo "$faults faults"
[ "$faults" -eq 0 ]
