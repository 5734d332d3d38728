# SPDX-License-Identifier: MIT
"""Runs the commands of a page's ```console blocks ("$ COMMAND", then what it prints) and compares.

usage: readme_commands.py KPARSE PAGE FOLDER    samples are looked for in FOLDER
"""
import os
import subprocess
import sys
import tempfile

kparse, page, source = (os.path.abspath(p) for p in sys.argv[1:4])


def examples(path):
    """Pairs of command and output."""
    inside = False
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line.startswith('```'):
                inside = line.strip() == '```console'
                command = None
            elif inside and line.startswith('$ '):
                command = [line[2:].strip(), '']
                yield command
            elif inside:
                command[1] += line


wrong = 0
checked = list(examples(page))
with tempfile.TemporaryDirectory() as folder:
    os.symlink(os.path.join(source, 'samples'), os.path.join(folder, 'samples'))
    os.mkdir(os.path.join(folder, 'bin'))
    os.symlink(kparse, os.path.join(folder, 'bin', 'kparse'))
    env = dict(os.environ, PATH=os.path.join(folder, 'bin') + ':' + os.environ['PATH'], LC_ALL='C.UTF-8')
    for command, expected in checked:
        done = subprocess.run(['bash', '-c', command], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        printed = done.stdout.decode()
        if printed != expected:
            wrong += 1
            print(f'$ {command}\nprinted:\n{printed}\nthe page has:\n{expected}')
print(f'{len(checked)} checked, {wrong} wrong')
sys.exit(0 if checked and wrong == 0 else 1)
