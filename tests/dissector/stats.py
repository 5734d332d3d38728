#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark's statistics of the plugin against `kparse report`: -z kparse,sum, kparse,srt and kparse,tree.

In two passes, as Wireshark's window counts. All numbers must be equal, but for what only the end of a connection or of the
capture makes known (cut responses, bytes missing at the end): Wireshark has no packet in which to count that.

    stats.py KPARSE PLUGIN CAPTURE|FOLDER... [--tshark CMD] [--root CHROOT] [-v]

The last line is "N checked, N wrong", captures. Status 1 if any is wrong.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

from wireshark import Wireshark

CAPTURE = re.compile(r'\.(pcap|pcapng|cap)(\.gz)?$')
TOTALS = {
    'TCP connections with Kafka': 'kafkaConversations',
    'Requests': 'requests',
    'without an answer': 'unanswered',
    'Responses': 'responses',
    'without their request': 'orphanResponses',
    'SASL tokens outside of requests': 'saslTokens',
    'Frames not decoded to their end': 'undecoded',
    'because bytes of them are missing': 'incomplete',
    'requests of an unknown API or version': 'unknown',
    'Bytes missing in the capture': 'lostBytes',
    'cut off when it was taken': 'cutBytes',
    'Record batches': 'batches',
    'that could not be read': 'batchesUnread',
    'with a wrong CRC': 'crcBad',
    'Records produced': 'recordsProduced',
    'Records fetched': 'recordsFetched',
    'control records among them': 'controlRecords',
}


