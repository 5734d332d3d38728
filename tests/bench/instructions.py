#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""instructions.py KPARSE [--write]: what `kparse report` costs in instructions, beside the committed budget.

Counted by callgrind, so the machine's speed and load don't matter. Each sample is repeated, as conversations of other
ports: what 21 of them cost more than one is what traffic costs, without a program's start and warm-up. The budget (instructions.json) holds instructions per packet, per frame and per record of each
sample; more than 10 % above or below is a fault: a regression, or an improvement that nobody wrote down (--write does).
Library code that chooses by the CPU is kept to its plain form where its own switches allow (GLIBC_TUNABLES).
Status 77: valgrind isn't there, or the build isn't the optimised one that the budget is for.
"""
import json, os, re, shutil, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, '..', '..', 'samples', 'captures')
BUDGET = os.path.join(HERE, 'instructions.json')
CAPTURES = ['java-4.3-headers-lz4.pcap', 'otel-traceparent.pcap', 'kafka-0.8-message-sets.pcap', 'librdkafka-share-group.pcap']
TIMES = 21
TOLERANCE = 0.10
ENV = dict(os.environ, GLIBC_TUNABLES='glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-ERMS')


def instructions(kparse, capture):
    with tempfile.TemporaryDirectory() as folder:
        r = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={folder}/out', kparse, 'report', '--threads', '1',
                            '--format', 'json', capture], capture_output=True, text=True, env=ENV)
        found = re.search(r'Collected : (\d+)', r.stderr)
        if r.returncode or not found:
            sys.exit(f'{capture}: {r.stderr[-500:]}')
        return int(found[1]), json.loads(r.stdout)


def repeated(data, times):
    """The capture so many times, one after the other: later clocks, other ports of the clients. Ethernet or raw IP."""
    order = '<' if data[:4] in (b'\xd4\xc3\xb2\xa1', b'\x4d\x3c\xb2\xa1') else '>'
    ip_at = {1: 14, 101: 0}[struct.unpack(order + 'I', data[20:24])[0] & 0xffff]
    out = [data[:24]]
    for n in range(times):
        at = 24
        while at < len(data):
            seconds, fraction, size, wire = struct.unpack(order + '4I', data[at:at + 16])
            packet = bytearray(data[at + 16:at + 16 + size])
            at += 16 + size
            six = packet[ip_at] >> 4 == 6
            tcp = ip_at + (40 if six else (packet[ip_at] & 15) * 4)
            for where in (tcp, tcp + 2):
                port = int.from_bytes(packet[where:where + 2], 'big')
                if port > 20000:
                    packet[where:where + 2] = (20001 + (port - 20001 + n * 997) % 45000).to_bytes(2, 'big')
            out += [struct.pack(order + '4I', seconds + n * 3600, fraction, size, wire), bytes(packet)]
    return b''.join(out)


def main():
    kparse = sys.argv[1]
    if not shutil.which('valgrind'):
        print('skipped: no valgrind')
        return 77
    measured = {}
    for name in CAPTURES:
        data = open(os.path.join(SAMPLES, name), 'rb').read()
        count, seen = {}, {}
        for times in (1, TIMES):
            with tempfile.NamedTemporaryFile(suffix='.pcap') as f:
                f.write(repeated(data, times))
                f.flush()
                count[times], report = instructions(kparse, f.name)
                seen[times] = report['seen']
        one, all_ = seen[1], seen[TIMES]
        for what in ('packets', 'requests', 'responses', 'records'):
            if all_[what] != TIMES * one[what]:
                sys.exit(f'{name}: {all_[what]} {what} in {TIMES} times {one[what]}')
        cost = (count[TIMES] - count[1]) / (TIMES - 1)
        measured[name] = {'perPacket': round(cost / one['packets']), 'perFrame': round(cost / (one['requests'] + one['responses'])),
                          'perRecord': round(cost / max(1, one['records']))}
    if '--write' in sys.argv:
        with open(BUDGET, 'w') as f:
            json.dump(measured, f, indent=2)
            f.write('\n')
        return 0
    budget = json.load(open(BUDGET))
    wrong = 0
    for name, figures in measured.items():
        for what, now in figures.items():
            was = budget[name][what]
            off = now / was - 1
            bad = abs(off) > TOLERANCE
            wrong += bad
            print(f'{"WRONG " if bad else ""}{name} {what}: {now}, budget {was} ({off:+.1%})')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
