#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing is claimed that wasn't seen: what kparse groups, txns and trace say of a damaged capture must be part of what they
say of the whole one. Captures are damaged here: the first half taken away, packets lost, one direction only, split in two
files (which must change nothing but the places).

usage: damaged.py KPARSE CAPTURES [NAME...]
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from truth import shown, tasks  # noqa: E402

NAMES = ("b-group-classic-roundrobin", "b-group-classic-static", "b-group-classic-cooperative", "b-group-kip848-uniform",
         "b-share-group", "b-streams-kip1071", "b-txn-tv1", "b-txn-tv2", "b-cluster-txn-440", "b-fetch-session-incremental",
         "k231-java-clients-codecs", "librdkafka-txn", "kafkajs-main")


def read_pcap(path):
    with open(path, "rb") as f:
        data = f.read()
    magic = data[:4]
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\x3c\x4d": ">"}.get(magic)
    if order is None:
        return None
    packets, at = [], 24
    while at + 16 <= len(data):
        (size,) = struct.unpack_from(order + "I", data, at + 8)
        packets.append(data[at:at + 16 + size])
        at += 16 + size
    return data[:24], packets


def write(path, head, packets):
    with open(path, "wb") as f:
        f.write(head + b"".join(packets))


def run(kparse, command, *captures):
    out = subprocess.run([kparse, command, "--format", "json", "--quiet", *captures], capture_output=True)
    if out.returncode != 0:
        raise RuntimeError(f"{command} {captures}: status {out.returncode}: {out.stderr.decode()[:500]}")
    return json.loads(out.stdout)


def to_broker(packet, ports):
    """Ethernet or raw IPv4 only: where the captures used here are."""
    frame = packet[16:]
    for start in (14, 16, 0):
        ip = frame[start:]
        if len(ip) > 40 and ip[0] >> 4 == 4 and ip[9] == 6:
            tcp = ip[(ip[0] & 15) * 4:]
            return struct.unpack_from(">H", tcp, 2)[0] in ports
    return True


class Ids:
    """A topic may be known by its id only where half of the capture is missing."""

    def __init__(self, *docs):
        self.names = {}
        for doc in docs:
            self.look(doc)

    def look(self, doc):
        if isinstance(doc, dict):
            if doc.get("topicId") and doc.get("topic"):
                self.names[doc["topicId"]] = doc["topic"]
            doc = list(doc.values())
        if isinstance(doc, list):
            for v in doc:
                self.look(v)

    def __call__(self, row):
        return row["topic"] or self.names.get(row["topicId"], row["topicId"])

    def parts(self, rows):
        return frozenset((self(r), p) for r in rows or [] for p in r["partitions"])


def claims(groups, txns, trace, ids):
    out = set()
    for g in groups["groups"]:
        for e in g["events"]:
            if e["event"] in ("joined", "leave", "staticLeave", "removed", "fenced", "memberId"):
                out.add((g["group"], e["event"], e["member"], e["generation"] if e["event"] == "joined" else None))
            if e["event"] == "assigned" and isinstance(e["assignment"], list):
                what = tasks(e["assignment"]) if g["type"] == "streams" else ids.parts(e["assignment"])
                out.add((g["group"], "assigned", e["member"], e["generation"], what))
            if e["event"] == "generation":
                out.add((g["group"], "standstill", e["generation"], e["standstillMs"])) if e["standstillMs"] is not None else None
                for m in e["moved"] or []:
                    out.add((g["group"], "moved", e["generation"], ids(m), m["partition"], m["from"], m["to"]))
        for c in g["commits"]:
            out.add((g["group"], "commit", c["member"], ids(c), c["partition"], c["offset"], c["answered"] and c["error"]) if c["answered"]
                    else (g["group"], "commit asked", ids(c), c["partition"], c["offset"]))
            if c["answered"]:
                out.add((g["group"], "commit asked", ids(c), c["partition"], c["offset"]))
    for p in txns["txns"]:
        for t in p["transactions"]:
            if t["outcome"] in ("committed", "aborted") and not t["byMarker"]:
                out.add(("txn", p["producerId"], t["epoch"], t["outcome"], t["end"]))
            if t["begin"]:
                out.add(("txn begin", p["producerId"], t["epoch"], t["begin"]))
            if t["durationMs"] is not None and not t["byMarker"]:
                out.add(("txn duration", p["producerId"], t["epoch"], t["end"], t["durationMs"]))
    for w in trace["trace"]:
        key = (ids(w), w["partition"], w["offset"])
        if w["produced"] and w["produced"].get("complete", True):
            out.add(("produced", *key, w["produced"]["time"], w["produced"]["client"]))
        for f in w["fetched"]:
            out.add(("fetched", *key, f["client"]))
    return out


def placeless(doc):
    """Without what counts per file."""
    if isinstance(doc, dict):
        return {k: placeless(v) for k, v in doc.items() if not (k.lower().endswith("packet") or k.lower().endswith("capture"))}
    return [placeless(v) for v in doc] if isinstance(doc, list) else doc


def main():
    kparse, folder = sys.argv[1], sys.argv[2]
    if not os.path.exists(os.path.join(folder, "manifest.json")):
        print("no captures")
        sys.exit(77)
    names = sys.argv[3:] or NAMES
    faults, compared, runs = 0, 0, 0
    rng = random.Random(6)
    with tempfile.TemporaryDirectory() as work:
        for entry in json.load(open(os.path.join(folder, "manifest.json"))):
            if entry["name"] not in names:
                continue
            whole = os.path.join(folder, entry["file"])
            read = read_pcap(whole)
            if read is None:
                continue
            head, packets = read
            docs = [run(kparse, c, whole) for c in ("groups", "txns", "trace")]
            ids = Ids(*docs)
            truth = claims(*docs, ids)
            half = len(packets) // 2
            ports = set(entry["ports"])
            damaged = {
                "second half": packets[half:],
                "last fifth": packets[len(packets) * 4 // 5:],
                "first half": packets[:half],
                "3 % lost": [p for p in packets if rng.random() > 0.03],
                "20 % lost": [p for p in packets if rng.random() > 0.2],
                "to the broker only": [p for p in packets if to_broker(p, ports)],
                "from the broker only": [p for p in packets if not to_broker(p, ports)],
            }
            for what, kept in damaged.items():
                path = os.path.join(work, "damaged.pcap")
                write(path, head, kept)
                runs += 1
                mine = claims(*(run(kparse, c, path) for c in ("groups", "txns", "trace")), ids)
                compared += len(mine)
                extra = {c for c in mine - truth}
                if extra:
                    faults += 1
                    print(f"{entry['name']}, {what}: claimed but not so: {sorted(map(str, extra))[:3]} ({len(extra)})")
            one, two = os.path.join(work, "1.pcap"), os.path.join(work, "2.pcap")
            cut = rng.randrange(1, len(packets))
            write(one, head, packets[:cut])
            write(two, head, packets[cut:])
            for command, doc in zip(("groups", "txns", "trace"), docs):
                runs += 1
                if placeless(run(kparse, command, one, two)) != placeless(doc):
                    faults += 1
                    print(f"{entry['name']}: {command} differs when the capture is in two files")
    print(f"{runs} runs, {faults} faults, {compared} claims compared")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
