#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark with the plugin against `kparse dump`: every frame of every capture, field by field.

    compare.py KPARSE PLUGIN CAPTURE|FOLDER... [--tshark CMD] [--root CHROOT] [--passes] [--secrets] [--jobs N] [--only TEXT] [-v]

A line for each capture, what differs above it; the last line is "N checked, N wrong", captures. Status 1 if any is wrong.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import sys
import traceback

import expect
import pdml
from frames import Comparison, Frame, key_of
from wireshark import Wireshark

CAPTURE = re.compile(r'\.(pcap|pcapng|cap)(\.gz)?$')
DISPLACED = ' || '.join('tcp.analysis.' + flag for flag in (
    'out_of_order', 'retransmission', 'fast_retransmission', 'spurious_retransmission', 'lost_segment', 'ack_lost_segment'))
OPTIONS = ('-n', '-T', 'pdml', '-J', 'kparse _ws.malformed')


class Result:
    def __init__(self, name):
        self.name, self.frames, self.values, self.moved, self.late, self.unseen = name, 0, 0, 0, 0, 0
        self.notes = []
        self.problems = []

    def add(self, packet, what, problems):
        self.problems += [f'packet {packet}: {what}: {p}' for p in problems]

    def line(self, verbose):
        notes = [f'{self.frames} frames', f'{self.values} values']
        if self.moved:
            notes.append(f'{self.moved} shown in another packet')
        if self.late:
            notes.append(f'{self.late} response times of connections with displaced or missing segments differ')
        if self.unseen:
            notes.append(f'{self.unseen} known only at the end of the capture')
        notes += self.notes
        shown = self.problems if verbose else self.problems[:20]
        text = [f'  {p}' for p in shown]
        if len(self.problems) > len(shown):
            text.append(f'  and {len(self.problems) - len(shown)} more')
        text.append(f'{"WRONG" if self.problems else "ok   "} {self.name}  {", ".join(notes)}')
        return '\n'.join(text)


def title(line):
    if line['kind'] in ('request', 'response'):
        return f'{line.get("api") or line.get("apiKey", "?")} v{line.get("version", "?")} {line["kind"]} #{line.get("correlationId")}'
    return f'{line["kind"]} at {line["offset"]}'


def ports_of(line):
    return frozenset(line[side].rsplit(':', 1)[1] for side in ('client', 'server'))


def nanoseconds(text):
    """RFC 3339, as dump writes it."""
    import datetime
    whole, fraction = text.rstrip('Z').split('.')
    at = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return int(at.timestamp()) * 10**9 + int(fraction.ljust(9, '0'))


