# SPDX-License-Identifier: GPL-2.0-or-later
"""Values: all of them on the samples, exact record counts, TLS."""
import json
import os
import re
import stat
import subprocess

import big


def test_samples(c):
    c.compare(c.samples())


def test_samples_two_passes(c):
    c.compare(c.samples(), two_pass=True)


def test_samples_with_secrets(c):
    c.compare(c.samples(), secrets=True)


NUMBERS = ('correlationId', 'errorCode', 'fetchOffset', 'baseOffset', 'sizeInBytes', 'latencyNs', 'maxTimestamp', 'offset', 'apiKey',
           'partitionIndex', 'requestPacket', 'timestamp', 'crc', 'count')
STRINGS = ('key', 'value', 'name', 'clientId', 'topicId', 'host', 'codec')


def test_comparison_can_fail(c):
    """A dump with one kind of value changed must be noticed."""
    path = next(p for p in c.samples() if 'headers-lz4' in p)
    with open(c.scratch('dump'), 'w') as f:
        subprocess.run([c.kparse, 'dump', '--format', 'ndjson', '--names', 'first', '--bytes', 'hex', path], stdout=f, check=True)
    with open(c.scratch('dump')) as f:
        text = f.read()
    lies = [(f'("{n}":)(?=[0-9])', '9') for n in NUMBERS] + [(f'("{n}":")', 'x') for n in STRINGS] + [(r'("headers":\[\[")', 'x')]
    honest = c.kparse
    for word, lie in lies:
        false = re.sub(word, lambda m: m[1] + lie, text)
        assert false != text, f'the sample has no {word}'
        assert noticed(c, honest, path, false), f'not noticed: {word}'


def noticed(c, honest, path, false):
    with open(c.scratch('false'), 'w') as f:
        f.write(false)
    liar = c.scratch('liar')
    with open(liar, 'w') as f:
        f.write(f"#!/bin/sh\ncase $1 in dump) cat '{c.scratch('false')}' ;; *) exec '{honest}' \"$@\" ;; esac\n")
    os.chmod(liar, os.stat(liar).st_mode | stat.S_IXUSR)
    try:
        c.kparse = liar
        c.compare([path])
    except AssertionError as what:
        assert 'Traceback' not in str(what), what
        return True
    finally:
        c.kparse = honest
    return False


def occurrences(rows):
    return sum(len(row[0].split(',')) for row in rows if row and row[0])


def test_big_batches(c):
    """16 MiB in one batch over many segments, of each codec."""
    for codec in big.CODECS:
        path = c.scratch(f'big-{codec}.pcap')
        made = big.write(path, codec)
        for options in ((), ('-o', 'tcp.reassemble_out_of_order:TRUE')):
            rows = c.fields(path, 'kparse.record.offset', options=options)
            assert occurrences(rows) == made, f'{codec} {options}: {occurrences(rows)} records, made {made}'
        assert occurrences(c.fields(path, 'kparse.record.header', options=())) == made, codec
        assert c.count(path, 'kparse.batch.crcValid == 1') == 1, codec
        assert c.count(path, '_ws.expert.severity >= 6291456') == 0, codec
        os.unlink(path)


def test_record_counts(c):
    """Displaced packets cost no record."""
    for path in c.need_shared('ooo'):
        done = subprocess.run([c.kparse, 'report', '--format', 'json', path], capture_output=True, text=True, check=True)
        expected = json.loads(done.stdout)['seen']['records']
        for options in ((), ('-2',)):
            found = occurrences(c.fields(path, 'kparse.record.offset', options=options))
            assert found == expected, f'{path} {options}: {found} records, report {expected}'


def test_tls(c):
    """The frames inside TLS, at their places in the decrypted stream."""
    problems = []
    for path in c.need_shared('tls'):
        truth = path.rsplit('.', 1)[0] + '.plaintext.json'
        if not os.path.exists(truth):
            continue
        with open(truth) as f:
            conversations = json.load(f)
        problems += [f'{os.path.basename(path)}: {p}' for p in compare_tls(c, path, conversations)]
    assert not problems, '\n'.join(problems[:20])


def compare_tls(c, path, conversations):
    keys = path.rsplit('.', 1)[0] + '.keylog.txt'
    options = ('-o', f'tls.keylog_file:{c.shark.readable(keys)}') if os.path.exists(keys) else ()
    rows = c.fields(path, 'tcp.srcport', 'tcp.dstport', 'kparse.stream_offset', 'kparse.length', 'kparse.correlation_id',
                    options=options, filter='kparse.length')
    found = {}
    for source, target, offsets, lengths, ids in rows:
        frames = zip(offsets.split(','), lengths.split(','), ids.split(','))
        found.setdefault((int(source), int(target)), set()).update((int(o), int(l), int(i)) for o, l, i in frames)
    for conversation in conversations:
        ends = [int(conversation[side].rsplit(':', 1)[1]) for side in ('client', 'server')]
        for kind, key in (('requests', tuple(ends)), ('responses', tuple(ends[::-1]))):
            whole = {(f['offset'], f['length'], f['correlationId']) for f in conversation[kind] if f['whole']}
            missing, extra = whole - found.get(key, set()), found.get(key, set()) - whole
            if missing or extra:
                yield f'{key} {kind}: {len(missing)} of {len(whole)} missing {sorted(missing)[:3]}, {len(extra)} too many {sorted(extra)[:3]}'
