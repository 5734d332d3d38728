#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages captures whose frames are known, and writes down which frames the damaged capture still holds.

usage: mangle.py KPARSE CAPTURES OUT [COUNT] [SEED]
CAPTURES: a folder of pcap files, or several by ':'; OUT gets COUNT captures (default 10), each with NAME.truth.json as
check/mangled.py reads it. Sources are captures in which nothing is missing; what frames they have is what `kparse dump`
says of them undamaged, where the sizes must form a chain from the first byte to the last.
"""
import ipaddress
import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, replace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from packets import ACK, ETHERNET, FIN, RST, SYN, Packet, ethernet, read_pcap, segment_of, write_pcap  # noqa: E402


@dataclass(frozen=True)
class Piece:
    """A segment by its place in a connection's stream."""
    time_ns: int
    conn: int
    side: int           # 0: from the client
    flags: int
    offset: int         # of the first byte; SYN: -1
    ack: int            # offset in the other stream
    data: bytes
    cut: int = 0        # bytes of the data that weren't captured

    @property
    def control(self):
        return self.flags & (SYN | RST) != 0


@dataclass
class Conn:
    ends: tuple         # (address, port) of client and server, as text
    isn: list
    streams: list       # the bytes of both directions
    frames: list        # of both: dicts for the truth file


class Unsuitable(Exception):
    pass


def address(a):
    return str(ipaddress.ip_address(a))


def load(kparse, path):
    """(connections, pieces) of a capture with whole connections only. Raises Unsuitable."""
    read = read_pcap(path)
    if read is None or not 20 < len(read[1]) < 3000:
        raise Unsuitable("no pcap, or of another size than wanted")
    link, packets = read
    conns, pieces, index = [], [], {}
    for p in packets:
        s = segment_of(link, p)
        if s is None or s.end - s.payload != s.wire or len(s.source[0]) != 4:
            raise Unsuitable("something else than whole TCP over IPv4")
        pair = frozenset((s.source, s.target))
        if s.flags & SYN and not s.flags & ACK:
            if pair in index and conns[index[pair]].isn[0] == s.seq:
                continue  # again
            if pair in index:
                raise Unsuitable("ports are used again")
            index[pair] = len(conns)
            conns.append(Conn((s.source, s.target), [s.seq, None], [{}, {}], [[], []]))
        if pair not in index:
            raise Unsuitable("a connection without its start")
        c = conns[index[pair]]
        side = 0 if s.source == c.ends[0] else 1
        if s.flags & SYN and s.flags & ACK:
            c.isn[1] = s.seq
        if c.isn[side] is None:
            raise Unsuitable("a connection without its start")
        offset = (s.seq - c.isn[side] - 1) % 2**32
        offset = offset - 2**32 if offset > 2**31 else offset
        ack = (s.ack - c.isn[1 - side] - 1) % 2**32 if s.flags & ACK and c.isn[1 - side] is not None else 0
        data = p.data[s.payload:s.end]
        if data and offset >= 0:
            c.streams[side].setdefault(offset, data)
        elif data:
            continue  # a keep-alive of one byte
        pieces.append(Piece(p.time_ns, index[pair], side, s.flags, offset, ack, data))
    for c in conns:
        for side in (0, 1):
            whole = bytearray()
            for offset, data in sorted(c.streams[side].items()):
                if offset > len(whole):
                    raise Unsuitable("bytes are missing")
                if offset + len(data) > len(whole):
                    whole += data[len(whole) - offset:]
            c.streams[side] = bytes(whole)
    find_frames(kparse, path, conns)
    return conns, pieces