class Capture:
    """The dump of one capture beside Wireshark's frames of it."""

    def __init__(self, kparse, shark, path, options):
        self.result = Result(os.path.basename(path))
        extra = ['--secrets', 'show'] if options.secrets else []
        if options.keylog:
            extra += ['--keylog', options.keylog]
        self.lines = expect.dump(kparse, path, *extra)
        self.times, self.frames = collections.defaultdict(list), []
        self.shark, self.path, self.begun = shark, shark.readable(path), None
        self.ports = None
        arguments = list(OPTIONS) + (['-2'] if options.two_pass else []) + list(options.tshark_options)
        if options.secrets:
            arguments += ['-o', 'kparse.show_secrets:TRUE']
        self.incomplete = self.find_incomplete()
        if ports := self.unrecognisable():
            arguments += ['-o', 'kparse.tcp.port:' + ','.join(map(str, sorted(ports | {9092})))]
        self.read(shark.start('-r', self.path, *arguments))
        self.comparison = Comparison(kparse, options.secrets)
        self.two_pass, self.strict = options.two_pass, options.strict
        self.place = {}  # of a line's index: the packet where Wireshark shows it

    def read(self, process):
        for packet in pdml.packets(process.stdout):
            self.times[packet.time].append(packet.number)
            for bug in packet.bugs:
                self.result.add(packet.number, 'Wireshark', [bug])
            for node in packet.frames:
                frame = Frame(node, packet.number)
                if frame.kind != 'other':
                    self.frames.append(frame)
        error = process.stderr.read().decode('utf-8', 'replace')
        if process.wait() and 'cut short' not in error and 'appears to be damaged' not in error:
            self.result.problems.append(f'tshark: status {process.returncode}: {error.strip()}')

    def expected_packet(self, line):
        """Where the frame became complete: the packet of its time, the one with its last byte if there are several."""
        found = self.times.get(nanoseconds(line['time']), [])
        if line.get('lastPacket') in found or not found:
            return line.get('lastPacket', line['packet'])
        later = [p for p in found if p >= line.get('lastPacket', 0)]
        return later[0] if later else found[-1]

    def pair(self):
        """(line, frame) for all that are the same frame; frame is None where Wireshark has none."""
        pool = collections.defaultdict(collections.deque)
        for frame in self.frames:
            pool[frame.key].append(frame)
        pairs, lines = [], [l for l in self.lines if l['kind'] in ('request', 'response', 'sasl')]
        left = []
        for line in lines:  # those in the right packet first
            want = self.expected_packet(line)
            found = next((f for f in pool[key_of(line)] if f.packet == want), None)
            if found is None:
                left.append(line)
                continue
            pool[key_of(line)].remove(found)
            pairs.append((line, found))
        for line in left:
            candidates = [f for f in pool[key_of(line)] if self.ports_of(f) == ports_of(line)]
            want = self.expected_packet(line)
            best = min(candidates, key=lambda f: (f.packet < want, abs(f.packet - want)), default=None)
            if best is not None:
                pool[key_of(line)].remove(best)
            pairs.append((line, best))
        extra = [f for frames in pool.values() for f in frames if f.kind in ('request', 'response', 'sasl')]
        return pairs, extra

    def compare(self):
        result = self.result
        pairs, extra = self.pair()
        shown = {(l['conversation'], l['kind'], l['packet'], l.get('correlationId')): f.packet for l, f in pairs if f}
        answers, requests = {}, {(l['conversation'], l['kind'], l['packet'], l.get('correlationId')) for l in self.lines}
        for line, frame in pairs:
            if frame is None:
                self.missing(line)
                continue
            result.frames += 1
            want = self.expected_packet(line)
            if frame.packet != want:
                result.moved += 1
                if self.strict or not (line['conversation'] in self.incomplete or self.troubled(line)):
                    result.add(frame.packet, title(line), [f'should be in packet {want}'])
            request = None
            if line.get('requestPacket') is not None:
                key = (line['conversation'], 'request', line['requestPacket'], line.get('correlationId'))
                request = shown.get(key)
                answers[key] = frame.packet
                if key not in requests:
                    result.add(frame.packet, title(line), [f'the dump has no request in packet {line["requestPacket"]}'])
            problems = self.comparison.frame(line, frame, request)
            times = [p for p in problems if p.startswith('kparse.response_time') and 'None' not in p]
            if times and not self.strict and (line['conversation'] in self.incomplete or self.troubled(line)):
                result.late += 1
                problems.remove(times[0])
            result.add(frame.packet, title(line), problems)
        sealed = any(l['kind'] == 'other' and l.get('what') == 'TLS' and not l.get('decrypted') for l in self.lines)
        if sealed and extra:
            result.notes.append(f'{len(extra)} inside TLS, unknown to the dump')
            extra = []
        for frame in extra:
            result.add(frame.packet, f'{frame.kind} {frame.key}', [f'not in the dump: {frame.node.label}'])
        if self.two_pass:
            self.responses(pairs, answers)
        result.values = self.comparison.values
        self.gaps()
        return result

    def responses(self, pairs, answers):
        """With two passes requests know their responses."""
        for line, frame in pairs:
            if frame is None or line['kind'] != 'request':
                continue
            key = (line['conversation'], 'request', line['packet'], line.get('correlationId'))
            have = frame.number('kparse.response_in')
            if have != answers.get(key):
                self.result.add(frame.packet, title(line), [f'kparse.response_in: tree {have}, dump {answers.get(key)}'])
            if have is None and 'kparse.no_response' not in frame.by_name:
                self.result.add(frame.packet, title(line), ['neither kparse.response_in nor kparse.no_response'])

    def find_incomplete(self):
        """Conversations that lack bytes or begin before the capture: what they are may become known later than to kparse."""
        return {l['conversation'] for l in self.lines
                if l['kind'] == 'gap' or l.get('roleGuessed') or l.get('error', {}).get('code') in ('lost', 'cut') or
                l['kind'] == 'response' and l.get('requestPacket') is None}

    def troubled(self, line):
        """Its connection begins before the capture, or TCP segments of it are displaced or missing: what waits for what, and
        how long, is not the same in the command and in Wireshark, which withholds some."""
        if self.begun is None:
            self.begun, self.displaced = self.connections('tcp.flags.syn == 1'), self.connections(DISPLACED)
        return ports_of(line) not in self.begun or ports_of(line) in self.displaced

    def connections(self, filter):
        return set(self.port_pairs(filter).values())

    def port_pairs(self, filter):
        """Both ports of each packet, by its number."""
        done = self.shark.run('-n', '-r', self.path, '-Y', filter, '-T', 'fields', '-E', 'occurrence=l', '-e', 'frame.number',
                              '-e', 'tcp.srcport', '-e', 'tcp.dstport')
        rows = (line.split() for line in done.stdout.splitlines())
        return {int(row[0]): frozenset(row[1:]) for row in rows}

    def ports_of(self, frame):
        if self.ports is None:
            self.ports = self.port_pairs('tcp.len > 0')
        return self.ports.get(frame.packet)

    def unrecognisable(self):
        """Ports of conversations that begin with a response: nothing but the port can tell what they are."""
        first = {}
        for line in self.lines:
            if line['kind'] in ('request', 'response'):
                known = first.setdefault(line['conversation'], line)
                if line['packet'] < known['packet']:
                    first[line['conversation']] = line
        return {int(l['server'].rsplit(':', 1)[1]) for l in first.values() if l['kind'] == 'response'}

    def missing(self, line):
        """One pass has no packet to show what only the end of the capture tells: what waits behind a hole, or is cut."""
        late = line['conversation'] in self.incomplete or self.troubled(line)
        if line.get('error', {}).get('code') in ('lost', 'cut') or not self.two_pass and late:
            self.result.unseen += 1
            return
        self.result.add(self.expected_packet(line), title(line), ['not in the tree'])

    def gaps(self):
        """All bytes that are missing, but those at the ends of a direction, of which only ACKs and FINs tell."""
        ends, least, dump = {}, 0, 0
        for line in self.lines:
            if line['kind'] in ('request', 'response', 'sasl'):
                side = line.get('from') or ('client' if line['kind'] == 'request' else 'server')
                key = (line['conversation'], side)
                ends[key] = max(ends.get(key, 0), line['offset'])
        for line in self.lines:
            if line['kind'] == 'gap':
                dump += line['bytes']
                inside = 0 < line['offset'] < ends.get((line['conversation'], line['from']), 0)
                least += line['bytes'] if inside and self.two_pass else 0
        tree = sum(f.number('kparse.lost') or 0 for f in self.frames if f.kind == 'gap')
        if not least <= tree <= dump:
            self.result.problems.append(f'bytes lost: tree {tree}, dump {dump}')


