#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real captures, damaged at random: what they still hold is found, nothing is invented, the loss is counted.

usage: transforms.py KPARSE SHARED [COUNT] [SEED]     SHARED: the folder with captures/real and check/mangled.py
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    kparse, shared = sys.argv[1:3]
    count, seed = (sys.argv[3:] + ["100", "1"][len(sys.argv) - 3:])[:2]
    real, check = os.path.join(shared, "captures", "real"), os.path.join(shared, "check", "mangled.py")
    if not os.path.isdir(real) or not os.path.exists(check):
        print("no captures")
        sys.exit(77)
    folders = ":".join(sorted(e.path for e in os.scandir(real) if e.is_dir()))
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, os.path.join(HERE, "mangle.py"), kparse, folders, work, count, seed], check=True)
        sys.exit(subprocess.run([sys.executable, check, kparse, work]).returncode)


if __name__ == "__main__":
    main()
