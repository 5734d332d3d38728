# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark's command line with the plugin, however it must be started here.

As root, Wireshark ignores WIRESHARK_PLUGIN_DIR and the personal folders: it is run as "nobody" then, and what nobody can't
read is copied to where it can. With `root`, it is the tshark inside that chroot.
"""
import os
import re
import shlex
import shutil
import stat
import subprocess
import tempfile

NOBODY = 65534


def everyone_reads(path):
    path = os.path.abspath(path)
    bit = stat.S_IROTH
    while True:
        if not os.stat(path).st_mode & bit:
            return False
        if path == '/':
            return True
        path, bit = os.path.dirname(path), stat.S_IXOTH


class Wireshark:
    """`plugin`: kparse.so, or None for Wireshark as it is. Use it in a `with`: it has a folder of its own."""

    def __init__(self, plugin, command='tshark', root=None, env=None, wrap=None):
        self.command, self.root, self.env, self.wrap = shlex.split(command), root or '', env or {}, wrap or []
        self.home = tempfile.mkdtemp(prefix='kparse-', dir=self.root + '/tmp')
        os.chmod(self.home, 0o755)
        self.user = self.folder('home')
        self.plugins = None
        self.version = self.find_version()
        if plugin:
            self.plugins = self.folder('plugins')
            place = self.folder(f'plugins/{self.version}/epan')
            shutil.copy(plugin, os.path.join(place, 'kparse.so'))
            os.chmod(os.path.join(place, 'kparse.so'), 0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.home, ignore_errors=True)

    def folder(self, name):
        path = os.path.join(self.home, name)
        os.makedirs(path, exist_ok=True)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        return path

    def inside(self, path):
        """A path of ours as Wireshark sees it."""
        return path[len(self.root):] if self.root else path

    def readable(self, path):
        """The capture, or a copy of it that Wireshark can read, by the name that Wireshark must use."""
        if os.path.abspath(path).startswith(self.home + '/'):
            return self.inside(os.path.abspath(path))
        if not self.root and (os.geteuid() != 0 or everyone_reads(path)):
            return os.path.abspath(path)
        place = self.folder('files')
        copy = os.path.join(place, os.path.abspath(path).strip('/').replace('/', '_'))
        if not os.path.exists(copy):
            shutil.copy(path, copy)
        os.chmod(copy, 0o644)
        return self.inside(copy)

    def line(self, *arguments):
        env = {'HOME': self.inside(self.user), 'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC'}
        if self.plugins:
            env['WIRESHARK_PLUGIN_DIR'] = self.inside(self.plugins)
        env.update(self.env)
        settings = ['env', '-i'] + [f'{k}={v}' for k, v in env.items()]
        start = []
        if self.root:
            start = ['chroot', f'--userspec={NOBODY}:{NOBODY}', self.root]
        elif os.geteuid() == 0:
            start = ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups']
        return start + settings + self.wrap + self.command + list(arguments)

    def run(self, *arguments, check=False, text=True):
        return subprocess.run(self.line(*arguments), capture_output=True, text=text, check=check,
                              errors='replace' if text else None)

    def start(self, *arguments, stderr=subprocess.PIPE, stdin=False):
        """`stdin`: it is talked to; what it says on standard error is dropped then, nobody would read it."""
        return subprocess.Popen(self.line(*arguments), stdout=subprocess.PIPE, stdin=subprocess.PIPE if stdin else None,
                                stderr=subprocess.DEVNULL if stdin else stderr)

    def find_version(self):
        """major.minor, as plugin folders are named."""
        done = self.run('--version')
        found = re.search(r'(\d+)\.(\d+)\.\d+', done.stdout)
        if not found:
            raise RuntimeError(f'{" ".join(self.command)}: {done.stderr.strip() or "no version"}')
        return f'{found[1]}.{found[2]}'

    def has_plugin(self):
        return 'kparse.so' in self.run('-G', 'plugins').stdout
