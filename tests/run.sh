#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything that proves kparse, on a bare Debian 12: installs what is missing, builds with and without sanitizers, runs
# the tests in both, and the checks of ../shared against real captures where that folder is there.
# The last line is "N passed, N failed, N skipped"; status 0 if nothing failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. tools/packages.sh

shared=${KPARSE_SHARED:-../shared}
jobs=$(nproc)
passed=0 failed=0 skipped=0
export CTEST_PARALLEL_LEVEL=$jobs GTEST_COLOR=no

say() { printf '\n== %s (%d s)\n' "$*" $SECONDS; }

finish() {
  printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
  [ $failed -eq 0 ]
  exit
}

# step NAME COMMAND...: counts as one when it fails, and is the end.
step() {
  local name=$1
  shift
  "$@" && return
  echo "$name failed"
  failed=$((failed + 1))
  finish
}

# build PRESET [CMAKE OPTION...]
build() {
  say "build $1"
  step "configuring $1" cmake --preset "$@" >/dev/null
  step "building $1" cmake --build --preset "$1" -j "$jobs"
}

# A number out of the first line of CTest's JUnit file.
count() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\"\$/\1/p" "build/$2/tests.xml" | head -n 1; }

# run_tests PRESET [CTEST OPTION...]
run_tests() {
  local preset=$1 total bad none
  shift
  say "tests, $preset"
  rm -f "build/$preset/tests.xml"
  ctest --preset "$preset" --output-junit tests.xml --progress "$@" | grep -v '^$'
  total=$(count tests "$preset") bad=$(count failures "$preset") none=$(count skipped "$preset")
  if [ -z "$total" ]; then
    echo "ctest gave no result"
    failed=$((failed + 1))
    return
  fi
  passed=$((passed + total - bad - none)) failed=$((failed + bad)) skipped=$((skipped + none))
}

# start NAME SCRIPT ARGUMENT...: a script that compares, on the side; at most as many as there are processors.
checks=()
start() {
  local name=$1 script=$2 log
  shift 2
  if [ ! -d "$shared" ] || [ ! -e "$script" ]; then
    echo "skipped: $shared isn't here: $name"
    skipped=$((skipped + 1))
    return
  fi
  while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
  log=build/check-${#checks[@]}.log
  checks+=("$name")
  python3 "$script" build/release/bin/kparse "$@" >"$log" 2>&1 &
}
check() { start "$1" "$shared/check/$2" "${@:3}"; }
# The plugin in the tshark of this system.
wireshark() {
  if [ -e build/release/plugins/kparse.so ]; then
    start "Wireshark: $1" "tests/dissector/$2" build/release/plugins/kparse.so "${@:3}"
  else
    echo "skipped: no plugin was built: $1"
    skipped=$((skipped + 1))
  fi
}

# Their results, in order: "N checked, N wrong" is the last line of each.
finish_checks() {
  local i log last
  wait
  for i in "${!checks[@]}"; do
    log=build/check-$i.log
    last=$(tail -n 1 "$log")
    echo "${checks[$i]}: $last"
    if [[ $last =~ ^([0-9]+)\ checked,\ ([0-9]+)\ wrong ]]; then
      passed=$((passed + BASH_REMATCH[1] - BASH_REMATCH[2])) failed=$((failed + BASH_REMATCH[2]))
      [ "${BASH_REMATCH[2]}" -eq 0 ] || grep -v '^ok' "$log" | head -n 40
    else
      failed=$((failed + 1))
      tail -n 20 "$log"
    fi
  done
}

packages="$build_packages $plugin_packages $test_packages $static_packages"
[ ! -d "$shared" ] || packages="$packages $check_packages"
step "installing packages" install_packages $packages

build release -DKPARSE_TESTS=ON -DKPARSE_PCH=ON -DKPARSE_WERROR=ON
run_tests release
# What reads strangers' bytes first; all files take half an hour.
say "clang-tidy"
if tests/static.sh libkparse/src/{wire,compress,records}/*.cpp; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
# What reads bytes of strangers, not what prints: sanitizers more than double what a build takes.
build asan -DKPARSE_TESTS=ON -DKPARSE_PCH=ON -DKPARSE_COMMAND=OFF \
  -DKPARSE_TEST_PARTS="capture;compress;decode;dump;encode;frame;fuzz;headers;hostile;lint;pipeline;records;report;session;tls"
run_tests asan
# KPARSE_FUZZ_SECONDS=N fuzzes, too: N seconds each target (clang; some minutes to build).
if [ -n "${KPARSE_FUZZ_SECONDS-}" ]; then
  say "fuzzing, $KPARSE_FUZZ_SECONDS s each"
  step "installing clang" install_packages clang libclang-rt-14-dev
  if tests/fuzz/run.sh "$KPARSE_FUZZ_SECONDS"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
fi

say "checks against $shared"
check "real captures" truth.py "$shared/captures/real"
check "the report's numbers" report.py "$shared/captures/real"
check "Kafka's own vectors" golden.py "$shared/golden" --encode
check "payloads inside fields" payloads.py "$shared/golden"
check "TLS captures, closed" truth.py "$shared/captures/tls"
check "TLS captures, opened" truth.py "$shared/captures/tls" --tls
check "damaged captures" mangled.py "$shared/captures/mangled"
check "lint, cases from public bug reports" cases.py "$shared/captures/cases"
wireshark "real captures" compare.py "$shared/captures/real"
wireshark "odd captures" compare.py "$shared"/captures/{cases,probe,ooo,mock,mock-head} --two-pass
wireshark "damaged captures" compare.py "$shared/captures/mangled"
wireshark "damaged captures, two passes" compare.py "$shared/captures/mangled" --two-pass
wireshark "statistics" stats.py "$shared/captures/real/network"
finish_checks
finish
