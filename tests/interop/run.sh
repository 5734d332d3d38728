#!/bin/bash
# SPDX-License-Identifier: MIT
# kparse and Kafka's own classes read each other's bytes: record sets, messages, snappy. Needs Java 17 and Maven, which
# fetches kafka-clients into the build folder; where they are missing it says so and ends with 77 (skipped).
# usage: run.sh INTEROP_PROGRAM FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
interop=$1 folder=$2
skip() { echo "skipped: $*: nothing was compared with Kafka's classes"; exit 77; }

for program in java javac mvn; do
  command -v $program >/dev/null || skip "$program is not installed"
done
mkdir -p "$folder" && cd "$folder" || exit 2
# fetch VERSION: its jars to lib-VERSION
fetch() {
  cmp -s "$here/pom.xml" "lib-$1/pom.xml" && return
  rm -rf "lib-$1"
  mvn -q -B -f "$here/pom.xml" -Dkafka="$1" -DoutputDirectory="$folder/lib-$1" \
    org.apache.maven.plugins:maven-dependency-plugin:copy-dependencies >mvn.log 2>&1 ||
    skip "Maven could not fetch kafka-clients $1 (see $folder/mvn.log)"
  cp "$here/pom.xml" "lib-$1/"
}
# kafka VERSION MAIN-CLASS SOURCE...: compiles and runs it.
kafka() {
  local version=$1 main=$2
  shift 2
  mkdir "classes-$version"
  (cd "$here" && javac -cp "$folder/lib-$version/*" -d "$folder/classes-$version" "$@") || return
  java -cp "lib-$version/*:classes-$version" "$main" ours theirs 2>&1 | grep -v SLF4J
}
fetch 4.4.0
fetch 3.9.1
rm -rf ours theirs classes-*
status=0
"$interop" write ours || status=1
kafka 4.4.0 Interop Interop.java Records.java Xerial.java Messages.java Tally.java || status=1
kafka 3.9.1 OlderMessages OlderMessages.java Messages.java Tally.java || status=1
"$interop" read theirs || status=1
exit $status