def find_frames(kparse, path, conns):
    out = subprocess.run([kparse, "dump", "--format", "ndjson", "--records", "none", "--quiet", path], capture_output=True)
    numbers = {(f"{address(c.ends[0][0])}:{c.ends[0][1]}", f"{address(c.ends[1][0])}:{c.ends[1][1]}"): i for i, c in enumerate(conns)}
    for line in out.stdout.splitlines():
        d = json.loads(line)
        if d["kind"] not in ("request", "response") or "error" in d or d.get("apiKey") is None:
            raise Unsuitable(f"a frame that isn't clear: {d['kind']}")
        c = conns[numbers[d["client"], d["server"]]]
        side = 0 if d["kind"] == "request" else 1
        frame = {"offset": d["offset"], "length": d["size"], "correlationId": d["correlationId"]}
        if side == 0:
            frame |= {"apiKey": d["apiKey"], "apiVersion": d["version"]}
        else:
            asked = [i for i, r in enumerate(c.frames[0]) if r["correlationId"] == d["correlationId"] and "answered" not in r]
            if not asked:
                raise Unsuitable("an answer to nothing")
            c.frames[0][asked[0]]["answered"] = True
            frame["request"] = asked[0]
        c.frames[side].append(frame)
    for c in conns:
        if not c.frames[0]:
            raise Unsuitable("a connection without Kafka")
        for side in (0, 1):
            at = 0
            for f in c.frames[side]:
                if f["offset"] != at or f["length"] != int.from_bytes(c.streams[side][at:at + 4], "big"):
                    raise Unsuitable("sizes don't form a chain")
                at += 4 + f["length"]
            if at != len(c.streams[side]):
                raise Unsuitable("the last frame isn't whole")


# Each takes (pieces, connections, random) and gives pieces. Handshakes stay, or go for a whole connection: else nobody
# could say where its streams begin.

def drop(share):
    return lambda pieces, conns, rng: [p for p in pieces if p.control or rng.random() >= share]


def drop_run(pieces, conns, rng):
    """Some stretches of the capture, as a buffer that runs over loses them."""
    out = list(pieces)
    for _ in range(3):
        at = rng.randrange(len(out))
        out[at:at + rng.randrange(2, 9)] = [p for p in out[at:at + 9] if p.control]
    return out


def reorder(window):
    """Places in the capture change, times stay with the places. Nothing comes a second late."""
    def apply(pieces, conns, rng):
        keys, pauses = [], 0
        for i, p in enumerate(pieces):
            pauses += i > 0 and p.time_ns - pieces[i - 1].time_ns >= 10**9
            keys.append((pauses, i + (0 if p.control else rng.random() * window)))
        moved = [p for _, p in sorted(zip(keys, pieces), key=lambda kp: kp[0])]
        return [replace(p, time_ns=q.time_ns) for p, q in zip(moved, pieces)]
    return apply


def duplicate(share):
    return lambda pieces, conns, rng: [q for p in pieces for q in [p] * (1 + (rng.random() < share))]


def resplit(size):
    def apply(pieces, conns, rng):
        out = []
        for p in pieces:
            if not p.data:
                out.append(p)
                continue
            for at in range(0, len(p.data), size):
                last = at + size >= len(p.data)
                out.append(replace(p, offset=p.offset + at, data=p.data[at:at + size], flags=p.flags if last else p.flags & ~FIN))
        return out
    return apply


def overlap(share):
    """A segment comes once more with some of the bytes before it, as far as nobody has acknowledged them, or after it."""
    def apply(pieces, conns, rng):
        out, acked = [], defaultdict(int)
        for p in pieces:
            out.append(p)
            acked[p.conn, 1 - p.side] = max(acked[p.conn, 1 - p.side], p.ack)
            if p.data and not p.control and rng.random() < share:
                stream = conns[p.conn].streams[p.side]
                begin = max(min(acked[p.conn, p.side], p.offset), p.offset - rng.randrange(200))
                end = min(p.offset + len(p.data), begin + 20000)
                out.append(replace(p, offset=begin, data=stream[begin:end], flags=p.flags & ~FIN))
        return out
    return apply


def conflict(share):
    """A retransmission with other bytes: which of them is true nobody knows."""
    def apply(pieces, conns, rng):
        out = []
        for p in pieces:
            out.append(p)
            if len(p.data) > 4 and not p.control and rng.random() < share:
                at = rng.randrange(len(p.data))
                out.append(replace(p, data=p.data[:at] + bytes([p.data[at] ^ 0x55]) + p.data[at + 1:]))
        return out
    return apply


