#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The inside of damaged TLS captures: what kparse dumps of one must be part of what it dumps of the whole. Packets lost,
in another order, twice, the beginning or the end or one direction missing; with and without the start of the handshake.

usage: damaged.py KPARSE CAPTURES [SEED]     CAPTURES: the folder with *.pcap and *.keylog.txt
"""
import collections
import json
import os
import random
import struct
import subprocess
import sys
import tempfile


def read_pcap(path):
    with open(path, "rb") as f:
        data = f.read()
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\x3c\x4d": ">"}[data[:4]]
    packets, at = [], 24
    while at + 16 <= len(data):
        (size,) = struct.unpack_from(order + "I", data, at + 8)
        packets.append(data[at:at + 16 + size])
        at += 16 + size
    return data[:24], packets


def from_client(packet):
    """The client has the higher port in these captures."""
    frame = packet[16:]
    for start in (14, 16, 0):
        ip = frame[start:]
        if len(ip) > 40 and ip[0] >> 4 == 4 and ip[9] == 6:
            source, target = struct.unpack_from(">HH", ip, (ip[0] & 15) * 4)
            return source > target
    return True


def dump(kparse, capture, keys):
    out = subprocess.run([kparse, "dump", "--format", "ndjson", "--quiet", "--keylog", keys, capture], capture_output=True, timeout=120)
    if out.returncode != 0:
        raise RuntimeError(f"{capture}: status {out.returncode}: {out.stderr.decode()[:500]}")
    return [json.loads(line) for line in out.stdout.splitlines()]


def messages(lines):
    """Of whole frames: who, which, what."""
    got = collections.Counter()
    for d in lines:
        if d["kind"] in ("request", "response") and "error" not in d and d["api"] is not None:
            got[d["kind"], d["client"], d["server"], d["api"], d["version"], d["correlationId"], json.dumps(d["body"], sort_keys=True)] += 1
    return got


def swapped(packets, rng):
    """Neighbours in another order, times as they were: a capture of two queues."""
    out = list(packets)
    for i in range(0, len(out) - 1):
        if rng.random() < 0.2:
            a, b = out[i], out[i + 1]
            out[i], out[i + 1] = a[:8] + b[8:], b[:8] + a[8:]
    return out


def main():
    kparse, folder = sys.argv[1], sys.argv[2]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 10)
    names = sorted(n[:-len(".keylog.txt")] for n in os.listdir(folder) if n.endswith(".keylog.txt")) if os.path.isdir(folder) else []
    if not names:
        print("no captures")
        sys.exit(77)
    runs = wrong = seen = whole_ones = 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "damaged.pcap")
        for name in names:
            capture, keys = os.path.join(folder, name + ".pcap"), os.path.join(folder, name + ".keylog.txt")
            truth = messages(dump(kparse, capture, keys))
            head, packets = read_pcap(capture)
            n = len(packets)
            cut = rng.randrange(n // 4, n // 2)
            variants = {
                "2 % lost": [p for p in packets if rng.random() > 0.02],
                "15 % lost": [p for p in packets if rng.random() > 0.15],
                "another order": swapped(packets, rng),
                "another order, 3 % lost": [p for p in swapped(packets, rng) if rng.random() > 0.03],
                "all twice": [p for p in packets for _ in (0, 1)],
                "begins later": packets[cut:],
                "ends sooner": packets[:cut],
                "a hole": packets[:cut] + packets[cut + n // 10:],
                "from the client only": [p for p in packets if from_client(p)],
                "from the server only": [p for p in packets if not from_client(p)],
            }
            for what, kept in variants.items():
                with open(path, "wb") as f:
                    f.write(head + b"".join(kept))
                runs += 1
                mine = messages(dump(kparse, path, keys))
                seen += sum(mine.values())
                whole_ones += sum(truth.values())
                extra = mine - truth
                same = what in ("another order", "all twice")
                if extra or (same and mine != truth):
                    wrong += 1
                    print(f"{name}, {what}: not so: {[k[:6] for k in extra][:3]} ({sum(extra.values())}), lacks {sum((truth - mine).values()) if same else '-'}")
    print(f"{seen} of {whole_ones} messages of damaged captures were read")
    print(f"{runs} checked, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
