#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the captures beside it: a Produce and a Fetch exchange (version 3 of both) with messages of each of KIP-82's
drafts. No release of Kafka ever wrote such messages, so they are made by hand; their format is the KIP page's. Nothing
of libkparse is used, so that its reader meets bytes that its writer hasn't made.

usage: make.py [FOLDER]
"""
import os
import struct
import sys
import zlib

WHEN = 1475280000000  # 2016-10-01


def int32(n):
    return struct.pack('>i', n)


def messagepack(n):
    """The shortest of MessagePack's integers."""
    for low, high, form, code in ((0, 0x7f, 'B', b''), (-32, -1, 'b', b''), (0, 0xff, 'B', b'\xcc'), (0, 0xffff, '>H', b'\xcd'),
                                  (0, 0x7fffffff, '>I', b'\xce'), (-0x80, -1, 'b', b'\xd0'), (-0x8000, -1, '>h', b'\xd1')):
        if low <= n <= high:
            return code + struct.pack(form, n)
    return b'\xd2' + struct.pack('>i', n)


def tfile(n):
    """Hadoop's org.apache.hadoop.io.file.tfile.Utils.writeVInt."""
    if -32 <= n <= 127:
        return struct.pack('b', n)
    for size, most, base in ((1, 20, 52), (2, 16, 88), (3, 8, 112)):
        if -most << 8 * size <= n < most << 8 * size:
            return struct.pack('b', (n >> 8 * size) - base) + (n & (1 << 8 * size) - 1).to_bytes(size, 'big')
    return b'\x83' + struct.pack('>i', n)


def sized(data, size):
    return size(-1) if data is None else size(len(data)) + data


def message(offset, attributes, tail):
    body = struct.pack('>bbq', 2, attributes, WHEN + offset) + tail
    return struct.pack('>qiI', offset, len(body) + 4, zlib.crc32(body)) + body


def block(headers, number):
    data = number(len(headers)) + b''.join(number(key) + sized(value, number) for key, value in headers)
    return number(len(data)) + data


def plain(offset, key, headers, value, number):
    """kip82-varint, kip82-int32."""
    return message(offset, 0x10 if headers else 0,
                   sized(key, int32) + (block(headers, number) if headers else b'') + sized(value, int32))


def compact(offset, key, headers, value, number):
    attributes = (0x10 if headers else 0) | (0x20 if key is None else 0)
    return message(offset, attributes, (b'' if key is None else sized(key, number)) +
                   (block(headers, number) if headers else b'') + sized(value, number))


def literal(offset, key, headers, value, number):
    """"When no headers" as it stands there: then there is no key either."""
    assert headers or key is None
    return message(offset, 0x10 if headers else 0,
                   (sized(key, number) + block(headers, number) if headers else b'') + sized(value, number))


def with_map(offset, key, entries, value, always):
    text = '&'.join(f'{k}={v}' for k, v in entries).encode()
    carried = int32(len(text)) + text if entries or always else b''
    return message(offset, 0x10 if entries and not always else 0, sized(key, int32) + carried + sized(value, int32))


OLD = [(1, b'cli-7'), (260, b'nr'), (-5, b'shop')]  # client.id, new.relic, app.name of the older register
NEW = [(1, b'cli-7'), (1114000, b'shop'), (2100001, b'nr')]  # the newer one; keys ascend
ROWS = [(b'order-1', True, b'placed'), (b'order-2', True, None), (None, False, b'no key, no headers')]


def rows(make, headers, number):
    return b''.join(make(n, key, headers if some else [], value, number) for n, (key, some, value) in enumerate(ROWS))


MAP = [('client.id', 'cli-7'), ('app', 'shop%201')]
CAPTURES = {
    'kip82-varint': [rows(plain, OLD, messagepack), rows(plain, OLD, tfile)],
    'kip82-int32': [rows(plain, NEW, int32)],
    'kip82-compact': [rows(compact, OLD, messagepack)],
    'kip82-compact-literal': [rows(literal, OLD, messagepack)],
    'kip82-map': [rows(with_map, MAP, False)],
    'kip82-map-always': [rows(with_map, MAP, True)],
}


class Pcap:
    """One TCP conversation, 10.0.0.1:40000 to 10.0.0.2:9092."""

    def __init__(self, path):
        self.file = open(path, 'wb')
        self.file.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        self.seq, self.time = [1000, 5000], WHEN // 1000 * 10**6
        for side, flags in ((0, 2), (1, 0x12), (0, 0x10)):
            self.packet(side, b'', flags)

    def packet(self, side, data, flags=0x18):
        ports, ends = (40000, 9092), (bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
        tcp = struct.pack('>HHIIBBHHH', ports[side], ports[1 - side], self.seq[side], self.seq[1 - side] if flags != 2 else 0,
                          5 << 4, flags, 65535, 0, 0)
        ip = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(tcp) + len(data), 0, 0x4000, 64, 6, 0) + ends[side] + ends[1 - side]
        packet = bytes(12) + b'\x08\0' + ip + tcp + data
        self.file.write(struct.pack('<IIII', self.time // 10**6, self.time % 10**6, len(packet), len(packet)) + packet)
        self.seq[side] += len(data) + (1 if flags & 3 else 0)
        self.time += 150

    def close(self):
        self.packet(0, b'', 0x11)
        self.packet(1, b'', 0x11)
        self.packet(0, b'', 0x10)
        self.file.close()


def text(s):
    return struct.pack('>h', len(s)) + s.encode()


def request(api, correlation, body):
    return sized(struct.pack('>hhi', api, 3, correlation) + text('draft-client') + body, int32)


def response(correlation, body):
    return sized(int32(correlation) + body, int32)


def exchange(path, sets):
    """What is produced to partitions 0, 1, ... of "orders" is fetched again."""
    pcap = Pcap(path)
    partitions, topic = range(len(sets)), int32(1) + text('orders') + int32(len(sets))
    pcap.packet(0, request(0, 1, struct.pack('>hhi', -1, 1, 30000) + topic +
                           b''.join(int32(p) + sized(sets[p], int32) for p in partitions)))
    pcap.packet(1, response(1, topic + b''.join(struct.pack('>ihqq', p, 0, 0, -1) for p in partitions) + int32(0)))
    pcap.packet(0, request(1, 2, struct.pack('>iiii', -1, 500, 1, 1 << 20) + topic +
                           b''.join(struct.pack('>iqi', p, 0, 1 << 20) for p in partitions)))
    pcap.packet(1, response(2, int32(0) + topic + b''.join(struct.pack('>ihq', p, 0, len(ROWS)) + sized(sets[p], int32)
                                                           for p in partitions)))
    pcap.close()


folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
for profile, sets in CAPTURES.items():
    exchange(os.path.join(folder, f'{profile}.pcap'), sets)
