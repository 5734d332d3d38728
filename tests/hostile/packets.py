# SPDX-License-Identifier: MIT
"""Capture files for the scripts here: pcap in and out, and where TCP stands in a packet."""
import struct
from dataclasses import dataclass, replace  # noqa: F401: replace is for those who import this

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
ETHERNET, RAW, NULL, COOKED, COOKED2 = 1, 101, 0, 113, 276


@dataclass(frozen=True)
class Packet:
    time_ns: int
    data: bytes
    wire: int       # length on the wire


@dataclass(frozen=True)
class Segment:
    source: tuple   # address as bytes, port
    target: tuple
    seq: int
    ack: int
    flags: int
    start: int      # of the IP header
    tcp: int        # of the TCP header
    payload: int    # of the payload
    end: int        # of the payload as captured
    wire: int       # length of the payload on the wire


def read_pcap(path):
    """(link type, packets); None: not plain pcap."""
    with open(path, "rb") as f:
        data = f.read()
    order, unit = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\xa1\xb2\xc3\xd4": (">", 1000), b"\x4d\x3c\xb2\xa1": ("<", 1),
                   b"\xa1\xb2\x3c\x4d": (">", 1)}.get(data[:4], (None, 0))
    if order is None:
        return None
    (link,) = struct.unpack_from(order + "I", data, 20)
    packets, at = [], 24
    while at + 16 <= len(data):
        s, f, size, wire = struct.unpack_from(order + "IIII", data, at)
        packets.append(Packet(s * 10**9 + f * unit, data[at + 16:at + 16 + size], wire))
        at += 16 + size
    return link & 0xffff, packets


def write_pcap(path, link, packets):
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, link))
        for p in packets:
            f.write(struct.pack("<IIII", p.time_ns // 10**9, p.time_ns % 10**9, len(p.data), p.wire) + p.data)


def segment_of(link, p):
    """None: no TCP, or not in a plain Ethernet, raw, loopback or cooked packet."""
    d = p.data
    at = {ETHERNET: 14, RAW: 0, NULL: 4, COOKED: 16, COOKED2: 20}.get(link)
    if at is None or len(d) < at + 20:
        return None
    if link == ETHERNET and d[12:14] not in (b"\x08\x00", b"\x86\xdd"):
        return None
    version = d[at] >> 4
    cut = p.wire - len(d)
    if version == 4 and d[at + 9] == 6 and struct.unpack_from(">H", d, at + 6)[0] & 0x3fff == 0:
        tcp = at + (d[at] & 15) * 4
        total = struct.unpack_from(">H", d, at + 2)[0] or len(d) - at + cut
        source, target = d[at + 12:at + 16], d[at + 16:at + 20]
    elif version == 6 and len(d) >= at + 40 and d[at + 6] == 6:
        tcp = at + 40
        total = 40 + (struct.unpack_from(">H", d, at + 4)[0] or len(d) - at - 40 + cut)
        source, target = d[at + 8:at + 24], d[at + 24:at + 40]
    else:
        return None
    if len(d) < tcp + 20:
        return None
    sport, dport, seq, ack, offset, flags = struct.unpack_from(">HHIIBB", d, tcp)
    payload = tcp + (offset >> 4) * 4
    wire = at + total - payload
    return Segment((source, sport), (target, dport), seq, ack, flags, at, tcp, payload, min(len(d), payload + max(wire, 0)), max(wire, 0))


def ethernet(source, target, sport, dport, seq, ack, flags, payload=b"", options=b""):
    """A whole packet: Ethernet, IPv4, TCP. Addresses as numbers."""
    tcp = struct.pack(">HHIIBBHHH", sport, dport, seq & 0xffffffff, ack & 0xffffffff, (5 + len(options) // 4) << 4, flags, 65535, 0, 0)
    size = 20 + len(tcp) + len(options) + len(payload)
    ip = struct.pack(">BBHHHBBHII", 0x45, 0, size if size < 65536 else 0, 0, 0, 64, 6, 0, source, target)
    return b"\0" * 12 + b"\x08\x00" + ip + tcp + options + payload
