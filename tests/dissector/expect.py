# SPDX-License-Identifier: GPL-2.0-or-later
"""What Wireshark's tree must hold, from `kparse dump` and `kparse schema`."""
import base64
import functools
import json
import subprocess
from dataclasses import dataclass, field

REDACTED = '(redacted)'


def dump(kparse, capture, *options):
    done = subprocess.run([kparse, 'dump', '--format', 'ndjson', '--names', 'first', '--bytes', 'hex', *options, capture],
                          capture_output=True, text=True, errors='replace')
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return [json.loads(line) for line in done.stdout.splitlines()]


@dataclass
class Field:
    name: str
    type: str
    tag: object
    versions: tuple
    tagged: tuple
    default: object
    below: list = field(default_factory=list)
    order: int = 0

    def is_tagged(self, version):
        return self.tagged is not None and self.tagged[0] <= version <= self.tagged[1]


def span(text):
    if text is None:
        return None
    low, _, high = str(text).rstrip('+').partition('-')
    return int(low), int(high or low)


def fields_of(rows):
    out = []
    for n, row in enumerate(rows):
        out.append(Field(row['name'], row['type'], row['tag'], span(row['versions']), span(row['taggedVersions']),
                         row['default'], fields_of(row.get('fields', [])), n))
    return out


@functools.cache
def schema(kparse, message):
    done = subprocess.run([kparse, 'schema', message, '--format', 'json'], capture_output=True, text=True, check=True)
    return {f.name: f for f in fields_of(json.loads(done.stdout)['fields'])}


@dataclass
class Item:
    """One field as the tree must show it. `value` is as in the dump; `kind`: a type of the schema, or count, struct."""
    path: str
    kind: str
    value: object


class Body:
    """The items of a body in the order of their bytes."""

    def __init__(self, kparse, message, version):
        self.kparse, self.message, self.version = kparse, message, version
        self.items = []
        self.errors = []
        self.tagged = set()  # paths of tagged fields, and of all below them

    def read(self, body):
        self.structure(body, list(schema(self.kparse, self.message).values()), f'kparse.{self.message}')
        return self

    def add(self, path, kind, value):
        self.items.append(Item(path, kind, value))

    def mark_tagged(self, path, f):
        if path in self.tagged:
            return
        self.tagged.add(path)
        for g in f.below:
            self.mark_tagged(f'{path}.{g.name}', g)

    def structure(self, value, fields, path):
        now = [f for f in fields if f.versions and f.versions[0] <= self.version <= f.versions[1]]
        known = {f.name for f in now}
        for f in now:
            if f.is_tagged(self.version):
                self.mark_tagged(f'{path}.{f.name}', f)
        now.sort(key=lambda f: (f.tag if f.is_tagged(self.version) else -1, f.order))
        names = [f for f in now if f.name in value]
        # Layouts that this version had in an older release have fields that the newest one lacks.
        for name in value:
            if name not in known and not name.endswith('.decoded'):
                old = next((f for f in fields if f.name == name), None)
                names.append(old or Field(name, guess_type(value[name]), None, None, None, None))
        for f in names:
            self.field(value[f.name], f, f'{path}.{f.name}')
        for name in value:
            if name.endswith('.decoded'):
                self.errors += error_codes(value[name])

    def field(self, value, f, path):
        if f.type == '[]struct' or f.type.startswith('[]') and f.below:
            self.add(path, 'count', None if value is None else len(value))
            for element in value or []:
                self.structure(element, f.below, path)
        elif f.type.startswith('[]'):
            if value is None:
                self.add(path, 'null array', None)
            for element in value or []:
                self.leaf(element, f.type[2:], path)
        elif f.type == 'struct' or f.below:
            self.add(path, 'struct', value)
            if value is not None:
                self.structure(value, f.below, path)
        else:
            self.leaf(value, f.type, path)

    def leaf(self, value, kind, path):
        if kind == 'bytes' and value is not None and value != REDACTED:
            value = base64.b64decode(value).hex()
        self.add(path, kind, value)
        if kind == 'int16' and value and path.endswith('rrorCode'):
            self.errors.append(value)


def error_codes(value):
    """Those inside a payload: an Envelope's response."""
    out = []
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, (dict, list)):
            out += error_codes(inner)
        elif isinstance(name, str) and name.endswith('rrorCode') and inner:
            out.append(inner)
    return out


def guess_type(value):
    if isinstance(value, bool):
        return 'bool'
    if isinstance(value, int):
        return 'int64'
    if isinstance(value, dict):
        return 'struct'
    if isinstance(value, list):
        return '[]' + guess_type(value[0]) if value else '[]int32'
    return 'string'


@functools.cache
def default_of(kparse, message, path):
    """The default of a field by its path; of structs None."""
    fields = schema(kparse, message)
    for name in path.split('.')[2:]:
        found = fields.get(name)
        if found is None:
            return None
        fields = {f.name: f for f in found.below}
    return found.default
