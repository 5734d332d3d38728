#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""merge.py KPARSE SAMPLES: the report of several captures in one run is the sum of their reports, in whatever order.

Counts add up by row, largest and first values are those of the parts, sets are united. Percentiles and means can't be
told from those of the parts, but must lie between them. Exit 1 if something is wrong.
"""
import itertools
import json
import os
import subprocess
import sys

# What isn't a sum: of all captures together, or named only where the capture tells.
MAX = {"max", "lastTimestamp", "partitions"}
MIN = {"firstTimestamp"}
BETWEEN = {"p50", "p90", "p99", "mean"}
SAME = {"brokerId", "port"}
# What a row is; topics that are named only in one capture, and have their id too in another, are the same. Everything else of it is counted, united or said by each of its parts alike.
KEYS = {
    "apis": ("apiKey",),
    "topics": ("topic",),
    "clients": ("clientId", "software", "softwareVersion", "principal", "mechanism", "authenticated"),
    "brokers": ("address",),
    "groups": ("group",),
    "headers": ("name",),
    "errors": ("apiKey", "code", "topic", "partition", "group", "clientId"),
}
FIRST = {"firstCapture", "firstPacket"}
LIMITS = {"limits", "stopped", "membersCut"}


def report(kparse, *captures):
    r = subprocess.run([kparse, "report", "--format", "json", "--no-lint", *captures], capture_output=True)
    if r.returncode != 0:
        raise SystemExit(f"status {r.returncode}: {r.stderr.decode()}")
    return json.loads(r.stdout)


def number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def compare(where, whole, parts, wrong, key=""):
    """`parts`: the values of those captures that have one."""
    parts = [p for p in parts if p is not None]
    if key in LIMITS or key in FIRST:
        return
    if not parts:
        if whole is not None:
            wrong.append(f"{where}: {whole} out of nothing")
    elif isinstance(whole, dict):
        for name in set(whole).union(*parts):
            compare(f"{where}.{name}", whole.get(name), [p.get(name) for p in parts], wrong, name)
    elif isinstance(whole, list):
        if where in KEYS:
            rows(where, whole, parts, KEYS[where], wrong)
        elif any("addresses" in c for c in whole):  # clients of a group, producers of a topic
            rows(where, whole, parts, ("clientId",), wrong)
        elif key != "slowest" and sorted(map(json.dumps, whole)) != sorted(set(map(json.dumps, itertools.chain(*parts)))):
            wrong.append(f"{where}: {whole} of {parts}")
    elif number(whole) and key not in SAME:
        low, high = min(parts), max(parts)
        if key in BETWEEN:
            right = low * 0.98 <= whole <= high * 1.02  # steps of a histogram
        else:
            right = whole == (high if key in MAX else low if key in MIN else sum(parts))
        if not right:
            wrong.append(f"{where}: {whole} of {parts}")
    elif whole not in parts:
        wrong.append(f"{where}: {whole} of {parts}")


def rows(where, whole, parts, names, wrong):
    def by_key(table):
        return {tuple(row[n] or row.get("topicId") if n == "topic" else row[n] for n in names): row for row in table}
    tables, mine = [by_key(t) for t in parts], by_key(whole)
    for row in set(mine).union(*tables):
        if row not in mine:
            wrong.append(f"{where}: no row {row}")
            continue
        fields = {n: v for n, v in mine[row].items() if n not in names}
        compare(f"{where}[{row}]", fields, [{n: v for n, v in t[row].items() if n not in names} for t in tables if row in t], wrong)


def check(kparse, captures, alone, wrong):
    whole = report(kparse, *captures)
    parts = [alone[c] for c in captures]
    for name, value in whole.items():
        if name == "inputs":
            if sorted(map(json.dumps, value)) != sorted(json.dumps(i) for p in parts for i in p["inputs"]):
                wrong.append("inputs")
        elif name not in ("schemaVersion", "kparse", "slowest"):
            compare(name, value, [p[name] for p in parts], wrong, name)
    latencies = sorted((s["latencyMs"] for p in parts for s in p["slowest"]), reverse=True)
    if [s["latencyMs"] for s in whole["slowest"]] != latencies[:len(whole["slowest"])]:
        wrong.append("slowest")
    return whole


def main():
    kparse, samples = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    captures = sorted(e.path for e in os.scandir(samples) if ".pcap" in e.name)
    alone = {c: report(kparse, c) for c in captures}
    checked = bad = 0
    groups = [(a, b) for a, b in zip(captures, captures[1:] + captures[:1])] + [tuple(captures), tuple(reversed(captures))]
    for group in groups:
        wrong = []
        check(kparse, group, alone, wrong)
        checked += 1
        bad += bool(wrong)
        for line in wrong[:10]:
            print(f"{len(group)} captures from {os.path.basename(group[0])} on: {line[:400]}")
    print(f"{checked} checked, {bad} wrong")
    return 1 if bad or len(captures) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