def check(kparse, shark, path, options):
    try:
        return Capture(kparse, shark, path, options).compare()
    except Exception:
        result = Result(os.path.basename(path))
        result.problems.append(traceback.format_exc())
        return result


def captures(paths, only):
    out = []
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                out += [os.path.join(folder, n) for n in names if CAPTURE.search(n)]
        else:
            out.append(path)
    return sorted(p for p in out if only in p)


def compare_all(kparse, shark, paths, options):
    """Result after result, in order."""
    paths = sorted(paths)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(check, [kparse] * len(paths), [shark] * len(paths), paths, [options] * len(paths))


def parser():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('kparse')
    p.add_argument('plugin')
    p.add_argument('captures', nargs='+')
    p.add_argument('--tshark', default='tshark', help='command that starts tshark')
    p.add_argument('--root', help='a chroot whose tshark is used; the plugin must be built for it')
    p.add_argument('--two-pass', action='store_true', help='tshark -2: links to responses are compared too')
    p.add_argument('--strict', action='store_true',
                   help='packets and response times must be equal on connections with displaced or missing segments, too')
    p.add_argument('--secrets', action='store_true', help='with secrets shown')
    p.add_argument('--keylog', help='TLS secrets for the dump')
    p.add_argument('--tshark-options', default='', help='more options for tshark')
    p.add_argument('--jobs', type=int, default=os.cpu_count())
    p.add_argument('--only', default='', help='captures with this in their path')
    p.add_argument('-v', '--verbose', action='store_true', help='all differences')
    return p


def main():
    options = parser().parse_args()
    options.tshark_options = options.tshark_options.split()
    wrong = checked = 0
    with Wireshark(options.plugin, options.tshark, options.root) as shark:
        if not shark.has_plugin():
            sys.exit(f'{options.tshark} does not load {options.plugin}')
        for result in compare_all(options.kparse, shark, captures(options.captures, options.only), options):
            checked += 1
            wrong += bool(result.problems)
            print(result.line(options.verbose), flush=True)
    print(f'{checked} checked, {wrong} wrong')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