def captures(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                yield from sorted(os.path.join(folder, n) for n in names if CAPTURE.search(n))
        else:
            yield path


def read_sum(text):
    totals, apis, errors, part = {}, {}, {}, 'totals'
    for line in text.splitlines():
        if re.match(r'API +requests', line):
            part = 'apis'
        elif re.match(r'API +error code', line):
            part = 'errors'
        elif part == 'totals' and (m := re.match(r' *(\S.*?) {2,}(\d+)$', line)):
            totals[m[1]] = int(m[2])
        elif part == 'apis' and (m := re.match(r'(\S.*?) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)(?: +([\d.]+) +([\d.]+) +([\d.]+))?$', line)):
            apis[m[1]] = [int(x) for x in m.groups()[1:7]] + [float(m[10]) if m[10] else None]
        elif part == 'apis' and (m := re.match(r'(\S+): (\d+) answers came empty', line)):
            apis[m[1]].append(int(m[2]))
        elif part == 'errors' and (m := re.match(r'(\S.*?) +(-?\d+) (\S*) +(\d+)$', line)):
            errors.setdefault(m[1], {})[m[3] or m[2]] = int(m[4])
    return totals, apis, errors


def read_srt(text):
    """Calls by API; the long polls without data are part of them."""
    calls = {}
    for m in re.finditer(r'^ +(\d+) {2}(\S.*?) +(\d+) +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$', text, re.M):
        name = re.sub(r' \(.*', '', m[2])
        calls[name] = calls.get(name, 0) + int(m[3])
    return calls


def read_tree(text):
    """Path -> count."""
    found, path = {}, []
    for line in text.splitlines():
        if m := re.match(r'( *)(\S.*?) {2,}(\d+) +[\d.]+ ', line):
            path[len(m[1]):] = [m[2]]
            found[tuple(path)] = int(m[3])
    return found


def name_of(api):
    return api['api'] or f'API key {api["apiKey"]}'


def late_frames(kparse, capture):
    """Responses that may be known at the end only, by API (None: without their request)."""
    done = subprocess.run([kparse, 'frames', '--format', 'ndjson', capture], capture_output=True, text=True)
    late = collections.Counter()
    for line in done.stdout.splitlines():
        frame = json.loads(line)
        if frame['kind'] != 'response':
            continue
        if frame.get('error', {}).get('code') in ('lost', 'cut') or frame.get('requestPacket') is None:
            late[frame['api']] += 1
    return late


def late_bytes(kparse, capture):
    """Bytes missing behind the last frame of a direction."""
    done = subprocess.run([kparse, 'dump', '--format', 'ndjson', capture], capture_output=True, text=True)
    gaps, last = [], {}
    for line in done.stdout.splitlines():
        item = json.loads(line)
        side = item.get('from') or {'request': 'client', 'response': 'server'}.get(item['kind'])
        direction = item['conversation'], side
        if item['kind'] == 'gap':
            gaps.append((direction, item['offset'], item['bytes']))
        else:
            last[direction] = max(last.get(direction, 0), item['offset'])
    return sum(n for direction, offset, n in gaps if offset >= last.get(direction, 0))


class Check:
    def __init__(self, report, late, late_bytes):
        self.problems, self.report, self.late, self.late_bytes = [], report, late, late_bytes

    def equal(self, what, shown, expected):
        if shown != expected:
            self.problems.append(f'{what}: {shown}, report {expected}')

    def within(self, what, shown, low, high):
        if not low <= shown <= high:
            self.problems.append(f'{what}: {shown}, report {low} to {high}')

    def totals(self, totals):
        seen, late = self.report['seen'], self.late.total()
        snapshots = any(a['apiKey'] == 59 for a in self.report['apis'])
        for label, key in TOTALS.items():
            shown, expected = totals.get(label, 0), seen[key]
            if snapshots and key in ('batches', 'batchesUnread', 'recordsFetched', 'controlRecords'):
                continue  # those of snapshots are not counted in Wireshark
            if key in ('responses', 'orphanResponses', 'undecoded', 'incomplete'):
                self.within(label, shown, expected - late, expected)
            elif key in ('lostBytes', 'cutBytes'):
                self.within(label, shown, expected - self.late_bytes, expected)
            elif key == 'unanswered':
                self.within(label, shown, expected, expected + late)
            else:
                self.equal(label, shown, expected)

    def apis(self, rows, errors):
        for api in self.report['apis']:
            name, late = name_of(api), self.late[api['api']]
            row = rows.pop(name, None)
            shown_errors = errors.pop(name, {})
            if row is None:
                self.problems.append(f'{name}: not there')
                continue
            self.equal(f'{name} requests', (row[0], row[4]), (api['requests'], api['requestBytes']))
            self.within(f'{name} responses', row[1], api['responses'] - late, api['responses'])
            if late:
                continue
            self.equal(name, (row[2], row[3], row[5]), tuple(api[k] for k in ('unanswered', 'failed', 'responseBytes')))
            own = api['ownLatencyMs']
            slowest = own and own['max']
            if slowest is not None and slowest >= 0 and (row[6] is None or abs(row[6] - slowest) > max(0.01, slowest * 0.01)):
                self.problems.append(f'{name}: slowest {row[6]} ms, report {slowest}')
            self.equal(f'{name}: empty long polls', row[7] if len(row) > 7 else 0, api['longPolls'])
            self.equal(f'{name}: errors', shown_errors, api['errors'])
        self.equal('other APIs', list(rows) + list(errors), [])

    def srt(self, calls):
        """An answer that the capture has before its request takes no time that could be told."""
        for api in self.report['apis']:
            name, late = name_of(api), self.late[api['api']]
            negative = api['latencyMs'] and (api['latencyMs']['p50'] or 0) < 0
            low = 0 if negative or self.report['seen']['lostBytes'] else api['responses'] - late
            self.within(f'srt {name}', calls.pop(name, 0), low, api['responses'])
        self.equal('srt, other APIs', list(calls), [])

    def tree(self, tree):
        for api in self.report['apis']:
            name, late = name_of(api), self.late[api['api']]
            self.equal(f'tree, {name} requests', tree.get(('Requests', name), 0), api['requests'])
            self.within(f'tree, {name} responses', tree.get(('Responses', name), 0), api['responses'] - late, api['responses'])
            versions = {p[2][1:]: n for p, n in tree.items() if p[:2] == ('Requests', name) and len(p) == 3}
            self.equal(f'tree, {name} versions', versions, api['versions'])
            codes = sum(n for p, n in tree.items() if p[:2] == ('Error codes', name) and len(p) == 3)
            if not late:
                self.equal(f'tree, {name} error codes', codes, sum(api['errors'].values()))


def check(kparse, shark, capture):
    done = subprocess.run([kparse, 'report', '--format', 'json', capture], capture_output=True, text=True)
    report = json.loads(done.stdout)
    run = shark.run('-n', '-2', '-r', shark.readable(capture), '-q', *[x for z in ('sum', 'srt', 'tree') for x in ('-z', f'kparse,{z}')])
    lossy = report['seen']['lostBytes'] > 0
    c = Check(report, late_frames(kparse, capture), late_bytes(kparse, capture) if lossy else 0)
    if run.returncode != 0 and 'cut short' not in run.stderr:
        c.problems.append(f'tshark gave {run.returncode}: {run.stderr.strip()[-300:]}')
    parts = {}
    for part in re.split(r'\n={20,}\n', run.stdout):
        if 'SRT Statistics' in part:
            parts['srt'] = part
        elif part.startswith('Kafka (kparse):'):
            parts['tree'] = part
        elif part.startswith('Kafka (kparse)\n'):
            parts['sum'] = part
    totals, rows, errors = read_sum(parts.get('sum', ''))
    c.totals(totals)
    c.apis(rows, errors)
    c.srt(read_srt(parts.get('srt', '')))
    c.tree(read_tree(parts.get('tree', '')))
    return c.problems


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('kparse')
    p.add_argument('plugin')
    p.add_argument('captures', nargs='+')
    p.add_argument('--tshark', default='tshark')
    p.add_argument('--root')
    p.add_argument('-v', action='store_true')
    options = p.parse_args()
    checked = wrong = 0
    with Wireshark(options.plugin, options.tshark, options.root) as shark:
        for capture in captures(options.captures):
            problems = check(options.kparse, shark, capture)
            checked += 1
            wrong += bool(problems)
            for problem in problems if options.v else problems[:8]:
                print(f'  {problem}')
            print(f'{"WRONG" if problems else "ok   "} {os.path.basename(capture)}', flush=True)
    print(f'{checked} checked, {wrong} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
