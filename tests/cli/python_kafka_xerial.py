# SPDX-License-Identifier: MIT
"""Xerial framing between kparse and kafka-python, both ways. Status 77 (skipped) where kafka-python or its snappy is missing.

usage: python_kafka_xerial.py KPARSE
"""
import os
import random
import subprocess
import sys

try:
    from kafka import codec
    if not codec.has_snappy():
        raise ImportError
except ImportError:
    print("kafka-python with snappy is not installed")
    sys.exit(77)


def kparse(*arguments, given):
    return subprocess.run([sys.argv[1], "xerial", *arguments], input=given, capture_output=True, check=True).stdout


random.seed(7)
payloads = [b"hello", b"a" * 200_000, os.urandom(70_000), bytes(random.choice(b"abcdefgh") for _ in range(100_000))]
for payload in payloads:
    for block in (1024, 32 * 1024, 1 << 20):
        theirs = codec.snappy_encode(payload, xerial_compatible=True, xerial_blocksize=block)
        assert kparse("decode", given=theirs) == payload, "theirs, read by us"
        ours = kparse("encode", "--block-size", str(block), given=payload)
        assert codec.snappy_decode(ours) == payload, "ours, read by them"
        assert ours[:16] == theirs[:16], "the same header"
    assert codec.snappy_decode(kparse("encode", "--raw", given=payload)) == payload, "raw"
print(len(payloads), "payloads, both ways")
