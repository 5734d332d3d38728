#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tshark --export-objects kparse,FOLDER (two passes) against `kparse records`: the same values, as often.

    export.py KPARSE PLUGIN CAPTURE|FOLDER... [--tshark CMD] [--root CHROOT]

The last line is "N checked, N wrong", captures. Status 1 if any is wrong.
"""
import argparse
import base64
import collections
import hashlib
import json
import os
import shutil
import subprocess
import sys

from stats import captures
from wireshark import Wireshark


def digest(value):
    return hashlib.sha256(value).digest()


def expected_values(kparse, capture):
    command = [kparse, 'records', '--format', 'ndjson', '--bytes', 'base64', '--secrets', 'show', capture]
    values = collections.Counter()
    for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        record = json.loads(line)
        if record.get('via') == 'snapshot' or record.get('control') is not None or record.get('value') is None:
            continue
        value = record['value']
        values[digest(base64.b64decode(value['base64'] if isinstance(value, dict) else value))] += 1
    return values


def shown_values(shark, capture):
    folder = shark.folder('objects')
    shark.run('-n', '-2', '-r', shark.readable(capture), '-q', '--export-objects', f'kparse,{shark.inside(folder)}')
    values = collections.Counter()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), 'rb') as f:
            values[digest(f.read())] += 1
    shutil.rmtree(folder)
    return values


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('kparse')
    p.add_argument('plugin')
    p.add_argument('captures', nargs='+')
    p.add_argument('--tshark', default='tshark')
    p.add_argument('--root')
    options = p.parse_args()
    checked = wrong = 0
    with Wireshark(options.plugin, options.tshark, options.root) as shark:
        for capture in captures(options.captures):
            expected, shown = expected_values(options.kparse, capture), shown_values(shark, capture)
            checked += 1
            if expected == shown:
                print(f'ok    {os.path.basename(capture)}  {shown.total()} values', flush=True)
                continue
            wrong += 1
            print(f'WRONG {os.path.basename(capture)}  {shown.total()} values, {expected.total()} expected; '
                  f'{(shown - expected).total()} too many, {(expected - shown).total()} missing', flush=True)
    print(f'{checked} checked, {wrong} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
