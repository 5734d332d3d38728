# SPDX-License-Identifier: GPL-2.0-or-later
"""Small captures for the tests, byte by byte."""
import random
import struct


class Pcap:
    """Ethernet, IPv4, TCP between 10.0.0.1:40000 and 10.0.0.2:PORT."""

    def __init__(self, path, port=9092):
        self.file = open(path, 'wb')
        self.file.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        self.port, self.seq, self.time = port, [1000, 5000], 1700000000_000000
        self.packet(0, b'', 2)
        self.packet(1, b'', 0x12)

    def packet(self, side, data, flags=0x18, cut=0):
        """`cut`: so many bytes at its end are left out, as a snapshot length does."""
        ports = (40000, self.port) if side == 0 else (self.port, 40000)
        ack = self.seq[1 - side] if flags != 2 else 0
        tcp = struct.pack('>HHIIBBHHH', *ports, self.seq[side], ack, 5 << 4, flags, 65535, 0, 0)
        ends = (bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
        ip = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(tcp) + len(data), 0, 0x4000, 64, 6, 0) + ends[side] + ends[1 - side]
        frame = bytes(12) + b'\x08\0' + ip + tcp + data
        self.file.write(struct.pack('<IIII', self.time // 10**6, self.time % 10**6, len(frame) - cut, len(frame)) + frame[:len(frame) - cut])
        self.seq[side] += len(data) + (flags & 3 != 0)
        self.time += 10

    def send(self, side, data, segment=1460):
        for at in range(0, len(data), segment):
            self.packet(side, data[at:at + segment])

    def close(self):
        self.packet(0, b'', 0x11)
        self.packet(1, b'', 0x11)
        self.file.close()


def text(s):
    return struct.pack('>h', len(s)) + s.encode()


def request(api, version, correlation, body, client='craft'):
    data = struct.pack('>hhi', api, version, correlation) + text(client) + body
    return struct.pack('>i', len(data)) + data


def response(correlation, body):
    data = struct.pack('>i', correlation) + body
    return struct.pack('>i', len(data)) + data


def metadata(path, port):
    """Three Metadata v1 exchanges about the topic "orders"."""
    pcap = Pcap(path, port)
    for n in range(3):
        pcap.send(0, request(3, 1, n, struct.pack('>i', 1) + text('orders')))
        pcap.send(1, response(n, struct.pack('>ii', 1, 7) + text('broker') + struct.pack('>ih', port, -1) +
                              struct.pack('>iih', 7, 1, 0) + text('orders') + struct.pack('>bi', 0, 0)))
    pcap.close()


SECRET = 'Tr0ub4dor'


def sasl(path, port=9092):
    """SaslHandshake and SaslAuthenticate with PLAIN, then, on a connection of its own, the same with a raw token."""
    token = b'\0alice\0' + SECRET.encode()
    pcap = Pcap(path, port)
    pcap.send(0, request(17, 1, 1, text('PLAIN')))
    pcap.send(1, response(1, struct.pack('>hi', 0, 1) + text('PLAIN')))
    pcap.send(0, request(36, 0, 2, struct.pack('>i', len(token)) + token))
    pcap.send(1, response(2, struct.pack('>hhi', 0, -1, 0)))
    pcap.close()
    raw = Pcap(path + '.raw', port)
    raw.send(0, request(17, 0, 1, text('PLAIN')))
    raw.send(1, response(1, struct.pack('>hi', 0, 1) + text('PLAIN')))
    raw.send(0, struct.pack('>i', len(token)) + token)
    raw.send(1, struct.pack('>i', 0))
    raw.close()


LINK_HEADERS = {1: 14, 101: 0, 113: 16, 276: 20}


def damage(paths, out, seed, copies):
    """Writes copies of classic captures with flipped bytes and cut packets into one capture, each copy with client ports
    of its own. Returns how many there are."""
    rng = random.Random(seed)
    written = 0
    with open(out, 'wb') as f:
        for path in paths:
            with open(path, 'rb') as source:
                data = source.read()
            if data[:4] != b'\xd4\xc3\xb2\xa1' or struct.unpack('<I', data[20:24])[0] != 1:
                continue
            if written == 0:
                f.write(data[:24])
            for _ in range(copies):
                damaged_copy(data, f, rng, written)
                written += 1
    return written


def damaged_copy(data, f, rng, number):
    at = 24
    rate = rng.choice((0.002, 0.02, 0.2))
    while at + 16 <= len(data):
        seconds, fraction, captured, wire = struct.unpack('<IIII', data[at:at + 16])
        packet = bytearray(data[at + 16:at + 16 + captured])
        at += 16 + captured
        if packet[12:14] != b'\x08\0' or len(packet) < 54:
            continue
        for port in (34, 36):  # a connection of this copy's own
            value = int.from_bytes(packet[port:port + 2], 'big')
            if value > 20000:
                packet[port:port + 2] = (20000 + (value + 997 * (number + 1)) % 45000).to_bytes(2, 'big')
        if len(packet) > 66 and rng.random() < 0.2:
            for _ in range(max(1, int(rate * (len(packet) - 66)))):
                packet[rng.randrange(66, len(packet))] = rng.choice((0, 0xff, 0x7f, 0x80, rng.randrange(256)))
        if rng.random() < 0.01:
            packet = packet[:rng.randrange(54, len(packet) + 1)]
        f.write(struct.pack('<IIII', seconds + 86400 * number, fraction, len(packet), wire) + packet)
