#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long tshark takes with the plugin, and with Wireshark's own Kafka dissector instead: run it by hand.

    speed.py PLUGIN CAPTURE... [--runs 5] [--tshark CMD] [--root CHROOT]

Runs of both kinds take turns, so that what the machine does besides hits both; times are processor seconds, medians. The
ratio is the median of the ratios of runs that stood beside one another. Memory is the peak of the process.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys

from wireshark import Wireshark

# What is run, by name: options with the plugin, options with the built-in.
KINDS = {
    'io,stat': (['-q', '-z', 'io,stat,0'], ['-q', '-z', 'io,stat,0']),
    'fields': (['-T', 'fields', '-e', 'frame.number', '-e', 'kafka.api_key', '-e', 'kafka.correlation_id'],) * 2,
    'records': (['-T', 'fields', '-e', 'kafka.offset', '-e', 'kafka.message_key', '-e', 'kafka.header_key'],) * 2,
    'own fields': (['-T', 'fields', '-e', 'kparse.record.offset', '-e', 'kparse.record.key', '-e', 'kparse.record.header.name'],
                   ['-T', 'fields', '-e', 'kafka.offset', '-e', 'kafka.message_key', '-e', 'kafka.header_key']),
    'list': ([], []),
    'tree': (['-V'], ['-V']),
}


def measure(command):
    """Processor seconds and peak MiB of one run."""
    def child():
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)

    process = subprocess.Popen(command, preexec_fn=child)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f'{" ".join(command)}: status {process.returncode}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('plugin')
    p.add_argument('captures', nargs='+')
    p.add_argument('--runs', type=int, default=5)
    p.add_argument('--tshark', default='tshark')
    p.add_argument('--root')
    p.add_argument('--kinds', default=','.join(k.replace(',', '+') for k in KINDS), help='io+stat,fields,...')
    options = p.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f'{"capture":14} {"run":11} {"plugin s":>9} {"built-in s":>11} {"ratio":>6} {"plugin MiB":>11} {"built-in MiB":>13} {"ratio":>6}')
    with Wireshark(options.plugin, options.tshark, options.root) as ours, Wireshark(None, options.tshark, options.root) as theirs:
        for path in options.captures:
            for kind in options.kinds.split(','):
                compare(ours, theirs, path, kind.replace('+', ','), options.runs)


def compare(ours, theirs, path, kind, runs):
    lines = [shark.line('-n', '-r', shark.readable(path), *arguments) for shark, arguments in zip((ours, theirs), KINDS[kind])]
    measured = ([], [])
    for turn in range(runs):
        for which in ((0, 1), (1, 0))[turn % 2]:
            measured[which].append(measure(lines[which]))
    seconds = [statistics.median(s for s, _ in m) for m in measured]
    memory = [max(r for _, r in m) for m in measured]
    ratio = statistics.median(a / b for (a, _), (b, _) in zip(*measured))
    name = os.path.basename(path).split('.')[0]
    print(f'{name:14} {kind:11} {seconds[0]:9.2f} {seconds[1]:11.2f} {ratio:6.2f} {memory[0]:11.0f} {memory[1]:13.0f} '
          f'{memory[0] / memory[1]:6.2f}', flush=True)


if __name__ == '__main__':
    main()
