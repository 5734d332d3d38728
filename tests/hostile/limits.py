#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures that are made to fill tables: memory stays bounded, and the report says what was full.

usage: limits.py KPARSE [SCALE]     SCALE: 1 is 100,000 connections, 2^20 topics, 10^6 header names (default 0.04)
Prints seconds and the largest resident size of each command.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from packets import ACK, ETHERNET, FIN, PSH, SYN, Packet, ethernet, write_pcap  # noqa: E402

CLIENT, SERVER, PORT = 0x0a000000, 0x0a640001, 9092
COMMANDS = (["report", "--details", "--format", "json"], ["lint", "--format", "json"], ["groups", "--format", "json"], ["txns", "--format", "json"],
            ["trace", "--format", "json"], ["audit", "--format", "json"], ["frames"], ["records"])


def frame(content):
    return struct.pack(">I", len(content)) + content


def string(s):
    return struct.pack(">h", len(s)) + s


def request(key, version, number, client=b"c", body=b""):
    return frame(struct.pack(">hhi", key, version, number) + string(client) + body)


def answer(number, body):
    return frame(struct.pack(">i", number) + body)


def varint(n):
    n = n << 1 ^ n >> 63
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


class Capture:
    def __init__(self):
        self.packets, self.time = [], 1_700_000_000 * 10**9

    def add(self, data, step=1000):
        self.time += step
        self.packets.append(Packet(self.time, data, len(data)))


