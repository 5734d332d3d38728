#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What dump prints of a capture becomes a script, and what dump prints of the crafted capture must be the same bodies.

round_trip.py KPARSE FOLDER|CAPTURE... [--limit N]
The last line is "N checked, N wrong"; status 77 where the captures aren't there. Left out: frames with errors or notes,
record sets that end in a part of a batch, raw SASL tokens, unknown APIs.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

limit = int(sys.argv[sys.argv.index("--limit") + 1]) if "--limit" in sys.argv else 40
args = [a for i, a in enumerate(sys.argv[1:], 1) if not a.startswith("--") and sys.argv[i - 1] != "--limit"]
kparse, places = args[0], args[1:]
DERIVED = {"sizeInBytes", "batchLength", "crc"}  # other compressors than ours give other bytes


def captures():
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, _, names in sorted(os.walk(place)):
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith((".pcap", ".pcapng", ".pcap.gz")))


def dump(name):
    out = subprocess.run([kparse, "dump", "--format", "ndjson", "--secrets", "show", name], capture_output=True)
    return [json.loads(line) for line in out.stdout.decode("utf-8", "replace").splitlines()]


def usable(f):
    text = json.dumps(f.get("body"))
    return ("body" in f and "error" not in f and "notes" not in f and '"partial"' not in text and '"error": {' not in text
            and "\ufffd" not in json.dumps(f, ensure_ascii=False))


def bare(v):
    if isinstance(v, dict):
        return {k: bare(x) for k, x in v.items() if k not in DERIVED}
    return [bare(x) for x in v] if isinstance(v, list) else v


def check(capture):
    talks = {}
    for f in dump(capture):
        talks.setdefault((f["conversation"], f["client"], f["server"]), []).append(f)
    connections, expected = [], []
    for n, frames in enumerate(talks.values()):
        answers = {}
        for f in frames:
            if f["kind"] == "response" and usable(f) and f.get("requestPacket"):
                answers.setdefault((f["api"], f["correlationId"], f["requestPacket"]), f)
        steps = []
        # A client that gives every request the same id relies on the order of answers, of which some are left out here.
        ids = [f["correlationId"] for f in frames if f["kind"] == "request"]
        unique = len(set(ids)) > len(ids) // 2
        for f in frames:
            if len(expected) >= limit or f["kind"] != "request" or not usable(f) or (f["api"], f["version"]) == ("SaslHandshake", 0):
                continue
            step = {"request": f["api"], "version": f["version"], "clientId": f["clientId"], "body": f["body"]}
            if unique:
                step["correlationId"] = f["correlationId"]
            expected.append(f if unique else {k: v for k, v in f.items() if k != "correlationId"})
            if a := answers.get((f["api"], f["correlationId"], f["packet"])):
                step["answer"] = a["body"]
                if a["api"] == "ApiVersions" and a["body"].get("errorCode") == 35:  # answered in version 0
                    step["answerVersion"] = 0
                expected.append(a if unique else {k: v for k, v in a.items() if k != "correlationId"})
            steps.append(step)
        if steps:
            # ahead of all others, so that frames of a conversation follow one another
            connections.append({"client": f"10.1.{n // 250}.{n % 250 + 1}:40000", "begin": f"{n * 100}s", "steps": steps})
    if not connections:
        return 0, []
    with tempfile.TemporaryDirectory() as folder:
        script, out = os.path.join(folder, "s.json"), os.path.join(folder, "x.pcapng")
        with open(script, "w") as f:
            json.dump({"start": "2026-01-02T03:04:05Z", "connections": connections}, f, indent=1, ensure_ascii=len(expected) % 2 == 0)
        done = subprocess.run([kparse, "craft", script, "-o", out], capture_output=True, text=True)
        if done.returncode != 0:
            return len(expected), [f"{capture}: status {done.returncode}: {done.stderr.strip()}"]
        got = [f for f in dump(out) if f["kind"] in ("request", "response")]
    wrong = []
    if len(got) != len(expected):
        wrong.append(f"{capture}: {len(got)} frames instead of {len(expected)}")
    for a, b in zip(expected, got):
        for member in ("kind", "api", "version", "correlationId", "clientId"):
            if member in a and a[member] != b.get(member):
                wrong.append(f"{capture}: packet {a['packet']}: {member} {b.get(member)} instead of {a.get(member)}")
        if bare(a["body"]) != bare(b.get("body")):
            wrong.append(f"{capture}: packet {a['packet']}: {a['api']} v{a['version']} {a['kind']}: another body")
    return len(expected), wrong


found = list(captures())
if not found:
    sys.exit(77)
checked, wrong = 0, []
with concurrent.futures.ThreadPoolExecutor(max_workers=int(os.environ.get("CTEST_PARALLEL_LEVEL", "2"))) as pool:
    for n, w in pool.map(check, found):
        checked += n
        wrong += w
for line in wrong:
    print(line)
print(f"{checked} checked, {len(wrong)} wrong")
sys.exit(1 if wrong else 0)
