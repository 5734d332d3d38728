# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures that are damaged, odd or hostile: no crash, nothing called a bug, and the same tree as ever."""
import glob
import os
import re
import struct
import subprocess

import compare
import craft
import expect
import frames
import pdml

TOPIC_OF_ID = re.compile(r'(?<=[\w-]{22}) \(.*\)')  # its name may be learnt later
LATER = {'kparse.topic', 'kparse.response_in', 'kafka.response_frame', 'kparse.no_response', 'kparse.reassembled_in'}
LATER_EXPERT = re.compile('No response|no response')
BUGS = re.compile(r'Dissector bug|\[Malformed Packet: [^\]]*afka|Assertion|AddressSanitizer')


def check_text(c, path, *options):
    """-V of it; returns the text."""
    done = c.shark.run('-n', '-V', '-r', c.shark.readable(path), *options)
    assert 0 <= done.returncode < 128, f'{path}: tshark died: {done.returncode}: {done.stderr[-1000:]}'
    return done.stdout


def bugs(text):
    return [l.strip() for l in text.splitlines() if BUGS.search(l)]


def test_odd_captures(c):
    """Dissector bugs never; "malformed" only where the dump has an error."""
    for path in c.shared_captures('cases', 'probe') + c.samples():
        found = bugs(check_text(c, path))
        if not found:
            continue
        assert all('Malformed' in l for l in found), f'{path}: {found[:3]}'
        assert any(frames.has_error(l) for l in expect.dump(c.kparse, path)), f'{path}: {found[:3]}'


def test_damaged_copies(c):
    """A few hundred copies with flipped bytes and cut packets."""
    folders = [os.path.dirname(p) for p in c.samples()] + [os.path.join(c.shared, 'captures', f) for f in ('cases', 'probe')]
    sources = sorted({p for folder in set(folders) for p in glob.glob(os.path.join(folder, '*.pcap'))})
    sources = [p for p in sources if os.path.getsize(p) < 60000]
    path, copies = c.scratch('damaged.pcap'), 0
    for seed in range(4):
        copies += craft.damage(sources, path, seed, 2)
        for options in ((), ('-2',), ('-o', 'kparse.max_records:1', '-o', 'kparse.show_secrets:TRUE')):
            text = check_text(c, path, *options)
            found = [l for l in bugs(text) if 'Malformed' not in l]
            assert not found, f'seed {seed}, {options}: {found[:3]}'
        for name in ('tree', 'sum', 'srt'):
            c.check_run(c.shark.run('-n', '-q', '-r', c.shark.readable(path), '-z', f'kparse,{name}'))
    assert copies > 50, copies


def test_cut_frame_comes_before_what_is_cut(c):
    path = c.scratch('snapped.pcap')
    pcap = craft.Pcap(path, 9092)
    pcap.packet(0, craft.request(3, 1, 1, struct.pack('>i', 1) + craft.text('orders')), cut=5)
    pcap.close()
    assert ['Metadata v1 Request | 5 bytes cut by the snapshot length'] in c.fields(path, '_ws.col.Info'), c.fields(path, '_ws.col.Info')


def test_bytes_of_no_frame(c):
    """What waited for the rest of a frame to the end, and was none."""
    path = c.scratch('garbage.pcap')
    pcap = craft.Pcap(path, 9092)
    pcap.send(0, b'\0\0\0\x08garbage')
    pcap.close()
    shown = [info for info, in c.fields(path, '_ws.col.Info', options=['-2'], filter='kparse')]
    assert shown == ['[not Kafka: unknown]'], shown


def items(c, path, *options):
    """What the tree has below our frames, packet by packet, but what depends on later packets."""
    process = c.shark.start('-n', '-r', c.shark.readable(path), *compare.OPTIONS, *options)
    out = {}
    for packet in pdml.packets(process.stdout, skip=()):
        out[packet.number] = [line for frame in packet.frames for line in lines(frame)]
    process.wait()
    return out


def lines(node):
    if node.name in LATER or LATER_EXPERT.search(node.label or ''):
        return
    label = TOPIC_OF_ID.sub('', node.label or '')
    yield node.name, label, node.show, node.value
    for child in node.children:
        yield from lines(child)


def test_passes(c):
    """One pass and two give the same tree, but for what only a second pass can know."""
    for path in c.samples():
        if 'lost' in path:
            continue  # what stands behind a hole is known late
        one, two = items(c, path), items(c, path, '-2')
        cut = {l['lastPacket'] for l in expect.dump(c.kparse, path) if l.get('error', {}).get('code') == 'cut'}
        for number, rows in one.items():
            if number in cut:  # a frame whose rest isn't in the capture: known at its end
                known = [row for row in rows if row not in two[number]]
                assert all('goes on in a later packet' in row[1] or row[0] == 'kparse.segment_data' for row in known), known
                assert len(two[number]) > len(rows) - len(known), f'{path}, packet {number}'
                continue
            different = [(a, b) for a, b in zip(rows, two[number]) if a != b]
            assert not different and len(rows) == len(two[number]), f'{path}, packet {number}: {different[:2]}'


def test_filter_makes_no_difference(c):
    """The tree of a packet is the same whichever others are shown."""
    for path in c.samples()[:5]:
        whole, some = items(c, path, '-2'), items(c, path, '-2', '-Y', 'kparse.response')
        assert some and all(whole[number] == rows for number, rows in some.items()), path


def test_fields_however_started(c):
    """`-T fields` where the plugin can tell which fields are printed, and where it can't and builds everything."""
    names = ('frame.number', 'kparse.api', 'kafka.offset', 'kparse.topic', 'kparse.record.key', 'kafka.batch_codec',
             '_ws.expert.message', 'kparse.time', 'kparse.ApiVersionsResponse.apiKeys.apiKey')
    path = c.scratch('samples.pcapng')  # all in one: a start takes longer than they do
    subprocess.run(['mergecap', '-a', '-w', path, *c.samples()], check=True)
    for some, options in ((names, ()), (('_ws.expert.message',), ()), (('kparse.responseMissing',), ('-2',))):
        told = c.fields(path, *some, options=options)
        c.shark.wrap = ['bash', '-c', 'exec -a shark "$0" "$@"']
        untold = c.fields(path, *some, options=options)
        c.shark.wrap = []
        assert told == untold, (some, [(a, b) for a, b in zip(told, untold) if a != b][:3])
        for name, column in zip(some, zip(*told)):
            assert any(column), f'{name} is nowhere'


def test_tcp_reassembly_options(c):
    """However TCP is set, frames and records are the same."""
    paths = c.shared_captures('ooo') + [p for p in c.samples() if 'headers-lz4' in p or 'share-group' in p]
    for path in paths:
        seen = {}
        for options in (('-o', 'tcp.reassemble_out_of_order:TRUE'), ('-o', 'tcp.reassemble_out_of_order:FALSE'),
                        ('-o', 'tcp.relative_sequence_numbers:FALSE'), ('-o', 'tcp.analyze_sequence_numbers:FALSE')):
            rows = c.fields(path, 'kparse.length', 'kparse.correlation_id', 'kparse.record.offset', options=options, filter='kparse.length')
            seen[options] = sorted(','.join(row) for row in rows)
        first = seen.popitem()
        for options, rows in seen.items():
            assert sum(len(r.split(',')) for r in rows) == sum(len(r.split(',')) for r in first[1]), f'{path}: {options}, {first[0]}'
