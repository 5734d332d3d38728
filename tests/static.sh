#!/bin/bash
# SPDX-License-Identifier: MIT
# What clang warns of and clang-tidy finds (.clang-tidy says what is looked for), as errors, in files of the library, the
# command and the plugin.
# usage: tests/static.sh [FILE...]     without files: all, half an hour on two processors
# Takes build/release as it was built, or makes of it what the files need. The last line is "N checked, N wrong"; status 1
# if something was found.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. tools/packages.sh

install_packages $build_packages $plugin_packages $static_packages || exit 2
work=build/static
mkdir -p $work
if [ ! -e build/release/compile_commands.json ]; then
  cmake --preset release -DKPARSE_TESTS=OFF >/dev/null || exit 2
fi
cmake --build --preset release --target libkparse/generated/schema_tables.cpp libkparse/generated-lint/error_severity_table.inc >/dev/null || exit 2
# clang can't read gcc's precompiled headers, and needs none.
sed 's/ -Winvalid-pch//; s/ -include [^ ]*cmake_pch\.hxx//' build/release/compile_commands.json >$work/compile_commands.json

if [ $# -gt 0 ]; then
  files=("$@")
else
  mapfile -t files < <(sed -n 's/.*"file": "\(.*\)".*/\1/p' $work/compile_commands.json | grep -E "^$PWD/(libkparse|tools|dissector)/" | sort -u)
fi

check() {
  local log
  log=$(clang-tidy --quiet -p build/static "$1" 2>&1) && return
  printf '%s\n%s\n' "$1" "$(grep -vE '^[0-9]+ warnings? ' <<<"$log")"
}
export -f check
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c 'check "$0"' | tee $work/log
wrong=$(grep -cE '^[^ ]*\.(cpp|h):[0-9]+:[0-9]+: (error|warning):' $work/log)
echo "${#files[@]} checked, $wrong wrong"
[ "$wrong" -eq 0 ]
