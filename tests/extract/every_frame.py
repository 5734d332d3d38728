#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Frames of captures are extracted one by one: the small capture decodes to the same body, notes and error.

every_frame.py KPARSE FOLDER|CAPTURE... [--all] [--frames N] [--redact]
Of each capture one frame of each kind, API and version, up to N (default 12); --all: every frame. --redact: the same
with --redact, where the shape of the body must stay and no text of keys, values and header values may.
The last line is "N checked, N wrong"; status 77 where the captures aren't there.
"""
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

args = [a for a in sys.argv[1:] if not a.startswith("--")]
everything, redact = "--all" in sys.argv, "--redact" in sys.argv
limit = int(sys.argv[sys.argv.index("--frames") + 1]) if "--frames" in sys.argv else 12
if "--frames" in sys.argv:
    args.remove(str(limit))
kparse, places = args[0], args[1:]
SIZES = {"sizeInBytes", "batchLength", "crc", "size"}  # what compressing again changes


def captures():
    for place in places:
        if os.path.isfile(place):
            yield place
            continue
        for folder, _, names in sorted(os.walk(place)):
            for name in sorted(names):
                if name.endswith((".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz", ".pcap.zst")):
                    yield os.path.join(folder, name)


def dump(name):
    out = subprocess.run([kparse, "dump", "--format", "ndjson", "--secrets", "show", name], capture_output=True)
    return [json.loads(line) for line in out.stdout.decode("utf-8", "replace").splitlines()]


def shape(v):
    """What redaction leaves: names, numbers and lengths."""
    if isinstance(v, dict):
        return {k: shape(x) for k, x in v.items() if k not in SIZES and not k.endswith(("ecoded", "sequence"))}
    if isinstance(v, list):
        return [shape(x) for x in v]
    return len(v.encode()) if isinstance(v, str) else v


def same(a, b):
    if redact:
        x, y = (json.dumps(shape(blank(f.get("body")))) for f in (a, b))
        return x == y
    return all(a.get(k) == b.get(k) for k in ("api", "version", "correlationId", "body", "notes", "token", "mechanism")) and (
        {k: v for k, v in a.get("error", {}).items() if k != "code"} == {k: v for k, v in b.get("error", {}).items() if k != "code"})


def blank(v):
    """Bytes are text or {"base64"}, as they happen to be."""
    if isinstance(v, dict):
        if set(v) == {"base64"}:
            return "bytes"
        return {k: "bytes" if k in ("key", "value") and not isinstance(x, (int, type(None))) else
                [[n, None if h is None else "bytes"] for n, h in x] if k == "headers" and x and isinstance(x[0], list) else blank(x)
                for k, x in v.items()}
    return [blank(x) for x in v] if isinstance(v, list) else v


def choose(frames):
    whole = [f for f in frames if f["kind"] in ("request", "response", "sasl")]
    if redact:  # of an answer without its request nothing can be read, so nothing stays
        whole = [f for f in whole if f["kind"] != "response" or f["api"]]
    if everything:
        return whole
    seen = collections.OrderedDict()
    for f in whole:
        seen.setdefault((f["kind"], f.get("api"), f.get("version"), bool(f.get("error")), "batches" in json.dumps(f.get("body"))), f)
    return list(seen.values())[:limit]


def check(capture):
    frames, checked, wrong = dump(capture), 0, []
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.pcapng")
        for f in choose(frames):
            checked += 1
            command = [kparse, "extract", "--packet", str(f["packet"]), capture, "-o", out] + (["--redact"] if redact else [])
            done = subprocess.run(command, capture_output=True, text=True)
            where = f"{capture} packet {f['packet']} {f['kind']} {f.get('api')} v{f.get('version')}"
            if done.returncode != 0:
                wrong.append(f"{where}: status {done.returncode}: {done.stderr.strip()}")
            elif not any(g["kind"] == f["kind"] and g.get("correlationId") == f.get("correlationId") and same(f, g) for g in dump(out)):
                wrong.append(f"{where}: another body")
    return checked, wrong


found = list(captures())
if not found:
    sys.exit(77)
checked = 0
wrong = []
with concurrent.futures.ThreadPoolExecutor(max_workers=int(os.environ.get("CTEST_PARALLEL_LEVEL", "2"))) as pool:
    for n, w in pool.map(check, found):
        checked += n
        wrong += w
for line in wrong:
    print(line)
print(f"{checked} checked, {len(wrong)} wrong")
sys.exit(1 if wrong else 0)
