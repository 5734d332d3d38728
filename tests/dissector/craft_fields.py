#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures made of bodies that Kafka's own classes wrote: one request and one response on a connection, port 9092.

usage: craft_fields.py GOLDEN OUTFOLDER

GOLDEN: folder with messages-*.jsonl.gz (bodies of all messages in all versions) and records.jsonl.gz (record sets).
Writes messages.pcap (each body, with the other half of its exchange) and records.pcap (each record set that Kafka
itself reads, in a Produce request and in a Fetch response).
"""
import glob
import gzip
import json
import os
import struct
import sys

PORT = 9092
SYN, PUSH, ACK = 2, 8, 16
MAX_FRAME = 60000  # a frame fits into one TCP segment


def uvarint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


class Capture:
    """A pcap file of TCP connections over Ethernet and IPv4."""

    def __init__(self, path):
        self.out = open(path, "wb")
        self.out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
        self.time_us = 1_700_000_000_000_000
        self.connection = 0
        self.frames = 0

    def connect(self):
        """A new connection; returns what `send` wants."""
        self.connection += 1
        c = {"port": 10000 + self.connection % 50000, "host": 1 + self.connection // 50000, "sent": [0, 0]}
        self.send(c, True, b"", SYN)
        self.send(c, False, b"", SYN | ACK)
        return c

    def send(self, c, from_client, payload, flags=PUSH | ACK):
        self.time_us += 1000
        self.frames += 1
        client, server = bytes([10, 0, 0, c["host"]]), bytes([10, 0, 1, 1])
        source, target = (client, server) if from_client else (server, client)
        ports = (c["port"], PORT) if from_client else (PORT, c["port"])
        mine, other = (0, 1) if from_client else (1, 0)
        tcp = struct.pack(">HHIIBBHHH", *ports, c["sent"][mine], c["sent"][other], 0x50, flags, 65535, 0, 0)
        c["sent"][mine] += 1 if flags & SYN else len(payload)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + len(payload), 0, 0x4000, 64, 6, 0, source, target)
        packet = b"\x02\0\0\0\0\1\x02\0\0\0\0\2\x08\0" + ip + tcp + payload
        seconds, rest = divmod(self.time_us, 1_000_000)
        self.out.write(struct.pack("<IIII", seconds, rest, len(packet), len(packet)) + packet)

    def close(self):
        self.out.close()


def framed(data):
    return struct.pack(">i", len(data)) + data


def request(api_key, version, header_version, correlation, body, client_id=b"kparse"):
    header = struct.pack(">hhi", api_key, version, correlation)
    if header_version >= 1:
        header += struct.pack(">h", len(client_id)) + client_id
    if header_version >= 2:
        header += b"\0"
    return framed(header + body)


def response(header_version, correlation, body):
    return framed(struct.pack(">i", correlation) + (b"\0" if header_version >= 1 else b"") + body)


def vectors(golden):
    for path in sorted(glob.glob(os.path.join(golden, "messages-*-clients.jsonl.gz"))):
        with gzip.open(path, "rt") as lines:
            for line in lines:
                v = json.loads(line)
                if v["type"] in ("request", "response") and v.get("layout") != "old":
                    v["bytes"] = bytes.fromhex(v["hex"])
                    yield v


def write_messages(golden, path, note=None):
    """`note(frame number, vector, offset of the body in the TCP payload)` is told of each body."""
    by_kind = {}
    for v in vectors(golden):
        if len(v["bytes"]) < MAX_FRAME:
            by_kind.setdefault((v["apiKey"], v["version"]), {"request": [], "response": []})[v["type"]].append(v)
    out = Capture(path)
    for (key, version), both in sorted(by_kind.items()):
        requests, responses = both["request"], both["response"]
        if not requests or not responses:
            continue
        for n in range(max(len(requests), len(responses))):
            q, a = requests[n % len(requests)], responses[n % len(responses)]
            correlation = n + 1
            connection = out.connect()
            frame = request(key, version, q["headerVersion"], correlation, q["bytes"])
            out.send(connection, True, frame)
            if note:
                note(out.frames, q, len(frame) - len(q["bytes"]))
            frame = response(a["headerVersion"], correlation, a["bytes"])
            out.send(connection, False, frame)
            if note:
                note(out.frames, a, len(frame) - len(a["bytes"]))
    out.close()


def produce(records):
    """Produce v7: transactional id, acks, timeout, one topic with one partition."""
    head = struct.pack(">hhi", -1, 1, 30000)
    return head + struct.pack(">ih", 1, 6) + b"orders" + struct.pack(">iii", 1, 0, len(records)) + records


def produce_answer():
    return struct.pack(">ih", 1, 6) + b"orders" + struct.pack(">iihqqqi", 1, 0, 0, 42, -1, 0, 0)


def fetch():
    """Fetch v11."""
    head = struct.pack(">iiiibii", -1, 500, 1, 52428800, 0, 0, -1)
    topic = struct.pack(">ih", 1, 6) + b"orders" + struct.pack(">iiiqqi", 1, 0, -1, 0, -1, 1048576)
    return head + topic + struct.pack(">ih", 0, 0)


def fetch_answer(records):
    head = struct.pack(">ihi", 0, 0, 0) + struct.pack(">ih", 1, 6) + b"orders"
    return head + struct.pack(">iihqqqiii", 1, 0, 0, 100, 100, 0, 0, -1, len(records)) + records


def write_records(golden, path):
    out = Capture(path)
    with gzip.open(os.path.join(golden, "records.jsonl.gz"), "rt") as lines:
        for n, line in enumerate(lines, 1):
            vector = json.loads(line)
            records = bytes.fromhex(vector["hex"])
            if len(records) > MAX_FRAME or vector["outcome"] not in ("ok", "partial tail"):
                continue
            connection = out.connect()
            out.send(connection, True, request(0, 7, 1, n, produce(records)))
            out.send(connection, False, response(0, n, produce_answer()))
            out.send(connection, True, request(1, 11, 1, n, fetch()))
            out.send(connection, False, response(0, n, fetch_answer(records)))
    out.close()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    golden, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    write_messages(golden, os.path.join(folder, "messages.pcap"))
    write_records(golden, os.path.join(folder, "records.pcap"))


if __name__ == "__main__":
    main()
