#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does Wireshark grow with the plugin when a capture is looked at again and again? Run it by hand.

    growth.py PLUGIN CAPTURE [--rounds 1000] [--loads 20] [--sharkd CMD] [--set PREFERENCE:VALUE]... [--valgrind|--asan]

Has sharkd, the Wireshark that programs talk to, do what a user does: a new display filter (all packets are dissected again),
clicks on packets here and there (what is shown of Kafka must stay the same), and after all that opens the capture again a
few times. sharkd keeps its answer to each filter, and each opening takes some MiB: so it is compared with sharkd alone. Prints the memory on the
way; status 1 if it grows, if a tree changes, or if sharkd dies. --valgrind: slower; status 1 for each error and lost block
with the plugin in its stack. --asan: for a plugin built with KPARSE_SANITIZE and KPARSE_SANITIZE_PLUGIN; the first error ends
sharkd.
"""
import argparse
import glob
import json
import os
import random
import re
import subprocess
import sys

from wireshark import Wireshark

FILTERS = ('kparse', 'kparse.api == "Fetch"', 'kparse.record.header contains "a"', 'kafka.topic_name', 'kparse.batch.crcValid == 1',
           'kparse.response_time > 0.001', '_ws.expert', 'tcp.len > 100', 'kparse.FetchResponse.responses.partitions.highWatermark > 3')
OTHER_FILTERS = ('tcp', 'tcp.len > 100', '_ws.expert')
WARM = 100  # rounds until caches are filled
TOLERANCE_KIB = 1024


class Died(Exception):
    pass


class Sharkd:
    def __init__(self, process):
        self.process, self.id = process, 0

    def call(self, method, **params):
        self.id += 1
        line = json.dumps({'jsonrpc': '2.0', 'id': self.id, 'method': method, 'params': params})
        self.process.stdin.write(line.encode() + b'\n')
        self.process.stdin.flush()
        while True:
            answer = self.process.stdout.readline()
            if not answer:
                raise Died(f'sharkd died: status {self.process.wait()}')
            if answer.startswith(b'{'):
                return json.loads(answer)

    def memory(self):
        """KiB that belong to it alone."""
        with open(f'/proc/{self.process.pid}/smaps_rollup') as f:
            return int(re.search(r'Private_Dirty:\s+(\d+)', f.read())[1])


def kafka_of(frame):
    """What is shown of Kafka: other trees tell of the packets that were looked at before."""
    result = frame['result']
    return json.dumps([result.get('col'), result.get('ds', [])[1:], [n for n in result['tree'] if 'afka (kparse)' in n.get('l', '')]])


def rounds(shark, options, filters=FILTERS):
    """What is wrong, and by how many KiB it grew once caches were filled."""
    chance, trees, problems = random.Random(1), {}, []
    packets = shark.call('status')['result']['frames']
    start = None
    for i in range(options.rounds):
        # sharkd remembers the answer to a filter that it had.
        answer = shark.call('frames', filter=f'({filters[i % len(filters)]}) && frame.number != {packets + 1 + i}')
        if 'error' in answer:
            problems.append(f'filter {i}: {answer["error"]}')
        for _ in range(3):
            n = chance.randint(1, packets)
            tree = kafka_of(shark.call('frame', frame=n, proto=True, bytes=True, columns=True))
            if trees.setdefault(n, tree) != tree:
                problems.append(f'packet {n} is shown otherwise in round {i}')
        if i + 1 == min(WARM, options.rounds):
            start = shark.memory()
        if (i + 1) % max(1, options.rounds // 5) == 0:
            print(f'{i + 1} rounds, {packets} packets: {shark.memory()} KiB', flush=True)
    if filters is FILTERS and not any('afka (kparse)' in tree for tree in trees.values()):
        problems.append('no frame of Kafka is shown: is the plugin loaded?')
    return problems, shark.memory() - start


def growth_by_loads(shark, path, loads):
    """KiB a time."""
    for i in range(loads):
        shark.call('load', file=path)
        if i == 1:
            start = shark.memory()
    return (shark.memory() - start) / (loads - 2)


def end(shark):
    shark.process.stdin.close()
    return [f'sharkd: status {shark.process.returncode}'] if shark.process.wait() else []


def reports(log):
    """Valgrind's with the plugin in their stacks. What is registered once stays until the program ends; it is "lost" since
    nothing points to it when the plugin has been unloaded."""
    with open(log, errors='replace') as f:
        blocks = re.split(r'\n==\d+== \n', f.read())
    return [re.sub(r'==\d+== ?', '  ', b) for b in blocks if 'kparse::' in b and 'register_protocol' not in b and re.search(r'\n==\d+==\s+(at|by) 0x', b)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('plugin')
    p.add_argument('capture')
    p.add_argument('--rounds', type=int, default=1000)
    p.add_argument('--loads', type=int, default=20)
    p.add_argument('--sharkd', default='sharkd')
    p.add_argument('--set', action='append', default=[], metavar='PREFERENCE:VALUE')
    p.add_argument('--valgrind', action='store_true')
    p.add_argument('--asan', action='store_true')
    options = p.parse_args()
    with Wireshark(options.plugin, options.sharkd) as wireshark, Wireshark(None, options.sharkd) as plain:
        log = os.path.join(wireshark.folder('log'), 'valgrind')
        if options.valgrind:
            wireshark.env['G_SLICE'] = 'always-malloc'
            wireshark.wrap = ['valgrind', '--quiet', '--leak-check=full', '--show-leak-kinds=definite', '--num-callers=25',
                              '--keep-debuginfo=yes', '--errors-for-leak-kinds=none', f'--log-file={log}']
        if options.asan:
            # Wireshark isn't built for it: the runtime must be there first. Leaks are valgrind's, which knows the stacks of
            # what has been unloaded.
            runtime = subprocess.run(['gcc', '-print-file-name=libasan.so'], capture_output=True, text=True, check=True).stdout.strip()
            wireshark.env.update(LD_PRELOAD=runtime, ASAN_OPTIONS=f'detect_leaks=0:log_path={log}',
                                 UBSAN_OPTIONS=f'print_stacktrace=1:log_path={log}')
        shark, path = Sharkd(wireshark.start('-', stdin=True)), wireshark.readable(options.capture)
        for setting in options.set:
            name, value = setting.split(':', 1)
            shark.call('setconf', name=name, value=value)
        shark.call('load', file=path)
        problems = []
        try:
            found, grown = rounds(shark, options)
            problems += found
            ours = growth_by_loads(shark, path, options.loads)
            problems += end(shark)
        except Died as died:
            problems.append(str(died))
        if options.valgrind:
            problems += reports(log)
        elif options.asan:
            problems += [open(f, errors='replace').read() for f in glob.glob(log + '.*')]
        elif not problems:
            other = Sharkd(plain.start('-', stdin=True))
            path = plain.readable(options.capture)
            other.call('load', file=path)
            found, grown_plain = rounds(other, options, OTHER_FILTERS)
            problems += found
            theirs = growth_by_loads(other, path, options.loads)
            problems += end(other)
            print(f'{options.rounds - WARM} rounds: {grown} KiB, {grown_plain} without the plugin')
            if grown > grown_plain + TOLERANCE_KIB:
                problems.append('grows with each filter or click')
            print(f'opened {options.loads} times: {ours:.0f} KiB each time, {theirs:.0f} without the plugin')
            if ours > 1.01 * theirs + TOLERANCE_KIB / options.loads:  # what each opening takes grows with what is shown
                problems.append('grows with each time that the capture is opened')
    print('\n'.join(problems[:20]) or 'nothing grew')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
