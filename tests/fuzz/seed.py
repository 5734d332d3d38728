#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs to begin fuzzing with, out of Kafka's own vectors and real captures.

usage: seed.py SHARED FOLDER     SHARED: the folder with golden/ and captures/; FOLDER gets a folder for each target
"""
import base64
import glob
import gzip
import json
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "hostile"))
from packets import read_pcap, segment_of  # noqa: E402

MOST = 4000     # bytes of an input
rng = random.Random(1)


class Out:
    def __init__(self, folder):
        self.folder, self.n = folder, 0

    def add(self, target, data, most=MOST):
        if not data or len(data) > most:
            return
        os.makedirs(os.path.join(self.folder, target), exist_ok=True)
        with open(os.path.join(self.folder, target, f"seed-{self.n}"), "wb") as f:
            f.write(data)
        self.n += 1


def lines(path):
    with gzip.open(path, "rt") as f:
        for line in f:
            yield json.loads(line)


def fnv(name):
    h = 2166136261
    for c in name.encode():
        h = (h ^ c) * 16777619 & 0xffffffff
    return h & 255


def selector(m, lowest):
    """As choose_message() reads it."""
    kind = m["type"].lower()
    key = m.get("apiKey", -1)
    if kind in ("request", "response") and 0 <= key < 128:
        return bytes([key | (0x80 if kind == "response" else 0), (m["version"] - lowest[m["message"]]) & 255, 0])
    return bytes([127, (m["version"] - lowest[m["message"]]) & 255, fnv(m["message"])])


def u16(n):
    return struct.pack(">H", n)


def messages(shared, out):
    all_of = []
    for path in sorted(glob.glob(os.path.join(shared, "golden", "messages-*.jsonl.gz"))):
        all_of += [m for m in lines(path) if m.get("layout") != "old"]
    lowest, pairs = {}, {}
    for m in all_of:
        lowest[m["message"]] = min(lowest.get(m["message"], 99), m["version"])
    for m in all_of:
        body = bytes.fromhex(m["hex"])
        if len(body) > MOST or m["mode"].startswith(("string", "array")) and rng.random() < 0.8:
            continue
        out.add("messages", selector(m, lowest) + body)
        if rng.random() < 0.4:
            out.add("encode", selector(m, lowest) + json.dumps(m["json"], separators=(",", ":")).encode())
        kind = m["type"].lower()
        if kind in ("request", "response") and 0 <= m.get("apiKey", -1) < 128:
            pairs.setdefault((m["apiKey"], m["version"]), {}).setdefault(kind, []).append(body)
    for (key, version), p in pairs.items():
        for a in range(3):
            if len(p) < 2:
                continue
            q, r = rng.choice(p["request"]), rng.choice(p["response"])
            step = b"\x02" + bytes([key, version]) + u16(len(q)) + q + b"\x07" + u16(len(r)) + r
            for target in ("dialogue", "lint", "frames"):
                out.add(target, bytes([rng.randrange(4) << 2 | rng.choice((0, 0, 0, 1))]) + step)


def talks(shared, out):
    for path in sorted(glob.glob(os.path.join(shared, "captures", "*", "*.pcap")) + glob.glob(os.path.join(shared, "captures", "real", "*", "*.pcap"))):
        capture = read_pcap(path)
        if capture is None or "public" in path:
            continue
        link, packets = capture
        for p in packets[:40]:
            if len(p.data) < 500 and rng.random() < 0.1:
                links = [1, 113, 276, 0, 101, 9, 50, 51, 104, 228, 229, 12, 108, 105]
                if link in links:
                    out.add("packets", bytes([links.index(link)]) + b"\0\0" + u16(len(p.data)) + p.data)
        if os.path.getsize(path) < 20000:
            with open(path, "rb") as f:
                out.add("capture_file", f.read()[:MOST])
        talk, client, size = {}, {}, {}
        for p in packets:
            s = segment_of(link, p)
            if s is None or s.end <= s.payload:
                continue
            pair = frozenset((s.source, s.target))
            client.setdefault(pair, s.source)
            size[pair] = size.get(pair, 0) + s.end - s.payload
            if size[pair] < MOST:
                side = 0 if s.source == client[pair] else 16
                talk[pair] = talk.get(pair, b"") + bytes([side]) + u16(s.end - s.payload) + p.data[s.payload:s.end]
        for t in list(talk.values())[:6]:
            for target in ("dialogue", "lint", "frames"):
                out.add(target, bytes([rng.randrange(4) << 2]) + t)


def records(shared, out):
    codecs = {1: 0, 2: 1, 3: 2, 4: 3}
    for r in lines(os.path.join(shared, "golden", "records.jsonl.gz")):
        if "hex" not in r:
            continue
        data = bytes.fromhex(r["hex"])
        out.add("records", bytes([rng.choice((0x10, 0x50, 0x90, 0xd0))]) + data)
        if len(data) > 61 and data[16] == 2 and data[22] & 7 in codecs:
            out.add("codecs", bytes([codecs[data[22] & 7]]) + data[61:])
        elif len(data) > 40 and data[16] == 1:
            out.add("codecs", bytes([8 | rng.randrange(8)]) + data[34:])
    kinds = ["consumer-subscription", "consumer-assignment", "assignor-user-data-sticky", "assignor-user-data-cooperative-sticky",
             "streams-subscription-info", "streams-assignment-info", "connect-metadata", "connect-assignment", "principal",
             "envelope-request", "envelope-response", "coordinator-key", "coordinator-value", "cluster-metadata-value",
             "remote-log-metadata-value", "control-value", "telemetry"]
    for e in lines(os.path.join(shared, "golden", "embedded.jsonl.gz")):
        kind = kinds.index(e["kind"]) if e["kind"] in kinds else rng.randrange(17)
        out.add("payloads", bytes([0, kind, e.get("version", 0) & 255, 0]) + bytes.fromhex(e["hex"]))
    for mechanism, token in ((0, b"\0alice\0alice-secret"), (1, b"n,,n=alice,r=fyko+d2lbbFgONRv9qkxdawL"), (3, b"n,a=u,\x01auth=Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.\x01\x01"),
                             (1, b"r=fyko3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096"), (2, b"c=biws,r=abc,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=")):
        out.add("payloads", bytes([2, mechanism << 1 | 1]) + token)
    headers = b"\x04\x16traceparent\x6e00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\x04ab\x01"
    out.add("payloads", b"\x03\x03key" + u16(len(headers)) + headers + b"\0\0\0\0\x07value")
    out.add("payloads", b"\x03\0" + u16(0) + b'{"specversion":"1.0","id":"1","source":"/x","type":"t","schema":null,"payload":{}}')


def texts(out):
    root = os.path.join(HERE, "..", "..")
    for path in glob.glob(os.path.join(root, "samples", "captures", "crafted", "*")) + glob.glob(os.path.join(root, "tests", "lint", "fixtures", "*.yaml")):
        with open(path, "rb") as f:
            out.add("craft", f.read())
    register = b"# ours\nkey 4711 acme.tenant whom it belongs to\nkey 0x00110010 app.name\nkey -3 x\nheader x-acme-* acme our gateway's\n"
    config = b'[lint]\nselect = ["KP-CRC", "KP-BATCH-*"]\nignore = ["KP-SLOW"]\nfail-on = "warning"\nbaseline = "known.json"\ncompacted = ["a"]\n[lint.set]\n"KP-SLOW.ms" = 200\n[audit]\ntarget = "4.0"\n'
    baseline = b'{"schemaVersion":1,"kparse":"0.1.0","findings":[{"fingerprint":"KP-CRC|a|Produce|t||m","rule":"KP-CRC","message":"m"}]}'
    for n, text in ((0, register), (1, config), (2, baseline)):
        out.add("settings", bytes([n]) + text)
    for n in range(60):
        out.add("segments", bytes(rng.randrange(256) if i % 4 else rng.choice((0, 8, 1, 9, 0x40, 0x48)) for i in range(rng.randrange(8, 400))))


def main():
    shared, out = sys.argv[1], Out(sys.argv[2])
    messages(shared, out)
    talks(shared, out)
    records(shared, out)
    texts(out)
    print(f"{out.n} inputs")


if __name__ == "__main__":
    main()