def truncate(snaplen):
    return lambda pieces, conns, rng: [replace(p, data=p.data[:max(0, snaplen - 54)], cut=len(p.data) - max(0, snaplen - 54))
                                       if len(p.data) > snaplen - 54 else p for p in pieces]


def one_way(pieces, conns, rng):
    side = rng.randrange(2)
    return [p for p in pieces if p.side == side]


def midstream(pieces, conns, rng):
    at = rng.randrange(len(pieces) // 8, len(pieces) // 2)
    begun = {p.conn for p in pieces[:at]}
    return [p for p in pieces[at:] if not (p.conn in begun and p.flags & SYN)]


def wrap(pieces, conns, rng):
    """Sequence numbers pass 2^32 inside the streams."""
    for c in conns:
        for side in (0, 1):
            c.isn[side] = (2**32 - 1 - rng.randrange(1, max(2, len(c.streams[side])))) % 2**32
    return pieces


def reuse(pieces, conns, rng):
    """All of it once more from the same ports."""
    n, gap = len(conns), pieces[-1].time_ns - pieces[0].time_ns + 10**9
    for c in list(conns):
        conns.append(Conn(c.ends, [(i + 10**9 + rng.randrange(10**6)) % 2**32 for i in c.isn], c.streams, c.frames))
    return pieces + [replace(p, conn=p.conn + n, time_ns=p.time_ns + gap) for p in pieces]


LOSS = {"drop 1 %": drop(0.01), "drop 5 %": drop(0.05), "drop 20 %": drop(0.2), "drop-run": drop_run}
DISORDER = {"reorder 3": reorder(3), "reorder 12": reorder(12), "dup": duplicate(0.2), "all twice": duplicate(1.1), "overlap": overlap(0.3),
            "conflict": conflict(0.05), "resplit 7": resplit(7), "resplit 100": resplit(100), "resplit 1448": resplit(1448), "wrap": wrap, "reuse": reuse}
# Names as check/mangled.py knows them: what the capture can't show.
UNSEEN = {"one-way": one_way, "midstream": midstream}
CUT = {"truncate 200": truncate(200), "truncate 96": truncate(96)}


def choose(rng):
    """A few transforms that go together, in an order that makes sense: bytes are cut last."""
    chosen = rng.sample(sorted(DISORDER), rng.randrange(0, 3))
    chosen.sort(key=lambda n: (n != "wrap", n != "reuse", not n.startswith("resplit")))
    if sum(n.startswith("resplit") for n in chosen) > 1:
        chosen = chosen[:1]
    if not chosen or rng.random() < 0.6:
        chosen.append(rng.choice(sorted(LOSS)))
    if rng.random() < 0.2 and "reuse" not in chosen:
        chosen.append(rng.choice(sorted(UNSEEN)))
    # What is cut from a first copy counts as missing, even if a later one that begins elsewhere has it.
    if rng.random() < 0.15 and "overlap" not in chosen:
        chosen.append(rng.choice(sorted(CUT)))
    return chosen


def truth_of(conns, pieces):
    have = {}
    for number, p in enumerate(pieces, 1):
        if (p.conn, 0) not in have:
            for side in (0, 1):
                size = len(conns[p.conn].streams[side])
                have[p.conn, side] = (bytearray(size), [None] * size)   # 0 missing, 1 there, 2 two versions; first packet
        marks, first = have[p.conn, p.side]
        stream = conns[p.conn].streams[p.side]
        for i, b in enumerate(p.data):
            at = p.offset + i
            if first[at] is None:
                first[at] = number
            marks[at] = 2 if b != stream[at] or marks[at] == 2 else 1
    order = []
    for p in pieces:
        if p.conn not in order:
            order.append(p.conn)
    out = []
    for n in order:
        c = conns[n]
        (a, x), (b, y) = c.ends
        t = {"client": f"{address(a)}:{x}", "server": f"{address(b)}:{y}", "kafka": True,
             "synSeen": any(p.conn == n and p.flags & SYN for p in pieces), "requests": [], "responses": [],
             "lostBytes": {w: have[n, s][0].count(0) for s, w in enumerate(("client", "server"))}}
        for side, kind in enumerate(("requests", "responses")):
            marks, first = have[n, side]
            so_far = True
            for f in c.frames[side]:
                begin, end = f["offset"], f["offset"] + 4 + f["length"]
                mine = marks[begin:end]
                intact = mine.count(1) == len(mine)
                so_far = so_far and intact
                head = next((i for i, m in enumerate(mine[:12]) if m != 1), min(12, len(mine)))
                g = {k: v for k, v in f.items() if k != "answered"} | {
                    "packet": first[begin], "anyPacket": min((x for x in first[begin:end] if x), default=None),
                    "intact": intact, "contiguous": so_far, "head": head}
                if 2 in mine:
                    g["conflict"] = True
                if side == 0:
                    g["answered"] = f.get("answered", False)
                else:
                    g["requestIntact"] = t["requests"][f["request"]]["intact"]
                t[kind].append(g)
        out.append(t)
    return out


def clear(conversations):
    """Can it be told which is which, where the same ports are used again? Not if one has left nothing."""
    later = set()
    for c in reversed(conversations):
        ends = c["client"], c["server"]
        if ends in later and not any(f["intact"] for k in ("requests", "responses") for f in c[k]):
            return False
        later.add(ends)
    return True


def write(folder, name, conns, pieces, conversations, transforms, source, files):
    packets = []
    for p in pieces:
        c = conns[p.conn]
        (a, x), (b, y) = c.ends[p.side], c.ends[1 - p.side]
        ack = c.isn[1 - p.side] + 1 + p.ack if p.flags & ACK else 0
        data = ethernet(int.from_bytes(a, "big"), int.from_bytes(b, "big"), x, y, c.isn[p.side] + 1 + p.offset, ack, p.flags,
                        p.data + b"\0" * p.cut)
        packets.append(Packet(p.time_ns, data[:len(data) - p.cut], len(data)))
    names = []
    size = -(-len(packets) // files)
    for i in range(files):
        names.append(f"{name}.pcap" if files == 1 else f"{name}.{i + 1}.pcap")
        write_pcap(os.path.join(folder, names[-1]), ETHERNET, packets[i * size:(i + 1) * size])
    frames = [f for c in conversations for k in ("requests", "responses") for f in c[k]]
    totals = {"frames": len(frames), "intactFrames": sum(f["intact"] for f in frames),
              "lostBytes": sum(sum(c["lostBytes"].values()) for c in conversations)}
    with open(os.path.join(folder, f"{name}.truth.json"), "w", encoding="utf-8") as f:
        json.dump({"source": source, "files": names, "transforms": [t.split(" ", 1) for t in transforms], "conversations": conversations,
                   "totals": totals}, f)


def main():
    kparse, folders, out = os.path.abspath(sys.argv[1]), sys.argv[2].split(":"), sys.argv[3]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    rng = random.Random(seed)
    sources = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if n.endswith(".pcap")]
    rng.shuffle(sources)
    os.makedirs(out, exist_ok=True)
    good, loaded, n = [], defaultdict(list), 0
    while n < count:
        if len(good) < 40 and sources:
            path = sources.pop()
            try:
                loaded[path] = load(kparse, path)
                good.append(path)
            except Unsuitable:
                continue
        if not good:
            raise SystemExit("no capture is suitable")
        path = good[n % len(good)]
        conns, pieces = loaded[path]
        conns = [replace(c, isn=list(c.isn)) for c in conns]
        transforms = choose(rng)
        for t in transforms:
            pieces = (LOSS | DISORDER | UNSEEN | CUT)[t](pieces, conns, rng)
        conversations = truth_of(conns, pieces)
        if not pieces or not clear(conversations):
            continue
        files = rng.choice((1, 1, 1, 3))
        if files > 1:
            transforms = transforms + [f"file:rotate {files}"]
        write(out, f"{n:03}-{seed}", conns, pieces, conversations, transforms, os.path.basename(path), files)
        n += 1


if __name__ == "__main__":
    main()
