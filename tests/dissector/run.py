#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The tests of the Wireshark plugin that CTest runs: one call, one test.

    run.py TEST --kparse KPARSE --plugin PLUGIN [--tshark CMD] [--root CHROOT] [--source FOLDER] [--shared FOLDER]

Status 0: passed, 1: failed, 77: can't be run here (the last line says why). Without TEST: lists them.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys

import compare
import damage_tests
import draft_tests
import lint_tests
import loading_tests
import record_tests
import takeover_tests
from wireshark import Wireshark

SKIPPED = 77
TESTS = {}
for module in (loading_tests, takeover_tests, damage_tests, record_tests, draft_tests, lint_tests):
    TESTS.update({name[5:]: getattr(module, name) for name in dir(module) if name.startswith('test_')})


class Skip(Exception):
    pass


class Context:
    """What a test gets: Wireshark with the plugin, the command, captures."""

    def __init__(self, options, shark):
        self.kparse, self.plugin, self.shark = options.kparse, options.plugin, shark
        self.source, self.shared = options.source, options.shared

    def samples(self):
        return sorted(glob.glob(os.path.join(self.source, 'samples', 'captures', '*.pcap*')))

    def shared_captures(self, *folders):
        """Those of the shared folders that are there; none is no reason to fail."""
        return compare.captures([p for p in (os.path.join(self.shared, 'captures', f) for f in folders) if os.path.isdir(p)], '')

    def need_shared(self, *folders):
        found = self.shared_captures(*folders)
        if not found:
            raise Skip(f'{self.shared} has no captures/{", captures/".join(folders)}')
        return found

    def scratch(self, name):
        """A file that Wireshark can read."""
        return os.path.join(self.shark.folder('made'), name)

    def fields(self, path, *names, options=(), filter=None):
        """A list for each packet: its fields, occurrences separated by commas."""
        arguments = ['-n', '-r', self.shark.readable(path), *options, '-T', 'fields']
        for name in names:
            arguments += ['-e', name]
        if filter:
            arguments += ['-Y', filter]
        done = self.shark.run(*arguments)
        self.check_run(done)
        return [line.split('\t') for line in done.stdout.splitlines()]

    def count(self, path, filter, *options):
        return len(self.fields(path, 'frame.number', options=options, filter=filter))

    @staticmethod
    def check_run(done):
        assert done.returncode >= 0 and done.returncode < 128, f'tshark died: {done.returncode}\n{done.stderr[-2000:]}'
        for bad in ('Dissector bug', 'ERROR', 'CRITICAL', 'duplicate', 'Duplicate'):
            assert bad not in done.stderr, done.stderr[-2000:]

    def compare(self, paths, **changes):
        """Runs compare.py on them; fails with what differs."""
        options = compare.parser().parse_args([self.kparse, self.plugin, *paths])
        options.tshark_options, options.jobs = [], 2
        for name, value in changes.items():
            setattr(options, name, value)
        wrong = [r for r in compare.compare_all(self.kparse, self.shark, paths, options) if r.problems]
        assert not wrong, '\n'.join(r.line(False) for r in wrong)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('test', nargs='?')
    p.add_argument('--kparse')
    p.add_argument('--plugin')
    p.add_argument('--tshark', default='tshark')
    p.add_argument('--root')
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    p.add_argument('--source', default=here)
    p.add_argument('--shared', default=os.environ.get('KPARSE_SHARED', os.path.join(here, '..', 'shared')))
    options = p.parse_args()
    if not options.test:
        print('\n'.join(TESTS))
        return 0
    try:
        if not options.root and not shutil.which(options.tshark.split()[0]):
            raise Skip(f'{options.tshark} is not installed')
        if not os.path.exists(options.plugin):
            raise Skip(f'{options.plugin} was not built')
        with Wireshark(options.plugin, options.tshark, options.root) as shark:
            TESTS[options.test](Context(options, shark))
    except Skip as why:
        print(f'skipped: {why}')
        return SKIPPED
    except AssertionError as what:
        print(f'failed: {what}')
        return 1
    except subprocess.SubprocessError as what:
        print(f'failed: {what}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