class Connection:
    def __init__(self, capture, number):
        self.capture, self.seq = capture, [1000, 5000]
        self.ends = (CLIENT + 1 + number // 50000, 10000 + number % 50000), (SERVER, PORT)

    def packet(self, side, flags, payload=b""):
        (a, p), (b, q) = self.ends[side], self.ends[1 - side]
        self.capture.add(ethernet(a, b, p, q, self.seq[side], self.seq[1 - side] if flags != SYN else 0, flags, payload))
        self.seq[side] += len(payload) + (1 if flags & (SYN | FIN) else 0)

    def open(self):
        self.packet(0, SYN)
        self.packet(1, SYN | ACK)
        self.packet(0, ACK)
        return self

    def say(self, side, data):
        for at in range(0, len(data), 60000):
            self.packet(side, PSH | ACK, data[at:at + 60000])
        return self

    def close(self):
        self.packet(0, FIN | ACK)
        self.packet(1, FIN | ACK)
        self.packet(0, ACK)


API_VERSIONS = struct.pack(">hihhh", 0, 1, 18, 0, 3)


def connections(n):
    c = Capture()
    for i in range(n):
        Connection(c, i).open().say(0, request(18, 0, 1, b"client-%d" % i)).say(1, answer(1, API_VERSIONS)).close()
    return c


def connections_at_once(n):
    """None is closed."""
    c = Capture()
    for i in range(n):
        Connection(c, i).open().say(0, request(18, 0, 1)).say(1, answer(1, API_VERSIONS)).say(0, b"\0\0\1\0half a frame")
    return c


def syn_flood(n):
    c = Capture()
    for i in range(n):
        c.add(ethernet(i * 2654435761 % 2**32, SERVER, 1024 + i % 60000, PORT, i * 7919, 0, SYN))
    return c


def topics(n):
    """One answer that names them all, requests that name them too."""
    c = Capture()
    t = Connection(c, 0).open()
    names = [b"topic-%d" % i for i in range(n)]
    t.say(0, request(3, 1, 1, b"c", struct.pack(">i", -1)))
    t.say(1, answer(1, struct.pack(">ii", 0, 1) + struct.pack(">i", n) + b"".join(struct.pack(">h", 0) + string(x) + b"\0" + struct.pack(">i", 0) for x in names)))
    for k in range(0, n, 1000):
        some = names[k:k + 1000]
        body = struct.pack(">hi", -1, 1000) + struct.pack(">i", len(some)) + b"".join(string(x) + struct.pack(">iii", 1, 0, 0) for x in some)
        t.say(0, request(0, 2, 2 + k, b"c", body))
        t.say(1, answer(2 + k, struct.pack(">i", len(some)) + b"".join(string(x) + struct.pack(">iihqq", 1, 0, 0, k, -1) for x in some) + struct.pack(">i", 0)))
    t.close()
    return c


def topic_ids(n):
    """Metadata version 12: each has an id."""
    c = Capture()
    t = Connection(c, 0).open()
    for k in range(0, n, 10000):
        t.say(0, request(3, 12, k, b"c", b"\0" + b"\0\1\0\0"))
        some = range(k, min(n, k + 10000))
        one = b"".join(b"\0\0" + bytes([len(x) + 1]) + x + struct.pack(">QQ", 77, i + 1) + b"\0\1" + b"\x80\0\0\0\0" for i in some for x in [b"topic-%d" % i])
        count = len(some) + 1
        t.say(1, answer(k, b"\0" + struct.pack(">i", 0) + b"\1" + b"\0" + struct.pack(">i", 1) + bytes([count & 127 | 128, count >> 7 & 127 | 128, count >> 14]) + one + b"\0"))
    t.close()
    return c


def header_names(n):
    c = Capture()
    t = Connection(c, 0).open()
    for k in range(0, n, 1000):
        headers = b"".join(varint(len(x)) + x + varint(-1) for i in range(k, k + 1000) for x in [b"header-%d" % i])
        record = b"\0" + varint(0) + varint(0) + varint(-1) + varint(1) + b"v" + varint(1000) + headers
        record = varint(len(record)) + record
        after = struct.pack(">ibIhiqqqhii", 0, 2, 0, 0, 0, 1, 1, -1, -1, -1, 1) + record
        batch = struct.pack(">qi", 0, len(after)) + after
        body = struct.pack(">hhi", -1, -1, 1000) + struct.pack(">i", 1) + string(b"t") + struct.pack(">iii", 1, 0, len(batch)) + batch
        t.say(0, request(0, 3, k, b"c", body))
        t.say(1, answer(k, struct.pack(">i", 1) + string(b"t") + struct.pack(">iihqq", 1, 0, 0, k, -1) + struct.pack(">i", 0)))
    t.close()
    return c


def endless_api_versions(n):
    """Never answered."""
    c = Capture()
    t = Connection(c, 0).open()
    for i in range(n):
        t.say(0, request(18, 0, i, b"client-%d" % i))
    return c


def clock_back(n):
    """The clock goes back a day now and then; frames never end."""
    c = Capture()
    for i in range(n // 10):
        if i % 100 == 99:
            c.time -= 86400 * 10**9
        t = Connection(c, i).open()
        for k in range(3):
            t.say(0, request(18, 0, k)).say(1, answer(k, API_VERSIONS))
        t.seq[0] += 100  # lost
        t.say(0, request(18, 0, 7) * 2)
    return c


# Size at scale 1; tables that have to be named as full, where more than so many things came.
KINDS = ((connections, 100_000, {"clients": 10_000}), (connections_at_once, 100_000, {}), (syn_flood, 1_000_000, {"connections without data": 65_536}), (topics, 2**20, {"topics": 10_000}),
         (topic_ids, 2**20, {}), (header_names, 1_000_000, {"header names by topic": 20_000}), (endless_api_versions, 500_000, {"clients": 10_000}),
         (clock_back, 200_000, {}))


def run(kparse, words, capture, out):
    begun = time.monotonic()
    with open(out, "wb") as f:
        p = subprocess.Popen([kparse, words[0], *words[1:], capture], stdout=f, stderr=subprocess.PIPE)
        err = p.stderr.read()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, time.monotonic() - begun, usage.ru_maxrss / 1024, err.decode(errors="replace")


def main():
    if sys.argv[1] == "--make":  # in a process of its own: a child's peak counts from what its parent has
        make = next(k for k, _, _ in KINDS if k.__name__ == sys.argv[2])
        write_pcap(sys.argv[4], ETHERNET, make(int(sys.argv[3])).packets)
        return
    kparse, scale = os.path.abspath(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 0.04
    most = 1024  # MiB
    checked = wrong = 0
    with tempfile.TemporaryDirectory() as work:
        capture, out = os.path.join(work, "capture.pcap"), os.path.join(work, "out")
        for make, full, tables in KINDS:
            n = int(full * scale)
            subprocess.run([sys.executable, os.path.abspath(__file__), "--make", make.__name__, str(n), capture], check=True)
            size = os.path.getsize(capture) / 2**20
            for words in COMMANDS:
                status, seconds, peak, err = run(kparse, words, capture, out)
                checked += 1
                print(f"{make.__name__} {n}, {size:.0f} MiB: {words[0]}: {seconds:.2f} s, {peak:.0f} MiB", flush=True)
                if status not in (0, 1) or peak > most:
                    wrong += 1
                    print(f"  status {status}, {peak:.0f} of {most} MiB: {err[:300]}")
                    continue
                if words[0] == "report":
                    with open(out, encoding="utf-8") as f:
                        said = {t["name"]: t for t in json.load(f)["seen"]["limits"]}
                    for table, room in tables.items():
                        if n > room * 1.2 and table not in said:
                            wrong += 1
                            print(f"  the table {table} must have been full, limits: {said}")
    print(f"{checked} checked, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
