# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures with one huge batch in one Produce request over thousands of segments, made when they are needed.

The codecs are written by hand where Python lacks them: what they write is legal, if dull.
"""
import struct
import zlib

from craft import Pcap

RECORDS = 16500
VALUE = 1000  # bytes: a record is a bit over 1 KiB


def varint(n):
    n = (n << 1) ^ (n >> 63)
    out = bytearray()
    while n > 0x7f:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def record(n):
    """Its bytes but for the value's, and the byte that the value is made of, then what comes after it."""
    key = b'key-%d' % n
    headers = varint(1) + varint(1) + b'n' + varint(4) + struct.pack('>i', n)
    inner = bytes(1) + varint(n) + varint(n) + varint(len(key)) + key + varint(VALUE)
    return varint(len(inner) + VALUE + len(headers)) + inner, b'%c' % (97 + n % 26), headers


def chunks(size):
    """Lists of records that fill `size` bytes at most."""
    held, used = [], 0
    for n in range(RECORDS):
        r = record(n)
        length = len(r[0]) + VALUE + len(r[2])
        if used + length > size:
            yield held
            held, used = [], 0
        held.append(r)
        used += length
    yield held


def plain(records=None):
    return b''.join(a + v * VALUE + z for a, v, z in records or map(record, range(RECORDS)))


def uvarint(n):
    out = bytearray()
    while n > 0x7f:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def snappy_block(records):
    """Literals and copies with offset 1."""
    out, total = [], 0

    def literal(data):
        n = len(data) - 1
        out.append(bytes([n << 2]) if n < 60 else bytes([60 << 2, n]) if n < 256 else struct.pack('<BH', 61 << 2, n))
        out.append(data)

    for start, byte, end in records:
        literal(start + byte)
        left = VALUE - 1
        while left > 0:
            n = min(left, 64)
            out.append(struct.pack('<BH', (n - 1) << 2 | 2, 1))
            left -= n
        literal(end)
        total += len(start) + VALUE + len(end)
    return uvarint(total) + b''.join(out)


def lz4_block(records):
    """Sequences of literals and a match with offset 1; the last bytes of a block must be literals."""
    out, pending = [], b''

    def long(n):
        out.append(b'\xff' * (n // 255) + bytes([n % 255]))

    def sequence(data, match):
        n = len(data)
        out.append(bytes([min(n, 15) << 4 | (min(match - 4, 15) if match else 0)]))
        if n >= 15:
            long(n - 15)
        out.append(data)
        if match:
            out.append(b'\x01\0')
            if match - 4 >= 15:
                long(match - 19)

    for start, byte, end in records:
        sequence(pending + start + byte, VALUE - 1 - 12)
        pending = byte * 12 + end
    sequence(pending, 0)
    return b''.join(out)


def zstd_frame():
    """Raw blocks, and blocks of one byte over and over."""
    out = [struct.pack('<IBB', 0xfd2fb528, 0, 0x58)]  # window: 2 MiB
    pending = b''

    def block(kind, size, data, last=0):
        out.append(struct.pack('<I', size << 3 | kind << 1 | last)[:3] + data)

    for n in range(RECORDS):
        start, byte, end = record(n)
        block(0, len(pending + start), pending + start)
        block(1, VALUE, byte)
        pending = end
    block(0, len(pending), pending, 1)
    return b''.join(out)


def encode(codec):
    """(number of the codec in the attributes, the compressed records)"""
    if codec == 'none':
        return 0, plain()
    if codec == 'gzip':
        deflate = zlib.compressobj(6, zlib.DEFLATED, 31)
        return 1, deflate.compress(plain()) + deflate.flush()
    if codec == 'snappy':
        return 2, snappy_block(map(record, range(RECORDS)))
    if codec == 'xerial':
        blocks = [snappy_block(c) for c in chunks(32 << 10)]
        return 2, b'\x82SNAPPY\0' + struct.pack('>ii', 1, 1) + b''.join(struct.pack('>i', len(b)) + b for b in blocks)
    if codec == 'lz4':
        blocks = [lz4_block(c) for c in chunks(64 << 10)]
        return 3, b'\x04\x22\x4d\x18\x60\x40\x82' + b''.join(struct.pack('<I', len(b)) + b for b in blocks) + bytes(4)
    return 4, zstd_frame()


def tables():
    first = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82f63b78 if n & 1 else 0)
        first.append(n)
    all_of_them = [first]
    for _ in range(7):
        last = all_of_them[-1]
        all_of_them.append([first[v & 255] ^ v >> 8 for v in last])
    return all_of_them


def crc32c(data):
    t0, t1, t2, t3, t4, t5, t6, t7 = tables()
    crc, whole = 0xffffffff, len(data) // 8 * 8
    for low, high in struct.iter_unpack('<II', data[:whole]):
        low ^= crc
        crc = (t7[low & 255] ^ t6[low >> 8 & 255] ^ t5[low >> 16 & 255] ^ t4[low >> 24] ^
               t3[high & 255] ^ t2[high >> 8 & 255] ^ t1[high >> 16 & 255] ^ t0[high >> 24])
    for byte in data[whole:]:
        crc = t0[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xffffffff


def batch(codec):
    number, payload = encode(codec)
    now = 1700000000000
    rest = struct.pack('>hiqqqhii', number, RECORDS - 1, now, now + RECORDS - 1, -1, -1, -1, RECORDS) + payload
    after = struct.pack('>ibI', 0, 2, crc32c(rest)) + rest
    return struct.pack('>qi', 0, len(after)) + after


def produce(records):
    """Produce v7 to big-0, acks=1."""
    header = struct.pack('>hhih', 0, 7, 1, 3) + b'big'
    body = struct.pack('>hhiih', -1, 1, 30000, 1, 3) + b'big' + struct.pack('>iii', 1, 0, len(records)) + records
    return struct.pack('>i', len(header + body)) + header + body


def answer():
    body = struct.pack('>iih', 1, 1, 3) + b'big' + struct.pack('>iihqqqi', 1, 0, 0, 0, -1, 0, 0)
    return struct.pack('>i', len(body)) + body


def write(path, codec, port=9092):
    """Returns how many records it holds."""
    pcap = Pcap(path, port)
    pcap.send(0, produce(batch(codec)))
    pcap.send(1, answer())
    pcap.close()
    return RECORDS


CODECS = ('none', 'gzip', 'snappy', 'xerial', 'lz4', 'zstd')
