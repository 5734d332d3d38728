#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/fuzz/run.sh SECONDS [TARGET...]: builds the fuzz targets with clang and runs each for so long, as many at once as
# there are processors. Status 0: nothing was found. What was found is in build/fuzz/findings.
#   --keep    afterwards the corpora of this folder are made anew, of what adds to the code that is reached
# KPARSE_FUZZ_BUILD: a build folder of the preset fuzz instead of build/fuzz, used as it is.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

keep=
if [ "${1-}" = --keep ]; then keep=1; shift; fi
seconds=${1:?usage: tests/fuzz/run.sh [--keep] SECONDS [TARGET...]}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(frames dialogue lint messages payloads records codecs capture_file packets segments encode craft settings tls_records tls_key_log)
jobs=$(nproc)
build=${KPARSE_FUZZ_BUILD-}
if [ -z "$build" ]; then
  build=build/fuzz
  command -v clang++ >/dev/null || { echo "clang++ isn't here"; exit 2; }
  cmake --preset fuzz >/dev/null && cmake --build --preset fuzz -j "$jobs" --target fuzz || exit 2
fi
work=$build/corpora findings=$build/findings
mkdir -p "$findings"

corpus_of() {
  case $1 in
    tls_*) echo "tests/tls/data/${1#tls_}.corpus" ;;
    *) echo "tests/fuzz/corpus/$1.corpus" ;;
  esac
}

# No input may take more than seconds or a gigabyte, nor ask for much memory at once.
limits=(-rss_limit_mb=1024 -malloc_limit_mb=300 -timeout=10 -max_len=8192)
fuzz_one() {
  local t=$1 log=$findings/$1.log
  mkdir -p "$work/$t"
  [ ! -e "$(corpus_of "$t")" ] || "$build/tests/fuzz_driver" --unpack "$(corpus_of "$t")" "$work/$t" || return 1
  if "$build/tests/fuzz_$t" "$work/$t" "${limits[@]}" -max_total_time="$seconds" -dict=tests/fuzz/kafka.dict \
      -artifact_prefix="$findings/$t-" -print_final_stats=1 >"$log" 2>&1; then
    echo "$t: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, $(grep -o 'cov: [0-9]*' "$log" | tail -n 1), nothing found"
  else
    echo "$t: FOUND, see $log"
    tail -n 30 "$log"
    return 1
  fi
}
keep_one() {
  local t=$1 small=$work/$1.small
  rm -rf "$small"
  mkdir -p "$small"
  # Edges count, not how often: corpora stay small.
  "$build/tests/fuzz_$t" -merge=1 -use_counters=0 "${limits[@]}" "$small" "$work/$t" >"$findings/$t.merge.log" 2>&1 &&
    "$build/tests/fuzz_driver" --pack "$small" "$(corpus_of "$t")"
}
export -f fuzz_one keep_one corpus_of
export work findings build seconds
failed=0
run_all() { # FUNCTION
  printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c "$(declare -p limits); $1 {}" || failed=1
}
run_all fuzz_one
[ -z "$keep" ] || run_all keep_one
exit $failed
